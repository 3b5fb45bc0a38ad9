"""Names and summaries: what a person would call the note, taken from the words of its source.

A name is an imperative or a noun phrase in the source's language, at most about ten words, cut
where a clause ends and never by an ellipsis.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.claims import Claim
from vault_dream.engine.dream.offline.words import CJK, is_chinese, ordered_terms, weight

NAME_WORDS = 10
NAME_CHARACTERS = 22  # of Chinese
SUMMARY_LENGTH = 240

_OPENERS = re.compile(
    r"(?i)^(?:(?:and|so|but|also|ok|okay|well|anyway|finally|interesting|interestingly|actually|"
    r"apparently|yes|note|again|today|yesterday|tonight|this (?:morning|afternoon|evening|week)|"
    r"after \w+|in the end|for the record|important|good to know|interestingly enough)\b[,:]?\s+(?=\w))"
)
_SAYING = re.compile(
    r"(?i)^(?:(?:i|we|he|she|they|you|\w+ and i)\s+)?(?:(?:also|just|finally|both|all|really|have|had|has|'ve)\s+)*"
    r"(?:(?:it )?(?:turns?|turned) out|learn(?:ed|t)(?: the hard way| today| again)?|found(?: out)?|figured out|discovered|"
    r"reali[sz]ed|noticed|remember|note to self|decided(?: today)?|agreed|concluded|lesson(?: learned| learnt)?(?: is| was)?|"
    r"(?:the|my|our|key|main|big|one)\s+(?:lesson|takeaway|rule|decision|conclusion|finding|trick|key|secret|fix|solution|point)"
    r"(?: here| today| from today)?(?: is| was)|til|rule of thumb|resolved|opted|chose|settled)"
    r"(?:\s*[:,—–-]+\s*|\s+(?:that|to|on|with|for)\s+|\s+(?=(?:the|a|an|you|it|we|my|our|not|why|how)\b)|\s+)"
)
_SAYING_ZH = re.compile(
    r"^(?:今天|今早|昨天|最后|最终|这次|后来|另外|所以|于是|其实|总之)*[，,]?"
    r"(?:我们?|咱们|大家|团队|和[^，。]{1,8}?)?(?:今天|又|也|都|终于|才|一致)*"
    r"(?:学到(?:的是|了)?|发现了?|决定|商定|约定(?:好)?|说好|明白了?|意识到|知道了?|原来(?:是)?|记住|切记|教训(?:是)?|"
    r"经验(?:是)?|结论(?:是)?|以后(?:都|就)?|从(?:今天|现在|今后|下周|这周)起|下次|窍门是|诀窍是|关键是|定下|统一)+[，,：:]?"
)
_ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+(?=\w+\s+\w)")
_REASON = re.compile(
    r"(?i)\s*(?:[—–;；]|\s-\s|,?\s+(?:because|since(?= the| it| they| we)|so that|otherwise|or else|which|as(?= the| it)|"
    r"although|though|whereas|while(?= the)|and then|so(?= the| it| they| we| that| nobody)|but|unless|even if|no matter)\s|"
    r",\s+(?:not|or|and|so|where|the|it|they|we|i|until)\s|:\s).*$"
)
_REASON_ZH = re.compile(r"(?:[，,；;：:。]|因为|由于|否则|不然|要不然|以免|免得|这样).*$")
_BREAKS = frozenset(
    "for with by in on at to before after when if from into during until than instead via through "
    "without between under over about as and or once whenever that".split()
)
_LOOSE_ENDS = _BREAKS | frozenset(
    "a an the of is are was were be its their our my your his her this these not very too so it "
    "we you they i who which where how only just also must should can will has have".split()
)
_DEFINED = re.compile(
    r"(?i)^(?:an? |the )?(?P<term>[\w'’+-]+(?: [\w'’+-]+){0,4}?) (?:is|are) (?:short for|called|an?|the|"
    r"defined as|any|when|how|what)\b|^(?:an? |the )?(?P<term2>[\w'’+-]+(?: [\w'’+-]+){0,4}?) "
    r"(?:means|stands for|refers to|describes|measures)\b"
)
_DIFFERENCE = re.compile(r"(?i)\b(the difference between [\w'’-]+(?: [\w'’-]+){0,3} and [\w'’-]+(?: [\w'’-]+)?)(?= is|:|,)")
_DEFINED_ZH = re.compile(r"^(?:所谓)?[“「]?(?P<term>[^，。：“”「」]{1,14}?)[”」]?(?:就?是指|指的是|的意思是|叫做|称为|的定义是|的原理是|的作用是|本质上是|是(?=一种|一个|一类|用来|用于|通过|把|将))")
_GENERIC_PLACE = re.compile(
    r"(?i)^(?:\W*|(?:\d{1,2}[:.]\d{2}.*)|(?:\d{4}-\d{2}-\d{2}.*)|(?:daily )?(?:notes?|log|journal|diary|morning|afternoon|"
    r"evening|night|day|today|work|home|misc|thoughts?|ideas?|other|general|lessons?(?: learn\w+)?|takeaways?|decisions?|"
    r"tips?|learned|what i learned(?: today)?|til|insights?|summary|personal|family|garden|kitchen|health|school|study|"
    r"reading|research|steps|how ?to|procedure|recipe|checklist|meeting|meetings|standup|retro|reflection|reflections|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day.*|week ?\d*|ward|lab|shift|notes? to self)|"
    r"早上|上午|中午|下午|晚上|今天|日记|日志|笔记|随笔|工作|生活|学习|家庭|家里|健康|读书|想法|其他|杂记|总结|复盘|收获|"
    r"教训|经验|决定|步骤|流程|做法|心得|技巧|反思|会议|记录)\W*$"
)
_HOW_TO = re.compile(r"(?i)^(?:how to|how (?:i|we)|steps (?:to|for)|the steps (?:to|for)|procedure (?:to|for)|recipe for|order (?:to|for)|checklist for|to)\s+(?=\w)")
_HOW_TO_ZH = re.compile(r"^(?:怎么样?|如何|怎样)|(?:的)?(?:正确)?(?:步骤|流程|做法|方法|顺序|办法)(?:如下|是)?$")
_END = " \t.,;:!?。，；：！？、—–-·*_"


def name_of(claim: Claim) -> str:
    """A title for the note that ``claim`` becomes."""
    if claim.kind == "steps" and claim.steps:
        return _steps_name(claim)
    text = bare(claim.main.text)
    if is_chinese(text):
        name = _chinese_name(text, claim)
    else:
        name = _english_name(text, claim)
    if cues.PRONOUN.match(name):
        name = _placed(name, claim)
    return _capital(name)


def summary_of(claim: Claim) -> str:
    """One sentence that says what the note holds."""
    if claim.steps:
        return _steps_summary(claim)
    text = bare(claim.main.text)
    if len(text) > SUMMARY_LENGTH:
        text = _shortened(text, SUMMARY_LENGTH)
    end = "。" if is_chinese(text) else "."
    text = text.rstrip(_END)
    return _capital(text) + end


def bare(text: str) -> str:
    """``text`` without label, opener and “we decided to”: the statement itself."""
    text = cues.LABEL.sub("", text, count=1).strip()
    if is_chinese(text):
        cut = _SAYING_ZH.sub("", text, count=1).strip(" ，,：:")
        return cut if weight(cut) >= 2 else text
    before = text
    for _ in range(2):
        text = _OPENERS.sub("", text, count=1)
    said = _SAYING.match(text)
    if said and weight(text[said.end() :]) >= 3:
        rest = text[said.end() :]
        text = f"do {rest}" if re.match(r"(?i)not\s+\w", rest) else rest
        text = re.sub(r"^(?:that|on) ", "", text)
    return text.strip() or before


def specific_place(claim: Claim) -> str:
    """The nearest heading or lead that names a subject, or ``""``."""
    for context in claim.context:
        cut = context.rstrip(_END)
        if cut and not _GENERIC_PLACE.match(cut) and weight(cut) <= NAME_WORDS:
            return cut
    return ""


def _steps_name(claim: Claim) -> str:
    place = specific_place(claim)
    if place:
        cut = _HOW_TO_ZH.sub("", place) if is_chinese(place) else _HOW_TO.sub("", place)
        cut = re.sub(r"(?i)(?:,|\s)+(?:that (?:finally )?worked|step by step|in order|steps|procedure|checklist)$", "", cut)
        return _capital(_fit(cut or place))
    return _capital(_fit(bare(claim.steps[0].text)))


def _steps_summary(claim: Claim) -> str:
    chinese = is_chinese(claim.steps[0].text)
    parts = [s.text.rstrip(_END) for s in claim.steps]
    joint = "；" if chinese else "; "
    kept: list[str] = []
    for part in parts:
        short = _shortened(part, 100)
        if kept and len(joint.join([*kept, short])) > SUMMARY_LENGTH - 30:
            break
        kept.append(short)
    left = len(parts) - len(kept)
    if not left:
        tail = ""
    elif chinese:
        tail = f"；另有 {left} 步"
    else:
        tail = f"; and {left} more step{'s' if left > 1 else ''}"
    return _capital(joint.join(kept)) + tail + ("。" if chinese else ".")


def _english_name(text: str, claim: Claim) -> str:
    if claim.kind == "definition":
        difference = _DIFFERENCE.search(text)
        if difference:
            return difference[1][4:]
        defined = _DEFINED.match(text)
        if defined:
            term = defined["term"] or defined["term2"]
            if not cues.PRONOUN.match(term):
                return term
    how = re.match(r"(?i)^to (\w+ [^,:]{4,60})[,:]", text)
    if how:
        return how[1]
    text = re.sub(r"(?i)^i (?=prefer|like|love|hate|can|need|want)", "", text)
    text = re.sub(r"(?i)^(?:we|i)(?:'ll|’ll| will| should| must| are going to|'re going to) (?:always )?(?=\w)", "", text)
    if not (claim.kind == "fix" and weight(text) <= NAME_WORDS + 2):
        cut = _REASON.sub("", text, count=1)
        text = cut if weight(cut) >= 3 else text
    return _fit(_ARTICLE.sub("", text))


def _chinese_name(text: str, claim: Claim) -> str:
    defined = _DEFINED_ZH.match(text) if claim.kind == "definition" else None
    if defined:
        return defined["term"]
    parts = re.split(r"[，,；;：:。]", text)
    name = parts[0]
    for part in parts[1:]:
        if len(name) >= 7 or len(name) + len(part) > NAME_CHARACTERS:
            break
        name = f"{name}，{part}"
    return _fit_chinese(name)


def _fit(text: str) -> str:
    """``text`` cut to a name's length, at the latest place where a clause may end."""
    if is_chinese(text):
        return _fit_chinese(text)
    text = text.strip(_END)
    words = text.split()
    if len(words) <= NAME_WORDS:
        return text
    comma = [i for i, w in enumerate(words[:NAME_WORDS], 1) if w.endswith((",", ";", ":"))]
    conditional = re.match(r"(?i)(?:if|when|whenever|before|after|every time|while)\b", text)
    if comma and comma[-1] >= 4 and not (conditional and comma[-1] < 7):
        return " ".join(words[: comma[-1]]).strip(_END)
    breaks = [i for i in range(4, NAME_WORDS + 1) if words[i].lower() in _BREAKS]
    kept = words[: breaks[-1]] if breaks and not conditional else words[:NAME_WORDS]
    while len(kept) > 3 and kept[-1].lower().strip(",") in _LOOSE_ENDS:
        kept.pop()
    return " ".join(kept).strip(_END)


