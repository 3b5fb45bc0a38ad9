"""What a reader may say and do, and what a run makes of it: one bad unit costs that unit."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support import (
    NOON,
    ScriptedReader,
    add_source,
    claim,
    contents,
    create,
    make_vault,
    node_text,
    open_session,
    snapshot,
)
from vault_dream.engine.dream.reader import Receipt, ToolError, UnitClaim
from vault_dream.engine.errors import BudgetError, NoModelError
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.headless import dream

DAY = "daily/2026-11-30.md"
TEXT = (
    "- After a schema change stop the watcher before the index is dropped.\n"
    "- The dentist moved the appointment to the first week of May.\n"
)
QUOTE, OTHER_QUOTE = (
    "stop the watcher before the index is dropped",
    "moved the appointment to the first week",
)
NODE = "digest/procedure/index.md"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT, "Home.md": "Home.\n"})


def run(root: Path, reader: Any, policy: Any = "apply", **settings: Any) -> dict[str, Any]:
    with open_session(root, reader, **settings) as session:
        report = dream(session, policy=policy).report
    json.dumps(report, ensure_ascii=False).encode()
    return report


GOOD = claim("Call the dentist", (1, OTHER_QUOTE))


# Claims ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        claim("", (1, QUOTE)),
        claim("  \n ", (1, QUOTE)),
        claim("No summary", (1, QUOTE), summary="  "),
        claim("No source", handles=()),
        claim("Other handles", (99, QUOTE), handles=(7, -1, 0)),
        claim("Call the dentist", (1, QUOTE)),
        claim("CALL THE DENTIST", (1, OTHER_QUOTE)),
        claim(
            "I can't help with that", (1, QUOTE), summary="I'm sorry, but I can't help with that."
        ),
        claim("As an AI language model I cannot", (1, QUOTE)),
    ],
    ids=lambda c: c.name.strip() or "empty",
)
def test_one_illegal_claim_among_good_ones_is_named_and_dropped(
    vault: Path, bad: UnitClaim
) -> None:
    report = run(vault, ScriptedReader([GOOD, bad]))
    assert [u["name"] for u in report["units"]] == ["Call the dentist"]
    assert len(report["dropped_units"]) == 1 and report["dropped_units"][0]["reason"]
    assert report["checkpoint_paths"] == [DAY]


ODD = [
    ("\ud800 name", "Summary."),
    ("Name", "\udfff summary."),
    ("a" * 5_000, "b " * 5_000),
    ("[[digest/x]] ![[y]] #tag", "- [ ] task key:: value"),
    ("\x1b[31mRed\x07", "\u202eReversed\u202c"),
    ("[/notes] [@click=x]", "\\[[x]]"),
    ("name: x", "'quoted' \"both\""),
    ("- a", "# b"),
    ("%%hidden%% shown", "<% tp %> <script>x</script> y"),
    ("no", "null"),
    ("2026-11-30", "0123"),
    ("con", "nul."),
    ("../../etc/passwd", "x"),
]


@pytest.mark.parametrize(("name", "summary"), ODD)
def test_a_name_of_any_kind_makes_an_inert_node_or_none(
    vault: Path, name: str, summary: str
) -> None:
    from vault_dream.engine.vault.paths import slug

    def plan(request: Any, tools: Any) -> Receipt:
        unit = request.unit
        path = tools.write(
            f"digest/{unit.bucket}/{slug(unit.name)}.md",
            unit.name,
            unit.summary,
            f"What was said.\n\n## Sources\n\n- It is told in [[{DAY}|that day]] at length.",
        )
        return Receipt("CREATE", path)

    reader = ScriptedReader([claim(name, (1, QUOTE), summary=summary), GOOD])
    reader.plans = dict.fromkeys([GOOD.name], create)
    with open_session(vault, reader) as session:
        session.scan()
        for unit in session.extract():
            reader.plans[unit.name] = plan  # type: ignore[index]
            assert len(unit.name) <= 120 and not any(c in unit.name for c in "\x1b\ud800\n")
        for proposal in session.integrate():
            session.decide(proposal.id, "approved")
        session.commit()
        report = session.report()
    json.dumps(report, ensure_ascii=False).encode()
    made = report["nodes_created"]
    assert len(made) == len(report["units"]) >= 1
    for path in made:
        note = parse_note(path, (vault / path).read_bytes())
        values = read_properties(note)
        assert not values.error and isinstance(values.values["name"], str)
        assert "[[" not in str(values.values["name"])
    assert run(vault, ScriptedReader())["status"] == "nothing"


@pytest.mark.parametrize(
    "bucket", ["", "Wiki", " personal ", "../x", "skills", "\ud800", "procedure\n"]
)
def test_a_bucket_that_is_none_goes_to_wiki_with_a_warning(vault: Path, bucket: str) -> None:
    report = run(vault, ScriptedReader([claim("A thing", (1, QUOTE), bucket=bucket)]))
    known = (
        bucket.strip().lower()
        if bucket.strip().lower() in ("wiki", "personal", "procedure")
        else ""
    )
    assert report["units"][0]["bucket"] == (known or "wiki")
    assert bool(known) or any("bucket" in w for w in report["warnings"])
    assert report["nodes_created"] == [f"digest/{known or 'wiki'}/a-thing.md"]


@pytest.mark.parametrize(
    "claims",
    [
        (UnitClaim(None, "wiki", "s", (1,)),),  # type: ignore[arg-type]
        (UnitClaim("n", None, "s", (1,)),),  # type: ignore[arg-type]
        (UnitClaim("n", "wiki", None, (1,)),),  # type: ignore[arg-type]
        (UnitClaim("n", "wiki", "s", None),),  # type: ignore[arg-type]
        (UnitClaim("n", "wiki", "s", ("1",)),),  # type: ignore[arg-type]
        (UnitClaim("n", "wiki", "s", (1,), ((1, None),)),),  # type: ignore[arg-type]
        (UnitClaim("n", "wiki", "s", (1,), (("x",),)),),  # type: ignore[arg-type]
        (None,),
    ],
)
def test_a_claim_of_the_wrong_types_costs_that_claim(vault: Path, claims: Any) -> None:
    report = run(vault, ScriptedReader([*claims, GOOD]))
    assert "Call the dentist" in [u["name"] for u in report["units"]]
    assert report["nodes_created"][-1] == "digest/procedure/call-the-dentist.md"


def test_units_over_the_cap_are_named(vault: Path) -> None:
    claims = [claim(f"Thing {i}", (1, QUOTE if i else OTHER_QUOTE)) for i in range(2)]
    report = run(vault, ScriptedReader(claims), max_units=1)
    assert [d["name"] for d in report["dropped_units"]] == ["Thing 1"]


def test_a_rejection_holds_when_the_quote_is_cut_otherwise(vault: Path) -> None:
    run(vault, ScriptedReader([claim("Rebuild", (1, QUOTE))]), "queue")
    with open_session(vault) as session:
        session.scan()
        session.decide(session.proposals[0].id, "rejected")
        session.commit()
    (vault / DAY).write_text(TEXT.replace("After a schema", "Remember: after a schema"))
    for quote in ("the watcher before the index is dropped", f"a schema change {QUOTE}"):
        with open_session(vault, ScriptedReader([claim("Again", (1, quote))])) as session:
            session.scan()
            assert session.extract() == ()
    with open_session(
        vault, ScriptedReader([claim("Again", (1, "Remember: after a schema change"))])
    ) as session:
        session.scan()
        assert len(session.extract()) == 1


# Work --------------------------------------------------------------------------------------------


def raising(error: BaseException) -> Any:
    def plan(request: Any, tools: Any) -> Receipt:
        raise error

    return plan


FAULTS: dict[str, Any] = {
    "a refusal let through": raising(ToolError("no")),
    "a value error": raising(ValueError("bad")),
    "a type error": raising(TypeError("bad")),
    "a key error": raising(KeyError("x")),
    "a recursion": raising(RecursionError()),
    "a time out": raising(TimeoutError()),
    "no receipt": lambda request, tools: None,
    "a receipt of nothing": lambda request, tools: Receipt(None, None),  # type: ignore[arg-type]
    "nothing done": lambda request, tools: Receipt("CREATE", "digest/procedure/x.md"),
    "odd classes": lambda request, tools: Receipt(
        "CREATE",
        create(request, tools).target,
        (None,),
        ((1, 2, 3),),  # type: ignore[arg-type]
    ),
    "odd note": lambda request, tools: Receipt(
        "CREATE",
        create(request, tools).target,
        note=None,  # type: ignore[arg-type]
    ),
    "surrogate note": lambda request, tools: Receipt(
        "CREATE", create(request, tools).target, note="\ud800"
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_a_reader_does_to_one_unit_the_next_one_lands(vault: Path, fault: str) -> None:
    claims = [claim("Bad one", (1, QUOTE)), GOOD]
    report = run(vault, ScriptedReader(claims, {"Bad one": FAULTS[fault]}))
    assert "digest/procedure/call-the-dentist.md" in report["nodes_created"]
    landed = "digest/procedure/bad-one.md" in report["nodes_created"]
    assert landed or [f["unit"] for f in report["failed_units"]] == ["Bad one"]
    assert report["status"] in (("ok",) if landed else ("partial",))


@pytest.mark.parametrize("error", [ValueError("x"), RuntimeError("x"), ToolError("x")])
def test_a_reader_that_breaks_while_reading_or_tagging_ends_no_run(
    vault: Path, error: Exception
) -> None:
    class Tagger(ScriptedReader):
        async def tag(self, request: Any) -> Any:
            raise error

    report = run(vault, Tagger([GOOD]))
    assert report["nodes_created"] and report["auto_tag"]["failed"]
    (vault / DAY).write_text(TEXT + "\nNew words that nobody has read so far.\n")
    report = run(vault, ScriptedReader(fails=error))
    assert (report["status"], report["checkpoint_paths"]) == ("failed", [])
    assert report["errors"][0]["what"]


@pytest.mark.parametrize(
    "said",
    ["search index", None, 7, [None], [["a"]], ["\ud800", "a b", "#x/y", "9", ""], ["t"] * 50],
)
def test_tags_are_cleaned_or_refused(vault: Path, said: Any) -> None:
    path = "digest/procedure/call-the-dentist.md"

    class Tagger(ScriptedReader):
        async def tag(self, request: Any) -> Any:
            return said

    report = run(vault, Tagger([GOOD]))
    assert report["nodes_created"] == [path]
    values = read_properties(parse_note(path, (vault / path).read_bytes())).values
    tags = values.get("memory_tags", [])
    assert (
        isinstance(tags, list)
        and len(tags) <= 5
        and all(len(tag) > 1 or tag == "t" for tag in tags)
    )
    assert len(report["auto_tag"]["tagged"]) + len(report["auto_tag"]["failed"]) <= 1


# The account -------------------------------------------------------------------------------------


def catalog(root: Path) -> dict[str, Any]:
    return json.loads((root / "metadata/file_catalog/dream.json").read_text())["files"]


def test_what_was_settled_before_a_failure_is_remembered(vault: Path) -> None:
    claims = [claim("Bad one", (1, QUOTE)), GOOD]
    run(vault, ScriptedReader(claims, {"Bad one": raising(ToolError("no"))}))
    assert catalog(vault)[DAY]["state"] == "failed"
    (vault / DAY).write_text(TEXT + "\nNew words that nobody has read so far.\n")
    reader = ScriptedReader()
    run(vault, reader)
    assert [u.name for u in reader.asked[0].settled] == ["Call the dentist"]
    assert run(vault, ScriptedReader())["status"] == "nothing"


@pytest.mark.parametrize("error", [BudgetError("budget", "spent"), NoModelError("model", "away")])
def test_what_was_not_reached_is_no_failure_of_its_own(vault: Path, error: Exception) -> None:
    for _ in range(7):
        claims = [GOOD, claim("Not reached", (1, QUOTE))]
        report = run(vault, ScriptedReader(claims, {"Call the dentist": raising(error)}))
        assert {f["unit"] for f in report["failed_units"]} == {"Call the dentist", "Not reached"}
    assert report["files"]["excluded"] == []
    report = run(vault, ScriptedReader([]))
    assert len(report["nodes_created"]) == 2


def test_a_path_that_fails_five_times_rests_for_a_week_and_is_listed(vault: Path) -> None:
    bad = {"Call the dentist": raising(ToolError("no"))}
    for _ in range(5):
        assert run(vault, ScriptedReader([GOOD], bad))["failed_units"]
    report = run(vault, ScriptedReader([GOOD], bad))
    assert [e["path"] for e in report["files"]["excluded"]] == [DAY]
    later = NOON + timedelta(days=7)
    assert run(vault, ScriptedReader([GOOD]), clock=lambda: later)["nodes_created"]


def test_a_run_with_no_news_writes_nothing_whatever_waits(vault: Path) -> None:
    claims = [claim("Bad one", (1, QUOTE)), GOOD]
    run(vault, ScriptedReader(claims), "queue")
    before = snapshot(vault)
    for _ in range(2):
        reader = ScriptedReader(claims)
        assert run(vault, reader, "queue")["status"] == "nothing"
        assert (reader.asked, snapshot(vault)) == ([], before)


def test_a_dry_run_writes_nothing_whatever_is_there(vault: Path) -> None:
    run(vault, ScriptedReader([claim("Bad one", (1, QUOTE)), GOOD]), "queue")
    (vault / DAY).write_text(TEXT + "\nNew words that nobody has read so far.\n")
    (vault / "metadata/file_catalog/dream.json").write_text("{")
    before = snapshot(vault)
    run(vault, ScriptedReader([claim("More", (1, "New words that nobody has read"))]), dry_run=True)
    assert snapshot(vault) == before


SHAPE = {
    "version": int,
    "run_id": str,
    "host": str,
    "vault": str,
    "date": str,
    "dates": list,
    "status": str,
    "provider": str,
    "model": str,
    "prompts": str,
    "dry_run": bool,
    "files": dict,
    "changed_paths": list,
    "units": list,
    "integrate_results": list,
    "failed_units": list,
    "failed_paths": list,
    "dropped_units": list,
    "queued": int,
    "checkpoint_paths": list,
    "nodes_created": list,
    "nodes_updated": list,
    "auto_tag": dict,
    "usage": dict,
    "warnings": list,
    "errors": list,
}


def test_the_report_has_the_shape_that_is_promised(tmp_path: Path) -> None:
    files = {DAY: TEXT, "daily/2026-11-01.md": "words\n", NODE: node_text("Index", "Keep it near.")}
    root = make_vault(tmp_path / "v", files)
    claims = [
        claim("Index", (1, QUOTE)),
        GOOD,
        claim("Third", (1, "The dentist moved the appointment")),
    ]
    plans = {"Index": add_source(NODE), "Third": raising(ToolError("no"))}
    report = run(root, ScriptedReader(claims, plans), "safe")
    assert {key: type(report[key]) for key in SHAPE} == SHAPE
    assert set(report["files"]) == {
        "scanned",
        "changed",
        "unchanged",
        "deleted",
        "excluded",
        "older_unread",
    }
    assert set(report["usage"]) == {
        "calls",
        "prompt_tokens",
        "completion_tokens",
        "cost",
        "seconds",
    }
    assert set(report["auto_tag"]) == {"tagged", "failed"}
    assert report["status"] in ("ok", "partial", "failed", "nothing")
    for result in report["integrate_results"]:
        assert {
            "unit",
            "bucket",
            "paths",
            "action",
            "target_path",
            "note",
            "decision",
            "links_added",
            "links_lost",
            "findings",
        } <= set(result)
        assert result["decision"] in (
            "committed",
            "settled",
            "queued",
            "rejected",
            "failed",
            "dry_run",
        )
        assert all(set(f) == {"check", "level", "message"} for f in result["findings"])
    for unit in report["units"]:
        assert {"name", "bucket", "summary", "paths", "evidence"} <= set(unit)
        assert all({"path", "line", "quote"} <= set(e) for e in unit["evidence"])
    assert all(set(e) == {"where", "what", "next"} for e in report["errors"])
    assert contents(root)["daily/2026-11-01.md"]
