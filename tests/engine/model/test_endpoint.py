"""Addresses and keys: understood as meant, refused in plain words, and never shown."""

from __future__ import annotations

import pytest

from vault_dream.engine.errors import NoModelError, SettingsError
from vault_dream.engine.model.budget import Ceilings, derive_ceilings
from vault_dream.engine.model.endpoint import LOCAL, REMOTE, make_endpoint
from vault_dream.engine.model.usage import Prices, Usage, read_prices


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://localhost:11434/v1/", "http://localhost:11434/v1"),
        ("https://Gateway.example/v1/chat/completions", "https://gateway.example/v1"),
        ("", "https://api.openai.com/v1"),
        ("  http://[::1]:8080/v1 ", "http://[::1]:8080/v1"),
    ],
)
def test_addresses_are_tidied(given: str, url: str) -> None:
    assert make_endpoint(model="m", base_url=given, environ={}).base_url == url


def test_the_environment_names_the_address_where_the_settings_do_not() -> None:
    environ = {"OPENAI_BASE_URL": "http://box:8000/v1"}
    endpoint = make_endpoint(model="m", environ=environ)
    assert endpoint.base_url == "http://box:8000/v1" and endpoint.root == "http://box:8000"


@pytest.mark.parametrize(
    "given",
    [
        *("localhost:11434", "ftp://x/v1", "http://", "http://x:port/v1", "/v1", "http://[::1/v1"),
        *("https://me:secret@x.example/v1", "https://x.example/v1?key=secret"),
    ],
)
def test_what_is_no_address_is_refused_without_repeating_a_secret(given: str) -> None:
    with pytest.raises(NoModelError) as caught:
        make_endpoint(model="m", base_url=given, environ={})
    assert "secret" not in str(caught.value) and caught.value.next


def test_no_model_names_the_offline_reader() -> None:
    with pytest.raises(NoModelError, match="offline"):
        make_endpoint(model=" ", environ={})


@pytest.mark.parametrize(
    ("host", "local"),
    [
        *(("localhost", True), ("127.0.0.1", True), ("[::1]", True), ("0.0.0.0", True)),
        *(("192.168.1.7", True), ("10.0.0.2", True), ("100.101.1.2", True), ("nas.local", True)),
        *(("ollama", True), ("host.docker.internal", True), ("[fd00::1]", True)),
        *(("api.openai.com", False), ("8.8.8.8", False), ("localhost.evil.example", False)),
        *(("172.32.0.1", False), ("mylan.example", False)),
    ],
)
def test_local_endpoints_get_hours_and_need_no_key(host: str, local: bool) -> None:
    endpoint = make_endpoint(model="m", base_url=f"https://{host}/v1", environ={})
    assert endpoint.local is local
    assert endpoint.timeouts is (LOCAL if local else REMOTE)
    if local:
        assert endpoint.key({}) == "none"
    else:
        with pytest.raises(NoModelError, match="OPENAI_API_KEY"):
            endpoint.key({})


def test_keys_are_looked_at_before_they_are_sent() -> None:
    remote = make_endpoint(model="m", base_url="https://x.example/v1", key_env="K", environ={})
    assert remote.key({"K": " abc\n"}) == "abc"
    for key in ("a b", "“abc”", "a\nb"):
        with pytest.raises(NoModelError) as caught:
            remote.key({"K": key})
        assert key not in str(caught.value)
    plain = make_endpoint(model="m", base_url="http://x.example/v1", key_env="K", environ={})
    with pytest.raises(NoModelError, match="unencrypted"):
        plain.key({"K": "abc"})


@pytest.mark.parametrize("key", ["x", "ollama", "lm-studio", "not-needed", "sk-no-key-required"])
def test_a_word_given_for_a_key_is_left_in_the_answers(key: str) -> None:
    local = make_endpoint(model="m", base_url="http://localhost:1/v1", key_env="K", environ={})
    text = f"Next, fix the index: {key} runs on port 1234."
    assert local.hide_key(text, {"K": key}) == text
    assert local.hide_key("sent sk-0a1b2c3d", {"K": "sk-0a1b2c3d"}) == "sent [key]"


def test_ceilings_are_derived() -> None:
    remote = derive_ceilings(calls=0, tokens=400_000, seconds=0, turns=0, units=5, local=False)
    assert remote == Ceilings(calls=220, tokens=400_000, seconds=7200, turns=12)
    local = derive_ceilings(calls=7, tokens=0, seconds=0, turns=3, units=5, local=True)
    assert local == Ceilings(calls=7, tokens=0, seconds=0, turns=3)


def test_cost_needs_prices() -> None:
    usage = Usage(1, 1_000_000, 500_000)
    assert read_prices({}, "m") is None and read_prices({"other": {}}, "m") is None
    for prices in (
        {"prompt": 0.5, "completion": 2},
        {"input": 0.5, "output": 2.0},
        {"m": {"prompt": 0.5, "completion": 2}},
    ):
        assert read_prices(prices, "m") == Prices(0.5, 2.0)
    assert Prices(0.5, 2.0).cost(usage) == pytest.approx(1.5)
    for bad in ({"prompt": 1}, {"prompt": "x", "completion": 1}, {"promt": 1, "completion": 2}):
        with pytest.raises(SettingsError, match="per million"):
            read_prices(bad, "m")
