"""Vaults of odd shapes: links or files for folders, other Unicode forms, line ends, sizes."""

from __future__ import annotations

import stat
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tests.support import (
    ScriptedReader,
    add_source,
    claim,
    contents,
    make_vault,
    node_text,
    open_session,
    snapshot,
)
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.errors import FilesystemError, SettingsError
from vault_dream.headless import dream

DAY = "daily/2026-11-30.md"
TEXT = "- After a schema change stop the watcher before the index is dropped.\n"
QUOTE = "stop the watcher before the index is dropped"
NODE = "digest/procedure/index.md"
EARLY = {"daily/2026-11-01.md": "words that were said on that day\n"}


def run(root: Path, reader: Any = None, policy: Any = "apply", **settings: Any) -> dict[str, Any]:
    reader = reader or ScriptedReader([claim("Rebuild it all", (1, QUOTE))])
    with open_session(root, reader, **settings) as session:
        return dream(session, policy=policy).report


# Folders that are none ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["digest", "metadata"])
@pytest.mark.parametrize("shape", ["file", "link inside", "link outside", "broken link"])
def test_our_folders_are_folders_or_nothing_is_asked_or_written(
    tmp_path: Path, name: str, shape: str
) -> None:
    root = make_vault(tmp_path / "v", {DAY: TEXT, "Private/x.md": "Mine.\n"})
    (tmp_path / "elsewhere").mkdir()
    target = {"link inside": "Private", "link outside": str(tmp_path / "elsewhere")}
    if shape == "file":
        (root / name).write_text("a file of mine")
    else:
        (root / name).symlink_to(target.get(shape, "nothing"))
    before = snapshot(root)
    reader = ScriptedReader([claim("Rebuild it all", (1, QUOTE))])
    with pytest.raises(FilesystemError) as error:
        run(root, reader)
    assert name in error.value.where and error.value.next
    assert (reader.asked, snapshot(root)) == ([], before)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_bucket_that_is_a_link_costs_its_unit_and_writes_nothing_there(tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "v", {DAY: TEXT, "Private/x.md": "Mine.\n", "digest/wiki/a.md": "A.\n"}
    )
    (root / "digest/procedure").symlink_to("../Private")
    report = run(root)
    assert len(report["failed_units"]) == 1 and "link" in report["failed_units"][0]["reason"]
    assert [p.name for p in (root / "Private").iterdir()] == ["x.md"]


def test_a_node_that_is_a_link_out_of_the_digest_is_not_written_through(tmp_path: Path) -> None:
    text = node_text("Index", "Keep the index near.")
    root = make_vault(
        tmp_path / "v", {DAY: TEXT, **EARLY, "Private/index.md": text, "digest/a.md": "A.\n"}
    )
    (root / "digest/procedure").mkdir()
    (root / NODE).symlink_to("../../Private/index.md")
    report = run(root, ScriptedReader([claim("Index", (1, QUOTE))], {"Index": add_source(NODE)}))
    assert len(report["failed_units"]) == 1
    assert (root / "Private/index.md").read_text() == text


@pytest.mark.parametrize("name", ["Digest", "DIGEST"])
def test_a_folder_that_differs_only_in_case_is_named(tmp_path: Path, name: str) -> None:
    root = make_vault(tmp_path / "v", {DAY: TEXT, f"{name}/procedure/index.md": "A.\n"})
    if (root / "digest").exists():
        return  # the file system ignores case
    with pytest.raises(SettingsError, match=name):
        run(root)


@pytest.mark.parametrize("folder", ["digest", "digest/days", "metadata"])
def test_daily_notes_may_not_lie_where_we_write(tmp_path: Path, folder: str) -> None:
    root = make_vault(
        tmp_path / "v",
        {
            f"{folder}/2026-11-30.md": TEXT,
            ".obsidian/daily-notes.json": f'{{"folder": "{folder}"}}',
            ".obsidian/core-plugins.json": '["daily-notes"]',
        },
    )
    before = snapshot(root)
    with pytest.raises(SettingsError, match="daily"):
        run(root)
    assert snapshot(root) == before


