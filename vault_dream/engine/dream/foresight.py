"""Foresight: what a run with a model is about to take, before anything is sent.

A guess that errs to the large side: every unit that may be kept is found, and each takes the turns
that a good model needs to search, read, write and sign its receipt.
"""

from __future__ import annotations

from datetime import date

from vault_dream.engine.dream.briefing import extract_messages, integrate_messages
from vault_dream.engine.dream.prompts import Prompts
from vault_dream.engine.dream.reader import ExtractRequest, IntegrateRequest
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.model.tokens import estimate_prompt
from vault_dream.engine.model.usage import Usage

TURNS = 6
GROWTH = 500
"""Tokens by which a conversation grows with each turn: what tools answer, what the model writes."""
TOOLS = 700
"""Tokens of the declarations of the tools, sent with each turn."""
CANDIDATES = 2_000
"""Tokens of the nodes that a model without tools is shown."""
WRITTEN = 250
"""Tokens that a model writes in a turn; an extraction or a whole draft has three times as many."""
TAGGING = 700


def foresee(
    request: ExtractRequest, prompts: Prompts, room: int, waiting: int, structured: bool
) -> Usage:
    """Calls and tokens of a run over ``request`` and ``waiting`` units of earlier runs.

    ``room`` is what one prompt may hold; ``structured``: units are integrated in one answer each.
    """
    prompt = estimate_prompt(extract_messages(request, prompts, "0" * 12))
    extractions = -(-prompt // max(room, 1)) if request.sources else 0
    units = waiting + (request.max_units if request.sources else 0)
    base = estimate_prompt(integrate_messages(_some_unit(request), prompts, "0" * 12))
    turns = 1 if structured else TURNS
    more = CANDIDATES if structured else TOOLS * turns + GROWTH * turns * (turns - 1) // 2
    calls = extractions + units * (turns + 1)
    prompts_sent = (prompt if extractions else 0) + units * (base * turns + more + TAGGING)
    written = extractions * 3 * WRITTEN + units * WRITTEN * (3 if structured else turns)
    return Usage(calls, prompts_sent, written, estimated=True)


def _some_unit(request: ExtractRequest) -> IntegrateRequest:
    """A unit such as may be found, for the size of its briefing."""
    paths = tuple(source.path for source in request.sources[:1])
    unit = Unit("A name of some words", "procedure", "A sentence that says it. " * 3, paths)
    return IntegrateRequest(unit, request.sources[:1], date.min, "digest")