def _fit_chinese(text: str) -> str:
    text = text.strip(_END)
    if len(text) <= NAME_CHARACTERS:
        return text
    cut = _REASON_ZH.sub("", text)
    if 4 <= len(cut) <= NAME_CHARACTERS:
        return cut
    word = re.search(rf"[A-Za-z0-9]+$", text[:NAME_CHARACTERS])
    end = NAME_CHARACTERS
    if word and re.match("[A-Za-z0-9]", text[NAME_CHARACTERS:]) and word.start() > 4:
        end = word.start()
    return text[:end].rstrip("的了在和与把被，、 ")


def _placed(name: str, claim: Claim) -> str:
    """A name that starts with “it …” made clear by the place it stands in."""
    place = specific_place(claim)
    if place:
        rest = re.sub(r"(?i)^(?:it|this|that|they|these|those|there)(?:['’]s)?\s+", "", name)
        return f"{place}：{rest}" if is_chinese(place) else f"{place}: {rest}"
    return name


def _shortened(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters, cut at the end of a clause where there is one."""
    text = text.rstrip(_END)
    if len(text) <= limit:
        return text
    head = text[:limit]
    cut = max(head.rfind(mark) for mark in (". ", "; ", ", ", "。", "；", "，", " ("))
    if cut < limit // 3:
        cut = head.rfind(" ") if " " in head else limit
    return head[:cut].rstrip(_END)


def _capital(text: str) -> str:
    text = text.strip(_END)
    first = text.split(" ", 1)[0]
    if first.islower() and first.isascii():
        return text[:1].upper() + text[1:]
    return text


def subjects(text: str, limit: int = 3) -> tuple[str, ...]:
    return ordered_terms(text)[:limit]


CHINESE_CHARACTERS = re.compile(f"[{CJK}]")
