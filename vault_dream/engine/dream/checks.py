"""Checks: what code demands of a proposal, each a small function from a case to findings.

Levels are DESIGN's: an *error* never commits, a *hold* never unattended, a *warn* is queued under
``safe``, an *info* is shown. A check that cries wolf on ordinary proposals is a fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from vault_dream.config import Settings
from vault_dream.engine.digest.edges import (
    Edge,
    edges_of,
    outside_sources,
    sentence_at,
)
from vault_dream.engine.dream.proposals import Finding, Level, Proposal
from vault_dream.engine.dream.quotes import (
    LEAST_WORDS,
    length_in_words,
    long_enough,
    words_of,
)
from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.paths import key, linkable, portable_stem
from vault_dream.engine.vault.plain import INVISIBLE
from vault_dream.engine.vault.properties import read_properties, same_value
from vault_dream.engine.vault.resolve import Resolver

LONGEST_NODE = 600
"""Words after which a node should be split."""

CHANGEABLE = frozenset({"name", "description", "aliases", "updated"})
"""Properties that an update may change; others that stand in a node are its owner's."""


@dataclass(frozen=True)
class Case:
    """A proposal with the notes it touches as they are and as they would be.

    ``read`` are texts that stood before its reader beside the parts of its ``sources`` that it was
    shown: what else the sources hold, and other notes that it opened.

    ``written`` has the lines of each note that runs put there: all others are its owner's.
    ``before`` has ``None`` where there is no note yet; ``taken`` are the keys of all existing
    paths; ``real`` says where a path leads that links lead elsewhere, ``""`` for out of the vault;
    the resolvers know the vault before and after.
    """

    proposal: Proposal
    before: Mapping[str, Note | None]
    after: Mapping[str, Note]
    old: Resolver
    new: Resolver
    taken: frozenset[str]
    sources: Mapping[str, str]
    settings: Settings
    read: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, frozenset[str]] = field(default_factory=dict)
    real: Mapping[str, str] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.proposal.target


Check = Callable[[Case], Iterator[tuple[Level, str]]]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Register a check under its function's name."""
    CHECKS[function.__name__] = function
    return function


def run_checks(case: Case) -> tuple[Finding, ...]:
    """Everything the checks have to say, the most serious first."""
    found = [
        Finding(name, level, message)
        for name, function in CHECKS.items()
        for level, message in function(case)
    ]
    order = {"error": 0, "hold": 1, "warn": 2, "info": 3}
    return tuple(sorted(found, key=lambda finding: order[finding.level]))


# Errors ------------------------------------------------------------------------------------------


@check
def confined(case: Case) -> Iterator[tuple[Level, str]]:
    """Every file lies under the digest, by its name and where links lead."""
    folder = case.settings.digest_dir + "/"
    for path in case.after:
        parts = path.split("/")
        inside = path.startswith(folder)
        if not inside or any(part in ("", ".", "..") or part[0] == "." for part in parts):
            yield "error", f"{path} is not in {folder}"
        elif not case.real.get(path, path).startswith(folder):
            yield "error", f"{path} is a link out of {folder}"


@check
def only_its_files(case: Case) -> Iterator[tuple[Level, str]]:
    """One of the four actions touches exactly its target."""
    for path in case.after:
        if path != case.target:
            yield "error", f"it would change {path} as well as {case.target}"


@check
def file_name(case: Case) -> Iterator[tuple[Level, str]]:
    """A new file's name works on every system and in links, and collides with none."""
    for path, note in case.before.items():
        if note is not None:
            continue
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        if portable_stem(stem) != stem or not path.endswith(".md") or not linkable(path):
            yield "error", f"the file name {stem!r} does not work on every system"
        if key(path) in case.taken:
            yield "error", f"a file with the name of {path} exists already"


@check
def exists(case: Case) -> Iterator[tuple[Level, str]]:
    """CREATE makes a note that was not there; an update changes one that was."""
    creates = case.proposal.action == "CREATE"
    if creates and case.before.get(case.target) is not None:
        yield "error", f"{case.target} exists already"
    if not creates and case.before.get(case.target) is None:
        yield "error", f"{case.target} does not exist"


