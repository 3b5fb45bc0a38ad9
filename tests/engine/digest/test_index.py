"""NodeIndex: what a refresh notices, what a search finds, and what the file may do to it."""

from __future__ import annotations

import dataclasses
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.digest.index import NodeIndex, Refreshed
from vault_dream.engine.digest.nodes import NodeText

LATER = 10**19 // 2  # a clock at which every file in these tests is old


class Notes:
    """Notes as an index sees them: entries, and a loader that counts what it reads."""

    def __init__(self, nodes: Iterable[NodeText] = ()) -> None:
        self.nodes = {node.path: node for node in nodes}
        self.stat = dict.fromkeys(self.nodes, (1, 1))
        self.read: list[str] = []

    def put(self, node: NodeText, mtime_ns: int = 2) -> None:
        self.nodes[node.path] = node
        self.stat[node.path] = (len(node.body), mtime_ns)

    def drop(self, path: str) -> NodeText:
        del self.stat[path]
        return self.nodes.pop(path)

    def load(self, path: str) -> NodeText | None:
        self.read.append(path)
        return self.nodes[path]

    def into(self, index: NodeIndex) -> Refreshed:
        self.read.clear()
        return index.refresh([(path, *stat) for path, stat in self.stat.items()], self.load)


def node(name: str, description: str = "", body: str = "", path: str = "") -> NodeText:
    path = path or f"digest/wiki/{name.lower().replace(' ', '-')}.md"
    return NodeText(path, name, description, body=body)


def an_index(file: Path | None = None) -> NodeIndex:
    return NodeIndex(file, now_ns=lambda: LATER)


def filled(*nodes: NodeText) -> NodeIndex:
    index = an_index()
    Notes(nodes).into(index)
    return index


def names(index: NodeIndex, query: str) -> list[str]:
    return [hit.name for hit in index.search(query)]


GARDEN = (
    node("Prune the apple tree", "Cut in late winter, never in frost"),
    node("Sharpen secateurs", "With a whetstone, before pruning"),
    node("Sourdough", "Flour, water and a week of patience; starter"),
    node("Sourdough starter", "How to feed it"),
    node("重建搜索索引", "先停止监听器"),
    node("Crème brûlée", "Burnt cream"),
)


# What is found


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("sourdough", "Sourdough"),
        ("SOURDOUGH STARTER", "Sourdough starter"),
        ("pruned apple trees", "Prune the apple tree"),
        ("sharpenning secatuers", "Sharpen secateurs"),
        ("creme brulee", "Crème brûlée"),
        ("索引重建", "重建搜索索引"),
        ("搜索", "重建搜索索引"),
        ("whetstone", "Sharpen secateurs"),
        ("whets", "Sharpen secateurs"),
        ("prune app", "Prune the apple tree"),
        ("appletree", "Prune the apple tree"),
    ],
)
def test_the_right_node_comes_first(query: str, first: str) -> None:
    assert names(filled(*GARDEN), query)[0] == first


def test_an_exact_name_scores_one_and_nothing_else_does() -> None:
    hits = filled(*GARDEN).search("Sourdough")
    assert hits[0].score == 1.0
    assert all(0 < hit.score < 1 for hit in hits[1:])


def test_an_alias_and_a_file_name_count_as_the_name() -> None:
    index = filled(
        NodeText("digest/wiki/k8s-runbook.md", "Kubernetes", "Containers", aliases=("Kube",)),
        node("Kubernetes kube", "kube kube"),
    )
    assert index.search("kube")[0].path == "digest/wiki/k8s-runbook.md"
    assert index.search("k8s runbook")[0].score == 1.0


def test_an_unknown_word_lowers_the_score() -> None:
    index = filled(*GARDEN)
    assert index.search("whetstone")[0].score > index.search("whetstone zzyzx qwfpg")[0].score


def test_the_limit_is_kept() -> None:
    index = filled(*(node(f"Compost {n}") for n in range(30)))
    assert [len(index.search("compost", limit)) for limit in (-1, 0, 1, 7, 100)] == [0, 0, 1, 7, 30]


def test_a_vault_whose_nodes_all_say_the_word_still_answers() -> None:
    index = filled(*(node(f"Compost {n}", "heap") for n in range(200)))
    assert len(index.search("compost heap", 20)) == 20


# What a refresh notices


