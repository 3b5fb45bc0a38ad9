"""The first start: which reader, as a short guided choice that ends in ``vault-dream.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.first_settings import FirstChoice
from vault_dream.ui.action import START
from vault_dream.ui.dialogs import Ask
from vault_dream.ui.home_page import count
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page

LOCAL = "http://localhost:11434/v1"


class StartPage(Page[None]):
    """Asks for the reader, shows the file, and writes it. Stateful: the choice so far."""

    PLACE = START

    DEFAULT_CSS = """
    StartPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    WAYS = ("offline", "local", "endpoint")

    def __init__(self) -> None:
        super().__init__()
        self.choice: FirstChoice | None = None
        self.daily_dir: str | None = None
        self._found: tuple[DailyLayout, int] | None = None

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page", bar=self.glyphs.bar)

    def on_mount(self) -> None:
        self.show_head([("Welcome", "strong")], [("nothing is written yet", "muted")])
        self._redraw()
        self._look()

    def _look(self) -> None:
        """Find the daily notes, and count them."""
        self.later(
            lambda: self.desk.daily_notes(self.daily_dir),
            self._looked,
            group="daily",
            failed=self._no_folder,
        )

    def _no_folder(self, error: VaultDreamError) -> None:
        self.daily_dir = None
        self.say_error(error)

    def _looked(self, found: tuple[DailyLayout, int]) -> None:
        self._found = found
        self._redraw()

    @property
    def page(self) -> LineList:
        return self.query_one("#page", LineList)

    def _redraw(self) -> None:
        self.page.show(lambda width: self._rows(min(width, 88)))
        self.show_keys()

    def _rows(self, width: int) -> Sequence[Line]:
        rows = [
            BLANK,
            *wrapped(
                ["Vault Dream reads your daily notes and keeps what is worth keeping."], width
            ),
            *wrapped([("You see every change before it is written.", "muted")], width),
            BLANK,
            line(("Your vault   ", "muted"), str(self.desk.root)),
            *self._daily_rows(width),
            BLANK,
        ]
        if self.choice is not None:
            rows += [line(("This would be written to vault-dream.yaml:", "strong")), BLANK]
            text = self.desk.first_settings(replace(self.choice, daily_dir=self.daily_dir))
            rows += [line("  ", (one, "code")) for one in text.splitlines()]
            return [*rows, BLANK, line(("enter", "key"), " writes it   ", ("esc", "key"), " back")]
        rows += [line(("Who should read them?", "strong")), BLANK]
        ways = {
            "offline": (
                "Only this program",
                "No model, no key, no network. Finds less, quotes more. A good first look.",
            ),
            "local": (
                "A model on this machine",
                "Through Ollama or a server like it. Nothing leaves the machine.",
            ),
            "endpoint": (
                "A model elsewhere",
                "Any OpenAI-compatible endpoint; the key stays in OPENAI_API_KEY.",
            ),
        }
        for key, (name, what) in ways.items():
            rows += wrapped([(name, "text")], width, key=key)
            rows += wrapped([(what, "muted")], width, first=["  "], key=key)
            rows.append(BLANK)
        return rows

    def _daily_rows(self, width: int) -> list[Line]:
        if self._found is None:
            return [line(("Daily notes  ", "muted"), ("looking for them", "faint")), BLANK]
        layout, number = self._found
        where = layout.path_for(self.desk.open_session.today)
        what = f"{count(number, 'daily note')} there" if number else "no daily notes there yet"
        origin = f" ({layout.origin})" if self.daily_dir is None else ", as you said"
        rows = wrapped([where], width, first=[("Daily notes  ", "muted")])
        rows += wrapped(
            [(what, "muted" if number else "warn"), (origin, "faint")], width, first=[" " * 13]
        )
        for word in layout.warnings if number or layout.origin != "default" else ():
            rows += wrapped([(word, "warn")], width, first=[" " * 13])
        return [
            *rows,
            line(" " * 13, ("e", "key"), (" says where they are", "muted")),
        ]

    def do_daily_folder(self) -> None:
        def done(text: str | None) -> None:
            if text is not None:
                self.daily_dir = None if not text else "" if text in (".", "/") else text
                self._look()

        hint = "such as Journal; . for the vault itself, empty for what was found"
        self.app.push_screen(Ask("Where are the daily notes?", hint, self.daily_dir or ""), done)

    def do_choose(self) -> None:
        if self.choice is not None:
            self._write(self.choice)
            return
        way = self.page.cursor
        if way == "offline":
            self._chosen(FirstChoice("offline"))
        elif way == "local":
            self._ask_model(FirstChoice("openai", base_url=LOCAL))
        else:
            self._ask_address(FirstChoice("openai"))

    def _ask_address(self, choice: FirstChoice) -> None:
        def done(text: str | None) -> None:
            if text is not None:
                self._ask_model(replace(choice, base_url=text))

        hint = "such as https://api.example.com/v1; empty for OpenAI's own"
        self.app.push_screen(Ask("The endpoint's address", hint), done)

    def _ask_model(self, choice: FirstChoice) -> None:
        def done(text: str | None) -> None:
            if text:
                self._chosen(replace(choice, model=text))

        self.app.push_screen(Ask("The model's name", "such as qwen3:30b"), done)

    def _chosen(self, choice: FirstChoice) -> None:
        self.choice = choice
        self._redraw()

    def _write(self, choice: FirstChoice) -> None:
        self.later(
            lambda: self.desk.begin(replace(choice, daily_dir=self.daily_dir)),
            lambda view: self.dream_app.go_back(),
            group="write",
            failed=self._failed,
        )

    def _failed(self, error: VaultDreamError) -> None:
        self.choice = None
        self._redraw()
        self.say_error(error)

    def do_back(self) -> None:
        if self.choice is not None:
            self.choice = None
            self._redraw()
        else:
            super().do_back()
