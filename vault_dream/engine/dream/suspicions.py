"""Suspicions: checks of what a proposal says, beside those of its form in :mod:`.checks`.

They look for what a careless or captured reader lets through: secrets, orders hidden in notes,
labels of a prompt, things that act in Obsidian, whole passages copied, the wrong language, two
memories taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from vault_dream.engine.digest.edges import outside_sources
from vault_dream.engine.dream.checks import Case, check, removed_lines_of
from vault_dream.engine.dream.dangers import danger_in
from vault_dream.engine.dream.denials import denies
from vault_dream.engine.dream.disguises import has_hidden_words
from vault_dream.engine.dream.instructions import orders_in
from vault_dream.engine.dream.offline.quantities import numerals, other_amount, quantities
from vault_dream.engine.dream.offline.words import MEASURES, overlap, terms
from vault_dream.engine.dream.proposals import Level
from vault_dream.engine.dream.secrets import secrets_in
from vault_dream.engine.dream.templates import Side, other_value
from vault_dream.engine.dream.tongues import differ, tongue
from vault_dream.engine.vault.fields import fields_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.tags import body_tags

MOST_COMPARED = 30
"""Lines of each side that are held against each other for an exchanged value."""

LONG_COPY = 100
"""Words from which a node that repeats its source is called a copy."""

_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]")
_QUOTED = re.compile('"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|„[^“\n]*“|»[^«\n]*«')


def refuses(text: str) -> bool:
    """Whether ``text`` is a model's excuse for not doing what it was asked."""
    return bool(_REFUSAL.search(text))


def added_text(case: Case, path: str) -> str:
    """The body lines that a proposal adds to the note at ``path``."""
    return _new_lines(_body(case.before.get(path)), _body(case.after[path]))


def added_prose(case: Case, path: str) -> str:
    """The same, without the list of sources, whose lines quote."""
    before = case.before.get(path)
    old = "" if before is None else outside_sources(before)
    return _new_lines(old, outside_sources(case.after[path]))


def said_anew(case: Case, path: str) -> str:
    """Everything that a proposal says at ``path``: the body lines that it adds, and the name and
    description where they are new."""
    before = case.before.get(path)
    return "\n".join((*_named(case.after[path], before), added_text(case, path)))


def _named(note: Note, before: Note | None = None) -> tuple[str, ...]:
    old = read_properties(before) if before is not None else None
    new = read_properties(note)
    return tuple(
        text
        for key in ("name", "description", "aliases")
        for text in new.texts(key)
        if old is None or text not in old.texts(key)
    )


def _new_lines(before: str, after: str) -> str:
    old = set(before.splitlines())
    return "\n".join(line for line in after.splitlines() if line not in old)


def _body(note: Note | None) -> str:
    return "" if note is None else note.text[note.body_start :]


# Holds -------------------------------------------------------------------------------------------


@check
def secrets(case: Case) -> Iterator[tuple[Level, str]]:
    """Nothing that looks like a key or a password goes into a node."""
    for path in case.after:
        text = case.after[path].text
        before = case.before.get(path)
        if any(before is None or text[a:b] not in before.text for a, b in secrets_in(text)):
            yield "hold", f"{path} would contain what looks like a key or a password"


@check
def dangerous_commands(case: Case) -> Iterator[tuple[Level, str]]:
    """Nothing to paste that runs a stranger's text or wipes a disk, unless it stood there."""
    for path in case.after:
        if found := danger_in(said_anew(case, path)):
            yield "hold", f"{path} would hold a command that can do harm: {found[:80]}"


@check
def commands_in_sources(case: Case) -> Iterator[tuple[Level, str]]:
    """Text that speaks to a model in what it was given to read, also where a person does not see
    it: what came of that is for a person to decide."""
    for path, text in case.sources.items():
        if words := orders_in(text):
            yield "hold", f"{path} contains words that give a reader orders: {words}"
    for path, text in case.read.items():
        if orders_in(text) and not orders_in(case.sources.get(path, "")):
            yield "hold", f"{path} hides orders to a reader"


@check
def commands_in_text(case: Case) -> Iterator[tuple[Level, str]]:
    """A node that speaks to a model would do so at every later reading."""
    for path in case.after:
        said = said_anew(case, path)
        if words := orders_in(said):
            yield "hold", f"it would keep words that give a reader orders: {words}"
        elif has_hidden_words(said):
            yield "hold", "it would keep invisible words"