@check
def links_conserved(case: Case) -> Iterator[tuple[Level, str]]:
    """No (node, resolved target) pair over the files it touches is lost (DESIGN rule 4)."""
    for node, target in sorted(lost_links(case)):
        yield "error", f"the link from {node} to {target} would be lost"


def lost_links(case: Case) -> set[tuple[str, str]]:
    """The (node, target) pairs that stood before and would not stand after."""
    lost: set[tuple[str, str]] = set()
    for path, note in case.before.items():
        if note is not None:
            kept = {(e.node, e.target) for e in edges_of(case.after[path], case.new)}
            lost |= {(e.node, e.target) for e in edges_of(note, case.old)} - kept
    return lost


@check
def sentences_kept(case: Case) -> Iterator[tuple[Level, str]]:
    """A kept link keeps its sentence, or one that says much the same."""
    from rapidfuzz.fuzz import partial_ratio

    for path, note in case.before.items():
        if note is None:
            continue
        after: dict[str, list[str]] = {}
        for edge in edges_of(case.after[path], case.new):
            after.setdefault(edge.target, []).append(edge.sentence)
        for edge in edges_of(note, case.old):
            sentences = after.get(edge.target)
            if not edge.sentence or not sentences or edge.sentence in sentences:
                continue
            words = _words_only(edge.sentence)
            if not _LETTERS.search(words):
                continue  # it had none: a bare link
            if max(partial_ratio(words, _words_only(s)) for s in sentences) < 60:
                yield "error", f"the link to {edge.target} would lose its sentence: {edge.sentence}"


@check
def sources_present(case: Case) -> Iterator[tuple[Level, str]]:
    """Every cited path has a source edge in the body; one in a property counts where it stood."""
    note = case.after.get(case.target)
    if note is None or case.proposal.kind != "unit":
        return
    before = case.before.get(case.target)
    linked = {edge.target for edge in edges_of(note, case.new) if edge.sentence}
    linked |= {edge.target for edge in edges_of(before, case.old)} if before else set()
    for path in case.proposal.unit.paths:
        if path in linked:
            continue
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        if not linkable(path) and stem in note.text:
            yield "warn", f"no link can be written to {path}; it is named in words"
        else:
            yield "error", f"the source {path} is not linked"


@check
def links_resolve(case: Case) -> Iterator[tuple[Level, str]]:
    """Links that the proposal adds lead somewhere."""
    for edge in added_edges(case):
        if not edge.resolved:
            yield "error", f"the new link to {edge.target} leads nowhere"


@check
def no_self_link(case: Case) -> Iterator[tuple[Level, str]]:
    for edge in added_edges(case):
        if edge.target == edge.node:
            yield "error", f"{edge.node} would link to itself"


@check
def sentence_around_links(case: Case) -> Iterator[tuple[Level, str]]:
    """A new link stands in a sentence that says why; no sentence serves twice.

    A bare link line and a standalone field are refused, except where ``edge_style: field`` asks for
    fields (the newer seed's rule).
    """
    if case.proposal.kind == "repair":
        return  # the links stood there before; only where they lead changes
    fields = case.settings.edge_style == "field"
    for path, note in case.after.items():
        old = _sentences(case.before.get(path))
        seen: dict[str, str] = {}
        for link, sentence in _linked_sentences(note):
            words = _words_only(sentence)
            first = seen.setdefault(words, sentence)
            if sentence in old or (fields and _FIELD_ONLY.fullmatch(words)):
                continue
            if not _says_why(words):
                yield "error", f"the link to {link.target} has no sentence around it"
            elif first != sentence:
                yield "error", f"two links share the same words: {sentence}"


@check
def frontmatter(case: Case) -> Iterator[tuple[Level, str]]:
    """Readable frontmatter with ``name`` and ``description`` filled; no key of the owner's changed,
    but by the owner."""
    for path, note in case.after.items():
        properties = read_properties(note)
        if properties.error:
            yield "error", f"{path}: {properties.error}"
            continue
        for name in () if case.proposal.kind == "repair" else ("name", "description"):
            if not any(text.strip() for text in properties.texts(name)):
                yield "error", f"{path} would have no {name}"
        yield from _other_keys(case, path)


