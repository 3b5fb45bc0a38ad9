"""A vault with something of everything, and whole runs in it: unattended, and with a person."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.support import (
    NOON,
    ScriptedReader,
    claim,
    create,
    make_vault,
    node_text,
    open_session,
)
from vault_dream.engine.dream.reader import IntegrateRequest, Receipt, ToolError, Tools
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.disk import TEMP_PREFIX, Disk, Hook
from vault_dream.engine.vault.locks import vault_state_folder
from vault_dream.headless import Finished, dream

DAY = "daily/2026-11-30.md"
LOG = "daily/2026-11-30/log.md"
YESTERDAY = "daily/2026-11-29.md"
FIRST = "daily/2026-11-01.md"
INDEX = "digest/procedure/index.md"
WATCHER = "digest/procedure/watcher.md"

STOP = "stop the watcher before the index is dropped"
SCAN = "the first full scan takes about four minutes"
HALF = "search results were half empty until the scan was over"
TEA = "tea at four keeps the afternoon quiet for everybody"
DENTIST = "call the dentist about the appointment next week"

OLD_SOURCE = "- It was first noted in [[daily/2026-11-01.md|an earlier day]]"

FILES: dict[str, str | bytes] = {
    FIRST: "words that were said on that day\n",
    YESTERDAY: f"# Sunday\n\n- {TEA.capitalize()}.\n- {HALF.capitalize()}.\n",
    DAY: f"# Monday\r\n\r\n- After a schema change {STOP}.\r\n- [ ] {DENTIST}\r\n\r\n"
    "<!-- notes:auto -->\r\n<!-- /notes:auto -->\r\n",
    LOG: f"{SCAN.capitalize()} to come to its end.\n",
    INDEX: node_text("Index", "Keep the index near the notes that it is made from."),
    WATCHER: node_text("Watcher", "The watcher follows files.").replace("\n", "\r\n").rstrip(),
    "Home.md": "# Home\n\n[[digest/procedure/index.md|Index]]\n",
}


def build_on(path: str) -> Callable[[IntegrateRequest, Tools], Receipt]:
    """A plan that makes a new node which relates to the one at ``path``."""

    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        receipt = create(request, tools)
        text = tools.read(receipt.target)
        body = request.unit.summary
        assert body in text
        tools.edit(
            receipt.target,
            f"\n{body}\n\n## Sources",
            f"\n{body} It depends on what [[{path}|the other note]] says.\n\n## Sources",
        )
        return receipt

    return plan


def cite(path: str, request: IntegrateRequest, tools: Tools) -> None:
    """One more line under the sources of a node, with the words that prove it."""
    evidence = request.unit.evidence[0]
    last = tools.read(path).rstrip("\n").split("\n")[-1]
    words = f"{request.unit.name} was read in [[{evidence.path}|its day]]"
    tools.edit(path, last, f'{last}\n- {words}: "{evidence.quote}".')


def corroborate(path: str) -> Callable[[IntegrateRequest, Tools], Receipt]:
    """A plan that adds the unit's source, and nothing where it is there already."""

    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        if f"[[{request.unit.paths[0]}" not in tools.read(path):
            cite(path, request, tools)
        return Receipt("CORROBORATE", path)

    return plan


def refine(path: str, old: str, new: str) -> Callable[[IntegrateRequest, Tools], Receipt]:
    """A plan that rewords one place of a node and adds the unit's source."""

    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        tools.edit(path, old, new)
        cite(path, request, tools)
        return Receipt("REFINE", path)

    return plan


def give_up(request: IntegrateRequest, tools: Tools) -> Receipt:
    raise ToolError("the reader gave up")


REBUILD = "digest/procedure/rebuild-the-index.md"
SLOW = "digest/wiki/first-scan.md"


