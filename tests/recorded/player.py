"""Plays recorded conversations as a model at the other end of a socket.

``python -m tests.recorded.player FOLDER`` plays them over a copy of the sample vault and puts the
digest notes that come of it into ``FOLDER``, beside this file.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from tests.engine.model.server import Server, Step, call, fail, say_json, serving
from tests.support import SAMPLE_VAULT, TODAY, open_session
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import Finished, dream
from vault_dream.readers import make_reader

HERE = Path(__file__).parent
RECORDED = HERE / "sample_vault"
DAYS = 5
"""Days of the sample vault that the recordings are about, 26 to 30 November."""

Way = Literal["tools", "structured"]
Call = tuple[str, dict[str, Any]]

_NOTE = re.compile(r"^<<<\w+ NOTE (\d+) \((.+?)(?:, \d{4}-\d\d-\d\d)?\)$", re.M)
_UNIT = re.compile(r"^<<<\w+ UNIT\nname: (.+)$", re.M)
_NODE = re.compile(r"^<<<\w+ NODE\n(.+)$", re.M)


@dataclass(frozen=True)
class Recorded:
    """One unit's conversation. ``node`` is the name of the node that it came to."""

    unit: str
    turns: tuple[tuple[Call, ...], ...]
    sees: tuple[str, ...]
    node: str
    tags: tuple[str, ...]

    def draft(self) -> dict[str, Any]:
        """The same as one structured answer."""
        calls = [one for turn in self.turns for one in turn]
        written = next((given for name, given in calls if name == "write"), {})
        return {
            **calls[-1][1],
            **{key: written.get(key, "") for key in ("name", "description", "content")},
            "edits": [{"old": g["old"], "new": g["new"]} for n, g in calls if n == "edit"],
        }


def recorded_units(folder: Path = RECORDED) -> dict[str, Recorded]:
    """The recorded conversations, by the unit's name."""
    found = {}
    for file in sorted((folder / "units").glob("*.yaml")):
        value = yaml.safe_load(file.read_text("utf-8"))
        turns = tuple(
            tuple((name, given) for one in turn for name, given in one.items())
            for turn in value["turns"]
        )
        found[value["unit"]] = Recorded(
            value["unit"],
            turns,
            tuple(value["sees"]),
            value.get("node", value["unit"]),
            tuple(value["tags"]),
        )
    return found


@dataclass
class Player:
    """Answers requests from the recordings. Stateful: ``faults`` are requests that no recording
    answers, or that showed too little for what the recording says next."""

    units: Mapping[str, Recorded] = field(default_factory=recorded_units)
    faults: list[str] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> Step:
        try:
            return self._answer(body)
        except (LookupError, StopIteration, AssertionError) as error:
            return self._fault(f"no recording answers this: {error!r}")

    def _answer(self, body: Mapping[str, Any]) -> Step:
        asked = _asked(body)
        text = "\n".join(str(message.get("content") or "") for message in body["messages"])
        if asked == "units":
            return say_json(_extract_answer(text))
        if asked == "tags":
            node = _found(_NODE, text)
            return say_json({"tags": next(u.tags for u in self.units.values() if u.node == node)})
        unit = self.units[_found(_UNIT, text)]
        if asked == "draft":
            answer = unit.draft()
            copied = [edit["old"] for edit in answer["edits"]]
            self._must_show(unit, text, [*answer["related"], *copied])
            return say_json(answer)
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        if any(name in ("write", "edit") for name, _ in unit.turns[turn]):
            self._must_show(unit, text, unit.sees)
        return call(*unit.turns[turn])

    def _must_show(self, unit: Recorded, text: str, needed: Sequence[str]) -> None:
        for words in needed:
            if words not in text.replace('\\"', '"'):
                self.faults.append(f"{unit.unit}: nothing showed {words!r}")

    def _fault(self, words: str) -> Step:
        self.faults.append(words)
        return fail(400, words)


def _asked(body: Mapping[str, Any]) -> str:
    """``units``, ``draft`` or ``tags`` for one answer of that shape, ``tools`` for a turn."""
    form = body.get("response_format", {}).get("json_schema", {})
    return str(form.get("name") or "tools")


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    assert match is not None, pattern.pattern
    return match[1]


def _extract_answer(request: str) -> dict[str, Any]:
    """The recorded units, their sources under the handles that the request gave them."""
    handles = {title: int(number) for number, title in _NOTE.findall(request)}
    units = []
    for unit in yaml.safe_load((RECORDED / "extract.yaml").read_text("utf-8")):
        quotes = [(str(t), words) for quote in unit["quotes"] for t, words in quote.items()]
        units.append(
            {
                **unit,
                "sources": [handles[str(title)] for title in unit["sources"]],
                "quotes": [{"source": handles[title], "text": words} for title, words in quotes],
            }
        )
    return {"units": units}


@dataclass
class Night:
    """One run over a copy of the sample vault, and all that was sent in it."""

    vault: Path
    way: Way
    player: Player
    server: Server
    session: ReviewSession
    finished: Finished

    def notes(self) -> dict[str, str]:
        """The digest notes that differ from the sample vault's, by path."""
        return dict(changed_notes(self.vault))


@contextmanager
def dreamt(
    root: Path, way: Way, *, look: Callable[[ReviewSession], None] = lambda session: None
) -> Iterator[Night]:
    """Dream over a copy of the sample vault at ``root``; the session is open until the end.

    The policy is ``safe``: what a person is to see waits. ``look`` is called after the scan.
    """
    shutil.copytree(SAMPLE_VAULT, root)
    player = Player()
    with serving() as server:
        server.otherwise = player
        settings: dict[str, Any] = {
            "provider": "openai",
            "model": "recorded",
            "base_url": server.url,
            "context_tokens": 65_536,
            "tools": way,
            "prices": {"prompt": 2.0, "completion": 8.0},
            "scan_days": DAYS,
            "max_units": 7,
            "exclude_headings": ("Private",),
            "daily_dir": "daily",
        }
        with open_session(root, **settings) as session:
            session.reader = make_reader(session.settings, root)
            session.scan(TODAY)
            look(session)
            finished = dream(session, policy="safe", day=TODAY)
            yield Night(root, way, player, server, session, finished)


def approve_the_rest(session: ReviewSession) -> None:
    """The morning after: a person approves whatever the policy left for them, tags included."""
    for proposals in (lambda: session.proposals, session.auto_tag):
        for proposal in proposals():
            if proposal.state in ("open", "later"):
                session.decide(proposal.id, "approved")
        session.commit()


def changed_notes(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((root / "digest").rglob("*.md")):
        path = file.relative_to(root).as_posix()
        before = SAMPLE_VAULT / path
        if not before.exists() or before.read_bytes() != file.read_bytes():
            yield path, file.read_bytes().decode("utf-8")


def main() -> None:
    into = HERE / sys.argv[1]
    with (
        tempfile.TemporaryDirectory() as folder,
        dreamt(Path(folder) / "vault", "tools") as night,
    ):
        for result in night.finished.report["integrate_results"]:
            print(json.dumps({k: result[k] for k in ("action", "decision", "target_path")}))
            for finding in result["findings"]:
                print("   ", finding["level"], finding["check"], finding["message"])
        print("\n".join(night.player.faults))
        approve_the_rest(night.session)
        for path, text in night.notes().items():
            file = into / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    main()
