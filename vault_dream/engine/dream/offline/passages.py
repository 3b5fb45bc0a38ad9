"""Passages: the blocks of a source as runs of sentences, with what gives them context.

In come the blocks of a :class:`SourceText`; out come passages that could say something worth
keeping. Left out are code, tables, quotations, mails, link lists, placeholders of templates, and
every sentence that looks like a secret or speaks to a machine instead of a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from vault_dream.engine.dream.offline.words import is_chinese, sentences, weight
from vault_dream.engine.dream.reader import SourceBlock, SourceText
from vault_dream.engine.dream.secrets import secrets_in
from vault_dream.engine.vault.plain import plain

Shape = Literal["prose", "item", "step", "callout"]

_SKIPPED = frozenset(
    {"code", "table", "quote", "html", "comment", "math", "rule", "heading", "template"}
)
_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:([-*+])|(\d{1,4})[.)、])[ \t]+(?:\[(.)\][ \t]+)?")
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_CALLOUT = re.compile(r"^[ \t]*>[ \t]?\[!([\w-]+)[^\]\n]*\][-+]?[ \t]*(.*)")
_KEPT_CALLOUTS = frozenset(
    {"note", "tip", "hint", "important", "info", "success", "check", "done", "warning", "caution"}
    | {"attention", "danger", "lesson", "decision", "abstract", "summary", "tldr", "example"}
)
_CLOCK = re.compile(
    r"^[\[(*_~`]*\d{1,2}[:.：]\d{2}(?:[:：]\d{2})?\s?(?:am|pm|AM|PM|h|Uhr)?"
    r"(?:\s?[-–~]\s?\d{1,2}[:.：]\d{2})?[\])*_~`]*\s*[-–—:：|]*\s*"
)
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|<%.*?%>|_{4,}|\.{5,}|…{3,}")
_MAIL = re.compile(
    r"(?im)^[ \t>]*(?:(?:from|to|cc|subject|sent|发件人|收件人|主题)\s*[:：].*"
    r"|on .{4,80} wrote:|-{3,}\s*(?:original|forwarded) message.*"
    r"|(?:dear|hi|hello) [\w .]{1,40},|(?:best|kind|warm)? ?regards,?|尊敬的.{1,20}[:：])\s*$"
)
_MACHINE = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|above|prior|earlier|all)\b"
    r".{0,30}\b(?:instruction|prompt|rule|message|text)|\bsystem prompt\b|\bas an ai\b|"
    r"\b(?:assistant|llm|language model|chatbot)s?\b.{0,30}\b(?:must|should|shall|will)\b|"
    r"忽略.{0,12}(?:指令|提示|要求|内容)|系统提示词"
)
_SECRET = re.compile(
    r"(?i)\bpass(?:word|wd|phrase|code)s?\b\s*[=:：]\s*\S|\bpwd\s*[=:]\s*\S"
    r"|\b(?:pass(?:word|phrase|code)|secret|token|api[ _-]?key|access[ _-]?key|pin|cvv|iban)\b"
    r"[ \w]{0,16}(?:\bis|\bwas|\bto|=|:|：)\s*[`\"“']?[^\s`]*[\d!@$%^&*][^\s`]*"
    r"|(?:密码|口令|密钥|验证码)\s*(?:是|为|改成|[:：=])\s*\S+"
    r"|-----BEGIN|\bAKIA[0-9A-Z]{12,}|\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp])[-_][\w-]{10,}"
    r"|\beyJ[\w-]{10,}\.[\w-]+|://[^\s/:@]+:[^\s/@]+@|\b(?:\d[ -]?){15,18}\d\b"
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_LONG_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{24,}")
_LINKS = re.compile(r"\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+")
_ENDED = re.compile(r"[.!?。！？；;:：…][\"”’)）」*_]*$")
_MAX_SENTENCE = 500
_ONLY_WORDS = re.compile(r"[^\W\d_](?:[\w ,.;'’\"“”()?!。，；：、！？…–—-]|: |:(?=$))*")
"""Text in which nothing is markup, as most lines are; the slow way is not needed for it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """``text`` is plain words; ``raw`` are words of line ``line`` exactly as they stand there, and
    ``onward`` are the same with what follows them on that line."""

    text: str
    line: int
    raw: str
    onward: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """One block, read. ``lead`` is the line that introduces the list it stands in, ``task`` the
    character in its checkbox or ``""``; ``label`` is the kind of a callout."""

    shape: Shape
    sentences: tuple[Sentence, ...]
    line: int
    end_line: int
    headings: tuple[str, ...]
    lead: str = ""
    task: str = ""
    depth: int = 0
    fresh: bool = True
    label: str = ""

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.sentences)

    @property
    def context(self) -> tuple[str, ...]:
        """What the passage stands under, nearest first."""
        above = tuple(plain(h) for h in reversed(self.headings))
        return (self.lead, *above) if self.lead else above


def passages(source: SourceText) -> tuple[Passage, ...]:
    """The passages of ``source`` in order; stale blocks are there too (``fresh`` tells)."""
    return tuple(_with_leads(source))


