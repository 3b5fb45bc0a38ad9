"""Entity tags for a node: the vault's own tags first, then names that the node is clearly about."""

from __future__ import annotations

import re
from collections import Counter

from vault_dream.engine.dream.offline.updates import prose_of
from vault_dream.engine.dream.offline.verbs import VERBS
from vault_dream.engine.dream.offline.words import CJK, is_chinese, stem, terms
from vault_dream.engine.dream.reader import TagRequest
from vault_dream.engine.vault.plain import plain

_TAG = re.compile(r"^(?=.*[^\d/])[^\W_][\w/-]*$")
_WORD = re.compile(rf"[^\W\d_{CJK}][\w'’-]*")
_NAME = re.compile(r"\b[a-z][\w'’-]*,?\s([A-Z][\w-]+(?:\s[A-Z][\w-]+)?)")
_DATES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december
    """.split()  # noqa: SIM905
)


def tags_for(request: TagRequest) -> tuple[str, ...]:
    """At most ``limit`` tags; none rather than one that says nothing."""
    prose = "\n".join(plain(line) for line in prose_of(request.body).splitlines())
    found = [t for t in request.vault_tags if _TAG.match(t) and _fits(t, request.name, prose)]
    words = {w for t in found for w in _stems(t)}
    found += [t for t in _named(prose, request.name) if not words & set(_stems(t))]
    return tuple(dict.fromkeys(found))[: max(0, request.limit)]


def _fits(tag: str, name: str, prose: str) -> bool:
    """Whether every word of an existing tag stands in the name, or twice in the text."""
    last = tag.rsplit("/", 1)[-1]
    if is_chinese(last):
        return last in name or prose.count(last) >= 2
    wanted = [w for w in _stems(last) if w in terms(last)]
    if not wanted or all(len(w) < 3 for w in wanted):
        return False
    have = Counter(stem(w) for w in _WORD.findall(prose))
    titled = {stem(w) for w in _WORD.findall(name)}
    return all(w in titled or have[w] >= 2 for w in wanted)


def _stems(tag: str) -> list[str]:
    return [stem(w) for w in re.split(r"[-_/]", tag) if w]


def _named(prose: str, title: str) -> list[str]:
    """New tags: the proper names within sentences that the note is about, at most two.

    A name that stands there once and not in the title is somebody who was merely there.
    """
    names = Counter(
        _kebab(name)
        for name in _NAME.findall(prose)
        if name.lower().removesuffix("s") not in _DATES
        and not {w.lower() for w in name.split()} & VERBS
    )
    titled = _kebab(title)
    about = [t for t, n in names.most_common() if n >= 2 or t in titled]
    return [t for t in about if _TAG.match(t) and len(t) > 2][:2]


def _kebab(text: str) -> str:
    text = re.sub(r"['’]s?\b", "", text).lower()
    return "-".join(re.findall(r"[^\W_]+", text))
