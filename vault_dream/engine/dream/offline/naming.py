"""Names and summaries: what a person would call the note, taken from the words of its source.

A name is an imperative or a noun phrase in the source's language, at most about ten words, cut
where a clause ends and never by an ellipsis.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.claims import Claim
from vault_dream.engine.dream.offline.pronouns import EXPLETIVE, PRONOUN_ONLY, noun_for
from vault_dream.engine.dream.offline.runups import balanced, bare, divided
from vault_dream.engine.dream.offline.words import is_chinese, terms, weight

NAME_WORDS = 10
NAME_WEIGHT = 11.0  # of Chinese, where two characters weigh one

_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+(?=\w+\s+\w)")
_REASON = re.compile(
    r"(?i)\s*(?:[—–;；]|\s-\s|,?\s+(?:because|since(?= the| it|"
    r" they| we)|so that|otherwise|or else|which|as(?= the| "
    r"it)|although|though|whereas|while(?= the)|and then|"
    r"so(?= the| it| they| we| that| nobody)|but|unless|even "
    r"if|no matter)\s|,\s+(?:or|and|so|where|the|it|they|we|i|"
    r"until)\s|:\s).*$"
)
_REASON_ZH = re.compile(r"(?:[，,；;：:。]|因为|由于|否则|不然|要不然|以免|免得|这样).*$")
_BREAKS = frozenset(
    """
    for with by in on at to before after when if from into during until than instead via through
    above below around against along across behind near off onto per within toward upon without
    between under over about as and or once whenever that where which who because it they we you i
    he she
    """.split()  # noqa: SIM905
)
_LATE_BREAKS = _BREAKS | frozenset(
    """
    of may might will would can could must should
    """.split()  # noqa: SIM905
)
_LOOSE_ENDS = _BREAKS | frozenset(
    """
    a an the of is are was were be its their our my your his her this these not very too so it we
    you they i up who which where how only just also must should can will has have next so but not
    """.split()  # noqa: SIM905
)
_DEFINED = re.compile(
    r"(?i)^(?:an? |the )?(?P<term>[\w'’+-]+(?: [\w'’+-]+){0,4}?) (?:is|are) (?:short for|called|"
    r"an?|the|defined as|any|when|how|what)\b|^(?:an? |the )?(?P<term2>[\w'’+-]+(?: "
    r"[\w'’+-]+){0,4}?) (?:means|stands for|refers to|describes|measures)\b"
)
_DIFFERENCE = re.compile(
    r"(?i)\b(the difference between [\w'’-]+(?: [\w'’-]+){0,3} and [\w'’-]+(?: [\w'’-]+)?)(?= "
    r"is|:|,)"
)
_DEFINED_ZH = re.compile(
    r"^(?:所谓)?[“「]?(?P<term>[^，。：“”「」]{1,14}?)[”」]?(?:就?是指|(?<![拇手食中脚戒])指|"
    r"指的是|的意思是|叫做|称为|的定义是|的原理是|的作用是|本质上是|是(?=一种|一个|一类|用来|用于|"
    r"通过|把|将))"
)
_GENERIC_PLACE = re.compile(
    r"(?i)^(?:\W*|(?:\d{1,2}[:.]\d{2}.*)|"
    r"(?:\d{4}-\d{2}-\d{2}.*)|(?:\d{1,2}\.? [a-z]{3,9}\.?(?: "
    r"\d{4})?)|(?:[a-z]{3,9} \d{1,2}(?:,? \d{4})?)|session(?: "
    r"log)?|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|(?:daily "
    r")?(?:notes?|log|journal|diary|morning|afternoon|evening|"
    r"night|day|today|work|home|misc|thoughts?|ideas?|other|"
    r"general|lessons?(?: learn\w+)?|takeaways?|decisions?|"
    r"tips?|learned|what i learned(?: today)?|til|insights?|"
    r"summary|personal|family|garden|kitchen|health|school|"
    r"study|reading|research|steps|how ?to|procedure|recipe|"
    r"checklist|practi[cs]e|training|bench|class|office|"
    r"meeting|meetings|standup|retro|reflection|reflections|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|"
    r"sun)(?:day.*)?|week ?\d*|ward|lab|shift|notes? to self)|"
    r"早上|上午|中午|下午|晚上|今天|日记|日志|笔记|随笔|工作|生活|学习|家庭|家里|健康|读书|想法|"
    r"其他|杂记|总结|复盘|收获|教训|经验|决定|步骤|流程|做法|心得|技巧|反思|会议|记录)\W*$"
)
_HOW_TO = re.compile(
    r"(?i)^(?:how to|how (?:i|we)|steps (?:to|for)|the steps (?:to|for)|procedure (?:to|for)|"
    r"recipe for|order (?:to|for)|checklist for|to)\s+(?=\w)"
)
_HOW_TO_ZH = re.compile(
    r"^(?:怎么样?|如何|怎样)|(?:的)?(?:正确)?(?:步骤|流程|做法|方法|顺序|办法)(?:如下|是)?$"
)
_LOWERED = frozenset({"always", "never", "do", "the", "a", "this", "that", "these", "those"})
_PRELUDE = re.compile(
    r"(?i)^(?:at|in|on|with|for|after|before|below|above|under|over|from|when|if|once|whenever|"
    r"during|without|as|while|since|every|each)\b"
)
_VAGUE = re.compile(r"(?i)\b(?:it|this|that|these|those|them|they)\b|[它这那]")
_BARE = re.compile(
    r"(?i)^(?:(?:start|begin|from|on|until|by|next|due|the)? ?)*\d{1,2}(?:st|nd|rd|th)?\.? "
    r"?(?:jan|feb|mar|"
    r"apr|may|jun|jul|aug|sep|oct|nov|dec)\w*(?: \d{4})?$|^[\d\W]+$|^(?:周[一二三四五六日]|"
    r"\d+月\d+[日号])$"
)
"""A date or a number is no name."""
_END = " \t.,;:!?。，；：！？、—–-·*_"


def name_of(claim: Claim) -> str:
    """A title for the note that ``claim`` becomes; ``""`` where its subject stands nowhere."""
    if claim.steps:
        return _steps_name(claim)
    subject, text = _resolved(claim)
    if not text:
        return ""
    points = cues.REFERENT.match(divided(claim.main.text)[1])
    if points and weight(subject) >= 4 and not is_chinese(subject):
        return capital(_fit(_ARTICLE.sub("", subject)))
    name = _chinese_name(text, claim) if is_chinese(text) else _english_name(text, claim)
    name = capital(balanced(_placed(name, subject, claim))).replace("`", "")
    return "" if cues.REFERENT.match(name) or _BARE.match(name) else name


def stated(claim: Claim) -> str:
    """The claim's statement without run-up, led by its subject where that is divided off."""
    subject, text = _resolved(claim)
    if not subject or terms(subject) <= terms(text):
        return text or bare(claim.main.text)
    return f"{subject}{'：' if is_chinese(text) else ': '}{text}"