def _other_keys(case: Case, path: str) -> Iterator[tuple[Level, str]]:
    before = case.before.get(path)
    if before is None:
        return
    old, new = read_properties(before).values, read_properties(case.after[path]).values
    if lost := sorted(set(old) - set(new)):
        yield "error", f"{path} would lose the properties {', '.join(lost)}"
    if case.proposal.offered:
        return  # a person's own text
    ours = {*CHANGEABLE, case.settings.reviewed_field}
    for name in sorted(set(old) & set(new) - ours):
        if not _kept(old[name], new[name]):
            yield "error", f"{path} would have a different {name}"


def _kept(old: object, new: object) -> bool:
    """Whether a property keeps its value, or a list the items that it had, at its start."""
    if old in (None, "") or same_value(old, new):
        return True
    before = old if isinstance(old, list) else [old]
    return isinstance(new, list) and same_value(before, new[: len(before)])


# Holds -------------------------------------------------------------------------------------------

_ACTIVE = re.compile(
    r"(?:`{3}|~{3})[ \t]*(?:dataview(?:js)?|datacore\w*|tasks|query|base|templater|js-engine|button"
    r"|meta-bind[\w-]*|tracker)\b"
    r"|`\$?=|<%|<(?:script|iframe|frame|object|embed|img|svg|video|audio|link|style|form|meta)\b"
    r"|<[a-z][^<>\n]*[\s/]on[a-z]+\s*="
    r"|!\[(?!\[)[^\]\n]*\](?:(?!\()|\(\s*<?(?:https?:|//))"
    r"|\]\(\s*<?(?:obsidian|file|javascript|vbscript|data):|javascript:(?=\S)",
    re.I,
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s)>\]\"'|]+", re.I)


@check
def active_content(case: Case) -> Iterator[tuple[Level, str]]:
    """Nothing that runs or loads comes with a proposal, and no address the notes did not have."""
    known = " ".join(case.sources.values())
    for path, note in case.after.items():
        before = case.before.get(path)
        old = before.text if before else ""
        for match in _ACTIVE.finditer(note.text):
            if note.text.count(match[0]) > old.count(match[0]):
                yield "hold", f"{path} would contain something that runs or loads: {match[0]}"
        for url in dict.fromkeys(_URL.findall(note.text)):
            if url not in old and url.rstrip(".,;:") not in known:
                yield "hold", f"{path} would link to an address found in no source: {url}"
        if len(_unseen(note.text)) > len(_unseen(old)):
            yield "hold", f"{path} would contain invisible characters"


def _unseen(text: str) -> list[str]:
    return INVISIBLE.findall(text.removeprefix("\ufeff"))


@check
def owners_lines(case: Case) -> Iterator[tuple[Level, str]]:
    """Lines that the owner wrote or edited change only with their eyes on it."""
    for path, note in case.before.items():
        if note is None:
            continue
        ours = case.written.get(path, frozenset())
        for line in removed_lines_of(note, case.after[path]):
            if line.strip() not in ours:
                yield "hold", f"it would change a line that you wrote: {line.strip()}"


@check
def correction_removes(case: Case) -> Iterator[tuple[Level, str]]:
    """A CORRECT that takes text away is for a person to see."""
    if case.proposal.action == "CORRECT" and removed_lines(case):
        yield "hold", "it removes or rewrites existing text"


@check
def mostly_removed(case: Case) -> Iterator[tuple[Level, str]]:
    """An update may not drop most of what stood there, by its words; the sources do not count."""
    for path, note in case.before.items():
        if note is None:
            continue
        old = Counter(words_of(outside_sources(note)))
        gone = old - Counter(words_of(outside_sources(case.after[path])))
        if old.total() >= LEAST_WORDS and gone.total() * 2 > old.total():
            yield "hold", f"more than half of {path} would be removed"


# Warnings ----------------------------------------------------------------------------------------


@check
def evidence(case: Case) -> Iterator[tuple[Level, str]]:
    """Each unit has words of its sources to show."""
    if case.proposal.kind != "unit":
        return
    unit = case.proposal.unit
    if not unit.evidence:
        yield "warn", "no words from the sources are given as evidence"
    for item in unit.evidence:
        if not item.found:
            yield "warn", f"these words are not in {item.path}: {item.quote}"
        elif not long_enough(item.quote):
            yield "warn", f"these words are weak evidence: {item.quote}"