def test_a_second_refresh_of_the_same_notes_reads_none() -> None:
    notes, index = Notes(GARDEN), an_index()
    assert notes.into(index) == Refreshed(added=len(GARDEN))
    assert notes.into(index) == Refreshed(unchanged=len(GARDEN))
    assert notes.read == []


def test_a_changed_note_is_found_by_its_new_words_only() -> None:
    notes, index = Notes(GARDEN), an_index()
    notes.into(index)
    notes.put(node("Sourdough", "Rye"))
    assert notes.into(index) == Refreshed(changed=1, unchanged=len(GARDEN) - 1)
    assert notes.read == ["digest/wiki/sourdough.md"]
    assert names(index, "rye") == ["Sourdough"]
    assert names(index, "patience") == []


def test_a_touched_note_is_read_but_not_written() -> None:
    notes, index = Notes(GARDEN), an_index()
    notes.into(index)
    notes.put(GARDEN[2], mtime_ns=99)
    assert notes.into(index) == Refreshed(unchanged=len(GARDEN))
    assert len(notes.read) == 1
    notes.into(index)
    assert notes.read == []


def test_a_renamed_note_is_followed() -> None:
    notes, index = Notes(GARDEN), an_index()
    notes.into(index)
    notes.drop("digest/wiki/sourdough.md")
    notes.put(node("Sourdough", GARDEN[2].description, path="digest/procedure/bread.md"))
    assert notes.into(index) == Refreshed(renamed=1, unchanged=len(GARDEN) - 1)
    assert index.search("sourdough")[0].path == "digest/procedure/bread.md"
    assert index.search("bread")[0].score == 1.0


def test_two_notes_that_swap_names_are_both_right() -> None:
    one, two = node("A", "apples", path="digest/a.md"), node("B", "bananas", path="digest/b.md")
    notes, index = Notes((one, two)), an_index()
    notes.into(index)
    notes.put(node("B", "bananas", path="digest/a.md"))
    notes.put(node("A", "apples", path="digest/b.md"))
    notes.into(index)
    assert index.search("apples")[0].path == "digest/b.md"
    assert index.search("bananas")[0].path == "digest/a.md"


def test_a_removed_note_and_its_words_are_gone() -> None:
    notes, index = Notes(GARDEN), an_index()
    notes.into(index)
    notes.drop("digest/wiki/sharpen-secateurs.md")
    assert notes.into(index) == Refreshed(removed=1, unchanged=len(GARDEN) - 1)
    assert names(index, "whetstone") == []


def test_a_note_that_is_no_node_is_looked_at_once() -> None:
    index, read = an_index(), []

    def load(path: str) -> NodeText | None:
        read.append(path)
        return None

    index.refresh([("digest/readme.md", 1, 1)], load)
    index.refresh([("digest/readme.md", 1, 1)], load)
    assert read == ["digest/readme.md"]
    assert index.search("readme") == ()


def test_an_unreadable_note_costs_only_itself() -> None:
    notes, index = Notes(GARDEN), an_index()

    def load(path: str) -> NodeText | None:
        if path == "digest/wiki/sourdough.md":
            raise PermissionError(path)
        return notes.load(path)

    done = index.refresh([(path, 1, 1) for path in notes.nodes], load)
    assert done == Refreshed(added=len(GARDEN) - 1, failed=("digest/wiki/sourdough.md",))


def test_a_note_written_a_moment_ago_is_read_again() -> None:
    # Its mtime cannot tell a second write in the same tick from none.
    now = 10**18
    index, notes = NodeIndex(None, now_ns=lambda: now), Notes()
    notes.put(node("Sourdough", "rye"), mtime_ns=now - 1)
    notes.into(index)
    notes.nodes["digest/wiki/sourdough.md"] = node("Sourdough", "oat")
    notes.into(index)
    assert names(index, "oat") == ["Sourdough"]


def test_after_any_refreshes_the_index_is_as_if_new() -> None:
    notes, index = Notes(GARDEN), an_index()
    notes.into(index)
    notes.drop("digest/wiki/sourdough.md")
    notes.put(node("Prune the plum tree", "in summer"))
    notes.put(node("Sharpen secateurs", "file"))
    notes.into(index)
    anew = filled(*notes.nodes.values())
    for query in ("prune tree", "sourdough", "secateurs file", "索引", "sumer"):
        assert index.search(query) == anew.search(query)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d"]),
        st.lists(
            st.sampled_from(["boil", "boils", "boiled", "tea", "time-out", "索引", "café", "x1"]),
            max_size=4,
        ),
        st.sampled_from(["put", "drop", "rename"]),
    ),
    max_size=12,
)


