"""Vault paths (vault-relative, POSIX, NFC strings), and the file names that we make."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import count

from vault_dream.engine.errors import PathError

MAX_NAME_BYTES = 240
"""Longest file name we make, in UTF-8 bytes: file systems stop at 255, Obsidian's importer at 240,
and a temporary name beside the file needs the rest."""

_DRIVE = re.compile(r"[A-Za-z]:")
# C0 and C1 controls, DEL, line and paragraph separators, and what UTF-8 cannot encode.
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Zero-width space, bidi controls and the byte order mark hide or reorder what a person reads;
# ZWJ, ZWNJ and variation selectors stay, because emoji and several scripts are written with them.
_DECEPTIVE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]")
_TO_DASH = re.compile(r"\s*[/\\|]+\s*")
_TO_SPACE = re.compile(r'[*"<>:?#^\[\]`\s]+|%%+')
_ENDS = " .-"
# learn.microsoft.com, "Naming Files, Paths, and Namespaces"; superscript digits count there too.
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)
# What ends or splits a wikilink, or makes Obsidian read something else in its place.
_UNLINKABLE = re.compile(
    "[#|^`\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|" + r"\[\[|\]\]|%%|<%|<!--|\$.*[\[$]|\[.*\$"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|(?:data|file|javascript|mailto|obsidian|tel):")


def normalise(path: str) -> str:
    """``path`` in the one spelling used everywhere: NFC, single ``/``, no ``.`` parts.

    Raises PathError for anything else: absolute, with a drive letter, a
    backslash, a ``..`` part, control or undecodable characters, or empty.
    """
    if path.isascii() and _PLAIN.fullmatch(path) and not _DOTTED.search(path):
        return path
    return _normalise_carefully(path)


_PLAIN = re.compile(r"[^/\\:\x00-\x1f\x7f]+(?:/[^/\\:\x00-\x1f\x7f]+)*")
_DOTTED = re.compile(r"(?:^|/)\.\.?(?:/|$)")


def _normalise_carefully(path: str) -> str:
    shown = path.encode("utf-8", "backslashreplace").decode()
    if _UNSPEAKABLE.search(path):
        raise PathError(ascii(path), "the path has control or undecodable characters")
    path = unicodedata.normalize("NFC", path)
    if "\\" in path:
        raise PathError(shown, "the path has a backslash", "use / between folders")
    if path.startswith("/"):
        raise PathError(shown, "the path is absolute", "give it from the vault's root")
    if _DRIVE.match(path):
        raise PathError(shown, "the path begins with a drive letter", "give it from the vault")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise PathError(shown, "the path leaves its folder with '..'", "give it from the vault")
    if not parts:
        raise PathError(shown or "(empty)", "the path is empty")
    # Taking `./` away can bare a drive letter (`./c:x`); a second look keeps this idempotent.
    joined = "/".join(parts)
    return joined if joined == path else _normalise_carefully(joined)


def key(path: str) -> str:
    """The comparing key of a path: equal for names that some file system cannot tell apart.

    Unicode's canonical caseless match: NFC around a full case folding (``ß`` equals ``ss``, as on
    APFS), so it is the careful one for making names; links compare in the resolver's own way.
    """
    if path.isascii():
        return path.lower()
    folded = unicodedata.normalize("NFD", path).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())


def linkable(path: str) -> bool:
    """Whether a wikilink can spell ``path`` (with its extension): case ob-22 and its kin."""
    return not (
        _UNLINKABLE.search(path)
        or path.startswith("[")  # `[[[` opens the link one bracket later
        or path.endswith("]")
        or path != path.strip()
        or _SCHEME.match(path)
    )


def portable_stem(title: str, *, max_bytes: int = 200, fallback: str = "untitled") -> str:
    """A readable file name without extension for ``title``, usable on every system and in links.

    NFC, not empty, at most ``max_bytes`` of UTF-8; ``fallback`` stands in when nothing is left.
    The characters to avoid are those of OBSIDIAN's "Files" rules (case ob-23).
    """
    return _portable(title, max_bytes) or _portable(fallback, max_bytes) or "untitled"[:max_bytes]


def _portable(title: str, max_bytes: int) -> str:
    text = unicodedata.normalize("NFC", title)
    text = _DECEPTIVE.sub("", _UNSPEAKABLE.sub(" ", text))
    text = _TO_SPACE.sub(" ", _TO_DASH.sub("-", text))
    text = text.replace("$", "＄") if text.count("$") > 1 else text  # `$…$` is math in a link
    return _fit(unicodedata.normalize("NFC", " ".join(text.split())), max_bytes)


def slug(title: str, *, max_bytes: int = 120, fallback: str = "untitled") -> str:
    """``title`` as lower-case words joined by ``-``; letters and digits of every script stay."""
    return _slug(title, max_bytes) or _slug(fallback, max_bytes) or "untitled"[:max_bytes]


def _slug(title: str, max_bytes: int) -> str:
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).lower())
    text = re.sub("['’ʼ\u00ad\u200d]", "", text)
    kept = "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in text)
    words = "-".join(kept.split())
    # A mark that lost its letter would hang on the dash before it.
    words = re.sub(r"(^|-)[^\w-]+", r"\1", unicodedata.normalize("NFC", words))
    return _fit(words.strip("-"), max_bytes)


def _fit(stem: str, max_bytes: int) -> str:
    """``stem`` cut to size, with ends and reserved names made harmless."""
    if max_bytes < 1:
        raise ValueError("a file name needs at least one byte")
    stem = _cut(stem.strip(_ENDS), max_bytes).strip(_ENDS)
    if stem.split(".")[0].rstrip().casefold() in _RESERVED:
        stem = _cut("_" + stem, max_bytes).rstrip(_ENDS)
    return stem


def _cut(text: str, max_bytes: int) -> str:
    """The longest beginning of ``text`` within ``max_bytes``, at a word's end if one is near."""
    raw = text.encode("utf-8")
    if len(raw) <= max_bytes:
        return text
    short = raw[:max_bytes].decode("utf-8", "ignore")
    while short and _joins(text[len(short)]):
        short = short[:-1]
    if short and text[len(short)] not in " -":
        word_end = max(short.rfind(" "), short.rfind("-"))
        if word_end >= len(short) * 2 // 3:
            short = short[:word_end]
    return short.rstrip("\u200c\u200d")


def _joins(char: str) -> bool:
    """Whether ``char`` belongs to the one before it (marks, joiners, emoji modifiers)."""
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def unique_path(folder: str, stem: str, taken: Callable[[str], bool], ext: str = ".md") -> str:
    """A free path ``folder/stem.ext``, or with ``-2``, ``-3`` … where that is taken.

    ``taken`` is asked with the comparing key of each path, so that names which differ only in case
    or Unicode form count as taken. ``folder`` is ``""`` for the vault's root. Raises PathError
    after ten thousand names.
    """
    folder = folder.strip("/")
    for number in count(1):
        if number > 10_000:
            break
        tail = "" if number == 1 else f"-{number}"
        room = MAX_NAME_BYTES - len((tail + ext).encode("utf-8"))
        name = _cut(stem, room).rstrip(_ENDS) + tail + ext
        path = normalise(f"{folder}/{name}" if folder else name)
        if not taken(key(path)):
            return path
    raise PathError(f"{folder}/{stem}{ext}", "every numbered form of this name is taken")
