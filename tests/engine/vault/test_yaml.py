"""Values read as Obsidian reads them (YAML 1.2 core), and written so that every reader agrees."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.vault.texts import KEYS, VALUES
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.properties import same_value
from vault_dream.engine.vault.yaml_core import YamlError, compose
from vault_dream.engine.vault.yaml_emit import as_read, emit_properties
from vault_dream.engine.vault.yaml_simple import read_simple


def read(text: str) -> object:
    root = compose(text)
    return None if root is None else root.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("off", "off"), ("yes", "yes"), ("0123", 123), ("12:30", "12:30"), ("1_000", "1_000")),
        *(("2026-01-02", "2026-01-02"), ("1e3", 1000.0), ("0o17", 15), ("0x1F", 31)),
        *(("+12", 12), (".5", 0.5), ("5.", 5.0), ("-.inf", -math.inf), ("~", None), ("", None)),
        *(("true", True), ("TRUE", True), ("tRUE", "tRUE"), ("=", "="), ("<<", "<<"), ("y", "y")),
        *(("'1'", "1"), ('"true"', "true"), ("!!str 1", "1"), ("!!int '3'", 3), ("!mine x", "x")),
        *(("!!timestamp 2001-01-01", "2001-01-01"), ("!!python/name:os.system x", "x")),
        *(("9" * 5000, math.inf), ("{{date}}", {"{date}": None}), ("[[Home]]", [["Home"]])),
        *(("a\u2028b\x85c\x07", "a\u2028b\x85c\x07"), ("1.2.3", "1.2.3"), ("0b1", "0b1")),
    ],
)  # fmt: skip
def test_what_a_value_is(text: str, value: object) -> None:  # ob-13
    assert same_value(read(f"k: {text}\n"), {"k": value})


def test_keys_are_the_strings_of_a_javascript_object() -> None:
    text = "2024: a\ntrue: b\nnull: c\n1.5: d\n<<: {x: 1}\n? [q]\n: e\n"
    assert list(read(text)) == ["2024", "true", "", "1.5", "<<", "[q]"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("a: 1\nb: 2\na: 3\n", "twice", 3),  # ob-08
        ("1: a\n'1': b\n", "twice", 2),
        ("a: {b: 1, b: 2}\n", "twice", 1),
        ("tags:\n\t- b\n", "token", 2),
        ("a: [\n\tb]\n", "tab", 2),
        ("aliases:\n  * bar\n", "", 2),
        ("a: 1\n--- \nb: 2\n", "more than one document", 2),
        ("a: &x [*x]\n", "alias", 1),
        ("a: *nobody\n", "alias", 1),
        ("a: 'open\n", "", 2),
        ("[" * 500, "nest", 1),
        ("".join(" " * n + "a:\n" for n in range(500)), "nest", 101),
    ],
)
def test_what_is_an_error(text: str, problem: str, line: int) -> None:
    with pytest.raises(YamlError) as caught:
        compose(text)
    assert problem in caught.value.problem
    assert caught.value.line == line


def test_a_tab_in_a_scalar_indents_nothing() -> None:
    assert read("a: |\n  x\n  \ty\nb: 'p\n\tq'\nc: x\ty\n") == {
        "a": "x\n\ty\n",
        "b": "p q",
        "c": "x\ty",
    }


def test_aliases_are_values_but_cannot_multiply_without_bounds() -> None:
    assert read("a: &x [1]\nb: *x\n") == {"a": [1], "b": [1]}
    laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
    )
    with pytest.raises(YamlError, match="expand without bound"):
        compose(laughs)


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 1_000_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000, "a: " * 100_000),
        *("x: " + "a" * 3_000_000, "".join(f"k{n}: v\n" for n in range(20_000))),
        *("a: [" + "x, " * 50_000 + "]", "a: *" + "x" * 500_000, "a: '" + "''" * 500_000),
    ],
)
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_no_input_exhausts_stack_or_time(text: str) -> None:
    try:
        compose(text)
    except YamlError:
        pass
    read_simple(text)


RETYPED = ("yes", "no", "on", "Off", "null", "~", "0123", "1e3", "1_000", "12:30", "=", "@a", "`a`")


# -- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *(("plain words", "plain words"), ("🛒買い物", "🛒買い物"), ("it's a, b", "it's a, b")),
        *(("https://e.org/a", "https://e.org/a"), ("C# and F#", '"C# and F#"'), ("", '""')),
        *((True, "true"), (None, ""), (12, "12"), (1.5, "1.5"), (1e20, "1.0e+20"), (1.0, "1.0")),
        *((datetime.date(2026, 1, 2), "2026-01-02"), ("2026-01-02", '"2026-01-02"'), ([], "[]")),
        (datetime.datetime(2026, 1, 2, 3, 4, 5, 6), "2026-01-02T03:04:05"),
        *(("[[Home]]", '"[[Home]]"'), (["[[A]]", "b c", "x: y"], '["[[A]]", b c, "x: y"]')),
        *((word, f'"{word}"') for word in RETYPED),
        *(('say "hi"\n\t\\', '"say \\"hi\\"\\n\\t\\\\"'), ("a\u2028\x07", '"a\\u2028\\x07"')),
    ],
)  # fmt: skip
def test_how_a_value_is_written(value: object, text: str) -> None:  # ob-12, ob-13
    assert emit_properties({"k": value}) == (f"k: {text}\n" if text else "k:\n")


def plainly(value: object) -> object:
    """What PyYAML's own loader gives, its dates as text."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return [plainly(item) for item in value]
    if isinstance(value, dict):
        return {key: plainly(item) for key, item in value.items()}
    return value


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_both_kinds_of_reader_read_what_was_written(values: Mapping[str, object]) -> None:
    text = emit_properties(values)
    assert text.count("\n") == len(values)  # never folded
    expected = as_read(dict(values))
    assert same_value(read(text) or {}, expected)
    assert same_value(plainly(yaml.safe_load(text) or {}), expected)
    if hasattr(yaml, "CSafeLoader"):
        assert same_value(plainly(yaml.load(text, yaml.CSafeLoader) or {}), expected)


