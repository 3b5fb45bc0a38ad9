"""``doctor`` as a person sees it, in a terminal or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_dream.config import load_settings
from vault_dream.engine.doctor import diagnose
from vault_dream.places import index_file
from vault_dream.readers import probe_model
from vault_dream.summary import count, printable
from vault_dream.terminal import linked, paths_in


def doctor(root: Path, *, as_json: bool, ask_model: bool) -> int:
    """Look the vault at ``root`` over and print what was found; returns the exit code."""
    settings = load_settings(root)
    asked = ask_model and settings.provider == "openai" and settings.model
    found = diagnose(
        root,
        settings,
        index_file=index_file(root),
        probe=(lambda: probe_model(settings)) if asked else None,
    )
    document = found.as_json()
    if as_json:
        text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)
    else:
        text = linked(doctor_text(document), root, paths_in(document))
    sys.stdout.write(text + "\n")
    return 4 if found.unreachable else int(bool(found.problems))


def doctor_text(document: Mapping[str, Any]) -> str:
    """What ``doctor`` found, for a person: facts by part, then each problem with what to do."""
    lines = ["Settings"]
    for item in document["settings"]:
        if item["from"] != "default":
            lines += [f"  {item['name']}: {item['value']}  ({item['from']})"]
    if len(lines) == 1:
        lines.append("  all are the defaults")
    for part in ("vault", "digest", "state", "index", "model"):
        lines += ["", part.capitalize()]
        facts = document[part].items()
        lines += [f"  {name.replace('_', ' ')}: {_fact(value)}" for name, value in facts]
    problems = document["problems"]
    lines += ["", "All is well." if not problems else f"{count(len(problems), 'thing')} to mend"]
    for problem in problems:
        next_step = f"\n    Next: {problem['next']}" if problem["next"] else ""
        lines.append(f"  {problem['what']}\n    {problem['where']}{next_step}")
    return printable("\n".join(lines))


def _fact(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
