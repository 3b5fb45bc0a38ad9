"""Which vault: a choice from those that Obsidian knows, where none was named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.places import given_folder, vaults_to_choose
from vault_dream.ui.action import VAULTS
from vault_dream.ui.dialogs import Ask
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page

OTHER = "other"


class VaultsPage(Page[None]):
    """Asks for the vault; nothing is opened before. Stateful: the vaults that were found."""

    PLACE = VAULTS

    DEFAULT_CSS = """
    VaultsPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.vaults: tuple[Path, ...] = ()
        self.last = ""

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page", bar=self.glyphs.bar)

    def on_mount(self) -> None:
        self.show_head([("Vault Dream", "strong")], [("nothing is written yet", "muted")])
        self.last = self.dream_app.last_vault
        self.later(lambda: vaults_to_choose(self.last), self._show)

    def _show(self, found: Sequence[Path]) -> None:
        self.vaults = tuple(found)
        wanted = self.last if Path(self.last) in self.vaults else None
        self.query_one("#page", LineList).show(
            lambda width: self._rows(min(width, 88)), cursor=wanted
        )
        self.show_keys()

    def _rows(self, width: int) -> list[Line]:
        rows = [BLANK, line(("Which vault?", "strong")), BLANK]
        if not self.vaults:
            rows += wrapped([("Obsidian knows of no vault on this machine.", "muted")], width)
            rows.append(BLANK)
        for path in self.vaults:
            key = str(path)
            again = "   chosen last" if key == self.last else ""
            rows.append(line(path.name, (again, "faint"), key=key))
            rows += wrapped([(key, "muted")], width, first=["  "], key=key)
            rows.append(BLANK)
        rows.append(line("Another folder", key=OTHER))
        rows += wrapped(
            [("Type its path; any folder of Markdown notes will do.", "muted")],
            width,
            first=["  "],
            key=OTHER,
        )
        return [
            *rows,
            BLANK,
            *wrapped([("vault-dream --demo opens a sample vault to play with.", "faint")], width),
        ]

    def do_choose(self) -> None:
        key = self.query_one("#page", LineList).cursor
        if key is None or key == OTHER:
            self._ask()
        else:
            self._open(key)

    def _ask(self) -> None:
        def done(text: str | None) -> None:
            if text:
                self._open(text)

        self.app.push_screen(Ask("The vault's folder", "such as ~/Notes"), done)

    def _open(self, text: str) -> None:
        self.later(
            lambda: given_folder(text),
            self.dream_app.open_vault,
            group="open",
            failed=self._failed,
        )

    def _failed(self, error: VaultDreamError) -> None:
        self.say_error(error)
