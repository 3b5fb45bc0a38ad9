"""The journal file: what a commit is about to do, and the word that it is decided.

Up to three lines, each a SHA-256 and the JSON it belongs to: the *intent*, synced before the first
file changes; the *staging*, naming the temporary state files (unsynced: it only serves tidiness);
and the *decision*, the commit point, synced. A line that is cut off or does not match its sum was
never finished, so what it announces never began.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vault_dream.engine.journal.values import FileWrite

VERSION = 1


class NewerJournal(Exception):
    """The journal's format is newer than this program."""


@dataclass(frozen=True, slots=True)
class Step:
    """One write of one set, and the names that it uses.

    ``aside`` is a file name in the target's own folder: the staged text before the swap, the
    owner's old file after it. Where the write moves a note away, it is the vault path it moves to.
    """

    set_id: str
    write: FileWrite
    aside: str

    @property
    def is_guard(self) -> bool:
        return self.write.before == self.write.after


@dataclass(frozen=True, slots=True)
class StateStep:
    """One state file: ``before`` is the SHA-256 of the bytes it replaces, '' for no file."""

    path: str
    before: str
    after: bytes | None
    aside: str


@dataclass(frozen=True, slots=True)
class Intent:
    run_id: str
    token: str
    root: str
    at: str
    steps: tuple[Step, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Staging:
    """``files`` and ``folders``, vault-relative, that are about to be made for state files."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    landed: tuple[str, ...]
    states: tuple[StateStep, ...]


def digest(data: bytes | None) -> str:
    """The SHA-256 in hex; '' stands for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def encode_bytes(data: bytes | None) -> dict[str, str] | None:
    """Bytes as JSON: readable text where they are UTF-8, else base64."""
    if data is None:
        return None
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def decode_bytes(value: object) -> bytes | None:
    """The inverse of :func:`encode_bytes`. ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, dict) and len(value) == 1:
        text, packed = value.get("text"), value.get("base64")
        if isinstance(text, str):
            return text.encode("utf-8")
        if isinstance(packed, str):
            return base64.b64decode(packed, validate=True)
    raise ValueError("not an encoded file")


def intent_line(intent: Intent) -> bytes:
    return _line(
        {
            "kind": "intent",
            "version": VERSION,
            "run_id": intent.run_id,
            "token": intent.token,
            "root": intent.root,
            "at": intent.at,
            "folders": list(intent.folders),
            "steps": [
                {
                    "set": step.set_id,
                    "path": step.write.path,
                    "before": encode_bytes(step.write.before),
                    "after": encode_bytes(step.write.after),
                    "aside": step.aside,
                }
                for step in intent.steps
            ],
        }
    )


def staging_line(staging: Staging) -> bytes:
    return _line(
        {"kind": "staging", "files": list(staging.files), "folders": list(staging.folders)}
    )


def decision_line(decision: Decision) -> bytes:
    return _line(
        {
            "kind": "decision",
            "landed": list(decision.landed),
            "states": [
                {
                    "path": state.path,
                    "before": state.before,
                    "after": encode_bytes(state.after),
                    "aside": state.aside,
                }
                for state in decision.states
            ],
        }
    )


def _line(value: Mapping[str, object]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    body = text.encode("utf-8", "backslashreplace")  # a lone surrogate stays a JSON escape
    return digest(body).encode("ascii") + b" " + body + b"\n"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a journal says. No intent: nothing had begun. No decision: nothing was decided."""

    intent: Intent | None = None
    staging: Staging = Staging()
    decision: Decision | None = None


def read_journal(raw: bytes) -> Recorded:
    """What is whole in it. NewerJournal when a later version of the program wrote it."""
    recorded = Recorded()
    for line in raw.split(b"\n")[:-1]:  # what follows the last newline is cut off
        try:
            value = _parsed(line)
            if recorded.intent is None:
                recorded = replace(recorded, intent=_intent(value))
            elif value["kind"] == "staging":
                staging = Staging(_texts(value["files"]), _texts(value["folders"]))
                recorded = replace(recorded, staging=staging)
            else:
                recorded = replace(recorded, decision=_decision(value))
        except (ValueError, KeyError, TypeError):
            break
    return recorded


def _parsed(line: bytes) -> Mapping[str, object]:
    sum_, _, body = line.partition(b" ")
    if sum_ != digest(body).encode("ascii"):
        raise ValueError("torn")
    value = json.loads(body)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _intent(value: Mapping[str, object]) -> Intent:
    version = value["version"]
    if isinstance(version, int) and version > VERSION:
        raise NewerJournal(version)
    if value["kind"] != "intent" or version != VERSION:
        raise ValueError("not an intent that this version knows")
    return Intent(
        _text(value["run_id"]),
        _text(value["token"]),
        _text(value["root"]),
        _text(value["at"]),
        tuple(_step(each) for each in _objects(value["steps"])),
        _texts(value["folders"]),
    )


def _step(value: Mapping[str, object]) -> Step:
    write = FileWrite(
        _text(value["path"]), decode_bytes(value["before"]), decode_bytes(value["after"])
    )
    return Step(_text(value["set"]), write, _text(value["aside"]))


def _decision(value: Mapping[str, object]) -> Decision:
    if value["kind"] != "decision":
        raise ValueError("not a decision")
    states = tuple(
        StateStep(
            _text(each["path"]),
            _text(each["before"]),
            decode_bytes(each["after"]),
            _text(each["aside"]),
        )
        for each in _objects(value["states"])
    )
    return Decision(_texts(value["landed"]), states)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(_text(each) for each in value)


def _objects(value: object) -> Sequence[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise TypeError("not a list of objects")
    return value
