"""python-frontmatter's handler for Obsidian's YAML: our fence rule, the 1.2 core, our limits.

Imports python-frontmatter: import this module late.
"""

from __future__ import annotations

from frontmatter.default_handlers import BaseHandler

from vault_dream.engine.vault.yaml_core import Node, compose


class CoreHandler(BaseHandler):
    """Reads one block, given with its fences; ``root`` is then its node."""

    root: Node | None = None

    def __init__(self) -> None:  # the base class compiles patterns that are not used here
        pass

    def detect(self, text: str) -> bool:
        return text.startswith("---")

    def split(self, text: str) -> tuple[str, str]:
        """Return (the YAML between the fences, no content): the note knows where its body is."""
        return text[text.index("\n") + 1 : text.rindex("\n---") + 1], ""

    def load(self, fm: str, **kwargs: object) -> dict[str, object]:
        """Return the values by key. Raises YamlError."""
        self.root = compose(fm)
        value = self.root.value if self.root is not None else None
        return value if isinstance(value, dict) else {}
