"""The duplicate sense: what is one abstraction, and what only looks like it."""

from __future__ import annotations

import pytest

from vault_dream.engine.digest.classify import RELATED, SAME, UNRELATED, classify
from vault_dream.engine.digest.nodes import NodeText


def judged(name: str, node: str, *, summary: str = "", description: str = "") -> str:
    return classify(name, summary, (), NodeText("digest/wiki/n.md", node, description)).kind


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("Rebuild the search index", "Rebuilding search indices"),
        ("Rotate CI secrets", "Rotate continuous integration secrets"),
        ("Rotate continuous integration secrets", "Rotate CI secrets"),
        ("Backups of the NAS on Sundays", "NAS backup every Sunday"),
        ("How to configure Elasticserch", "Configuring Elasticsearch"),
        ("重建搜索索引的步骤", "搜索索引重建"),
        ("サーバーを再起動する方法", "サーバーの再起動"),
        ("서버를 재시작하는 방법", "서버 재시작"),
        ("🌱", "🌱"),
        ("???", "???"),
    ],
)
def test_one_abstraction_in_other_words(name: str, node: str) -> None:
    assert judged(name, node) == SAME


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("Favourite colour is purple", "Favourite colour is cyan"),
        ("Upgrade Postgres 15 for billing", "Upgrade Postgres 16 for search"),
        ("Postgres 15 upgrade steps", "Postgres 16 upgrade steps"),
        ("Prefer tabs over spaces", "Prefers spaces over tabs"),
        ("Anna likes tea", "Anna likes coffee"),
        ("Anna likes tea", "Bob likes tea"),
        ("Meeting with Jon on Monday", "Meeting with Jan on Monday"),
        ("Restart the API on staging", "Restart the API on production"),
        ("最喜欢的颜色是紫色", "最喜欢的颜色是青色"),
        ("v2 release checklist", "v3 release checklist"),
    ],
)
def test_one_template_with_another_value_is_only_related(name: str, node: str) -> None:
    assert judged(name, node) == RELATED
    assert judged(node, name) == RELATED


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("Prune the apple tree", "Rotate database credentials"),
        ("重建索引", "修剪苹果树"),
        ("", "x"),
    ],
)
def test_strangers(name: str, node: str) -> None:
    assert judged(name, node) == UNRELATED


def test_the_summary_speaks_for_the_unit() -> None:
    assert judged("Index trouble", "Rebuild the search index after a schema change") == RELATED
    summary = "After a schema change the search index must be rebuilt; the old trouble again."
    description = "What trouble comes otherwise"
    node = "Rebuild the search index after a schema change"
    assert judged("Index trouble", node, summary=summary, description=description) == SAME


def test_an_alias_counts_as_a_name() -> None:
    node = NodeText("digest/wiki/k8s.md", "Kubernetes notes", "", aliases=("Container cluster",))
    assert classify("Container cluster", "", (), node).kind == SAME


def test_the_reason_names_the_words() -> None:
    other = NodeText("digest/personal/c.md", "Favourite colour is cyan", "")
    judgement = classify("Favourite colour is purple", "", (), other)
    assert judgement.reason == "same template, another value: purple against cyan"
    assert 0 <= judgement.score <= 1
