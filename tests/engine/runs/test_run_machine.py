"""Any order of runs, sittings, undos, crashes and the owner's own doings keeps DESIGN's rules.

The invariants are rule 1 (the owner's bytes), 2 (nothing changes but in a commit or an undo), 4 (no
link is lost), 5 (a source is finished only when what came of it is settled) and 6 (bytes outside
the splice survive).
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.engine.journal_scenes import MEMORY
from tests.engine.runs.agreement import Account, assert_agreement
from tests.engine.runs.scenes import Place, build_on, cite, give_up
from tests.support import NOON, ScriptedReader, claim, create, node_text
from vault_dream.engine.dream.dayindex import without_index
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    IntegrateRequest,
    Receipt,
    ToolError,
    Tools,
)
from vault_dream.engine.dream.scan import source_hash
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.headless import dream

pytestmark = pytest.mark.usefixtures("no_syncs")

LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))
DAYS = ("daily/2026-11-29.md", "daily/2026-11-30.md", "daily/2026-11-30/log.md")
GARDEN, KITCHEN = "digest/wiki/garden.md", "digest/wiki/kitchen.md"
THINGS = ("kettle", "ladder", "garlic", "window", "bicycle", "radio", "carpet", "lantern")
DOES = ("needs a proper cleaning every spring", "works better after a short rest at night")

HOW = ("create", "corroborate", "refine", "correct", "chain", "fail")
days = st.lists(st.tuples(st.sampled_from(DAYS), st.sampled_from(HOW)), max_size=3)
decisions = st.lists(
    st.sampled_from(["approved", "approved", "rejected", "later"]), min_size=1, max_size=4
)
crashes = st.none() | st.integers(0, 160)


class Crash(BaseException):
    """The process ends here: nobody cleans up."""


class Diary(ScriptedReader):
    """Finds a unit in every fresh line of a day; how it is integrated is drawn by the machine."""

    def __init__(self, how: dict[str, str]) -> None:
        super().__init__()
        self.how = how

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        units = [
            claim(
                block.text[2:].split(":")[0],
                (source.handle, block.text[2:]),
                bucket="wiki",
                summary=block.text[2:],
                handles=(source.handle,),
            )
            for source in request.sources
            for block in source.blocks
            if block.fresh and block.text.startswith("- ")
        ]
        return ExtractAnswer(tuple(units))

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        how = self.how.get(request.unit.name.split()[-1], "create")
        if how == "fail":
            return give_up(request, tools)
        if how == "create":
            return create(request, tools)
        hits = [hit.path for hit in tools.node_search("garden kitchen thing", 10)]
        target = next((hit for hit in hits if how == "chain" or hit in (GARDEN, KITCHEN)), "")
        if not target:
            return create(request, tools)
        if how == "chain":
            return build_on(target)(request, tools)
        if how in ("refine", "correct"):
            text = tools.read(target)
            body = text.split("## Sources")[0].rstrip().split("\n")[-1]
            if how == "refine":
                tools.edit(target, body, f"{body} {request.unit.summary}.")
            elif "[[" in body or text.count(body) != 1:
                raise ToolError("nothing to correct")
            else:
                tools.edit(target, body, f"{request.unit.summary} is what holds now.")
        cite(target, request, tools)
        action: Any = {"refine": "REFINE", "correct": "CORRECT"}.get(how, "CORROBORATE")
        return Receipt(action, target)

    async def tag(self, request: Any) -> Any:
        return ("thing",) if len(request.name) % 2 else ()


class Owner(RuleBasedStateMachine):
    """A vault, its owner, their sessions and their nightly runs. ``mine`` are the notes that the
    owner touched, and ``words`` what they last wrote there."""

    seen_so_far: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(dir=MEMORY))
        self.place = Place(
            self.base,
            {
                "daily/2026-11-01.md": "words that were said on that day\n",
                "Home.md": "# Home\r\n\r\n[[digest/wiki/garden.md]]  \r\n",
                GARDEN: node_text("Garden", "All that grows.", bucket="wiki"),
                KITCHEN: node_text("Kitchen", "All that cooks.", bucket="wiki").replace(
                    "\n", "\r\n"
                ),
            },
        )
        self.before = self.place.notes()
        self.mine: dict[str, bytes | None] = {}
        self.lines = 0
        self.hours = 0
        self.how: dict[str, str] = {}
        self.session: Any = None
        self.seen = self.place.everything()
        self.agreed: object = None
        self.overruled: set[str] = set()

    def teardown(self) -> None:
        self.close()
        shutil.rmtree(self.base, ignore_errors=True)

    # -- how it is done --------------------------------------------------------------------------

    def close(self) -> None:
        if self.session is not None:
            self.session.close()
            self.session = None

    def open(self, crash: int | None = None) -> Any:
        self.close()
        self.hours += 1
        left = [crash]

        def before(op: str, path: Path) -> None:
            if left[0] is not None:
                left[0] -= 1
                if left[0] < 0:
                    left[0] = None
                    raise Crash

        at = NOON + timedelta(minutes=self.hours)
        self.session = self.place.session(Diary(self.how), at=at, before=before, max_units=1000)
        return self.session

    def settled(self) -> None:
        """What a crash left is put right at the next start."""
        self.close()
        with self.place.session(None, at=NOON + timedelta(minutes=self.hours)) as session:
            session.recover()
        assert self.place.litter() == []

    def changing(self, act: Any, exempt: bool = False) -> Any:
        """Do something that may write; then look at what it wrote."""
        was = self.place.everything()
        try:
            answer = act()
        except Crash:
            Owner.seen_so_far["crashes"] += 1
            self.settled()
            answer = None
        now = self.place.everything()
        self.look(was, now, exempt)
        if now != self.seen:
            self.seen = now
        return answer

    def look(self, was: dict[str, bytes], now: dict[str, bytes], exempt: bool) -> None:
        for path in was.keys() | now.keys():
            old, new = was.get(path), now.get(path)
            if old == new or path.startswith(("metadata/", ".trash/")):
                continue
            if path in DAYS and not exempt:
                assert without_list(path, old) == without_list(path, new), path
                self.mine.pop(path, None)
                continue
            assert path.startswith("digest/") or exempt, path
            if new is None:
                assert exempt and old in [now[p] for p in now if p.startswith(".trash/")], path
            elif old is not None and not exempt:
                assert pairs(path, old) <= pairs(path, new), path
                assert (b"\r\n" in old) == (b"\r\n" in new), path
                assert old.count(b"\n## Sources") == new.count(b"\n## Sources")
            Owner.seen_so_far["undone" if exempt else "created" if old is None else "updated"] += 1
            self.mine.pop(path, None)

    # -- the owner -------------------------------------------------------------------------------

    @rule(lines=days)
    def write_a_day(self, lines: list[tuple[str, str]]) -> None:
        for day, how in lines:
            self.lines += 1
            name = f"{THINGS[self.lines % len(THINGS)]}{self.lines}"
            self.how[name] = how
            old = self.place.read(day) or b"# A day\n\n"
            text = f"- The {name}: it {DOES[self.lines % 2]} as {self.lines} of us saw\n"
            self.owner_writes(day, old + text.encode())

    @rule(what=st.sampled_from(["add", "reword", "delete", "rename", "new name"]), data=st.data())
    def touch_a_node(self, what: str, data: st.DataObject) -> None:
        nodes = sorted(self.place.digest())
        if not nodes:
            return
        path = data.draw(st.sampled_from(nodes))
        raw = self.place.read(path) or b""
        self.lines += 1
        if what == "delete":
            self.owner_writes(path, None)
        elif what == "rename":
            self.owner_writes(path, None)
            self.owner_writes(f"digest/wiki/mine-{self.lines}.md", raw)
        elif what == "reword":
            mine = b"My own words %d: all of it is new." % self.lines
            self.owner_writes(path, raw.replace(b"All that", mine + b" All that"))
        elif what == "add":
            self.owner_writes(path, raw + b"\n\nMine %d.\n" % self.lines)
        else:
            self.owner_writes(path, raw.replace(b"\nname: ", b"\nname: My %d " % self.lines, 1))

    @rule(day=st.sampled_from(DAYS), how=st.sampled_from(["delete", "rename"]))
    def lose_a_day(self, day: str, how: str) -> None:
        raw = self.place.read(day)
        if raw is None:
            return
        self.owner_writes(day, None)
        if how == "rename":
            self.lines += 1
            self.owner_writes(f"daily/2026-11-30/moved-{self.lines}.md", raw)

    def owner_writes(self, path: str, raw: bytes | None) -> None:
        file = self.place.root / path
        if raw is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(raw)
        self.mine[path] = raw
        self.overruled.add(path)
        self.seen = self.place.everything()

    # -- runs and sittings -----------------------------------------------------------------------

    @rule(lines=days, policy=st.sampled_from(["apply", "safe", "queue"]), crash=crashes)
    def nightly(self, lines: list[tuple[str, str]], policy: Any, crash: int | None) -> None:
        self.write_a_day(lines)
        self.changing(lambda: dream(self.open(crash), policy=policy))
        self.close()

    @rule(lines=days, dreams=st.booleans())
    def sit_down(self, lines: list[tuple[str, str]], dreams: bool) -> None:
        self.write_a_day(lines)
        session = self.open()
        session.scan()
        if dreams:
            session.extract()
            session.integrate()

    @rule(states=decisions, crash=crashes, dreams=st.booleans())
    def decide_and_commit(self, states: list[Any], crash: int | None, dreams: bool) -> None:
        if self.session is None:
            self.sit_down([], dreams)
        for number, proposal in enumerate(self.session.proposals):
            if proposal.state in ("open", "later", "stale", "approved"):
                self.session.decide(proposal.id, states[number % len(states)])
        left = crash

        def before(op: str, path: Path) -> None:
            nonlocal left
            if left is not None:
                left -= 1
                if left < 0:
                    left = None
                    raise Crash

        self.session._disk._before = before
        self.changing(self.session.commit)

    @precondition(lambda self: self.session is not None)
    @rule()
    def tag(self) -> None:
        for proposal in self.session.auto_tag():
            self.session.decide(proposal.id, "approved", by="policy")
        self.changing(self.session.commit)

    @rule(data=st.data(), merge=st.booleans(), again=st.booleans(), crash=crashes)
    def undo(self, data: st.DataObject, merge: bool, again: bool, crash: int | None) -> None:
        session = self.open(crash)
        runs = session.journal.runs()
        if not runs:
            return
        run_id = data.draw(st.sampled_from(runs))
        was = self.place.everything()
        try:
            undone = self.changing(
                lambda: session.undo(run_id, merge=merge, again=again), exempt=True
            )
        except FilesystemError as error:
            assert "no undo record" in error.what
            return
        if undone is None:
            return
        now = self.place.everything()
        for file in undone.files:
            self.overruled.add(file.path)
            if not file.done:
                assert now.get(file.path) == was.get(file.path), file
            elif file.outcome == "trashed":
                assert file.path not in now and now[file.trash] == was[file.path]
        self.close()

    # -- what always holds -----------------------------------------------------------------------

    @invariant()
    def nothing_changes_but_in_a_commit_or_an_undo(self) -> None:
        Owner.seen_so_far["steps"] += 1
        assert self.place.everything() == self.seen

    @invariant()
    def what_the_owner_wrote_last_is_on_the_disk(self) -> None:
        for path, raw in self.mine.items():
            assert self.place.read(path) == raw, path

    @invariant()
    def everything_agrees(self) -> None:
        if self.agreed is self.seen:
            return  # nothing was written since
        assert_agreement(self.place.root, before=self.before, owners=self.overruled)
        self.finished_means_settled()
        self.agreed = self.seen

    def finished_means_settled(self) -> None:
        account = Account(self.place.root)
        known = {
            item.quote
            for report in account.reports.values()
            for unit in report["units"]
            for item in [*map(_Quote, unit["evidence"])]
        }
        for path, entry in account.catalog.files.items():
            raw = self.place.read(path)
            if entry.state != "done" or raw is None:
                continue
            note = parse_note(path, raw)
            if source_hash(note) == entry.hash:
                for line in without_index(note).decode().splitlines():
                    assert not line.startswith("- ") or line[2:] in known, (path, line)


class _Quote:
    def __init__(self, evidence: dict[str, Any]) -> None:
        self.quote = evidence["quote"]


def without_list(path: str, raw: bytes | None) -> bytes:
    """A day page without the list that the program keeps in it; nothing where it made the page."""
    text = without_index(parse_note(path, raw or b""))
    return b"" if text == DAY_PAGE.get(path) else text


DAY_PAGE = {
    path: f"# {path[6:16]}\n\n<!-- notes:auto -->\n<!-- /notes:auto -->\n".encode() for path in DAYS
}


def pairs(path: str, raw: bytes) -> set[tuple[str, str]]:
    note = parse_note(path, raw)
    return {(path, link.target) for link in links_in(note)}


TestOwner = Owner.TestCase
TestOwner.settings = settings(
    max_examples=1000 if LONG else 84,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    report_multiple_bugs=False,
    phases=(Phase.generate, Phase.shrink) if LONG else (Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


def test_enough_steps_were_taken() -> None:
    """They came to something: it is not a walk in which nothing happens."""
    print(dict(Owner.seen_so_far))
    if Owner.seen_so_far:  # not when this test runs alone
        assert Owner.seen_so_far["steps"] >= 2000
        assert min(Owner.seen_so_far[what] for what in ("crashes", "created", "updated")) > 20
