"""Every labelled case is in the format, and there are enough of each kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.evals.cases import KINDS, SPLITS, Case, CaseError, load_case, load_split
from tests.evals.cases import load_surroundings as surroundings
from tests.evals.guide import CLOSES, OPENS, PAGE

ALL = {split: load_split(split) for split in SPLITS}
LEAST = {"dev": 80, "held-out": 40}

GOOD = """
who: a baker
nodes:
  procedure/rest-the-dough: {name: Rest the dough, text: The dough rests for an hour.}
days:
  2026-11-30: |
    Busy. The dough needs a whole hour of rest.
unit:
  name: An hour of rest
  bucket: procedure
  summary: The dough rests for an hour.
  evidence: ["The dough needs a whole hour of rest."]
gold: {action: CORROBORATE, target: procedure/rest-the-dough}
"""


@pytest.mark.parametrize("split", [split for split, cases in ALL.items() if cases])
def test_there_are_enough_cases_of_every_kind(split: str) -> None:
    kinds = Counter(case.kind for case in ALL[split])
    assert kinds.total() >= LEAST[split]
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 3


@pytest.mark.parametrize("split", sorted(ALL))
def test_no_case_is_about_what_surrounds_it(split: str) -> None:
    taken = {node.path for node in surroundings()}
    assert {case.id for case in ALL[split] if taken & {node.path for node in case.nodes}} == set()


def test_the_guide_has_the_table_of_these_cases() -> None:
    text = PAGE.read_text("utf-8")
    table = text[text.index(OPENS) : text.index(CLOSES)]
    for split, cases in ALL.items():
        if cases:
            assert f"{split} ({len(cases)} cases)" in table


def loaded(tmp_path: Path, text: str) -> Case:
    file = tmp_path / "paraphrase" / "dough.yaml"
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    return load_case(file, "dev")


def test_a_case_is_read_as_it_is_written(tmp_path: Path) -> None:
    case = loaded(tmp_path, GOOD)
    assert case.id == "dev/paraphrase/dough"
    assert case.gold[0].targets == {"procedure/rest-the-dough"}
    assert case.gold[0].safe
    assert case.gold[0].evidence[0].lines == {1}
    assert case.nodes[0].description == "The dough rests for an hour."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("who: a baker", "whose: a baker", "'who'"),
        ("needs a whole hour of rest.\n", "needs rest.\n", "nowhere"),
        ("procedure/rest-the-dough}", "procedure/other}", "not among the nodes"),
        ("CORROBORATE", "MERGE", "no action"),
        ("CORROBORATE, target: procedure/rest-the-dough", "CORROBORATE", "names its target"),
        ("CORROBORATE,", "CORRECT, safe: true,", "for a person to see"),
        ("bucket: procedure", "bucket: recipes", "no bucket"),
        ("who: a baker", "who: a baker\nsafe: true", "not in the format"),
        ("for an hour.}", "for an hour., day: 2026-11-30}", "not older"),
        ("  2026-11-30:", "  monday:", "not a day"),
    ],
)
def test_a_slip_is_an_error_that_names_the_file(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    with pytest.raises(CaseError, match=r"dough\.yaml") as error:
        loaded(tmp_path, GOOD.replace(old, new, 1))
    assert said in str(error.value)
