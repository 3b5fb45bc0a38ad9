"""What tests share: small vaults, a reader that follows a script, and looks at a vault's bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    IntegrateRequest,
    Receipt,
    TagRequest,
    Tools,
    UnitClaim,
    Usage,
)
from vault_dream.engine.session import ReviewSession

REPOSITORY = Path(__file__).resolve().parent.parent
SAMPLE_VAULT = REPOSITORY / "sample_vault"
SHARED_VAULTS = REPOSITORY.parent / "shared" / "vaults"

TODAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

NODE = """---
name: {name}
description: {description}
kind: {bucket}
created: 2026-11-01
updated: 2026-11-01
---

{body}

## Sources

- It was first noted in [[{source}|an earlier day]]: "{quote}".
"""


def node_text(
    name: str,
    body: str,
    *,
    source: str = "daily/2026-11-01.md",
    description: str = "What it is about.",
    bucket: str = "procedure",
    quote: str = "words that were said on that day",
) -> str:
    """A digest node as the program writes one."""
    return NODE.format(
        name=name, body=body, source=source, description=description, bucket=bucket, quote=quote
    )


def make_vault(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A vault at ``root`` that holds ``files``."""
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def snapshot(root: Path) -> dict[str, tuple[str, int]]:
    """Hash and mtime of every file below ``root``, by path."""
    return {
        path.relative_to(root).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def contents(root: Path) -> dict[str, str]:
    """Hash of every file below ``root``, by path."""
    return {path: digest for path, (digest, _) in snapshot(root).items()}


Plan = Callable[[IntegrateRequest, Tools], Receipt]


@dataclass
class ScriptedReader:
    """A reader whose answers are given: claims for extract, a plan for each unit's name."""

    claims: Sequence[UnitClaim] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fails: Exception | None = None
    asked: list[ExtractRequest] = field(default_factory=list)
    worked_on: list[str] = field(default_factory=list)
    tagged: list[str] = field(default_factory=list)
    provider: str = "scripted"
    model: str = "script"
    prompts: str = "script-1"

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        self.asked.append(request)
        if self.fails is not None:
            raise self.fails
        return ExtractAnswer(tuple(self.claims))

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        self.worked_on.append(request.unit.name)
        plan = self.plans.get(request.unit.name, create)
        return plan(request, tools)

    def usage(self) -> Usage:
        return Usage()

    async def tag(self, request: TagRequest) -> Sequence[str]:
        self.tagged.append(request.path)
        return self.tags.get(request.path, ())


def create(request: IntegrateRequest, tools: Tools) -> Receipt:
    """The plain plan: a new node that cites every source of the unit."""
    unit = request.unit
    tools.node_search(unit.name)
    lines = "".join(
        f"- It is told in [[{path}|day {i}]] among other things of that day {i}.\n"
        for i, path in enumerate(unit.paths)
    )
    stem = unit.name.lower().replace(" ", "-")
    path = tools.write(
        f"{request.digest_dir}/{unit.bucket}/{stem}.md",
        unit.name,
        unit.summary,
        f"{unit.summary}\n\n## Sources\n\n{lines}",
    )
    return Receipt("CREATE", path)


def add_source(path: str, action: str = "CORROBORATE") -> Plan:
    """A plan that adds one source line to the node at ``path``."""

    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        last = tools.read(path).rstrip("\n").split("\n")[-1]
        extra = f"- It was seen again in [[{request.unit.paths[0]}|a later day]], independently."
        tools.edit(path, last, f"{last}\n{extra}")
        return Receipt(action, path)  # type: ignore[arg-type]

    return plan


def claim(
    name: str,
    *quotes: tuple[int, str],
    bucket: str = "procedure",
    summary: str = "What it comes to, in a sentence.",
    handles: tuple[int, ...] = (1,),
) -> UnitClaim:
    return UnitClaim(name, bucket, summary, handles, tuple(quotes))


def open_session(root: Path, reader: Any = None, **settings: Any) -> ReviewSession:
    """A session at noon of the test's day, with run ids that count up."""
    options = {
        key: settings.pop(key)
        for key in ("dry_run", "on_event", "clock", "disk", "index_file")
        if key in settings
    }
    numbers = iter(range(1, 1000))
    options.setdefault("clock", lambda: NOON)
    return ReviewSession(
        root,
        Settings(timezone="UTC", **settings),
        reader=reader,
        token=lambda: f"{next(numbers):04d}",
        **options,
    )
