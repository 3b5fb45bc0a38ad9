"""Semantic recall: nodes whose meaning is near a query's, beside those that share its words.

Vectors are kept by the hash of the text that they were made of, in a file of their own, so that a
node costs its embedding once, however often the other indexes begin anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from heapq import nlargest, nsmallest
from operator import mul
from pathlib import Path
from typing import Protocol

from vault_dream.engine.digest.embedding import EndpointError, Vector
from vault_dream.engine.digest.nodes import NodeHit, NodeText
from vault_dream.engine.digest.store import Schema, Store, writing

VECTORS = Schema(
    0x56447665,  # "VDve"
    1,
    """
CREATE TABLE vector (
    model TEXT NOT NULL, digest BLOB NOT NULL, numbers BLOB NOT NULL, PRIMARY KEY (model, digest)
) WITHOUT ROWID;
CREATE TABLE total (listing BLOB);
INSERT INTO total VALUES (NULL)
""",
    (),
)

_BATCH = 64  # texts sent at once
_COARSE = 300  # nodes whose vectors are compared in full
_SAMPLE = 256  # vectors whose middle the signs are taken from
_RANK = 60.0  # of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009)
_WEIGHT = 0.8  # of a rank by meaning, against one by words
_TRUST = 0.25  # of its likeness, the score of a node that only meaning found


class Embedder(Protocol):
    """What ``Recall`` asks for vectors."""

    @property
    def model(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> list[Vector]: ...


class Recall:
    """Stateful: the vectors of the digest's nodes. After a failure of the endpoint, which ``warn``
    is told once, it finds nothing more. ``announce`` is told of the texts that are about to leave,
    ``conceal`` is the last look at each.
    """

    def __init__(
        self,
        file: Path | None,
        endpoint: Embedder,
        *,
        warn: Callable[[str], None],
        announce: Callable[[Sequence[str]], None] = lambda texts: None,
        conceal: Callable[[str], str] = str,
    ) -> None:
        self._endpoint = endpoint
        self._warn = warn
        self._announce = announce
        self._conceal = conceal
        self._down = False
        self._file = file
        self._opened: Store | None = None
        self._texts: dict[str, NodeText] = {}
        self._digests: dict[str, bytes] = {}
        self._vectors: dict[str, Vector] = {}
        self._signs: dict[str, int] = {}
        self._middle: Vector = array("f")

    @property
    def _store(self) -> Store:
        if self._opened is None:
            self._opened = Store(self._file, VECTORS, lambda: None)
        return self._opened

    def close(self) -> None:
        """Give the file back; it is opened again when it is next needed."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def refresh(self, nodes: Iterable[NodeText]) -> None:
        """Know exactly these nodes; asks the endpoint for what was never embedded."""
        texts = {node.path: node for node in nodes}
        digests = {path: _digest(node) for path, node in texts.items()}
        fresh = [path for path in texts if digests[path] != self._digests.get(path)]
        for path in self._digests.keys() - texts.keys():
            self._vectors.pop(path, None)
            self._signs.pop(path, None)
        self._texts, self._digests = texts, digests
        held = self._held([digests[path] for path in fresh])
        unknown = [path for path in fresh if digests[path] not in held]
        if unknown and not self._down:
            self._announce([_text(texts[path]) for path in unknown])
        for start in range(0, len(unknown), _BATCH):
            batch = unknown[start : start + _BATCH]
            made = self._embed([_text(texts[path]) for path in batch])
            if made is None:
                break
            known = {digests[path]: one for path, one in zip(batch, made, strict=True)}
            self._keep(known)
            held.update(known)
        for path in fresh:
            self._vectors.pop(path, None)
            self._signs.pop(path, None)
            if digests[path] in held:
                self._vectors[path] = held[digests[path]]
        self._sign()

    def nearest(self, query: str, limit: int) -> tuple[tuple[str, float], ...]:
        """The nodes nearest to ``query`` by meaning: path and likeness, the nearest first."""
        if not self._vectors or not query.strip():
            return ()
        made = self._embed([query])
        if made is None or len(made[0]) != len(self._middle):
            return ()
        asked, sign = made[0], _sign_of(made[0], self._middle)
        coarse = nsmallest(
            max(_COARSE, limit),
            self._signs,
            key=lambda path: (self._signs[path] ^ sign).bit_count(),
        )
        likeness = ((sum(map(mul, asked, self._vectors[path])), path) for path in coarse)
        return tuple((path, worth) for worth, path in nlargest(limit, likeness))

    def fuse(self, hits: Sequence[NodeHit], query: str, limit: int) -> tuple[NodeHit, ...]:
        """``hits`` by words and the nearest by meaning, by reciprocal rank; exact names first."""
        near = self.nearest(query, limit)
        if not near:
            return tuple(hits[:limit])
        found = {hit.path: hit for hit in hits}
        worth = {hit.path: 1 / (_RANK + rank) for rank, hit in enumerate(hits, start=1)}
        for rank, (path, likeness) in enumerate(near, start=1):
            worth[path] = worth.get(path, 0.0) + _WEIGHT / (_RANK + rank)
            if path not in found and (node := self._texts.get(path)) is not None:
                score = round(_TRUST * max(likeness, 0.0), 4)
                found[path] = NodeHit(path, score, node.name, node.description)
        ranked = sorted(
            found.values(), key=lambda hit: (hit.score < 1.0, -worth[hit.path], hit.path)
        )
        return tuple(ranked[:limit])

    def _embed(self, texts: Sequence[str]) -> list[Vector] | None:
        if self._down:
            return None
        try:
            return self._endpoint.embed([self._conceal(text) for text in texts])
        except EndpointError as error:
            self._down = True
            self._warn(f"{error.where}: {error.what}; {error.next}")
            return None

    def _held(self, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        wanted = set(digests)

        def work() -> dict[bytes, Vector]:
            with self._store.lock:
                rows = (
                    self._store.connection.execute(
                        "SELECT digest, numbers FROM vector WHERE model = ?",
                        (self._endpoint.model,),
                    )
                    if wanted
                    else ()
                )
                return {d: array("f", bytes(numbers)) for d, numbers in rows if d in wanted}

        return self._store.safely(work, {})

    def _keep(self, vectors: Mapping[bytes, Vector]) -> None:
        rows = [(self._endpoint.model, d, vector.tobytes()) for d, vector in vectors.items()]

        def work() -> None:
            with self._store.lock, writing(self._store.connection):
                self._store.connection.executemany(
                    "INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows
                )

        self._store.safely(work, None)

    def _sign(self) -> None:
        """Signs of the vectors around their middle: two alike agree in most of them."""
        if not self._vectors:
            return
        size = len(next(iter(self._vectors.values())))
        if len(self._middle) != size:
            for path in [path for path, vector in self._vectors.items() if len(vector) != size]:
                del self._vectors[path]
            sample = list(self._vectors.values())[:_SAMPLE]
            self._middle = array(
                "f", [sum(column) / len(sample) for column in zip(*sample, strict=True)]
            )
            self._signs.clear()
        for path, vector in self._vectors.items():
            if path not in self._signs:
                self._signs[path] = _sign_of(vector, self._middle)


def _sign_of(vector: Vector, middle: Vector) -> int:
    bits = "".join(["1" if a > b else "0" for a, b in zip(vector, middle, strict=True)])
    return int(bits, 2)


def _text(node: NodeText) -> str:
    return "\n".join((node.name, node.description, *node.aliases, node.body.strip()))


def _digest(node: NodeText) -> bytes:
    return blake2b(_text(node).encode("utf-8", "replace"), digest_size=16).digest()
