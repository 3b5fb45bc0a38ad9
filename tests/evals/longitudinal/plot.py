"""The plot: lines over nights as a plain SVG, small enough to read in a diff."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from tests.evals.longitudinal.nights import Night

WIDTH, HEIGHT, LEFT, TOP, GAP = 380, 150, 56, 34, 62
COLOURS = ("#8a8a8a", "#2a78c2", "#c2622a")


def draw(played: Mapping[str, Sequence[Night]]) -> str:
    """Two rows of charts (what became of the facts; what a night cost), a column a reader."""
    parts = []
    for column, (name, nights) in enumerate(played.items()):
        x = LEFT + column * (WIDTH + GAP)
        facts: Sequence[tuple[str, Callable[[Night], float]]] = (
            ("facts told", lambda n: n.told),
            ("facts with a node", lambda n: n.covered),
            ("doubled, mixed or stale", lambda n: n.doubled + n.mixed + n.stale),
        )
        parts.append(_chart(x, TOP, f"{name}: facts", nights, facts))
        cost: Sequence[tuple[str, Callable[[Night], float]]] = (
            ("thousand notes", lambda n: n.notes / 1000),
            ("seconds", lambda n: n.seconds),
            ("thousand tokens", lambda n: n.tokens / 1000),
        )
        parts.append(_chart(x, TOP + HEIGHT + GAP, f"{name}: a night's cost", nights, cost))
    width = LEFT + len(played) * (WIDTH + GAP)
    height = TOP + 2 * (HEIGHT + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" '
        f'fill="white"/>\n{"".join(parts)}</svg>\n'
    )


def _chart(
    x: int,
    y: int,
    title: str,
    nights: Sequence[Night],
    lines: Sequence[tuple[str, Callable[[Night], float]]],
) -> str:
    top = max((value(night) for _, value in lines for night in nights), default=0) or 1
    across = WIDTH / max(1, len(nights) - 1)
    parts = [
        f'<text x="{x}" y="{y - 18}" font-weight="bold">{escape(title)}</text>\n',
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#ccc"/>\n',
        f'<text x="{x - 6}" y="{y + 8}" text-anchor="end">{top:.3g}</text>\n',
        f'<text x="{x - 6}" y="{y + HEIGHT}" text-anchor="end">0</text>\n',
        f'<text x="{x + WIDTH}" y="{y + HEIGHT + 14}" text-anchor="end">'
        f"night {len(nights)}</text>\n",
    ]
    for number, ((name, value), colour) in enumerate(zip(lines, COLOURS, strict=True)):
        points = " ".join(
            f"{x + at * across:.1f},{y + HEIGHT * (1 - value(night) / top):.1f}"
            for at, night in enumerate(nights)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>\n'
            f'<text x="{x + number * 128}" y="{y - 4}" fill="{colour}">{escape(name)}</text>\n'
        )
    return "".join(parts)