_ADDRESS = re.compile(
    r"(?<![\w@/.])(?:www\d?\.[\w-]+\.[\w./?=&%#-]+"
    r"|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|co|dev|app|info|biz|ru|cn|xyz"
    r"|top|site"
    r"|online|click|link|me|tk|ly|gg|sh|ai|eu|de|uk)/[\w./?=&%#~+-]+)"
    r"|\]\(\s*<?//[^\s)>]+|\b(?:mailto|tel|sms|ftp|magnet|steam|vscode|ssh|zoommtg):[^\s)>\]]+",
    re.I,
)


@check
def bare_addresses(case: Case) -> Iterator[tuple[Level, str]]:
    """Addresses written without a scheme are addresses too, and must be the owner's."""
    known = " ".join((*case.sources.values(), *case.read.values())).casefold()
    for path, note in case.after.items():
        old = _body(case.before.get(path))
        for address in dict.fromkeys(_ADDRESS.findall(note.text)):
            bare = address.lstrip("](<").rstrip(".,;:!?")
            if bare.casefold().lstrip("/") not in known and bare not in old:
                yield "hold", f"{path} would name an address found in no source: {bare}"


_ACTS = re.compile(
    r"`[ \t]*(?:INPUT|VIEW|BUTTON)\[|`button-[\w-]+`|`(?:dv|dataview|js)[ \t]*[:=]"
    r"|<(?:a|base|applet|input|button|textarea|select|math|source|track|portal|marquee"
    r"|template|dialog"
    r"|details|animate|set|use)\b[^<>\n]*(?:=|>)"
    r"|\(\s*<?(?:javascript|vbscript|data)\s*(?::|%3a)"
    r"|@import\b|\burl\(\s*['\"]?(?:https?:|//)|(?:`{3,}|~{3,})["
    r" \t]*\{?[ \t]*(?:ad-|run-|exec|python-exec"
    r"|jsx?:|react|html-exec|mermaid[^\n]*\n[^`~]*\bclick\b)",
    re.I,
)


@check
def runs_in_plugins(case: Case) -> Iterator[tuple[Level, str]]:
    """More that acts when a node is opened: controls of plugins, HTML that loads or submits, code
    that is run, disguised addresses of scripts."""
    for path, note in case.after.items():
        before = case.before.get(path)
        old, new = (unescape(text) for text in (before.text if before else "", note.text))
        for match in _ACTS.finditer(new):
            if new.count(match[0]) > old.count(match[0]):
                yield "hold", f"{path} would contain something that acts: {match[0][:60]}"


@check
def another_value(case: Case) -> Iterator[tuple[Level, str]]:
    """Purple is not cyan: an update whose unit says of the same template another value."""
    before = case.before.get(case.target)
    if before is None or case.proposal.kind != "unit" or case.proposal.action == "CORRECT":
        return
    if found := _unit_against_node(case, before) or _line_against_line(before, case):
        yield "hold", f"the same words with another value are not the same memory: {found}"


def _unit_against_node(case: Case, before: Note) -> str:
    unit = case.proposal.unit
    quotes = "\n".join(item.quote for item in unit.evidence)
    said = f"{unit.name}\n{unit.summary}\n{quotes}"
    named = _named(before)
    body = _body(before)
    whole = "\n".join((*named, body))
    for sentence in (unit.name, unit.summary):
        one = Side(sentence, quotes or unit.summary, said)
        for other in named:
            if found := other_value(one, Side(other, body, whole)):
                return found
    return ""


def _line_against_line(before: Note, case: Case) -> str:
    """A line that an update rewrites so that it says another value; of a rewrite of the whole node,
    which other checks hold, only the first lines are compared."""
    after = case.after[case.target]
    new = removed_lines_of(after, before)[:MOST_COMPARED]
    for line in removed_lines_of(before, after)[:MOST_COMPARED]:
        for other in new:
            one, two = _LINK.sub("", other), _LINK.sub("", line)
            if found := other_value(Side(one, one, _body(after)), Side(two, two, _body(before))):
                return found
    return ""


