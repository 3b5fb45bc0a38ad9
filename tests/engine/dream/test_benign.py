"""A check that cries wolf is a fault: of ordinary proposals at most one in a hundred is flagged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.evals.benign.corpus import LATER, first_days, later_days, reader_of, topics
from tests.support import make_vault, open_session
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.reader import Action

MOST_FLAGGED = 0.01
SEEN = ("error", "hold", "warn")


def proposals(root: Path, action: Action, *, land: bool) -> tuple[Proposal, ...]:
    """The proposals of one action, checked as any; with ``land`` they are committed."""
    with open_session(root, None, dry_run=not land) as session:
        found = session.scan()
        handles = {source.path: number for number, source in enumerate(_fresh(found), start=1)}
        session.reader = reader_of(action, handles)
        session.extract(max_units=500)
        assert not session.run.extraction.dropped
        made = session.integrate()
        assert not session.run.failures, [f.reason for f in session.run.failures]
        if land:
            for proposal in made:
                session.decide(proposal.id, "approved")
            session.commit()
        return made


def _fresh(found):  # type: ignore[no-untyped-def]
    return [source for source in found.changed if source.fresh]


def test_ordinary_proposals_are_left_alone(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", first_days())
    made = list(proposals(root, "CREATE", land=True))
    for path, text in later_days().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    for action in LATER:
        made += proposals(root, action, land=False)
    assert Counter(proposal.action for proposal in made) == {
        "CREATE": len(topics()),
        **dict.fromkeys(LATER, len(topics())),
    }
    assert len(made) >= 150
    offenders = [
        f"{proposal.action} {proposal.unit.name}: {finding.check} ({finding.level}) {finding.message}"
        for proposal in made
        for finding in proposal.findings
        if finding.level in SEEN
    ]
    flagged = sum(proposal.worst() in SEEN for proposal in made)
    print(*offenders, f"{flagged} of {len(made)} flagged", sep="\n")
    assert flagged <= MOST_FLAGGED * len(made), "\n".join(offenders)
