"""What of a diagnosis can be mended safely, and mending it.

Notes change by proposals that go through the one commit path, with a diff before and an undo after:
a link that fits several notes is spelled in full, one that leads nowhere follows a note that was
moved under its own name, and link properties say what the body says. State files that were lost
or broken are made anew or set aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vault_dream.engine.digest.page import parse_node
from vault_dream.engine.dream.compose import relation_properties
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.journal import FileWrite, unified_diff
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.links import Link
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.resolve import Resolver
from vault_dream.engine.vault.respell import respelled, spelled_like


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that can be mended: ``where`` it is, ``what`` would be done, and for a note the
    ``diff`` and the ``text`` that it would have."""

    where: str
    what: str
    diff: str = ""
    text: str = ""
    done: bool = False
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "what": self.what,
            "diff": self.diff,
            "done": self.done,
            "reason": self.reason,
        }


def plan_repairs(session: ReviewSession, *, index_damaged: bool = False) -> tuple[Repair, ...]:
    """Everything that can be mended safely, state files first; writes nothing in a note.

    Opening the state files sets those aside that cannot be read, as every run does.
    """
    session.digest.refresh()
    return (*_state_to_mend(session, index_damaged), *_notes_to_mend(session))


def mend(session: ReviewSession, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Do what was planned, each note by a proposal that a person approved; returns what came of
    each. Raises :class:`FilesystemError` with the vault whole, and :class:`BusyError`."""
    with session.dreaming("mending"):
        session.recover()
        state = [_mend_state(session, each) for each in repairs if not each.text]
        return (*state, *_mend_notes(session, [each for each in repairs if each.text]))


# Notes -------------------------------------------------------------------------------------------


def _notes_to_mend(session: ReviewSession) -> Iterator[Repair]:
    for path in sorted(session.digest.paths()):
        if not session.vault.exists(path):
            continue  # a proposal that waits would make it
        try:
            note = session.vault.read(path)
            text, done = _mended(session, note)
        except VaultDreamError:
            continue  # it cannot be edited: the diagnosis says so
        if done and text != note.text:
            diff = unified_diff(path, note.raw, text.encode("utf-8"))
            yield Repair(path, "; ".join(done), diff, text)


def _mended(session: ReviewSession, note: Note) -> tuple[str, list[str]]:
    """The node's text as it should be, and what was done to it."""
    if not note.editable:
        return note.text, []
    resolver = session.vault.resolver()
    done: dict[str, None] = {}

    def target(link: Link) -> str | None:
        if link.external or not link.target:
            return None
        found = resolver.resolve(link.target, note.path)
        if found.path is not None and found.ambiguous:
            done[f"{link.target} is spelled in full"] = None
            return found.path
        moved = _moved_to(link.target, resolver) if found.path is None else None
        if moved is None:
            return None
        done[f"{link.target} is {moved} now"] = None
        return spelled_like(link.target, moved, note.path, resolver)

    text = respelled(note, target)
    after = parse_note(note.path, text.encode("utf-8"))
    ops = []
    if not parse_node(after, session.settings.digest_dir).problem:
        ops = relation_properties(after, resolver, session.digest.contains, session.settings)
    if ops:
        text = apply_ops(note.path, text, ops)
        done["link properties say what the body says"] = None
    return text, list(done)


def _moved_to(target: str, resolver: Resolver) -> str | None:
    """The one file that has the name of a lost link's target; ``None`` where none or several
    have it."""
    name = target.rpartition("/")[2]
    if "/" not in target:
        return None  # a name alone leads to any file of that name: there is none
    wanted = (name, f"{name}.md") if "." in name else (f"{name}.md",)
    found = {path for each in wanted for path in resolver.named(each)}
    return found.pop() if len(found) == 1 else None


def _mend_notes(session: ReviewSession, repairs: Sequence[Repair]) -> list[Repair]:
    made: dict[str, str] = {}
    refused: dict[str, str] = {}
    for each in repairs:
        try:
            proposal = session.propose_repair(each.where, each.text, each.what)
        except VaultDreamError as error:
            refused[each.where] = error.what
            continue
        made[each.where] = proposal.id
        session.decide(proposal.id, "approved", why="doctor --fix")
    if made:
        session.commit()
    return [_outcome(session, each, made, refused) for each in repairs]


def _outcome(
    session: ReviewSession, repair: Repair, made: Mapping[str, str], refused: Mapping[str, str]
) -> Repair:
    if repair.where not in made:
        return replace(repair, reason=refused[repair.where])
    proposal = session.proposal(made[repair.where])
    if proposal.state == "committed":
        return replace(repair, done=True)
    return replace(repair, reason=proposal.decision.reason)


# State -------------------------------------------------------------------------------------------

CATALOG = "the catalog of what was read is rebuilt from nodes and reports"
INDEX = "the search index is rebuilt"
COPY = "a sync program's copy, the same as the file itself, is removed"
CUT_OFF = "what an interrupted run left is finished or undone"


def _state_to_mend(session: ReviewSession, index_damaged: bool) -> Iterator[Repair]:
    state = session.state
    if session.journal.path.exists():
        yield Repair(str(session.journal.path), CUT_OFF)
    if state.known_catalog() is None and session.rebuilt().catalog.files:
        yield Repair(state.catalog_path, CATALOG)
    for copy in state.needless_copies():
        yield Repair(copy, COPY)
    if index_damaged:
        yield Repair("index", INDEX)


def _mend_state(session: ReviewSession, repair: Repair) -> Repair:
    state = session.state
    writes: list[FileWrite] = []
    if repair.what == CATALOG and state.known_catalog() is None:
        write = state.write(state.catalog_path, session.rebuilt().catalog.as_json())
        writes = [write] if write else []
    elif repair.what == COPY:
        writes = [FileWrite(repair.where, session.state.raw(repair.where), None)]
    elif repair.what == INDEX:
        session.digest.forget()
    if writes:
        session.journal.commit(session.run.id, (), lambda landing: writes)
    return replace(repair, done=True)  # what was cut off is put right before anything is mended
