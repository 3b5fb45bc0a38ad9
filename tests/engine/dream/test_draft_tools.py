"""The six tools on a draft: what they take, what they refuse, and that a refusal says what next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support import make_vault, node_text
from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.draft import Draft
from vault_dream.engine.dream.exclusions import Exclusions
from vault_dream.engine.dream.outcome import UnitFailed
from vault_dream.engine.dream.reader import Receipt, ToolError
from vault_dream.engine.dream.tagging import offered
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.vault.vault import Vault

TODAY = date(2026, 11, 30)
DAY = "daily/2026-11-30.md"
INDEX = "digest/procedure/index.md"
FOLDER = "digest/procedure"
UNIT = Unit("Rebuild the index", "procedure", "How it is rebuilt.", (DAY,))
SOURCES = f"## Sources\n\n- It was told in [[{DAY}|Monday]] at length."

FILES: dict[str, str | bytes] = {
    DAY: "Words of the day.\n",
    "daily/2026-11-01.md": "Words.\n",
    "Home.md": "Home.\n",
    INDEX: node_text("Index", "Keep the index near.\n\nIt leans on [[Someday]] and [[Home]]."),
    "digest/wiki/latin.md": b"---\nname: L\n---\ncaf\xe9\n",
    "digest/wiki/broken.md": "---\nname: a\nname: b\n---\nText.\n",
    "digest/wiki/merge.md": "---\nname: m\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
    "digest/wiki/view.base": "filters:\n",
    "digest/wiki/index.sync-conflict-20261130-101112-ABCDEFG.md": "A copy.\n",
    "digest/wiki/plain.md": "No properties here.\n",
}


@pytest.fixture
def digest(tmp_path: Path) -> Digest:
    return Digest(Vault(make_vault(tmp_path / "v", FILES)), "digest")


def draft_on(digest: Digest, unit: Unit = UNIT, **settings: Any) -> Draft:
    return Draft(
        unit,
        digest,
        Settings(**settings),
        TODAY,
        read_source={DAY: "Words of the day."}.get,
        source_properties={DAY: {"mood": "good"}}.get,
    )


@pytest.fixture
def draft(digest: Digest) -> Draft:
    return draft_on(digest)


def written(draft: Draft, body: str = "Body text.") -> str:
    return draft.write(f"{FOLDER}/new.md", "New", "What it is.", f"{body}\n\n{SOURCES}")


Call = Callable[[Draft], object]

REFUSED: dict[str, tuple[Call, str]] = {
    "absolute": (lambda d: d.write("/etc/x.md", "n", "d", "b"), "Use paths as"),
    "dots": (lambda d: d.write("digest/../x.md", "n", "d", "b"), "Use paths as"),
    "drive": (lambda d: d.write("C:\\x.md", "n", "d", "b"), "Use paths as"),
    "other bucket": (lambda d: d.write("digest/wiki/x.md", "n", "d", "b"), f"{FOLDER}/x.md"),
    "deeper": (lambda d: d.write(f"{FOLDER}/a/x.md", "n", "d", "b"), f"{FOLDER}/x.md"),
    "outside": (lambda d: d.write("Notes/x.md", "n", "d", "b"), f"{FOLDER}/x.md"),
    "odd name": (lambda d: d.write(f"{FOLDER}/A b?.md", "n", "d", "b"), f"{FOLDER}/a-b.md"),
    "reserved": (lambda d: d.write(f"{FOLDER}/con.md", "n", "d", "b"), f"{FOLDER}/_con.md"),
    "taken": (lambda d: d.write(INDEX, "n", "d", "b"), "use edit"),
    "twin": (
        lambda d: d.write("digest/procedure/INDEX.md", "n", "d", "b"),
        "digest/procedure/index",
    ),
    "no name": (lambda d: d.write(f"{FOLDER}/x.md", " ", "d", "b"), "Give both"),
    "no description": (lambda d: d.write(f"{FOLDER}/x.md", "n", "", "b"), "Give both"),
    "link in name": (lambda d: d.write(f"{FOLDER}/x.md", f"[[{DAY}]]", "d", "b"), "plain text"),
    "no body": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", " \n"), "Give the text"),
    "frontmatter": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", "---\na: b\n---\n"), "Give only"),
    "dead link": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", "See [[Nowhere]]."), "Link only"),
    "surrogate": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", "\ud800"), "eave"),
    "surrogate name": (lambda d: d.write(f"{FOLDER}/x.md", "\ud800", "d", "b"), "eave"),
    "nul": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", "a\x00b"), "eave"),
    "escape": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", "a\x1b[31mb"), "eave"),
    "no text": (lambda d: d.write(f"{FOLDER}/x.md", "n", "d", None), "text"),  # type: ignore[arg-type]
    "no path": (lambda d: d.write(None, "n", "d", "b"), "text"),  # type: ignore[arg-type]
    "surrogate path": (lambda d: d.write("\ud800", "n", "d", "b"), "Use paths as"),
    "edit a day": (lambda d: d.edit(DAY, "Words", "Other"), "Only digest nodes"),
    "edit nothing": (lambda d: d.edit("digest/wiki/none.md", "a", "b"), "node_search"),
    "edit a folder": (lambda d: d.edit("digest/wiki", "a", "b"), "node"),
    "edit a base": (lambda d: d.edit("digest/wiki/view.base", "filters", "x"), "node_search"),
    "edit a copy": (
        lambda d: d.edit("digest/wiki/index.sync-conflict-20261130-101112-ABCDEFG.md", "A", "B"),
        "node_search",
    ),
    "edit latin": (lambda d: d.edit("digest/wiki/latin.md", "caf", "b"), "Choose another"),
    "edit broken": (lambda d: d.edit("digest/wiki/broken.md", "Text", "b"), "Choose another"),
    "edit merge": (lambda d: d.edit("digest/wiki/merge.md", "a", "b"), "Choose another"),
    "edit twice there": (lambda d: d.edit(INDEX, "It ", "x"), "Quote more"),
    "edit not there": (lambda d: d.edit(INDEX, "zebra", "x"), "Quote it as"),
    "edit same": (
        lambda d: d.edit(INDEX, "Keep the index near.", "Keep the index near."),
        "Change",
    ),
    "edit empty": (lambda d: d.edit(INDEX, "", "x"), "Quote the text"),
    "edit properties": (
        lambda d: d.edit(INDEX, "created: 2026-11-01", "created: 1999-01-01"),
        "frontmatter_update",
    ),
    "edit the fence": (
        lambda d: d.edit(INDEX, "---\n\nKeep", "x: y\n---\n\nKeep"),
        "frontmatter_update",
    ),
    "edit types": (lambda d: d.edit(INDEX, 3, None), "text"),  # type: ignore[arg-type]
    "edit dead link": (
        lambda d: d.edit(INDEX, "Keep the index near.", "See [[Nowhere]]."),
        "Link only",
    ),
    "update ours": (lambda d: d.frontmatter_update(INDEX, {"updated": "x"}), "Leave"),
    "update ours in capitals": (lambda d: d.frontmatter_update(INDEX, {"Created": "x"}), "Leave"),
    "update a twin": (lambda d: d.frontmatter_update(INDEX, {"Name": "x"}), "as name"),
    "update nothing": (lambda d: d.frontmatter_update(INDEX, {}), "at least one"),
    "update a map": (lambda d: d.frontmatter_update(INDEX, {"x": {"a": 1}}), "must be text"),
    "update nan": (lambda d: d.frontmatter_update(INDEX, {"x": float("nan")}), "must be text"),
    "update no name": (lambda d: d.frontmatter_update(INDEX, {"name": " "}), "name"),
    "update a list of names": (lambda d: d.frontmatter_update(INDEX, {"name": ["a", "b"]}), "name"),
    "update empty key": (lambda d: d.frontmatter_update(INDEX, {"": "x"}), "name"),
    "update what the owner has": (
        lambda d: d.frontmatter_update("digest/wiki/own.md", {"status": "x"}),
        "owner",
    ),
    "update dead link": (lambda d: d.frontmatter_update(INDEX, {"up": "[[Nowhere]]"}), "Link only"),
    "update list": (lambda d: d.frontmatter_update(INDEX, ["x"]), "properties"),  # type: ignore[arg-type]
    "read elsewhere": (lambda d: d.read("Home.md"), "unit's sources"),
    "read settings": (lambda d: d.read(".obsidian/app.json"), "unit's sources"),
    "read nothing": (lambda d: d.read("digest/wiki/none.md"), "node_search"),
    "read a copy": (
        lambda d: d.read("digest/wiki/index.sync-conflict-20261130-101112-ABCDEFG.md"),
        "node_search",
    ),
    "properties elsewhere": (lambda d: d.frontmatter_read("Home.md"), "node_search"),
    "search without words": (lambda d: d.node_search(None), "text"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", REFUSED)
def test_every_refusal_says_what_to_do_instead(digest: Digest, case: str) -> None:
    own = digest.vault.root / "digest/wiki/own.md"
    own.write_text("---\nname: o\ndescription: d\nstatus: done\n---\nText.\n")
    digest.refresh()
    call, words = REFUSED[case]
    with pytest.raises(ToolError) as refused:
        call(draft_on(digest))
    message = str(refused.value)
    assert words in message
    assert message.endswith(".") and len(message.split(". ")) >= 2, message


@pytest.mark.parametrize(
    "path", ["new", "new.md", "[[new.md]]", "`new.md`", "./digest/procedure/new.md"]
)
def test_a_path_is_understood_where_it_can_mean_one_thing(draft: Draft, path: str) -> None:
    given = path if path.startswith("./") else path.replace("new", f"{FOLDER}/new")
    assert draft.write(given, "New", "What.", SOURCES) == f"{FOLDER}/new.md"


@pytest.mark.parametrize(
    "path",
    [INDEX, INDEX[:-3], f"[[{INDEX}|Index]]", "Digest/Procedure/Index.md", "digest/procedure/inde"],
)
def test_a_node_is_found_by_every_spelling_that_means_only_it(draft: Draft, path: str) -> None:
    draft.edit(path, "Keep the index near.", "Keep it near.")
    assert "Keep it near." in draft.read(path)
    assert draft.finish(Receipt("REFINE", path)).target == INDEX


def test_read_shows_the_draft_by_every_spelling(draft: Draft) -> None:
    path = written(draft, "Unseen words.")
    for spelling in (path, path[:-3], f"[[{path}]]"):
        assert "Unseen words." in draft.read(spelling)
        assert draft.frontmatter_read(spelling)["name"] == "New"


@pytest.mark.parametrize("path", [DAY, DAY[:-3], f"[[{DAY}#Evening|x]]"])
def test_a_source_is_read_by_every_spelling(draft: Draft, path: str) -> None:
    assert draft.read(path) == "Words of the day."
    assert draft.frontmatter_read(path) == {"mood": "good"}


def test_a_name_that_another_note_has_gets_its_bucket_so_that_no_link_changes_its_end(
    digest: Digest,
) -> None:
    draft = draft_on(digest)
    path = draft.write(f"{FOLDER}/home.md", "Home", "What.", SOURCES)
    assert path == f"{FOLDER}/home-procedure.md"
    draft.edit(f"{FOLDER}/home.md", "at length", "in short")
    assert draft.finish(Receipt("CREATE", f"{FOLDER}/home.md")).warnings == ()
    titled = draft_on(digest, file_names="title")
    assert titled.write(f"{FOLDER}/Home.md", "Home", "What.", SOURCES).endswith(
        "/Home (procedure).md"
    )


def test_one_unit_goes_to_one_node(draft: Draft) -> None:
    written(draft)
    with pytest.raises(ToolError, match="one node"):
        draft.edit(INDEX, "Keep the index near.", "Other.")
    with pytest.raises(ToolError, match="one node"):
        draft.write(f"{FOLDER}/other.md", "n", "d", "b")
    draft.edit(f"{FOLDER}/new", "Body text.", "Better text.")
    assert "Better text." in draft.read(f"{FOLDER}/new.md")


def test_a_refused_call_changes_nothing_and_the_next_one_may_succeed(draft: Draft) -> None:
    for call, _ in REFUSED.values():
        with pytest.raises(ToolError):
            call(draft)
    with pytest.raises(UnitFailed):
        draft.finish(Receipt("REFINE", ""))
    path = written(draft)
    assert draft.finish(Receipt("CREATE", path)).action == "CREATE"


def test_an_edit_may_keep_the_owners_links_as_they_are_written(draft: Draft) -> None:
    line = "It leans on [[Someday]] and [[Home]]."
    draft.edit(INDEX, line, f"{line[:-1]}, and on [[{DAY}|Monday]].")
    assert f"{line[:-1]}, and on [[{DAY}|Monday]]." in draft.read(INDEX)


def test_new_links_are_spelled_in_full_with_a_label(draft: Draft) -> None:
    path = written(draft, f"See [[2026-11-01]] and [[{DAY}]] and [[Index#Sources]].")
    text = draft.read(path)
    assert f"[[daily/2026-11-01.md|2026-11-01]] and [[{DAY}|2026-11-30]]" in text
    assert f"[[{INDEX}#Sources|Index]]" in text


def test_a_pipe_in_a_table_stays_escaped(draft: Draft) -> None:
    path = written(draft, "| a | b |\n|---|---|\n| x | see [[Index\\|the index]] |")
    assert f"see [[{INDEX}\\|the index]] |" in draft.read(path)
    draft.edit(path, "| x | see", "| [[2026-11-01\\|first]] | see")
    assert "| [[daily/2026-11-01.md\\|first]] | see" in draft.read(path)


@pytest.mark.parametrize(
    ("settings", "spelled"),
    [
        ({}, "[[daily/2026-11-01.md|2026-11-01]]"),
        ({"newLinkFormat": "shortest"}, "[[2026-11-01]]"),
        ({"newLinkFormat": "absolute"}, "[[daily/2026-11-01|2026-11-01]]"),
        ({"newLinkFormat": "relative"}, "[[../../daily/2026-11-01|2026-11-01]]"),
        (
            {"newLinkFormat": "absolute", "useMarkdownLinks": True},
            "[2026-11-01](daily/2026-11-01.md)",
        ),
        ({"newLinkFormat": "shortest", "useMarkdownLinks": True}, "[2026-11-01](2026-11-01.md)"),
        (
            {"newLinkFormat": "relative", "useMarkdownLinks": True},
            "[2026-11-01](../../daily/2026-11-01.md)",
        ),
    ],
)
def test_link_format_obsidian_follows_the_vaults_own_settings(
    tmp_path: Path, settings: dict[str, object], spelled: str
) -> None:
    import json

    files = {**FILES, ".obsidian/app.json": json.dumps(settings)}
    digest = Digest(Vault(make_vault(tmp_path / "v", files)), "digest")
    draft = draft_on(digest, link_format="obsidian" if settings else "full")
    path = written(draft, "See [[2026-11-01]] for it.")
    assert f"See {spelled} for it." in draft.read(path)
    draft.frontmatter_update(path, {"up": "[[2026-11-01]]"})
    (up,) = [link for link in _links(draft, path) if link.property == "up"]
    assert digest.resolver().resolve(up.target, path).path == "daily/2026-11-01.md"


def _links(draft: Draft, path: str) -> tuple[Any, ...]:
    from vault_dream.engine.vault.links import links_in
    from vault_dream.engine.vault.notes import parse_note

    return links_in(parse_note(path, draft.read(path).encode()))


# The end -----------------------------------------------------------------------------------------


def test_a_receipt_that_disagrees_is_corrected_not_believed(draft: Draft) -> None:
    path = written(draft)
    for target in ("", "/etc/passwd", "digest/wiki/none.md", DAY):
        outcome = draft.finish(Receipt("CORRECT", target))
        assert (outcome.action, outcome.target) == ("CREATE", path)
        assert len(outcome.warnings) == 2


@pytest.mark.parametrize("action", ["SKIP", "", "create", None, 7])
def test_an_action_that_is_none_is_corrected(draft: Draft, action: Any) -> None:
    path = written(draft)
    assert draft.finish(Receipt(action, path)).action == "CREATE"


@pytest.mark.parametrize(
    ("said", "old", "new", "is_"),
    [
        ("CORROBORATE", "Keep the index near.", "Keep it near, and small.", "REFINE"),
        ("CREATE", "Keep the index near.", "Keep it near, and small.", "REFINE"),
        ("CORRECT", "Keep the index near.", "Keep it far.", "CORRECT"),
        ("REFINE", None, None, "CORROBORATE"),
        ("CREATE", None, None, "CORROBORATE"),
        ("CORROBORATE", None, None, "CORROBORATE"),
    ],
)
def test_the_edits_say_which_action_it_was(
    draft: Draft, said: Any, old: str | None, new: str | None, is_: str
) -> None:
    if old is not None and new is not None:
        draft.edit(INDEX, old, new)
    last = draft.read(INDEX).rstrip("\n").split("\n")[-1]
    draft.edit(INDEX, last, f"{last}\n- It came up again in [[{DAY}|Monday]] by chance.")
    assert draft.finish(Receipt(said, INDEX)).action == is_


def test_a_corroboration_whose_source_stands_already_settles_without_a_write(
    digest: Digest,
) -> None:
    node = digest.vault.root / INDEX
    node.write_text(node.read_text() + f"- It was seen in [[{DAY}|Monday]] before.\n")
    digest.refresh()
    draft = draft_on(digest)
    last = draft.read(INDEX).rstrip("\n").split("\n")[-1]
    draft.edit(INDEX, last, f"{last}\n- And once more in [[{DAY}|Monday]], the same words.")
    outcome = draft.finish(Receipt("CORROBORATE", INDEX))
    assert (outcome.action, outcome.change) == ("CORROBORATE", None)


def test_edits_that_take_each_other_back_change_nothing(draft: Draft) -> None:
    draft.edit(INDEX, "Keep the index near.", "Keep it far.")
    draft.edit(INDEX, "Keep it far.", "Keep the index near.")
    with pytest.raises(UnitFailed, match="changed nothing"):
        draft.finish(Receipt("REFINE", INDEX))


@pytest.mark.parametrize("target", ["", INDEX, DAY, "digest/wiki/none.md", "/x", "digest/wiki"])
def test_a_receipt_without_a_draft_is_no_outcome(draft: Draft, target: str) -> None:
    with pytest.raises(UnitFailed):
        draft.finish(Receipt("CREATE", target))


SECRET = node_text("Index of secrets", "Keep the index of secrets near.")


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        ({"digest/personal/secret.md": SECRET}, {"exclude": ("digest/personal",)}),
        ({"digest/personal/secret.md": SECRET.replace("---\n", "---\ndream: false\n", 1)}, {}),
        (
            {"digest/personal/secret.md": SECRET.replace("---\n", "---\ntags: [mine/x]\n", 1)},
            {"exclude_tags": ("mine",)},
        ),
    ],
)
def test_an_excluded_node_is_in_no_result_and_cannot_be_read(
    tmp_path: Path, files: dict[str, str], settings: dict[str, Any]
) -> None:
    vault = Vault(make_vault(tmp_path / "v", {**FILES, **files}))
    wishes = Settings(**settings)
    unseen = Exclusions(wishes).unseen(wishes.exclude)
    seen = draft_on(Digest(vault, "digest", unseen=unseen), **settings)
    secret = "digest/personal/secret.md"
    assert [hit.path for hit in seen.node_search("index of secrets")] == [INDEX]
    assert offered((), seen._digest) == ()
    for read in (seen.read, seen.frontmatter_read, lambda path: seen.edit(path, "near", "far")):
        with pytest.raises(ToolError, match="not yours to read"):
            read(secret)
    assert secret in [hit.path for hit in Digest(vault, "digest").search("secrets", 20)]
