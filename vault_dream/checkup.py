"""``doctor`` as a person sees it, in a terminal or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vault_dream.config import load_settings
from vault_dream.engine.doctor import diagnose
from vault_dream.engine.repairs import Repair, mend, plan_repairs
from vault_dream.engine.session import ReviewSession
from vault_dream.places import index_file
from vault_dream.readers import probe_model
from vault_dream.summary import count, printable
from vault_dream.terminal import json_text, linked, paths_in


def doctor(
    root: Path, *, as_json: bool, ask_model: bool, fix: bool = False, yes: bool = False
) -> int:
    """Look the vault at ``root`` over and print what was found; returns the exit code.

    With ``fix`` what can be mended safely is shown, and mended where a person agrees, on a terminal
    or by ``yes``; what is printed then is how things stand afterwards.
    """
    settings = load_settings(root)
    asked = ask_model and settings.provider == "openai" and settings.model
    index = index_file(root)
    found = diagnose(
        root,
        settings,
        index_file=index,
        probe=(lambda: probe_model(settings)) if asked else None,
    )
    repairs: Sequence[Repair] = ()
    if fix:
        with ReviewSession(root, settings, index_file=index) as session:
            repairs = plan_repairs(session, index_damaged=found.index_damaged)
            if repairs and _agreed(repairs, quiet=as_json, yes=yes):
                repairs = mend(session, repairs)
        model, unreachable = found.model, found.unreachable
        about_model = [problem for problem in found.problems if problem in found.model_problems]
        found = diagnose(root, settings, index_file=index, probe=None)
        found.model, found.unreachable = model, unreachable
        known = {*found.problems}
        found.problems.extend(problem for problem in about_model if problem not in known)
    document = found.as_json() | {"repairs": [repair.as_json() for repair in repairs]}
    if as_json:
        text = json_text(document)
    else:
        text = linked(doctor_text(document), root, paths_in(document))
    sys.stdout.write(text + "\n")
    return 4 if found.unreachable else int(bool(found.problems))


def _agreed(repairs: Sequence[Repair], *, quiet: bool, yes: bool) -> bool:
    """Whether what was shown is to be mended: a person says so on a terminal, or ``--yes`` did."""
    if not quiet:
        shown = "\n".join(line for repair in repairs for line in _repair(repair.as_json()))
        sys.stderr.write(printable(shown) + "\n")
    if yes:
        return True
    if quiet or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"Fix {count(len(repairs), 'thing')}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _repair(repair: Mapping[str, Any]) -> list[str]:
    return [f"{repair['where']}: {repair['what']}", *repair["diff"].rstrip("\n").split("\n")]


def doctor_text(document: Mapping[str, Any]) -> str:
    """What ``doctor`` found, for a person: facts by part, then each problem with what to do."""
    lines = ["Settings"]
    for item in document["settings"]:
        if item["from"] != "default":
            lines += [f"  {item['name']}: {_fact(item['value'])}  ({item['from']})"]
    if len(lines) == 1:
        lines.append("  all defaults")
    for part in ("vault", "digest", "state", "index", "model"):
        lines += ["", part.capitalize()]
        facts = document[part].items()
        lines += [f"  {name.replace('_', ' ')}: {_fact(value)}" for name, value in facts]
    problems = document["problems"]
    lines += ["", "All is well." if not problems else f"{count(len(problems), 'thing')} to fix"]
    for problem in problems:
        next_step = f"\n    Next: {problem['next']}" if problem["next"] else ""
        lines.append(f"  {problem['what']}\n    {problem['where']}{next_step}")
    lines += _mended(document["repairs"])
    return printable("\n".join(lines))


def _mended(repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What came of the repairs."""
    done = [repair for repair in repairs if repair["done"]]
    lines = ["", f"{count(len(done), 'thing')} fixed"] if done else []
    lines += [f"  {repair['where']}: {repair['what']}" for repair in done]
    left = [repair for repair in repairs if not repair["done"]]
    if left and not done and not any(repair["reason"] for repair in left):
        return [*lines, "", f"{count(len(left), 'thing')} can be fixed; --fix --yes does it"]
    lines += [f"  {r['where']}: not fixed ({r['reason'] or 'not wanted'})" for r in left]
    return lines


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        value = [f"{name} {_fact(item)}" for name, item in value.items()]
    if isinstance(value, list):
        value = ", ".join(map(_fact, value))
    return "none" if value in (None, "") else str(value)
