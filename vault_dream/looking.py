"""``search`` and ``links`` as a person sees them, in a terminal or as JSON.

``search`` is started at a keystroke, so nothing slow is imported here before it is needed.
"""

from __future__ import annotations

import os
import sys

from vault_dream.places import (
    current_folder,
    from_vault,
    index_folder,
    settings_origin,
    vault_folder,
)

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from vault_dream.config import Settings
    from vault_dream.engine.digest.finding import Hit
    from vault_dream.engine.digest.graph import Graph, Loose
    from vault_dream.engine.digest.passages import Passage
    from vault_dream.engine.lookup import Lookup
    from vault_dream.terminal import Terminal

LIMIT = 20
SEARCH_FLAGS = {"--json": "as_json", "--nodes": "nodes", "--links": "links"}
SEARCH_VALUES = {"-V": "vault", "--vault": "vault", "-n": "limit", "--limit": "limit"}
_MOST_LOOSE = 40


def plain_search(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of ``search`` where they are written at their plainest, else None.

    What is not plain (help, a mistake, ``--limit=5``) is left to click, which explains itself.
    """
    given: dict[str, Any] = {}
    words: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument in SEARCH_FLAGS:
            given[SEARCH_FLAGS[argument]] = True
        elif argument in SEARCH_VALUES:
            value = next(waiting, None)
            if value is None:
                return None
            given[SEARCH_VALUES[argument]] = value
        elif _is_option(argument):
            return None
        else:
            words.append(argument)
    limit = str(given.get("limit", LIMIT))
    if (
        not " ".join(words).strip()
        or not limit.isascii()
        or not limit.isdigit()
        or not 0 < int(limit) <= 1_000
    ):
        return None
    return {**given, "limit": int(limit), "query": " ".join(words)}


def query_last(arguments: Sequence[str]) -> list[str]:
    """The arguments of ``search`` with the query behind ``--``, where a dash begins no option."""
    options: list[str] = []
    words: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            words += waiting
        elif argument in SEARCH_VALUES:
            options += [argument, *[value for value in (next(waiting, None),) if value is not None]]
        else:
            (options if _is_option(argument) else words).append(argument)
    return [*options, "--", *words] if words else options


def _is_option(argument: str) -> bool:
    """Whether ``argument`` of a search is an option, and not a word like ``-kiln``."""
    short, value = argument[:2], argument[2:]
    return (
        short == "--"
        or argument == "-h"
        or (short == "-n" and value.isdigit())
        or (short == "-V" and (os.sep in value or value.startswith((".", "~"))))
    )


def open_lookup(vault: str | None, *, alone: bool = False) -> Lookup:
    """The lookup of the vault that is meant. ``alone``: this process does nothing beside."""
    root = os.path.realpath(vault_folder(vault, environ=os.environ, here=current_folder()))
    ahead = None
    if alone:
        from vault_dream.engine.vault.pulse import Ahead

        ahead = Ahead(root)  # before anything slow is imported, as it runs beside that
    from vault_dream.engine.lookup import Lookup

    def settings() -> Settings:
        from pathlib import Path

        from vault_dream.config import load_settings

        return load_settings(Path(root))

    return Lookup(
        root,
        settings,
        folder=index_folder(root),
        origin=settings_origin(os.environ),
        ahead=ahead,
    )


def search(
    query: str,
    *,
    vault: str | None = None,
    limit: int = LIMIT,
    as_json: bool = False,
    nodes: bool = False,
    links: bool = False,
    alone: bool = False,
) -> int:
    """Search and print what was found; to find nothing is no failure. ``alone`` as there."""
    with open_lookup(vault, alone=alone) as lookup:
        found = _node_hits(lookup, query, limit) if nodes else _hits(lookup, query, limit)
        if links:
            graph = lookup.graph()
            for hit in found:
                hit["links"] = _neighbours(graph, str(hit["path"]))
        name = _name(lookup)
        for warning in lookup.warnings:
            sys.stderr.write(f"vault-dream: {_clean(warning)}\n")
    if as_json:
        found = [{**hit, "uri": _uri(name, hit)} for hit in found]
        _print_json({"version": 1, "query": query, "hits": found})
    elif found:
        from vault_dream.terminal import Terminal

        terminal = Terminal.of(name)
        _write("\n".join(_hit_text(hit, terminal) for hit in found))
    else:
        only_out = all(word.startswith("-") and ":" not in word for word in query.split())
        hint = "; give a word to look for as well" if only_out else ""
        sys.stderr.write(_clean(f"Nothing found for {query!r}{hint}") + "\n")
    return 0


def tags(*, vault: str | None = None, as_json: bool = False) -> int:
    """Print the tags of the vault, and how many notes have each."""
    with open_lookup(vault) as lookup:
        found = lookup.tags()
    if as_json:
        rows = [{"tag": one.tag, "notes": one.notes, "own": one.own} for one in found]
        _print_json({"version": 1, "tags": rows})
    elif found:
        _write("\n".join(f"{one.notes:>6,}  #{_clean(one.tag)}" for one in found))
    else:
        sys.stderr.write("The vault has no tags.\n")
    return 0


def _hits(lookup: Lookup, query: str, limit: int) -> list[dict[str, Any]]:
    return [_hit_json(hit) for hit in lookup.search(query, limit)]


def _hit_json(hit: Hit) -> dict[str, Any]:
    passages = [_passage_json(passage) for passage in hit.passages]
    none: dict[str, Any] = {"line": 1, "heading": "", "text": "", "marks": []}
    first = passages[0] if passages else none
    return {
        "path": hit.path,
        "title": hit.title,
        "score": hit.score,
        "line": first["line"],
        "heading": first["heading"],
        "snippet": first["text"],
        "passages": passages,
    }


def _passage_json(passage: Passage) -> dict[str, Any]:
    return {
        "line": passage.line,
        "heading": passage.heading,
        "text": passage.text,
        "marks": [list(mark) for mark in passage.marks],
    }


def _node_hits(lookup: Lookup, query: str, limit: int) -> list[dict[str, Any]]:
    return [
        {
            "path": hit.path,
            "name": hit.name,
            "description": hit.description,
            "score": round(hit.score, 4),
        }
        for hit in lookup.nodes(query, limit)
    ]


def _neighbours(graph: Graph, path: str) -> dict[str, list[str]]:
    return {"out": list(graph.out.get(path, ())), "in": list(graph.backlinks(path))}


def _name(lookup: Lookup) -> str:
    """What Obsidian calls the vault."""
    return os.path.basename(lookup.root)  # noqa: PTH119 - pathlib costs more than a bare start


def _uri(vault: str, hit: Mapping[str, Any]) -> str:
    from vault_dream.engine.vault.uri import open_uri

    heading = hit.get("heading", "")
    return open_uri(vault, hit["path"], subpath=f"#{heading}" if heading else "")


def _link(terminal: Terminal, text: str, hit: Mapping[str, Any]) -> str:
    return terminal.link(text, _uri(terminal.vault, hit)) if terminal.links else text


def _print_json(document: Mapping[str, Any]) -> None:
    from vault_dream.terminal import json_text

    _write(json_text(document))


def _write(text: str) -> None:
    """Print, whatever characters the terminal's encoding lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def _clean(text: str) -> str:
    """One line of ``text`` without what could act on a terminal."""
    return _clean_part(" ".join(text.split()))


def _hit_text(hit: Mapping[str, Any], terminal: Terminal) -> str:
    path = _clean(str(hit["path"]))
    if "name" in hit:
        lines = [
            _link(terminal, terminal.bold(path), hit),
            f"    {_clean(hit['name'])}",
        ]
        if hit["description"]:
            lines.append(f"    {_clean(hit['description'])}")
    else:
        where = _link(terminal, terminal.bold(f"{path}:{hit['line']}"), hit)
        heading = _clean(hit["heading"])
        lines = [f"{where}  {terminal.dim(heading)}" if heading else where]
        lines += [f"    {_marked(passage, terminal)}" for passage in hit["passages"]]
    for word, arrow in (("out", "->"), ("in", "<-")):
        lines += [f"    {arrow} {_clean(other)}" for other in hit.get("links", {}).get(word, ())]
    return "\n".join(lines)


def _marked(passage: Mapping[str, Any], terminal: Terminal) -> str:
    """The text of a passage with what was found in it in bold."""
    text, at = passage["text"], 0
    parts: list[str] = []
    for start, end in passage["marks"]:
        parts += [_clean_part(text[at:start]), terminal.bold(_clean_part(text[start:end]))]
        at = end
    return "".join((*parts, _clean_part(text[at:])))


def _clean_part(text: str) -> str:
    if text.isprintable():
        return text
    from vault_dream.engine.vault.plain import visible

    return visible(text.replace("\t", " ").replace("\n", " "))


# Links ------------------------------------------------------------------------------------------


def links(
    path: str | None, *, vault: str | None = None, to: str | None = None, as_json: bool = False
) -> int:
    """Print a note's edges, the way between two notes, or what hangs loose in the vault."""
    from pathlib import Path

    with open_lookup(vault) as lookup:
        root, graph = lookup.root, lookup.graph()
        if path is None:
            document = _loose_json(graph, lookup.settings.digest_dir)
        elif to is not None:
            start, end = (graph.find(from_vault(Path(root), name)) for name in (path, to))
            way = [edge.as_json() for edge in graph.way(start, end)]
            document = {
                "from": start,
                "to": end,
                "way": way,
                "connected": bool(way) or start == end,
            }
        else:
            document = _edges_json(graph, graph.find(from_vault(Path(root), path)))
    if as_json:
        _print_json({"version": 1, **document})
    else:
        text = "\n".join(_links_text(document))
        from vault_dream.terminal import linked, paths_in

        _write(linked(text, Path(root), paths_in(document)))
    return 0


def _edges_json(graph: Graph, path: str) -> dict[str, Any]:
    return {
        "path": path,
        "out": [edge.as_json() for edge in graph.edges_out(path)],
        "in": [edge.as_json() for edge in graph.edges_in(path)],
        "ambiguous": [_loose(one) for one in graph.ambiguous if one.note == path],
    }


def _loose_json(graph: Graph, digest_dir: str) -> dict[str, Any]:
    return {
        "notes": len(graph.out),
        "links": sum(map(len, graph.out.values())) + len(graph.unresolved),
        "unresolved": [_loose(one) for one in graph.unresolved],
        "ambiguous": [_loose(one) for one in graph.ambiguous],
        "orphans": list(graph.orphans(digest_dir)),
    }


def _loose(one: Loose) -> dict[str, Any]:
    return {"note": one.note, "target": one.target, "candidates": list(one.candidates)}


def _links_text(document: Mapping[str, Any]) -> list[str]:
    if "way" in document:
        return _way_text(document)
    if "path" in document:
        lines = [_clean(document["path"])]
        for edge in document["out"]:
            nowhere = "" if edge["resolved"] else "  (leads nowhere)"
            lines.append(_clean(f"-> {edge['predicate']} {edge['target']}{nowhere}"))
        lines += [_clean(f"<- {edge['predicate']} {edge['node']}") for edge in document["in"]]
        for one in document["ambiguous"]:
            others = ", ".join(one["candidates"][1:])
            lines.append(_clean(f"?  [[{one['target']}]] also matches {others}"))
        if len(lines) == 1:
            return [*lines, "  no links"]
        return [lines[0], *(f"  {line}" for line in lines[1:])]
    lines = [f"{document['links']:,} links in {document['notes']:,} notes"]
    for name, title in (
        ("unresolved", "Links that lead nowhere"),
        ("ambiguous", "Links that match several notes"),
    ):
        shown = [f"{one['note']}: [[{one['target']}]]" for one in document[name]]
        lines += _section(title, shown)
    return lines + _section("Orphan nodes", document["orphans"])


def _section(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    lines = ["", f"{title}: {len(items):,}", *(f"  {_clean(one)}" for one in items[:_MOST_LOOSE])]
    if len(items) > _MOST_LOOSE:
        lines.append(f"  and {len(items) - _MOST_LOOSE:,} more; --json lists them all")
    return lines


def _way_text(document: Mapping[str, Any]) -> list[str]:
    if not document["way"]:
        same = document["from"] == document["to"]
        return ["They are the same note." if same else "No chain of links connects them."]
    lines, here = [_clean(document["from"])], document["from"]
    for edge in document["way"]:
        forward = edge["node"] == here
        here = edge["target"] if forward else edge["node"]
        lines.append(_clean(f"{'->' if forward else '<-'} {edge['predicate']} {here}"))
        if edge["sentence"]:
            lines.append(f"     {_clean(edge['sentence'])}")
    return [lines[0], *(f"  {line}" for line in lines[1:])]