@check
def near_duplicate(case: Case) -> Iterator[tuple[Level, str]]:
    """A new node that, by its words or by what its own reader thought, stands already."""
    if case.proposal.action == "CREATE":
        for candidate in case.proposal.candidates:
            if candidate.judged == "same_abstraction":
                yield "warn", f"{candidate.name} ({candidate.path}) seems to say the same"
            elif candidate.relation == "same_abstraction":
                yield "warn", f"{candidate.name} ({candidate.path}) may say the same"


@check
def unsure_target(case: Case) -> Iterator[tuple[Level, str]]:
    """An update of a node that its own reader calls only related."""
    if case.proposal.action != "CREATE":
        for candidate in case.proposal.candidates:
            if candidate.path == case.target and candidate.relation == "related":
                yield "warn", f"is it about the same thing as {candidate.name}?"


@check
def lines_removed(case: Case) -> Iterator[tuple[Level, str]]:
    if case.proposal.action != "CORRECT" and (removed := removed_lines(case)):
        yield "warn", f"{len(removed)} lines would be rewritten or removed"


@check
def related_linked(case: Case) -> Iterator[tuple[Level, str]]:
    """Every candidate that was classed related is linked."""
    note = case.after.get(case.target)
    if note is None:
        return
    linked = {edge.target for edge in edges_of(note, case.new)}
    for candidate in case.proposal.candidates:
        if candidate.relation == "related" and candidate.path not in (case.target, *linked):
            yield "warn", f"{candidate.name} was found to be related, but is not linked"


@check
def too_long(case: Case) -> Iterator[tuple[Level, str]]:
    for path, note in case.after.items():
        words = length_in_words(note.text[note.body_start :])
        if words > LONGEST_NODE:
            yield "warn", f"{path} would have {words} words; consider splitting it"


# What the checks share ---------------------------------------------------------------------------


def added_edges(case: Case) -> Iterator[Edge]:
    """Edges that stand after and did not before."""
    for path, note in case.after.items():
        before = case.before.get(path)
        old = {(e.predicate, e.target) for e in edges_of(before, case.old)} if before else set()
        for edge in edges_of(note, case.new):
            if (edge.predicate, edge.target) not in old:
                yield edge


def removed_lines(case: Case) -> list[str]:
    """Body lines, blank ones left out, that stood before and do not stand after."""
    return [
        line
        for path, note in case.before.items()
        if note is not None
        for line in removed_lines_of(note, case.after[path])
    ]


def removed_lines_of(before: Note, after: Note) -> list[str]:
    """Body lines of one note that stood before and do not stand after."""
    left = Counter(_body_lines(after))
    removed = []
    for line in _body_lines(before):
        if left[line]:
            left[line] -= 1
        elif line.strip():
            removed.append(line)
    return removed


def _body_lines(note: Note) -> list[str]:
    return [line.rstrip() for line in note.text[note.body_start :].splitlines()]


_LINKS = re.compile(r"!?\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\n]*\)")
_FIELD_ONLY = re.compile(r"[>\s]*[\[(]?\s*[*_~]*[\w -]+?[*_~]*::\s*[\])]?[\s.。]*")
_LETTERS = re.compile(r"[^\W\d_]")


def _words_only(sentence: str) -> str:
    """A sentence without its links, for comparing what it says."""
    return " ".join(_LINKS.sub(" ", sentence).split())


def _says_why(words: str) -> bool:
    """Whether what is left of a sentence without its links is more than a marker or a field."""
    stripped = words.strip(" -*+>#:：.,;，。、()[]")
    if _FIELD_ONLY.fullmatch(words) or not stripped:
        return False
    return len(_LETTERS.findall(stripped)) >= (2 if not stripped.isascii() else 4)


def _linked_sentences(note: Note) -> Iterator[tuple[Link, str]]:
    for link in links_in(note):
        if link.property is None and not link.external and not link.hidden and link.target:
            yield link, sentence_at(note, link.start, link.end)


def _sentences(note: Note | None) -> frozenset[str]:
    return frozenset(s for _, s in _linked_sentences(note)) if note else frozenset()
