"""The model as a reader: it extracts, integrates through the six tools, and tags."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from vault_dream.engine.dream.briefing import (
    DRAFT_SCHEMA,
    RECEIPT_SCHEMA,
    TAGS_SCHEMA,
    UNITS_ACCEPTED,
    UNITS_SCHEMA,
    Message,
    claims_of,
    extract_messages,
    integrate_messages,
    note_block,
    structured_messages,
    tag_messages,
)
from vault_dream.engine.dream.fences import fenced
from vault_dream.engine.dream.foresight import foresee
from vault_dream.engine.dream.model_tools import receipt_of, tools_for
from vault_dream.engine.dream.prompts import Prompts
from vault_dream.engine.dream.reader import (
    Estimate,
    ExtractAnswer,
    ExtractRequest,
    FirstSend,
    Heard,
    IntegrateRequest,
    Receipt,
    SourceText,
    TagRequest,
    ToolError,
    Tools,
    Usage,
)
from vault_dream.engine.model.answers import Shape, ask, body_of
from vault_dream.engine.model.context import DEFAULT_CONTEXT, Packed, learn_context, pack, room_for
from vault_dream.engine.model.errors import AnswerError, UnsupportedError
from vault_dream.engine.model.handles import HandleError, Handles
from vault_dream.engine.model.tokens import estimate_prompt, estimate_tokens
from vault_dream.engine.model.tools import Step, converse

if TYPE_CHECKING:
    from vault_dream.engine.dream.topics import TopicClaim, TopicsRequest
    from vault_dream.engine.model.client import ChatClient
    from vault_dream.engine.model.usage import Prices
    from vault_dream.engine.model.wire import OnProgress, Progress

ANSWER_TOKENS = 4096
"""Tokens kept free for an answer."""

GROWN = 400
"""Characters by which an answer grows before its watcher hears of it again."""

SECOND_LOOKS = 2
"""How often a reader is told what is still wrong with a draft it calls done."""

CANDIDATES = 8
SHOWN = 3
"""Nodes that a model without tools is offered, and of those, how many it sees whole."""

UNITS = Shape(
    "units", UNITS_SCHEMA, "The units that were found.", items="units", accepts=UNITS_ACCEPTED
)
RECEIPT = Shape("receipt", RECEIPT_SCHEMA, "What was done; call it last.")
DRAFT = Shape("draft", DRAFT_SCHEMA, "The node to create, or the edits of one that exists.")
TAGS = Shape("tags", TAGS_SCHEMA, "The tags of the note.")


class ModelReader:
    """One model behind an OpenAI-compatible endpoint. Stateful: what it learnt and spent.

    ``tools`` says how integrate is done: with the six tools, as one structured answer, or ``auto``.
    ``boundary`` gives the random word that fences notes; ``show`` is given every request that
    starts a job, before it is sent.
    """

    def __init__(
        self,
        client: ChatClient,
        prompts: Prompts,
        *,
        tools: Literal["auto", "tools", "structured"] = "auto",
        context_tokens: int = 0,
        prices: Prices | None = None,
        boundary: Callable[[], str] = lambda: secrets.token_hex(6),
        show: Callable[[str, Sequence[Message]], None] = lambda purpose, messages: None,
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._tools = tools
        self._context = context_tokens
        self._learnt = False
        self._prices = prices
        self._boundary = boundary
        self._show = show
        self._on_progress: OnProgress | None = None

    @property
    def provider(self) -> str:
        return "openai"

    @property
    def model(self) -> str:
        return self._client.endpoint.model

    @property
    def prompts(self) -> str:
        return self._prompts.version

    async def close(self) -> None:
        """Let go of the connections; the next request opens new ones."""
        await self._client.close()

    def usage(self) -> Usage:
        """What was spent since this reader was made."""
        total = self._client.spending.total
        cost = self._prices.cost(total) if self._prices is not None else None
        return Usage(total.calls, total.prompt_tokens, total.completion_tokens, cost)

    def watch(self, watcher: Callable[[Heard], None]) -> None:
        """Answers are streamed from now on, and ``watcher`` hears each time that one has grown by
        :data:`GROWN` characters, or that something else happens."""
        last = ("", "", 0)

        def tell(now: Progress) -> None:
            nonlocal last
            label, state, characters = last
            grown = now.characters >= characters + GROWN
            if now.state == "waiting" or (now.label, now.state) != (label, state) or grown:
                last = (now.label, now.state, now.characters)
                watcher(Heard(now.label, now.state, now.characters, now.seconds, now.reason))

        self._on_progress = tell

    # Before ---------------------------------------------------------------------------------------

    def first_send(self, request: ExtractRequest) -> FirstSend | None:
        """The endpoint and the amount, where nothing went there before. Raises
        :class:`NoModelError` where its key is missing, so that nobody is asked in vain.
        """
        if self._client.sent_before():
            return None
        self._client.check_key()
        messages = extract_messages(request, self._prompts, "0" * 12)
        return FirstSend(
            self._client.endpoint.host,
            self.model,
            len(request.sources),
            sum(len(str(message["content"])) for message in messages),
        )

    def estimate(self, request: ExtractRequest, waiting: int = 0) -> Estimate:
        """A run over ``request`` as runs usually go: all units found, some turns for each."""
        context = self._context or DEFAULT_CONTEXT
        structured = self._tools == "structured" or not self._offers_tools()
        foreseen = foresee(request, self._prompts, context - ANSWER_TOKENS, waiting, structured)
        cost = self._prices.cost(foreseen) if self._prices is not None else None
        return Estimate(len(request.sources), foreseen.tokens, foreseen.calls, cost)

    def preview(self, request: ExtractRequest) -> Sequence[Mapping[str, Any]]:
        """The bodies of the calls that read ``request``, but for the random word of the fences,
        as they go out where somebody watches."""
        return [
            body_of(
                self._client,
                extract_messages(replace(request, sources=sources), self._prompts, "0" * 12),
                UNITS,
                max_tokens=ANSWER_TOKENS,
                streamed=True,
            )
            for sources in self._packed(request).calls
        ]

    def _offers_tools(self) -> bool:
        return self._client.capabilities.of(self._client.endpoint).tools is not False

    # Extract -------------------------------------------------------------------------------------

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        """The units of all sources; whole sources are packed into as few calls as they fit in."""
        await self._context_size()
        packed = self._packed(request)
        answers = [
            await self._extract_some(replace(request, sources=sources)) for sources in packed.calls
        ]
        too_large = tuple(
            (
                source.handle,
                f"it is longer than {self.model} can take ({self._context} tokens); "
                "use a larger context",
            )
            for source in packed.too_large
        )
        return ExtractAnswer(
            units=tuple(unit for answer in answers for unit in answer.units),
            warnings=tuple(warning for answer in answers for warning in answer.warnings),
            unread=too_large,
        )

    def _packed(self, request: ExtractRequest) -> Packed[SourceText]:
        """The sources in as few calls as fit the context, as far as that is known."""
        context = self._context or DEFAULT_CONTEXT
        bare = extract_messages(replace(request, sources=()), self._prompts, "0" * 12)
        room = room_for(context, instructions=estimate_prompt(bare), answer=ANSWER_TOKENS)
        return pack(
            request.sources, room, lambda source: estimate_tokens(note_block(source, "0" * 12))
        )

    async def _extract_some(self, request: ExtractRequest) -> ExtractAnswer:
        messages = extract_messages(request, self._prompts, self._boundary())
        self._show("extract", messages)
        answer = await ask(
            self._client,
            messages,
            UNITS,
            label="extract",
            purpose="extract",
            max_tokens=ANSWER_TOKENS,
            on_progress=self._on_progress,
        )
        warnings = [f"unit {drop.index + 1} of the answer is not a unit" for drop in answer.dropped]
        value = _with_numbers(answer.value, request.sources, warnings)
        return ExtractAnswer(tuple(claims_of(value)), tuple(warnings))

    # Integrate -----------------------------------------------------------------------------------

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        """The receipt for one unit; what is still wrong with the draft is said to the model
        twice.
        """
        await self._context_size()
        if self._tools == "structured" or (self._tools == "auto" and not self._offers_tools()):
            return await self._integrate_structured(request, tools)
        try:
            return await self._integrate_with_tools(request, tools)
        except UnsupportedError:
            if self._tools == "tools":
                raise
            self._client.capabilities.learn(self._client.endpoint, tools=False)
            return await self._integrate_structured(request, tools)

    async def _integrate_with_tools(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        boundary = self._boundary()
        messages = integrate_messages(request, self._prompts, boundary)
        self._show("integrate", messages)
        steps: tuple[Step, ...] = ()
        for look in range(SECOND_LOOKS + 1):
            done = await converse(
                self._client,
                messages,
                tools_for(tools, boundary),
                RECEIPT,
                label=request.unit.name,
                refusals=(ToolError,),
                earlier=steps,
                on_progress=self._on_progress,
            )
            steps += done.steps
            receipt = receipt_of(done.require(request.unit.name))
            wrong = tools.problems(receipt)
            if not wrong or look == SECOND_LOOKS:
                return receipt
            messages = [*messages, *_mend(receipt, wrong, tools, boundary)]
        raise AssertionError("the loop returns")

    async def _integrate_structured(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        """The same job as one answer: code recalls, the model returns edits as data."""
        boundary = self._boundary()
        messages = structured_messages(request, self._prompts, boundary, *_recall(request, tools))
        self._show("integrate", messages)
        wrong: tuple[str, ...] = ()
        staged: set[tuple[str, str, str]] = set()
        for look in range(SECOND_LOOKS + 1):
            answer = await ask(
                self._client,
                messages,
                DRAFT,
                label=request.unit.name,
                purpose="integrate",
                max_tokens=ANSWER_TOKENS,
                on_progress=self._on_progress,
            )
            receipt = receipt_of(answer.value)
            try:
                receipt = _apply(answer.value, receipt, tools, staged)
                wrong = tools.problems(receipt)
            except ToolError as error:
                wrong = (str(error),)
            if not wrong:
                return receipt
            if look < SECOND_LOOKS:
                messages = [*messages, *_mend(receipt, wrong, tools, boundary)]
        raise AnswerError(request.unit.name, "; ".join(wrong), "the unit is tried again next time")

    # Tag -----------------------------------------------------------------------------------------

    async def tag(self, request: TagRequest) -> Sequence[str]:
        """The tags that the model names; their grammar is the caller's to see to."""
        messages = tag_messages(request, self._prompts, self._boundary())
        self._show("tag", messages)
        answer = await ask(
            self._client,
            messages,
            TAGS,
            label="tags",
            purpose="tag",
            max_tokens=512,
            on_progress=self._on_progress,
        )
        return tuple(str(tag) for tag in answer.value["tags"][: request.limit])

    # Topics --------------------------------------------------------------------------------------

    async def topics(self, request: TopicsRequest) -> Sequence[TopicClaim]:
        """The topics that the model names; what they are worth is the caller's to see to."""
        from vault_dream.engine.dream.model_topics import ask_for_topics

        return await ask_for_topics(
            self._client,
            self._prompts,
            request,
            context=await self._context_size(),
            boundary=self._boundary,
            show=self._show,
            on_progress=self._on_progress,
        )

    async def _context_size(self) -> int:
        if not self._learnt:
            self._context = (await learn_context(self._client, self._context)).tokens
            self._learnt = True
        return self._context


