"""Models that talk rubbish all night: whatever they say, the vault's promises hold."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.engine.dream.test_model_failures import SECOND, SECOND_WRITE, TWO, outside
from tests.engine.dream.test_model_reader import DAY, QUOTE, UNIT, WRITE, reader, receipt, run
from tests.engine.model.server import Step, call, fail, raw, say, say_json, serving
from tests.support import make_vault, node_text
from vault_dream.engine.digest.edges import link_pairs
from vault_dream.engine.dream.report import exit_code
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.model.budget import Ceilings
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.resolve import Resolver

NODE = "digest/procedure/index.md"
OWNERS = "digest/wiki/mine.md"
FILES = {
    DAY: TWO,
    "daily/2026-11-01.md": "words that were said on that day\n",
    "Home.md": "Home, see [[digest/wiki/mine|mine]].\n",
    NODE: node_text("Index", "Keep the index near the notes, as [[Home]] says."),
    OWNERS: "---\nname: Mine\ndescription: By hand.\nstatus: open\n---\nMy [[Home]].\r\nEnd",
}
WORDS = (
    "", " ", "x", QUOTE, NODE, OWNERS, DAY, "../x", "/etc/passwd", "digest/", "digest/wiki/n.md",
    "[[Home]]", "[[gone]]", "![[Home]]", "---\nname: x\n---\n", "- [ ] do", "#tag", "a:: b", "\x00",
    "\ud800", "\u202e", "name", "Index", "Keep the index near the notes", "null", "{}", "```", "%%",
    "<% x %>", "## Sources\n\n- Seen in [[Home]] once.", WRITE[1]["path"], WRITE[1]["content"],
    f"Short.\n\n## Sources\n\n- It was said in [[{DAY}|30 Nov]] then.", "x" * 5_000, "重建索引",
)  # fmt: skip
TOOLS = (
    "node_search",
    "read",
    "frontmatter_read",
    "write",
    "edit",
    "frontmatter_update",
    "receipt",
)
KEYS = (
    "path", "query", "limit", "name", "description", "content", "old", "new", "values", "action",
    "target", "related", "classes", "note",
)  # fmt: skip


def value(dice: random.Random, depth: int = 0) -> Any:
    """Any JSON value, mostly text that could do harm."""
    kind = dice.random()
    if kind < 0.62 or depth > 2:
        return dice.choice(WORDS)
    if kind < 0.72:
        return dice.choice([None, True, False, 0, -1, 1e9, 3.5, 10**30])
    if kind < 0.86:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {dice.choice(KEYS): value(dice, depth + 1) for _ in range(dice.randrange(4))}


def arguments(dice: random.Random, tool: str) -> Any:
    """The arguments of a tool, now right, now wrong, now rubbish."""
    right: dict[str, Any] = {
        "node_search": {"query": "index", "limit": 20},
        "read": {"path": dice.choice([NODE, OWNERS, DAY, "Home.md"])},
        "frontmatter_read": {"path": dice.choice([NODE, OWNERS, DAY])},
        "write": dice.choice([WRITE[1], SECOND_WRITE[1]]),
        "edit": {
            "path": dice.choice([NODE, OWNERS]),
            "old": dice.choice(
                ["Keep the index near", "My [[Home]].", *["- It was first"] * 4, "End"]
            ),
            "new": dice.choice(
                [*WORDS, *[f"- It is in [[{DAY}|30 Nov]] again.\n- It was first"] * 20]
            ),
        },
        "frontmatter_update": {
            "path": dice.choice([NODE, OWNERS]),
            "values": {dice.choice(["name", "status", "tags", "kind"]): value(dice)},
        },
        "receipt": receipt(dice.choice(["CREATE", "REFINE", "CORRECT", "CORROBORATE"]))[1],
    }[tool]
    if dice.random() < 0.8:
        return right
    if dice.random() < 0.5:
        return {**right, dice.choice(KEYS): value(dice)}
    return dice.choice(['{"path": ', "", "[]", "not json", json.dumps(value(dice))])


def sensible(body: dict[str, Any]) -> Step:
    """What a good model might say to this request, now and then."""
    first = "name: Rebuild" in str(body["messages"])
    write = WRITE if first else SECOND_WRITE
    done = receipt(target=write[1]["path"])
    form = body.get("response_format", {}).get("json_schema", {}).get("name")
    if form == "units":
        return say_json({"units": [UNIT, SECOND]})
    if form == "draft":
        return say_json({**write[1], **done[1], "edits": []})
    return call(done) if "staged as" in str(body["messages"]) else call(write)


def step(dice: random.Random, body: dict[str, Any]) -> Step:
    if dice.random() < 0.35:
        return sensible(body)
    kind = dice.random()
    if kind < 0.8:
        chosen = [dice.choice(TOOLS) for _ in range(dice.choice([1, 1, 1, 2, 5]))]
        return call(*((tool, arguments(dice, tool)) for tool in chosen))
    if kind < 0.87:
        units = [
            dice.choice([UNIT, SECOND, {**UNIT, dice.choice(list(UNIT)): value(dice)}, value(dice)])
            for _ in range(dice.randrange(4))
        ]
        return say_json({"units": units})
    if kind < 0.95:
        text = str(dice.choice(WORDS)) + dice.choice(["", "<think>", json.dumps(value(dice))])
        return say(text.encode("utf-8", "replace").decode(), dice.choice(["stop", "length", None]))
    return dice.choice([fail(400), fail(500), raw(b"{"), raw(b"[]"), Step(hang_up=True)])


def nodes(root: Path) -> dict[str, Note]:
    return {
        path: parse_note(path, file.read_bytes())
        for file in sorted((root / "digest").rglob("*"))
        if file.is_file() and (path := file.relative_to(root).as_posix())
    }


def pairs(root: Path) -> set[tuple[str, str]]:
    found = nodes(root)
    files = [file.relative_to(root).as_posix() for file in root.rglob("*.md")]
    resolver = Resolver(files)
    return {pair for note in found.values() for pair in link_pairs(note, resolver)}


@pytest.mark.parametrize("seed", range(60))
def test_a_night_of_rubbish_leaves_the_vault_whole(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    root = make_vault(tmp_path / "vault", FILES)
    before, linked = outside(root), pairs(root)
    with serving([say_json({"units": [UNIT, SECOND]})] if dice.random() < 0.8 else []) as server:
        server.otherwise = lambda body: step(dice, body)
        model = reader(
            server,
            ceilings=Ceilings(turns=10, calls=60),
            tools=dice.choice(["auto", "tools", "structured"]),
        )
        try:
            report = run(root, model, policy=dice.choice(["apply", "safe"])).report
            json.dumps(report, ensure_ascii=False).encode()
            assert exit_code(report) in (0, 1)
        except VaultDreamError:
            pass  # said in words; what matters is what stands in the vault
    assert outside(root) == before
    assert pairs(root) >= linked
    for path, note in nodes(root).items():
        properties = read_properties(note)
        assert note.editable and not properties.error, path
        assert properties.texts("name") and properties.texts("description"), path
        assert path.endswith(".md") and path.count("/") == 2, path
    assert read_properties(nodes(root)[OWNERS]).values["status"] == "open"
    assert b"My [[Home]].\r\nEnd" in (root / OWNERS).read_bytes(), "what the owner wrote stays"
