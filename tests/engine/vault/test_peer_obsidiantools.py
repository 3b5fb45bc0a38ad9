"""The same vaults in a peer that nobody here wrote; every difference has its reason here.

obsidiantools 0.11 reads by regular expressions over text rendered by Markdown and BeautifulSoup. A
reason below says what one of the two does and which of them Obsidian agrees with (OBSIDIAN.md).
What no reason explains fails the test.
"""

from __future__ import annotations

import datetime
import html
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.tags import tags_in
from vault_dream.engine.vault.vault import Vault

REPOSITORY = Path(__file__).parents[3]
SHARED = REPOSITORY.parent / "shared" / "vaults"
# Folders of `tasks-demo` that hold every kind of note; all of it takes the peer half a minute.
PLACES = {
    "emoji-garden": "",
    "zettel-garden": "",
    "tasks-demo/Test Data": "",
    "tasks-demo/Manual Testing/Frontmatter": "",
}


def vault_copy(place: str, tmp_path: Path) -> Path:
    source = REPOSITORY / place if place == "sample_vault" else SHARED / place
    if not any(source.rglob("*.md") if source.is_dir() else ()):
        pytest.skip("shared vaults not present" if place != "sample_vault" else "no sample vault")
    return Path(shutil.copytree(source, tmp_path / "vault"))


@pytest.mark.parametrize("place", [*PLACES, "sample_vault"])
def test_every_difference_has_a_reason(place: str, tmp_path: Path) -> None:
    api = pytest.importorskip("obsidiantools.api")
    root = vault_copy(place, tmp_path)
    peer = api.Vault(root).connect().gather()
    names = {str(path): name for name, path in peer.md_file_index.items()}
    vault = Vault(root)
    unexplained: list[str] = []
    seen = 0
    for entry in vault.listing().notes:
        name = names[entry.path]
        note = vault.read(entry.path)
        seen += 1
        for difference in differences(note, peer, name):
            unexplained.append(f"{entry.path}: {difference}")
    assert unexplained == []
    assert seen == len(names) or vault.listing().skipped  # the peer reads empty notes too


def differences(note: Note, peer: Any, name: str) -> Iterator[str]:
    links = [link for link in links_in(note) if link.property is None]
    yield from link_differences(note, links, peer, name)
    yield from tag_differences(note, links, set(peer.get_tags(name)))
    yield from property_differences(note, peer.get_front_matter(name))


# Links ---------------------------------------------------------------------------------------


def as_peer(target: str) -> str:
    """As the peer reads links: from rendered text, runs of spaces as one, without ``.md``."""
    return " ".join(html.unescape(target).split()).removesuffix(".md")


def link_differences(note: Note, links: list[Link], peer: Any, name: str) -> Iterator[str]:
    wiki = [link for link in links if link.kind == "wiki"]
    # The peer drops subpaths from wikilinks; Obsidian keeps `#Heading` (API LinkCache.link).
    ours = {as_peer(link.target) for link in wiki if not link.embed}
    theirs = {as_peer(target) for target in peer.get_wikilinks(name)}
    embeds = {as_peer(link.target) for link in wiki if link.embed}
    their_embeds = {as_peer(target).split("#")[0] for target in peer.get_embedded_files(name)}
    for target in ours - theirs:
        if not our_wikilink_is_right(note, wiki, target):
            yield f"only ours: [[{target}]]"
    for target in theirs - ours:
        if "<%" not in target and f"[[{target}" not in opaque_text(note):
            yield f"only the peer's: [[{target}]]"
    for target in embeds ^ their_embeds:
        if f"[[{target}" not in opaque_text(note):
            yield f"embed in one only: [[{target}]]"
    rendered = peer.get_source_text(name)
    yield from markdown_differences(note, links, set(peer.get_md_links(name)), rendered)


def our_wikilink_is_right(note: Note, wiki: list[Link], target: str) -> bool:
    for link in wiki:
        if as_peer(link.target) == target:
            if "]" in link.target:
                return True  # the peer ends a link at the first `]`; only `]]` ends one (OBS)
            if link.hidden or link.in_table:
                return True  # the peer leaves out comments, and splits cells at the escaped pipe
            if "<%" in note.text:
                return True  # `<%` makes the peer's HTML parser swallow text around it
    return False


def markdown_differences(
    note: Note, links: list[Link], theirs: set[str], rendered: str
) -> Iterator[str]:
    markdown = [link for link in links if link.kind == "markdown"]
    ours = "\n".join(note.text[link.start : link.end] for link in markdown)
    for destination in theirs:
        if destination in ours or destination in opaque_text(note):
            continue  # the peer gives it undecoded
        if f"({destination})" not in note.text:
            continue  # an autolink, or an HTML link of the rendered page
        yield f"only the peer's: ({destination})"
    for link in markdown:
        written = note.text[link.start : link.end]
        if any(destination in written for destination in theirs):
            continue
        if link.embed or link.subpath or set("([<\\") & set(written[1:].replace("](", "", 1)):
            continue  # the peer's pattern stops at brackets, parentheses and escapes
        if f"<{link.target}>" not in rendered:
            continue  # lost by the peer on the way through HTML
        yield f"only ours: {written}"


def opaque_text(note: Note) -> str:
    """All code, comments and templates of a note: nothing in them is a link or a tag."""
    spans = [*note.opaque(), *note.hidden()]
    return "\n".join(note.text[span.start : span.end] for span in spans)


# Tags ----------------------------------------------------------------------------------------


def main_part(tag: str) -> str:
    """What the peer's pattern takes of a tag: letters, then digits and dashes, then one capital."""
    found = re.match(r"[A-z]+[0-9_\-]*[A-Z0-9]?", tag)
    return found[0] if found else ""


def tag_differences(note: Note, links: list[Link], theirs: set[str]) -> Iterator[str]:
    ours = set(tags_in(note, hidden=True))
    parts = {main_part(tag) for tag in ours}
    from_properties = set(read_properties(note).tags)
    for tag in theirs - ours:
        if tag in parts:
            continue  # the peer cuts `#in-progress` to `in-` and drops nested parts
        elsewhere = [note.text[link.start : link.end] for link in links]
        if any(f"#{tag}" in text for text in [*elsewhere, opaque_text(note)]):
            continue  # `[[a#heading]]`, an address or code is no tag
        if re.search(r"[^\s]#" + re.escape(tag), note.text):
            continue  # a tag begins a word (H: Tags)
        yield f"only the peer's: #{tag}"
    for tag in ours - theirs:
        if tag in from_properties:
            continue  # the peer takes tags from the body only
        if main_part(tag) in theirs or not main_part(tag):
            continue  # cut, or in a script its `[A-z]` does not know
        yield f"only ours: #{tag}"


# Properties ----------------------------------------------------------------------------------


def property_differences(note: Note, theirs: Mapping[str, Any]) -> Iterator[str]:
    properties = read_properties(note)
    if properties.error:
        if theirs:
            yield f"{properties.error}, but the peer read it"
        return
    ours = properties.values
    for key in {*ours, *map(str, theirs)}:
        mine, peers = ours.get(key), {str(k): v for k, v in theirs.items()}.get(key)
        if plain(mine) != plain(peers):
            yield f"{key}: {mine!r} here, {peers!r} there"


def plain(value: Any) -> Any:
    """The peer's YAML is 1.1: dates and times are objects, to Obsidian they are texts."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