def _with_numbers(
    answer: Mapping[str, Any], sources: Sequence[SourceText], warnings: list[str]
) -> dict[str, Any]:
    """The answer with every identifier of a source as its handle; what names none is left out."""
    handles = Handles({source.handle: source.path for source in sources})
    units = []
    for unit in answer["units"]:
        kept = {
            **unit,
            "sources": [n for said in unit["sources"] if (n := _handle(handles, said)) is not None],
            "quotes": [
                {"source": n, "text": quote["text"]}
                for quote in unit["quotes"]
                if (n := _handle(handles, quote["source"])) is not None
            ],
        }
        lost = len(unit["sources"]) - len(kept["sources"])
        if lost:
            warnings.append(f"{unit['name']}: {lost} of its sources refer to no note that was sent")
        units.append(kept)
    return {"units": units}


def _handle(handles: Handles, said: object) -> int | None:
    try:
        return handles.resolve(said)
    except HandleError:
        return None


def _mend(receipt: Receipt, wrong: Sequence[str], tools: Tools, boundary: str) -> list[Message]:
    """What a model is told when its draft does not stand up: the draft, and what is wrong."""
    try:
        draft = tools.read(receipt.target)
    except ToolError:
        draft = "(nothing was staged)"
    listed = "\n".join(f"- {words}" for words in wrong)
    return [
        {"role": "assistant", "content": f"{receipt.action} {receipt.target}"},
        {
            "role": "user",
            "content": f"This does not stand up to the checks:\n{listed}\n"
            "Mend exactly that, leave the rest, and answer again. This is the draft now:\n"
            + fenced("DRAFT", draft, boundary),
        },
    ]


