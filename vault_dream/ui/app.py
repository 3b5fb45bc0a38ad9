"""The review session as a terminal app."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from sys import setswitchinterval
from typing import Any, ClassVar

from rich.style import Style
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.message import Message

from vault_dream.remembered import Remembered, keymap, remembered_for, remembered_for_all
from vault_dream.ui.action import Action
from vault_dream.ui.actions import BY_ID, keys_on
from vault_dream.ui.desk import Desk
from vault_dream.ui.filters import AsciiOnly, Harmless
from vault_dream.ui.glyphs import Glyphs, glyphs_for
from vault_dream.ui.outside import Outside
from vault_dream.ui.page import Page
from vault_dream.ui.paint import styles_of
from vault_dream.ui.themes import DEFAULT, THEMES

KEYS_FIRST = 0.0005
"""Seconds after which a thread that saves or lays out gives way to a key. Python's own are ten
times as many, and a frame takes its turn several times."""


class Heard(Message):
    """An event of the session, from whichever thread it came."""

    def __init__(self, event: Any) -> None:
        self.event = event
        super().__init__()


class VaultDreamApp(App[None], inherit_bindings=False):
    """One vault under review. Stateful: the desk, what is remembered, the stack of screens.

    Without a ``root`` it begins by asking which vault.
    """

    TITLE = "Vault Dream"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, system=True)]

    CSS = """
    .pane { border-left: solid $vd-rule; padding: 0 1; }
    .-ascii .pane { border-left: ascii $vd-rule; }
    .-ascii #panes { border-top: ascii $vd-rule; }
    .-ascii #page { border-top: ascii $vd-rule; }
    .-ascii HomePage #page { border-top: none; }
    .-ascii HelpPage #page { border-top: none; }
    .-ascii #box { border: ascii $vd-rule; }
    .-ascii LineList { scrollbar-size: 0 0; }
    """

    def __init__(
        self,
        root: Path | None,
        *,
        flags: Mapping[str, Any] | None = None,
        clock: Callable[[], datetime] | None = None,
        day: date | None = None,
        reader: Any = None,
        session_options: Mapping[str, Any] | None = None,
        outside: Outside | None = None,
        glyphs: Glyphs | None = None,
        theme: str | None = None,
        watch: bool = True,
    ) -> None:
        self.glyphs = glyphs or glyphs_for()
        self._last_look: tuple[LineFilter, ...] = (
            (Harmless(), AsciiOnly()) if self.glyphs.ascii else (Harmless(),)
        )
        super().__init__()
        self.outside = outside or Outside()
        self.clock = clock or datetime.now
        self.watch_files = watch
        self._sit_down = partial(
            Desk,
            flags=flags,
            clock=clock,
            day=day,
            reader=reader,
            session_options=session_options,
            tell=self._tell,
        )
        self._desk = self._sit_down(root) if root is not None else None
        self._looks: Mapping[str, Style] = {}
        self._looks_of: tuple[str, bool] = ("", False)
        self._keys = keymap(BY_ID)
        self._memory = remembered_for_all()
        self._place: Remembered | None = None
        self.animation_level = "none"
        for each in THEMES:
            self.register_theme(each)
        wanted = theme or self._memory.get("theme", DEFAULT)
        self.theme = wanted if wanted in {each.name for each in THEMES} else DEFAULT
        self.set_keymap(self._keys)

    def _tell(self, event: Any) -> None:
        self.post_message(Heard(event))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and the last look at what goes to the terminal."""
        return (*super().get_line_filters(), *self._last_look)

    @property
    def desk(self) -> Desk:
        """The vault under review; only once it is known which."""
        assert self._desk is not None
        return self._desk

    @property
    def today(self) -> date:
        """The day on the app's clock."""
        return self.clock().date()

    @property
    def last_vault(self) -> str:
        """The vault that was chosen last on this machine, ``""`` where none was."""
        return self._memory.get("vault")

    def open_vault(self, root: Path) -> None:
        """Review the vault that was chosen, and remember it."""
        from vault_dream.ui.home import HomePage

        self._memory.set("vault", str(root))
        self._desk = self._sit_down(root)
        self.switch_screen(HomePage())

    @property
    def place(self) -> Remembered:
        """Where the person was in this vault."""
        if self._place is None:
            self._place = remembered_for(self.desk.root)
        return self._place

    def on_mount(self) -> None:
        setswitchinterval(KEYS_FIRST)
        self.set_class(self.glyphs.ascii, "-ascii")
        self._note_plain()
        if self._desk is None:
            from vault_dream.ui.vaults import VaultsPage

            self.push_screen(VaultsPage())
        else:
            from vault_dream.ui.home import HomePage

            self.push_screen(HomePage())

    def on_unmount(self) -> None:
        if self._desk is not None:
            self._desk.close()

    def on_heard(self, message: Heard) -> None:
        for screen in self.screen_stack:
            hear = getattr(screen, "hear", None)
            if hear is not None and screen.query("#head"):  # else it is being taken down
                hear(message.event)

    # Keys and themes -----------------------------------------------------------------------------

    def keys_of(self, action: Action, place: str = "") -> tuple[str, ...]:
        """The keys of an action, as the person mapped them; of those, what holds at ``place``."""
        mapped = self._keys.get(action.id)
        if mapped is None:
            return keys_on(action, place)
        return tuple(key.strip() for key in mapped.split(","))

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: Any) -> None:
        names = ", ".join(sorted(binding.id or binding.action for binding in clashed_bindings))
        if isinstance(self.screen, Page):
            self.screen.say(f"keys.yaml gives one key to two actions: {names}", "warn")

    @property
    def looks(self) -> Mapping[str, Style]:
        """The styles of lines in the theme that is on."""
        state = (self.theme, self.no_color)
        if self._looks_of != state:
            plain = self.current_theme.ansi or self.no_color
            self._looks = styles_of(self.theme_variables, plain)
            self._looks_of = state
        return self._looks

    def next_theme(self) -> str:
        """Change to the next theme, and remember it; returns its name."""
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]
        self._memory.set("theme", self.theme)
        self._note_plain()
        return self.theme

    def _note_plain(self) -> None:
        self.set_class(self.current_theme.ansi or self.no_color, "-plain")

    # Going about ---------------------------------------------------------------------------------

    def go_back(self) -> None:
        """To the screen before; from Home, out."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def go_start(self) -> None:
        from vault_dream.ui.start import StartPage

        self.push_screen(StartPage())

    def go_review(self) -> None:
        from vault_dream.ui.review import ReviewPage

        self.push_screen(ReviewPage())

    def go_backfill(self) -> None:
        from vault_dream.ui.backfill import BackfillPage

        self.push_screen(BackfillPage())

    def go_dream(self) -> None:
        from vault_dream.ui.dreaming import DreamPage

        self.push_screen(DreamPage())

    def switch_to_review(self) -> None:
        """The review in place of the screen that is shown."""
        from vault_dream.ui.review import ReviewPage

        self.switch_screen(ReviewPage())

    def vault_changed(self) -> None:
        """Something in the vault changed on disk: the page that is shown looks again."""
        refresh = getattr(self.screen, "refresh_view", None)
        if refresh is not None:
            refresh()

    def go_search(self) -> None:
        from vault_dream.ui.search import SearchPage

        self.push_screen(SearchPage())

    def go_history(self) -> None:
        from vault_dream.ui.history import HistoryPage

        self.push_screen(HistoryPage())

    def go_request(self, about: str = "") -> None:
        """What was sent to the model, the newest that was for ``about`` under the cursor."""
        from vault_dream.ui.request import RequestPage

        offline = "The offline reader asks no model: nothing is sent."
        session = self.desk.session
        empty = offline if session and session.settings.provider == "offline" else ""
        self.push_screen(
            RequestPage(
                lambda: self.desk.sent.all,
                about=about,
                note="kept while the app runs, never written to disk",
                empty=empty,
            )
        )

    def go_preview_request(self) -> None:
        """What would be sent if the dream went on."""
        from vault_dream.ui.request import RequestPage

        self.push_screen(
            RequestPage(
                self.desk.preview,
                note="nothing is sent yet; then a random word will fence the notes",
            )
        )

    def go_preview(self, path: str, text: str) -> None:
        """A node as it would be."""
        from vault_dream.ui.reading import ReadPage

        self.push_screen(ReadPage(path, text))

    def go_note(self, path: str) -> None:
        """A note as it stands."""
        from vault_dream.ui.reading import ReadPage

        self.push_screen(ReadPage(path))

    def go_source(self, path: str, line: int, quote: str) -> None:
        """A note at the line of a quote."""
        from vault_dream.ui.reading import SourcePage

        self.push_screen(SourcePage(path, line, quote))

    def go_node(self, path: str) -> None:
        """Show a node with its edges."""
        from vault_dream.ui.node import NodePage

        self.push_screen(NodePage(path))

    def address_of(self, place: tuple[str, str]) -> str:
        """The ``obsidian://`` address of a note, and of a heading in it."""
        from vault_dream.engine.vault.uri import open_uri

        path, heading = place
        subpath = f"#{heading}" if heading else ""
        return open_uri(self.desk.root.resolve().name, path, subpath=subpath)

    def open_in_obsidian(self, place: tuple[str, str]) -> None:
        """Open a note in Obsidian."""
        if not place[0]:
            self._say("there is no note under the cursor")
            return
        self.outside.open(self.address_of(place), self.open_url)
        self._say(f"opened in Obsidian: {place[0]}")

    def copy_link(self, place: tuple[str, str]) -> None:
        """Put a wikilink to a note on the clipboard; works over SSH where the terminal allows."""
        from vault_dream.engine.vault.resolve import spell_link

        if not place[0]:
            self._say("there is no note under the cursor")
            return
        path, heading = place
        link = spell_link(
            path, label=self.desk.name_of(path), subpath=f"#{heading}" if heading else ""
        )
        self.copy_to_clipboard(link)
        self._say(f"copied: {link}")

    def _say(self, text: str) -> None:
        if isinstance(self.screen, Page):
            self.screen.say(text)

    def come_back(self, home: Page[Any]) -> None:
        """Land where the person was in this vault, if that is still there."""
        if not self.desk.has_settings and self.desk.why_no_reader():
            self.go_start()
        elif self.place.get("screen") == "review" and self.desk.proposals:
            self.go_review()

    def start_watching(self) -> None:
        """See what other programs change in the vault, from now on."""
        if not self.watch_files:
            return
        from vault_dream.ui.watching import watch

        self.run_worker(watch(self), group="watch")

    def show_help(self, page: Page[Any]) -> None:
        from vault_dream.ui.help import HelpPage

        self.push_screen(HelpPage(page))

    def show_guide(self, topic: str = "") -> None:
        from vault_dream.ui.guide import GuidePage

        self.push_screen(GuidePage(topic))

    def show_palette(self, page: Page[Any]) -> None:
        """All actions of the page, found by their names."""
        from vault_dream.ui.palette import palette

        def do(action_id: str | None) -> None:
            if action_id is not None:
                page.action_do(action_id)

        self.push_screen(palette(page), do)
