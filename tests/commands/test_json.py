"""``--json`` of every command is one document that its published schema describes."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.commands.outside import Place, Scene, dreamt_place, new_place
from tests.commands.schemas import faults, schemas
from tests.support import snapshot
from vault_dream.cli import main
from vault_dream.commands import COMMANDS


def scenes() -> list[tuple[str, Scene]]:
    return [
        (name, scene)
        for name in COMMANDS
        for scene in import_module(f"tests.commands.scenes.{name}").SCENES
    ]


@pytest.fixture(scope="module")
def dreamt(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place where one run has been."""
    place = new_place(tmp_path_factory.mktemp("dreamt") / "place")
    answer = place.call("run", "{vault}", "--date", "2026-11-30", "-q")
    assert answer.code == 0, answer.err
    return place


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_schema_and_is_called_well_and_badly(name: str) -> None:
    assert name in schemas()
    called = [scene for command, scene in scenes() if command == name]
    assert any(not scene.fails for scene in called)
    assert any(scene.fails for scene in called)


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schemas()[name])
    assert schemas()[name]["$id"] == f"{name}.json"
    if name != "parts":
        assert not schemas()["parts"]["$defs"].keys() & schemas()[name].get("$defs", {}).keys()


@pytest.mark.parametrize(
    ("name", "scene"), [pytest.param(n, s, id=f"{n}: {s.name}") for n, s in scenes()]
)
def test_json(name: str, scene: Scene, dreamt: Place, tmp_path: Path) -> None:
    folder = tmp_path / "place"
    place = dreamt_place(folder, dreamt) if scene.dreamt else new_place(folder)
    if scene.prepare is not None:
        scene.prepare(place)
    before = snapshot(place.vault)
    answer = place.call(name, *scene.arguments, "--json", stdin=scene.stdin, **scene.environ)
    assert answer.code == scene.code, answer.err
    assert "Traceback" not in answer.err
    document = answer.document
    assert faults("error" if scene.fails else name, document) == []
    if scene.fails:
        assert snapshot(place.vault) == before
        assert answer.err.startswith("vault-dream: ")
    if scene.then is not None:
        scene.then(place, document)


@pytest.mark.parametrize("name", ["error", *COMMANDS])
def test_a_schema_is_printed_whole(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "--schema", name]) == 0
    whole = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(whole)
    assert "parts.json" not in json.dumps(whole)
    errors = Draft202012Validator(whole).iter_errors({})
    assert any("required" in error.message or error.context for error in errors)