def _recall(
    request: IntegrateRequest, tools: Tools
) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """Candidates as (path, name, description), and the nearest of them with their texts."""
    unit = request.unit
    queries = [unit.name, unit.summary, *(item.quote for item in unit.evidence[:2])]
    best: dict[str, Any] = {}
    for query in queries:
        for hit in tools.node_search(query, 20):
            if hit.path not in best or hit.score > best[hit.path].score:
                best[hit.path] = hit
    hits = sorted(best.values(), key=lambda hit: (-hit.score, hit.path))[:CANDIDATES]
    if request.chosen:
        hits = [hit for hit in hits if hit.path == request.chosen] or hits
    texts = []
    for path in [request.chosen] if request.chosen else [hit.path for hit in hits[:SHOWN]]:
        try:
            texts.append((path, tools.read(path)))
        except ToolError:
            continue
    return [(hit.path, hit.name, hit.description) for hit in hits], texts


def _apply(
    answer: Mapping[str, Any], receipt: Receipt, tools: Tools, staged: set[tuple[str, str, str]]
) -> Receipt:
    """Do what a structured answer asks for, through the same tools; raises :class:`ToolError`.

    An edit among ``staged`` stands in the draft from an earlier answer and is not done again.
    """
    if receipt.action == "CREATE":
        path = tools.write(receipt.target, answer["name"], answer["description"], answer["content"])
        return replace(receipt, target=path)
    for edit in answer["edits"]:
        made = (receipt.target, edit["old"], edit["new"])
        if made not in staged:
            tools.edit(*made)
            staged.add(made)
    if answer["description"]:
        tools.frontmatter_update(receipt.target, {"description": answer["description"]})
    return receipt