@given(CHANGES, st.integers(0, 3))
def test_words_are_counted_one_by_one_as_all_at_once(
    changes: list[tuple[str, list[str], str]], singly: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vault_dream.engine.digest.refresh.COUNTED_SINGLY", singly)
        notes, index = Notes(), an_index()
        for time, (name, words, what) in enumerate(changes):
            path = f"digest/wiki/{name}.md"
            if what == "put":
                notes.put(node(" ".join(words) or name, body=" ".join(words[1:]), path=path), time)
            elif path in notes.nodes and what == "drop":
                notes.drop(path)
            elif path in notes.nodes:
                old = notes.drop(path)
                notes.put(dataclasses.replace(old, path=f"digest/wiki/{name}2.md"), time)
            notes.into(index)
    anew = filled(*notes.nodes.values())
    for query in ("SELECT * FROM term", "SELECT nodes, counted FROM total"):
        held, made = (one._store.connection.execute(query).fetchall() for one in (index, anew))
        assert held == made
    for query in ("boiling", "tea timeout", "索引 cafe", "x1"):
        assert index.search(query) == anew.search(query)


def test_what_else_the_loader_goes_by_is_read_anew() -> None:
    notes, index = Notes(GARDEN), an_index()
    entries = [(path, *stat) for path, stat in notes.stat.items()]
    index.refresh(entries, notes.load, origin="tags")
    assert index.refresh(entries, notes.load, origin="tags") == Refreshed(unchanged=len(GARDEN))
    hidden = {GARDEN[0].path}
    load = lambda path: None if path in hidden else notes.load(path)  # noqa: E731
    index.refresh(entries, load, origin="topics")
    assert names(index, "apple tree") == []
    assert names(index, "secateurs") == ["Sharpen secateurs"]


# Drafts


def test_drafts_are_found_beside_nodes_and_leave_the_index_alone() -> None:
    index = filled(*GARDEN)
    view = index.overlay([node("Feed the leaven", "Sourdough starter care")])
    assert view.search("feed the leaven")[0].name == "Feed the leaven"
    assert "Feed the leaven" in [hit.name for hit in view.search("sourdough starter")]
    assert "Feed the leaven" not in names(index, "feed the leaven")


def test_a_draft_stands_for_the_node_it_changes() -> None:
    index = filled(*GARDEN)
    view = index.overlay([node("Sourdough", "now with spelt")])
    assert next(hit.description for hit in view.search("sourdough")) == "now with spelt"
    assert [hit.path for hit in view.search("sourdough")].count("digest/wiki/sourdough.md") == 1


def test_a_draft_and_a_node_of_one_text_score_the_same() -> None:
    text = node("Mulch the beds", "Straw, after rain", "It keeps the soil wet")
    indexed = filled(*GARDEN, text).search("mulch with straw")
    drafted = filled(*GARDEN).overlay([text]).search("mulch with straw")
    assert indexed[0].score == pytest.approx(drafted[0].score)


# The file


def test_the_index_outlives_its_process(tmp_path: Path) -> None:
    notes, file = Notes(GARDEN), tmp_path / "cache" / "nodes.db"
    first = an_index(file)
    notes.into(first)
    first.close()
    again = an_index(file)
    assert names(again, "whetstone") == ["Sharpen secateurs"]
    assert notes.into(again) == Refreshed(unchanged=len(GARDEN))
    assert file.stat().st_mode & 0o077 == 0


def damaged(kind: str, file: Path) -> None:
    if kind == "old version":
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA user_version = 0")
        database.close()
        return
    for leftover in file.parent.glob("nodes.db*"):
        leftover.unlink()
    if kind == "noise":
        file.write_bytes(b"not a database at all " * 500)
    elif kind == "empty":
        file.write_bytes(b"")
    elif kind == "foreign":
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE node (id, path)")
        database.close()


@pytest.mark.parametrize("kind", ["noise", "empty", "foreign", "old version", "gone"])
def test_a_file_that_is_no_good_is_begun_anew(kind: str, tmp_path: Path) -> None:
    file, notes = tmp_path / "nodes.db", Notes(GARDEN)
    first = an_index(file)
    notes.into(first)
    first.close()
    damaged(kind, file)
    index = an_index(file)
    assert index.search("whetstone") == ()
    assert notes.into(index) == Refreshed(added=len(GARDEN))
    index.close()
    assert notes.into(an_index(file)) == Refreshed(unchanged=len(GARDEN))


def test_damage_during_use_is_mended_by_the_next_call(tmp_path: Path) -> None:
    file, notes, index = tmp_path / "nodes.db", Notes(GARDEN), an_index(tmp_path / "nodes.db")
    notes.into(index)
    with sqlite3.connect(file) as other:
        other.execute("DROP TABLE brief")
        other.execute("DROP TABLE term")
    other.close()
    assert names(index, "whetstone") == ["Sharpen secateurs"]
    assert notes.into(index) == Refreshed(unchanged=len(GARDEN))


def test_a_full_disk_is_survived_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vault_dream.engine.digest import store

    opened: list[str] = []

    def connect(where: str) -> sqlite3.Connection:
        connection = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
        opened.append(where)
        if where != ":memory:":
            connection.execute("PRAGMA max_page_count = 40")
        return connection

    monkeypatch.setattr(store, "_connect", connect)
    index = an_index(tmp_path / "nodes.db")
    notes = Notes(node(f"Note {n}", body=f"word{n} " * 50) for n in range(2000))
    notes.into(index)
    assert opened == [str(tmp_path / "nodes.db")] * 2 + [":memory:"]
    assert names(index, "note 1999")[0] == "Note 1999"


def test_without_a_place_for_the_file_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    for impossible in (tmp_path / "taken" / "nodes.db", tmp_path):
        index, notes = an_index(impossible), Notes(GARDEN)
        assert notes.into(index) == Refreshed(added=len(GARDEN))
        assert names(index, "whetstone") == ["Sharpen secateurs"]


def test_two_processes_see_each_others_work(tmp_path: Path) -> None:
    file, notes = tmp_path / "nodes.db", Notes(GARDEN)
    one, two = an_index(file), an_index(file)
    notes.into(one)
    assert names(two, "secatuers") == ["Sharpen secateurs"]
    notes.put(node("Zucchini glut", "Give them away"))
    notes.into(two)
    assert names(one, "zuchini") == ["Zucchini glut"]
    assert notes.into(one) == Refreshed(unchanged=len(GARDEN) + 1)


def test_a_new_file_has_its_log_once_it_is_filled(tmp_path: Path) -> None:
    file = tmp_path / "nodes.sqlite"
    notes = Notes([node("Kettle")])

    def stopped(path: str) -> NodeText | None:
        raise KeyboardInterrupt

    index = an_index(file)
    with pytest.raises(KeyboardInterrupt):
        index.refresh([("digest/a.md", 1, 1)], stopped)
    notes.into(index)
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [hit.name for hit in index.search("kettle")] == ["Kettle"]


def test_a_new_file_that_another_process_reads_gets_its_log_from_the_next(tmp_path: Path) -> None:
    file = tmp_path / "nodes.sqlite"
    index = an_index(file)
    index._store.connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        Notes([node("Kettle")]).into(index)
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN")
        other.execute("SELECT * FROM total").fetchone()
        index._store.keep_log()
        assert [hit.name for hit in index.search("kettle")] == ["Kettle"]
    index.close()
    an_index(file).close()
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_locked_file_is_searched_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vault_dream.engine.digest.store._WAIT_SECONDS", 0.01)
    file, notes = tmp_path / "nodes.db", Notes(GARDEN)
    index = an_index(file)
    notes.into(index)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    notes.put(node("Zucchini glut"))
    assert notes.into(index).waiting
    assert names(index, "whetstone") == ["Sharpen secateurs"]
    other.execute("ROLLBACK")
    other.close()
    assert notes.into(index).added == 1


def test_searches_and_refreshes_from_many_threads(tmp_path: Path) -> None:
    index, notes = an_index(tmp_path / "nodes.db"), Notes(GARDEN)
    notes.into(index)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(20):
                assert names(index, "whetstone")
                if number == 0:
                    notes.put(node(f"Turn {turn}"))
                    notes.into(index)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert names(index, "turn 19")[0] == "Turn 19"