@check
def another_amount(case: Case) -> Iterator[tuple[Level, str]]:
    """An update that leaves one amount beside another of the same thing."""
    before = case.before.get(case.target)
    if before is None or case.proposal.kind != "unit" or case.proposal.action == "CORRECT":
        return
    unit = case.proposal.unit
    stood = outside_sources(before)
    for told in (unit.summary, *(item.quote for item in unit.evidence)):
        new = quantities(told)
        for sentence in re.split(r"(?<=[.!?])\s|[。！？\n]", stood) if new else ():
            words = terms(sentence) - MEASURES
            words -= numerals(words)
            if other_amount(new, quantities(sentence)) and overlap(words, terms(told)) >= 0.5:
                yield "warn", f"it gives another amount, and nothing is corrected: {told}"
                return


@check
def not_corrected(case: Case) -> Iterator[tuple[Level, str]]:
    """Evidence that denies something, where nothing is corrected: of an update, or of a new node
    that one speaks of already."""
    proposal = case.proposal
    if proposal.kind != "unit" or proposal.action == "CORRECT":
        return
    if not any(map(denies, (proposal.unit.summary, *(e.quote for e in proposal.unit.evidence)))):
        return
    if proposal.action != "CREATE" and not denies(_body(case.before.get(case.target))):
        yield "warn", "it says that something no longer holds, but nothing is corrected"
    told = terms(" ".join((proposal.unit.name, proposal.unit.summary)))
    for candidate in proposal.candidates if proposal.action == "CREATE" else ():
        named = terms(candidate.name)
        if candidate.judged != "unrelated" and len(named & told) >= min(2, len(named)):
            yield "warn", f"it says that something no longer holds: is it {candidate.name}?"
            return


# Errors ------------------------------------------------------------------------------------------

_REFUSAL = re.compile(
    r"(?:^|[.!?\n>*-]\s*)(?:i(?:['’]m| am) (?:very |really )?sorry,? (?:but )?i (?:can|am|won)"
    r"|i(?:['’]m| am) (?:not able|unable) to (?:help|assist|comply|fulfil|provide|complete)"
    r"|i (?:can(?:['’]t|not)|won['’]t) (?:help|assist|comply|provide|complete|continue|do)(?: you)?"
    r" (?:with )?(?:that|this|your request)\b)"
    r"|\bas an ai(?: language)?(?: model| assistant)?,? i\b"
    r"|(?:抱歉|对不起)[，,](?:但)?我(?:无法|不能)|作为(?:一个|一名)?(?:AI|人工智能"
    r"|语言)(?:语言)?(?:模型|助手)[，,]?我",
    re.I,
)


@check
def refusal_prose(case: Case) -> Iterator[tuple[Level, str]]:
    """A model's excuse is never saved as memory; one that somebody is quoted with is no excuse."""
    for path in case.after:
        if match := _REFUSAL.search(_QUOTED.sub("", said_anew(case, path))):
            yield "error", f"a refusal would be kept as a memory: {match[0].strip()}"


# Warnings ----------------------------------------------------------------------------------------

