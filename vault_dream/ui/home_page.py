"""What Home says: a greeting that means something, the calendar, what is worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from rich.cells import cell_len

from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.lines import BLANK, Line, Piece, line, pad, wrapped

if TYPE_CHECKING:
    from vault_dream.engine.glance import DayState, Overview, RunLine

TWO_COLUMNS = 92
"""Cells from which the page stands in two columns."""
CALENDAR = 41
NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in words up to twelve."""
    word = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{word} {noun if number == 1 else plural or noun + 's'}"


def home_lines(
    view: Overview,
    width: int,
    glyphs: Glyphs,
    *,
    now: datetime,
    reader: str,
    no_reader: str,
    recovered: Sequence[str] = (),
) -> list[Line]:
    """The whole page at ``width`` cells."""
    left, right = list(_calendar(view, glyphs)), list(_worth(view, no_reader, width))
    rows = [BLANK, *_greeting(view, now, width), BLANK, *_waiting(view, no_reader, width)]
    for word in recovered:
        rows += wrapped([(word, "warn")], width - 4, first=["  "])
    rows += [BLANK, line((glyphs.rule * width, "faint")), BLANK]
    if width >= TWO_COLUMNS:
        right = list(_worth(view, no_reader, width - CALENDAR - 2))
        rows += _beside(left, [*right, *_runs(view, width - CALENDAR - 2)])
    else:
        rows += [*left, BLANK, *(Line((("  ", "text"), *row.pieces)) for row in right)]
        rows += [Line((("  ", "text"), *row.pieces)) for row in _runs(view, width - 2)]
    rows += [BLANK, line((glyphs.rule * width, "faint")), *_foot(view, reader, width)]
    return rows


def _greeting(view: Overview, now: datetime, width: int) -> list[Line]:
    hour = now.hour
    hello = "Good morning" if 4 <= hour < 12 else "Good afternoon" if hour < 18 else "Good evening"
    if not 4 <= hour < 22:
        hello = "Still up"
    return wrapped([(f"{hello}. ", "strong"), (_news(view, now), "text")], width - 4, first=["  "])


def _news(view: Overview, now: datetime) -> str:
    """The one sentence that matters most."""
    last = view.runs[0] if view.runs else None
    now = now.replace(tzinfo=None)  # run ids are in the owner's time as well
    if view.waiting and last is not None and last.queued and last.units:
        when = "Last night" if now - last.at < timedelta(hours=20) and last.at.hour < 7 else ""
        when = when or f"The run of {_stamp(last.at)}"
        found = count(last.units, "thing")
        return f"{when} read {count(last.days, 'day')} and found {found} worth keeping."
    if view.waiting:
        return f"{count(view.waiting, 'proposal').capitalize()} to look at."
    if view.approved:
        return "What you approved is not written yet."
    if view.changed:
        new = count(len(view.changed), "note")
        return f"{new.capitalize()} {'has' if len(view.changed) == 1 else 'have'} something new."
    if not view.days and not view.older_unread:
        return "No daily notes were found in this vault."
    if last is None:
        return "This vault has not been read yet."
    return "Everything you wrote has been read, and nothing waits."


def _waiting(view: Overview, no_reader: str, width: int) -> Iterator[Line]:
    """What there is to do, the next key in sight."""
    if view.waiting:
        yield _todo(view.waiting, "for you to decide", _minutes(view.waiting), "enter", "review")
    if view.approved:
        yield _todo(view.approved, "approved, not written yet", "", "enter", "review, then C")
    if view.changed:
        yield _todo(
            len(view.changed),
            "changed or new",
            some_of(view.changed, max(12, width - 58)),
            "d",
            "dream over them",
        )
    if view.failed_units:
        yield _todo(len(view.failed_units), "failed, tried again with d", "", "", "")
    if not (view.waiting or view.approved or view.changed or view.failed_units):
        yield line("     ", ("Nothing to do here today.", "muted"))
    if no_reader and (view.changed or not view.runs):
        yield BLANK
        yield from wrapped(
            [("Nothing can be read yet: ", "warn"), no_reader], width - 9, first=["     "]
        )


def some_of(paths: Sequence[str], room: int) -> str:
    """The names of as many notes as there is ``room`` for in cells, and how many more there are;
    ``""`` where not even one fits."""
    names = [path.rsplit("/", 1)[-1].removesuffix(".md") for path in paths[:3]]
    for number in range(len(names), 0, -1):
        rest = len(paths) - number
        words = ", ".join(names[:number]) + (f" and {rest} more" if rest else "")
        if cell_len(words) <= room:
            return words
    return ""


def _todo(number: int, what: str, more: str, key: str, name: str) -> Line:
    pieces: list[Piece | str] = ["  ", (f"{number:>4,}", "strong"), "  ", f"{what:<28}"]
    if more:
        pieces.append((f"{more}   ", "muted"))
    if key:
        pieces += [(key, "key"), " ", (name, "muted")]
    return line(*pieces)


def _minutes(number: int) -> str:
    """About forty seconds each."""
    minutes = max(1, round(number * 40 / 60))
    if minutes > 90:
        return f"about {count(round(minutes / 60), 'hour')}"
    return f"about {count(minutes, 'minute')}"


