"""Links respelled in place: another target, and everything else of the link as it was written.

Label, subpath, embed mark, quotes and the note around it stay byte for byte. What was made is read
back, and a note in which a link would come to mean something else is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.links import Link, destination_span, links_in
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import linkable
from vault_dream.engine.vault.resolve import Resolution, Resolver, encode_target, relative_path
from vault_dream.engine.vault.splice import Splice, apply

NewTarget = Callable[[Link], str | None]
"""The target that a link is to have, ``None`` for the one it has."""


def respelled(note: Note, new_target: NewTarget) -> str:
    """The note's whole text with other targets in its links.

    Raises :class:`EditError` where the note cannot be edited, or where a link of it would not be
    read back as it was meant.
    """
    changes = [
        (link, target)
        for link in links_in(note)
        if (target := new_target(link)) is not None and target != link.target
    ]
    if not changes:
        return note.text
    if not note.editable:
        raise EditError(note.path, note.reason, "fix the note in Obsidian first")
    text = apply(note.text, [_splice(note, link, target) for link, target in changes])
    wanted = {(link.start, link.end): target for link, target in changes}
    expected = [
        (wanted.get((link.start, link.end), link.target), *_rest(link)) for link in links_in(note)
    ]
    found = [(link.target, *_rest(link)) for link in links_in(_read_back(note, text))]
    if found != expected:
        where = f"{note.path}:{changes[0][0].line}"
        raise EditError(where, "its link cannot be rewritten safely", "change it in Obsidian")
    return text


def _read_back(note: Note, text: str) -> Note:
    return parse_note(note.path, text.encode("utf-8"))


def _rest(link: Link) -> tuple[object, ...]:
    return (link.subpath, link.display, link.kind, link.embed, link.hidden, link.property)


def _splice(note: Note, link: Link, target: str) -> Splice:
    span = _target_span(note, link)
    if span is None:
        return Splice(link.start, link.end, _quoted_anew(link, target))
    new = encode_target(target) if link.kind == "markdown" else target
    if link.property is not None:
        quote = note.text[link.start]
        new = new.replace("'", "''") if quote == "'" else json.dumps(new, ensure_ascii=False)[1:-1]
    return Splice(span[0], span[1], new)


def _quoted_anew(link: Link, target: str) -> str:
    """A whole property value: of one whose link is written with escapes."""
    label = "" if link.display is None else f"|{link.display}"
    return json.dumps(f"[[{target}{link.subpath}{label}]]", ensure_ascii=False)


def _target_span(note: Note, link: Link) -> tuple[int, int] | None:
    """Where the target of ``link`` stands in the text; ``None`` where it is not written as it is
    meant, which only a property's escapes can bring about."""
    text = note.text
    if link.kind == "markdown":
        start, end = destination_span(text, link)
        written = text[start:end]
        cuts = [at for sign in ("#", "%23") if (at := written.find(sign)) >= 0]
        end = start + min(cuts, default=len(written))
        return start, end
    opened = text.find("[[", link.start, link.end) + 2
    closed = text.rfind("]]", opened, link.end)
    inside = text[opened:closed]
    cut = min((at for sign in "#|" if (at := inside.find(sign)) >= 0), default=len(inside))
    for written in _trimmed(inside[:cut]):
        if written == link.target:
            start = opened + inside.index(written) if written else opened
            return start, start + len(written)
    return None


def _trimmed(written: str) -> Iterator[str]:
    yield written.strip()
    yield written.rstrip().removesuffix("\\").strip()  # in a table the pipe is written `\|`


def spelled_like(written: str, path: str, source: str, resolver: Resolver) -> str:
    """A target that leads from ``source`` to ``path``, in the manner of the one ``written``: short,
    relative, from the root, with or without extension; the full path where that leads elsewhere."""
    bare = path[:-3] if path.endswith(".md") and not written.lower().endswith(".md") else path
    if written.startswith(("./", "../")):
        near = relative_path(bare, source)
        wanted = [near if near.startswith("../") else f"./{near}"]
    elif written.startswith("/"):
        wanted = [f"/{bare}"]
    elif "/" not in written:
        wanted = [bare.rpartition("/")[2]]
    else:
        wanted = []
    for spelling in (*wanted, bare, path):
        if linkable(spelling) and resolver.resolve(spelling, source) == Resolution(path):
            return spelling
    return path
