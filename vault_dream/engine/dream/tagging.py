"""Auto tag: entity tags for the nodes of a run, as proposals like any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.arguments import speakable
from vault_dream.engine.dream.edits import AppendToProperty, FileChange, Op, SetProperties
from vault_dream.engine.dream.examine import Examiner
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.reader import Reader, TagRequest
from vault_dream.engine.dream.showing import Showing
from vault_dream.engine.dream.units import Unit, to_bucket
from vault_dream.engine.errors import EditError, ReaderError
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.tags import to_tag
from vault_dream.pipeline import TAG

MOST_TAGS = 5
OFFERED = 200
"""How many of the vault's tags a reader is shown."""


def tags_wanted(settings: Settings) -> bool:
    """Whether ``auto_tag_step`` is among the steps of the job."""
    return settings.pipeline.has(TAG)


async def tag_proposal(
    path: str,
    examiner: Examiner,
    reader: Reader,
    *,
    run_id: str,
    number: int,
    created: str,
    vault_tags: Sequence[str] = (),
) -> Proposal | None:
    """A proposal that gives the node at ``path`` its tags, ``None`` where it needs none or its
    owner keeps it from readers.

    ``vault_tags`` are those to take first, the most used first; the digest's own come after them.
    Raises what the reader raises, and :class:`EditError` where the node cannot be edited.
    """
    digest, settings = examiner.digest, examiner.settings
    node = digest.node(path)
    shown = Showing(settings).note(node.note)
    if shown is None:
        return None
    request = TagRequest(
        path=path,
        name=node.name,
        description=node.description,
        body=shown.text[shown.body_start :],
        vault_tags=offered(vault_tags, digest),
        limit=MOST_TAGS,
    )
    said = await reader.tag(request)
    if isinstance(said, str) or not isinstance(said, Iterable):
        raise ReaderError(path, "the reader gave no list of tags", "they can be set by hand")
    known = {tag.casefold() for tag in node.tags}
    texts = (speakable(name) for name in said if isinstance(name, str))
    cleaned = dict.fromkeys(tag for text in texts if (tag := to_tag(text)))
    tags = tuple(tag for tag in cleaned if tag.casefold() not in known)[:MOST_TAGS]
    if not tags:
        return None
    if node.problem:
        raise EditError(path, node.problem, "fix the frontmatter in Obsidian")
    field = settings.tag_field
    values = read_properties(node.note).values
    op: Op = AppendToProperty(field, tags) if field in values else SetProperties({field: [*tags]})
    proposal = Proposal(
        id=f"{run_id}/{number}",
        run_id=run_id,
        kind="tags",
        unit=Unit(f"Tags of {node.name}", to_bucket(node.bucket), ", ".join(tags), ()),
        action="REFINE",
        target=path,
        changes=(FileChange(path, node.note.sha256, (op,)),),
        provider=reader.provider,
        model=reader.model,
        prompts=reader.prompts,
        created=created,
    )
    return examiner.examine(proposal, {})


def offered(vault_tags: Sequence[str], digest: Digest) -> tuple[str, ...]:
    """The tags that a reader is shown: the vault's, then what else the digest uses."""
    counted = Counter(tag for node in digest.seen_nodes() for tag in node.tags)
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    found: dict[str, str] = {}
    for tag in (*vault_tags, *(tag for tag, _ in ordered)):
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())[:OFFERED]
