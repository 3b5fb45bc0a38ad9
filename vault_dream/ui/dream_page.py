"""What the dream page says: stages, units, and what to do where it cannot go on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.events import (
    Answering,
    Extracted,
    Extracting,
    Integrated,
    Integrating,
    Scanned,
)
from vault_dream.ui.glyphs import ACTION_MARKS, Glyphs
from vault_dream.ui.home_page import count
from vault_dream.ui.lines import BLANK, Line, Piece, line, wrapped
from vault_dream.ui.queue_pane import MARK_STYLES
from vault_dream.ui.sights import Ahead


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a dream is, as its events tell."""

    going: bool = True
    scanned: Scanned | None = None
    extracting: int = 0
    found: tuple[str, ...] | None = None
    now: Integrating | None = None
    answer: Answering | None = None
    done: tuple[Integrated, ...] = ()
    total: int = 0
    problem: str = ""

    def after(self, event: Any) -> Progress:
        """The progress once ``event`` happened."""
        match event:
            case Scanned():
                return replace(self, scanned=event)
            case Extracting(sources):
                return replace(self, extracting=sources)
            case Answering():
                return replace(self, answer=event)
            case Extracted(names):
                return replace(self, found=names, total=len(names), answer=None)
            case Integrating():
                return replace(self, now=event, answer=None)
            case Integrated():
                return replace(self, now=None, answer=None, done=(*self.done, event))
        return self


def dream_lines(
    progress: Progress,
    units: Sequence[Unit],
    dropped: Collection[str],
    width: int,
    glyphs: Glyphs,
    *,
    settling: bool,
    ahead: Ahead | None = None,
) -> list[Line]:
    """The rows of the page."""
    rows: list[Line] = [BLANK, *_stages(progress, glyphs, width), BLANK]
    if ahead is not None:
        rows += ahead_lines(ahead, min(width, 100))
    elif settling:
        rows += _units(units, dropped, min(width, 100), glyphs)
    else:
        rows += _results(progress, width, glyphs)
    if progress.problem:
        rows += [BLANK, *wrapped([(progress.problem, "warn")], width - 4, first=["  "])]
        rows += wrapped(
            [("Nothing is lost: it will be tried again next time.", "muted")],
            width - 4,
            first=["  "],
        )
    return rows


def ahead_lines(ahead: Ahead, width: int) -> list[Line]:
    """What is about to leave for an endpoint that is new: whereto, how much, at what price."""
    first, about = ahead.first, ahead.estimate
    rows = wrapped(
        [("Nothing was ever sent to this endpoint. ", "strong"), "Send it?"],
        width,
        first=["  "],
    )
    price = "" if about.cost is None else f", about {about.cost:.2f} by your prices"
    rows += [
        BLANK,
        _fact("to", [(first.host, "accent")], width),
        _fact("model", [first.model], width),
        _fact(
            "now", [f"{count(first.notes, 'note')}, {first.characters:,} characters in all"], width
        ),
        _fact(
            "the run",
            [f"about {about.tokens:,} tokens in {count(about.calls, 'call')}{price}"],
            width,
        ),
        BLANK,
        *wrapped(
            [
                (
                    "Anything that looks like a secret is redacted. You are asked once "
                    "for each endpoint; for unattended runs, the setting is your consent.",
                    "muted",
                )
            ],
            width,
            first=["  "],
        ),
        BLANK,
        line(
            *("  ", ("enter", "key"), " send it     ", ("w", "key"), " the exact request     "),
            *(("X", "key"), " send nothing"),
        ),
        BLANK,
        line("  ", ("The notes", "heading")),
    ]
    return [*rows, *(line("  ", (path, "muted")) for path in ahead.paths)]


def _fact(name: str, words: Sequence[Piece | str], width: int) -> Line:
    return wrapped(words, width, first=["  ", (f"{name:<10}", "muted")])[0]


def _stages(progress: Progress, glyphs: Glyphs, width: int) -> Iterator[Line]:
    scan = progress.scanned
    if scan is None:
        yield _stage("read", "the days", glyphs, now=progress.going)
        return
    fresh = count(scan.fresh, "of them", "of them") if scan.fresh else "none"
    news = f"{count(scan.scanned, 'note')}, {fresh} with something new"
    yield _stage("read", news, glyphs, over=True)
    if scan.fresh == 0 and progress.found in (None, ()):
        if not progress.going:
            yield BLANK
            yield line("  ", "Nothing new since the last time. No model was asked.")
        return
    if progress.found is None:
        notes = count(progress.extracting or scan.fresh, "note")
        words = f"what is worth keeping in {notes}"
        words += _how(progress.answer, glyphs)
        yield _stage("find", words, glyphs, now=progress.going)
        return
    yield _stage("find", f"{count(len(progress.found), 'thing')} worth keeping", glyphs, over=True)
    if progress.found:
        words = f"{len(progress.done)} of {progress.total}"
        if progress.now is not None:
            words += f": {progress.now.name}{_how(progress.answer, glyphs)}"
        over = not progress.going
        yield _stage("integrate", words, glyphs, over=over, now=progress.now is not None)


