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
