"""Records are frozen dataclasses in all that is used of them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest

from vault_dream.engine.errors import PathError, Problem
from vault_dream.engine.record import record


@record
class Point:
    """A place."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True)
class Twin:
    x: int
    y: int = 2


def test_it_is_made_compared_and_shown_like_a_dataclass() -> None:
    assert Point(1) == Point(1, 2) == Point(y=2, x=1) != Point(2)
    assert len({Point(1), Point(1, 2)}) == 1
    assert repr(Point(1)) == repr(Twin(1)).replace("Twin", "Point")
    assert (Point(1).sum, Point.__doc__) == (3, "A place.")
    assert Point(1).__eq__(Twin(1)) is NotImplemented
    match Point(1):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("arguments", [{}, {"y": 1}, {"x": 1, "z": 2}])
def test_a_field_that_is_missing_or_none_is_refused_like_there(arguments: dict[str, int]) -> None:
    for kind in (Point, Twin):
        with pytest.raises(TypeError):
            kind(**arguments)


def test_too_many_and_twice_are_refused() -> None:
    with pytest.raises(TypeError, match="2 fields"):
        Point(1, 2, 3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="x"):
        Point(1, x=2)  # type: ignore[misc]


def test_it_is_frozen_and_has_no_other_place() -> None:
    with pytest.raises(AttributeError):
        Point(1).x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del Point(1).x
    with pytest.raises(AttributeError):
        Point(1).z = 3  # type: ignore[attr-defined]


def test_it_can_be_copied_and_kept() -> None:
    problem = PathError("a.md", "it is gone", "look").problem
    assert copy.deepcopy(problem) == pickle.loads(pickle.dumps(problem)) == problem
    assert problem == Problem("a.md", "it is gone", "look")
