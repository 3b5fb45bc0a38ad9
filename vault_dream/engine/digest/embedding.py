"""An OpenAI-compatible embeddings endpoint, spoken to in plain HTTP.

Only imported where the setting ``embeddings`` names a model: the text of digest nodes and of what
is searched for goes to that endpoint then.
"""

from __future__ import annotations

import json
import math
import os
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from vault_dream.engine.errors import VaultDreamError

DEFAULT_URL = "https://api.openai.com/v1"
_MOST_BYTES = 64 << 20  # of an answer
_LONGEST = 2_000  # characters of a text: what a small model reads anyway

Vector: TypeAlias = "array[float]"  # subscripted only from Python 3.12


class EndpointError(VaultDreamError):
    """The embeddings endpoint cannot be reached, or its answer is none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where embeddings are made; ``key`` may be empty, as for a local server."""

    model: str
    base_url: str
    key: str = ""
    timeout: float = 20.0

    @classmethod
    def of(
        cls, model: str, base_url: str, key_variable: str, environ: Mapping[str, str] = os.environ
    ) -> Endpoint:
        """The endpoint of the setting ``embeddings``; the address defaults as the model's does."""
        url = base_url or environ.get("OPENAI_BASE_URL") or DEFAULT_URL
        return cls(model, url.rstrip("/"), environ.get(key_variable, ""))

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector for each text, in their order. Raises EndpointError."""
        asked = {"model": self.model, "input": [text[:_LONGEST] or " " for text in texts]}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        url = f"{self.base_url}/embeddings"
        try:
            request = Request(url, json.dumps(asked).encode(), headers)
            with urlopen(request, timeout=self.timeout) as answer:
                document = json.loads(answer.read(_MOST_BYTES))
            return self._vectors(document, len(texts))
        except HTTPError as error:
            raise self._failed(f"it answered {error.code} {error.reason}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise self._failed(f"it cannot be reached ({reason})") from None
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ):
            raise self._failed("its answer holds no embeddings") from None

    def _vectors(self, document: Any, count: int) -> list[Vector]:
        rows = sorted(document["data"], key=lambda row: row.get("index", 0))
        vectors = [_unit(row["embedding"]) for row in rows]
        if len(vectors) != count or len({len(vector) for vector in vectors}) > 1:
            raise ValueError("one vector per text, all of the same length")
        return vectors

    def _failed(self, what: str) -> EndpointError:
        return EndpointError(
            f"embeddings at {self.base_url}",
            what,
            "check embeddings in vault-dream.yaml; until then only words are searched",
        )


def _unit(numbers: Sequence[float]) -> Vector:
    vector = array("f", numbers)
    length = math.sqrt(sum(number * number for number in vector))
    if not vector or not math.isfinite(length) or length == 0:
        raise ValueError("a vector with a length")
    return array("f", [number / length for number in vector])
