"""Frozen records for the modules that a quick command is made of.

``dataclass`` is the better tool wherever its price does not matter: importing it (it brings in
``inspect``) and making a dozen classes with it takes longer than a bare interpreter. ``record``
makes the same kind of class, slotted, frozen, compared and hashed by value, from the same
annotations; a type checker cannot tell them apart.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    Class = TypeVar("Class", bound=type[Any])

    @dataclass_transform(frozen_default=True)
    def record(cls: Class) -> Class: ...

else:

    def record(cls):
        """The class with its annotated names as frozen fields, which may have defaults."""
        names = tuple(cls.__annotations__)
        inside = {name: value for name, value in cls.__dict__.items() if name not in _OWN}
        defaults = {name: inside.pop(name) for name in names if name in inside}
        inside["__slots__"] = inside["__match_args__"] = names
        inside["__init__"] = _init(names, defaults)
        return type(cls.__name__, (_Record, *cls.__bases__), inside)

    _OWN = ("__dict__", "__weakref__")

    def _init(names, defaults):
        put = object.__setattr__

        def __init__(self, *given, **named):
            if len(given) > len(names):
                raise TypeError(f"{type(self).__name__} has {len(names)} fields, not {len(given)}")
            for name, value in zip(names, given):  # noqa: B905 - fewer may be given
                put(self, name, value)
            for name in names[len(given) :]:
                if name in named:
                    put(self, name, named.pop(name))
                elif name in defaults:
                    put(self, name, defaults[name])
                else:
                    raise TypeError(f"{type(self).__name__} needs {name}")
            if named:
                raise TypeError(f"{type(self).__name__} takes {', '.join(named)} once, or not")

        return __init__

    class _Record:
        __slots__ = ()

        def _values(self):
            return tuple(getattr(self, name) for name in self.__slots__)

        def __eq__(self, other):
            return (
                self._values() == other._values() if type(other) is type(self) else NotImplemented
            )

        def __hash__(self):
            return hash(self._values())

        def __repr__(self):
            pairs = zip(self.__slots__, self._values(), strict=True)
            shown = ", ".join(f"{name}={value!r}" for name, value in pairs)
            return f"{type(self).__name__}({shown})"

        def __setattr__(self, name, value):
            raise AttributeError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise AttributeError(f"cannot delete field {name!r}")

        def __reduce__(self):
            return type(self), self._values()