def _resolved(claim: Claim) -> tuple[str, str]:
    """Subject and statement, the pronoun that the statement begins with replaced by its noun."""
    subject, text = divided(claim.main.text)
    if not cues.REFERENT.match(text):
        return subject, text
    flat = EXPLETIVE.match(text)
    if flat and weight(text[flat.end() :]) >= 4:
        return subject or _short_place(claim), text[flat.end() :]
    noun = next((n for s in reversed(claim.before) if (n := noun_for(s.text, text))), "")
    if noun:
        return subject, noun + PRONOUN_ONLY.sub("", text, count=1)
    noun = noun_for(subject, text) if subject else ""
    if noun:
        return "", noun + PRONOUN_ONLY.sub("", text, count=1)
    place = subject or _short_place(claim)
    return (place, text) if place else ("", "")


def _short_place(claim: Claim) -> str:
    place = specific_place(claim)
    return place if weight(place) <= 5 and not re.search(r"\d", place) else ""


def specific_place(claim: Claim) -> str:
    """The nearest heading or lead that names a subject, or ``""``."""
    for context in claim.context:
        cut = context.rstrip(_END)
        if cut and not _GENERIC_PLACE.match(cut) and weight(cut) <= NAME_WORDS:
            return cut
    return ""


def _steps_name(claim: Claim) -> str:
    """After what is made or done, or a heading that names it; after a step only if nothing does."""
    if claim.topic.text:
        return capital(_fit(claim.topic.text)).replace("`", "")
    place = specific_place(claim)
    if not place:
        return capital(_fit(bare(claim.steps[0].sentences[0].text)))
    cut = _HOW_TO_ZH.sub("", place) if is_chinese(place) else _HOW_TO.sub("", place)
    cut = re.sub(
        r"(?i)(?:,|\s)+(?:that (?:finally )?worked|step by step|in order|steps|procedure|"
        r"checklist)$",
        "",
        cut,
    )
    return capital(_fit(_ARTICLE.sub("", cut or place))).replace("`", "")


