"""Indexes that stay in step: what another program writes is found without being looked for."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support import make_vault, node_text
from vault_dream.config import Settings
from vault_dream.engine.digest.index import NodeIndex
from vault_dream.engine.digest.vaultindex import VaultIndex
from vault_dream.engine.lookup import Lookup
from vault_dream.engine.vault.watch import AT_ONCE, Watcher
from vault_dream.places import index_folder
from vault_dream.serving.freshness import Freshness

LONG = 20.0
"""Seconds after which a change that is not told counts as lost; it takes a tenth of one."""


class Kept:
    """Freshness of one vault. Stateful: ``told`` is set whenever something changed."""

    def __init__(self, root: Path) -> None:
        self.time = datetime(2026, 11, 30, tzinfo=UTC)
        self.told = threading.Event()
        self.fresh = Freshness(root, now=lambda: self.time, wake=self.told.set, pace=AT_ONCE)

    def catch_up(self) -> int:
        assert self.told.wait(LONG)
        self.told.clear()
        return self.fresh.catch_up()


def found(root: Path, query: str) -> list[str]:
    """What a search finds in the index as it is, without bringing it up to date."""
    with Lookup(root, Settings, folder=None, quick=True) as lookup:
        lookup._index = VaultIndex(Path(index_folder(root)) / "vault.sqlite")
        return [hit.path for hit in lookup.search(query)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {"notes/tea.md": "Oolong.\n"})


def test_what_others_write_is_found_and_what_they_delete_is_not(root: Path) -> None:
    kept = Kept(root)
    kept.fresh.start(Settings())
    try:
        assert found(root, "oolong") == ["notes/tea.md"]
        (root / "notes/pot.md").write_text("A samovar. #tea/black\n", encoding="utf-8")
        assert kept.catch_up() == 1
        assert found(root, "samovar") == ["notes/pot.md"]
        assert found(root, "tag:tea") == ["notes/pot.md"]
        (root / "notes/tea.md").unlink()
        kept.catch_up()
        assert found(root, "oolong") == []
    finally:
        kept.fresh.stop()


def test_a_new_node_is_among_the_nodes(root: Path) -> None:
    kept = Kept(root)
    kept.fresh.start(Settings())
    try:
        node = root / "digest/wiki/samovar.md"
        node.parent.mkdir(parents=True)
        node.write_text(node_text("The samovar", "It hums.", bucket="wiki"), encoding="utf-8")
        while not kept.catch_up():
            pass  # the folder is told before the file
        index = NodeIndex(Path(index_folder(root)) / "nodes.sqlite")
        assert [hit.path for hit in index.overlay(()).search("samovar", 5)] == [
            "digest/wiki/samovar.md"
        ]
        index.close()
    finally:
        kept.fresh.stop()


def test_when_it_is_quiet_the_index_is_marked_as_fresh(root: Path) -> None:
    kept = Kept(root)
    assert kept.fresh.catch_up() == 0, "it was not started"
    kept.fresh.start(Settings())
    try:
        assert kept.fresh.seconds_to_next() is None
        (root / "notes/pot.md").write_text("A samovar.\n", encoding="utf-8")
        kept.catch_up()
        assert kept.fresh.seconds_to_next() == 5.0
        kept.time += timedelta(seconds=6)
        assert kept.fresh.catch_up() == 0
        assert kept.fresh.seconds_to_next() is None
    finally:
        kept.fresh.stop()


def test_a_folder_that_cannot_be_watched_is_looked_at_now_and_then(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more(self: Watcher) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(Watcher, "_follow", no_more)
    kept = Kept(root)
    kept.fresh.start(Settings())
    assert "limit" in kept.fresh.problem
    (root / "notes/pot.md").write_text("A samovar.\n", encoding="utf-8")
    assert kept.fresh.seconds_to_next() == 600
    kept.time += timedelta(minutes=10)
    kept.fresh.catch_up()
    assert found(root, "samovar") == ["notes/pot.md"]
    assert kept.fresh.seconds_to_next() == 600
    kept.fresh.stop()
