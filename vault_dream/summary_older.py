"""A backfill as a person reads it: what it would take, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vault_dream.summary import MOST_LISTED, count, printable

_ENDS = {
    "done": "Everything is read.",
    "capped": "{left} left; `vault-dream backfill` continues.",
    "paused": "Paused with {left} left; `vault-dream backfill` continues.",
    "budget": "The budget ran out with {left} left; `vault-dream backfill` continues.",
    "no_model": "The model could not be reached, {left} left; `vault-dream backfill` continues.",
    "failing": "Stopped after three failed days in a row, with {left} left; "
    "`vault-dream backfill` continues.",
}


def plan_text(plan: Mapping[str, Any], budget: int) -> str:
    """What is left of a range, and what this run and all of it may take."""
    if not plan["days"]:
        return printable(f"{plan['from']} to {plan['to']}: nothing left to read.")
    whole, now = plan["whole"], plan["this_run"]
    lines = [
        f"{plan['from']} to {plan['to']}: {count(whole['days'], 'day')} with something to read, "
        f"{count(whole['notes'], 'note')}"
    ]
    days = plan["days_this_run"]
    if now["days"] == whole["days"]:
        lines.append(f"  this run reads them all: {_may_take(now)}")
    else:
        taken = f"the {now['days']:,} oldest, {days[0]} to {days[-1]}"
        lines.append(f"  this run reads {taken}: {_may_take(now)}")
        runs = -(-whole["days"] // now["days"])
        lines.append(f"  all of them, in about {runs:,} such runs: {_may_take(whole)}")
    if 0 < budget < now["tokens"]:
        lines.append(
            f"  budget.tokens is {budget:,}: this run will stop there, and the next goes on"
        )
    return printable("\n".join(lines))


def _may_take(foreseen: Mapping[str, Any]) -> str:
    parts = []
    if foreseen["calls"]:
        parts += [f"about {foreseen['calls']:,} calls", f"{foreseen['tokens']:,} tokens"]
    if foreseen["cost"] is not None:
        parts.append(f"cost {foreseen['cost']:.2f}")
    if foreseen["seconds"] is not None:
        parts.append(f"about {_span(foreseen['seconds'])}")
    elif foreseen["calls"]:
        parts.append("how long is not known before a first run")
    return ", ".join(parts) or "no call to a model"


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def backfill_text(document: Mapping[str, Any]) -> str:
    """What a run of a backfill did, day by day where something came of it."""
    days = document["days"]
    made = [day for day in days if day["units"] or day["errors"]]
    lines = [f"{count(len(days), 'day')} read"]
    for day in made[:MOST_LISTED]:
        lines += [f"  {line}" for line in _day(day)]
    if len(made) > MOST_LISTED:
        lines.append(f"  and {len(made) - MOST_LISTED} more days; vault-dream log lists every run")
    usage = document["usage"]
    if usage["calls"]:
        tokens = usage["prompt_tokens"] + usage["completion_tokens"]
        cost = "" if usage["cost"] is None else f", cost {usage['cost']:.2f}"
        lines.append(f"  {count(usage['calls'], 'call')}, {tokens:,} tokens{cost}")
    for problem in document["errors"]:
        lines.append(f"  {problem['where']}: {problem['what']}")
    lines.append(_ENDS[document["status"]].format(left=count(document["days_left"], "day")))
    return printable("\n".join(lines))


def _day(day: Mapping[str, Any]) -> Iterator[str]:
    counts = (
        (len(day["nodes_created"]), "created"),
        (len(day["nodes_updated"]), "changed"),
        (day["queued"], "waiting for you"),
        (len(day["failed_units"]), "failed"),
    )
    told = ", ".join(f"{number} {word}" for number, word in counts if number)
    yield f"{day['date']}  {told or 'nothing new'}"
    for problem in day["errors"]:
        yield f"  {problem['where']}: {problem['what']}"
