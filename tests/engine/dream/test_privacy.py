"""Privacy of a run with a model: who gets what, said before and counted; the key goes nowhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.engine.dream.test_model_reader import (
    DAY,
    PROMPTS,
    STEPS,
    TEXT,
    UNIT,
    WRITE,
    receipt,
)
from tests.engine.model.conftest import QUICK, Slept
from tests.engine.model.server import Server, call, fail, say_json, serving
from tests.support import REPOSITORY, make_vault, open_session
from vault_dream.cli import main
from vault_dream.engine.dream.model_reader import ModelReader
from vault_dream.engine.dream.prompts import load_prompts
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.events import Event, Extracting, Integrated, Sending
from vault_dream.engine.model.budget import Ceilings, Spending
from vault_dream.engine.model.capabilities import Capabilities
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.endpoint import Endpoint
from vault_dream.engine.model.ledger import Ledger
from vault_dream.engine.model.usage import Prices
from vault_dream.engine.model.wire import OnSend
from vault_dream.headless import dream
from vault_dream.pipeline import Job
from vault_dream.progress import describe

KEY = "sk-test-abcdefghijklmnop0123456789"
ANSWERS = [say_json({"units": [UNIT]}), call(WRITE), call(receipt())]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT})


def counted(
    server: Server, ledger: Ledger, prices: Prices | None = None, on_send: OnSend | None = None
) -> ModelReader:
    client = ChatClient(
        Endpoint(server.url, "m", timeouts=QUICK),
        spending=Spending(Ceilings(turns=6)),
        capabilities=Capabilities(),
        ledger=ledger,
        on_send=on_send,
        sleep=Slept(),
        environ={"OPENAI_API_KEY": KEY},
    )
    return ModelReader(client, PROMPTS, context_tokens=32_768, prices=prices)


def session_of(vault: Path, model: Any, told: list[Event]) -> Any:
    return open_session(vault, model, on_event=told.append, auto_dream=Job.of(*STEPS))


# The first send ----------------------------------------------------------------------------------


def test_the_first_send_names_the_endpoint_and_the_amount_before_anything_is_sent(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "sent.jsonl")
    with session_of(vault, counted(server, ledger), []) as session:
        session.scan()
        first = session.first_send()
    assert first is not None
    assert (first.model, first.notes) == ("m", 1)
    assert first.host == f"127.0.0.1:{server.url.split(':')[2].split('/')[0]}"
    assert first.characters > len(TEXT)
    assert server.seen == [] and not ledger.path.exists()


def test_a_person_sees_every_request_before_and_after_it_is_sent(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    server.plays(*ANSWERS)
    sent: list[tuple[str, dict[str, Any]]] = []
    reader = counted(
        server,
        Ledger(tmp_path / "sent.jsonl"),
        on_send=lambda label, purpose, body: sent.append((purpose, dict(body))),
    )
    with session_of(vault, reader, []) as session:
        session.scan()
        before = session.preview()
        assert server.seen == []
        dream(session, policy="apply")
    assert [body for _, body in sent] == [seen.body for seen in server.seen]
    assert [purpose for purpose, _ in sent] == ["extract", "integrate", "integrate"]

    def without_fence(body: Any) -> str:
        return re.sub(r"[0-9a-f]{12}", "", json.dumps(body))

    assert [without_fence(body) for body in before] == [without_fence(sent[0][1])]


def test_a_known_endpoint_an_offline_reader_and_a_quiet_day_ask_nothing(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "sent.jsonl")
    server.plays(*ANSWERS)
    told: list[Event] = []
    with session_of(vault, counted(server, ledger), told) as session:
        dream(session, policy="apply")
        assert [type(e) for e in told].count(Sending) == 1
        session.scan()
        assert session.first_send() is None, "nothing is new"
    (vault / DAY).write_text(TEXT + "\nAnother line of the day that is new.\n")
    with session_of(vault, counted(server, ledger), told) as session:
        session.scan()
        assert session.first_send() is None, "the endpoint is known"
    with open_session(vault) as session:
        session.scan()
        assert session.first_send() is None, "there is no model"
        assert session.estimate().tokens == 0


def test_headless_says_the_first_send_once_on_stderr(
    server: Server, vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (vault / "vault-dream.yaml").write_text(
        f"model: m\nbase_url: {server.url}\ncontext_tokens: 32768\ntimezone: UTC\n"
    )
    arguments = ["run", str(vault), "--date", "2026-11-30", "--json"]
    server.otherwise = say_json({"units": []})
    assert main(arguments) == 0
    first = capsys.readouterr()
    assert "first request to 127.0.0.1" in first.err
    json.loads(first.out)
    (vault / DAY).write_text(TEXT + "\nAnother line of the day that is new.\n")
    assert main(arguments) == 0
    assert "first time" not in capsys.readouterr().err


# The exact request, the ledger -------------------------------------------------------------------


def test_a_dry_run_shows_every_request_as_it_leaves_and_writes_nothing(
    server: Server, vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.plays(*ANSWERS)
    given = ["--model", "m", "--base-url", server.url, "--date", "2026-11-30"]
    main(["run", str(vault), "--dry-run", "-v", *given])
    shown = capsys.readouterr().err
    for purpose, body in zip(("extract", "integrate"), server.chats, strict=False):
        assert f"--- {purpose} request ---" in shown
        for message in body["messages"]:
            assert message["content"] in shown
    assert sorted(p.name for p in vault.iterdir()) == [".obsidian", "daily"]


def test_the_ledger_counts_every_request_of_a_run_and_none_of_its_text(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    ledger = Ledger(tmp_path / "sent.jsonl")
    server.plays(ANSWERS[0], fail(500), *ANSWERS[1:], say_json({"tags": ["index"]}))
    with open_session(vault, counted(server, ledger)) as session:
        report = dream(session, policy="apply").report
    entries = ledger.entries()
    assert [entry.purpose for entry in entries] == ["extract", *["integrate"] * 3, "tag"]
    assert len(entries) == len(server.chats) == report["usage"]["calls"]
    for entry, body in zip(entries, server.chats, strict=True):
        said = sum(len(m["content"] or "") for m in body["messages"])
        assert entry.characters >= said > 0 and entry.tokens > 0
    kept = ledger.path.read_text()
    assert "watcher" not in kept and KEY not in kept
    assert ledger.path.stat().st_mode & 0o077 == 0


def test_a_ledger_that_cannot_be_written_stops_the_send(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "blocked").write_text("a file where a folder is to be")
    ledger = Ledger(tmp_path / "blocked" / "sent.jsonl")
    from vault_dream.engine.errors import FilesystemError

    with (
        session_of(vault, counted(server, ledger), []) as session,
        pytest.raises((FilesystemError, NotADirectoryError)),
    ):
        dream(session, policy="apply")
    assert server.chats == []


# The key -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["none", "echo", "refused", "unreachable", "bad answer"])
@pytest.mark.parametrize("flags", [[], ["--json"], ["-v", "--dry-run"]])
def test_the_key_is_in_no_output_log_report_or_state(
    vault: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: str,
    flags: list[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving() as server:
        if fault == "none":
            server.plays(*ANSWERS)
        else:
            server.otherwise = {
                "echo": fail(401, f"bad key {KEY}"),
                "refused": fail(400, f"the header Bearer {KEY} is odd"),
                "unreachable": fail(403, KEY),
                "bad answer": say_json({"units": f"Bearer {KEY}"}),
            }[fault]
        url = server.url if fault != "unreachable" else "http://127.0.0.1:9/v1"
        log = tmp_path / "log.txt"
        given = ["--model", "m", "--base-url", url, "--date", "2026-11-30", "--log-file", str(log)]
        monkeypatch.setattr("vault_dream.engine.model.client.Backoff.allows", lambda *_: False)
        main(["run", str(vault), *given, *flags])
    said = capsys.readouterr()
    assert KEY not in said.out and KEY not in said.err
    places = [vault, tmp_path, Path(__import__("os").environ["VAULT_DREAM_STATE_HOME"]).parent]
    for place in places:
        for file in place.rglob("*"):
            if file.is_file():
                assert KEY.encode() not in file.read_bytes(), file


def test_the_key_is_not_in_what_python_shows_of_a_client(server: Server, tmp_path: Path) -> None:
    model = counted(server, Ledger(tmp_path / "sent.jsonl"))
    shown = f"{model!r} {model._client!r} {model._client.endpoint!r} {vars(model)!r}"
    assert KEY not in shown


# Estimate and usage ------------------------------------------------------------------------------


def test_an_estimate_comes_before_and_usage_by_unit_after(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    server.plays(*ANSWERS)
    told: list[Event] = []
    model = counted(server, Ledger(tmp_path / "sent.jsonl"), Prices(1.0, 2.0))
    with session_of(vault, model, told) as session:
        session.scan()
        about = session.estimate(max_units=1)
        dream(session, policy="apply", max_units=1)
    spent = model.usage()
    assert about.sources == 1 and about.cost is not None and about.cost > 0
    assert spent.calls <= about.calls
    assert spent.prompt_tokens / 2 < about.tokens < spent.prompt_tokens * 20
    (asked,) = (event for event in told if isinstance(event, Extracting))
    assert asked.tokens == about.tokens and "tokens in" in describe(asked)
    (unit,) = (event for event in told if isinstance(event, Integrated))
    assert 0 < unit.tokens < unit.so_far == spent.prompt_tokens + spent.completion_tokens
    assert "tokens so far" in describe(unit)


def test_more_units_and_longer_days_are_foreseen_to_take_more(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    with session_of(vault, counted(server, Ledger(tmp_path / "s.jsonl")), []) as session:
        session.scan()
        few, many = session.estimate(max_units=1), session.estimate(max_units=5)
    (vault / DAY).write_text(TEXT + "\nA long day of many words.\n\n" * 2000)
    with session_of(vault, counted(server, Ledger(tmp_path / "s.jsonl")), []) as session:
        session.scan()
        long = session.estimate(max_units=5)
    assert few.tokens < many.tokens < long.tokens and few.cost is None


# A vault's own prompts ---------------------------------------------------------------------------


def test_a_vault_may_replace_one_prompt_and_the_version_tells(
    server: Server, vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = vault / "metadata/prompts"
    folder.mkdir(parents=True)
    (folder / "extract.md").write_text("\ufeffOnly what is about bread. At most {max_units}.{x}\n")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.plays(say_json({"units": []}))
    given = ["--model", "m", "--base-url", server.url, "--date", "2026-11-30", "--json"]
    assert main(["run", str(vault), *given, "--max-units", "3"]) == 0
    assert server.chats[0]["messages"][0]["content"] == (
        "Only what is about bread. At most 3.{x}\n"
    )
    report = json.loads(capsys.readouterr().out)
    assert report["prompts"] != PROMPTS.version and len(report["prompts"]) == 8


@pytest.mark.parametrize("data", [b"", b"  \n", b"\xff\xfe\x00"])
def test_a_prompt_that_cannot_be_used_is_named(vault: Path, data: bytes) -> None:
    folder = vault / "metadata/prompts"
    folder.mkdir(parents=True)
    (folder / "tag.md").write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        load_prompts(REPOSITORY / "assets" / "prompts", folder)
    assert "tag.md" in caught.value.where


# What the prompts must say -----------------------------------------------------------------------

RULES = {
    "en": """same_abstraction|related|unrelated|CREATE|CORROBORATE|REFINE|CORRECT|node_search
