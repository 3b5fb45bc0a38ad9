"""Integration: one unit to one node, through the six tools of a model and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.dream.offline import sources, updates
from vault_dream.engine.dream.offline.claims import Claim, claims_in
from vault_dream.engine.dream.offline.compare import differs_in_value, kin, names_in, same_name
from vault_dream.engine.dream.offline.compose import Statements, body, statements
from vault_dream.engine.dream.offline.passages import secretive
from vault_dream.engine.dream.offline.places import (
    cited,
    node_link,
    paths_of,
    place_of,
)
from vault_dream.engine.dream.offline.sameness import (
    Side,
    closeness,
    is_another,
    is_same,
    is_surely,
    may_be_same,
)
from vault_dream.engine.dream.offline.sources import Cited
from vault_dream.engine.dream.offline.words import (
    MEASURES,
    is_chinese,
    ordered_terms,
    overlap,
    surface,
    terms,
)
from vault_dream.engine.dream.reader import (
    IntegrateRequest,
    Receipt,
    Relation,
    SourceText,
    ToolError,
    Tools,
)
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.vault.paths import slug
from vault_dream.engine.vault.plain import plain

FILE_NAME = 100  # bytes of a new node's name
_RECALL = 25
_READ = 6  # candidates that are opened
_RELATED = 3
_LEAST = 0.25  # score of a node that is opened though its title shares nothing
_LINK = re.compile(r"\[\[[^\]\n]*\]\]")
"""The name of another note says nothing of what this one is about."""
_SUBJECT = r"^([A-Z]\w+ (?:\w+(?:ed|s)|was|did|had|has|is)\b)"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that might be the one, opened: ``body`` without frontmatter and sources."""

    hit: NodeHit
    text: str
    body: str
    terms: frozenset[str]
    side: Side


def integrate(request: IntegrateRequest, tools: Tools) -> Receipt:
    """Bring ``request.unit`` into the digest; raises :class:`ToolError` as the tools do."""
    unit = request.unit
    by_path = {s.path: s for s in request.sources}
    said = statements(claims_behind(unit, by_path), unit.summary, unit.name)
    chinese = _writes_chinese(request, said)
    hits = recall(unit, said, tools)
    candidates = _opened(hits, unit, said, tools)
    quoted = sources.gathered(
        (
            place_of(e, by_path, request.today, chinese=chinese),
            "" if secretive(e.quote) else e.quote,  # its day is named, its words are not
        )
        for e in unit.evidence
    )
    if request.chosen is None:
        match = same_node(unit, said, candidates)
    else:
        match = _chosen(request.chosen, hits, tools)
    if match is not None:
        return _update(request, said, quoted, match, candidates, tools, chinese=chinese)
    return _create(request, said, quoted, candidates, tools, chinese=chinese)


def claims_behind(unit: Unit, by_path: Mapping[str, SourceText]) -> tuple[Claim, ...]:
    """The claims that the unit's evidence stands in, the best proved first."""
    found: list[Claim] = []
    for path in paths_of(unit.evidence):
        source = by_path.get(path)
        if source is None:
            continue
        spots = [e for e in unit.evidence if e.path == path and e.found]
        for claim in claims_in(source):
            lines = {s.line for s in claim.quotable}
            if any(e.line in lines and _quoted(e.quote, claim) for e in spots):
                found.append(claim)
    return tuple(found)


def _quoted(quote: str, claim: Claim) -> bool:
    return any(quote in s.raw or s.raw in quote for s in claim.quotable) or (
        overlap(terms(plain(quote)), terms(claim.text)) >= 0.6
    )


def recall(unit: Unit, said: Statements, tools: Tools) -> tuple[NodeHit, ...]:
    """Candidates of several searches, each node once, the best first."""
    words = ordered_terms(f"{unit.name} {unit.summary}")
    shown = surface(f"{unit.name} {unit.summary}")
    rare = sorted(words, key=len, reverse=True)[:6]
    queries = [
        unit.name,
        unit.summary,
        " ".join(dict.fromkeys(shown.get(t, t) for t in rare)),
        said.place,
        said.main,
        " ".join(dict.fromkeys(shown.get(t, t) for t in ordered_terms(unit.name)[:4])),
    ]
    best: dict[str, NodeHit] = {}
    for query in dict.fromkeys(q.strip() for q in queries):
        for hit in tools.node_search(query, _RECALL) if query else ():
            if hit.path not in best or best[hit.path].score < hit.score:
                best[hit.path] = hit
    near = {p: _nearness(unit, h) + h.score for p, h in best.items()}
    return tuple(sorted(best.values(), key=lambda h: (-near[h.path], h.path)))


def _nearness(unit: Unit, hit: NodeHit) -> float:
    mine, name = terms(f"{unit.name} {unit.summary}"), terms(hit.name)
    return overlap(name, mine) + overlap(terms(unit.name), name | terms(hit.description))


def _opened(
    hits: tuple[NodeHit, ...], unit: Unit, said: Statements, tools: Tools
) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for hit in hits[:_READ]:
        if _nearness(unit, hit) <= 0 and hit.score < _LEAST and not said.again:
            continue
        try:
            found.append(_open(hit, tools))
        except ToolError:
            continue
    return tuple(found)


