"""An attribute found when it is first asked for, then kept.

As ``functools.cached_property``, without its lock: in Python 3.11 that takes a lock for every value
of every object, which is a tenth of the time that reading a note takes. Two threads may both find a
value, so it must follow from the object alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):
    """Replaces itself by the method's value in the object's ``__dict__``."""

    def __init__(self, find: Callable[[Any], Value]) -> None:
        self.find = find
        self.name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, note: None, owner: type) -> Self: ...

    @overload
    def __get__(self, note: object, owner: type) -> Value: ...

    def __get__(self, note: object | None, owner: type) -> Value | Self:
        if note is None:
            return self
        value = note.__dict__[self.name] = self.find(note)
        return value
