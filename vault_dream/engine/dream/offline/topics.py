"""Topics: what a list of steps makes or does, read from the sentences and headings around it.

Nobody calls a recipe by its first step. The topic stands in what leads to the list (“Today we
limed the shed walls. Written down for next year:”, “how to …”, “做了桂花酱”) or in the heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vault_dream.engine.dream.offline.past import base_form
from vault_dream.engine.dream.offline.verbs import VERBS
from vault_dream.engine.dream.offline.words import is_chinese, terms, weight


class Topic(NamedTuple):
    """What steps make or do; ``doing`` says that it begins with a verb (“lime the shed walls”)."""

    text: str = ""
    doing: bool = False


NO_TOPIC = Topic()
HOW_SAID = re.compile(
    r"(?i)\bhow (?:to|i|we|you|it(?:['’]s| is| was)? (?:done|goes|went))\b"
    r"|\b(?:written|writing|wrote|noting|noted|jotting|putting|set|setting) (?:\w+ ){0,2}down\b"
    r"|\bfor (?:the |my )?(?:next (?:time|year|one|season|winter|spring|summer|autumn)|record)\b"
    r"|\bso (?:that )?(?:i|we|it|next|nobody|anyone|the next|whoever)\b.{0,50}"
    r"\b(?:remember|forget|again|same|knows?|find|lost)\b"
    r"|\bstep by step\b|\bin (?:this|that) order\b|\bas follows\b|\bthe (?:whole )?(?:recipe|"
    r"procedure|sequence|routine|drill)\b|\b(?:this|here) is (?:how|the way|what (?:works|to do))\b"
    r"|\bthe (?:steps|order|way|method)\b.{0,40}[:：]$|\bwhat (?:i|we) did\b|\bgoes like this\b"
    r"|做法|步骤|流程|方法|怎么[做弄修装换洗腌煮种调]|照(?:着|此|这样)?做|照着来|记下来|记一下|"
    r"写下来|记在这|备忘|如下|"
    r"下次(?:照|按)|按(?:下面|以下|这个)|配方|教程|(?:顺序|过程)(?:是|如下|[:：])"
)
"""What says that instructions follow."""
_HOW = re.compile(
    r"(?i)\bhow (?:to|(?:i|we|you)(?: \w+ly)?) (?P<what>[^:;.?!]{4,})"
    r"|^(?:the |my |our )?(?:\w+ )?(?:steps|recipe|procedure|instructions|order|method|routine|"
    r"checklist|way) (?:to|for|of) (?P<of>[^:;.?!]{4,})"
    r"|^to (?P<to>(?!be\b)[a-z]+ [^:;,.?!]{3,})[,:]"
)
_HOW_IT = re.compile(r"(?i)\bhow (?:to|i|we|you) (?P<verb>[a-z]+) (?:it|them)\b")
_DONE = re.compile(r"^(?P<what>[A-Z][\w'’ -]{4,50}?) (?:is |are )?(?:done|finished|ready)\.?$")
_HOW_ZH = re.compile(
    r"(?:怎么|如何|怎样)(?P<how>[^，。：:；？]{2,14})"
    r"|(?P<of>[^，。：:；、“”\s]{2,14}?)的?(?:做法|步骤|流程|方法|配方|教程|办法)"
)
_TIMES = (
    r"(?:(?:and|so|then|today|yesterday|tonight|finally|this (?:morning|afternoon|evening|week)|"
    r"in the (?:morning|afternoon|evening|end)|after (?:lunch|dinner|work|school)|at last)[,:]? )*"
)
_WHO = (
    r"(?:(?:i|we|(?-i:[A-Z])\w+ and i|(?-i:[A-Z])\w+ and (?-i:[A-Z])\w+)"
    r"(?: (?:have|had|both|all|finally|also|just|then|again|\w+ly))* )?"
)
_DID = re.compile(rf"(?i)^{_TIMES}{_WHO}(?P<verb>[a-z]+) (?P<what>.+)")
_NOTHING_MADE = frozenset(
    """
    go see visit call phone meet talk want need like love decide agree ask notice discover realise
    realize learn happen turn seem look start try tri stop wait use watch walk laugh sleep miss stay
    travel arrive miss pass help feel think say tell hear hope wish do get keep finish write
    note work manage drive take bring send buy order receive
    """.split()  # noqa: SIM905
)
_DOING_ZH = (
    "做|煮|腌|熬|酿|修|换|装|烤|蒸|炒|炖|泡|晒|缝|刷|种|嫁接|搭|织|染|磨|配|清洗|洗|拆|调|安装|更换|修补|包|卤|发|"
    "移栽|扦插|分株|打磨|重装|部署|迁移|备份|保养|清理"
)
_DID_ZH = re.compile(
    rf"(?P<verb>{_DOING_ZH})(?:好|完|成|出)?(?:了|出来了)"
    "(?:一?[个次锅瓶罐批坛盆些遍盘]|两[个次锅瓶罐批坛盆])?(?P<what>[^，。：:；、！（(]{2,12})"
    rf"|^(?:今天|下午|上午|晚上|自己|终于)*(?P<bare>{_DOING_ZH})(?P<thing>[^，。：:；、！（(了]{{2,12}})(?=[，。]|$)"
)
_PUT_ZH = re.compile(rf"把(?P<what>[^，。：]{{2,10}}?)(?P<verb>{_DOING_ZH}|修剪|剪)(?:好|完)?了")
_CUT = re.compile(
    r"(?i)(?:[,;:(—–]|[.!?] (?=[A-Z])| - | (?:again|today|yesterday|tonight|and|after|before|"
    r"because|since|which|"
    r"that|until|till|for (?:the|my|our) (?:next|first|second|last|third|record)|in the end|"
    r"at last|so|but|then|while|when|where|with (?-i:[A-Z])\w+|as|once|this (?:time|year|morning|"
    r"afternoon|evening|week)|last (?:time|year|week)|without (?:it|them)\b|myself|ourselves|"
    r"properly|here|now|every (?:time|year|spring|autumn|winter|summer)|(?:next|each) \w+)(?= |$|,)"
    r").*$"
)
_TELLS = re.compile(
    r"(?i)^(?:i|we|he|she|it|they|this|that|there|so|and|but|at|in|on|for|with|after|today|"
    r"finally|here|"
    r"[我他她你它这那])\b|.*\b(?:is|was|were|are|has|had|came|went|got|will)\b|^[我他她你它这那]"
)
_CUT_ZH = re.compile(r"(?:，|。|：|:|；|、|（|\(|的时候|之后|以后).*$")
_VAGUE = re.compile(
    r"(?i)^(?:\w+ )?(?:it|them)\b|^(?:\w+ )?(?:this|that|these|those|one|something|things?|"
    r"everything|so|the same|"
    r"all|some|goes|went)\b(?! \w+ \w+)|^(?:这|那|它|今天|明年|下次)"
)
_GERUND = re.compile(r"(?i)^(?P<what>(?!during|morning|evening)[a-z]{2,}ing [a-z].{2,})")


def topic_of(leads: Sequence[str], headings: Sequence[str]) -> Topic:
    """What the steps under ``leads`` (nearest first) and ``headings`` make or do, if it is said."""
    for text in leads:
        topic = _with_its_noun(text, leads)
        if topic.text:
            return topic
    for read in (_explicit, _told):
        for text in leads:
            topic = read(text)
            if topic.text:
                return topic
        if read is _explicit:
            for text in headings:
                topic = _explicit(text)
                if topic.text:
                    return topic
    if said_to_follow(leads):
        return next((t for text in reversed(leads) if (t := _announced(text)).text), NO_TOPIC)
    return NO_TOPIC


def _announced(text: str) -> Topic:
    """The thing that an introduction starts with: “Oatmeal stout, batch 31.”."""
    first = re.split(r"[,，。:：;；—(（]|\.(?:\s|$)", text, maxsplit=1)[0]
    first = re.sub(r"^(?:今天|今晚|下午|上午|早上|晚上|周末)+", "", first).strip()
    if HOW_SAID.search(first) or not 1.5 <= weight(first) <= 7 or _TELLS.match(first):
        return NO_TOPIC
    if _AMOUNT.search(first):
        return NO_TOPIC
    return Topic(_worthy(first))


_AMOUNT = re.compile(
    r"[两一二三四五六七八九十百半几]+(?:条|斤|个|块|片|根|勺|克|两|只|颗|杯|碗|瓶|把|头|升|包|袋)$"
    r"|(?i:^\d+ ?(?:kg|g|ml|l|lb|oz|cups?|pounds?|grams?|litres?|liters?|tins?|bags?)\b)"
)
"""“Two pounds of flour” is what something takes, not what it is."""


def said_to_follow(leads: Sequence[str]) -> bool:
    """Whether the sentences before a list say that instructions follow."""
    return any(HOW_SAID.search(text) for text in leads[:3])


def _with_its_noun(text: str, leads: Sequence[str]) -> Topic:
    """“how to turn it” after “Finished the heel” as “turn the heel”."""
    found = _HOW_IT.search(text)
    if not found or found["verb"].lower() in ("do", "did", "went", "goes"):
        return NO_TOPIC
    for other in leads:
        told = _DID.match(other.rstrip(" :."))
        if told and base_form(told["verb"]) and not _VAGUE.match(told["what"]):
            noun = _CUT.sub("", told["what"]).strip(" ,.;:")
            if re.match(r"(?i)(?:the|a|an|my|our|his|her) ", noun) and weight(noun) <= 5:
                return Topic(f"{base_form(found['verb']) or found['verb']} {noun}", True)
    return NO_TOPIC


def _explicit(text: str) -> Topic:
    text = text.rstrip(" :：.。")
    if is_chinese(text):
        found = _HOW_ZH.search(text)
        if not found:
            return NO_TOPIC
        if found["how"]:
            return Topic(_worthy(_CUT_ZH.sub("", found["how"])), True)
        what = re.sub(r"^(?:今天|这是|记一下|记下|关于|以下是|正确|新|我的)", "", found["of"])
        return Topic(f"{what}的做法") if _worthy(what) else NO_TOPIC
    found = _HOW.search(text + ":")
    if found:
        what = _base(_CUT.sub("", (found["what"] or found["of"] or found["to"]).strip()))
        return Topic(_worthy(what), found["of"] is None)
    gerund = _GERUND.match(text)
    return Topic(_worthy(_CUT.sub("", gerund["what"]).strip())) if gerund else NO_TOPIC


def _told(text: str) -> Topic:
    """What a sentence says was made or done: “Today we limed the shed” → “lime the shed”."""
    if is_chinese(text):
        put = _PUT_ZH.search(text)
        if put:
            return Topic(f"{put['verb']}{put['what']}", True)
        found = _DID_ZH.search(text)
        verb = (found["verb"] or found["bare"]) if found else ""
        said = (found["what"] or found["thing"]) if found else ""
        if not found or not _worthy(said):
            return NO_TOPIC
        made = verb in "做煮腌熬酿烤蒸炒炖卤包"
        what = re.sub(r"^(?:一[个些点次]|几[个罐瓶]|今年的?)", "", said)
        return Topic(f"{what}的做法") if made else Topic(f"{verb}{what}", True)
    done = _DONE.match(text)
    if done:
        return Topic(_worthy(done["what"]))
    found = _DID.match(text.rstrip(" :."))
    if not found:
        return NO_TOPIC
    base = base_form(found["verb"])
    if not base or (base in _NOTHING_MADE and base not in ("get", "take", "bring", "do")):
        return NO_TOPIC
    what = _CUT.sub("", found["what"]).strip()
    if base in ("get", "take", "bring") and not re.search(r"(?i) (?:off|out|apart|up|back)$", what):
        return NO_TOPIC
    if re.match(r"(?i)(?:to|with|at|on|from|about|by|into|a lot|well|badly|for|in|up|not)\b", what):
        return NO_TOPIC
    return Topic(_worthy(f"{base} {what}"), True) if base != "do" else Topic(_worthy(what))


def _base(what: str) -> str:
    """“got the crack tight” after “how I” as “get the crack tight”."""
    first, _, rest = what.partition(" ")
    base = "" if first.lower() in VERBS else base_form(first)
    return f"{base} {rest}" if base else what


def _worthy(topic: str) -> str:
    topic = topic.strip(" ,.;:，。：；")
    if _VAGUE.match(topic) or not 1 <= weight(topic) <= 12 or not terms(topic):
        return ""
    if not is_chinese(topic) and weight(topic) < 2:
        return ""
    return topic