def _open(hit: NodeHit, tools: Tools) -> Candidate:
    text = tools.read(hit.path)
    prose = updates.prose_of(text)
    told = f"{hit.name}\n{hit.description}\n{plain_lines(prose)}"
    own = plain_lines(_LINK.sub(" ", prose))
    given = tools.frontmatter_read(hit.path).get("aliases")
    aliases = tuple(map(str, given)) if isinstance(given, list) else ()
    whole = "\n".join((hit.name, hit.description, own, *aliases))
    side = Side(hit.name, hit.description, whole, hit.path.split("/")[-2], aliases)
    return Candidate(hit, text, prose, terms(told), side)


def _chosen(path: str, hits: tuple[NodeHit, ...], tools: Tools) -> Candidate | None:
    """The node that a person chose for the unit; ``None`` for a new one."""
    if not path:
        return None
    hit = next((hit for hit in hits if hit.path == path), None)
    if hit is None:
        properties = tools.frontmatter_read(path)
        name, about = (str(properties.get(key, "")) for key in ("name", "description"))
        hit = NodeHit(path, 0.0, name, about)
    return _open(hit, tools)


def plain_lines(text: str) -> str:
    return "\n".join(plain(line) for line in text.splitlines())


def same_node(unit: Unit, said: Statements, candidates: Sequence[Candidate]) -> Candidate | None:
    """The node that is about the very thing the unit is about, the nearest where several are."""
    own = _side(unit, said)
    same = [c for c in candidates if _is_it(unit, said, own, c)]
    return max(same, key=lambda c: closeness(own, c.side), default=None)


def _is_it(unit: Unit, said: Statements, own: Side, candidate: Candidate) -> bool:
    if same_name(unit.name, candidate.hit.name) or is_same(own, candidate.side):
        return True
    alike = same_abstraction(unit, said, candidate)
    return alike and (said.again or not is_another(own, candidate.side))


def _side(unit: Unit, said: Statements) -> Side:
    brief = f"{unit.name}\n{unit.summary}"
    rest = (said.main, *said.lead, *said.steps, *said.more, *(e.quote for e in unit.evidence))
    return Side(unit.name, brief, "\n".join((brief, *rest)), unit.bucket)


def same_abstraction(unit: Unit, said: Statements, candidate: Candidate) -> bool:
    """Whether the node is about the very thing the unit is about."""
    hit = candidate.hit
    if same_name(unit.name, hit.name):
        return True
    if said.again and (said.kind == "recurrence" or shows(said, candidate)):
        return shows(said, candidate)
    mine, theirs = terms(unit.name), terms(hit.name)
    if not mine or not theirs:
        return False
    claim = terms(f"{unit.name} {said.main if not said.steps else ' '.join(said.steps)}")
    small, large = (mine, theirs) if len(mine) <= len(theirs) else (theirs, mine)
    names = overlap(small, large)
    held = overlap(claim, candidate.terms)
    contradicted = updates.contradicted(said, candidate.body) is not None
    if contradicted:
        return names >= 0.5 or held >= 0.5
    if differs_in_value(unit.name, hit.name):
        return False
    if _other_value(said, candidate):
        return False
    if len(claim) >= 5 and held >= 0.85:
        return True
    shared = len(mine & theirs)
    return shared >= 2 and ((names >= 0.6 and held >= 0.5) or (names >= 0.5 and held >= 0.75))


_AT_SOMEBODYS = re.compile(r"\b(?:at|from|to|in|over at) [A-Z]\w+['’]s\b")
"""Where something happened again, which does not make it somebody else's matter."""


def shows(said: Statements, candidate: Candidate) -> bool:
    """Whether an event shows what the node says: it tells of most of the node's subject."""
    told = terms(" ".join([*said.lead, said.main, *said.more])) - MEASURES
    title = terms(candidate.hit.name) - MEASURES
    node = candidate.terms - MEASURES
    names = names_in(_AT_SOMEBODYS.sub(" ", re.sub(_SUBJECT, r"- \1", said.main)))
    if names and not names & names_in(f"- {candidate.hit.name}\n{candidate.body}"):
        return False
    of_title, of_node = kin(title, told), kin(told, node)
    if of_title >= 2 and of_title >= 0.5 * len(title):
        return True
    return of_node >= 3 and of_title >= 1 and of_node >= 0.4 * len(told)


def _other_value(said: Statements, candidate: Candidate) -> bool:
    """Whether the node's nearest statement is of one mould with the unit's, with another value."""
    near = updates.nearest(said.main, candidate.body)
    return near is not None and differs_in_value(said.main, near)


