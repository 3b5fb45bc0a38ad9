"""The scenes: what happens to both programs, and what is looked at afterwards."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.peers.model import Act, Call, Unit
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note

DAY = "2026-11-30"
FIRST = "daily/2026-11-29/session.md"
SECOND = "daily/2026-11-30/session.md"
REBUILD = "digest/procedure/rebuild-the-index.md"
STOP = "digest/procedure/stop-the-watcher.md"
SCHEMA = "digest/wiki/schema-changes.md"
INVOICE = "digest/personal/invoice-first.md"

VAULT: Mapping[str, str] = {
    FIRST: (
        "# Session\n\nRebuilt the index after the schema change. The search was half empty until "
        "the first full scan had finished, about four minutes.\n"
    ),
    SECOND: (
        "# Session\n\nMara wants the invoice before the work starts, every single time, since "
        "the spring mess.\n\nThe scan after the rebuild took four minutes again, so wait for it.\n"
    ),
    REBUILD: (
        "---\n# mine: keep this comment\nname: Rebuild the index\n"
        "description: 'The safe order for rebuilding the index'\nkind: procedure\n"
        "tags: ['search', \"ops\"]\nold_code: 0123\n---\n\n"
        f"After a schema change ([[{SCHEMA}|why]]), first [[{STOP}|stop the watcher]], then drop "
        "the index.\n\nMy own line: never on a Friday.\n\n## Sources\n\n"
        '- The order was worked out in [[daily/2026-06-20/session.md|20 Jun]]: "forgot the '
        'watcher and it corrupted the cache".\n'
    ),
    STOP: (
        "---\nname: Stop the watcher\ndescription: How the watcher is stopped\n---\n\n"
        "Send it a TERM and wait for the lock to go.\n\n## Sources\n\n"
        '- Seen in [[daily/2026-06-20/session.md|20 Jun]]: "a TERM was enough".\n'
    ),
    SCHEMA: (
        "---\nname: Schema changes\ndescription: Why a schema change needs a new index\n---\n\n"
        "The index holds the old columns.\n\n## Sources\n\n"
        '- Noted in [[daily/2026-06-20/session.md|20 Jun]]: "the old columns stayed".\n'
    ),
    "daily/2026-06-20/session.md": (
        "# Session\n\nI forgot the watcher and it corrupted the cache. In the end a TERM was "
        "enough. After the change the old columns stayed in the index.\n"
    ),
}

LAST_LINE = (
    '- The order was worked out in [[daily/2026-06-20/session.md|20 Jun]]: "forgot the watcher '
    'and it corrupted the cache".'
)
WAIT_LINE = (
    f'- The wait was measured in [[{FIRST}|29 Nov]]: "half empty until the first full scan had '
    'finished".\n'
    f'- It was seen again in [[{SECOND}|30 Nov]]: "took four minutes again".'
)
FIRST_STEP = (
    f"After a schema change ([[{SCHEMA}|why]]), first [[{STOP}|stop the watcher]], then drop the "
    "index."
)
OWN_LINE = "My own line: never on a Friday."

ADDS: tuple[Call, ...] = (
    ("node_search", {"query": "rebuild search index watcher schema", "limit": 20}),
    ("read", {"path": REBUILD}),
    ("edit", {"path": REBUILD, "old": LAST_LINE, "new": f"{LAST_LINE}\n{WAIT_LINE}"}),
    (
        "edit",
        {
            "path": REBUILD,
            "old": "then drop the index.",
            "new": "then drop the index.\n\nWait for the first full scan before searching, about "
            "four minutes.",
        },
    ),
)
SHORTER_BODY = (
    "Stop the watcher, drop the index, wait four minutes for the first full scan.\n\n"
    f"## Sources\n\n{WAIT_LINE}\n"
)
CREATES: tuple[Call, ...] = (
    ("node_search", {"query": "invoice before work Mara", "limit": 20}),
    (
        "write",
        {
            "path": INVOICE,
            "name": "Mara wants the invoice first",
            "description": "Mara is sent the invoice before any work starts.",
            "content": "Mara gets the invoice before the work starts, without exception, since the "
            f'trouble in spring.\n\n## Sources\n\n- She said so in [[{SECOND}|30 Nov]]: "wants the '
            'invoice before the work starts".\n',
        },
    ),
)


def unit_wait(act: Act) -> Unit:
    return Unit(
        "Wait for the first scan after a rebuild",
        "procedure",
        "After rebuilding the index, wait about four minutes for the first full scan.",
        (
            (FIRST, "half empty until the first full scan had finished"),
            (SECOND, "scan after the rebuild took four minutes again"),
        ),
        act,
    )


def unit_invoice(act: Act) -> Unit:
    return Unit(
        "Mara wants the invoice first",
        "personal",
        "Mara is sent the invoice before the work starts.",
        ((SECOND, "wants the invoice before the work starts"),),
        act,
    )


@dataclass(frozen=True, slots=True)
class Side:
    """One program's vault while a scene is played."""

    root: Path
    stop: Callable[[], None]
    """Ends the running program at once, as a power cut would."""

    def text(self, path: str) -> str:
        file = self.root / path
        return file.read_bytes().decode("utf-8") if file.exists() else ""


@dataclass(frozen=True, slots=True)
class Scene:
    """``runs`` times a night over ``vault``; ``between`` happens after the first."""

    name: str
    units: Callable[[Side], tuple[Unit, ...]]
    look: Callable[[Side, Mapping[str, str]], Mapping[str, str]]
    runs: int = 1
    between: Callable[[Side], None] = lambda side: None
    vault: Mapping[str, str] = field(default_factory=lambda: dict(VAULT))


