"""Recurrences: something known that is told as an event, not as a rule.

“So there it is again: the cheese at lunch and the head by evening” proves a rule without stating
it. It takes a word that says *again* and a pattern, one thing and what comes of it; that somebody
came late again is neither.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline.words import weight

_AGAIN = re.compile(
    r"(?i)\bthere (?:it|we|he|she|they) (?:is|are|was|were|go(?:es)?) again\b"
    r"|^(?:so|and) there (?:it is|we are|you (?:are|go|have it))\b"
    r"|\bsame as (?:last|always|ever|every|before|usual|with|in|at|the)\b"
    r"|\b(?:once|yet) (?:more|again)\b|\bas (?:always|ever|usual)\b|\bsure enough\b"
    r"|\bstill (?:holds|true|applies|the case)\b|\bevery (?:single )?time\b|\bno exception\b"
    r"|\bjust (?:like|as) (?:last|before|in|every|always)\b|\bnever fails\b|\bconfirmed\b"
    r"|\blike (?:last|every) (?:time|year|winter|summer|spring|autumn|month|week)\b"
    r"|\b(?:second|third|fourth|fifth|\d(?:nd|rd|th)) (?:time|case|year)\b"
    r"|\b(?:proved|proven|proves) (?:right|true|itself)\b|\bas (?:it|they) did (?:with|in|last)\b"
    r"|\bthe old (?:story|rule|thing|problem)\b|\b(?:it |has |have )?worked again\b"
    r"|^again\b|\bagain (?:because|after|when|as soon as|the moment|with(?:in)?)\b"
    r"|\bit worked (?:in|with|for|last) \S+ and\b"
)
_AGAIN_ZH = re.compile(
    "果然|^(?:今天|这次|结果)?又(?![讲说来去下在要想有到见]|是一天)|时.{1,8}又|老样子|老毛病|老问题|照旧|照样|"
    "一如既往|依旧|再次|又一次|又验证|[跟和同](?:上次|去年|上回|以前|往年)[^，。]{0,6}一样|每次都|第[二三四五]次|再一次|"
    "还是(?:管用|有效|得|要|不行|一样|那句话)|屡试不爽|应验"
)
_FIRST = re.compile(
    r"(?i)^(?:so |and |well,? |yes,? )?(?:there (?:it|we)|same as|(?:once|yet) (?:more|again)|"
    r"as (?:always|ever|usual)|sure enough|again|just (?:like|as)|like last)\b"
    "|^(?:果然|又|还是|照旧|跟|和|同)"
)
_PATTERN = re.compile(
    r"(?i)\b(?:because|since|after|when(?:ever)?|if|as soon as|the moment|unless|until|within|"
    r"without|due to|and then)\b.{6,}"
    r"|\b(?:nobody|no one|everybody|everyone|every one|all of them|none of them) (?:had|has|"
    r"have|ever|"
    r"could|did|does|read|fell|knew|saw|came|\w+ed|\w+s|before)\b"
    r"|\b(?:hours?|minutes?|days?|degrees|%) (?:to the|later|after|before|earlier)"
    r"|\bworked? (?:in|with|for|on) \S+ and (?:it worked )?(?:in|with|for|on)\b"
    "|一.{1,10}就|(?:了|的话).{0,12}[就还都没才]|，.{0,10}(?:就|才|便|没人|都)|总是|老是|反而"
    "|不.{1,8}(?:就|不行)|因为"
)
_OWN = re.compile(r"(?i)^(?:i|we|he|she)\b")
_LED = re.compile(r"[:：] ?.{6,}(?:,| and |，).{3,}")
_MERELY = re.compile(
    r"(?i)\b(?:came|arrived|left|late|forgot|raining|rained|snowed|slept|bored|letter|waiting|"
    r"waited|hungry|home)\b.{0,12}\bagain\b"
    r"|\b(?:as (?:always|usual)|again),? (?:i|we|he|she|(?-i:[A-Z])\w+) (?:came|was|is|were|"
    r"arrived|"
    r"left|forgot|slept|went|had|got|talked|told|sat|laughed|won|lost)\b"
    r"|^(?:i |we )?(?:made|tried|did|went|\w+ed) .{0,60}\bagain after\b"
    r"|[,:] (?:\w+ )?(?:tickets?|meetings?|mails?|e-?mails|calls?|comments?)\b"
    "|忘了?[带拿]|下雨|迟到|加班|堵车|挤得|末班车|失眠了?$|哭|结婚"
)


def _of_somebody(text: str) -> bool:
    """Whether it only tells what somebody, who is named elsewhere, did again."""
    if re.search("[他她]", text) and not re.search("只要|一定|必须", text):
        return True
    return bool(re.search(r"\b(?:he|she|his|her)\b", text)) and not re.search(
        r"(?<!^)\b[A-Z][a-z]+\b", text
    )


def recurs(text: str) -> bool:
    """Whether ``text`` tells that a known cause had its known effect once more."""
    if weight(text) < (10 if _OWN.match(text) else 7) or _MERELY.search(text) or _of_somebody(text):
        return False
    said = _AGAIN.search(text) or _AGAIN_ZH.search(text)
    if said is None:
        return False
    led = _LED.search(text)
    return (led is not None and said.start() < led.start()) or _PATTERN.search(text) is not None


_CONFIRMS = re.compile(
    r"(?i)^(?:true|right|held|worked|same|tried it|saw it) again\b"
    r"|^(?:that|it) (?:works|worked|holds|held)\b.*\b(?:too|again|every|all)\b|^(?:今天)?又?验证"
)


def confirms(text: str) -> bool:
    """Whether ``text`` says of the sentence before it that it held once more."""
    return _CONFIRMS.match(text) is not None


def opens_so(text: str) -> bool:
    """Whether *again* is the first thing that ``text`` says."""
    return _FIRST.match(text) is not None
