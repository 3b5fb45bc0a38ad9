"""The reader that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_dream.config import Settings
from vault_dream.engine.dream.reader import Reader
from vault_dream.places import shipped

if TYPE_CHECKING:
    from vault_dream.engine.model.client import ChatClient
    from vault_dream.engine.model.probe import Probe
    from vault_dream.engine.model.wire import OnSend

Show = Callable[[str, Sequence[Mapping[str, Any]]], None]


def make_reader(
    settings: Settings,
    root: Path,
    *,
    show: Show = lambda purpose, messages: None,
    on_send: OnSend | None = None,
    days: int = 1,
) -> Reader | None:
    """The reader of ``settings.provider`` for the vault at ``root``; ``None`` where no model is
    configured. ``show`` is given the request that starts each job, ``on_send`` the body of every
    single one, before it is sent. Ceilings that the settings leave open are derived for so many
    ``days``, each with its units.

    The offline reader is never chosen silently (DESIGN). Raises :class:`NoModelError` for an
    address that is none, and :class:`SettingsError` for prompts or prices that cannot be used.
    """
    if settings.provider == "offline":
        from vault_dream.engine.dream.offline.reader import OfflineReader

        return OfflineReader()
    if not settings.model:
        return None
    from vault_dream.engine.dream.model_reader import ModelReader
    from vault_dream.engine.dream.prompts import load_prompts
    from vault_dream.engine.model.usage import read_prices

    return ModelReader(
        make_client(settings, on_send=on_send, days=days),
        load_prompts(shipped("assets") / "prompts", root / settings.state_dir / "prompts"),
        tools=settings.tools,
        context_tokens=settings.context_tokens,
        prices=read_prices(settings.prices, settings.model),
        show=show,
    )


def make_client(settings: Settings, *, on_send: OnSend | None = None, days: int = 1) -> ChatClient:
    """The way to the model that ``settings`` name, with the ceilings of one run. No secret that is
    known by its shape passes it, whoever asks. Raises :class:`NoModelError` for an address that is
    none.
    """
    from vault_dream.engine.dream.secrets import redact
    from vault_dream.engine.model.budget import Spending, derive_ceilings
    from vault_dream.engine.model.capabilities import Capabilities
    from vault_dream.engine.model.client import ChatClient
    from vault_dream.engine.model.endpoint import make_endpoint
    from vault_dream.engine.model.ledger import Ledger
    from vault_dream.engine.vault.machine import state_home

    endpoint = make_endpoint(
        model=settings.model, base_url=settings.base_url, key_env=settings.api_key_env
    )
    budget = settings.budget
    ceilings = derive_ceilings(
        calls=budget.calls,
        tokens=budget.tokens,
        seconds=budget.seconds,
        turns=budget.turns_per_unit,
        units=settings.max_units * max(days, 1),
        local=endpoint.local,
    )
    return ChatClient(
        endpoint,
        spending=Spending(ceilings),
        capabilities=Capabilities(state_home() / "models.json"),
        ledger=Ledger(state_home() / "sent.jsonl"),
        conceal=redact,
        on_send=on_send,
    )


def probe_model(settings: Settings) -> Probe:
    """What the endpoint of ``settings`` can do, found out by asking it; raises
    :class:`NoModelError` where it cannot be used, and :class:`BudgetError`."""
    import asyncio

    from vault_dream.engine.model.probe import probe

    async def ask() -> Probe:
        client = make_client(settings)
        try:
            return await probe(client, known_context=settings.context_tokens)
        finally:
            await client.close()

    return asyncio.run(ask())