def _english_name(text: str, claim: Claim) -> str:
    if claim.kind == "definition":
        difference = _DIFFERENCE.search(text)
        if difference:
            return difference[1][4:]
        defined = _DEFINED.match(text)
        term = (defined["term"] or defined["term2"]) if defined else ""
        if term and not cues.PRONOUN.match(term) and not _PRELUDE.match(term):
            return term
    how = re.match(r"(?i)^to (\w+ [^,:]{4,60})[,:]", text)
    if how:
        return how[1]
    text = re.sub(r"(?i)^i (?=prefer|like|love|hate|can['’]t|need|want|ask|write|work)", "", text)
    text = re.sub(r"(?i)^we(?:['’]ll| will| should| must| are going to|['’]re going to) ", "", text)
    if claim.kind == "fix":
        text = re.split(r",\s", text, maxsplit=1)[0]
    if claim.kind != "fix" or weight(text) > NAME_WORDS + 1:
        cut = _REASON.sub("", text, count=1)
        least = 5 if claim.kind == "recurrence" else 3
        text = cut if weight(cut) >= least else text
    text = _we_do(text)
    clause = re.split(r"[,;]\s(?!not\s)|\s[—–]\s", text, maxsplit=1)[0]
    if weight(clause) >= 4 and not _PRELUDE.match(clause):
        text = clause
    return _fit(_ARTICLE.sub("", text))


def _we_do(text: str) -> str:
    """“We drop the mail and put …” as the imperative it stands for, one thing at a time."""
    words = text.split()
    if len(words) > 3 and words[0].lower() == "we" and words[1].lower() in cues.VERBS:
        text = " ".join(words[1:])
    for found in re.finditer(r",? and (\w+) ", text):
        if found[1].lower() in cues.VERBS and weight(text[: found.start()]) >= 4:
            return text[: found.start()]
    return text


def _chinese_name(text: str, claim: Claim) -> str:
    defined = _DEFINED_ZH.match(text) if claim.kind == "definition" else None
    if defined:
        return defined["term"]
    parts = [p for p in re.split(r"[，,；;：:。]", text) if p.strip()]
    if claim.kind == "fix":
        why = next((p for p in parts if re.search(r"原因|因为|由于", p)), "")
        if why:
            cut = re.sub(r"^.*?(?:根本?原因|原因|根因|因为|由于)(?:是|在于)?", "", why)
            parts = [cut if weight(cut) >= 3 else why]
    name = parts[0]
    for part in parts[1:]:
        open_ended = re.search(r"(?:时候?|[之以]?[前后]|如果.*|只要.*|一旦.*|遇到.*)$", name)
        if (weight(name) >= 3.5 and not open_ended) or weight(name) + weight(part) > NAME_WEIGHT:
            break
        name = f"{name}，{part}"
    return _fit_chinese(re.sub(r"(?<=[改换搬调变])(成|到|为)了", r"\1", name))


