"""``review --plain``: the same review, line by line, for screen readers, pipes, dumb terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any

from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import VaultDreamError
from vault_dream.progress import describe, is_passing
from vault_dream.summary import count, printable
from vault_dream.ui.desk import Desk
from vault_dream.ui.sent import Sent, text_of
from vault_dream.ui.sights import Ahead, Landed, Sight

WAYS: Mapping[str, tuple[str, str]] = {
    "a": ("approve", "approve it"),
    "x": ("reject", "reject it; words after the key are the reason"),
    "l": ("later", "leave it for later"),
    "e": ("edit", "edit the whole text in $EDITOR"),
    "h": ("hunk", "leave a change out, or put it back: h 2"),
    "p": ("preview", "preview the whole note"),
    "v": ("evidence", "show each quote in its note"),
    "k": ("links", "show the links; k 2 leaves the second new one out, or puts it back"),
    "u": ("undo", "undo the last decision"),
    "A": ("all", "approve everything left, after listing the notes it touches"),
    "d": ("dream", "read what changed"),
    "w": ("request", "show exactly what was sent to the model"),
    "C": ("commit", "write what is approved"),
    "z": ("undo-run", "undo what the last commit wrote"),
    "P": ("parked", "list what is parked, undecided for a month; P 2 brings the second back"),
    "n": ("next", "go to the next one without deciding"),
    "b": ("before", "go to the one before"),
    "?": ("help", "list these answers"),
    "q": ("quit", "quit; everything is saved"),
}
BY_WORD = {word: key for key, (word, _) in WAYS.items()}


class Talk:
    """The dialogue. Stateful: the desk, and the place in the list."""

    def __init__(self, desk: Desk, ask: Callable[[str], str], out: IO[str], edit: Any) -> None:
        self._desk = desk
        self._ask = ask
        self._out = out
        self._edit = edit
        self._at = 0
        self._landed: Landed | None = None

    def say(self, text: str = "") -> None:
        """Print ``text``, with nothing in it that acts on a terminal."""
        self._out.write(printable(text) + "\n")
        self._out.flush()

    def run(self) -> int:
        """Talk until the person leaves; returns the exit code."""
        view = self._desk.open()
        for word in self._desk.recovered:
            self.say(word)
        self.say(f"{view.vault}, {view.today}: {view.waiting} to decide, {view.approved} approved.")
        if view.changed:
            self.say(f"{count(len(view.changed), 'note')} with something new; d reads what is new.")
        if view.parked:
            self.say(f"{count(view.parked, 'proposal')} parked; P lists what is.")
        shown: Proposal | None = None
        while True:
            now = self._current()
            if now is not None and now != shown:
                self.describe(now)
            shown = now
            try:
                if not self._answer(self._ask(self._prompt()).strip()):
                    return 0
            except EOFError:
                self.say()
                return 0
            except KeyboardInterrupt:
                self.say()
                return 130

    def _prompt(self) -> str:
        open_ones = self._list()
        if not open_ones:
            approved = len(self._desk.approved)
            keys = "C commit, " if approved else ""
            return f"Nothing is left to decide, {approved} approved. [{keys}d dream, u, z, ?, q] "
        place = f"{min(self._at, len(open_ones) - 1) + 1}/{len(open_ones)}"
        return f"({place}) approve, reject, later, edit? [a,x,l,e,h,p,v,k,u,A,C,n,b,?,q] "

    def _list(self) -> list[Proposal]:
        return [p for p in self._desk.proposals if p.state in ("open", "stale", "later")]

    def _current(self) -> Proposal | None:
        found = self._list()
        return found[min(self._at, len(found) - 1)] if found else None

    # Answers -------------------------------------------------------------------------------------

    def _answer(self, answer: str) -> bool:
        """Do what was asked; false ends the talk."""
        word, _, rest = answer.partition(" ")
        key = word if word in WAYS else BY_WORD.get(word.lower(), "")
        if key == "q":
            return False
        if not key:
            self.say("Unknown answer." if answer else "Choose one of:")
            key = "?"
        try:
            self._do(key, rest.strip())
        except VaultDreamError as error:
            self.say(f"{error.where}: {error.what}. {error.next}".rstrip(". ") + ".")
        return True

    def _do(self, key: str, rest: str) -> None:
        if key in "axlehpvk" and self._current() is None:
            self.say("There is no proposal here.")
            return
        ways: dict[str, Callable[[str], None]] = {
            "a": lambda _: self._decide("approved", ""),
            "x": lambda why: self._decide("rejected", why),
            "l": lambda _: self._decide("later", ""),
            "e": lambda _: self._rewrite(),
            "h": self._hunk,
            "p": lambda _: self._preview(),
            "v": lambda _: self._evidence(),
            "k": self._links,
            "u": lambda _: self._undo(),
            "A": lambda _: self._all(),
            "d": lambda _: self._dream(),
            "w": lambda _: self._show_sent(self._desk.sent.all),
            "C": lambda _: self._commit(),
            "z": lambda _: self._undo_run(),
            "P": self._parked,
            "n": lambda _: self._go(1),
            "b": lambda _: self._go(-1),
            "?": lambda _: self._help(),
        }
        ways[key](rest)

    def _go(self, step: int) -> None:
        self._at = max(0, min(len(self._list()) - 1, self._at + step))

    def _here(self) -> Proposal:
        found = self._current()
        assert found is not None
        return found

    def _decide(self, state: Any, why: str) -> None:
        proposal = self._here()
        if state == "approved" and proposal.worst() == "error":
            self.say("It cannot land as it is; see its checks.")
            return
        self._desk.decide(proposal.id, state, why)
        self._desk.save()
        if state == "later":
            self._go(1)
        word = {"approved": "Approved", "rejected": "Rejected", "later": "Left for later"}[state]
        self.say(f"{word}: {proposal.unit.name}")

    def _undo(self) -> None:
        if not self._desk.can_undo:
            self.say("There is nothing to undo.")
            return
        step = self._desk.undo()
        self._desk.save()
        self.say(f"Undone ({step.what}): {step.before.unit.name}")

    def _all(self) -> None:
        found = [p for p in self._list() if p.worst() not in ("error", "hold") and p.changes]
        for proposal in found:
            for change in proposal.changes:
                self.say(f"  {'new: ' if change.base is None else ''}{change.path}")
        if found and self._ask(f"Approve these {len(found)}? [y/n] ").strip().lower() == "y":
            self._desk.decide_all([p.id for p in found], "approved")
            self._desk.save()
            self.say(f"{len(found)} approved.")
        else:
            self.say("Nothing was approved.")

    def _parked(self, rest: str) -> None:
        found = self._desk.parked
        if rest.isdigit() and 0 < int(rest) <= len(found):
            back = found[int(rest) - 1].id
            self._desk.unpark(back)
            self._desk.save()
            self._at = [proposal.id for proposal in self._list()].index(back)
            return
        for number, proposal in enumerate(found, start=1):
            since = proposal.created[:10]
            self.say(f"  {number}. {proposal.action}: {proposal.unit.name}, since {since}")
        if not found:
            self.say("Nothing is parked.")

    def _hunk(self, rest: str) -> None:
        sight = self._desk.look(self._here())
        wanted = [h for h in sight.hunks if str(h.index + 1) == rest]
        if not wanted:
            self.say(f"Name a change, from 1 to {len(sight.hunks)}, as in: h 1")
            return
        hunk, session = wanted[0], self._desk.open_session
        proposal_id = sight.proposal.id
        self._desk.revise(
            proposal_id,
            "a change",
            lambda: session.take_hunk(proposal_id, hunk.index, not hunk.taken),
        )
        self._desk.save()

    def _links(self, rest: str) -> None:
        proposal, session = self._here(), self._desk.open_session
        new = list(dict.fromkeys((*proposal.links_added, *proposal.links_off)))
        if rest.isdigit() and 0 < int(rest) <= len(new):
            target = new[int(rest) - 1]
            on = target in proposal.links_off
            self._desk.revise(
                proposal.id, "a link", lambda: session.toggle_link(proposal.id, target, on)
            )
            self._desk.save()
            return
        for number, target in enumerate(new, start=1):
            out = ", left out" if target in proposal.links_off else ""
            self.say(f"  {number}. new: {target}{out}")
        for edge in proposal.edges:
            if edge.target not in new:
                self.say(f"     kept: {edge.target} ({edge.predicate})")

    def _rewrite(self) -> None:
        from contextlib import nullcontext

        sight, session = self._desk.look(self._here()), self._desk.open_session
        if sight.sides is None:
            self.say("There is no text to edit.")
            return
        text = self._edit(sight.sides.after, "node", nullcontext)
        if text == sight.sides.after:
            self.say("Nothing was changed.")
            return
        proposal_id = sight.proposal.id
        self._desk.revise(proposal_id, "edit", lambda: session.rewrite(proposal_id, text))
        self._desk.save()

    def _dream(self) -> None:
        problem = self._desk.dream(lambda units: units, self._agree)
        self.say(problem or f"Done: {len(self._list())} to decide.")

    def _agree(self, ahead: Ahead) -> bool:
        """Ask before anything goes to an endpoint for the first time."""
        first, about = ahead.first, ahead.estimate
        price = "" if about.cost is None else f", {about.cost:.2f} by your prices"
        self.say(f"Nothing was ever sent to {first.host} ({first.model}).")
        self.say(f"It would get {count(first.notes, 'note')}, {first.characters:,} characters:")
        for path in ahead.paths:
            self.say(f"  {path}")
        self.say(f"The run takes about {about.tokens:,} tokens in {about.calls} calls{price}.")
        while True:
            answer = self._ask("Send it? [y send, n send nothing, w the exact request] ")
            word = answer.strip().lower()
            if word in ("w", "request"):
                self._show_sent(self._desk.preview())
            elif word in ("y", "yes", "n", "no", ""):
                return word in ("y", "yes")

    def _show_sent(self, sent: Sequence[Sent]) -> None:
        """Requests word for word."""
        for each in sent:
            self.say(f"--- {each.about or each.purpose}, {each.characters:,} characters")
            for message in each.messages:
                self.say(f"[{message.get('role', '')}]\n{text_of(message)}")
        if not sent:
            self.say("Nothing was sent to a model since this review was started.")

    def _commit(self) -> None:
        if not self._desk.approved:
            self.say("Nothing is approved yet.")
            return
        self._landed = landed = self._desk.commit()
        for path, what in landed.paths:
            tags = landed.tags.get(path)
            self.say(f"  written: {path} ({what})" + (f", tags: {', '.join(tags)}" if tags else ""))
        for name, reason in landed.waiting:
            self.say(f"  not written: {name}: {reason}")
        for word in landed.warnings:
            self.say(f"  {word}")

    def _undo_run(self) -> None:
        if self._landed is None:
            self.say("Nothing was written in this review; see: vault-dream log")
            return
        for word in self._desk.undo_run(self._landed.run_id):
            self.say(f"  {word}")
        self._landed = None

    def _help(self) -> None:
        for key, (word, what) in WAYS.items():
            self.say(f"  {key}  {word:<10} {what}")

    # Showing -------------------------------------------------------------------------------------

    def describe(self, proposal: Proposal) -> None:
        """One proposal in words: what, where, the change, the evidence, the checks."""
        sight = self._desk.look(proposal)
        state = "" if proposal.state == "open" else f" ({proposal.state})"
        self.say(f"\n{proposal.action}: {proposal.unit.name}{state}")
        self.say(f"On: {proposal.target}")
        for text in _change(sight):
            self.say(text)
        for item in sight.evidence:
            exact = "" if item.exact else ", not word for word"
            self.say(f'Evidence, {item.path} line {item.line}{exact}: "{item.quote}"')
        for finding in proposal.findings:
            self.say(f"Check, {finding.level}: {finding.message}")
        if not proposal.findings:
            self.say("Checks: all pass.")
        if proposal.decision.reason:
            self.say(f"It waits because: {proposal.decision.reason}")

    def _preview(self) -> None:
        sight = self._desk.look(self._here())
        self.say(sight.sides.after if sight.sides is not None else sight.problem)

    def _evidence(self) -> None:
        for item in self._desk.look(self._here()).evidence:
            self.say(f"{item.path}, {item.heading}")
            for number, text in item.lines:
                self.say(f"{'>' if number == item.line else ' '} {number:>4} {text}")


def _change(sight: Sight) -> Iterator[str]:
    if sight.sides is None:
        yield f"No change: {sight.problem}"
        return
    if sight.sides.before is None:
        yield "A new note:"
        for text in sight.sides.after.splitlines():
            yield f"  + {text}"
        return
    for hunk in sight.hunks:
        out = "" if hunk.taken else ", left out"
        yield f"Change {hunk.index + 1} of {len(sight.hunks)}, line {hunk.old_start + 1}{out}:"
        for text in hunk.old:
            yield f"  - {text.rstrip()}"
        for text in hunk.new:
            yield f"  + {text.rstrip()}"
    if sight.owner_lines:
        yield f"Your own lines: {sight.owner_lines}, untouched."


def choose_vault(
    *, stdin: IO[str] | None = None, out: IO[str] | None = None, last: str = ""
) -> Path:
    """The vault that a person chooses by its number or its path.

    Raises :class:`NoVaultError` where they choose none, :class:`FilesystemError` for a path that
    is no folder.
    """
    from vault_dream.places import NoVaultError, given_folder, vaults_to_choose

    source, sink = stdin or sys.stdin, out or sys.stdout
    found = vaults_to_choose(last)
    for number, path in enumerate(found, start=1):
        sink.write(printable(f"  {number}. {path}") + "\n")
    sink.write("Which vault? A number, or the path of a folder: ")
    sink.flush()
    answer = source.readline().strip()
    if answer.isascii() and answer.isdigit() and 0 < int(answer) <= len(found):
        return found[int(answer) - 1]
    if not answer:
        raise NoVaultError("vault", "none was chosen", "give its path: vault-dream ~/Notes")
    return given_folder(answer)


def review_plainly(
    root: Path,
    *,
    flags: Mapping[str, Any] | None = None,
    clock: Callable[[], datetime] | None = None,
    day: date | None = None,
    reader: Any = None,
    session_options: Mapping[str, Any] | None = None,
    stdin: IO[str] | None = None,
    out: IO[str] | None = None,
    edit: Any = None,
) -> int:
    """The review as a dialogue over ``stdin`` and ``out``; returns the exit code."""
    from vault_dream.ui.outside import Outside

    source, sink = stdin or sys.stdin, out or sys.stdout

    def ask(prompt: str) -> str:
        sink.write(prompt)
        sink.flush()
        answer = source.readline()
        if not answer:
            raise EOFError
        return answer

    def tell(event: Any) -> None:
        text = describe(event)
        if text and not is_passing(event):
            sink.write(printable(f"  {text}") + "\n")

    desk = Desk(
        root,
        flags=flags,
        clock=clock,
        day=day,
        reader=reader,
        session_options=session_options,
        tell=tell,
    )
    try:
        return Talk(desk, ask, sink, edit or Outside().edit).run()
    finally:
        desk.close()