def _how(answer: Answering | None, glyphs: Glyphs) -> str:
    """How far the model's answer has come."""
    if answer is None:
        return ""
    if answer.state == "waiting":
        return f" ({answer.reason}; again in {answer.seconds:.0f} s)"
    if answer.state == "sent":
        return f" (sent{glyphs.dots})"
    return f" ({answer.state}, {count(answer.characters, 'character')})"


def _stage(name: str, words: str, glyphs: Glyphs, *, over: bool = False, now: bool = False) -> Line:
    sign = (glyphs.approved, "good") if over else (glyphs.waiting if now else glyphs.none, "accent")
    return line("  ", sign, "  ", (f"{name:<11}", "strong" if now else "muted"), words)


def _units(
    units: Sequence[Unit], dropped: Collection[str], width: int, glyphs: Glyphs
) -> Iterator[Line]:
    for number, unit in enumerate(units):
        key = f"unit:{number}"
        out = unit.id in dropped
        name_style = "off" if out else "strong"
        yield from wrapped(
            [(unit.name, name_style)],
            width,
            first=[(f"{unit.bucket:<11}", "faint" if out else "accent")],
            key=key,
        )
        if out:
            yield line(" " * 11, ("dropped; x keeps it", "muted"), key=key)
            yield BLANK
            continue
        yield from wrapped([unit.summary], width, first=[" " * 11], key=key)
        for item in unit.evidence[:3]:
            stem = item.path.rsplit("/", 1)[-1].removesuffix(".md")
            where = f"{stem}, line {item.line}: " if item.line else f"{stem}, not found: "
            mark = ('"', '"') if glyphs.ascii else ("“", "”")
            quote: list[Piece | str] = [
                (where, "faint"),
                (f"{mark[0]}{item.quote}{mark[1]}", "quote"),
            ]
            yield from wrapped(quote, width, first=[" " * 11], key=key)
        yield BLANK


def _results(progress: Progress, width: int, glyphs: Glyphs) -> Iterator[Line]:
    for number, done in enumerate(progress.done):
        key = f"done:{number}"
        if done.failure:
            yield from wrapped([done.name], width, first=[("x ", "bad")], key=key)
            yield from wrapped([(done.failure, "warn")], width, first=["  "], key=key)
        else:
            mark, style = ACTION_MARKS[done.action], MARK_STYLES[done.action]
            yield from wrapped([done.name], width, first=[(f"{mark} ", style)], key=key)
            yield from wrapped([(done.target, "muted")], width, first=["  "], key=key)
    if progress.now is not None:
        yield from wrapped(
            [(progress.now.name, "muted"), (f" {glyphs.dots}", "muted")],
            width,
            first=[(f"{glyphs.waiting} ", "accent")],
        )


def trouble_lines(error: VaultDreamError, kind: str, width: int) -> list[Line]:
    """A page for a dream that cannot begin: why, and each way on."""
    titles = {
        "busy": "Another process is dreaming in this vault right now.",
        "model": "No model can be reached.",
    }
    ways = {
        "busy": [
            "Most likely it is the nightly run. What it proposes appears here by itself;",
            "you can review what waits meanwhile.",
        ],
        "model": [
            "In vault-dream.yaml, one of:",
            "",
            "  provider: offline          no key, no network; finds less, quotes more",
            "",
            "  model: qwen3:30b           a model on this machine, through Ollama",
            "  base_url: http://localhost:11434/v1",
            "",
            "  model: NAME                any OpenAI-compatible endpoint",
            "  base_url: https://…/v1     with the key in OPENAI_API_KEY",
        ],
    }
    rows = [BLANK, line("  ", (titles.get(kind, "The dream could not start."), "strong")), BLANK]
    rows += wrapped([(f"{error.where}: {error.what}", "warn")], width - 4, first=["  "])
    rows.append(BLANK)
    rows += [line("  ", word) for word in ways.get(kind, [f"Next: {error.next}"])]
    rows += [BLANK, line("  ", ("Nothing was changed, and nothing counts as read.", "muted"))]
    return rows
