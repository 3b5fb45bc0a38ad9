"""The cues of both languages together, and the signs of structure and place that go with them."""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline import cues_en, cues_zh
from vault_dream.engine.dream.offline.cue import ENOUGH, Against, Cue, Kind
from vault_dream.engine.dream.offline.verbs import ERRANDS, VERBS

__all__ = ["ENOUGH", "ERRANDS", "VERBS", "Kind", "against", "applicable"]

LABEL = re.compile(
    r"(?i)^(?:(?P<lesson>lessons?(?: learned| learnt)?|"
    r"takeaways?|til|insights?|learned|learnt|findings?|"
    r"conclusions?|key points?|note to self|notes? for next "
    r"time|what (?:works|worked|helps|helped)|mind|tricks?|"
    r"observations?|found it|教训|经验|心得|收获|结论|总结|发现|体会)|"
    r"(?P<decision>decisions?|decided|agreed|agreement|决定|决议|"
    r"约定|共识)|(?P<rule>rules?(?: of thumb)?|tips?|remember|"
    r"notes? to (?:all|everyone|the team)|gotchas?|principles?|important|caution|warning|规则|"
    r"规矩|提示|"
    r"注意|要点|原则|切记|技巧)|(?P<fix>fix|cause|root cause|workaround|"
    r"solution|原因|根因|解决(?:办法|方法|方案)?|修复)|"
    r"(?P<preference>preferences?|likes|dislikes|allerg(?:y|"
    r"ies)|偏好|喜好|忌口)|(?P<definition>definitions?|定义|概念|术语)|"
    r"(?P<steps>how ?to|steps|procedure|recipe|步骤|流程|做法|"
    r"方法))(?:(?: (?:in|with|of|from|for|by|on|about|that|to)\b|"
    r"[\u4e00-\u9fff]{0,4})[^:：.。,，]{0,30})?\s*(?:[:：]|"
    r"\s[—–-])+\s*(?=\S)"
)
"""A word that says what the rest of the line is: “Lesson: …”."""
STRONG_PLACE = re.compile(
    r"(?i)\b(?:lessons?|takeaways?|til|learned|learnt|what "
    r"(?:i|we) (?:learned|know now)|decisions?|decided|"
    r"agreements?|agreed|notes? to self|for next time|rules "
    r"of thumb|gotchas|conclusions?|what worked|insights?|"
    r"principles|observations?|findings?)\b|教训|经验|心得|收获|学到|决定|"
    r"决议|约定|结论|体会"
)
"""Headings under which people write what they mean to keep."""
MILD_PLACE = re.compile(
    r"(?i)\b(?:tips?|how ?to|rules?|ideas worth|preferences?|"
    r"findings?|remember|reference|definitions?|concepts?|"
    r"retro(?:spective)?|post-?mortem|recipe|fix(?:es)?|"
    r"troubleshooting)\b|技巧|方法|规则|偏好|要点|概念|定义|复盘|反思|总结|笔记|排查|"
    r"配方"
)
TASK_PLACE = re.compile(
    r"(?i)\b(?:to-? ?dos?|tasks?|agenda|schedule|shopping|"
    r"grocer(?:y|ies)|errands|appointments?|calendar|plans? "
    r"for|today['’]?s? plan|top (?:3|three)|priorit(?:y|ies)|"
    r"goals|packing|wish ?list|reading list|watch ?list|links|"
    r"gratitude|grateful|mood|weather|meals|backlog|open "
    r"questions?|questions?|next steps|action items|follow[- "
    r"]?ups?|budget|workout|habits?|tracker)\b|待办|任务|日程|安排|购物|"
    r"采购|买菜|行程|心情|天气|感恩|三餐|饮食记录|打卡|待读|链接|问题清单|疑问|下一步|行动项|"
    r"今日计划|"
    r"明日计划|本周计划"
)
"""Headings under which people write what is to be done, felt or attended."""
HOW_PLACE = re.compile(
    r"(?i)\b(?:how (?:to|i|we)|steps?|procedure|recipe|"
    r"checklist|process|routine|runbook|method|instructions|"
    r"that worked|what worked|workflow|protocol|walkthrough|"
    r"guide|order of|the way to|here(?: it)? is|here['’]s how|"
    r"fix|restor\w+|set(?:ting)? ?up)\b|^to [a-z]+ |"
    r"^[a-z]+ing (?:the|a|an|my|our|up|down|out)\b|步骤|流程|做法|"
    r"方法|办法|顺序|怎么|如何|操作|清单|教程|配方|指南"
)
"""Headings and leads of instructions."""
DECISION_PLACE = re.compile(r"(?i)\b(?:decisions?|decided|agree[d\w]*)\b|决定|决议|约定")
QUESTION = re.compile(
    r"(?i)[?？][\"”’)）」*_\s]*$|^(?:why|what if|how (?:do|does|"
    r"can|could|should|come)|should (?:i|we)|could (?:i|we)|"
    r"can (?:i|we)|is (?:it|there)|do (?:i|we)|wonder)\b|(?:吗|"
    r"呢|是不是|要不要|怎么办|为什么)[。！]?$"
)
PAST = re.compile(r"(?i)\b(?:i|we|he|she|they) (?:\w+ly )?\w{2,}(?:ed|ght|ew)\b")
EVENT = re.compile(
    r"(?i)^read (?-i:[A-Z])|\b(?:was|were|had|did|went|got|came|said|told|took|"
    r"made|gave|saw|ate|put up|left|felt|will|going to|gonna|stood|slept|sat|rang|ran|drove|rode|"
    r"fell|began|broke|chose|forgot|froze|knew|sang|shook|spoke|stole|swam|threw|woke|wore|wrote|"
    r"rose|drank|flew|grew|met|"
    r"again|still|already|currently|right now|almost|nearly|"
    r"this time|so far|thinks?|hopes?)\b|\b(?:am|is|are|"
    r"['’]re|['’]m) (?:\w+ly )?(?!interesting|annoying|"
    r"nothing)\w{2,}ing\b|^(?:i|we|he|she)\b|\b(?:me|us) "
    r"(?:to|laugh|a)\b|(?<!is )(?<!are )(?<!be )(?<!been )(?<!get "
    r")(?<!the )(?<!a )\b[a-z]{3,}(?<!e)ed\b(?! (?:by|in|"
    r"with|at|to|up|out|on|from|outside|inside)\b)|, so (?:just )?\w+ed\b|了|^(?:我|我们|"
    r"他|她|和|跟)|今天|昨天|刚刚?|正在|过(?:去|来)"
)
"""What shows that a sentence tells of something that happened, happens or is to happen once."""
PRONOUN = re.compile(
    r"(?i)^(?:it|this|that|these|those|they|he|she|him|her|here|below (?:is|are)|"
    r"them|its|both|there|which|so|and|but|the (?:first|"
    r"second|other|latter|former) one)\b|^(?:它|这|那|他|她|其|两者|"
    r"前者|后者|这样|那样)"
)
REFERS = re.compile(r"(?i)\b(?:it|this|them|that way)\b(?! is\b)|[它这]")
REFERENT = re.compile(
    r"(?i)^(?:did the same\b|learn(?:ed|t) (?:that|this|it) (?:the|by|from|again|in)\b|(?:that|"
    r"this|it) "
    r"works?\b|turn(?:s|ed) out to be\b|(?:it|they|he|she)(?:['’]\w+)?|(?:this|that|these|those|"
    r"both|which)(?= (?:is|are|was|"
    r"were|has|have|had|means?|makes?|must|should|can|cannot|will|would|only|needs?|takes?|works?|"
    r"does|do|did|goes|comes?|keeps?|saves?|costs?|also|always|never|happens?)\b)|(?:its|their|his|"
    r"her) [\w-]+|the (?:first|second|other|latter|former) one)\b|^(?:它们?|这(?!种|个|次|样|些|"
    r"里|家|批|"
    r"款|条|两|几|位|是)|那(?!种|个|次|样|些|里|么|家)|[他她]们?|其(?!实|他|中|余)|两者|前者|后者)"
)
"""What begins with a word that points to something said elsewhere."""
HINT = re.compile(
    r"\b(?:always|never|because|otherwise|decided|agreed|lesson|turns? out|no longer|only|must|"
    r"should|"
    r"instead|again|not|if|when|unless|since|so)\b|一定|必须|因为|不然|否则|决定|教训|原来|不再|"
    r"以后|果然|别|先|才"
)
"""What in an enormous text is looked for before anything is read closely."""
NOT_IT = re.compile(
    r"(?i)^[^:]{2,30}: not the [^.,]{2,30}(?:, not the [^.,]{2,30})*\.?$|^(?:it|that|this) "
    r"(?:was|is)(?:n['’]t| not) (?:the|my|our|a)\b|^(?:not|neither|nor) "
    r"the\b.*"
    r"|^(?:we |i )?(?:had )?tried .*(?:no (?:change|luck|good|difference)|n[o'’]t help|nothing|"
    r"in vain)\.?$"
    r"|.*(?:都|也)(?:不管用|没用|不行|不顶用)[。]?$"
    r"|^不是[^，。]{1,14}(?:，也不是[^，。]{1,14})?[。]?$"
)
"""What turned out not to be the cause; the sentence after it is often the cause."""
ADDS = re.compile(
    r"(?i)^(?:(?:the )?(?:reason|exceptions?|why|because|except|only exception|"
    r"background)\b[^.]{0,20}"
    r"[:,]?|(?:but |and )?(?:except|unless|only if|not for|otherwise|or else|exception)\b|"
    r"because\b|that['’]?s (?:why|because)\b)|^(?:原因|理由|因为|例外|除了|除非|否则|不然|"
    r"但(?:是)?(?:如果|除)|唯一)"
)
"""What gives the reason or the exception to the sentence before it."""
REASON_BEGINS = re.compile(
    r"(?i),? (?:because|since (?=the|it|they|we|two|three|last|i|he|she|people|a|an|half|"
    r"nobody)|after "
    r"(?=two|three|several|the (?:last|second)))|，?(?:因为|由于)"
)
BIDS = re.compile(
    r"(?i)\b(?:must|should|has to|have to|needs? to|only|do(?:es)? not|don['’]t|never|always)\b|"
    r"要|必须|不能|先|别|只"
)
PEOPLE = re.compile(
    r"(?i)\b(?:we|us|our|my|me|i|family|kids|team|everyone|"
    r"each of us)\b|我们?|咱们|全家|大家|团队|孩子"
)
CULPRIT = re.compile(
    r"(?i)^(?:the )?(?:culprit|cause|root cause|reason|fix|solution|trick|key|secret)\b"
)
AGREED = re.compile(r"(?i)\bagreed\b|约定|商定|说好")
DECIDED = re.compile(
    r"(?i)^.{0,20}?\b(?:i|we)(?: have|'ve)?(?: all| both)? "
    r"(?:decided|chose|settled|opted)\b|^我们?决定"
)

_CJK = re.compile("[\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]{2}")
_ENGLISH = cues_en.CUES + cues_en.FIGURES
_CHINESE = cues_zh.CUES + cues_en.FIGURES
_BOTH = cues_en.CUES + cues_zh.CUES + cues_en.FIGURES


def applicable(text: str) -> tuple[Cue, ...]:
    """The cues whose script ``text`` is written in."""
    if not _CJK.search(text):
        return _ENGLISH
    return _BOTH if len(_LATIN.findall(text)) > 6 else _CHINESE


def against(text: str) -> tuple[Against, ...]:
    """What speaks against keeping a statement, in the script of ``text``."""
    return cues_zh.AGAINST if _CJK.search(text) else cues_en.AGAINST