def targets(text: str) -> set[str]:
    note = parse_note("x.md", text.encode())
    return {link.target for link in links_in(note)}


def _links(side: Side, before: Mapping[str, str], path: str = REBUILD) -> str:
    had = targets(before[path])
    return f"{len(had - targets(side.text(path)))} of {len(had)}"


def _bytes_kept(side: Side, before: Mapping[str, str], path: str = REBUILD) -> str:
    """Lines of the note before that are in it still, byte for byte."""
    lines = before[path].splitlines(keepends=True)
    now = side.text(path).splitlines(keepends=True)
    return f"{sum(line in now for line in lines)} of {len(lines)}"


def _cited(side: Side) -> str:
    """Source edges that stand of the three that the two units have."""
    stand = [p in targets(side.text(REBUILD)) for p in (FIRST, SECOND)]
    stand.append(SECOND in targets(side.text(INVOICE)))
    return f"{sum(stand)} of {len(stand)}"


def well_behaved(side: Side) -> tuple[Unit, ...]:
    return (
        unit_wait(Act("REFINE", REBUILD, ADDS)),
        unit_invoice(Act("CREATE", INVOICE, CREATES)),
    )


def _rewriter(side: Side) -> tuple[Unit, ...]:
    whole = (
        "write",
        {
            "path": REBUILD,
            "name": "Rebuild the index",
            "description": "The safe order for rebuilding the index",
            "content": SHORTER_BODY,
        },
    )
    paragraph = (
        "edit",
        {"path": REBUILD, "old": FIRST_STEP, "new": "Stop the watcher, then drop the index."},
    )
    sources = ("edit", {"path": REBUILD, "old": LAST_LINE, "new": WAIT_LINE})
    return (
        unit_wait(
            Act("REFINE", REBUILD, (*ADDS[:2], whole), instead=(paragraph, sources, *ADDS[2:3]))
        ),
    )


def _liar(side: Side) -> tuple[Unit, ...]:
    return (unit_wait(Act("REFINE", STOP, ADDS)),)


def _named_target(side: Side, before: Mapping[str, str]) -> Mapping[str, str]:
    changed = [p for p in (REBUILD, STOP) if side.text(p) != before[p]]
    return {"the note that really changed": ", ".join(Path(p).stem for p in changed) or "none"}


def _owner_edits(side: Side) -> tuple[Unit, ...]:
    def meanwhile() -> None:
        path = side.root / REBUILD
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(OWN_LINE, OWN_LINE + " Nor in December."), encoding="utf-8")

    whole = (
        "write",
        {
            "path": REBUILD,
            "name": "Rebuild the index",
            "description": "The safe order for rebuilding the index",
            "content": VAULT[REBUILD]
            .split("---\n", 2)[2]
            .replace(LAST_LINE, f"{LAST_LINE}\n{WAIT_LINE}"),
        },
    )
    calls = (*ADDS[:2], whole)
    act = Act("REFINE", REBUILD, calls, instead=ADDS[2:], meanwhile=meanwhile, at=2)
    return (unit_wait(act),)


def _crash(side: Side) -> tuple[Unit, ...]:
    return (
        unit_invoice(Act("CREATE", INVOICE, CREATES)),
        unit_wait(Act("REFINE", REBUILD, ADDS, meanwhile=side.stop, at=3)),
    )


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _stand_once(side: Side, before: Mapping[str, str]) -> Mapping[str, str]:
    text = side.text(REBUILD)
    each = all(text.count(f"[[{path}") == 1 for path in (FIRST, SECOND))
    return {
        "the new step stands once": _yes(text.count("Wait for the first full scan before") == 1),
        "each new source stands once": _yes(each),
        "the created node stands": _yes(bool(side.text(INVOICE))),
    }


def _touch(side: Side) -> None:
    for path in (FIRST, SECOND):
        later = time.time() + 60
        os.utime(side.root / path, (later, later))


def _windows(text: str) -> str:
    return text.replace("\n", "\r\n")


SCENES = (
    Scene(
        "a well-behaved model",
        well_behaved,
        lambda side, before: {
            "source edges that stand": _cited(side),
            "links lost": _links(side, before),
            "lines kept byte for byte": _bytes_kept(side, before),
        },
    ),
    Scene(
        "the same, in a note with CRLF",
        well_behaved,
        lambda side, before: {"lines kept byte for byte": _bytes_kept(side, before)},
        vault={**VAULT, REBUILD: _windows(VAULT[REBUILD])},
    ),
    Scene(
        "the model rewrites the note",
        _rewriter,
        lambda side, before: {
            "links lost": _links(side, before),
            "the owner's line": "kept" if OWN_LINE in side.text(REBUILD) else "lost",
        },
    ),
    Scene("the receipt names another note", _liar, _named_target),
    Scene(
        "the owner edits while the model writes",
        _owner_edits,
        lambda side, before: {
            "the owner's edit": "kept" if "Nor in December." in side.text(REBUILD) else "lost",
            "the finding": "landed" if FIRST in targets(side.text(REBUILD)) else "not yet",
        },
    ),
    Scene("killed in the second unit, run again", _crash, _stand_once, runs=2),
    Scene(
        "days touched, not changed, run again",
        well_behaved,
        _stand_once,
        runs=2,
        between=_touch,
    ),
)
