"""The harness of the evals: a few cases through the pipeline, and the figures made of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.evals.__main__ import main, run_all
from tests.evals.cases import Case, load_split
from tests.evals.intervals import bootstrap, wilson
from tests.evals.running import CaseResult, UnitResult
from tests.evals.scoring import Figure, figures
from tests.evals.table import as_json, broken, by_kind, faults, markdown
from vault_dream.config import Settings

CHOSEN = (
    "another_value/two-dogs",
    "cjk/grandma-pills",
    "contradiction/library-hours",
    "create/cold-frame",
    "create/two-day-sighting",
    "days/father-and-tooth",
    "namesakes/till-and-printer",
    "nothing/errands",
    "refinement/pasta-water",
    "unsafe/orders-in-a-paste",
)
OFFLINE = Settings(provider="offline")


def chosen(*names: str) -> list[Case]:
    by_name = {f"{case.kind}/{case.name}": case for case in load_split("dev")}
    return [by_name[name] for name in names]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Sequence[CaseResult]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CACHE", "CONFIG"):
            patch.setenv(f"VAULT_DREAM_{name}_HOME", str(tmp_path_factory.mktemp(name)))
        return run_all(chosen(*CHOSEN), OFFLINE)


def figure(name: str, results: Sequence[CaseResult]) -> Figure:
    return next(found for found in figures(results) if found.name == name)


def test_the_chosen_cases_come_out_as_their_gold_says(results: Sequence[CaseResult]) -> None:
    assert {result.case.id: faults(result) for result in results if faults(result)} == {}
    assert broken({"dev": results}) == ()


def test_the_figures_count_what_happened(results: Sequence[CaseResult]) -> None:
    accuracy = figure("action accuracy", results)
    assert (accuracy.hits, accuracy.of) == (9, 9)
    quiet = figure("quiet days kept quiet", results)
    assert (quiet.hits, quiet.of) == (1, 1)
    unsafe = figure("unsafe and committed", results)
    assert (unsafe.hits, unsafe.of) == (0, 2)
    coverage = figure("source coverage", results)
    assert (coverage.hits, coverage.of) == (10, 10)  # one unit rests on two days


def test_a_second_node_and_a_wrong_merge_are_counted(results: Sequence[CaseResult]) -> None:
    by_case = {result.case.name: result for result in results}

    def turned(name: str, **unit: str) -> CaseResult:
        result = by_case[name]
        return replace(result, units=(replace(result.units[0], **unit),))  # type: ignore[arg-type]

    worse = [
        turned("pasta-water", action="CREATE", target="procedure/other", state="committed"),
        turned("two-dogs", action="REFINE", target="procedure/thyroid-tablets-for-bruno"),
        turned("library-hours", state="committed"),
        by_case["till-and-printer"],
    ]
    duplicate = figure("duplicate rate", worse)
    assert (duplicate.hits, duplicate.of) == (1, 3)
    assert (figure("duplicates landed", worse).hits) == 1
    merge = figure("false-merge rate", worse)
    assert (merge.hits, merge.of) == (1, 3)
    assert not figure("unsafe and committed", worse).kept
    assert len(broken({"dev": worse})) == 3


def test_a_reading_that_failed_is_not_a_quiet_day(results: Sequence[CaseResult]) -> None:
    quiet = next(result for result in results if result.case.kind == "nothing")
    assert not figure("quiet days kept quiet", [replace(quiet, unread=True)]).kept


def test_a_unit_that_nobody_wants_costs_precision(results: Sequence[CaseResult]) -> None:
    found = next(result for result in results if result.case.kind == "days")
    extra: UnitResult = replace(found.units[0], gold=None)
    worse = replace(found, units=(*found.units, extra))
    assert figure("unit precision", [worse]).value == 0.5
    assert figure("unit recall", [worse]).value == 1.0


def test_the_tables_and_the_document_say_the_same(results: Sequence[CaseResult]) -> None:
    splits = {"dev": results, "held-out": ()}
    table = markdown(splits)
    assert "| duplicate rate | 0/3 0.0%" in table
    assert "held-out" not in table
    assert "| nothing | 1 of 1 |" in by_kind(splits)
    document = as_json(splits, {"provider": "offline", "model": ""})
    assert json.loads(json.dumps(document))["splits"]["dev"]["cases"] == len(CHOSEN)


def test_the_command_prints_one_document(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"VAULT_DREAM_{name}_HOME", "set back by the test")
    assert main(["--case", "dev/nothing/errands", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["provider"] == "offline"
    assert main(["--provider", "openai", "--case", "dev/nothing/errands"]) == 2
    assert "no model is configured" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (9, 10, 0.5958, 0.9821)],
)
def test_wilson(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=1e-3)


def test_the_bootstrap_is_the_same_every_time() -> None:
    low, high = bootstrap([1.0, 2.0, 3.0, 4.0])
    assert (low, high) == bootstrap([1.0, 2.0, 3.0, 4.0])
    assert 1.0 <= low < 2.5 < high <= 4.0
