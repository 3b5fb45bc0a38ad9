"""Where a link leads, in Obsidian's own order, and how a link to a note is spelled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.paths import linkable

Style = Literal["full", "shortest", "relative", "absolute"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The note or file a link leads to, or None; ``ambiguous`` has the others of a tie."""

    path: str | None
    ambiguous: tuple[str, ...] = ()


UNRESOLVED = Resolution(None)


def fold(text: str) -> str:
    """``text`` as Obsidian compares link targets: NFC, lower case, plain spaces.

    Lower case, not case folding: ``Maße`` and ``Masse`` are two notes.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFC", text).lower()
    # API normalizePath: no-break spaces count as spaces.
    return unicodedata.normalize("NFC", text).replace("\u00a0", " ").replace("\u202f", " ")


class Resolver:
    """Finds the target of a link among a vault's files.

    ``paths`` are vault paths of all files, notes and attachments. The order (observed in Obsidian
    1.13.7): the exact vault path; a file in the source's own folder; the shortest path string.
    Path suffixes match whole parts; case and Unicode form are ignored; ``.md`` may be left out,
    every other extension must be given; aliases never resolve a link.
    """

    __slots__ = ("_layers",)

    def __init__(self, paths: Iterable[str]) -> None:
        self._layers: tuple[dict[str, list[str]], ...] = (_index(paths),)

    def with_paths(self, extra: Iterable[str]) -> Resolver:
        """A resolver that also knows ``extra``; shares the index, so it costs only the extras."""
        grown = Resolver(path for path in extra if path not in self)
        grown._layers = (*self._layers, *grown._layers)
        return grown

    def __contains__(self, path: str) -> bool:
        return path in self.named(path.rpartition("/")[2])

    def named(self, name: str) -> list[str]:
        """All paths with this file name (extension included), ignoring case."""
        folded = fold(name)
        if len(self._layers) == 1:
            return self._layers[0].get(folded, [])
        return [path for layer in self._layers for path in layer.get(folded, ())]

    def resolve(self, target: str, source: str) -> Resolution:
        """Where ``target`` (no subpath, no label) leads from the note ``source``.

        An empty target is the source itself. A target outside the vault leads nowhere.
        """
        target = target.strip()
        if not target:
            return Resolution(source) if source else UNRESOLVED
        rooted = target.startswith("/")
        relative = target.startswith(("./", "../"))
        if relative:
            target = f"{source.rpartition('/')[0]}/{target}"
        parts = _walk(target)
        if not parts:
            return UNRESOLVED
        for name in _file_names(parts[-1]):
            candidates = self.named(name)
            if candidates:
                found = _choose(candidates, [*parts[:-1], name], source, rooted or relative)
                if found.path is not None:
                    return found
        return UNRESOLVED


def _index(paths: Iterable[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for path in paths:
        index.setdefault(fold(path.rpartition("/")[2]), []).append(path)
    return index


def _walk(target: str) -> list[str]:
    """The parts of ``target`` with ``.`` and ``..`` walked; empty if it leaves the vault."""
    parts: list[str] = []
    for part in target.lstrip("/").split("/"):
        if part == "..":
            if not parts:
                return []
            parts.pop()
        elif part != ".":
            parts.append(part)
    return [] if "" in parts else parts


def _file_names(name: str) -> tuple[str, ...]:
    """File names that a link's last part may mean: itself if it has an extension, then ``.md``."""
    return (name, f"{name}.md") if "." in name.strip(".") else (f"{name}.md",)


def _choose(paths: list[str], parts: list[str], source: str, exact_only: bool) -> Resolution:
    wanted = fold("/".join(parts))
    exact = [path for path in paths if fold(path) == wanted]
    if exact or exact_only:
        return _settle(exact, "/".join(parts))
    ending = f"/{wanted}"
    fitting = [path for path in paths if fold(path).endswith(ending)] if len(parts) > 1 else paths
    if len(fitting) > 1:
        home = fold(source.rpartition("/")[0])
        own = [path for path in fitting if fold(path.rpartition("/")[0]) == home]
        if own:
            fitting = own
        else:
            shortest = min(map(_length, fitting))
            fitting = [path for path in fitting if _length(path) == shortest]
    return _settle(fitting, parts[-1])


def _settle(paths: list[str], written: str) -> Resolution:
    """The one path, preferring among case twins the spelling that was written."""
    if len(paths) > 1:
        written = unicodedata.normalize("NFC", written)
        same_case = [path for path in paths if path == written or path.endswith(f"/{written}")]
        paths = sorted(same_case) if len(same_case) == 1 else sorted(paths)
    return Resolution(paths[0], tuple(paths[1:])) if paths else UNRESOLVED


