"""What never reaches a model: secrets, and what the owner keeps back, on every way that text takes.

Sources have tests of their own; these are about nodes, linked notes, searches, tags and vectors.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.dream.test_draft_tools import DAY, FOLDER, draft_on
from tests.engine.dream.test_model_reader import reader, receipt
from tests.engine.model.conftest import ENVIRON, QUICK, request, run
from tests.engine.model.server import Server, call, say, say_json
from tests.support import make_vault, node_text, open_session
from vault_dream.config import Embeddings, Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.draft import Draft
from vault_dream.engine.dream.reader import ToolError
from vault_dream.engine.dream.secrets import REDACTED
from vault_dream.engine.dream.tagging import tag_proposal
from vault_dream.engine.lookup import make_recall
from vault_dream.engine.model.ledger import Ledger
from vault_dream.engine.vault.machine import state_home
from vault_dream.engine.vault.vault import Vault
from vault_dream.headless import dream
from vault_dream.readers import make_client

PASSWORD = "correct7horse!battery"
KEPT = (PASSWORD, "nobody is to know", "between us", "never to be read", "not for the search")
NODE = f"{FOLDER}/backup.md"
BODY = f"""Copy the dumps to the box in the hall.

The password is {PASSWORD} for now.

The box hums. %% nobody is to know %% It is cheap.

### Private

It stands under the stairs, between us.

### After

Look at the light on it. <!-- never to be read -->

- One thing. #diary
  - A thing under it, between us.
