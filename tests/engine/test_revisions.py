"""What a person may do to a proposal before it lands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ScriptedReader, claim, create, make_vault, node_text, open_session
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.dream.proposals import Candidate
from vault_dream.engine.dream.reader import IntegrateRequest, Receipt, Tools
from vault_dream.engine.dream.revise import hunks, ops_between, with_hunks
from vault_dream.engine.errors import EditError
from vault_dream.engine.session import ReviewSession

DAY = "daily/2026-11-30.md"
NODE = "digest/procedure/index.md"
OTHER = "digest/procedure/watcher.md"
QUOTE = "stop the watcher before the index is dropped"


def refine(request: IntegrateRequest, tools: Tools) -> Receipt:
    first = "Keep the index near."
    tools.edit(NODE, first, f"{first}\n\nIt goes with [[{OTHER}|the watcher]], which runs first.")
    last = tools.read(NODE).rstrip("\n").split("\n")[-1]
    tools.edit(NODE, last, f"{last}\n- The order was told in [[{DAY}|Monday]]: it matters.")
    return Receipt("REFINE", NODE)


@pytest.fixture
def session(tmp_path: Path) -> ReviewSession:
    root = make_vault(
        tmp_path / "vault",
        {
            DAY: f"# Monday\n\nAfter a change {QUOTE}.\n",
            "daily/2026-11-01.md": "words that were said on that day\n",
            NODE: node_text("Index", "Keep the index near."),
            OTHER: node_text("Watcher", "It sees what changes."),
        },
    )
    reader = ScriptedReader([claim("Index", (1, QUOTE))], {"Index": refine})
    opened = open_session(root, reader)
    opened.scan()
    opened.extract()
    opened.integrate()
    return opened


def only(session: ReviewSession) -> str:
    (proposal,) = session.proposals
    return proposal.id


def test_the_sides_are_the_disk_and_the_proposal(session: ReviewSession) -> None:
    sides = session.sides(only(session))
    assert sides.before == (session.vault.root / NODE).read_text()
    assert "which runs first" in sides.after


def test_a_hunk_left_out_does_not_land_and_can_be_taken_again(session: ReviewSession) -> None:
    name = only(session)
    offered = session.hunks(name)
    wanted = next(h.index for h in offered if any("runs first" in line for line in h.new))
    session.take_hunk(name, wanted, False)
    assert "which runs first" not in session.sides(name).after
    assert [hunk.taken for hunk in session.hunks(name)].count(False) == 1
    session.take_hunk(name, wanted, True)
    assert "which runs first" in session.sides(name).after


def test_leaving_the_source_out_is_an_error_that_says_so(session: ReviewSession) -> None:
    name = only(session)
    wanted = next(h.index for h in session.hunks(name) if any("Monday" in x for x in h.new))
    assert session.take_hunk(name, wanted, False).worst() == "error"


def test_a_link_can_be_taken_out_and_put_back(session: ReviewSession) -> None:
    name = only(session)
    assert OTHER in session.proposal(name).links_added
    proposal = session.toggle_link(name, OTHER, False)
    assert OTHER not in proposal.links_added
    assert "It goes with the watcher, which runs first." in session.sides(name).after
    assert OTHER in session.toggle_link(name, OTHER, True).links_added


def test_a_link_can_be_added_by_hand(session: ReviewSession) -> None:
    name = only(session)
    session.toggle_link(name, OTHER, False)
    proposal = session.add_link(name, OTHER)
    assert OTHER in proposal.links_added and proposal.worst() is None


def test_a_text_of_ones_own_lands_as_it_was_written(session: ReviewSession) -> None:
    name = only(session)
    mine = session.sides(name).after.replace("Keep the index near.", "Keep it near, I say.")
    session.rewrite(name, mine)
    session.decide(name, "approved")
    session.commit()
    landed = (session.vault.root / NODE).read_text()
    assert landed.replace("reviewed: 2026-11-30\n", "") == mine
    assert "reviewed: 2026-11-30\n" in landed


def test_a_text_that_loses_a_link_is_an_error(session: ReviewSession) -> None:
    name = only(session)
    lines = session.sides(name).after.splitlines(keepends=True)
    without = "".join(line for line in lines if "2026-11-01" not in line or "[[" not in line)
    assert session.rewrite(name, without).worst() == "error"


def test_an_update_cannot_be_called_a_creation(session: ReviewSession) -> None:
    with pytest.raises(EditError):
        session.set_action(only(session), "CREATE")
    assert session.set_action(only(session), "CORRECT").action == "CORRECT"


def test_the_evidence_is_shown_where_it_stands_now(session: ReviewSession) -> None:
    (view,) = session.evidence(only(session))
    assert (view.line, view.exact, view.heading) == (3, True, "Monday")
    assert (3, f"After a change {QUOTE}.") in view.lines
    (session.vault.root / DAY).write_text(f"# Monday\n\nA line.\n\nAfter a change {QUOTE}.\n")
    assert session.evidence(only(session))[0].line == 5
    (session.vault.root / DAY).write_text("# Monday\n\nNothing of the kind.\n")
    assert not session.evidence(only(session))[0].exact


def test_a_retargeted_unit_is_integrated_anew(session: ReviewSession) -> None:
    assert isinstance(session.reader, ScriptedReader)
    session.reader.plans = {"Index": create}
    name = only(session)
    session.reader.plans = {
        "Index": lambda request, tools: create(
            IntegrateRequest(**{**_fields(request), "unit": _renamed(request.unit)}), tools
        )
    }
    made = session.retarget(name, None)
    assert (made.id, made.action, made.target) == (name, "CREATE", "digest/procedure/other.md")


def _fields(request: IntegrateRequest) -> dict[str, object]:
    return {name: getattr(request, name) for name in IntegrateRequest.__dataclass_fields__}


def _renamed(unit):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(unit, name="Other")


def test_decisions_survive_a_restart(session: ReviewSession) -> None:
    name = only(session)
    session.decide(name, "approved")
    session.save()
    with open_session(session.vault.root) as again:
        assert again.proposal(name).state == "approved"
        assert again.commit().landed == (name,)


def test_a_changed_target_is_seen_and_a_clash_goes_stale(session: ReviewSession) -> None:
    name = only(session)
    file = session.vault.root / NODE
    file.write_text(file.read_text().replace("kind: procedure", "kind: procedure\nmine: yes"))
    assert session.refresh_stale() == ()
    assert "mine: yes" in session.sides(name).after
    file.write_text(file.read_text().replace("Keep the index near.", "Something else."))
    assert session.refresh_stale() == (name,)
    assert session.proposal(name).state == "stale"


def test_the_owners_lines_are_those_that_no_run_wrote(session: ReviewSession) -> None:
    name = only(session)
    total = len([x for x in (session.vault.root / NODE).read_text().splitlines() if x.strip()])
    assert session.owner_lines(name) == total - 1  # the date of the last update changes
    session.decide(name, "approved")
    session.commit()
    assert any("which runs first" in line for line in session.written_lines(NODE))


LINES = st.lists(
    st.sampled_from(["a\n", "b\n", "c\n", "\n", "some words\n"]), min_size=1, max_size=9
)


@given(LINES, LINES)
def test_any_change_can_be_said_as_edits_or_is_refused(old: list[str], new: list[str]) -> None:
    before, after = "".join(old), "".join(new)
    try:
        ops = ops_between("n.md", before, after)
    except EditError:
        return
    assert apply_ops("n.md", before, ops) == after


@given(LINES, LINES)
def test_all_hunks_taken_is_the_whole_change_and_none_is_no_change(
    old: list[str], new: list[str]
) -> None:
    before, after = "".join(old), "".join(new)
    offered = hunks(before, after)
    assert with_hunks(before, offered) == after
    assert with_hunks(before, hunks(before, after, range(len(offered)))) == before


def test_saving_keeps_what_a_person_changed_since_the_last_save(session: ReviewSession) -> None:
    proposal = session.proposal(only(session))
    thirds = Candidate(OTHER, "Watcher", 2 / 3, "unrelated")  # rounded where it is stored
    session.put_back(replace(proposal, candidates=(thirds,)))
    session.save()
    session.take_hunk(proposal.id, 1, False)
    session.save()
    assert session.proposal(proposal.id).left_out == (1,)


def test_a_proposal_that_is_put_back_is_as_it_was(session: ReviewSession) -> None:
    before, text = session.proposal(only(session)), session.sides(only(session)).after
    session.take_hunk(before.id, 1, False)
    session.decide(before.id, "rejected")
    session.put_back(before)
    assert session.proposal(before.id) == before
    assert session.sides(before.id).after == text == session.digest.note(NODE).text
