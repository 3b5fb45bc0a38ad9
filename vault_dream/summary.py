"""Reports as a person reads them in a terminal: plain words, plain text, nothing that acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vault_dream.engine.vault.plain import visible

MARKS = {"CREATE": "+", "CORROBORATE": "=", "REFINE": "~", "CORRECT": "!"}
MOST_LISTED = 12


def summary(report: Mapping[str, Any], diffs: Mapping[str, str] | None = None) -> str:
    """The summary of a run, with the diffs of a dry run below it."""
    lines = [_headline(report), ""]
    lines += [f"  {line}" for line in _counts(report)]
    results = report["integrate_results"]
    if results:
        lines.append("")
        lines += [f"  {line}" for result in results for line in _result(result)]
    for failed in report["failed_units"]:
        lines.append(f"  x failed       {failed['unit']}: {failed['reason']}")
    lines += _listed("Found, but not pursued", report["dropped_units"], "name")
    lines += _listed("Left out", report["files"]["excluded"], "path")
    if report["auto_tag"]["failed"]:
        lines += _listed("Could not be tagged", report["auto_tag"]["failed"], "path")
    lines += _warnings(report["warnings"])
    for problem in report["errors"]:
        next_step = f" Next: {problem['next']}." if problem["next"] else ""
        lines.append(f"\n  {problem['where']}: {problem['what']}.{next_step}")
    for diff in (diffs or {}).values():
        lines += ["", diff.rstrip("\n")]
    return printable("\n".join(lines))


def _headline(report: Mapping[str, Any]) -> str:
    first, last = report["dates"][0], report["dates"][-1]
    days = first if first == last else f"{first} to {last}"
    reader = "the offline reader" if report["provider"] == "offline" else report["model"]
    if report["status"] == "nothing":
        return f"{report['vault']}, {days}: nothing new."
    would = " (dry run: nothing was written)" if report["dry_run"] else ""
    by = f", read by {reader}" if reader else ""
    return f"{report['vault']}, {days}{by}{would}"


def _counts(report: Mapping[str, Any]) -> Iterator[str]:
    files = report["files"]
    read = f"{count(files['scanned'], 'note')} in these days, {files['changed']} changed"
    if files["deleted"]:
        read += f", {files['deleted']} gone"
    yield read
    units = len(report["units"])
    if report["status"] != "nothing":
        yield f"{count(units, 'thing')} worth keeping" if units else "nothing worth keeping"
    if not report["dry_run"]:
        made, changed = len(report["nodes_created"]), len(report["nodes_updated"])
        if made or changed:
            tagged = len(report["auto_tag"]["tagged"])
            yield f"{count(made, 'node')} created, {changed} changed, {tagged} tagged"
        if report["queued"]:
            yield f"{count(report['queued'], 'proposal')} waiting for you"
    if files["older_unread"]:
        yield f"{count(files['older_unread'], 'older note')} never read; no hurry"
    usage = report["usage"]
    if usage["calls"]:
        tokens = usage["prompt_tokens"] + usage["completion_tokens"]
        yield f"{usage['calls']} model calls, {tokens:,} tokens"


def _result(result: Mapping[str, Any]) -> Iterator[str]:
    action, decision = result["action"], result["decision"]
    yield f"{MARKS[action]} {action:<12} {result['unit']}"
    where = f"  {'':<12} {result['target_path']}"
    if decision == "settled":
        where += ", nothing to add"
    elif decision == "queued":
        where += f", waits: {result.get('reason') or 'not decided yet'}"
    elif decision == "dry_run" and result.get("reason"):
        where += f", would wait: {result['reason']}"
    yield where


def _listed(title: str, items: Sequence[Mapping[str, str]], key: str) -> list[str]:
    if not items:
        return []
    lines = ["", f"  {title}"]
    lines += [f"    {item[key]}: {item['reason']}" for item in items[:MOST_LISTED]]
    if len(items) > MOST_LISTED:
        lines.append(f"    and {len(items) - MOST_LISTED} more; --json lists them all")
    return lines


def runs_text(runs: Sequence[Mapping[str, Any]], undone: Mapping[str, str]) -> str:
    """Past runs, a line each; ``undone`` says of some how far they were undone."""
    if not runs:
        return "No runs yet."
    lines = []
    for run in runs:
        made = f"{len(run['nodes_created'])} created, {len(run['nodes_updated'])} changed"
        days = f"{run['dates'][0]} to {run['dates'][-1]}"
        if run.get("topics"):
            made += f", {count(len(run['topics']['added']), 'topic')}"
        made += f", {run['queued']} waiting"
        made += {"": "", "partly": ", partly undone", "wholly": ", undone"}[
            undone.get(run["run_id"], "")
        ]
        lines.append(f"{run['run_id']}  {days}  {run['status']:<8}{made}")
    return printable("\n".join(lines))


def changes_text(changes: Sequence[Mapping[str, Any]]) -> str:
    """What a run changed, as diffs."""
    parts = []
    for change in changes:
        if change["forgotten"]:
            parts.append(f"{change['path']}: its text was forgotten")
        elif change["diff"]:
            parts.append(("(undone)\n" if change["undone"] else "") + change["diff"].rstrip("\n"))
    return printable("\n\n".join(parts))


def undone_text(document: Mapping[str, Any]) -> str:
    """What an undo did about each file."""
    if document["run_id"] is None:
        return "Nothing to undo."
    lines = [f"Run {document['run_id']}"]
    for file in document["files"]:
        more = f", now {file['trash']}" if file["trash"] else ""
        why = f" ({file['note']})" if file["note"] else ""
        lines.append(f"  {file['outcome']:<14}{file['path']}{more}{why}")
    return printable("\n".join(lines))


def _warnings(warnings: Sequence[str]) -> list[str]:
    if not warnings:
        return []
    lines = ["", "  Worth knowing", *(f"    {warning}" for warning in warnings[:MOST_LISTED])]
    if len(warnings) > MOST_LISTED:
        lines.append(f"    and {len(warnings) - MOST_LISTED} more; --json lists them all")
    return lines


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def status_text(status: Mapping[str, Any]) -> str:
    """The answer of ``status`` for a person."""
    lines = [f"{status['vault']}", ""]
    changed = status["changed_paths"]
    lines.append(f"  {count(len(changed), 'note')} changed since the last run")
    lines += [f"    {path}" for path in changed[:MOST_LISTED]]
    queued = status["queued"]
    lines.append(f"  {count(len(queued), 'proposal')} waiting for you")
    for item in queued[:MOST_LISTED]:
        lines.append(f"    {MARKS[item['action']]} {item['action']:<12} {item['unit']}")
    if status["failed_units"]:
        lines.append(f"  {count(len(status['failed_units']), 'unit')} to try again")
    if status["older_unread"]:
        lines.append(f"  {count(status['older_unread'], 'older note')} never read; no hurry")
    if begun := status["backfill"]:
        reached = f", read to {begun['reached']}" if begun["reached"] else ""
        lines.append(f"  backfill of {begun['from']} to {begun['to']} in progress{reached}")
    last = status["last_run"]
    if last is None:
        lines.append("  no run yet")
    else:
        made = f"{last['nodes_created']} created, {last['nodes_updated']} changed"
        lines.append(f"  last run {last['at'].replace('T', ' ')}: {last['status']}, {made}")
    lines.append(f"  daily notes: {status['daily_notes']} ({status['daily_notes_from']})")
    lines += _warnings(status["warnings"])
    return printable("\n".join(lines))


def printable(text: str) -> str:
    """``text`` without what could act on a terminal; lines stay."""
    return visible(text.replace("\t", "    ").replace("\r", ""))