- Another."""
SECRET_NODE = f"{FOLDER}/letter.md"
FILES: dict[str, str | bytes] = {
    DAY: "# Monday\n\nThe dumps were copied to the box in the hall once more.\n\nSee [[Open]] and "
    "[[Shut]] and [[Half]].\n\n## Private\n\nSee [[Hinted]].\n",
    "daily/2026-11-01.md": "words that were said on that day\n",
    "Open.md": f"---\npin: {PASSWORD}\n---\nA note with the password: {PASSWORD}\n",
    "Shut.md": "---\ndream: false\n---\nnobody is to know\n",
    "Half.md": "All may know this.\n\n## Private\n\nbetween us\n",
    "Hinted.md": "It is between us that this is here.\n",
    NODE: node_text("Backup", BODY, description=f'"Where it goes; password: {PASSWORD}"'),
    SECRET_NODE: node_text("not for the search", "Copy of the dumps, nobody is to know.").replace(
        "kind: procedure", "kind: procedure\ndream: false"
    ),
}
SETTINGS: dict[str, Any] = {"exclude_headings": ("Private",), "exclude_tags": ("diary",)}
UNIT = {
    "name": "Copy the dumps",
    "bucket": "procedure",
    "summary": "The dumps are copied to the box in the hall.",
    "sources": [1],
    "quotes": [{"source": 1, "text": "The dumps were copied to the box in the hall once more"}],
}
LAST = '- It was first noted in [[daily/2026-11-01.md|an earlier day]]: "words that were said'


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", FILES)


@pytest.fixture
def draft(vault: Path) -> Draft:
    return draft_on(Digest(Vault(vault), "digest"), **SETTINGS)


def clean(text: object) -> bool:
    said = json.dumps(text, ensure_ascii=False, default=str)
    return not any(words in said for words in KEPT)


# The tools --------------------------------------------------------------------------------------


def test_a_node_is_read_without_secrets_comments_and_what_is_private(draft: Draft) -> None:
    text = draft.read(NODE)
    assert clean(text)
    for words in ("hums.  It is cheap", "### After", "Look at the light on it.", "- Another."):
        assert words in text, words
    assert f"The password is {REDACTED} for now." in text


def test_properties_and_hits_of_a_node_hold_no_secret(draft: Draft) -> None:
    assert draft.frontmatter_read(NODE)["description"] == f"Where it goes; password: {REDACTED}"
    (hit,) = draft.node_search("backup of the dumps")
    assert (hit.path, clean(hit.description)) == (NODE, True)


def test_a_node_that_is_kept_back_is_neither_found_nor_read_nor_changed(draft: Draft) -> None:
    assert SECRET_NODE not in [hit.path for hit in draft.node_search("copy letter nobody dumps")]
    for attempt in (
        lambda: draft.read(SECRET_NODE),
        lambda: draft.frontmatter_read(SECRET_NODE),
        lambda: draft.edit(SECRET_NODE, "nobody is to know", "all know"),
        lambda: draft.frontmatter_update(SECRET_NODE, {"mood": "good"}),
    ):
        with pytest.raises(ToolError, match=r"not yours to read or change \(dream: false\)"):
            attempt()


def test_the_setting_exclude_holds_for_nodes(vault: Path) -> None:
    draft = draft_on(Digest(Vault(vault), "digest"), exclude=("digest/procedure/back*",))
    assert draft.node_search("backup of the dumps") == ()
    with pytest.raises(ToolError, match="excluded by the setting exclude"):
        draft.read(NODE)


@pytest.mark.parametrize(
    ("old", "says"),
    [
        (f"The password is {REDACTED} for now.", "a secret that you are not shown"),
        ("The box hums.  It is cheap.", "Between these words"),
        ("It stands under the stairs, between us.", "keeps this back"),
        (f"The password is {PASSWORD} for now.", "keeps this back"),
    ],
)
def test_an_edit_of_what_was_not_shown_is_told_what_to_do(
    draft: Draft, old: str, says: str
) -> None:
    with pytest.raises(ToolError, match=says) as told:
        draft.edit(NODE, old, "Something else.")
    assert "Choose a" in str(told.value) and clean(str(told.value))


def test_an_edit_beside_what_was_not_shown_leaves_it_as_it_is(draft: Draft, vault: Path) -> None:
    draft.edit(NODE, "Copy the dumps to the box in the hall.", "Copy them to the box at night.")
    assert clean(draft.read(NODE))
    with pytest.raises(ToolError, match="Leave it out"):
        draft.edit(NODE, "Look at the light on it.", f"Look at it, with {REDACTED}.")
    with pytest.raises(ToolError, match="Leave it out"):
        draft_on(Digest(Vault(vault), "digest")).write(
            f"{FOLDER}/new.md", "New", "It is new.", f"The password is {REDACTED}."
        )


def test_the_mark_itself_may_stand_in_a_node_of_its_owner(tmp_path: Path) -> None:
    files = {**FILES, NODE: node_text("Papers", f"The file says {REDACTED} on every page.")}
    draft = draft_on(Digest(Vault(make_vault(tmp_path / "own", files)), "digest"))
    draft.edit(NODE, f"says {REDACTED} on every page", f"says {REDACTED} on each page")
    assert "on each page" in draft.read(NODE)


# A whole run ------------------------------------------------------------------------------------


def looks(*paths: str) -> list[tuple[str, Any]]:
    return [(tool, {"path": path}) for path in paths for tool in ("read", "frontmatter_read")]


def test_no_request_of_a_run_holds_what_is_kept_back(server: Server, vault: Path) -> None:
    edit = {"path": NODE, "old": "- Another.", "new": "- Another, as in the hall."}
    source = {
        "path": NODE,
        "old": LAST,
        "new": f"- The copy was made once more in [[{DAY}|30 Nov]], in the hall.\n{LAST}",
    }
    server.plays(
        say_json({"units": [UNIT]}),
        call(("node_search", {"query": "copy dumps letter backup"})),
        call(*looks(NODE, SECRET_NODE, "Open.md", "Shut.md", "Half.md", "Hinted.md", DAY)),
        call(("edit", edit), ("edit", source)),
        call(receipt("REFINE", NODE)),
        say_json({"tags": ["backup"]}),
    )
    with open_session(vault, reader(server), **SETTINGS) as session:
        report = dream(session, policy="queue").report
        for proposal in session.proposals:
            session.decide(proposal.id, "approved")
        session.commit()
        list(session.auto_tag())
    assert [r["action"] for r in report["integrate_results"]] == ["REFINE"]
    assert len(server.chats) == 6 and clean(server.chats)
    told = [m["content"] for m in server.chats[3]["messages"] if m["role"] == "tool"][1:]
    assert ["not yours" in words for words in told] == [False] * 2 + [True] * 2 + [False] * 2 + [
        True,
        True,
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert PASSWORD in (vault / NODE).read_text(), "what was not shown stands as it was"


def test_the_one_answer_of_a_model_without_tools_is_asked_for_as_carefully(
    server: Server, vault: Path
) -> None:
    draft = {
        **receipt("CORROBORATE", NODE)[1],
        **dict.fromkeys(("name", "description", "content"), ""),
        "edits": [
            {"old": LAST, "new": f"- It was done once more in [[{DAY}|30 Nov]], too.\n{LAST}"}
        ],
    }
    server.plays(say_json({"units": [UNIT]}), say_json(draft), say_json({"tags": ["backup"]}))
    with open_session(vault, reader(server, tools="structured"), **SETTINGS) as session:
        report = dream(session, policy="apply", hint=f"the password is {PASSWORD}").report
    assert report["nodes_updated"] == [NODE]
    assert len(server.chats) == 3 and clean(server.chats)
    assert "Copy the dumps to the box in the hall." in str(server.chats[1]["messages"])


def test_a_node_that_is_kept_back_gets_no_tags(server: Server, vault: Path) -> None:
    with open_session(vault, reader(server)) as session:
        asked = tag_proposal(
            SECRET_NODE, session.examiner, session.reader, run_id="r", number=1, created=""
        )
        assert run(asked) is None
    assert server.chats == []


# The last doors ---------------------------------------------------------------------------------


def test_the_client_of_a_run_lets_no_secret_pass_whoever_asks(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", ENVIRON["OPENAI_API_KEY"])
    client = make_client(Settings(model="m", base_url=server.url))
    assert client.endpoint.timeouts.call >= QUICK.call
    server.plays(say("yes"))
    run(client.chat(request(f"My password is {PASSWORD}, remember it.")))
    assert server.chats[0]["messages"][0]["content"] == f"My password is {REDACTED}, remember it."


def test_vectors_are_made_of_what_may_leave_and_are_counted(vault: Path, server: Server) -> None:
    server.pages["/v1/embeddings"] = lambda body: {
        "data": [{"index": n, "embedding": [1.0, n]} for n, _ in enumerate(body["input"])]
    }
    embeddings = Embeddings(model="small", base_url=server.url)
    with open_session(vault, embeddings=embeddings, **SETTINGS) as session:
        session.digest.search("the dumps")
        session.scan()
        assert any("the text of 1 node" in said for said in session.run.warnings)
    sent = [text for seen in server.seen for text in seen.body["input"]]
    assert len(sent) == 2 and clean(sent), "one node and the question"
    ledger = Ledger(state_home() / "sent.jsonl")
    assert [entry.purpose for entry in ledger.entries()] == ["embeddings", "embeddings"]
    assert not ledger.known(ledger.entries()[0].host), "the first note still asks"
    assert make_recall(Settings(), None, str) is None
