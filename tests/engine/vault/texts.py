"""Strategies for texts that look like notes, made of the pieces that are easily misread."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    *(
        "# H",
        "## Log",
        "#tag",
        "#",
        "a",
        "b c",
        "    ",
        "\t",
        "  ",
        " ",
        "- ",
        "* x",
        "1. ",
        "2) y",
    ),
    *("> ", ">", "> [!note]", "```", "````js", "~~~", "`", "``", "`x`", "$", "$$", "%%", "<!--"),
    *("-->", "<%", "%>", "<div>", "</div>", "<script>", "</script>", "[[a]]", "[[", "]]", "|"),
    *("| - |", "---", "--", "-", "===", "***", "^id", " ^id", "\\", "\\`", "🛒", "語", "key:: v"),
    *(
        "[k:: v]",
        "- [ ] t",
        "\u2028",
        "\ufeff",
        "https://e.org/%%a",
        "](x)",
        "text",
        "`$`",
        "$a",
        "b$",
    ),
)


def bodies(
    newlines: tuple[str, ...] = ("\n", "\n", "\n\n", "\r\n", "\r"),
) -> st.SearchStrategy[str]:
    """Bodies of notes: nasty pieces on lines of any ending."""
    piece = st.sampled_from(PIECES)
    line = st.lists(piece, max_size=4).map("".join)
    return st.lists(st.tuples(line, st.sampled_from(newlines)).map("".join), max_size=12).map(
        "".join
    )


# Whole lines that mean something by what is above or below them.
LINES = (
    *(
        "",
        "",
        "",
        " ",
        "---",
        "--",
        "-",
        "===",
        "- a",
        "* b",
        "1. c",
        "    1. d",
        "  - e",
        "    - f",
    ),
    *(
        "      - g",
        "      h",
        "    i",
        "\t- j",
        "\t1. k",
        "  l",
        "> m",
        "> ```",
        "> ```js",
        "> code",
    ),
    *("> wow!", "```", "```js", "~~~", "~~~ x", "~~~~", "%%", "%% x %%", "%% y", "<div>", "</div>"),
    *("<b>z</b> t", "text", "Word `c` d", "Word ``c ` e`` f", "[[a|b]] #t", "<!-- c -->", "<!--"),
    *("-->", "<!-- x", "y --> `z`", "`a", "a ``b", "c`` d", "| a | b |", "|---|---|", "# H"),
    *("## H2 ##", "10. x", "   - y", "$a$ b", "\\`x`", "^id", "<iframe src='x'></iframe>"),
    *("- [ ] [x](y) `k`", "[`c`](u) [[z]]", "[[a|`x`]]", "> > ```", ">  ```", "+ z", "```` x"),
    *("%% k", "``` %%", "pay $5", "$", "b$ `x$`", "$6 $7 a$8", "u $ v $", "$k$", "- a ($)"),
    *(
        "* $k",
        "- l$",
        "語 [[語|語]] #語",
        "🛒 `x` #🛒",
        "#a/b #1 #a//b x#c",
        "[a](b%20c) ![[d#e|f]]",
    ),
)
INDENTS = ("", "", " ", "  ", "   ", "    ", "     ", "      ", "        ", "\t", "\t  ", " \t")
MARKS = (
    *("- ", "- ", "* ", "1. ", "2) ", "10. ", "100. ", "-  ", "-   ", "-    ", "-     ", "1.  "),
    *("1.   ", "-\t", "- \t", "", "- - ", "1. - ", "- 1. ", "- 1.   ", "> ", "# ", "<!-- ", "%% "),
)
ITEM = st.tuples(
    st.sampled_from(INDENTS),
    st.sampled_from(MARKS),
    st.sampled_from(("a", "b c", "", "# h", "```")),
).map("".join)


def notes_of_lines(real: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    """Bodies of whole lines in any order, of one kind of newline, perhaps after a BOM."""
    line = st.sampled_from(LINES)
    pools = [line, ITEM, line | ITEM]
    if real:
        pools.append(st.sampled_from(real) | line)
    return st.builds(
        lambda bom, lines, newline, last: bom + newline.join(lines) + newline * last,
        st.sampled_from(("", "", "", "\ufeff")),
        st.one_of(*[st.lists(pool, max_size=12) for pool in pools]),
        st.sampled_from(("\n", "\n", "\r\n")),
        st.booleans(),
    )


# What some reader of YAML takes for something else than text.
TRAPS = (
    *("yes", "no", "on", "off", "null", "~", "true", "0123", "1e3", "2026-01-02", "1_000"),
    *("12:30", "=", "<<", "[[Home]]", "#x", "a:b", "0x1f", ".inf", "-", "?", ":", "@a"),
    *("`a`", "!t", "&a", "*a", "%a", "|x", ">x", "'q", '"q', "a,b", "{a}", "1.0", "+1"),
    *(".5", "y", "N", "🛒買い物", "2026-01-02T10:00:00"),
)
SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    st.sampled_from(TRAPS),
    st.sampled_from(
        ["a: b", "a #b", " lead", "trail ", "two\nlines", "tab\there", "", "long " * 60]
    ),
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=True),
    st.dates(),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=4),
    st.dictionaries(st.text("abc: #", min_size=1, max_size=4), SCALARS, max_size=2),
)
KEYS = st.one_of(
    st.sampled_from(
        ["tags", "aliases", "name", "up", "due date", "yes", "123", "null", "語", "a:b"]
    ),
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], max_codepoint=0x2FFFF),
        min_size=1,
        max_size=8,
    ),
)
