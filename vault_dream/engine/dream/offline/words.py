"""Words of a text: sentences, content terms and numbers, in English and Chinese.

Terms are what two texts are compared by. English words lose their inflection, function words are
left out, and a run of Chinese characters gives its pairs of neighbours (there is no word list to
cut it by). Nothing here knows what a note is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_CHAR = re.compile(f"[{CJK}]")
_TOKEN = re.compile(rf"\d+(?:[.,:]\d+)*|[^\W\d_{CJK}]+(?:['’][^\W\d_]+)?|[{CJK}]+")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)"
    r"(?<!\bMs\.)(?<!\bapprox\.)(?<!\bNo\.)(?<!\betc\.)[\"”’)]?\s+(?=[\"“‘(`*_\[]*[A-Z0-9])"
    r"|(?<=[。！？；])[”’」』）]?"
)
_ANY_END = re.compile(
    r"(?<=[a-z\d)]{2}[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<! vs\.)(?<!etc\.)\s+(?=[a-z])"
    r"|(?<=[。！？；])[”’」』）]?"
)
"""Where sentences end in the notes of somebody who writes no capitals."""

_STOP = frozenset(
    """
    a about above after again against all almost also although always am among an and another any
    anybody anymore anyone anything are around as at back be because been before being below
    between both but by can cannot could did do does doing done don down during each either else
    enough even ever every few first for from further get gets getting give go goes going gone got
    had has have having he her here hers him his how i if in instead into is it its itself just
    keep kind last later least less let like long lot made make makes making many may maybe me
    mean might mine more most much must my need needs never new next no nor not now of off often
    on once one only or other our ours out over own per place put quite rather really right said
    same say see seem seems shall she should since so some something soon still such sure take
    takes than that the their them then there these they thing things think this those though
    through till time times to today too took tried try turn turned turns two under until up upon
    us use used uses using very via want wants was way we well went were what when where whether
    which while who whom whose why will with within without won would yes yet you your ll ve re
    don't doesn't didn't won't can't isn't aren't wasn't couldn't shouldn't wouldn't it's that's
    i'm i've we've they're there's note notes noted learned lesson decided decision
    """.split()  # noqa: SIM905
)
_CJK_FUNCTION = re.compile(
    "以后|今后|从今天起|我们|你们|他们|她们|自己|一个|这个|那个|这样|那样|因为|所以|但是|如果|就是|"
    "还是|或者|不是|没有|已经|可以|需要|应该|一定|必须|不要|不再|现在|今天|发现|原来|决定|"
    "[的了是在和与也都就把被让给对从到用要会能着过很最更不没我你他她它这那个之其而且并又再先后前吗呢吧啊]"
)


def is_chinese(text: str) -> bool:
    """Whether a person would call ``text`` Chinese: its Chinese characters weigh more than its
    words (a word is taken for two characters)."""
    found = len(_CJK_CHAR.findall(text))
    return found > 0 and found >= 2 * sum(1 for t in _TOKEN.findall(text) if t[0].isascii())


def weight(text: str) -> float:
    """The length of ``text`` in words; two Chinese characters count as one word."""
    if text.isascii():
        return float(len(_TOKEN.findall(text)))
    return sum(len(token) / 2 if _CJK_CHAR.match(token) else 1.0 for token in _TOKEN.findall(text))


def sentences(line: str) -> list[str]:
    """The sentences of one line, in order, without surrounding space."""
    lower = line[:1].islower() and not re.search(r"[.!?]\s+[A-Z]", line)
    ends = _ANY_END if lower else _SENTENCE_END
    return [part.strip() for part in ends.split(line) if part.strip()]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """``word`` without its commonest English endings; good for comparing, not for reading."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and re.search("[aeiouy]", root):
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "sl" else _bare(root)
    if len(word) > 3 and word.endswith("s") and word[-2] not in "su":
        return _bare(word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1])
    return _bare(word)


def _bare(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def terms(text: str) -> frozenset[str]:
    """The content terms of ``text``, numbers among them."""
    return frozenset(_terms(text))


def ordered_terms(text: str) -> tuple[str, ...]:
    """The content terms of ``text`` in order of appearance, each once."""
    return tuple(dict.fromkeys(_terms(text)))


def _terms(text: str) -> Iterable[str]:
    for token in _TOKEN.findall(text):
        if _CJK_CHAR.match(token):
            for run in _CJK_FUNCTION.split(token):
                if len(run) == 1:
                    yield run
                yield from (run[i : i + 2] for i in range(len(run) - 1))
        elif token[0].isdigit():
            yield token
        elif token.lower().replace("’", "'") not in _STOP:
            root = stem(token)
            if len(root) > 1:
                yield root


def surface(text: str) -> dict[str, str]:
    """Each content term of ``text`` with the word it first appeared as."""
    found: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        if _CJK_CHAR.match(token):
            for run in _CJK_FUNCTION.split(token):
                for i in range(len(run) - 1):
                    found.setdefault(run[i : i + 2], run)
        elif token.lower() not in _STOP:
            found.setdefault(stem(token), token)
    return found


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def overlap(part: frozenset[str], whole: frozenset[str]) -> float:
    """How much of ``part`` stands in ``whole``, 0 to 1."""
    return len(part & whole) / len(part) if part else 0.0


MEASURE_WORDS = (
    "second minute hour day week month year degree gram kilo litre metre percent euro dollar piece "
    "three four five six seven eight nine ten eleven twelve fifteen twenty thirty hundred thousand "
    "half double twice morning evening night 分钟 小时 厘米 毫升 公斤 两次 一次 三次 时候"
)
"""Words that two notes may share without having a subject in common."""
MEASURES = terms(MEASURE_WORDS)
