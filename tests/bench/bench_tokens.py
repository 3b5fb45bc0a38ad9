"""What a night with a model takes in tokens, in both ways, and what the older habit would take.

Run: ``python -m tests.bench.bench_tokens``. The recorded conversations about the sample vault are
played; every request that went over the socket is counted with the program's own estimate
(:func:`vault_dream.engine.model.tokens.estimate_prompt`), the same for all rows. The older habit is
to send the whole body of every candidate: the same requests, with each node that a search returned
(or that stands in the list of one answer) given whole.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.recorded.player import Way, dreamt, recorded_units
from vault_dream.engine.model.tokens import estimate_prompt, estimate_tokens

_LISTED = re.compile(r"(<<<(\w+) NODES\n)(.*?)(\n\2>>>)", re.S)
_SHOWN = re.compile(r"<<<(\w+) NODE digest/.*?\n\1>>>\n*", re.S)


@dataclass
class Row:
    """Tokens of one kind of request; ``whole`` are the prompts by the older habit."""

    calls: int = 0
    prompt: int = 0
    answer: int = 0
    whole: int = 0


def whole_bodies(messages: Sequence[Mapping[str, Any]], root: Path) -> list[dict[str, Any]]:
    """``messages`` with the body of every candidate in them."""

    def body(path: str) -> str:
        file = root / path
        return file.read_text("utf-8") if file.is_file() else ""

    def listed(match: re.Match[str]) -> str:
        paths = [line.split(".md:")[0] + ".md" for line in match[3].splitlines()]
        return match[1] + "\n\n".join(map(body, paths)) + match[4]

    made = []
    for message in messages:
        content = message.get("content") or ""
        if message["role"] == "tool" and content.startswith("["):
            hits = [{**hit, "body": body(hit["path"])} for hit in json.loads(content)]
            content = json.dumps(hits, ensure_ascii=False)
        elif message["role"] == "user":
            content = _LISTED.sub(listed, _SHOWN.sub("", content))
        made.append({**message, "content": content})
    return made


def measure(way: Way) -> tuple[dict[str, Row], int]:
    """Tokens by purpose of one night, and how many units it integrated."""
    rows = {name: Row() for name in ("extract", "integrate", "tag")}
    with (
        tempfile.TemporaryDirectory() as folder,
        dreamt(Path(folder) / "vault", way) as night,
    ):
        assert night.player.faults == []
        for body in night.server.chats:
            row = rows[_purpose(body)]
            extras = (*body.get("tools", ()), body.get("response_format") or {})
            row.calls += 1
            row.prompt += estimate_prompt(body["messages"], extras)
            row.whole += estimate_prompt(whole_bodies(body["messages"], night.vault), extras)
            row.answer += _answer(night.player(body).message or {})
        return rows, len(recorded_units())


def _purpose(body: Mapping[str, Any]) -> str:
    form = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    return {"units": "extract", "tags": "tag"}.get(form, "integrate")


def _answer(message: Mapping[str, Any]) -> int:
    calls = message.get("tool_calls") or ()
    said = [message.get("content") or "", *(call["function"]["arguments"] for call in calls)]
    return sum(estimate_tokens(text) for text in said if text)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        for name in ("STATE_HOME", "CACHE_HOME", "CONFIG_HOME"):
            os.environ[f"VAULT_DREAM_{name}"] = home
        print(f"{'way':<11}{'job':<11}{'calls':>6}{'prompt':>9}{'answer':>9}{'whole bodies':>14}")
        for way in ("tools", "structured"):
            rows, units = measure(way)
            for name, row in rows.items():
                whole = f"{row.whole:,}" if name == "integrate" else ""
                print(
                    f"{way:<11}{name:<11}{row.calls:>6}{row.prompt:>9,}{row.answer:>9,}{whole:>14}"
                )
            row = rows["integrate"]
            print(
                f"{way:<11}{'per unit':<11}{row.calls / units:>6.1f}{row.prompt // units:>9,}"
                f"{row.answer // units:>9,}{row.whole // units:>14,}"
                f"   whole bodies : ours = {row.whole / row.prompt:.2f}"
            )


if __name__ == "__main__":
    main()
