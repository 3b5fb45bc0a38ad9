"""The one door through which text of notes and models comes to the screen, as nothing but words.

Every piece that a line holds went through :func:`literal`, and what a Textual widget is given goes
through :func:`content`: neither markup, nor escapes, nor bidi controls
survive (DESIGN rule 7).
"""

from __future__ import annotations

from textual.content import Content

from vault_dream.engine.vault.plain import visible

TAB = "    "


def literal(text: str) -> str:
    """``text`` on one line, without a character that acts on a terminal or reorders others."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\t", TAB).replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
    return visible(text).replace("\u2028", " ").replace("\u2029", " ")


def literal_lines(text: str) -> str:
    """``text`` with its lines kept, as harmless as :func:`literal` makes each of them."""
    return "\n".join(literal(line) for line in text.replace("\r\n", "\n").split("\n"))


def content(text: str, style: str = "") -> Content:
    """``text`` for a Textual widget, word for word; ``style`` is ours, never the text's."""
    return Content.styled(literal_lines(text), style) if style else Content(literal_lines(text))
