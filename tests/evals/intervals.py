"""Confidence intervals, 95 %: Wilson's for shares, the bootstrap's for means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from statistics import fmean

Z = 1.959964
DRAWS = 1_000


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Wilson's score interval for ``hits`` of ``of`` (of > 0)."""
    share = hits / of
    middle = share + Z * Z / (2 * of)
    reach = Z * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    below = 1 + Z * Z / of
    return max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below)


def bootstrap(values: Sequence[float], seed: int = 7) -> tuple[float, float]:
    """The percentile interval of the mean of ``values`` (at least one), the same every time."""
    draw = random.Random(seed)
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(DRAWS))
    return means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS) - 1]