def _near(unit: Unit, candidate: Candidate) -> tuple[str, ...]:
    """The words that unit and node share, if they make the two truly near."""
    mine, theirs = (
        ordered_terms(f"{unit.name} {unit.summary}"),
        terms(f"{candidate.hit.name} {candidate.hit.description}"),
    )
    shared = [t for t in mine if t in theirs and t not in MEASURES and not t[0].isdigit()]
    both = terms(unit.name) & terms(candidate.hit.name)
    titles = [t for t in shared if t in both]
    if len(titles) < 2 and not (titles and len(shared) >= 3):
        return ()
    if len(shared) / max(1, min(len(mine), len(theirs))) < 0.2:
        return ()
    shown = surface(f"{unit.name} {unit.summary}")
    words = dict.fromkeys(shown.get(t, t) for t in dict.fromkeys(titles + shared))
    return tuple(w if w[1:].lower() != w[1:] else w.lower() for w in words)[:2]


def _writes_chinese(request: IntegrateRequest, said: Statements) -> bool:
    if request.language != "auto":
        return request.language.lower().startswith("zh")
    return said.chinese or is_chinese(request.unit.name)


# Writing


def _create(
    request: IntegrateRequest,
    said: Statements,
    quoted: tuple[Cited, ...],
    candidates: tuple[Candidate, ...],
    tools: Tools,
    *,
    chinese: bool,
) -> Receipt:
    unit = request.unit
    near = [(c, words) for c in candidates if (words := _near(unit, c))][:_RELATED]
    style = request.edge_style
    relations = [
        updates.relation(node_link(c.hit.path, c.hit.name), c.hit.path, words, i, style, chinese)
        for i, (c, words) in enumerate(near)
    ]
    if style == "field" and relations:
        relations = ["\n".join(relations)]
    listed = sources.lines(quoted, said.kind, style=style, chinese=chinese)
    text = body(said, relations, listed)
    written = _write(request, plain(unit.name), plain(unit.summary), text, tools)
    tools.frontmatter_update(written, {"reader": "offline"})
    related = tuple(c.hit.path for c, _ in near)
    doubted = () if request.chosen is not None else _doubted(request, said, candidates)
    note = "a node may say this in other words" if doubted else "no node says this yet"
    return Receipt("CREATE", written, related, _classes(candidates, related, doubted), note)


def _doubted(
    request: IntegrateRequest, said: Statements, candidates: Sequence[Candidate]
) -> tuple[str, ...]:
    """The node that is most likely about the very thing in words that this reader cannot tell."""
    own = _side(request.unit, said)
    nodes = [c.side for c in candidates]
    doubted = [c for c in candidates if may_be_same(own, c.side, nodes)]
    nearest = max(doubted, key=lambda c: closeness(own, c.side), default=None)
    return () if nearest is None else (nearest.hit.path,)


def _write(request: IntegrateRequest, name: str, description: str, text: str, tools: Tools) -> str:
    """The path that a new node got: called like the unit, with a number where that is taken."""
    folder = f"{request.digest_dir}/{request.unit.bucket}"
    stem = slug(request.unit.name, max_bytes=FILE_NAME)
    for tail in ("", f"-{request.unit.bucket}", "-2"):
        try:
            return tools.write(f"{folder}/{stem}{tail}.md", name, description, text)
        except ToolError as error:
            refused = error
    raise refused


def _update(
    request: IntegrateRequest,
    said: Statements,
    quoted: tuple[Cited, ...],
    match: Candidate,
    candidates: tuple[Candidate, ...],
    tools: Tools,
    *,
    chinese: bool,
) -> Receipt:
    path = match.hit.path
    style = request.edge_style
    standing = sources.standing_lines(match.text)
    known = cited(match.text)
    change = updates.plan(said, match.text, match.terms, quoted, chinese=chinese)
    again = change.action == "CORROBORATE"
    new = tuple(
        q for q in quoted if q.place.path not in known or not (again or _stand(q.quotes, standing))
    )
    listed = sources.lines(
        new,
        change.reason or said.kind,
        style=style,
        chinese=chinese,
        again=again,
        denied=change.denied,
        standing=standing,
    )
    text = match.text
    if change.insertion is not None:
        tools.edit(path, *updates.as_edit(text, change.insertion))
        text = updates.inserted(text, change.insertion)
    if listed:
        tools.edit(path, *updates.as_edit(text, updates.with_sources(text, listed)))
    related = tuple(
        c.hit.path
        for c in candidates
        if c is not match and c.hit.path in known and _near(request.unit, c)
    )
    note = change.note if listed or change.insertion else "already there, from the same source"
    unsure = (
        change.action == "REFINE"
        and request.chosen is None
        and not is_surely(_side(request.unit, said), match.side)
    )
    classes = _classes(
        candidates, (*related, path) if unsure else related, () if unsure else (path,)
    )
    return Receipt(change.action, path, related, classes, note)


def _stand(quotes: tuple[str, ...], standing: tuple[str, ...]) -> bool:
    return all(any(sources.quotable(q) in line for line in standing) for q in quotes)


def _classes(
    candidates: tuple[Candidate, ...], related: tuple[str, ...], same: Sequence[str]
) -> tuple[tuple[str, Relation], ...]:
    def relation(path: str) -> Relation:
        if path in same:
            return "same_abstraction"
        return "related" if path in related else "unrelated"

    return tuple((c.hit.path, relation(c.hit.path)) for c in candidates)
