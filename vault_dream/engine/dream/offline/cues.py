"""Cues: the turns of phrase by which people mark what they want to remember, and what they do not.

Each cue has a kind and a weight. A statement is worth keeping when the weights of the different
cues it shows, its structure and its place add up to :data:`ENOUGH` after what speaks against it is
taken off. The cues are everyday English and Chinese; none belongs to a trade or a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["steps", "fix", "rule", "lesson", "decision", "preference", "definition", "change"]

ENOUGH = 2.0


@dataclass(frozen=True, slots=True)
class Cue:
    kind: Kind | Literal["reason", "detail"]
    weight: float
    pattern: re.Pattern[str]


def _cue(kind: Kind | Literal["reason", "detail"], weight: float, pattern: str) -> Cue:
    return Cue(kind, weight, re.compile(pattern, re.IGNORECASE))


VERBS = frozenset(
    """add adjust aim allow apply ask attach avoid back bake begin boil break bring brush build bury
    buy call cancel change charge check choose clean clear click close collect combine commit compare
    confirm connect cook cool copy cover create cut deadhead delete deploy dig dilute discard
    disconnect do double drain draw drink drop dry edit empty enable ensure enter export feed fill
    filter find finish flush fold follow freeze give grease grind grow hang harvest heat hold import
    insert install join keep knead label lay leave let lift lock loosen log look lower make mark
    measure melt merge mix move mount note open order pack paint peel pick pin place plan plant plug
    pour practise practice prefer preheat prepare press prime prune pull push put read rebase rebuild
    record reduce refill release reload remember remove repeat replace reply report repot reset rest
    restart restore rewrite rinse roll rotate rub run save scrape season seal select send separate
    serve set shake shift shut simmer skip slice soak sort sow spray spread sprinkle squeeze stack
    start stir stop store stretch strip submit switch tag take tap teach tell test thin throw tie
    tighten tip toggle top touch trim trust try turn type unplug update upgrade use verify wait
    walk warm wash watch water wear weigh wipe wrap write""".split()
)
ERRANDS = frozenset(
    """ask book buy call cancel email finish invite mail message order pay phone pick ping plan
    prepare print renew reply return review ring schedule send ship sign submit text visit""".split()
)

CUES: tuple[Cue, ...] = (
    # how to do it
    _cue("steps", 1.75, r"\bfirst\b.{3,120}\b(?:then|next|after that|finally)\b"),
    _cue("steps", 2.0, r"^(?:how to|to) \w+ [^,:]{4,80}[,:] (?:first )?(?:%s)\b" % "|".join(sorted(VERBS))),
    _cue("steps", 1.5, r"\bthe (?:right |best |safe |only |easiest )?(?:way|order) (?:to|is)\b"),
    _cue("steps", 1.0, r"(?:→|->|=>).{2,80}(?:→|->|=>)"),
    _cue("steps", 2.0, r"先.{1,40}(?:再|然后|接着).{1,60}"),
    _cue("steps", 1.5, r"(?:正确)?(?:步骤|流程|做法|顺序|办法)(?:是|为|[:：])"),
    # what was wrong, and what mended it
    _cue("fix", 1.25, r"\b(?:root cause|the culprit|the cause|the reason) (?:was|is)\b|\bcaused by\b"),
    _cue("fix", 1.25, r"\b(?:the )?(?:fix|solution|workaround|cure|remedy) (?:was|is)\b|\b(?:fixed|solved|cured|resolved) (?:it )?by\b"),
    _cue("fix", 1.0, r"\b(?:fixed (?:it|this|that)|did the trick|solved (?:it|this)|cleared (?:it )?up|goes away|went away|works again|stopped (?:\w+ing|the))\b"),
    _cue("fix", 1.25, r"(?:根本?原因|原因|根因|罪魁祸首)(?:是|在于)|是因为|是由于"),
    _cue("fix", 1.0, r"(?:就好了|就行了|解决了?|修复了?|就正常了|恢复正常)|(?:解决|修复)(?:办法|方法)"),
    # how it should always be done
    _cue("rule", 2.0, r"^(?:\w+[,:] |and |so )?(?:always|never) (?!mind\b|been\b|had\b|seen\b|have\b|did\b|felt\b|knew\b|again\b)\w+"),
    _cue("rule", 1.25, r"\b(?:must|should|to) (?:always|never|only)\b|\b(?:must|should)(?:n['’]t| not)? be \w+(?:ed|en|t|n)\b"),
    _cue("rule", 1.0, r"^(?:do not|don['’]t|avoid|make sure|be sure|be careful|remember to|never|no) "),
    _cue("rule", 1.5, r"\b(?:only works?|works? only|only (?:if|when|after)|(?:won['’]t|doesn['’]t|does not|will not|cannot|can['’]t) \w+ (?:\w+ ){0,6}(?:unless|until|without))\b"),
    _cue("rule", 1.25, r"^(?:if|when|whenever|every time|each time|before|after) [^,]{5,80}, (?:\w+ ){0,2}(?:must|should|need|needs|will|can|always|never|%s)\b" % "|".join(sorted(VERBS - ERRANDS))),
    _cue("rule", 1.0, r"\b(?:needs?|has|have) to (?:be|stay|go|come|rest|cool|dry|happen|match|sit|face)\b|\b(?:every time|whenever)\b"),
    _cue("rule", 1.75, r"一定要|务必|切记|千万(?:不要|别)|必须|绝对不能|不要在|不能(?:在|用|直接)|只有.{1,30}才"),
    _cue("rule", 1.25, r"每次.{1,30}(?:都|要|先|前)|(?:最好|尽量|应该|避免|记得要|记住)|.{1,20}之?前(?:要?先|必须|一定)|(?:^|，)(?:不要|别)"),
    # what was learned
    _cue("lesson", 2.25, r"\b(?:lesson(?:s)? (?:learned|learnt|is|was|for)|learn(?:ed|t) (?:that|the hard way|to|from|how)|key takeaway|note to self|rule of thumb|worth remembering|in hindsight|moral of)\b"),
    _cue("lesson", 2.0, r"\b(?:turns? out|turned out)[,:]? (?:that |to be |you |the |it |we |an? |my |our |there |\w+ (?:is|are|needs?|only|can|has|do|does)\b)"),
    _cue("lesson", 2.0, r"\bthe (?:trick|key|secret|point|mistake|difference) (?:\w+ ){0,3}(?:is|was)\b|\bnext time,? \w+"),
    _cue("lesson", 1.5, r"\b(?:figured out|found out|discovered|reali[sz]ed|noticed|it dawned|finally understood|finally clicked) (?:that|why|how)\b|\bshould have\b"),
    _cue("lesson", 1.5, r"\b(?:works?|worked|goes|went|does|did|helps?|lasts?|keeps?) (?:so |far |much |a lot |way |noticeably )*(?:better|best|faster|longer|easier)\b|\bmakes? (?:all the|a (?:big|huge|real)) difference\b|\b(?:better|easier|faster|safer|cheaper|less \w+) (?:than|when|if)\b"),
    _cue("lesson", 2.0, r"教训|学到|吸取|窍门|诀窍|关键(?:是|在于|在)|(?:最|更)重要的是|经验(?:是|[:：])|下次.{0,6}(?:要|先|别|不|记得|应该|一定|直接|得)|踩(?:了|过)?.{0,4}坑|心得"),
    _cue("lesson", 1.75, r"原来(?!的|打算|想|准备)|才(?:知道|发现|明白|意识到)|发现(?:了)?[^，。]{0,20}(?:比|会|要|不能|其实|才|只要|是因为)|其实.{1,30}(?:就|才|更)|效果(?:好|更好|最好|明显)|比.{1,20}(?:好用|更?有效|靠谱|省|快|稳)"),
    # what was decided
    _cue("decision", 1.5, r"\b(?:decided|agreed|resolved|opted|chose|chosen|settled|decision)\b(?! on (?:mon|tues|wednes|thurs|fri|satur|sun))"),
    _cue("decision", 1.5, r"\b(?:from now on|going forward|from here on|by default|our (?:policy|convention|rule|standard)|the (?:policy|convention|rule|standard) is|we(?:['’]ll| will| are going to|['’]re going to) (?:use|go with|keep|stick|switch|drop|store|write|always|only|never))\b"),
    _cue("decision", 1.25, r"\b(?:going with|sticking with|stick with|switched to|switching to|standardi[sz]e on|no more)\b"),
    _cue("decision", 1.5, r"决定|商定|约定|说好|定下|敲定|达成一致|统一(?:用|使用|为|成|由|采用)|改用|选用|选择了?|采用|(?:最终|最后)(?:选|用|定)"),
    _cue("decision", 1.5, r"以后(?:都|就|一律|统一|凡是|改|只|不再|每)|从(?:今天|现在|今后|这周|下周|本周)起|今后(?:都|一律|统一)?|一律"),
    # what somebody likes, needs or is
    _cue("preference", 2.0, r"\bprefer(?:s|red)?\b(?! to meet)|\b(?:preference|pet peeve)\b|\b(?:allergic|intolerant) to\b|\ballerg(?:y|ies)\b"),
    _cue("preference", 1.75, r"\b(?:can['’]t stand|hates?|dislikes?|(?:doesn['’]t|does not|don['’]t) (?:like|want|eat|drink|enjoy|trust)|loves? (?:it when|when)|likes? (?:it|to|his|her|their|the|when|things))\b"),
    _cue("preference", 1.75, r"\b(?:favou?rite|vegetarian|vegan|coeliac|celiac|left-handed|birthday is|birthday:|shoe size|blood type|works best for|best for me)\b"),
    _cue("preference", 1.75, r"\bI (?:\w+ ){0,2}(?:work|write|think|sleep|focus|concentrate|learn|read|remember|eat|run|study)s? (?:\w+ ){0,3}(?:best|better|worse|badly)\b|\bgives? me (?:a )?(?:headaches?|migraines?|heartburn|energy)\b"),
    _cue("preference", 2.0, r"过敏|不耐受|偏好|偏爱|更(?:喜欢|愿意|习惯)|最(?:喜欢|爱|讨厌|怕)|受不了|讨厌|忌口|吃素|不(?:喜欢|爱吃|吃|喝|习惯|能吃)"),
    _cue("preference", 1.25, r"(?<!不)喜欢|习惯(?:于|在|先|用)?|生日(?:是|在)|爱(?:吃|喝|用|听)"),
    # what it is
    _cue("definition", 2.0, r"\b(?:is|are) defined as\b|\bis short for\b|\bstands for\b|\brefers to\b|\bthe difference between\b|\bin other words\b|^(?!(?:this|that|it|which|what|he|she|they)\b)(?:[\w'-]+ ){1,4}means (?!i\b|we\b|to\b)|\b(?:is|are) called\b"),
    _cue("definition", 1.25, r"^(?!(?:the (?:day|week|meeting|weather|rest|kids)|this|that|there|it|he|she|we|they|you|i|my|our|his|her|their|your|what|today|tonight|tomorrow|dinner|lunch|breakfast|work|one)\b)(?:[\w'’-]+ ){1,5}(?:is|are) (?:an?|the \w+|any|when|how|what|where) (?:[\w'-]+ ){0,8}(?:that|which|where|when|who|used|between|of|for|by|with|in)\b"),
    _cue("definition", 1.5, r"\b(?:works|happens|forms|grows|breaks) (?:by \w+ing|because|when|in (?:two|three|four) )|^(?:[\w'’-]+ ){1,5}(?:measures?|describes?|controls?|determines?|guarantees?|prevents?|reduces?|increases?|converts?) (?:the |how |a |an )?\w+"),
    _cue("definition", 2.0, r"是指|指的是|的意思是|叫做?(?=[^，。]{1,12}[。，]?$)|称为|所谓|定义(?:是|为)|本质上?是|区别(?:是|在于)|原理(?:是|在于)?|的作用是"),
    _cue("definition", 1.25, r"^[^，。我你他她这那今昨明]{2,14}是(?:一种|一个|一类|用来|用于|通过|把|将)"),
    # what has changed
    _cue("change", 2.0, r"\bno longer\b|\b(?:doesn['’]t|isn['’]t|aren['’]t|don['’]t|not) (?:\w+ ){1,5}any ?more\b|\bused to (?:be )?.{3,60}\b(?:now|but)\b"),
    _cue("change", 1.5, r"\b(?:has|have|was|were|got|is|are)? ?(?:moved|changed|renamed|replaced|increased|raised|lowered|reduced|extended|switched) (?:\w+ ){0,4}(?:from|to|by|with) "),
    _cue("change", 1.0, r"\b(?:is|are|does|do|opens?|closes?|costs?|takes?|lives?|works?|uses?) now\b|\bnow (?:is|are|requires?|needs?|takes?|costs?|uses?|lives?|works?|opens?|closes?|lasts?|defaults?)\b|\bas of (?:now|this|v?\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)"),
    _cue("change", 1.25, r"\binstead of\b|\brather than\b|\bno need (?:to|for)\b"),
    _cue("change", 2.0, r"不再|已经?(?:改|换|搬|调|移|迁)(?:成|为|到|了|至)|从.{1,20}(?:改|换|搬|调|移|迁|变|升|降)(?:成|为|到|至)|(?:改|换|调整?|变更?)(?:成|为)(?:了)?|取消了|停用了?"),
    _cue("change", 1.25, r"现在(?:是|改|用|要|只|不)|而不是|代替|比原来|由.{1,16}(?:改|变)"),
    # why, and the figures
    _cue("reason", 0.75, r"\b(?:because|otherwise|or else|so that|which means|that['’]s why|which is why|since (?:it|the|they|we|you|a|an)|so (?:the|it|they|that|you|we|nobody|nothing|no|each)|to avoid|to keep|to prevent|in order to|or (?:the|it|they|you))\b|—|;"),
    _cue("reason", 0.75, r"因为|由于|否则|不然|要不|所以|这样|以免|避免|免得|才(?:能|不会)|会(?:导致|造成|引起)|导致"),
    _cue("detail", 0.75, r"(?<![\w.])\d+(?:[.,]\d+)? ?(?:g|kg|mg|mcg|ml|l|cl|dl|°|℃|°c|°f|c|f|min|mins|minutes?|hours?|hrs?|h|days?|weeks?|months?|years?|s|sec|seconds?|ms|kb|mb|gb|tb|%|cm|mm|m|km|psi|bar|rpm|cups?|tsp|tbsp|px|fps|v|w|kw|克|千克|公斤|斤|两|毫升|升|度|分钟|小时|天|周|个月|年|秒|毫秒|厘米|毫米|米|公里|次|倍|勺|片|粒)(?![a-z])"),
    _cue("detail", 0.5, r"`[^`\n]+`"),
)

LABEL = re.compile(
    r"(?i)^(?:(?P<lesson>lessons?(?: learned| learnt)?|takeaways?|til|insights?|learned|learnt|findings?|conclusions?|key points?|note to self|notes? for next time|教训|经验|心得|收获|结论|总结|发现|体会)"
    r"|(?P<decision>decisions?|decided|agreed|agreement|决定|决议|约定|共识)"
    r"|(?P<rule>rules?(?: of thumb)?|tips?|remember|gotchas?|principles?|important|caution|warning|规则|规矩|提示|注意|要点|原则|切记|技巧)"
    r"|(?P<fix>fix|cause|root cause|workaround|solution|原因|根因|解决(?:办法|方法|方案)?|修复)"
    r"|(?P<preference>preferences?|likes|dislikes|allerg(?:y|ies)|偏好|喜好|忌口)"
    r"|(?P<definition>definitions?|定义|概念|术语)"
    r"|(?P<steps>how ?to|steps|procedure|recipe|步骤|流程|做法|方法))\s*[:：—–-]+\s*(?=\S)"
)
STRONG_PLACE = re.compile(
    r"(?i)\b(?:lessons?|takeaways?|til|learned|learnt|what (?:i|we) (?:learned|know now)|decisions?|"
    r"decided|agreements?|agreed|notes? to self|for next time|rules of thumb|gotchas|conclusions?|"
    r"what worked|insights?|principles)\b|教训|经验|心得|收获|学到|决定|决议|约定|结论|体会"
)
MILD_PLACE = re.compile(
    r"(?i)\b(?:tips?|how ?to|rules?|ideas worth|preferences?|findings?|remember|reference|"
    r"definitions?|concepts?|retro(?:spective)?|post-?mortem|recipe|fix(?:es)?|troubleshooting)\b"
    r"|技巧|方法|规则|偏好|要点|概念|定义|复盘|反思|总结|笔记|排查|配方"
)
TASK_PLACE = re.compile(
    r"(?i)\b(?:to-? ?dos?|tasks?|agenda|schedule|shopping|grocer(?:y|ies)|errands|appointments?|"
    r"calendar|plans? for|today['’]?s? plan|top (?:3|three)|priorit(?:y|ies)|goals|packing|wish ?list|"
    r"reading list|watch ?list|inbox|links|gratitude|grateful|mood|weather|meals|backlog|open questions?"
    r"|questions?|next steps|action items|follow[- ]?ups?|budget|workout|habits?|tracker)\b"
    r"|待办|任务|日程|安排|购物|采购|买菜|行程|心情|天气|感恩|三餐|饮食记录|打卡|待读|链接|问题清单|疑问|下一步|行动项|今日计划|明日计划|本周计划"
)
HOW_PLACE = re.compile(
    r"(?i)\b(?:how (?:to|i|we)|steps?|procedure|recipe|checklist|process|routine|runbook|method|"
    r"instructions|that worked|what worked|workflow|protocol|walkthrough|guide|order of|"
    r"the way to|fix|restor\w+|set(?:ting)? ?up)\b|^to [a-z]+ |步骤|流程|做法|方法|办法|顺序|怎么|如何|操作|清单|教程|配方|指南"
)

AGAINST: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (1.0, r"\b(?:tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|week|weekend|month)|last (?:night|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|year)|later today|right now|at the moment|for (?:dinner|lunch|breakfast|now|the weekend))\b"),
        (0.5, r"\btoday\b|\b(?:on|by|until|before) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?! ?s| (?:evening|morning)s)\b|\bat \d{1,2}(?:[:.]\d\d)? ?(?:am|pm)?\b"),
        (1.0, r"\b(?:maybe|perhaps|not sure|no idea|probably|wonder(?:ing)?|i (?:think|guess|suppose|hope|wish)|apparently|supposedly|possibly|could be|hopefully|might be|might have|seems like|we['’]ll see|if i ever)\b"),
        (1.0, r"\b(?:tired|exhausted|happy|sad|anxious|excited|grateful|lonely|cried|crying|stressed|overwhelmed|annoyed|angry|lovely|wonderful|awful|terrible day|great day|good day|bad day|fun|laughed|mood|proud|guilty|miss(?:ed)? (?:her|him|them|you)|love(?:d)? (?:her|him|it|this|that)|beautiful)\b"),
        (1.0, r"\b(?:heard (?:that|from)|rumou?rs?|gossip|is dating|broke up|got engaged|told me (?:that )?(?:he|she|they)|says (?:he|she|they))\b"),
        (1.0, r"\b(?:i|we|i['’]ll|we['’]ll|i['’]m|we['’]re)\b ?(?:will |am |are )?(?:going to (?:the|see|meet|visit|buy|try|have)|want to|plan(?:ning)? to|need to|have to|hope to|would like|['’]d like|must|should|ought to|might)\b"),
        (0.75, r"^(?:need|have|want|got|going|plan) to\b|^(?:should|must) \w+"),
        (0.75, r"\b(?:i|we|he|she|they) (?:\w+ly )?(?:went|got|did|saw|met|ate|had|came|left|bought|drove|walked|watched|called|talked|played|visited|slept|woke|spent|forgot|lost|ran|cooked|cleaned|arrived|texted|sat|stayed|waited)\b"),
        (1.5, r"\brealised?z?e?d? (?:that )?(?:i|we) (?:had |have |'ve )?(?:left|forgot|forgotten|missed|was|were|am)\b|\b(?:decided|agreed|chose) (?:to|on|not to) (?:go|meet|stay|leave|eat|order|watch|skip|take (?:the|a) (?:bus|train|walk|day|nap)|have|get|call|walk|sleep|postpone|cancel|visit|catch|grab|wait)\b"),
        (0.5, r"!\s*$"),
        (1.0, r"昨天|昨晚|今晚|明天|后天|今早|早上|下午|晚上|周末|上周|下周(?!起)|本周(?!起)|周[一二三四五六日天](?![都上下晚早])|星期[一二三四五六日天]|\d{1,2}点"),
        (1.0, r"也许|可能|大概|好像|不知道|不确定|说不定|似乎|估计|我想|我猜|听说|据说|希望|要是|打算|准备去|想(?:去|要|买|试)"),
        (1.0, r"开心|高兴|难过|累|疲惫|焦虑|心情|感动|幸福|郁闷|生气|烦|感恩|激动|无聊|想念|孤独|好玩|有意思"),
        (0.75, r"^(?:我|我们|他|她|他们|和.{1,8})(?:今天|刚才|又)?(?:去|到|吃|买|看|见|逛|聊|睡|起|跑|玩|收到|参加|开)了?"),
        (1.5, r"(?:决定|约定|说好|约好|商定).{0,6}(?:去|吃|看|见|聚|早点|回家|出发|请假|休息)"),
    )
)
QUESTION = re.compile(
    r"(?i)[?？][\"”’)）」*_\s]*$|^(?:why|what if|how (?:do|does|can|could|should|come)|should (?:i|we)|"
    r"could (?:i|we)|can (?:i|we)|is (?:it|there)|do (?:i|we)|wonder)\b|(?:吗|呢|是不是|要不要|怎么办|为什么)[。！]?$"
)
PAST = re.compile(r"(?i)\b(?:i|we|he|she|they) (?:\w+ly )?\w{2,}(?:ed|ght|ew)\b")
PRONOUN = re.compile(
    r"(?i)^(?:it|this|that|these|those|they|he|she|him|her|them|its|both|there|which|so|and|but|"
    r"the (?:first|second|other|latter|former) one)\b|^(?:它|这|那|他|她|其|两者|前者|后者|这样|那样)"
)

DECISION_PLACE = re.compile(r"(?i)\b(?:decisions?|decided|agree[d\w]*)\b|决定|决议|约定")
PEOPLE = re.compile(
    r"(?i)\b(?:we|us|our|my|me|i|family|kids|team|everyone|each of us)\b|我们?|咱们|全家|大家|团队|孩子"
)
_CJK = re.compile("[\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]{2}")
_ENGLISH = tuple(c for c in CUES if not _CJK.search(c.pattern.pattern) or c.kind == "detail")
_CHINESE = tuple(c for c in CUES if _CJK.search(c.pattern.pattern) or c.kind == "detail")
_BOTH = CUES
_AGAINST_ENGLISH = tuple(a for a in AGAINST if not _CJK.search(a[1].pattern))
_AGAINST_CHINESE = tuple(a for a in AGAINST if _CJK.search(a[1].pattern))


def applicable(text: str) -> tuple[Cue, ...]:
    """The cues whose script ``text`` is written in."""
    if not _CJK.search(text):
        return _ENGLISH
    return _BOTH if len(_LATIN.findall(text)) > 6 else _CHINESE


def against(text: str) -> tuple[tuple[float, re.Pattern[str]], ...]:
    """What speaks against keeping a statement, in the script of ``text``."""
    return _AGAINST_CHINESE if _CJK.search(text) else _AGAINST_ENGLISH