# Bytes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("final", [True, False])
def test_a_node_keeps_its_bytes_around_what_is_added(
    tmp_path: Path, newline: str, bom: str, final: bool
) -> None:
    text = bom + node_text("Index", "Keep the index near.").replace("\n", newline)
    text = text if final else text.removesuffix(newline)
    root = make_vault(tmp_path / "v", {DAY: TEXT, **EARLY, NODE: text})
    (root / NODE).chmod(0o640)
    report = run(root, ScriptedReader([claim("Index", (1, QUOTE))], {"Index": add_source(NODE)}))
    raw = (root / NODE).read_bytes().decode()
    if bom and not report["nodes_updated"]:
        assert raw == text  # refused rather than written wrongly
        return
    added = f"{newline}- It was seen again in [[{DAY}|a later day]], independently."
    expected = text.replace("updated: 2026-11-01", "updated: 2026-11-30")
    body = expected.removesuffix(newline) if final else expected
    assert raw == body + added + (newline if final else "")
    assert stat.S_IMODE((root / NODE).stat().st_mode) == 0o640


def test_mixed_line_ends_and_odd_lines_of_the_owner_stay(tmp_path: Path) -> None:
    text = node_text(
        "Index", "One line.\r\nAnother\u2028line.\n\x0cThird.\n\n<!-- mine -->\n%% mine %%"
    )
    root = make_vault(tmp_path / "v", {DAY: TEXT, **EARLY, NODE: text})
    run(root, ScriptedReader([claim("Index", (1, QUOTE))], {"Index": add_source(NODE)}))
    raw = (root / NODE).read_bytes().decode()
    body = text.partition("---\n\n")[2].rstrip("\n")
    assert raw.partition("---\n\n")[2].startswith(body)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_paths_are_found_in_the_form_they_have_on_the_disk(tmp_path: Path, form: Any) -> None:
    root = tmp_path / "v"
    node = "digest/procedure/café.md"
    files = {
        "daily/2026-11-30/Café.md": TEXT,
        **EARLY,
        node: node_text("Café", "Keep the index near."),
        "Zoë.md": "x\n",
    }
    make_vault(root, {unicodedata.normalize(form, path): text for path, text in files.items()})
    names = sorted(p.name for p in (root / "digest/procedure").iterdir())
    before = contents(root)

    def update(request: Any, tools: Any) -> Any:
        last = tools.read(node).rstrip("\n").split("\n")[-1]
        extra = (
            f"- Seen again in [[{request.unit.paths[0]}|the café note]], by [[Zoë]], independently."
        )
        tools.edit(node, last, f"{last}\n{extra}")
        from vault_dream.engine.dream.reader import Receipt

        return Receipt("CORROBORATE", node)

    report = run(root, ScriptedReader([claim("Café", (1, QUOTE))], {"Café": update}))
    assert report["nodes_updated"] == [node]
    assert sorted(p.name for p in (root / "digest/procedure").iterdir()) == names
    after = contents(root)
    same = [p for p in before if "digest" not in p]
    assert [after[p] for p in same] == [before[p] for p in same]
    assert run(root)["status"] == "nothing"


@pytest.mark.parametrize(
    "name",
    [
        "We!rd #1",
        "a|b",
        "x ^ y",
        "[[z]]",
        "%%c%%",
        "]]",
        "`code`",
        "[/notes]",
        "<% t %>",
        "$a$ $b$",
    ],
)
def test_a_note_of_any_name_is_read_and_cited_or_named(tmp_path: Path, name: str) -> None:
    path = f"daily/2026-11-30/{name}.md"
    text = "We decided to keep the old index because the new one loses accents in names.\n"
    root = make_vault(tmp_path / "v", {path: text, DAY: "Other words.\n"})
    report = run(root, OfflineReader())
    assert report["status"] in ("ok", "partial", "failed")
    assert contents(root)[path] == contents(make_vault(tmp_path / "w", {path: text}))[path]
    assert run(root, OfflineReader(), policy="queue")["errors"] == report["errors"]


# Sizes -------------------------------------------------------------------------------------------


@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_three_thousand_nodes_and_a_huge_note_are_no_trouble(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"digest/wiki/topic-{i}.md": node_text(f"Topic {i}", f"What topic {i} is about, at length.")
        for i in range(3_000)
    }
    huge = "".join(
        f"- line {i} says something about the matter {i} at hand\n" for i in range(30_000)
    )
    root = make_vault(tmp_path / "v", {**EARLY, **files, DAY: huge + TEXT})
    report = run(root, ScriptedReader([claim("Rebuild it all", (1, QUOTE))]))
    assert report["nodes_created"] == ["digest/procedure/rebuild-it-all.md"]
    assert report["units"][0]["evidence"][0]["line"] == 30_001


def test_state_files_are_their_owners_alone(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "v", {DAY: TEXT})
    run(root, policy="queue")
    for file in (root / "metadata").rglob("*.json"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
