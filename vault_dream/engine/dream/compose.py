"""What code itself puts on a digest page: frontmatter, full link spellings, link properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import cast

from vault_dream.config import Settings
from vault_dream.engine.digest.edges import DERIVED_FROM, LINKS_TO, edges_of
from vault_dream.engine.dream.edits import AppendToProperty, Op, SetProperties
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.obsidian import ObsidianSettings
from vault_dream.engine.vault.paths import linkable
from vault_dream.engine.vault.properties import emit_properties, read_properties
from vault_dream.engine.vault.resolve import Resolver, Style, spell_link
from vault_dream.engine.vault.splice import Splice, apply

RESERVED = frozenset(
    {"name", "description", "aliases", "tags", "cssclasses", "kind", "created", "updated"}
)
"""Properties of a node that no predicate may be called."""


def new_note(
    unit: Unit,
    path: str,
    name: str,
    description: str,
    body: str,
    today: date,
    settings: Settings,
) -> str:
    """The whole text of a new node (INTERFACES, *A node*).

    The name is an alias where the file is called otherwise, so that Obsidian's switcher finds it.
    """
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    properties: dict[str, object] = {"name": name, "description": description}
    if stem != name:
        properties["aliases"] = [name]
    properties |= {"kind": unit.bucket, "created": today, "updated": today}
    return f"---\n{emit_properties(properties)}---\n\n{body}\n"


def _vault_links(path: str, text: str) -> tuple[Link, ...]:
    """The links of a piece of a page, wherever in the page it will stand."""
    # The blank line keeps a piece that begins with a rule from being read as frontmatter.
    note = parse_note(path, ("\n" + text).encode("utf-8", "surrogatepass"))
    return tuple(link for link in links_in(note) if not link.external and link.target)


def unresolved(path: str, text: str, resolver: Resolver, *, keep: str = "") -> tuple[str, ...]:
    """Targets of the links in ``text`` that lead to no file, those that ``keep`` has left out."""
    known = {link.target for link in _vault_links(path, keep)}
    return tuple(
        dict.fromkeys(
            link.target
            for link in _vault_links(path, text)
            if link.target not in known and resolver.resolve(link.target, path).path is None
        )
    )


@dataclass(frozen=True, slots=True)
class Spelling:
    """How links that we write are spelled: in full, or as the vault's own settings ask for."""

    style: Style = "full"
    markdown: bool = False

    @classmethod
    def of(cls, settings: Settings, obsidian: ObsidianSettings) -> Spelling:
        """Full paths, unless ``link_format: obsidian`` makes the vault's settings hold."""
        if settings.link_format == "full":
            return cls()
        return cls(cast(Style, obsidian.new_link_format), obsidian.use_markdown_links)


def canonical_links(
    path: str,
    text: str,
    resolver: Resolver,
    spelling: Spelling = Spelling(),
    *,
    keep: str = "",
) -> str:
    """``text`` with each link that resolves spelled as ``spelling`` has it, with a label.

    Links that stand in ``keep`` word for word stay, as do those that no wikilink can spell, and
    all of them where links stand in each other so that one spelling would change another's end.
    """
    splices = []
    links = _vault_links(path, text)
    if any(there.start < here.end for here, there in pairwise(links)):
        return text
    for link in links:
        written = text[link.start - 1 : link.end - 1]
        target = resolver.resolve(link.target, path).path
        if target is None or link.hidden or written in keep or not linkable(target):
            continue
        exact = spelling == Spelling() and link.kind == "wiki" and link.target == target
        if exact and (link.display or link.embed):
            continue
        spelled = spell_link(
            target,
            label=_label(link, target, spelling),
            subpath=link.subpath,
            in_table=link.in_table or "\\|" in written,
            source=path,
            resolver=resolver,
            style=spelling.style,
            markdown=spelling.markdown,
        )
        mark = "!" if link.embed else ""
        splices.append(Splice(link.start - 1, link.end - 1, mark + spelled))
    spelled_out = apply(text, splices)
    same = _ends(links, path, resolver) == _ends(_vault_links(path, spelled_out), path, resolver)
    return spelled_out if same else text


def _ends(links: Iterable[Link], path: str, resolver: Resolver) -> list[tuple[str, str, bool]]:
    """Where links lead, in their order."""
    return [
        (resolver.resolve(link.target, path).path or link.target, link.subpath, link.embed)
        for link in links
    ]


def _label(link: Link, target: str, spelling: Spelling) -> str | None:
    """The label that was written; else, for a link that is read, the name it was written with."""
    if link.display or link.embed:
        return link.display or ""
    name = link.target.rsplit("/", 1)[-1].removesuffix(".md")
    stem = target.rsplit("/", 1)[-1].removesuffix(".md")
    return None if spelling.style != "full" and name == stem else name


def relation_properties(
    note: Note,
    resolver: Resolver,
    is_node: Callable[[str], bool],
    settings: Settings,
    spelling: Spelling = Spelling(),
) -> list[Op]:
    """Operations that make the link properties say what the body says (``edge_properties``).

    Items that stand already stay, those that the owner wrote included; a property of that name that
    holds anything but links is the owner's, and stays too.
    """
    if settings.edge_style != "sentence" or settings.edge_properties == "none":
        return []
    values = read_properties(note).values
    reserved = RESERVED | {settings.tag_field, settings.reviewed_field}
    edges = edges_of(note, resolver)
    stand = {(edge.predicate, edge.target) for edge in edges if not edge.sentence}
    labels = {
        resolver.resolve(link.target, note.path).path: link.display for link in links_in(note)
    }
    missing: dict[str, list[str]] = {}
    for edge in edges:
        predicate, target = edge.predicate, edge.target
        if not edge.sentence or not edge.resolved or (predicate, target) in stand:
            continue
        if predicate == LINKS_TO or predicate in reserved or not linkable(target):
            continue
        if predicate in values and not _only_links(values[predicate]):
            continue
        if not is_node(target) and not (
            predicate == DERIVED_FROM and settings.edge_properties == "all"
        ):
            continue
        stand.add((predicate, target))
        label = labels.get(target) or target.rsplit("/", 1)[-1].removesuffix(".md")
        link = spell_link(
            target, label=label, source=note.path, resolver=resolver, style=spelling.style
        )
        missing.setdefault(predicate, []).append(link)
    return [
        AppendToProperty(predicate, tuple(items))
        if predicate in values
        else SetProperties({predicate: items})
        for predicate, items in missing.items()
    ]


def _only_links(value: object) -> bool:
    """Whether a property holds links and nothing else, or nothing yet."""
    items = value if isinstance(value, list) else [] if value in (None, "") else [value]
    return all(isinstance(i, str) and i.strip().startswith("[[") for i in items)