never the same abstraction|inside a sentence|> note: contradicted by|ever taken out|data""",
    "zh": """same_abstraction|related|unrelated|CREATE|CORROBORATE|REFINE|CORRECT|node_search
绝不是同一件事|一句说明关系的话|> note: contradicted by|一个也不能去掉|材料""",
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompts_hold_the_rules_and_every_place_is_filled(language: Any) -> None:
    integrate = PROMPTS.text(language, "integrate")
    for rule in RULES[language].replace("\n", "|").split("|"):
        assert rule in integrate, rule
    for name in ("integrate", "extract", "tag"):
        filled = PROMPTS.text(
            language, name, digest_dir="digest", bucket="wiki", language="", max_units=5, limit=5
        )
        assert "{" not in filled, name


def test_a_hint_and_settled_units_reach_both_stages(
    server: Server, vault: Path, tmp_path: Path
) -> None:
    server.plays(*ANSWERS)
    with session_of(vault, counted(server, Ledger(tmp_path / "s.jsonl")), []) as session:
        dream(session, policy="apply", hint="mostly about search")
    for body in server.chats[:2]:
        assert "mostly about search" in body["messages"][1]["content"]
    (vault / DAY).write_text(TEXT + "\nAnother line of the day that is new.\n")
    server.plays(say_json({"units": []}))
    with session_of(vault, counted(server, Ledger(tmp_path / "s.jsonl")), []) as session:
        dream(session, policy="apply")
    asked = server.chats[-1]["messages"][1]["content"]
    assert "- Rebuild the index (digest/procedure/rebuild-the-index.md)" in asked
