"""JavaScript regular expressions from a vault's settings, matched in bounded time.

Python's ``re`` may need longer than the universe for ``(a+)+$``, and a pattern in a shared vault is
somebody else's. Patterns without look-around and back-references become a lazily built automaton:
one dictionary look-up per character, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MAX_STATES = 2_000
MAX_STEPS = 20_000


class UnboundedPatternError(ValueError):
    """The pattern cannot be matched in bounded time; ``str`` says why."""


Test = Callable[[str], bool]


@dataclass(slots=True)
class _State:
    """One state: a character test to the next, an assertion, or plain branches."""

    test: Test | None = None
    assertion: str = ""
    out: list[int] = field(default_factory=list)


class Pattern:
    """A regular expression that is searched for, ignoring case, in time linear in the text.

    Raises UnboundedPatternError for look-around, back-references and patterns that are too large,
    and ``re.error`` for what is no regular expression. Built on the parser of ``re`` itself.
    """

    def __init__(self, pattern: str) -> None:
        tree = parser.parse(_from_javascript(pattern), re.IGNORECASE | re.ASCII)
        self._states: list[_State] = []
        self._accept = self._new()
        self._start = self._build(list(tree), self._accept)
        self._steps: dict[tuple[frozenset[int], str, str], frozenset[int] | None] = {}

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in ``text``."""
        text = text.lower()
        current: frozenset[int] | None = frozenset({self._start})
        before = ""
        for char in (*text, ""):
            step = (current or frozenset(), _kind(before), char)
            if step in self._steps:
                current = self._steps[step]
            else:
                current = self._advance(step[0], before, char)
                if len(self._steps) < MAX_STEPS:
                    self._steps[step] = current
            if current is None:
                return True
            before = char
        return False

    def _advance(self, states: frozenset[int], before: str, char: str) -> frozenset[int] | None:
        """The states after ``char``; None when the pattern has matched before it."""
        reached: set[int] = set()
        waiting = list(states)
        while waiting:
            number = waiting.pop()
            if number == self._accept:
                return None
            if number in reached:
                continue
            reached.add(number)
            state = self._states[number]
            if state.test is None and _holds(state.assertion, before, char):
                waiting.extend(state.out)
        after = {self._start}
        for number in reached:
            test = self._states[number].test
            if test is not None and char and test(char):
                after.update(self._states[number].out)
        return frozenset(after)

    def _new(self, test: Test | None = None, assertion: str = "", *out: int) -> int:
        if len(self._states) >= MAX_STATES:
            raise UnboundedPatternError("it is too large")
        self._states.append(_State(test, assertion, list(out)))
        return len(self._states) - 1

    def _build(self, tree: list[Any], then: int) -> int:
        """Add states that match ``tree`` and go on to ``then``; returns the first."""
        for operation, argument in reversed(tree):
            then = self._node(operation, argument, then)
        return then

    def _node(self, operation: Any, argument: Any, then: int) -> int:
        if operation is ops.SUBPATTERN:
            return self._build(list(argument[-1]), then)
        if operation is ops.BRANCH:
            return self._new(None, "", *(self._build(list(one), then) for one in argument[1]))
        if operation in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            least, most, repeated = argument
            return self._repeat(int(least), int(most), repeated, then)
        if operation is ops.AT:
            return self._new(None, _ASSERTIONS[argument], then)
        return self._new(_test(operation, argument), "", then)

    def _repeat(self, least: int, most: int, tree: Any, then: int) -> int:
        if most >= MAX_STATES:
            again = self._new(None, "", then)
            self._states[again].out.append(self._build(list(tree), again))
            first = again
        else:
            first = then
            for _ in range(most - least):
                first = self._new(None, "", then, self._build(list(tree), first))
        for _ in range(min(least, MAX_STATES)):
            first = self._build(list(tree), first)
        return first


_ASSERTIONS = {
    ops.AT_BEGINNING: "^",
    ops.AT_BEGINNING_STRING: "^",
    ops.AT_END: "$",
    ops.AT_END_STRING: "$",
    ops.AT_BOUNDARY: "b",
    ops.AT_NON_BOUNDARY: "B",
}


def _holds(assertion: str, before: str, after: str) -> bool:
    if not assertion:
        return True
    if assertion == "^":
        return not before
    if assertion == "$":
        return not after
    return (_is_word(before) != _is_word(after)) == (assertion == "b")


def _kind(before: str) -> str:
    """What of the character before matters to an assertion."""
    return "w" if _is_word(before) else "." if before else ""


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _test(operation: Any, argument: Any) -> Test:
    if operation is ops.LITERAL:
        wanted = chr(argument).lower()
        return lambda char: char == wanted
    if operation is ops.NOT_LITERAL:
        refused = chr(argument).lower()
        return lambda char: char != refused
    if operation is ops.ANY:
        return lambda char: char not in "\n\r\u2028\u2029"
    if operation is ops.IN:
        return _class_test(argument)
    raise UnboundedPatternError("it uses look-around or back-references")


def _class_test(items: list[Any]) -> Test:
    negated = bool(items) and items[0][0] is ops.NEGATE
    tests = list(_item_tests(items[1:] if negated else items))

    def test(char: str) -> bool:
        return any(one(char) or one(char.upper()) for one in tests) != negated

    return test


def _item_tests(items: list[Any]) -> Iterator[Test]:
    for operation, argument in items:
        if operation is ops.LITERAL:
            yield _equals(chr(argument))
        elif operation is ops.RANGE:
            yield _between(*argument)
        else:
            yield _CATEGORIES[argument]


def _equals(wanted: str) -> Test:
    return lambda char: char == wanted


def _between(first: int, last: int) -> Test:
    return lambda char: len(char) == 1 and first <= ord(char) <= last


_CATEGORIES: dict[Any, Test] = {
    ops.CATEGORY_DIGIT: lambda char: char.isascii() and char.isdigit(),
    ops.CATEGORY_NOT_DIGIT: lambda char: not (char.isascii() and char.isdigit()),
    ops.CATEGORY_WORD: _is_word,
    ops.CATEGORY_NOT_WORD: lambda char: not _is_word(char),
    ops.CATEGORY_SPACE: str.isspace,
    ops.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
}


def _from_javascript(pattern: str) -> str:
    """The few spellings of JavaScript that Python reads in another way."""
    pattern = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern)
    return pattern.replace("[^]", r"[\s\S]")
