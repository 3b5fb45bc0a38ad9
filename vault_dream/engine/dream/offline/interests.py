"""Topics without a model: what the notes ask and want to know, and what is worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault_dream.engine.dream.offline.claims import claims_in
from vault_dream.engine.dream.offline.extract import GOOD, quotes_of
from vault_dream.engine.dream.offline.naming import name_of
from vault_dream.engine.dream.offline.summaries import summary_of
from vault_dream.engine.dream.offline.words import is_chinese, ordered_terms, sentences, surface
from vault_dream.engine.dream.quotes import long_enough
from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.topics import TopicClaim, TopicsRequest
from vault_dream.engine.vault.plain import plain

_NOT_SAID = frozenset({"heading", "code", "table", "math", "html", "quote"})
MOST_ASKED = 2
"""Questions among the first topics, so that a day of questions is not all that is seen."""
WORKED_OUT = frozenset({"steps", "fix", "lesson", "decision", "change"})
"""Kinds of finds that a person may want to hear more about; what is about people is nobody's
topic."""
KEYWORDS = 5
_WANTS = re.compile(
    r"(?i)\b(?:(?:i|we)(?:'d| would)? (?:want|like|love|need) to (?:learn|know|understand|find out|"
    r"read (?:up|more)|figure out|look into)|curious (?:about|how|whether|why)|wonder(?:ing)? "
    r"(?:if|whether|how|why|what)|(?:should|must|to) (?:look into|read up on|find out))\b"
    r"|想(?:学|了解|知道|弄清|搞清|研究|试试)|好奇|(?:查|研究|了解)一下|不知道(?:为什么|怎么|是不是)"
)
_ASKS = re.compile(
    r"(?i)^(?:(?:and|but|so|or|und|aber|et|mais|y|pero)[, ]+)?(?:why|how|what|which|is there|"
    r"are there|do(?:es)? any|where (?:can|do|does|is)|can (?:i|we|one|you)|could (?:i|we|one)|"
    r"warum|wieso|wie|welche[rsmn]?|woher|gibt es|pourquoi|comment|quel(?:le)?s?|por qu[eé]|"
    r"c[oó]mo|qu[eé]|cu[aá]l)"
    r"\b.*[?？]$"
    r"|(?:为什么|为何|怎么|如何|怎样|什么|哪[些个里种]|有没有|是不是|能不能|要不要|多久|多少).*[?？]$"
    r"|(?:なぜ|どう|何|どれ|どこ).*[?？]$|(?:왜|어떻게|무엇|어떤).*[?？]$"
)
"""A question that somebody could look into, not one that was asked at the table."""
_DONE = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[[xX-]\]\s")


def local_topics(request: TopicsRequest) -> tuple[TopicClaim, ...]:
    """Candidates in the order of their worth; more than are wanted, since some are said before."""
    asked = [claim for source in request.sources for claim in _asked(source)]
    found = list(_found(request))
    return (*asked[:MOST_ASKED], *found, *asked[MOST_ASKED:])


def _asked(source: SourceText) -> Iterator[TopicClaim]:
    for block in source.blocks:
        if block.kind in _NOT_SAID or _DONE.match(block.text):
            continue
        for line in block.text.splitlines():
            for sentence in sentences(plain(line)):
                asks, wants = _ASKS.search(sentence), _WANTS.search(sentence)
                if (asks or wants) and long_enough(sentence):
                    yield _claim(source, sentence, asks is not None)


def _claim(source: SourceText, sentence: str, asks: bool) -> TopicClaim:
    title = sentence.strip(" -*+>").rstrip("?？.。! ！")
    if is_chinese(sentence):
        reason = "笔记里问到，还没有答案。" if asks else "笔记里说想弄清楚。"
    else:
        reason = "The notes ask this." if asks else "The notes say that this is to be found out."
    return TopicClaim(title, reason, sentence.strip(), _keywords(sentence), (source.handle,))


def _found(request: TopicsRequest) -> Iterator[TopicClaim]:
    """What the notes work out, decide or change, where the offline reader is sure of it."""
    found = [
        (claim.score, source.handle, claim)
        for source in request.sources
        for claim in claims_in(source)
        if claim.kind in WORKED_OUT and claim.score >= GOOD and claim.bucket != "personal"
    ]
    for _, handle, claim in sorted(found, key=lambda item: -item[0]):
        name, quotes = name_of(claim), quotes_of(claim)
        if name and quotes:
            summary = summary_of(claim)
            keywords = _keywords(f"{name} {summary}")
            yield TopicClaim(name, summary, quotes[0], keywords, (handle,))


def _keywords(text: str) -> tuple[str, ...]:
    words = surface(text)
    shown = dict.fromkeys(words.get(term, term).lower() for term in ordered_terms(text))
    return tuple(word for word in shown if not word[0].isdigit())[:KEYWORDS]
