"""The schemas that travel with the program, read strictly: what they do not name is a fault.

As published they are open, so that a field may be added without breaking whoever checks with them;
here every field that is printed has to be described.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from vault_dream.places import shipped


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    folder = shipped("assets") / "schemas"
    return {file.stem: json.loads(file.read_text("utf-8")) for file in folder.glob("*.json")}


def closed(schema: Any) -> Any:
    """``schema`` with no other properties than those that it names."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and "additionalProperties" not in schema and schema != EMPTY:
        made["unevaluatedProperties"] = False
    return made


EMPTY: dict[str, Any] = {}


def faults(name: str, document: Any) -> list[str]:
    """What of ``document`` the schema called ``name`` does not allow, or does not know."""
    found: list[str] = []
    for strict in (False, True):
        known = {key: closed(value) if strict else value for key, value in schemas().items()}
        if strict and "$ref" in known[name]:
            # What stands beside a reference adds to it, so only the outer one may close.
            part = known["parts"]["$defs"][known[name]["$ref"].rpartition("/")[2]]
            part.pop("unevaluatedProperties", None)
        registry: Registry[Any] = Registry().with_resources(
            (value["$id"], Resource.from_contents(value)) for value in known.values()
        )
        validator = Draft202012Validator(known[name], registry=registry)
        found += [
            f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)
        ]
    return found