@pytest.mark.parametrize(
    "values",
    [
        {"k": object()},
        {"k": "\ud800"},
        {"": 1},
        {"k" * 2000: 1},
        {"k": {"a": {1, 2}}},
        {"k": 10**5000},
    ],
)
def test_what_cannot_be_written(values: Mapping[str, object]) -> None:
    with pytest.raises(EditError):
        emit_properties(values)


def test_deep_values_are_refused() -> None:
    value: object = "x"
    for _ in range(5000):
        value = [value]
    with pytest.raises(EditError, match="nested"):
        emit_properties({"k": value})


# -- the quick way -------------------------------------------------------------------------------

YAML_VALUES = (
    *("", " ", " x", " x y ", " 'q'", ' "q"', " [a, b]", ' ["a", 1]', " [ a ,]", " []"),
    *(" 12", " - x", " a: b", " a:b", " a #b", " a#b", " x\t", " 'a'b", " [a b, c d ]"),
    *(" 2026-01-02", " *x", " &x y", " a, b", " [a: b]", " ~", " true", " [[x]]", " [''] "),
    *(" -", " a:", " |", " '' ", ' "[[x]]"', " [,]", " a - b", " [a, - b]", " --- ", " ?"),
    *(" [?]", " [null, 0x1]", " ['[[x]]', \"a, b\" , c]", " ['a'b]", " ['a' 'b']", " [https://e]"),
    *(
        " https://e.org/#x",
        " a # b",
        " a :b",
        " a#: b",
        " #",
        " 語 語",
        " \u2003x",
        " 🛒",
        " [🛒 x]",
    ),
    *(" [[], a]", " [a #b]", " ['#']", " x:", " x ", " Null", " [~]"),
)
LINES = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "a:",
                "b c:",
                "tags:",
                "null:",
                "1:",
                "- ",
                "  - ",
                "   -",
                "-",
                "",
                " ",
                "a:b",
                "# c",
                " #",
            ]
        ),
        st.sampled_from(YAML_VALUES),
    ).map("".join),
    max_size=5,
)


@settings(max_examples=500)
@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_the_quick_way_reads_what_the_full_way_reads(lines: list[str], newline: str) -> None:
    text = "".join(line + newline for line in lines)
    quick = read_simple(text)
    if quick is not None:
        assert same_value(read(text) or {}, quick)
        assert list(read(text) or {}) == list(quick)  # type: ignore[call-overload]