def secretive(text: str) -> bool:
    """Whether ``text`` looks as if it held a password, key, token or card number."""
    if _SECRET.search(text) or any(secrets_in(text)):
        return True
    return any(
        re.search(r"\d", token) and re.search("[A-Za-z]", token) and "/" not in token
        for token in _LONG_TOKEN.findall(text)
    )


def _with_leads(source: SourceText) -> Iterator[Passage]:
    leads: dict[int, str] = {}  # by depth: what introduces the items of that depth
    prose_lead, headings = "", None
    for block in source.blocks:
        if block.headings != headings:
            headings, prose_lead, leads = block.headings, "", {}
        passage = _passage(block)
        if passage is None:
            prose_lead = ""
            continue
        if passage.shape in ("prose", "callout"):
            yield passage
            text = passage.sentences[-1].text
            prose_lead = text if _introduces(text) else ""
            leads = {}
            continue
        leads = {depth: text for depth, text in leads.items() if depth <= passage.depth}
        lead = leads.get(passage.depth, prose_lead)
        yield _led(passage, lead)
        text = passage.text
        if _introduces(text) or (weight(text) <= 4 and not _ENDED.search(text)):
            leads[passage.depth + 1] = text


def _led(passage: Passage, lead: str) -> Passage:
    if not lead:
        return passage
    return Passage(
        passage.shape,
        passage.sentences,
        passage.line,
        passage.end_line,
        passage.headings,
        lead.rstrip(":： "),
        passage.task,
        passage.depth,
        passage.fresh,
        passage.label,
    )


def _introduces(text: str) -> bool:
    return text.endswith((":", "：")) and weight(text) <= 24


def _passage(block: SourceBlock) -> Passage | None:
    text = block.text
    start = text.lstrip()
    callout = _CALLOUT.match(text)
    if start.startswith(("```", "~~~", "|", "$$", "<", "#")) and not start.startswith("<mark"):
        return None if not re.match(r"#[^\s#]", start) else _read(block, "prose", "")
    if callout:
        kind = callout[1].lower()
        if kind not in _KEPT_CALLOUTS:
            return None
        read = _read(block, "callout", kind)
        title = plain(callout[2])
        return _led(read, title) if read is not None and title else read
    if start.startswith(">") or block.kind in _SKIPPED or _MAIL.search(text):
        return None
    mark = _MARK.match(text)
    if mark is None:
        return _read(block, "prose", "")
    return _read(block, "step" if mark[2] else "item", "", mark[3] or "")


def _read(block: SourceBlock, shape: Shape, label: str, task: str = "") -> Passage | None:
    found = tuple(_sentences(block))
    if not found:
        return None
    return Passage(
        shape,
        found,
        block.line,
        block.end_line,
        block.headings,
        task=task.strip() or ("open" if task == " " else ""),
        depth=block.depth,
        fresh=block.fresh,
        label=label,
    )


def _sentences(block: SourceBlock) -> Iterator[Sentence]:
    pending: Sentence | None = None
    for offset, line in enumerate(block.text.splitlines()):
        if offset == 0 and _CALLOUT.match(line) and len(block.text.splitlines()) > 1:
            continue  # the title of a callout names what follows
        unmarked, at = _unmarked(line), 0
        for index, part in enumerate(sentences(unmarked)):
            at = unmarked.index(part, at)
            onward = unmarked[at : at + _MAX_SENTENCE]
            raw = _CLOCK.sub("", part, count=1)
            only_words = _ONLY_WORDS.fullmatch(raw) and "_" not in raw and "  " not in raw
            text = raw if only_words else _CLOCK.sub("", _FOOTNOTE.sub("", plain(raw))).strip()
            if not text:
                continue
            number = block.line + offset
            if pending is not None and index == 0 and _continues(pending.text, text):
                pending = _joined(pending, Sentence(text, number, raw, onward))
                continue
            if pending is not None and _speaks(pending):
                yield pending
            pending = Sentence(text, number, raw, onward)
    if pending is not None and _speaks(pending):
        yield pending


def _unmarked(line: str) -> str:
    callout = _CALLOUT.match(line)
    if callout:
        return callout[2]
    mark = _MARK.match(line)
    return line[mark.end() :] if mark else _QUOTE_MARK.sub("", line).strip()


def _continues(before: str, after: str) -> bool:
    """Whether a line goes on with the sentence of the line before it (hard-wrapped text)."""
    if _ENDED.search(before) or len(before) > _MAX_SENTENCE:
        return False
    if is_chinese(before):
        return before.endswith(("，", "、", "（"))
    return after[:1].islower() or before.endswith((",", "(", "-", "–")) or len(before) >= 68


def _joined(a: Sentence, b: Sentence) -> Sentence:
    space = "" if is_chinese(a.text) else " "
    longer = a if weight(a.raw) >= weight(b.raw) else b
    return Sentence(a.text + space + b.text, longer.line, longer.raw, longer.onward)


def _speaks(sentence: Sentence) -> bool:
    text, raw = sentence.text, sentence.raw
    if len(text) > _MAX_SENTENCE or _PLACEHOLDER.search(raw) or secretive(raw):
        return False
    if _MACHINE.search(text):
        return False
    return not _LINKS.search(raw) or weight(plain(_LINKS.sub(" ", raw))) >= 4