def reader() -> ScriptedReader:
    """Five units: two created, one of which builds on the other, one corroborated, one refined on
    the page that was just corroborated, and one that fails."""
    claims = [
        claim("Rebuild the index", (2, STOP), summary="Stop the watcher first.", handles=(2,)),
        claim("First scan", (3, SCAN), bucket="wiki", summary="It takes minutes.", handles=(3,)),
        claim("Index", (1, HALF), summary="Half empty for a while.", handles=(1,)),
        claim("Index again", (3, SCAN + " to come"), summary="It comes to an end.", handles=(3,)),
        claim("Dentist", (2, DENTIST), bucket="personal", summary="Call them.", handles=(2,)),
    ]
    plans = {
        "First scan": build_on(REBUILD),
        "Index": corroborate(INDEX),
        "Index again": refine(INDEX, "Keep the index near", "Keep the index as near as can be to"),
        "Dentist": give_up,
    }
    tags = {REBUILD: ["search index", "watcher"], SLOW: ["search index"], INDEX: ["notes"]}
    return ScriptedReader(claims, plans, tags)


@dataclass
class Place:
    """A vault and this machine's state folder for it, both below ``base``."""

    base: Path
    files: dict[str, str | bytes] = field(default_factory=lambda: dict(FILES))
    fill: bool = True

    def __post_init__(self) -> None:
        self.root = self.base / "vault"
        if self.fill:
            make_vault(self.root, self.files)

    def copy_to(self, base: Path) -> Place:
        shutil.rmtree(base, ignore_errors=True)
        shutil.copytree(self.base, base, symlinks=True)
        old, new = vault_state_folder(self.root), vault_state_folder(base / "vault")
        shutil.rmtree(new, ignore_errors=True)
        if old.exists():
            shutil.copytree(old, new)
        return Place(base, fill=False)

    @property
    def state(self) -> Path:
        return vault_state_folder(self.root)

    def session(
        self,
        reader: Any = None,
        *,
        at: datetime = NOON,
        before: Hook | None = None,
        after: Hook | None = None,
        **settings: Any,
    ) -> ReviewSession:
        disk = Disk(self.root, before=before, after=after)
        return open_session(self.root, reader, clock=lambda: at, disk=disk, **settings)

    def dream(self, reader: Any = None, policy: Any = "apply", **given: Any) -> Finished:
        with self.session(reader, **given) as session:
            return dream(session, policy=policy)

    def read(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.exists() else None

    def notes(self) -> dict[str, bytes]:
        """Every file but the state files and the trash."""
        return {p: b for p, b in self.everything().items() if not p.startswith(("metadata/", "."))}

    def digest(self) -> dict[str, bytes]:
        return {p: b for p, b in self.notes().items() if p.startswith("digest/")}

    def everything(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def litter(self) -> list[str]:
        """What must not be left once a run is over or recovered."""
        found = [*self.root.rglob(f"{TEMP_PREFIX}*"), *self.state.rglob(f"{TEMP_PREFIX}*")]
        names = [path.name for path in (*found, *self.state.glob("commit.journal*"))]
        return [name for name in names if "-holder-" not in name]  # the next holder writes over it


def with_queue(place: Place) -> Place:
    """The place after a first run whose proposals all wait."""
    place.dream(reader(), "queue", at=NOON - timedelta(hours=2))
    return place


def review(session: ReviewSession) -> None:
    """A person's sitting: of what waits some is approved, one rejected, one left for later."""
    session.recover()
    session.scan()
    session.extract()
    session.integrate()
    for proposal in session.proposals:
        name = proposal.unit.name
        if name == "Index":
            session.decide(proposal.id, "rejected", by="person", why="known")
        elif name in ("Rebuild the index", "First scan"):
            session.decide(proposal.id, "approved", by="person")
        elif proposal.state == "open":
            session.decide(proposal.id, "later", by="person")
    session.commit()


def next_reader() -> ScriptedReader:
    """What the second sitting's reader finds: only the unit that failed, now made."""
    return ScriptedReader((), {})
