"""``doctor``: what it finds in a vault, a digest, the state and an endpoint, and its exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.engine.model.server import Server, fail, say, say_json
from tests.support import contents, make_vault, node_text
from vault_dream.cli import main
from vault_dream.places import index_file

DAY = "daily/2026-11-01.md"
GOOD = {
    DAY: "words that were said on that day\n",
    "digest/procedure/index.md": node_text("Index", "Keep the index near."),
}
COLOURS = say_json({"colours": ["green", "red", "blue"]})


def doctor(
    root: Path, capsys: pytest.CaptureFixture[str], *flags: str
) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", str(root), "--json", *flags])
    return code, json.loads(capsys.readouterr().out)


def offline(root: Path, files: dict[str, str]) -> Path:
    return make_vault(root / "vault", {"vault-dream.yaml": "provider: offline\n", **files})


def test_a_vault_in_order_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = offline(tmp_path, GOOD)
    before = contents(root)
    code, found = doctor(root, capsys)
    assert (code, found["ok"], found["problems"]) == (0, True, [])
    assert found["digest"]["nodes"] == 1 and found["vault"]["daily_notes"].startswith("daily/")
    assert contents(root) == before
    assert main(["doctor", str(root)]) == 0
    assert "All is well." in capsys.readouterr().out


def test_each_setting_says_where_it_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = offline(tmp_path, GOOD)
    monkeypatch.setenv("VAULT_DREAM_SCAN_DAYS", "4")
    _, found = doctor(root, capsys)
    settings = {item["name"]: item for item in found["settings"]}
    assert settings["scan_days"]["value"] == 4
    assert settings["scan_days"]["from"] == "environment variable VAULT_DREAM_SCAN_DAYS"
    assert settings["provider"]["from"].endswith("vault-dream.yaml:1")
    assert settings["max_units"] == {"name": "max_units", "value": 5, "from": "default"}


def test_values_are_told_as_a_person_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, GOOD)
    (root / "vault-dream.yaml").write_text("exclude: [Private, Work/**]\nprovider: openai\n")
    assert main(["doctor", "--no-model", str(root)]) == 1
    out = capsys.readouterr().out
    assert "  exclude: Private, Work/**  (" in out
    assert "  machines: none\n" in out and "  model: none\n" in out


def test_what_is_wrong_with_the_digest_is_counted_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = GOOD["digest/procedure/index.md"]
    root = offline(
        tmp_path,
        {
            **GOOD,
            "digest/wiki/no-source.md": "---\nname: A\ndescription: B.\n---\nWords.\n",
            "digest/wiki/no-words.md": good.replace("What it is about.", '""'),
            "digest/wiki/broken.md": "---\nname: a\nname: b\n---\nWords.\n",
            "digest/wiki/lost.md": good.replace("Keep", "As [[gone]] says, keep"),
            "digest/wiki/quote.md": good.replace("words that were said", "words that nobody said"),
        },
    )
    code, found = doctor(root, capsys)
    assert code == 1
    counts = {name: found["digest"][name] for name in found["digest"] if name != "folder"}
    assert counts == {
        "nodes": 6,
        "unreadable": 1,
        "without_description": 1,
        "without_sources": 2,
        "unresolved_links": 1,
        "ambiguous_links": 0,
        "near_duplicates": 6,  # four nodes are made from one
        "too_long": 0,
        "quotes_gone": 1,
    }
    said = {problem["what"]: problem for problem in found["problems"]}
    assert "digest/wiki/lost.md → gone" in said["1 links in nodes lead nowhere"]["where"]
    assert all(problem["next"] for problem in found["problems"])


def test_state_files_and_the_index_are_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, {**GOOD, "metadata/decisions.json": "{not json"})
    file = index_file(root)
    file.parent.mkdir(parents=True)
    file.write_bytes(b"SQLite format 3\0" + b"rubbish" * 400)
    code, found = doctor(root, capsys)
    where = " ".join(problem["where"] for problem in found["problems"])
    assert code == 1 and "decisions.json" in where and "nodes.sqlite" in where
    assert (root / "metadata/decisions.json").read_text() == "{not json"


def test_no_model_is_a_problem_that_names_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_vault(tmp_path / "vault", GOOD)
    code, found = doctor(root, capsys)
    assert code == 1
    assert [p["what"] for p in found["problems"]] == ["no model is configured"]
    assert "offline" in found["problems"][0]["next"]


def with_model(tmp_path: Path, url: str) -> Path:
    settings = f"model: m\nbase_url: {url}\ncontext_tokens: 8192\n"
    return make_vault(tmp_path / "vault", {**GOOD, "vault-dream.yaml": settings})


def test_a_model_is_asked_three_times_and_with_a_long_prompt(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.plays(COLOURS, COLOURS, COLOURS, say_json({"first": "heron", "last": "juniper"}))
    code, found = doctor(with_model(tmp_path, server.url), capsys)
    model = found["model"]
    assert (code, model["answered"], model["mode"], model["empties"]) == (0, 3, "json_schema", 0)
    assert len(model["latencies"]) == 3 and model["read_whole"] > 4_000
    assert model["context_from"] == "the setting context_tokens"
    assert "words that were said" not in json.dumps([seen.body for seen in server.seen])


def test_a_server_that_cuts_is_named_with_the_remedy(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.context = 2_000
    server.otherwise = COLOURS
    code, found = doctor(with_model(tmp_path, server.url), capsys)
    assert code == 1 and found["model"]["cut"]
    assert "context" in found["problems"][0]["next"]


def test_a_model_that_answers_badly_is_a_problem(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = say("I would rather talk about the weather.")
    code, found = doctor(with_model(tmp_path, server.url), capsys)
    assert code == 1 and found["model"]["answered"] == 0


def test_an_endpoint_that_cannot_be_used_ends_with_4_and_the_rest_is_looked_at(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.otherwise = fail(401, "no such key")
    root = with_model(tmp_path, server.url)
    code, found = doctor(root, capsys)
    assert code == 4 and found["digest"]["nodes"] == 1
    assert "refused the key" in found["problems"][0]["what"]
    asked = len(server.chats)
    assert doctor(root, capsys, "--no-model")[0] == 0
    assert len(server.chats) == asked


def test_settings_that_cannot_be_read_end_with_2(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {"vault-dream.yaml": "scan_dayz: 3\n"})
    assert main(["doctor", str(root)]) == 2


# Mending -----------------------------------------------------------------------------------------

LOST = "digest/procedure/lost.md"
MOVED = {
    **GOOD,
    "archive/2026/2026-06-01.md": "some other words that were said in June\n",
    "people/ada/tea.md": "x\n",
    "people/bob/tea.md": "y\n",
    LOST: node_text(
        "Lost",
        "See [[tea]]. It was seen in [[daily/2026-06-01.md#Late|June]] too, and "
        "depends on [[digest/procedure/index.md|the index]].",
    ),
}


def test_a_fix_is_shown_and_nothing_is_written_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, MOVED)
    before = contents(root)
    code, found = doctor(root, capsys, "--fix")
    (repair,) = (each for each in found["repairs"] if each["where"] == LOST)
    assert code == 1 and not repair["done"]
    assert "+See [[people/ada/tea.md]]" in repair["diff"]
    assert contents(root) == before


def test_links_and_link_properties_are_mended_and_can_be_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, MOVED)
    before = {path: digest for path, digest in contents(root).items() if "metadata" not in path}
    code, found = doctor(root, capsys, "--fix", "--yes")
    assert (code, found["ok"]) == (0, True), found["problems"]
    assert all(repair["done"] for repair in found["repairs"])
    text = (root / LOST).read_text()
    assert "See [[people/ada/tea.md]]." in text
    assert "[[archive/2026/2026-06-01.md#Late|June]]" in text
    assert "depends_on" in text and '"[[digest/procedure/index.md|the index]]"' in text
    assert doctor(root, capsys, "--fix", "--yes")[1]["repairs"] == []
    assert main(["undo", "-V", str(root)]) == 0
    capsys.readouterr()
    after = {path: digest for path, digest in contents(root).items() if "metadata" not in path}
    assert after == before


def test_a_lost_catalog_and_a_damaged_index_are_made_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, GOOD)
    index = index_file(root)
    index.parent.mkdir(parents=True, exist_ok=True)
    index.write_bytes(b"no database at all, though it is long enough to be taken for one" * 40)
    code, found = doctor(root, capsys)
    assert code == 1 and "damaged" in found["problems"][0]["what"]
    code, found = doctor(root, capsys, "--fix", "--yes")
    assert (code, len(found["repairs"])) == (0, 2)
    catalog = json.loads((root / "metadata/file_catalog/dream.json").read_text())
    assert list(catalog["files"]) == [DAY]


def test_a_catalog_that_cannot_be_read_is_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, GOOD)
    file = root / "metadata/file_catalog/dream.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")
    assert doctor(root, capsys)[0] == 1
    assert file.read_text() == "{"
    code, found = doctor(root, capsys, "--fix", "--yes")
    assert (code, [r["where"] for r in found["repairs"]]) == (
        0,
        ["metadata/file_catalog/dream.json"],
    )
    assert next(file.parent.glob("dream.json.unreadable-*")).read_text() == "{"


def test_two_machines_in_one_vault_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, {**GOOD, "daily/2026-11-30.md": "We decided to keep the old index.\n"})
    assert main(["run", str(root), "-q"]) == 0
    (report,) = (root / "metadata/runs").glob("*-????.json")
    said = json.loads(report.read_text()) | {"host": "another"}
    report.with_name(f"{report.stem[:-4]}ffff.json").write_text(
        json.dumps(said | {"run_id": f"{report.stem[:-4]}ffff"})
    )
    capsys.readouterr()
    _, found = doctor(root, capsys)
    assert len(found["state"]["machines"]) == 2
    (problem,) = (p for p in found["problems"] if "machines ran" in p["what"])
    assert "runs_on" in problem["next"]


def test_a_needless_conflict_copy_of_a_report_is_removed_and_another_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(tmp_path, {**GOOD, "daily/2026-11-30.md": "We decided to keep the old index.\n"})
    assert main(["run", str(root), "-q"]) == 0
    (report,) = (root / "metadata/runs").glob("*-????.json")
    same = report.with_name(f"{report.stem}.sync-conflict-20261130-120000-ABCDEFG.json")
    other = report.with_name(f"{report.stem}.sync-conflict-20261130-130000-ABCDEFG.json")
    same.write_bytes(report.read_bytes())
    other.write_text("{}")
    capsys.readouterr()
    code, found = doctor(root, capsys, "--fix", "--yes")
    assert code == 1 and not same.exists() and other.read_text() == "{}"
    assert [p["where"] for p in found["problems"]] == [f"metadata/runs/{other.name}"]


def test_twins_long_nodes_and_ties_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = offline(
        tmp_path,
        {
            **GOOD,
            "digest/wiki/a.md": node_text("Tea pot", "Clay. " * 700, description="Clay pots."),
            "digest/wiki/b.md": node_text("tea  POT", "See [[x]].", description="Of clay."),
            "one/x.md": "x\n",
            "two/x.md": "x\n",
        },
    )
    _, found = doctor(root, capsys)
    assert found["digest"]["near_duplicates"] == found["digest"]["too_long"] == 1
    assert found["digest"]["ambiguous_links"] == 1


@pytest.mark.parametrize(
    ("closed", "told"),
    [
        (["digest/procedure"], ["digest/procedure"]),
        (["metadata"], ["metadata"]),
        (["", "digest"], [""]),
        (["digest", "metadata/runs"], ["digest", "metadata/runs"]),
        (["daily"], []),
    ],
)
def test_a_folder_that_takes_no_files_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    closed: list[str],
    told: list[str],
) -> None:
    root = offline(tmp_path, {**GOOD, "metadata/runs/x/note.md": "kept\n"})
    refuse(monkeypatch, *(root / path for path in closed))
    code, found = doctor(root, capsys)
    named = [problem["where"] for problem in found["problems"]]
    assert named == [path or str(root) for path in told]
    assert code == int(bool(told))
    assert all("no permission" in problem["what"] for problem in found["problems"])


def test_a_digest_that_is_yet_to_be_made_needs_an_open_vault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = offline(tmp_path, {DAY: GOOD[DAY]})
    refuse(monkeypatch, root)
    _, found = doctor(root, capsys)
    assert [problem["where"] for problem in found["problems"]] == [str(root)]


def refuse(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """The system lets nobody write in ``folders``: an administrator could, whatever their mode."""
    allowed = os.access

    def access(path: Any, mode: int, **options: Any) -> bool:
        return not (mode & os.W_OK and Path(path) in folders) and allowed(path, mode, **options)

    monkeypatch.setattr(os, "access", access)
