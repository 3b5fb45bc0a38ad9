"""Every edge style, link format and file name style, through the pipeline on the sample vault."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support import (
    SAMPLE_VAULT,
    ScriptedReader,
    add_source,
    claim,
    make_vault,
    node_text,
    open_session,
    snapshot,
)
from vault_dream.config import load_settings
from vault_dream.engine.digest.edges import edges_of
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.reader import Receipt
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.headless import dream

DAY = "daily/2026-11-30.md"
QUOTE = "stop the watcher before the index is dropped"
TEXT = f"- After a schema change {QUOTE}.\n"
OBSIDIAN = [
    {"newLinkFormat": form, "useMarkdownLinks": markdown}
    for form in ("shortest", "relative", "absolute")
    for markdown in (False, True)
]


@pytest.mark.parametrize(
    ("style", "obsidian"),
    [
        *(("sentence", each) for each in (None, *OBSIDIAN)),
        *(("inline", each) for each in (None, OBSIDIAN[3])),
        *(("field", each) for each in (None, OBSIDIAN[0])),
    ],
    ids=str,
)
def test_every_way_to_write_a_link_leads_where_it_should(
    tmp_path: Path, style: str, obsidian: dict[str, Any] | None
) -> None:
    root = tmp_path / "v"
    shutil.copytree(SAMPLE_VAULT, root)
    app = root / ".obsidian/app.json"
    app.write_text(json.dumps({**json.loads(app.read_text()), **(obsidian or {})}))
    flags = {
        "edge_style": style,
        "file_names": "title",
        "link_format": "obsidian" if obsidian else "full",
    }
    settings = load_settings(root, environ={}, flags=flags)

    def run() -> tuple[Any, Any]:
        with ReviewSession(root, settings, reader=OfflineReader()) as session:
            report = dream(session, policy="apply", day=date(2026, 11, 30)).report
            made = [session.vault.read(path) for path in report["nodes_created"]]
            return report, [(note, edges_of(note, session.vault.resolver())) for note in made]

    report, made = run()
    assert report["nodes_created"] and not report["failed_units"]
    units = {r["target_path"]: r["paths"] for r in report["integrate_results"]}
    for note, edges in made:
        assert all(edge.resolved for edge in edges)
        derived = {edge.target for edge in edges if edge.predicate == "derived_from"}
        assert derived >= set(units[note.path])
        body = [link for link in links_in(note) if link.property is None and not link.external]
        assert {link.kind for link in body} == {
            "markdown" if obsidian and obsidian["useMarkdownLinks"] else "wiki"
        }
        assert all(link.kind == "wiki" for link in links_in(note) if link.property)
        if not obsidian:
            assert all(link.target.endswith(".md") and link.display for link in body)
    before = snapshot(root)
    assert run()[0]["status"] == "nothing"
    assert snapshot(root) == before


def edit(old: str, new: str) -> Any:
    def plan(request: Any, tools: Any) -> Receipt:
        tools.edit("digest/procedure/index.md", old, new)
        return add_source("digest/procedure/index.md", "REFINE")(request, tools)

    return plan


def updated(tmp_path: Path, body: str, sentence: str, **settings: Any) -> str:
    """The node with ``body`` after a run that adds ``sentence`` to it."""
    root = make_vault(
        tmp_path / "v",
        {
            DAY: TEXT,
            "daily/2026-11-01.md": "words\n",
            "digest/wiki/a.md": node_text("A", "Words of A."),
            "digest/procedure/index.md": node_text("Index", body),
            ".obsidian/app.json": json.dumps(
                {"useMarkdownLinks": True, "newLinkFormat": "relative"}
            ),
        },
    )
    reader = ScriptedReader(
        [claim("Index", (1, QUOTE))], {"Index": edit(body, f"{body}\n\n{sentence}")}
    )
    with open_session(root, reader, **settings) as session:
        report = dream(session, policy="apply").report
    assert report["nodes_updated"] == ["digest/procedure/index.md"], report["failed_units"]
    return (root / "digest/procedure/index.md").read_text()


LEANS = "It depends on [[digest/wiki/a.md|A]] in every case."


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({}, 'depends_on:\n  - "[[digest/wiki/a.md|A]]"\n'),
        ({"edge_properties": "none"}, ""),
        ({"edge_style": "inline"}, ""),
        ({"link_format": "obsidian"}, 'depends_on:\n  - "[[../wiki/a|A]]"\n'),
    ],
)
def test_relations_stand_as_properties_too(
    tmp_path: Path, settings: dict[str, Any], line: str
) -> None:
    text = updated(tmp_path, "Keep the index near.", LEANS, **settings)
    note = parse_note("digest/procedure/index.md", text.encode())
    found = [(link.property, link.target) for link in links_in(note) if link.property]
    assert bool(found) is bool(line)
    if line:
        assert found == [
            ("depends_on", "../wiki/a" if "link_format" in settings else "digest/wiki/a.md")
        ]


def test_a_property_of_the_owner_that_is_called_like_a_relation_stays(tmp_path: Path) -> None:
    body = "Keep the index near."
    before = node_text("Index", body).replace("kind:", "depends_on: the weather\nkind:")
    root = make_vault(
        tmp_path / "v",
        {
            DAY: TEXT,
            "daily/2026-11-01.md": "words\n",
            "digest/wiki/a.md": node_text("A", "Words of A."),
            "digest/procedure/index.md": before,
        },
    )
    reader = ScriptedReader(
        [claim("Index", (1, QUOTE))], {"Index": edit(body, f"{body}\n\n{LEANS}")}
    )
    with open_session(root, reader) as session:
        assert dream(session, policy="apply").report["nodes_updated"]
    assert "depends_on: the weather\n" in (root / "digest/procedure/index.md").read_text()


@pytest.mark.parametrize(
    ("line", "predicate"),
    [
        ("It was seen in [[digest/wiki/a|A]].", "links_to"),
        ("It depends on [[digest/wiki/a|A]].", "depends_on"),
        ("It relies on [[digest/wiki/a|A]].", "depends_on"),
        ("It is blocked by [[digest/wiki/a|A]].", "blocks_on"),
        ("See also [[digest/wiki/a|A]].", "relates_to"),
        ("它依赖[[digest/wiki/a|A]]。", "depends_on"),
        ("depends_on:: [[digest/wiki/a]]", "depends_on"),
        ("**Depends On**:: [[digest/wiki/a]]", "depends_on"),
        ("- up:: [[digest/wiki/a]]", "up"),
        ("So (derived_from:: [[digest/wiki/a]]) it is.", "derived_from"),
        ("So [based-on:: [[digest/wiki/a]]] it is.", "based_on"),
        ("## Sources\n\n- It is said in [[digest/wiki/a]].", "derived_from"),
        ("## 来源\n\n- 见于[[digest/wiki/a]]。", "derived_from"),
        ("## sources:\n\n- Told in [A](digest/wiki/a.md).", "derived_from"),
        ("## Sources\n\n### 2026\n\n- It is said in [[digest/wiki/a]].", "derived_from"),
        ("## Sources\n\n- x\n\n## After\n\nIt is said in [[digest/wiki/a]].", "links_to"),
        ("| a | b |\n|---|---|\n| x | [[digest/wiki/a\\|A]] |", "links_to"),
        ("Dear reader, wait for [[digest/wiki/a]].", "blocks_on"),
        ("![[digest/wiki/a]]", "links_to"),
    ],
)
def test_every_style_of_edge_is_read(line: str, predicate: str) -> None:
    from vault_dream.engine.vault.resolve import Resolver

    note = parse_note("digest/wiki/b.md", f"---\nname: B\n---\n\n{line}\n".encode())
    (edge,) = edges_of(note, Resolver(["digest/wiki/a.md", "digest/wiki/b.md"]))
    assert (edge.predicate, edge.target, edge.resolved) == (predicate, "digest/wiki/a.md", True)
    assert edge.sentence and "[[" in edge.sentence + "[["


@pytest.mark.parametrize(
    "line",
    [
        "`[[digest/wiki/a]]`",
        "```\n[[digest/wiki/a]]\n```",
        "%%[[digest/wiki/a]]%%",
        "<!-- [[digest/wiki/a]] -->",
        "[x](https://e.org/a.md)",
        "[[#Heading]]",
        "\\[[digest/wiki/a]]",
        "$[[digest/wiki/a]]$",
    ],
)
def test_what_is_no_link_is_no_edge(line: str) -> None:
    from vault_dream.engine.vault.resolve import Resolver

    note = parse_note("digest/wiki/b.md", f"Before.\n\n{line}\n".encode())
    assert edges_of(note, Resolver(["digest/wiki/a.md", "digest/wiki/b.md"])) == ()


def test_an_edge_survives_json() -> None:
    from vault_dream.engine.digest.edges import Edge

    edge = Edge("a.md", "up", "b.md", False, "A [[b]].")
    assert Edge.from_json(json.loads(json.dumps(edge.as_json()))) == edge
