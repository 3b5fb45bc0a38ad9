"""Page: what every screen shares. A head, a body, the keys; actions from the registry; workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import Action
from vault_dream.ui.actions import BY_ID, actions_of, bindings_of
from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.keybar import Hint, KeyBar
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import Piece, columns

if TYPE_CHECKING:
    from vault_dream.ui.app import VaultDreamApp
    from vault_dream.ui.desk import Desk

T = TypeVar("T")
R = TypeVar("R")

PINNED = frozenset({"help", "back"})
"""Actions whose keys are always in sight."""

WIDE = 100
"""Cells from which there is room for two rows of keys."""


class Done(Message):
    """A worker is through: ``then`` takes what it made, ``failed`` takes the error."""

    def __init__(self, group: str, number: int, deliver: Callable[[], None]) -> None:
        self.group = group
        self.number = number
        self.deliver = deliver
        super().__init__()


class Page(Screen[R]):
    """A screen of the app. Stateful: numbers its workers, so that only the newest is heard.

    A subclass has a ``PLACE`` in the registry, a ``body``, and a method ``do_x`` for each action
    ``x`` of that place.
    """

    PLACE: ClassVar[str] = ""
    AUTO_FOCUS = "LineList"

    DEFAULT_CSS = """
    Page { layout: vertical; }
    #head { height: 1; padding: 0 1; overflow: hidden; }
    """

    def __init_subclass__(cls, **options: Any) -> None:
        if cls.PLACE:
            cls.BINDINGS = cast(list[BindingType], bindings_of(cls.PLACE))
        super().__init_subclass__(**options)

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}

    # What it consists of -------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        head = LineList(id="head")
        head.can_focus = False
        yield head
        yield from self.body()
        yield KeyBar()

    def body(self) -> Iterable[Widget]:
        """The widgets between head and keys."""
        return ()

    @property
    def dream_app(self) -> VaultDreamApp:
        return cast("VaultDreamApp", self.app)

    @property
    def desk(self) -> Desk:
        return self.dream_app.desk

    @property
    def glyphs(self) -> Glyphs:
        return self.dream_app.glyphs

    @property
    def bar(self) -> KeyBar:
        return self.query_one(KeyBar)

    def show_head(self, left: Sequence[Piece | str], right: Sequence[Piece | str] = ()) -> None:
        """The words at the top of the screen."""
        self.query_one("#head", LineList).show(lambda width: [columns(left, right, width)])

    def say(self, text: str, style: str = "text") -> None:
        """A word above the keys, until the next key."""
        if self.is_mounted:
            self.bar.say(text, style)

    # Actions -------------------------------------------------------------------------------------

    def action_do(self, action_id: str) -> None:
        """Do the action of the registry, or say why it does not apply."""
        action = BY_ID[action_id]
        self.say("")
        reason = action.reason(self)
        if reason:
            self.say(f"{action.name}: {reason}", "warn")
            return
        getattr(self, f"do_{action_id}")()
        if self.is_mounted and self.is_current:
            self.show_keys()

    def show_keys(self) -> None:
        """Say which keys apply now."""
        rows = 2 if self.size.width >= WIDE and self.size.height >= 30 else 1
        hints = [self.hint_of(action) for action in self.shown_actions()]
        if rows == 1:
            # Where there is little room, what does not apply gives way.
            hints.sort(key=lambda hint: not hint.applies)
        self.bar.show_hints(hints, rows)

    def shown_actions(self) -> list[Action]:
        """The actions of the bar, in order."""
        return [
            action
            for action in actions_of(self.PLACE)
            if action.rank and not (action.hides and action.reason(self))
        ]

    def hint_of(self, action: Action) -> Hint:
        """An action as the bar shows it."""
        keys = self.dream_app.keys_of(action)
        pinned = action.id in PINNED
        return Hint(action.key_shown(keys), self.name_of(action), not action.reason(self), pinned)

    def name_of(self, action: Action) -> str:
        """The action's name here and now."""
        return action.name

    def on_screen_resume(self) -> None:
        self.show_keys()

    def on_resize(self) -> None:
        self.show_keys()

    # Moving, on whichever list has the focus -----------------------------------------------------

    @property
    def list_here(self) -> LineList | None:
        """The list that the moving keys are for."""
        focused = self.focused
        if isinstance(focused, LineList):
            return focused
        return next((each for each in self.query(LineList) if each.can_focus), None)

    def _on_list(self, move: Callable[[LineList], None]) -> None:
        if (found := self.list_here) is not None:
            move(found)

    def do_down(self) -> None:
        self._on_list(lambda each: each.move(1))

    def do_up(self) -> None:
        self._on_list(lambda each: each.move(-1))

    def do_page_down(self) -> None:
        self._on_list(lambda each: each.page(1))

    def do_page_up(self) -> None:
        self._on_list(lambda each: each.page(-1))

    def do_top(self) -> None:
        self._on_list(lambda each: each.to_end(-1))

    def do_bottom(self) -> None:
        self._on_list(lambda each: each.to_end(1))

    def do_next_pane(self) -> None:
        self.focus_next(LineList)
        self.show_keys()

    def do_previous_pane(self) -> None:
        self.focus_previous(LineList)
        self.show_keys()

    # Everywhere ----------------------------------------------------------------------------------

    def do_back(self) -> None:
        self.dream_app.go_back()

    def do_help(self) -> None:
        self.dream_app.show_help(self)

    def do_palette(self) -> None:
        self.dream_app.show_palette(self)

    def do_guide(self) -> None:
        self.dream_app.show_guide()

    def do_parked(self) -> None:
        from vault_dream.ui.parked import parked_picker

        def done(proposal_id: str | None) -> None:
            if proposal_id is not None:
                self.desk.unpark(proposal_id)
                self.later(self.desk.save, lambda saved: None, group="save")
                self.brought_back(proposal_id)

        self.app.push_screen(parked_picker(self.desk.parked), done)

    def brought_back(self, proposal_id: str) -> None:
        """A parked proposal waits again: go where it can be decided."""
        self.dream_app.place.set("proposal", proposal_id)
        self.dream_app.go_review()

    def do_theme(self) -> None:
        self.say(f"theme: {self.dream_app.next_theme()}")

    # Work in threads -----------------------------------------------------------------------------

    def later(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        *,
        group: str = "look",
        failed: Callable[[VaultDreamError], None] | None = None,
    ) -> None:
        """Do ``work`` in a thread, then hand what it made to ``then`` here.

        Of several in a ``group`` only the newest is heard. A :class:`VaultDreamError` goes to
        ``failed``, or is said.
        """
        number = self._numbers[group] = self.number(group) + 1

        def run() -> None:
            try:
                made = work()
            except VaultDreamError as error:
                problem = error
                self.post_message(Done(group, number, lambda: (failed or self.say_error)(problem)))
            else:
                self.post_message(Done(group, number, lambda: then(made)))

        self.run_worker(run, thread=True, group=group)

    def number(self, group: str) -> int:
        """The number of the newest worker of ``group``."""
        return self._numbers.get(group, 0)

    def on_done(self, message: Done) -> None:
        message.stop()
        if self._numbers.get(message.group) == message.number and self.query("#head"):
            message.deliver()
            if self.is_mounted and self.is_current:
                self.show_keys()

    def say_error(self, error: VaultDreamError) -> None:
        """Say where, what and what next."""
        text = f"{error.where}: {error.what.rstrip('.')}"
        self.say(f"{text}. {error.next}" if error.next else text, "bad")


def own_keys(keys: dict[str, str], *, first: bool = False) -> list[BindingType]:
    """Bindings of a small dialog: key to action, all hidden; ``first``, before its widgets'."""
    return [Binding(key, action, show=False, priority=first) for key, action in keys.items()]