def _calendar(view: Overview, glyphs: Glyphs) -> Iterator[Line]:
    signs: dict[DayState, tuple[str, str]] = {
        "read": (glyphs.done, "good"),
        "queued": (glyphs.waiting, "accent"),
        "changed": (glyphs.changed, "warn"),
        "failed": (glyphs.failed, "bad"),
        "unread": (glyphs.unread, "text"),
    }
    today = view.today
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=5)
    yield line("  ", (f"{today:%B %Y}", "heading"))
    yield BLANK
    names = "".join(f"{name:<4}" for name in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"))
    yield line("  ", (f"{'':<8}{names}", "muted"))
    for week in range(6):
        start = first + timedelta(weeks=week)
        pieces: list[Piece | str] = ["  ", (f"{start.day:>2} {start:%b}".ljust(8), "faint")]
        for offset in range(7):
            day = start + timedelta(days=offset)
            state = view.days.get(day)
            if day > today:
                sign = ("    ", "text")
            elif state is None:
                sign = (f" {glyphs.none}  ", "faint")
            else:
                sign = (f" {signs[state][0]}  ", signs[state][1])
            if day == today:
                sign = (f"[{sign[0].strip()}] ", "strong" if state is None else sign[1])
            pieces.append(sign)
        yield line(*pieces)
    used = [state for state in signs if state in view.days.values()]
    legend: list[Piece | str] = ["  "]
    for state in used:
        legend += [(signs[state][0], signs[state][1]), (f" {state}  ", "faint")]
    yield BLANK
    yield line(*legend)


def _worth(view: Overview, no_reader: str, width: int) -> Iterator[Line]:
    odd = [day for day, state in view.days.items() if state == "failed"]
    rows: list[Line] = []
    for day in odd[-3:]:
        rows += wrapped([f"{_day(day)} could not be read completely; d tries it again"], width)
    late = [
        day
        for day, state in view.days.items()
        if state == "changed" and view.runs and (view.today - day).days > 2
    ]
    for day in late[-3:]:
        rows += wrapped([f"{_day(day)} was edited after it was read"], width)
    if view.older_unread:
        note = "older notes, unread" if view.older_unread > 1 else "older note, unread"
        rows += wrapped(
            [
                *(f"{view.older_unread:,} {note}. ", ("No hurry: ", "muted")),
                *(("b", "key"), (" plans a backfill", "muted")),
            ],
            width,
        )
    if view.parked:
        they = "proposal is" if view.parked == 1 else "proposals are"
        rows += wrapped(
            [f"{count(view.parked, they, they).capitalize()} parked, undecided. ", *_keyed("P")],
            width,
        )
    for warning in view.warnings[:3]:
        rows += wrapped([(warning, "warn")], width)
    if rows:
        yield line(("Worth a look", "heading"))
        yield BLANK
        yield from rows
        yield BLANK
    yield line(("The digest", "heading"))
    yield BLANK
    yield line(
        f"{view.nodes:,} {'node' if view.nodes == 1 else 'nodes'}", ("   / searches them", "muted")
    )
    yield BLANK


def _keyed(key: str) -> tuple[Piece, Piece]:
    return (key, "key"), (" looks at them", "muted")


def _runs(view: Overview, width: int) -> Iterator[Line]:
    if not view.runs:
        return
    yield line(("Last runs", "heading"))
    yield BLANK
    shown = [run for run in view.runs if run.units or run.created or run.updated or run.queued]
    for run in (shown or list(view.runs))[:5]:
        words = ["  ".join(_run_words(run))]
        yield line((f"{_stamp(run.at):<14}", "muted"), *words)


def _run_words(run: RunLine) -> Iterator[str]:
    yield f"{run.days} {'day' if run.days == 1 else 'days':<5}"
    if run.units:
        yield f"{run.units} found"
    elif run.status == "failed":
        yield "failed"
    elif not (run.created or run.updated):
        yield "nothing worth keeping"
    if run.created or run.updated:
        yield f"{run.created} new, {run.updated} changed"
    if run.undone:
        yield "undone"
    if run.tokens:
        yield f"{run.tokens / 1000:.0f}k tokens"
    if run.seconds >= 1:
        yield f"{run.seconds / 60:.0f} min" if run.seconds >= 90 else f"{run.seconds:.0f} s"


def _foot(view: Overview, reader: str, width: int) -> list[Line]:
    place = f"Daily notes: {view.daily_notes} ({view.daily_origin})"
    return [
        *wrapped([(reader, "muted")], width - 4, first=["  "]),
        *wrapped([(place, "faint")], width - 4, first=["  "]),
    ]


def _beside(left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    """Two columns, the left one as wide as the calendar."""
    rows = []
    for number in range(max(len(left), len(right))):
        one = left[number].pieces if number < len(left) else ()
        two = right[number].pieces if number < len(right) else ()
        rows.append(Line((*pad(one, CALENDAR), *two)))
    return rows


def _stamp(at: datetime) -> str:
    return f"{at.day} {at:%b %H:%M}"


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"
