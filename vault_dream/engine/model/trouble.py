"""What a failed request means: try again, ask differently, or tell the person what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from vault_dream.engine.errors import NoModelError, VaultDreamError
from vault_dream.engine.model.capabilities import Quirk
from vault_dream.engine.model.endpoint import Endpoint, one_line
from vault_dream.engine.model.errors import (
    AnswerError,
    ContextError,
    RefusedError,
    UnsupportedError,
)

_RETRY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|funds|balance|credit)|billing|credit balance|quota exceeded for",
    re.I,
)
_CONTEXT = re.compile(
    r"context[_ ]?(?:length|size|window)|maximum context|too many tokens|prompt is too long"
    r"|exceed(?:s|ed)? the (?:available |maximum )?context|input (?:is too long|length)"
    r"|max(?:imum)?[_ ]prompt",
    re.I,
)
_MEMORY = re.compile(r"more system memory|out of memory|insufficient memory|failed to load", re.I)
_NO_MODEL = re.compile(
    r"no models? (?:is |are )?loaded|model\b.{0,80}?\b(?:not found|does not exist|not exist|is not "
    r"(?:available|loaded)|unknown)|(?:unknown|invalid|unsupported|no such) model\b"
    r"|not a valid model",
    re.I | re.S,
)
_AUTH = re.compile(r"api[ _-]?key|unauthori[sz]ed|authentication|invalid token", re.I)
_FILTER = re.compile(r"content[_ ](?:filter|policy|management)|moderation|flagged|safety", re.I)
_FEATURE = re.compile(
    r"\btools?\b|tool_choice|tool use|function|response_format|json_schema|json_object|json mode"
    r"|grammar|structured output|guided",
    re.I,
)
_SYSTEM = re.compile(
    r"system role|roles? must alternate|(?:role|message)\b.{0,40}\bsystem\b.{0,30}\bnot\b"
    r"|\bnot\b.{0,20}\bsystem\b.{0,20}\b(?:role|message)|not support 'system'",
    re.I,
)
_QUIRKS: tuple[tuple[Quirk, re.Pattern[str]], ...] = (
    ("max_completion_tokens", re.compile(r"max_completion_tokens", re.I)),
    ("no_temperature", re.compile(r"temperature", re.I)),
    ("no_stream_options", re.compile(r"stream_options|include_usage", re.I)),
    ("no_stream", re.compile(r"\bstream(?:ing|ed)?\b", re.I)),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed request in plain values. ``status`` 0: there was no answer at all, and ``cause``
    says why: ``connect``, ``timeout``, ``lost`` (hung up in between) or ``tls``."""

    status: int
    message: str
    cause: Literal["", "connect", "timeout", "lost", "tls"] = ""
    headers: Mapping[str, str] | None = None
    features: bool = False  # the request had tools or a response format


@dataclass(frozen=True, slots=True)
class Verdict:
    """``error`` is what is raised where ``kind`` is ``fail``, or when all tries are used up."""

    kind: Literal["retry", "quirk", "fail"]
    error: VaultDreamError
    quirk: Quirk | None = None
    wait: float = 0.0  # what the server asked for, in seconds


def judge(
    fault: Fault, endpoint: Endpoint, *, now: float, quirks: frozenset[Quirk], answered: bool
) -> Verdict:
    """What to do about ``fault``.

    ``now`` is the wall clock, for a Retry-After date. ``answered``: the endpoint has answered
    before, so it is there, and giving up on a fault that passes costs one unit and not the run.
    """
    if not fault.status:
        return _no_answer(fault, endpoint, answered)
    template = fault.status in (400, 422, 500) and _SYSTEM.search(fault.message)
    if template and "no_system" not in quirks:
        return Verdict("quirk", _plain(fault, endpoint), "no_system")
    lasting = _lasting(fault, endpoint)
    if lasting is not None:
        return Verdict("fail", lasting)
    if fault.status in (400, 422):
        for quirk, pattern in _QUIRKS:
            if quirk not in quirks and pattern.search(fault.message):
                return Verdict("quirk", _plain(fault, endpoint), quirk)
    if fault.features and (fault.status in (400, 422) or _refuses_feature(fault)):
        return Verdict(
            "fail",
            UnsupportedError(
                endpoint.where,
                f"the endpoint rejected the format of the request ({one_line(fault.message)})",
                "set tools: structured if this model cannot call tools",
            ),
        )
    if fault.status in _RETRY or fault.status > 529:
        wait = _retry_after(fault.headers or {}, now)
        kind = AnswerError if answered else NoModelError
        words = "is rate-limiting requests" if fault.status == 429 else "had an internal error"
        error = kind(
            endpoint.where,
            f"the endpoint {words} and kept answering {fault.status} ({one_line(fault.message)})",
            "the next run tries again; see the endpoint's own log or status page",
        )
        return Verdict("retry", error, wait=wait)
    return Verdict("fail", _plain(fault, endpoint))


