"""Entity tags for a node: the vault's own tags first, then names that the node is clearly about."""

from __future__ import annotations

import re
from collections import Counter

from vault_dream.engine.dream.offline.updates import prose_of
from vault_dream.engine.dream.offline.verbs import VERBS
from vault_dream.engine.dream.offline.words import CJK, is_chinese, ordered_terms, stem
from vault_dream.engine.dream.reader import TagRequest
from vault_dream.engine.vault.plain import plain

_TAG = re.compile(r"^(?=.*[^\d/])[^\W_][\w/-]*$")
_WORD = re.compile(rf"[^\W\d_{CJK}][\w'’-]*")
_NAME = re.compile(r"(?<=[a-z,]\s)([A-Z][\w-]+(?:\s[A-Z][\w-]+)?)")
_DATES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december
    """.split()  # noqa: SIM905
)


def tags_for(request: TagRequest) -> tuple[str, ...]:
    """At most ``limit`` tags; none rather than one that says nothing."""
    title = f"{request.name}\n{request.description}"
    prose = "\n".join(plain(line) for line in prose_of(request.body).splitlines())
    text = f"{title}\n{prose}"
    found = [t for t in request.vault_tags if _TAG.match(t) and _fits(t, title, text)]
    if len(found) < request.limit:
        words = {stem(w) for t in found for w in re.split(r"[-/_]", t)}
        found += [t for t in _named(request.name, title, text) if not words & set(_stems(t))]
    kept = list(dict.fromkeys(found))
    return tuple(kept[: max(0, request.limit)])


def _fits(tag: str, title: str, text: str) -> bool:
    """Whether every word of an existing tag stands in the title, or often enough in the text."""
    last = tag.rsplit("/", 1)[-1]
    if is_chinese(last):
        return last in title or text.count(last) >= 2
    wanted = _stems(last)
    if not wanted or all(len(w) < 3 for w in wanted):
        return False
    have = Counter(stem(w) for w in _WORD.findall(text))
    titled = {stem(w) for w in _WORD.findall(title)}
    return all(w in titled for w in wanted) or all(have[w] >= 2 for w in wanted)


def _stems(tag: str) -> list[str]:
    return [stem(w) for w in re.split(r"[-_/]", tag) if w]


def _named(name: str, title: str, text: str) -> list[str]:
    """New tags: proper names, and words of the title that the text keeps coming back to."""
    found = [
        _kebab(proper)
        for proper in _NAME.findall(text)
        if proper.lower() not in _DATES and not proper.isupper() and text.count(proper) >= 2
    ]
    counts = Counter(stem(w) for w in _WORD.findall(text))
    shown = {stem(w): w for w in reversed(_WORD.findall(name))}
    found += [
        _kebab(shown[term])
        for term in ordered_terms(name)
        if counts[term] >= 3 and len(term) >= 4 and shown.get(term, "").lower() not in {"", *VERBS}
    ]
    return [t for t in dict.fromkeys(found) if _TAG.match(t)][:3]


def _kebab(text: str) -> str:
    text = re.sub(r"['’]s?\b", "", text).lower()
    return "-".join(re.findall(r"[^\W_]+", text))
