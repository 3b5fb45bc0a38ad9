"""What has gone wrong in programs like this one, each fault at the level of a whole run.

The model is scripted and answers over a real socket; what counts is what stands in the vault, in
the report and in the exit code when the run is over.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.dream.injections import INJECTIONS
from tests.engine.dream.test_model_reader import (
    DAY,
    QUOTE,
    STEPS,
    TEXT,
    UNIT,
    WRITE,
    reader,
    receipt,
    run,
)
from tests.engine.model.server import Server, Step, call, fail, raw, say, say_json
from tests.support import contents, make_vault, node_text, open_session
from vault_dream.engine.dream.report import exit_code
from vault_dream.engine.model.budget import Ceilings
from vault_dream.headless import dream
from vault_dream.pipeline import Job

NEW = "digest/procedure/rebuild-the-index.md"
OLD_DAY = "daily/2026-11-01.md"
NODE = "digest/procedure/index.md"
SECOND_QUOTE = "the dentist moved the appointment to May"
SECOND = {
    "name": "The dentist in May",
    "bucket": "personal",
    "summary": "The appointment with the dentist is in May.",
    "sources": [1],
    "quotes": [{"source": 1, "text": SECOND_QUOTE}],
}
SECOND_WRITE = (
    "write",
    {
        "path": "digest/personal/the-dentist-in-may.md",
        "name": "The dentist in May",
        "description": "When the appointment is.",
        "content": "The appointment with the dentist is in May.\n\n## Sources\n\n"
        f'- The new date was told in [[{DAY}|30 Nov]]: "{SECOND_QUOTE}".',
    },
)
TWO = f"{TEXT}\nToday {SECOND_QUOTE}.\n"
STAGED = [call(WRITE), call(receipt())]
SECOND_STAGED = [call(SECOND_WRITE), call(receipt(target=SECOND_WRITE[1]["path"]))]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT, "Home.md": "My home.\n"})


def with_node(tmp_path: Path, body: str, name: str = "Index", day: str = TEXT) -> Path:
    files = {DAY: day, OLD_DAY: "words that were said on that day\n", NODE: node_text(name, body)}
    return make_vault(tmp_path / "vault", files)


def written(content: str, **more: str) -> tuple[str, dict[str, str]]:
    """The call that writes the usual node with another body."""
    return "write", {**WRITE[1], "content": content, **more}


def cited(body: str) -> str:
    return f'{body}\n\n## Sources\n\n- The order was worked out in [[{DAY}|30 Nov]]: "{QUOTE}".'


def findings(report: dict[str, Any]) -> set[str]:
    return {f["check"] for result in report["integrate_results"] for f in result["findings"]}


def outside(root: Path) -> dict[str, str]:
    """Everything that a run may not touch."""
    ours = ("digest/", "metadata/")
    return {path: digest for path, digest in contents(root).items() if not path.startswith(ours)}


# 1. Empty, cut -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [
        [say_json({})] * 2,
        [say("")] * 2,
        [raw(b"")] * 2,
        [say_json({"units": []}, finish="length")] * 2,
        [say('{"units": [{"name": "x"', finish="length")] * 2,
        [say(None)] * 2,
        [raw(b'{"choices": []}')] * 2,
    ],
    ids=["empty object", "no words", "no body", "cut whole", "cut short", "null", "no choice"],
)
def test_01_an_empty_or_cut_answer_is_never_nothing_found(
    server: Server, vault: Path, broken: list[Step]
) -> None:
    server.plays(*broken)
    report = run(vault, reader(server)).report
    assert (report["status"], report["checkpoint_paths"]) == ("failed", [])
    assert report["failed_paths"] == [DAY] and exit_code(report) == 1
    assert not (vault / "digest").exists()


def test_01_an_empty_answer_that_is_mended_costs_nothing(server: Server, vault: Path) -> None:
    server.plays(say(""), say_json({"units": [UNIT]}), *STAGED)
    assert run(vault, reader(server)).report["nodes_created"] == [NEW]


def test_01_a_cut_after_a_write_does_not_write_twice(server: Server, vault: Path) -> None:
    server.plays(
        say_json({"units": [UNIT]}),
        call(WRITE),
        say("", finish="length"),
        call(WRITE),
        call(receipt()),
    )
    report = run(vault, reader(server)).report
    assert report["nodes_created"] == [NEW]
    assert len(list((vault / "digest").rglob("*.md"))) == 1


def test_01_a_unit_that_falls_silent_fails_alone(server: Server, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    silent = [call(WRITE), say(""), say(""), say(""), say("")]
    server.plays(say_json({"units": [UNIT, SECOND]}), *silent[:4], *SECOND_STAGED)
    report = run(root, reader(server)).report
    assert [f["unit"] for f in report["failed_units"]] == ["Rebuild the index"]
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]
    assert report["checkpoint_paths"] == []


# 2. Reasoning ------------------------------------------------------------------------------------

ANSWER = json.dumps({"units": [UNIT]})


@pytest.mark.parametrize(
    "reply",
    [
        say(f'<think>Is it {{"units": []}}? No.</think>{ANSWER}'),
        say(ANSWER, reasoning_content='first I thought {"units": []}'),
        say(None, reasoning_content=ANSWER),
        say(f"Here you are:\n```json\n{ANSWER}\n```\nI hope it helps."),
        say(f"<thinking>hm</thinking>\n\n{ANSWER}\n\nDone."),
        say(f"thinking about it</think>{ANSWER}"),
    ],
    ids=["tags", "field", "only field", "fence", "other tags", "no opening tag"],
)
def test_02_reasoning_around_an_answer_is_told_from_it(
    server: Server, vault: Path, reply: Step
) -> None:
    server.plays(reply, *STAGED)
    report = run(vault, reader(server)).report
    assert report["nodes_created"] == [NEW]
    assert "think" not in (vault / NEW).read_text()


def test_02_reasoning_without_an_answer_says_what_is_missing(server: Server, vault: Path) -> None:
    server.plays(*[say("", reasoning_content="I wonder.")] * 2)
    report = run(vault, reader(server)).report
    assert report["status"] == "failed"
    assert "reasoning and no answer" in report["errors"][0]["what"]


# 3. Identifiers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said", ["1", "[1]", "1.", 1.0, "#1", "source 1", DAY, DAY[:-3], "2026-11-30", f"[[{DAY}|x]]"]
)
def test_03_a_source_is_known_in_any_dress(server: Server, vault: Path, said: Any) -> None:
    unit = {**UNIT, "sources": [said], "quotes": [{"source": said, "text": QUOTE}]}
    server.plays(say_json({"units": [unit]}), *STAGED)
    assert run(vault, reader(server)).report["units"][0]["paths"] == [DAY]


@pytest.mark.parametrize("said", [9, "daily", "1 or 2", "", "nothing"])
def test_03_a_source_that_nobody_knows_costs_its_unit(
    server: Server, tmp_path: Path, said: Any
) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    lost = {**UNIT, "sources": [said], "quotes": []}
    server.plays(say_json({"units": [lost, SECOND]}), *SECOND_STAGED)
    report = run(root, reader(server)).report
    assert [drop["name"] for drop in report["dropped_units"]] == ["Rebuild the index"]
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]


def test_03_a_node_is_known_without_its_ending_and_in_brackets(
    server: Server, tmp_path: Path
) -> None:
    root = with_node(tmp_path, "Keep the index near.")
    last = (root / NODE).read_text().rstrip().splitlines()[-1]
    edit = {
        "path": f"[[{NODE[:-3]}]]",
        "old": last,
        "new": f"{last}\n- It was said again in [[{DAY}|30 Nov]] too.",
    }
    server.plays(
        say_json({"units": [UNIT]}),
        call(("edit", edit)),
        call(receipt("CORROBORATE", NODE[:-3])),
    )
    assert run(root, reader(server)).report["nodes_updated"] == [NODE]


# 4. One illegal item among five ------------------------------------------------------------------


def test_04_one_illegal_item_among_five_costs_that_one(server: Server, tmp_path: Path) -> None:
    lines = [f"On this day the thing number {i} was found to be quite useful." for i in range(4)]
    root = make_vault(tmp_path / "vault", {DAY: "\n\n".join(lines) + "\n"})
    units: list[Any] = [
        {
            "name": f"Thing {'abcd'[i]}",
            "bucket": "wiki",
            "summary": f"Thing {i} is useful.",
            "sources": [1],
            "quotes": [{"source": 1, "text": f"the thing number {i} was found to be"}],
        }
        for i in range(4)
    ]
    units.insert(2, {"name": 7, "sources": "?"})
    server.plays(say_json({"units": units}))
    for i in range(4):
        path = f"digest/wiki/thing-{'abcd'[i]}.md"
        content = f"Thing {i} is useful.\n\n## Sources\n\n- Number {i} came up in [[{DAY}|30 Nov]]."
        given = {"path": path, "name": f"Thing {'abcd'[i]}", "description": f"On thing {i}."}
        server.plays(call(("write", {**given, "content": content})), call(receipt(target=path)))
    report = run(root, reader(server)).report
    assert len(report["nodes_created"]) == 4
    assert "unit 3 of the answer is not a unit" in report["warnings"]


# 5. Refusals -------------------------------------------------------------------------------------

EXCUSE = "I'm sorry, but I can't help with that."


def test_05_a_refusal_is_never_saved(server: Server, vault: Path) -> None:
    server.plays(say_json({"units": [{**UNIT, "name": EXCUSE, "summary": EXCUSE}]}), say(EXCUSE))
    report = run(vault, reader(server)).report
    assert not (vault / "digest").exists()
    assert exit_code(report) == 1


def test_05_a_refusal_within_a_tool_call_is_sent_back_and_never_lands(
    server: Server, vault: Path
) -> None:
    server.plays(say_json({"units": [UNIT]}))
    server.plays(*[call(written(cited(EXCUSE))), call(receipt())] * 3)
    server.otherwise = call(receipt())
    report = run(vault, reader(server)).report
    assert [f["unit"] for f in report["failed_units"]] == ["Rebuild the index"]
    assert not (vault / "digest").exists()


# 6. The same again and again ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        ("edit", {"path": NODE, "old": "Keep it near.", "new": "Keep it near."}),
        ("edit", {"path": NODE, "old": "not there", "new": "x"}),
        ("edit", {"path": NODE, "old": "e", "new": "x"}),
        ("node_search", {"query": "the same"}),
        ("no_such_tool", {}),
        ("read", {"path": "nowhere.md"}),
    ],
    ids=["old is new", "never", "often", "search", "no tool", "no note"],
)
def test_06_the_same_call_again_is_told_at_once_and_ends_the_unit(
    server: Server, tmp_path: Path, again: tuple[str, Any]
) -> None:
    root = with_node(tmp_path, "Keep it near.", day=TWO)
    before = (root / NODE).read_bytes()
    server.plays(say_json({"units": [UNIT, SECOND]}), *[call(again)] * 3, *SECOND_STAGED)
    report = run(root, reader(server, ceilings=Ceilings(turns=5))).report
    assert [f["unit"] for f in report["failed_units"]] == ["Rebuild the index"]
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]
    assert (root / NODE).read_bytes() == before
    told = json.dumps(server.chats[2]["messages"][-1])
    assert len(told) > 40, "the model hears at once what is wrong"


# 7. and 8. Recovering, receipts ------------------------------------------------------------------


def test_07_a_tool_error_that_is_recovered_from_is_no_failure(server: Server, vault: Path) -> None:
    server.plays(
        say_json({"units": [UNIT]}),
        call(("edit", {"path": "digest/wiki/none.md", "old": "a", "new": "b"})),
        call(written("No link here.")),
        call(("edit", {"path": NEW, "old": "No link here.", "new": cited("Stop it first.")})),
        call(receipt()),
    )
    report = run(vault, reader(server)).report
    assert (report["status"], report["nodes_created"]) == ("ok", [NEW])


def test_08_the_draft_wins_over_the_receipt(server: Server, vault: Path) -> None:
    lie = receipt("CORRECT", "digest/wiki/elsewhere.md", note="deleted everything")
    server.plays(say_json({"units": [UNIT]}), call(WRITE), call(lie))
    (result,) = run(vault, reader(server)).report["integrate_results"]
    assert (result["action"], result["target_path"]) == ("CREATE", NEW)
    assert "receipt" in {f["check"] for f in result["findings"]}


def test_08_a_receipt_for_nothing_fails_the_unit(server: Server, vault: Path) -> None:
    server.plays(say_json({"units": [UNIT]}))
    server.otherwise = call(receipt())
    report = run(vault, reader(server)).report
    assert [f["unit"] for f in report["failed_units"]] == ["Rebuild the index"]
    assert (report["status"], exit_code(report)) == ("failed", 1)


# 9. Places ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "daily/2026-11-30.md",
        "/etc/passwd",
        "C:\\x.md",
        "../x.md",
        "digest/../Home.md",
        "digest/wiki/in-another-bucket.md",
        "Home.md",
        "digest/procedure/../../x.md",
        ".obsidian/app.json",
        "metadata/decisions.json",
        "digest/procedure/con.md",
        "digest/procedure/x\u0000.md",
        "digest\\procedure\\x.md",
        "",
        "digest/procedure/.md",
        "digest/procedure/sub/x.md",
    ],
)
def test_09_a_note_is_written_nowhere_but_where_it_belongs(
    server: Server, vault: Path, path: str
) -> None:
    before = outside(vault)
    server.plays(say_json({"units": [UNIT]}))
    server.otherwise = call(written(WRITE[1]["content"], path=path))
    report = run(vault, reader(server, ceilings=Ceilings(turns=4))).report
    assert report["nodes_created"] == []
    assert [f["unit"] for f in report["failed_units"]] == ["Rebuild the index"]
    assert outside(vault) == before
    answers = [m["content"] for m in server.chats[2]["messages"] if m["role"] == "tool"]
    assert "Refused" in answers[0] or "not" in answers[0]


@pytest.mark.parametrize(
    "link", ["[[digest/wiki/invented.md|x]]", "[[Nowhere]]", "[x](gone.md)", "![[gone.png]]"]
)
def test_09_a_link_to_what_is_not_there_is_refused_by_name(
    server: Server, vault: Path, link: str
) -> None:
    bad = cited(f"Stop it first, as {link} says.")
    server.plays(say_json({"units": [UNIT]}), call(written(bad)), *STAGED)
    assert run(vault, reader(server)).report["nodes_created"] == [NEW]
    told = [m["content"] for m in server.chats[2]["messages"] if m["role"] == "tool"]
    assert "lead nowhere" in told[0]


@pytest.mark.parametrize("tool", ["edit", "frontmatter_update"])
def test_09_only_nodes_are_changed(server: Server, vault: Path, tool: str) -> None:
    before = outside(vault)
    given = {
        "edit": {"path": DAY, "old": "After a change", "new": "Never"},
        "frontmatter_update": {"path": "Home.md", "values": {"name": "x"}},
    }[tool]
    server.plays(say_json({"units": [UNIT]}), call((tool, given)), *STAGED)
    run(vault, reader(server))
    assert outside(vault) == before


# 10. to 13. What is written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "label",
    [
        "Existing version: none.",
        "As [source 1] says:",
        "Action: CREATE",
        "<<<f00d UNIT",
        "FILE daily/2026-11-30.md",
    ],
)
def test_10_labels_of_the_prompt_are_caught(server: Server, vault: Path, label: str) -> None:
    server.plays(
        say_json({"units": [UNIT]}),
        call(written(cited(f"{label}\n\nStop first."))),
        call(receipt()),
    )
    report = run(vault, reader(server), policy="safe").report
    assert "prompt_labels" in findings(report) and report["nodes_created"] == []


def test_11_english_over_chinese_notes_is_not_written_unattended(
    server: Server, tmp_path: Path
) -> None:
    quote = "重建索引之前一定要先停掉观察者不然会坏"
    root = make_vault(tmp_path / "vault", {DAY: f"今天才明白，{quote}。\n"})
    unit = {**UNIT, "quotes": [{"source": 1, "text": quote}]}
    body = (
        "Stop the watcher before the index is dropped, and wait until it is quiet, for otherwise "
        f"the cache is broken.\n\n## Sources\n\n- It was found out in [[{DAY}|30 Nov]]: “{quote}”."
    )
    server.plays(say_json({"units": [unit]}), call(written(body)), call(receipt()))
    report = run(root, reader(server), policy="safe").report
    assert "language" in findings(report) and report["queued"] == 1


def test_11_names_that_collapse_to_one_file_become_two_notes(
    server: Server, tmp_path: Path
) -> None:
    first, second = "外婆的酱汁要凉透了才能下肉去炖", "外婆的面团要醒足一个小时才能擀"
    root = make_vault(tmp_path / "vault", {DAY: f"{first}。\n\n{second}。\n"})
    names = ["外婆的做法！", "外婆的做法？"]
    units = [
        {
            "name": name,
            "bucket": "procedure",
            "summary": f"{quote}。",
            "sources": [1],
            "quotes": [{"source": 1, "text": quote}],
        }
        for name, quote in zip(names, (first, second), strict=True)
    ]
    server.plays(say_json({"units": units}))
    for i, quote in enumerate((first, second)):
        path = "digest/procedure/外婆的做法.md" if not i else "digest/procedure/外婆的做法-2.md"
        body = f"{quote}。\n\n## Sources\n\n- 这是在 [[{DAY}|那天第{i}条]] 记下的：“{quote}”。"
        given = {"name": names[i], "description": f"{quote}。", "content": body}
        if i:  # the first try takes the name that is taken
            server.plays(call(("write", {**given, "path": "digest/procedure/外婆的做法.md"})))
        server.plays(call(("write", {**given, "path": path})), call(receipt(target=path)))
    report = run(root, reader(server)).report
    assert len(report["nodes_created"]) == 2
    texts = [(root / path).read_text() for path in report["nodes_created"]]
    assert first in texts[0] and second in texts[1]


def test_12_purple_is_not_merged_with_cyan(server: Server, tmp_path: Path) -> None:
    quote = "the favourite colour of Anna is purple indeed"
    name = "The favourite colour of Anna is cyan"
    root = with_node(tmp_path, "Anna said that it is cyan.", name, day=f"I learnt: {quote}.\n")
    before = (root / NODE).read_bytes()
    last = (root / NODE).read_text().rstrip().splitlines()[-1]
    unit = {
        **UNIT,
        "name": "The favourite colour of Anna is purple",
        "bucket": "personal",
        "quotes": [{"source": 1, "text": quote}],
    }
    line = f'{last}\n- She told it again in [[{DAY}|30 Nov]]: "{quote}".'
    server.plays(
        say_json({"units": [unit]}),
        call(("edit", {"path": NODE, "old": last, "new": line})),
        call(receipt("CORROBORATE", NODE)),
    )
    report = run(root, reader(server), policy="apply").report
    assert "another_value" in findings(report) and report["queued"] == 1
    assert (root / NODE).read_bytes() == before


def test_13_a_rewrite_that_drops_most_of_a_note_waits(server: Server, tmp_path: Path) -> None:
    body = "\n\n".join(f"Paragraph {i} says that the index is near and safe." for i in range(6))
    root = with_node(tmp_path, body)
    before = (root / NODE).read_bytes()
    last = (root / NODE).read_text().rstrip().splitlines()[-1]
    server.plays(
        say_json({"units": [UNIT]}),
        call(("edit", {"path": NODE, "old": body, "new": "Stop the watcher first."})),
        call(
            (
                "edit",
                {"path": NODE, "old": last, "new": f"{last}\n- It is in [[{DAY}|30 Nov]] too."},
            )
        ),
        call(receipt("REFINE", NODE)),
    )
    report = run(root, reader(server), policy="apply").report
    assert "mostly_removed" in findings(report) and report["queued"] == 1
    assert (root / NODE).read_bytes() == before


# 14. to 16. What runs do -------------------------------------------------------------------------


def test_14_faults_that_pass_cost_a_wait_and_not_the_night(server: Server, vault: Path) -> None:
    server.plays(
        fail(429, headers={"Retry-After": "7"}),
        fail(500),
        say_json({"units": [UNIT]}),
        Step(hang_up=True),
        call(WRITE),
        fail(503),
        call(receipt()),
    )
    model = reader(server)
    report = run(vault, model).report
    assert (report["status"], report["nodes_created"]) == ("ok", [NEW])
    waits = model._client._sleep.waits  # type: ignore[attr-defined]
    assert waits[0] >= 7 and len(waits) == 4


def test_14_a_fault_that_stays_costs_its_unit(server: Server, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    server.plays(say_json({"units": [UNIT, SECOND]}), *[fail(500)] * 5, *SECOND_STAGED)
    report = run(root, reader(server)).report
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]
    assert exit_code(report) == 1


def test_15_progress_is_kept_when_and_only_when_it_was_made(server: Server, vault: Path) -> None:
    server.plays(say("nothing readable"), say("nothing readable"))
    assert run(vault, reader(server)).report["checkpoint_paths"] == []
    server.plays(say_json({"units": []}))
    assert run(vault, reader(server)).report["checkpoint_paths"] == [DAY]
    asked = len(server.chats)
    assert run(vault, reader(server)).report["status"] == "nothing"
    assert len(server.chats) == asked


def test_16_attempts_are_counted_for_the_same_bytes_and_the_exit_tells(
    server: Server, vault: Path
) -> None:
    server.otherwise = say("no")
    for attempt in (1, 2, 3):
        report = run(vault, reader(server)).report
        assert (report["status"], exit_code(report)) == ("failed", 1)
        files = json.loads((vault / "metadata/file_catalog/dream.json").read_text())["files"]
        assert (files[DAY]["state"], files[DAY]["attempts"]) == ("failed", attempt)
    (vault / DAY).write_text(TEXT + "\nAnother line of this day that is new.\n")
    run(vault, reader(server))
    files = json.loads((vault / "metadata/file_catalog/dream.json").read_text())["files"]
    assert files[DAY]["attempts"] == 1


# 24. Limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ceilings", "steps"),
    [
        (Ceilings(calls=1), 1),
        (Ceilings(tokens=6_000), 1),
        (Ceilings(calls=2), 2),
    ],
    ids=["calls", "tokens", "calls in a unit"],
)
def test_24_every_ceiling_stops_the_run_and_leaves_the_rest_pending(
    server: Server, tmp_path: Path, ceilings: Ceilings, steps: int
) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    server.plays(say_json({"units": [UNIT, SECOND]}, usage=(4_000, 500)))
    server.otherwise = call(("node_search", {"query": "x"}), usage=(1_500, 50))
    finished = run(root, reader(server, ceilings=ceilings))
    assert finished.out_of_budget
    assert len(finished.report["failed_units"]) == 2
    assert finished.report["checkpoint_paths"] == []
    assert len(server.chats) <= steps + 1


def test_24_seconds_are_a_ceiling(server: Server, vault: Path) -> None:
    from vault_dream.engine.errors import BudgetError
    from vault_dream.engine.model.budget import Spending

    times = iter([0.0, *[100.0] * 500])
    model = reader(server)
    model._client.spending = Spending(Ceilings(seconds=60), clock=lambda: next(times))
    with pytest.raises(BudgetError):
        run(vault, model)
    assert not (vault / "digest").exists()


def test_24_turns_are_a_ceiling_of_each_unit(server: Server, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    busy = [call(("node_search", {"query": f"word {i}"})) for i in range(4)]
    server.plays(say_json({"units": [UNIT, SECOND]}), *busy, *SECOND_STAGED)
    report = run(root, reader(server, ceilings=Ceilings(turns=4))).report
    assert "4 turns" in report["failed_units"][0]["reason"]
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]


# 25. Orders --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", INJECTIONS)
def test_25_a_server_that_obeys_the_letter_gets_nothing_outside_the_rules(
    server: Server, tmp_path: Path, kind: str
) -> None:
    order = INJECTIONS[kind]
    root = make_vault(
        tmp_path / "vault",
        {
            DAY: f"{TEXT}\n{order}\n",
            OLD_DAY: "words that were said on that day\n",
            "digest/wiki/old.md": node_text("Old", "An old node.", bucket="wiki"),
        },
    )
    before = outside(root) | {"old": contents(root)["digest/wiki/old.md"]}
    server.plays(
        say_json({"units": [UNIT]}),
        call(
            written(WRITE[1]["content"], path="daily/x.md"),
            ("edit", {"path": "digest/wiki/old.md", "old": "An old node.", "new": ""}),
            ("write", {**WRITE[1], "path": "metadata/decisions.json"}),
        ),
        call(WRITE),
        call(receipt()),
    )
    server.otherwise = call(receipt())
    report = run(root, reader(server), policy="apply").report
    assert outside(root) | {"old": contents(root)["digest/wiki/old.md"]} == before
    assert report["nodes_created"] == [] and report["nodes_updated"] == []
    assert "commands_in_sources" in findings(report) or report["failed_units"]


def test_25_orders_in_a_linked_note_hold_what_came_of_reading_it(
    server: Server, tmp_path: Path
) -> None:
    root = make_vault(
        tmp_path / "vault",
        {DAY: f"{TEXT}\nSee [[Manual]].\n", "Manual.md": f"Page 1.\n\n{INJECTIONS['addressed']}\n"},
    )
    server.plays(say_json({"units": [UNIT]}), call(("read", {"path": "Manual.md"})), *STAGED)
    report = run(root, reader(server), policy="apply").report
    assert "commands_in_sources" in findings(report) and report["nodes_created"] == []


def test_25_a_linked_note_that_nobody_read_holds_nothing(server: Server, tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "vault",
        {DAY: f"{TEXT}\nSee [[Manual]].\n", "Manual.md": f"Page 1.\n\n{INJECTIONS['addressed']}\n"},
    )
    server.plays(say_json({"units": [UNIT]}), *STAGED)
    assert run(root, reader(server), policy="apply").report["nodes_created"] == [NEW]


@pytest.mark.parametrize(
    "payload",
    [
        "```dataviewjs\napp.vault.delete()\n```",
        "<% tp.file.move('x') %>",
        "![x](https://evil.org/p?q=1)",
        "<script>x</script>",
        "See www.evil.org/in.",
        "[x](obsidian://open?vault=x)",
    ],
)
def test_25_what_runs_or_tells_never_lands_unattended(
    server: Server, vault: Path, payload: str
) -> None:
    server.plays(
        say_json({"units": [UNIT]}), call(written(cited(f"{payload}\n\nStop."))), call(receipt())
    )
    report = run(vault, reader(server), policy="apply").report
    assert (report["queued"], report["nodes_created"]) == (1, [])


# 26. Secrets -------------------------------------------------------------------------------------

SECRETS = [
    "sk-proj-" + "a1B2" * 6,
    "ghp_" + "a1B2" * 9,
    "AKIA" + "ABCDEFGHIJKLMNOP",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("where", ["body", "heading", "property", "linked note"])
def test_26_a_secret_is_never_sent(server: Server, tmp_path: Path, secret: str, where: str) -> None:
    day = {
        "body": f"{TEXT}\nThe key is {secret} now.\n",
        "heading": f"# Key {secret}\n\n{TEXT}",
        "property": f"---\nkey: {secret}\n---\n{TEXT}",
        "linked note": f"{TEXT}\nSee [[Manual]].\n",
    }[where]
    root = make_vault(tmp_path / "vault", {DAY: day, "Manual.md": f"The key is {secret}.\n"})
    server.plays(
        say_json({"units": [UNIT]}),
        call(("read", {"path": DAY}), ("frontmatter_read", {"path": DAY})),
        call(("read", {"path": "Manual.md"})),
        *STAGED,
    )
    run(root, reader(server))
    assert secret not in json.dumps([seen.body for seen in server.seen])


def test_26_a_secret_that_a_model_knows_is_not_written(server: Server, vault: Path) -> None:
    server.plays(
        say_json({"units": [UNIT]}), call(written(cited(f"Use {SECRETS[0]}."))), call(receipt())
    )
    report = run(vault, reader(server), policy="apply").report
    assert "secrets" in findings(report) and report["nodes_created"] == []


# 27. and 28. What notes contain ------------------------------------------------------------------


@pytest.mark.parametrize(
    "properties",
    ["up: [[Home]]", "a: b: c", "tags: [x, ", "- a\n- b", "key: 'unclosed", "x: *no", "\tx: 1"],
)
def test_27_odd_properties_of_a_day_break_nothing(
    server: Server, tmp_path: Path, properties: str
) -> None:
    root = make_vault(
        tmp_path / "vault", {DAY: f"---\n{properties}\n---\n{TEXT}", "Home.md": "Home.\n"}
    )
    before = outside(root)
    server.plays(say_json({"units": [UNIT]}), call(("frontmatter_read", {"path": DAY})), *STAGED)
    assert run(root, reader(server)).report["nodes_created"] == [NEW]
    assert outside(root) == before


@pytest.mark.parametrize(
    "said",
    [
        "[/notes]",
        "[@click=app.quit]x[/]",
        "\\[[x]]",
        "\x1b[31mred",
        "\u202egnp.exe",
        "a\u200bb",
        "\x07\x08",
        "[link=file:///]x",
    ],
)
def test_28_what_looks_like_markup_reaches_neither_node_nor_terminal(
    server: Server, tmp_path: Path, said: str
) -> None:
    from vault_dream.summary import summary

    root = make_vault(tmp_path / "vault", {DAY: f"{TEXT}\nThen came {said} in the log.\n"})
    unit = {**UNIT, "name": f"Rebuild {said} index", "summary": f"Stop {said} first."}
    server.plays(say_json({"units": [unit]}), *STAGED)
    finished = run(root, reader(server))
    shown = summary(finished.report, {"x": f"+ {said}"})
    assert not any(letter in shown for letter in "\x1b\u202e\u200b\x07\x08")
    text = (root / NEW).read_text()
    assert not any(letter in text for letter in "\x1b\u202e\u200b\x07\x08")


def test_the_steps_of_a_failing_night_leave_a_vault_that_the_next_night_finishes(
    server: Server, tmp_path: Path
) -> None:
    root = make_vault(tmp_path / "vault", {DAY: TWO})
    server.plays(say_json({"units": [UNIT, SECOND]}), *STAGED, say(EXCUSE))
    assert exit_code(run(root, reader(server)).report) == 1
    server.plays(*SECOND_STAGED)
    with open_session(root, reader(server), auto_dream=Job.of(*STEPS)) as session:
        report = dream(session, policy="apply").report
    assert report["nodes_created"] == ["digest/personal/the-dentist-in-may.md"]
    assert report["checkpoint_paths"] == [DAY] and exit_code(report) == 0