def _length(path: str) -> int:
    """Length as JavaScript counts it, in UTF-16 units."""
    return len(path) if path.isascii() else len(path.encode("utf-16-le")) // 2


def heading_subpath(*headings: str) -> str:
    """``#Heading#Sub`` for a link, cleaned as Obsidian does (API stripHeadingForLink)."""
    cleaned = (" ".join(_HEADING_NOISE.sub(" ", heading).split()) for heading in headings)
    return "".join(f"#{text}" for text in cleaned if text)


_HEADING_NOISE = re.compile("[#|^:`\\\\\x00-\x1f\x7f-\x9f\u2028\u2029]|%%|\\[\\[|\\]\\]|\\]$")


def spell_link(
    path: str,
    *,
    label: str | None = None,
    subpath: str = "",
    source: str = "",
    resolver: Resolver | None = None,
    style: Style = "full",
    markdown: bool = False,
    in_table: bool = False,
) -> str:
    """A link to the file ``path``, as text for the note ``source``.

    The default is the full path with its extension and a readable label. The other styles are
    Obsidian's ``newLinkFormat``; they drop ``.md`` and are checked with ``resolver`` where given:
    a spelling that would lead elsewhere is replaced by a longer one. ``label=""`` asks for no
    label; ``subpath`` is ``#Heading#Sub`` or ``#^id``. ``in_table`` escapes the pipe.

    Raises PathError if no link can express the path: write its name as text and warn (case ob-22).
    """
    if not linkable(path):
        raise PathError(
            path, "no link can be written to this name", "rename the note to link to it"
        )
    subpath = _clean_subpath(subpath)
    target = _spell_target(path, source, resolver, style, keep_md=markdown)
    if label is None and (markdown or target != _stem(path)):
        label = _stem(path)
    if markdown:
        return f"[{_markdown_label(label or _stem(path))}]({encode_target(target + subpath)})"
    text = _wiki_label(label or "")
    pipe = "\\|" if in_table else "|"
    return f"[[{target}{subpath}{pipe}{text}]]" if text else f"[[{target}{subpath}]]"


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


def _spell_target(
    path: str, source: str, resolver: Resolver | None, style: Style, *, keep_md: bool
) -> str:
    if style == "full":
        return path
    bare = path[:-3] if path.endswith(".md") and not keep_md else path
    spellings = [bare, path]
    if style == "shortest" and resolver is not None:
        name = path.rpartition("/")[2]
        if len(resolver.named(name)) == 1:
            spellings = [bare.rpartition("/")[2], *spellings]
    elif style == "relative":
        near = relative_path(bare, source)
        spellings = [near, f"./{near}", *spellings] if near[:2] != ".." else [near, *spellings]
    for spelling in spellings:
        if linkable(spelling) and (
            resolver is None or resolver.resolve(spelling, source) == Resolution(path)
        ):
            return spelling
    return path


def relative_path(path: str, source: str) -> str:
    """``path`` relative to the folder of the note ``source``."""
    here = source.split("/")[:-1]
    there = path.split("/")
    same = 0
    while same < min(len(here), len(there) - 1) and here[same] == there[same]:
        same += 1
    return "/".join([".."] * (len(here) - same) + there[same:])


_BLOCK_ID = re.compile(r"#\^[A-Za-z0-9-]+")


def _clean_subpath(subpath: str) -> str:
    if not subpath or _BLOCK_ID.fullmatch(subpath):
        return subpath
    return heading_subpath(*subpath.split("#"))


_LABEL_NOISE = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_LABEL_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_INERT = {"`": "'", "|": "-", "%%": "%", "<%": "< %", "%>": "% >", "<!--": "<! --"}


def _plain_label(label: str) -> str:
    """``label`` on one line, without what could hide text or end the link in Obsidian's eyes."""
    label = _LABEL_HIDDEN.sub("", _LABEL_NOISE.sub(" ", label))
    for active, inert in _INERT.items():
        while active in label:
            label = label.replace(active, inert)
    return (label.replace("$", "＄") if label.count("$") > 1 else label).strip()


def _wiki_label(label: str) -> str:
    label = _plain_label(label).rstrip("\\ ")
    if "[[" in label or "]]" in label or label.endswith("]"):
        label = label.translate({ord("["): "(", ord("]"): ")"})
    return label


def _markdown_label(label: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", _plain_label(label))


def encode_target(target: str) -> str:
    """``target`` as a Markdown destination: spaces encoded as Obsidian does, and what breaks it."""
    target = re.sub(r"%(?=[0-9A-Fa-f]{2})", "%25", target)
    unsafe = r"[\s<>]" if _balanced(target) else r"[\s<>()]"
    return re.sub(unsafe, lambda found: _percent(found[0]), target)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8"))


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0