def _refuses_feature(fault: Fault) -> bool:
    return fault.status in (404, 405, 500, 501) and bool(_FEATURE.search(fault.message))


def _lasting(fault: Fault, endpoint: Endpoint) -> VaultDreamError | None:
    """Faults that no second try changes and that have words of their own."""
    status, said = fault.status, one_line(fault.message)
    where = endpoint.where
    if 300 <= status < 400:
        return NoModelError(
            where, "the address redirects elsewhere", "put the final address in base_url"
        )
    if status == 413 or (status in (400, 422, 500) and _CONTEXT.search(fault.message)):
        return ContextError(
            where,
            f"the prompt is longer than the model's context ({said})",
            "set context_tokens to what the server can take, or give the server a larger context",
        )
    if status == 402 or (status in (403, 429) and _CREDIT.search(fault.message)):
        return NoModelError(where, f"the account has no credit left ({said})", "top it up")
    if status in (400, 403, 422) and _FILTER.search(fault.message):
        return RefusedError(
            where,
            f"the endpoint's content filter refused the text ({said})",
            "see what was sent with -v",
        )
    if status in (401, 403) or (status == 400 and _AUTH.search(fault.message)):
        return NoModelError(
            where,
            f"the endpoint refused the key in {endpoint.key_env} ({said})",
            f"set {endpoint.key_env} to a key that may use this model",
        )
    if status in (500, 503) and _MEMORY.search(fault.message):
        return NoModelError(
            where, f"the server cannot load the model ({said})", "choose a smaller model"
        )
    if status in (400, 404, 422) and _NO_MODEL.search(fault.message):
        return NoModelError(
            where,
            f"the endpoint does not know the model ({said})",
            "check model against what the endpoint offers; local servers must have pulled or "
            "loaded it",
        )
    if status in (404, 405) and not (fault.features and _FEATURE.search(fault.message)):
        return NoModelError(
            where,
            f"nothing answers chat requests there ({status}: {said})",
            "base_url usually ends in /v1, and model must be spelled as the endpoint spells it",
        )
    return None


def _plain(fault: Fault, endpoint: Endpoint) -> AnswerError:
    return AnswerError(
        endpoint.where,
        f"the endpoint refused the request ({fault.status}: {one_line(fault.message)})",
        "run vault-dream doctor to see what this endpoint can do",
    )


def _no_answer(fault: Fault, endpoint: Endpoint, answered: bool) -> Verdict:
    said = one_line(fault.message)
    if fault.cause == "tls":
        error: VaultDreamError = NoModelError(
            endpoint.where,
            f"the connection is not secure ({said})",
            "check base_url; a certificate authority of your own goes into SSL_CERT_FILE",
        )
        return Verdict("fail", error)
    if fault.cause == "connect":
        error = NoModelError(
            endpoint.where,
            f"cannot be reached ({said})",
            "start the server" if endpoint.local else "check base_url and the network",
        )
        return Verdict("retry", error)
    words = "gave no answer in time" if fault.cause == "timeout" else "hung up before it answered"
    kind = AnswerError if answered else NoModelError
    return Verdict(
        "retry",
        kind(
            endpoint.where, f"{words} ({said})", "see the server's own log; a smaller model helps"
        ),
    )


def _retry_after(headers: Mapping[str, str], now: float) -> float:
    """Seconds that ``Retry-After`` (RFC 9110, 10.2.3) or ``retry-after-ms`` asks for, else 0."""
    lower = {name.lower(): value for name, value in headers.items()}
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = lower.get(name, "").strip()
        if re.fullmatch(r"\d+(?:\.\d+)?", value):
            return float(value) * factor
    try:
        moment = parsedate_to_datetime(lower.get("retry-after", ""))
        return max(0.0, moment.timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return 0.0