def _fit(text: str) -> str:
    """``text`` cut to a name's length, at the latest place where a clause may end."""
    if is_chinese(text):
        return _fit_chinese(text)
    text = text.strip(_END)
    words = text.split()
    prelude = _PRELUDE.match(text)
    limit = NAME_WORDS + 2 if prelude else NAME_WORDS
    if len(words) <= limit:
        return text
    ends = [
        i
        for i in range(4, limit + 1)
        if words[i].lower() in (_LATE_BREAKS if i > 7 else _BREAKS)
        or words[i - 1].endswith((",", ";", ":"))
    ]
    ends = [i for i in ends if not prelude or i > 6]
    kept = words[: ends[-1]] if ends else words[:limit]
    while len(kept) > 3 and kept[-1].lower().strip(",") in _LOOSE_ENDS:
        kept.pop()
    return " ".join(kept).strip(_END)


def _fit_chinese(text: str) -> str:
    text = text.strip(_END)
    if weight(text) <= NAME_WEIGHT:
        return text
    cut = _REASON_ZH.sub("", text)
    if 2 <= weight(cut) <= NAME_WEIGHT:
        return cut
    tokens = re.findall(r"[A-Za-z0-9_.-]+|\s+|.", text)
    kept = ""
    for token in tokens:
        if weight(kept + token) > NAME_WEIGHT:
            break
        kept += token
    return kept.rstrip("的了在和与把被，、 ")


def _placed(name: str, subject: str, claim: Claim) -> str:
    """``name`` made clear by what it is about, where by itself it is not."""
    unclear = cues.PRONOUN.match(name) is not None or (
        _VAGUE.search(name) is not None and len(terms(name)) <= 2
    )
    place = specific_place(claim)
    titled = claim.label != "" and claim.context[:1] == (place,)
    advice = claim.kind in ("lesson", "rule", "fix") and (
        (len(terms(name)) <= 3 and name.split(" ", 1)[0].lower() in cues.VERBS)
        or cues.CULPRIT.match(name) is not None
    )
    short = weight(subject) <= 5 and weight(subject) + weight(name) <= NAME_WORDS + 3
    if subject and (((unclear or advice) and weight(subject) <= 6) or short):
        about = subject
    elif (
        place
        and not re.search(r"[\d,]", place)
        and weight(place) <= 5
        and (unclear or titled or (advice and weight(place) <= 3))
    ):
        about = place
    else:
        return name
    if terms(about) and terms(about) <= terms(name):
        return name
    bare_name = re.sub(r"(?i)^(?:it|they)\s+", "", name)
    if bare_name != name and not is_chinese(about):
        return f"{about} {bare_name}"
    rest = re.sub(r"(?i)^(?:so|and|but|which)\s+", "", name)
    first = rest.split(" ", 1)[0]
    if first.lower() in cues.VERBS or first.lower() in _LOWERED:
        rest = rest[:1].lower() + rest[1:]
    return f"{about}：{rest}" if is_chinese(about) else f"{about}: {rest}"


def shortened(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters, cut at the end of a clause where there is one."""
    text = text.rstrip(_END)
    if len(text) <= limit:
        return text
    head = text[:limit]
    cut = max(head.rfind(mark) for mark in (". ", "; ", ", ", "。", "；", "，", " ("))
    if cut < limit // 3:
        cut = head.rfind(" ") if " " in head else limit
    return head[:cut].rstrip(_END)


def capital(text: str) -> str:
    text = text.strip(_END)
    first = text.split(" ", 1)[0]
    if first.islower() and first.isascii() and first.replace("-", "").isalpha():
        return text[:1].upper() + text[1:]
    return text
