"""English verbs told as past, back in the form that a title has: “limed” is “lime”."""

from __future__ import annotations

from vault_dream.engine.dream.offline.verbs import VERBS

_IRREGULAR = dict(
    pair.split(":")
    for pair in """
    made:make built:build cut:cut set:set put:put hung:hang laid:lay sewed:sew wove:weave
    bound:bind ground:grind bled:bleed dug:dig took:take got:get fed:feed drew:draw wound:wind
    grew:grow wrote:write split:split sent:send rebuilt:rebuild reset:reset relaid:relay
    swept:sweep shot:shoot spun:spin froze:freeze brought:bring tore:tear threw:throw kept:keep
    taught:teach bent:bend drove:drive broke:break did:do caught:catch stuck:stick
    restrung:restring remade:remake rewound:rewind rewrote:rewrite overhauled:overhaul
    """.split()  # noqa: SIM905
)
_NO_VERBS = frozenset("need indeed bed red shed seed speed feed hundred bleed reed weed".split())  # noqa: SIM905
_SOFT = ("c", "v", "z", "u", "dg", "ng", "rg", "lg", "rs", "ns", "bl", "dl", "gl", "tl", "pl", "kl")
_UNSTRESSED = ("en", "er", "or", "on", "it", "et", "el", "al", "ain", "ow", "om", "op", "elop")
_VOWELS = "aeiou"


def base_form(word: str) -> str:
    """The base of a past form, or ``""`` if ``word`` is none."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    root = word.removesuffix("ed")
    if root == word or len(root) < 2 or word in _NO_VERBS:
        return ""
    if root + "e" in VERBS:
        return root + "e"
    if root in VERBS:
        return root
    if root.endswith("i"):
        return root[:-1] + "y"
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "slfz":
        return root[:-1]
    return root + "e" if _silent_e(root) else root


def _silent_e(root: str) -> bool:
    """Whether the base ends in a silent e: “scrap(e)d”, but “clean-ed” and “open-ed”."""
    if root.endswith(_SOFT) and not root.endswith(("ow", "eng", "ing", "ong")):
        return True
    if len(root) < 3 or root[-1] in _VOWELS + "wxyh" or root[-2] not in _VOWELS:
        return False
    single = root[-3] not in _VOWELS or root[-3:-1] == "ui"
    several = sum(c in _VOWELS for c in root[:-2]) > 0
    return single and not (several and root.endswith(_UNSTRESSED))
