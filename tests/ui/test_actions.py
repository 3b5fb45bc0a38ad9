"""Every action of the registry does what it says: on the session, and on the vault's bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.support import contents, open_session
from tests.ui.scenes import NOON, app_over, dreamt, press, reader, screen_text, settled, vault
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.ui.actions import ACTIONS, BY_ID, actions_of, bindings_of
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.linelist import LineList

REBUILD = "digest/procedure/rebuild-the-search-index.md"
INVOICE = "digest/procedure/ask-for-the-invoice-first.md"


class Stage:
    """An app under test. Stateful: the pilot, the app, the vault."""

    def __init__(self, pilot: Pilot[None], app: VaultDreamApp, root: Path) -> None:
        self.pilot, self.app, self.root = pilot, app, root

    async def press(self, *keys: str) -> None:
        await press(self.pilot, *keys)

    async def dreamt(self) -> None:
        await dreamt(self.pilot)

    async def committed(self) -> None:
        await dreamt(self.pilot)
        await press(self.pilot, "a", "a", "a", "a", "C", "enter")

    @property
    def place(self) -> str:
        return str(getattr(self.app.screen, "PLACE", ""))

    @property
    def text(self) -> str:
        return screen_text(self.app)

    @property
    def states(self) -> list[str]:
        return [proposal.state for proposal in self.app.desk.proposals]

    @property
    def word(self) -> str:
        return str(self.app.screen.query_one("KeyBar").word)  # type: ignore[attr-defined]

    def proposal(self, number: int) -> Proposal:
        return self.app.desk.proposals[number]

    def list(self, name: str) -> LineList:
        return self.app.screen.query_one(f"#{name}", LineList)

    def bytes(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()


Scenario = Callable[[Stage], Awaitable[None]]
COVERED: dict[Scenario, tuple[str, ...]] = {}


def covers(*ids: str) -> Callable[[Scenario], Scenario]:
    """The scenario shows what these actions do."""

    def register(scenario: Scenario) -> Scenario:
        COVERED[scenario] = ids
        return scenario

    return register


def test_every_action_is_covered_by_a_scenario() -> None:
    assert {action.id for action in ACTIONS} == {each for ids in COVERED.values() for each in ids}


def test_every_screen_has_a_method_for_each_of_its_actions() -> None:
    from vault_dream.ui import (
        backfill,
        commit,
        dreaming,
        guide,
        help,
        history,
        home,
        node,
        reading,
        request,
        review,
        search,
        start,
        vaults,
    )

    pages = [
        backfill.BackfillPage,
        commit.CommitPage,
        dreaming.DreamPage,
        guide.GuidePage,
        help.HelpPage,
        history.HistoryPage,
        home.HomePage,
        node.NodePage,
        reading.ReadPage,
        request.RequestPage,
        review.ReviewPage,
        search.SearchPage,
        start.StartPage,
        vaults.VaultsPage,
    ]
    assert {page.PLACE for page in pages} == {s for action in ACTIONS for s in action.screens}
    for page in pages:
        for action in actions_of(page.PLACE):
            assert callable(getattr(page, f"do_{action.id}", None)), (page, action.id)


def test_no_screen_gives_one_key_to_two_actions() -> None:
    for place in {screen for action in ACTIONS for screen in action.screens}:
        keys = [key for binding in bindings_of(place) for key in binding.key.split(",")]
        assert len(keys) == len(set(keys)), place


def test_no_action_takes_a_key_that_terminals_take() -> None:
    assert not [k for action in ACTIONS for k in action.keys if "ctrl" in k or "alt" in k]
    assert all(action.help.endswith(".") and action.name for action in BY_ID.values())


# Moving -------------------------------------------------------------------------------------------


@covers("down", "up", "top", "bottom")
async def moving(stage: Stage) -> None:
    await stage.dreamt()
    ids = [p.id for p in stage.app.desk.proposals]
    assert len(ids) == 4
    for key, expected in (("j", 1), ("down", 2), ("k", 1), ("up", 0), ("G", 3), ("g", 0)):
        await stage.press(key)
        assert stage.list("queue").cursor == ids[expected], key


@covers("page_down", "page_up")
async def paging(stage: Stage) -> None:
    await stage.press("f1", "pagedown")
    assert stage.list("page").scroll_offset.y > 0
    await stage.press("b", "b")
    assert stage.list("page").scroll_offset.y == 0


@covers("next_pane", "previous_pane")
async def panes(stage: Stage) -> None:
    await stage.dreamt()
    order = []
    for key in ("tab", "tab", "tab", "shift+tab"):
        await stage.press(key)
        order.append(stage.app.focused.id if stage.app.focused else None)
    assert order == ["change", "facts", "queue", "facts"]


# Home ---------------------------------------------------------------------------------------------


@covers("dream", "go_on")
async def dreaming(stage: Stage) -> None:
    before = contents(stage.root / "digest")
    await stage.press("d")
    assert stage.place == "dream" and "four things worth keeping" in stage.text
    assert stage.app.desk.proposals == ()
    await stage.press("enter")
    assert [p.action for p in stage.app.desk.proposals] == [
        "REFINE",
        "CORROBORATE",
        "CORRECT",
        "CREATE",
    ]
    await stage.press("enter")
    assert stage.place == "review"
    assert contents(stage.root / "digest") == before


@covers("review", "back")
async def there_and_back(stage: Stage) -> None:
    await stage.press("enter")
    assert "nothing waits" in stage.word
    await stage.dreamt()
    await stage.press("escape")
    assert (stage.place == "home" and "Four proposals" in stage.text) or "found" in stage.text
    await stage.press("enter")
    assert stage.place == "review"
    await stage.press("q", "q")
    assert stage.app.return_code == 0


@covers("reload")
async def look_again(stage: Stage) -> None:
    (stage.root / "daily" / "2026-11-28.md").write_text("A day that came by sync, with news.\n")
    await stage.press("R")
    assert stage.app.screen.view.older_unread == 2  # type: ignore[attr-defined]


@covers("daily_folder")
async def saying_where_the_daily_notes_are(stage: Stage) -> None:
    (stage.root / "vault-dream.yaml").unlink()
    (stage.root / "Journal").mkdir()
    (stage.root / "Journal/2026-11-28.md").write_text("A day.\n")
    await stage.press("R", "s")
    assert "three daily notes there (dated notes in daily/)" in stage.text
    await stage.press("e", *"../away", "enter")
    assert "three daily notes" in stage.text and "away" in stage.word
    await stage.press("e", *"Journal", "enter")
    assert "one daily note there, as you said" in stage.text
    await stage.press("enter", "enter")
    assert "daily_dir: Journal" in stage.bytes("vault-dream.yaml")
    assert stage.app.desk.open_session.layout.folder == "Journal"


@covers("setup")
async def setting_up(stage: Stage) -> None:
    assert stage.place == "home"
    (stage.root / "vault-dream.yaml").unlink()
    await stage.press("s", "j", "enter", *"qwen3:30b", "enter")
    assert "model: qwen3:30b" in stage.text and not (stage.root / "vault-dream.yaml").exists()
    await stage.press("escape", "g", "enter")
    assert "provider: offline" in stage.text
    await stage.press("enter")
    assert "provider: offline" in stage.bytes("vault-dream.yaml")
    assert stage.place == "home"


# Deciding -----------------------------------------------------------------------------------------


@covers("approve")
async def approving(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("a")
    assert stage.states == ["approved", "open", "open", "open"]
    assert stage.list("queue").cursor == stage.proposal(1).id, "it goes to the next"
    assert '"approved"' in next((stage.root / "metadata/proposals").rglob("1.json")).read_text()


@covers("reject")
async def rejecting(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("x", *"dull", "enter")
    assert stage.proposal(0).state == "rejected"
    assert stage.proposal(0).decision.reason == "dull"
    await stage.press("x", "escape")
    assert stage.proposal(1).state == "open"


@covers("later")
async def leaving_for_later(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("l")
    assert stage.states == ["later", "open", "open", "open"]


@covers("undo")
async def taking_back(stage: Stage) -> None:
    await stage.dreamt()
    before = stage.app.desk.proposals
    await stage.press("u")
    assert "no decision to undo" in stage.word
    await stage.press("a", "x", "enter", "l")
    await stage.press("u", "u", "u")
    assert stage.app.desk.proposals == before


@covers("edit")
async def editing(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("G", "e")
    area = stage.app.screen.query_one("TextArea")
    text = area.text.replace("\n\nThe invoice comes", "\n\nAlways: the invoice comes")  # type: ignore[attr-defined]
    area.text = text  # type: ignore[attr-defined]
    await stage.press("escape")
    assert stage.app.desk.open_session.sides(stage.proposal(3).id).after == text
    await stage.press("a", "C", "enter")
    assert "Always: the invoice comes" in stage.bytes(INVOICE)


@covers("edit_outside")
async def editing_outside(stage: Stage) -> None:
    stage.app.outside.editor = lambda text: text.replace("comes before", "comes well before")  # type: ignore[attr-defined]
    await stage.dreamt()
    await stage.press("G", "E", "a", "C", "enter")
    assert "comes well before" in stage.bytes(INVOICE)


@covers("retarget")
async def retargeting(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("G", "r")
    assert "Retarget to which node?" in stage.text
    await stage.press("escape")
    assert stage.proposal(3).target == INVOICE


@covers("change_action")
async def renaming_the_action(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("c", *"corro", "enter")
    assert stage.proposal(0).action == "CORROBORATE"
    await stage.press("G", "c")
    assert "a new note stays a new note" in stage.word


@covers("toggle")
async def leaving_a_change_out(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("space")
    assert "put the cursor on a change" in stage.word
    await stage.press("tab", "j", "space")
    assert stage.proposal(0).left_out == (1,)
    assert "left out" in stage.text
    await stage.press("space")
    assert stage.proposal(0).left_out == ()
    await stage.press("tab", "j", "j")
    link = stage.list("facts").cursor
    assert link is not None and link.startswith("link:")
    await stage.press("space")
    assert len(stage.proposal(0).links_off) == 1


@covers("add_link")
async def linking(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("G", "n", *"morning pages", "enter")
    after = stage.app.desk.open_session.sides(stage.proposal(3).id).after
    assert "[[digest/personal/morning-pages-help.md|Morning pages help]]" in after


@covers("approve_shown")
async def approving_all(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("A")
    assert INVOICE in stage.text, "it says exactly what that touches"
    assert "need a closer look" in stage.text
    await stage.press("escape")
    assert "approved" not in stage.states
    await stage.press("A", "enter")
    assert stage.states == ["open", "approved", "open", "approved"]


@covers("commit", "write")
async def committing(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("C")
    assert "nothing is approved yet" in stage.word
    await stage.press("a", "C")
    assert stage.place == "commit" and "nothing is written yet" in stage.text
    before = contents(stage.root / "digest")
    await stage.press("enter")
    after = contents(stage.root / "digest")
    assert {path for path in after if before.get(path) != after[path]} == {
        REBUILD.removeprefix("digest/")
    }
    assert "memory_tags: [search-index]" in stage.bytes(REBUILD)
    assert "search-index" in stage.text


@covers("undo_run")
async def taking_the_run_back(stage: Stage) -> None:
    before = contents(stage.root / "digest")
    await stage.committed()
    assert contents(stage.root / "digest") != before
    await stage.press("z")
    assert contents(stage.root / "digest") == before
    assert (stage.root / ".trash" / "ask-for-the-invoice-first.md").exists()
    states = {proposal.state for proposal in stage.app.desk.proposals}
    assert "rejected" in states
    assert "committed" not in states


@covers("parked")
async def bringing_back_what_was_put_away(stage: Stage) -> None:
    await stage.press("P")
    assert "nothing is parked" in stage.word
    october = NOON.replace(month=10, day=1)
    with open_session(stage.root, reader(), clock=lambda: october) as session:
        session.scan(NOON.date())
        session.extract()
        session.integrate()
        session.save()
    await stage.press("R")
    assert "Four proposals are parked" in stage.text
    await stage.press("P", *"morning", "enter")
    assert stage.place == "review"
    assert [p.target for p in stage.app.desk.proposals] == ["digest/personal/morning-pages-help.md"]
    assert "3 parked" in stage.text
    await stage.press("P", "enter", "q", "R")
    assert stage.app.screen.view.parked == 2  # type: ignore[attr-defined]
    assert stage.app.screen.view.waiting == 2  # type: ignore[attr-defined]


@covers("backfill", "which_days", "days_at_once")
async def reading_older_days(stage: Stage) -> None:
    for day in range(3, 9):
        note = f"On the {day}th something else was worth a word: number {day} it was.\n"
        (stage.root / f"daily/2026-10-0{day}.md").write_text(note)
    await stage.press("R", "b")
    assert stage.place == "backfill"
    assert "Seven days with something to read, 3 October 2026 to 1 November 2026" in stage.text
    await stage.press("e", *["backspace"] * 10, *"soon", "enter")
    assert "two days, such as" in stage.word
    await stage.press("e", *["backspace"] * 10, *"2026-10-31", "enter")
    assert "Six days" in stage.text
    await stage.press("c", *"two", "enter")
    assert "a number of days" in stage.word
    await stage.press("c", *"2", "enter")
    assert "the 2 oldest" in stage.text
    before = contents(stage.root / "digest")
    await stage.press("enter")
    assert "4 days left" in stage.text and contents(stage.root / "digest") == before
    await stage.press("escape", "b")
    assert "Four days with something to read, 5 October 2026 to 8 October" in stage.text


# Looking ------------------------------------------------------------------------------------------


@covers("choose")
async def choosing(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("enter")
    assert stage.app.focused is stage.list("change")
    await stage.press("tab", "enter")
    assert "daily/2026-11-29.md" in stage.text and "line 3" in stage.text


@covers("side_by_side")
async def beside(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("v")
    assert stage.app.screen.diff_view().side_by_side  # type: ignore[attr-defined]
    await stage.press("v")
    assert not stage.app.screen.diff_view().side_by_side  # type: ignore[attr-defined]


@covers("preview")
async def previewing(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("p")
    assert stage.place == "preview" and "as it would be" in stage.text
    assert "Wait for the first" in stage.text
    await stage.press("enter")
    assert "Which Postgres runs where" in stage.text.split("\n")[0]
    await stage.press("escape")
    assert "Rebuild the search index" in stage.text.split("\n")[0]


@covers("exact")
async def exact_text(stage: Stage) -> None:
    await stage.dreamt()
    assert "[[digest" not in stage.text
    await stage.press("m")
    assert "[[digest" in stage.text


@covers("more_context", "less_context")
async def context(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("minus", "minus")
    assert "0 lines around" in stage.word
    few = len(stage.list("change").words)
    await stage.press("plus", "plus", "plus", "plus", "plus")
    assert "the whole note" in stage.word
    assert len(stage.list("change").words) > few


@covers("filter")
async def filtering(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("slash", *"invoice", "enter")
    assert stage.list("queue").keys == (stage.proposal(3).id,)
    await stage.press("escape")
    assert len(stage.list("queue").keys) == 4


@covers("open", "copy")
async def outside(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("o")
    assert stage.app.outside.opened == [  # type: ignore[attr-defined]
        "obsidian://open?vault=vault&file=digest%2Fprocedure%2Frebuild-the-search-index.md"
    ]
    await stage.press("y")
    assert stage.app.clipboard == f"[[{REBUILD}|Rebuild the search index]]"


# Units --------------------------------------------------------------------------------------------


@covers("rename", "summarise", "bucket", "drop", "merge")
async def units(stage: Stage) -> None:
    await stage.press("d")
    await stage.press("e", *" twice", "enter")
    await stage.press("s", *" Really.", "enter")
    await stage.press("c", *"wiki", "enter")
    first = stage.app.screen.units[0]  # type: ignore[attr-defined]
    assert first.name == "Wait for the first full scan twice"
    assert first.summary.endswith("Really.") and first.bucket == "wiki"
    await stage.press("j", "x", "j", "j", "m")
    assert len(stage.app.screen.units) == 3  # type: ignore[attr-defined]
    await stage.press("enter")
    names = [unit.name for unit in stage.app.desk.open_session.run.units]
    assert names == ["Wait for the first full scan twice", "Postgres is on sixteen"]
    assert len(stage.app.desk.open_session.run.units[1].evidence) == 2


@covers("stop")
async def stopping(stage: Stage) -> None:
    await stage.press("d", "X")
    assert stage.app.desk.proposals == ()
    failed = stage.app.desk.open_session.state.failed()
    assert len(failed) == 4, "what was found is tried next time, without finding it again"
    await stage.press("escape", "d", "enter", "enter")
    assert len(stage.app.desk.proposals) == 4


@covers("request")
async def what_is_sent(stage: Stage) -> None:
    await stage.press("w")
    assert stage.place == "request" and "Nothing was sent since the app was started" in stage.text
    await stage.press("escape")
    await stage.dreamt()
    unit = stage.proposal(2).unit.name
    said = [{"role": "system", "content": "Find units."}, {"role": "user", "content": "A day."}]
    stage.app.desk.sent.add(unit, "integrate", {"model": "m", "messages": said})
    stage.app.desk.sent.add("extract", "extract", {"model": "m", "messages": said[:1]})
    await stage.press("j", "j", "w")
    assert stage.place == "request" and "A day." in stage.text
    await stage.press("k")
    assert "A day." not in stage.text and "Find units." in stage.text
    await stage.press("tab", "j", "escape")
    assert stage.place == "review"


# Elsewhere ----------------------------------------------------------------------------------------


@covers("search", "neighbours")
async def searching(stage: Stage) -> None:
    await stage.press("slash", *"postgres", "enter")
    assert stage.place == "search" and "runs on Postgres 14" in stage.text
    await stage.press("n")
    assert stage.place == "node" and "derived from" in stage.text


@covers("history")
async def history(stage: Stage) -> None:
    before = contents(stage.root / "digest")
    await stage.committed()
    await stage.press("escape", "escape", "h")
    assert stage.place == "history" and REBUILD in stage.text
    await stage.press("z", "enter")
    assert contents(stage.root / "digest") == before
    assert "undone" in stage.text


@covers("theme")
async def themes(stage: Stage) -> None:
    seen = [stage.app.theme]
    for _ in range(5):
        await stage.press("T")
        seen.append(stage.app.theme)
    assert seen == ["dark", "light", "ansi", "high-contrast", "colour-blind", "dark"]


@covers("guide")
async def guide(stage: Stage) -> None:
    await stage.press("f1")
    assert stage.place == "guide" and len(stage.list("page").words) > 20


@covers("palette")
async def palette(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("colon", *"later", "enter")
    assert stage.states[0] == "later"


@covers("help")
async def help_page(stage: Stage) -> None:
    await stage.dreamt()
    await stage.press("question_mark")
    page = " ".join(stage.list("page").words)
    for action in actions_of("review"):
        assert action.help.split()[0] in page


@pytest.mark.parametrize("scenario", COVERED, ids=lambda each: each.__name__)
def test_every_action_does_what_it_says(scenario: Scenario, tmp_path: Path) -> None:
    async def walk() -> None:
        root = vault(tmp_path / "vault")
        app = app_over(root)
        async with app.run_test(size=(124, 40)) as pilot:
            await settled(pilot)
            await scenario(Stage(pilot, app, root))

    asyncio.run(asyncio.wait_for(walk(), 60))