_LABELS = re.compile(
    r"^\s*(?:[-*>]\s*)?(?:\*\*)?(?:existing (?:version|note|node|content)|new evidence|unit (?:name"
    r"|summary)|sources, all to be linked|passages|the owner['’]s hint|revised (?:version|note)"
    r"|updated (?:note|node)|现有(?:版本|节点)|已有版本|单元名称|主人的提示"
    r"|修改后的版本)(?:\*\*)?\s*[:：]"
    r"|^\s*(?:[-*>]\s*)?(?:\*\*)?(?:action|bucket|target|classes"
    r"|receipt)(?:\*\*)?\s*[:：](?:\*\*)?\s*[`\"{\[]?"
    r"(?:CREATE|CORROBORATE|REFINE|CORRECT|procedure|personal|wiki|digest/|action|path)\b"
    r"|\[(?:source|note|handle|来源|笔记) ?#?\d+\]|^\s*(?:BEGIN|END) (?:NOTE|SOURCE|DATA|UNIT)\b"
    r"|^\s*(?:FILE|NODE|SOURCE) \S+\.md\s*$"
    r"|^\s*(?:NOTE|SOURCE|UNIT|NODES?) \d+ \(|<<<\w{4,}|\w{4,}>>>|</?think(?:ing)?>"
    r"|\b(?:same_abstraction|derived_from)\b(?!::)|<(?:short-name|短名)>|\|(?:readable words"
    r"|可读的文字)\]\]"
    r"|^\s*(?:sure|certainly|of course|here you go)[,!.]\s+(?:here|below)\b"
    r"|^\s*here is the (?:updated|revised|new|final|requested) (?:note|node|version|content)\b",
    re.I | re.M,
)
_TASK = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]\][ \t]")
_EMBED = re.compile(r"!\[\[")
_FENCE = re.compile(r"(?m)^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
_CODE = re.compile(r"`[^`\n]+`")
_WORD = re.compile(r"[A-Za-z0-9']+|[^\W_A-Za-z0-9]")


@check
def prompt_labels(case: Case) -> Iterator[tuple[Level, str]]:
    """Words of a prompt, or of the talk around an answer, that came along with it."""
    for path in case.after:
        said = _CODE.sub("", _FENCE.sub("", said_anew(case, path)))
        if match := _LABELS.search(said):
            yield "warn", f"it contains words from the prompt: {match[0].strip()}"


@check
def inert(case: Case) -> Iterator[tuple[Level, str]]:
    """What is added acts in nobody's views: no tasks, tags, embeds, and no fields but ours."""
    for path, note in case.after.items():
        added = added_text(case, path)
        if _TASK.search(_FENCE.sub("", added)):
            yield "warn", "it would add a task"
        if _EMBED.search(_CODE.sub("", _FENCE.sub("", added))):
            yield "warn", "it would embed another note"
        lines = set(added.splitlines())
        for tag, span in body_tags(note):
            if _line_at(note, span.start) in lines:
                yield "warn", f"it would tag the node with #{tag}"
        typed = case.settings.edge_style != "sentence"
        for field in fields_in(note):
            ours = typed and "[[" in field.value
            if not ours and _line_at(note, field.start) in lines:
                yield "warn", f"it would add the Dataview field {field.key}"


def _line_at(note: Note, offset: int) -> str:
    start = note.text.rfind("\n", 0, offset) + 1
    end = note.text.find("\n", offset)
    return note.text[start : len(note.text) if end < 0 else end].rstrip("\r")


@check
def mostly_copied(case: Case) -> Iterator[tuple[Level, str]]:
    """A digest is not a copy: a long addition whose words stand in the same order in a source.

    The offline reader can only quote, and says so on what it makes.
    """
    for path in case.after if case.proposal.provider != "offline" else ():
        words = _words(added_prose(case, path))
        if len(words) < LONG_COPY:
            continue
        runs = {tuple(words[i : i + 8]) for i in range(len(words) - 7)}
        for source, text in case.sources.items():
            there = _words(text)
            same = runs & {tuple(there[i : i + 8]) for i in range(len(there) - 7)}
            if len(same) * 10 > len(runs) * 7:
                yield "warn", f"it is mostly a copy of {source}"


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_LINK.sub("", text))]


@check
def language(case: Case) -> Iterator[tuple[Level, str]]:
    """A node is written in the language of its sources, unless the owner set one."""
    if case.settings.language != "auto" or case.proposal.kind != "unit":
        return
    quotes = " ".join(item.quote for item in case.proposal.unit.evidence)
    source = tongue(quotes)
    if source in ("", "latin"):  # too little to tell by
        source = tongue(quotes + " ".join(case.sources.values())) or source
    for path, note in case.after.items():
        said = _CODE.sub("", _FENCE.sub("", _QUOTED.sub("", added_prose(case, path))))
        if differ(source, tongue(_LINK.sub("", said))):
            yield "warn", "it is not in the language of its sources"
        elif source == "zh" and case.before.get(path) is None and _english(note):
            yield "warn", "its name or a heading is English, its sources are not"


def _english(note: Note) -> bool:
    """Whether the name, or a heading but that of the sources, is several English words."""
    titles = [*read_properties(note).texts("name"), *(heading.text for heading in note.headings)]
    return any(
        title.isascii()
        and len(title.split()) >= 3
        and tongue(f"{title} {title}") in ("en", "latin")
        for title in titles
    )
