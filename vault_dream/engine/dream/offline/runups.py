"""Run-ups: what people write before they say it, and what remains when it is taken away.

“Decision: …”, “Note to self: …”, “The nurse said …”, “Turns out …”, “Same as last winter: …”.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.words import is_chinese, weight

_END = " \t.,;:!?。，；：！？、—–-·*_"
_OPENERS = re.compile(
    r"(?i)^(?:(?:and|so|but|also|ok|okay|well|anyway|finally|interesting|interestingly|actually|"
    r"apparently|yes|note|again|today|yesterday|tonight|this (?:morning|afternoon|evening|week)|"
    r"after \w+|in the end|for the record|important|good to know|interestingly "
    r"enough)\b[,:]?\s+(?=\w))"
)
_SAYING = re.compile(
    r"(?i)^(?:(?:i|we|he|she|they|you|\w+ and i)\s+)?(?:(?:also|just|finally|both|all|really|"
    r"have|had|has|'ve)\s+)*(?:(?:it )?(?:turns?|turned) out|learn(?:ed|t)(?: the hard way| "
    r"today| again)?|found(?: out)?|figured out|discovered|reali[sz]ed|noticed|note to self|"
    r"(?:decided|agreed|settled)(?: with [^,:]{2,24}?)?(?: today)?(?= that)|"
    r"decided(?: today)?|agreed|concluded|lessons? (?:learned|learnt|is|was)|lesson(?= ?[:,—–])|"
    r"(?:the|my|our|key|main|big|one)\s+(?:lesson|takeaway|rule|decision|conclusion|finding|"
    r"trick|key|secret|fix|solution|point)(?: here| today| from today)?(?: is| was)|til|rule of "
    r"thumb|resolved|opted|chose|settled|next time|from now on|from (?:tomorrow|monday|today|"
    r"next \w+)(?: on)?|going forward|what (?:really |"
    r"actually )?(?:works|worked|helps|helped)(?: is| was)?)(?:\s*[:,—–-]+\s*|\s+(?:that|to|on|"
    r"with|for)\s+|\s+(?=(?:the|a|an|you|it|we|my|our|not|why|how)\b)|\s+)"
)
_OPENERS_ZH = re.compile(
    r"^(?:(?:今天|今早|昨天|最后|最终|这次|后来|另外|所以|于是|其实|总之|又|终于|原来|因为|"
    r"才)+[，,]?)+(?=.{4})"
)
_SAYING_ZH = re.compile(
    r"^(?:今天|今早|昨天|最后|最终|这次|后来|另外|所以|于是|其实|总之)*[，,]?(?:我们?|咱们|"
    r"大家|团队|和[^，。]{1,8}?)?(?:今天|又|也|都|终于|才|一致)*(?:学到(?:的是|了)?|"
    r"发现了?|决定|商定|约定(?:好)?|说好|明白了?|意识到|知道了?|原来(?:是)?|记住|切记|"
    r"教训(?:是)?|经验(?:是)?|结论(?:是)?|以后(?:都|就)?|从(?:今天|现在|今后|下周|"
    r"这周)起|下次|窍门是|诀窍是|关键是|定下|统一)+[，,：:]?"
)
_TALK = re.compile(
    r"(?i)^(?:(?:phone |video )?(?:call|meeting|chat|talk|lunch|coffee|1:1|sync|mail|email|"
    r"message)s? (?:with|from)|talked to|spoke (?:to|with)|from|per|asked|told by|according "
    r"to)\s+"
)
_TOLD = re.compile(
    r"(?i)\b(?:decision|decided|agreed|agreement)\b|决定|决议|约定|"
    r"商量|讨论|定了|说了?$|提醒|总结|记录|要求|通知|确认|查清|了$"
)
_TALK_END = re.compile(
    r"(?i)\s+(?:(?:at|on|from) [\d:.apm]+|today|again|called|says?|said|explained|finally "
    r"(?:clicked|works?|worked)|works?|worked)$"
)
_SPOKEN = re.compile(
    r"(?i)^(?:(?:the|our|my) (?:\w+ )?\w+|(?-i:[A-Z])[\w.]+(?: (?-i:[A-Z])\w+)?|she|he|they|i "
    r"(?:was|am) )"
    r"(?: (?:also|then|just|again|only))? ?(?:said|says|told (?:me|us)|explained|insist(?:s|"
    r"ed)(?! on)|"
    r"advised|advises|recommended|recommends|warned|reminded (?:me|us)|confirmed|found|showed "
    r"(?:me|us)|"
    r"wrote)(?: again| today| yesterday| last \w+)?(?: that| to)?[,:]? (?=\S+ \S+ \S)"
)
_TOLD_TO = re.compile(
    r"(?i)^(?:i |we )?(?:told|asked|reminded|taught) (?:the |my |our |all )?\w+(?: \w+)? (?:to|"
    r"that) (?=\S+ \S+ \S)"
)
_RUN_UP = re.compile(
    r"(?i)^(?:(?:so |and |well,? |yes,? |ok,? )*(?:there (?:it|we) (?:is|are|was|go|goes) again|"
    r"same as "
    r"[^,:;]{3,24}|once (?:more|again)|yet again|as (?:always|ever|usual)|sure enough|just "
    r"(?:like|as) "
    r"[^,:;]{3,24}|like last \w+|again|the old (?:story|thing|problem|rule)|agreed|settled|decided|"
    r"unanimous(?:ly)?|after [^,:;]{3,40}? (?:agreed|decided|settled|resolved)(?: that)?|"
    r"(?:one |small |quick )?(?:note|reminder|word)(?: (?:to|for) \w+)?|verdict|result|upshot|"
    r"(?:i|we) said (?:no|yes)|(?:she|he|they|the \w+) (?:put me on|prescribed|gave me|showed "
    r"me) [^:]{3,40}|it was(?:n['’]t| not) [^:]{3,40}|(?:i |we )?(?:finally |now "
    r")?(?:saw|see|know|understood|understand|got) why|[^,:;]{0,30},? for the (?:file|record|"
    r"minutes)|outcome|bottom line|in short|"
    r"short version|for the record|p\.?s\.?|nb|n\.b\.|update|"
    r"correction)"
    r"(?:(?:[,;] [^,:;]{3,40})?\s*:\s+|[,;]\s+|\s+[—–-]\s+|(?<=that)\s+|\s+(?=nobody|nothing|no "
    r"one)))"
)
_OLD_STORY = re.compile(
    r"(?i)(?:还是|又是|依旧是?)?老(?:样子|毛病|问题)[，,：:]|果然又?(?=[^，：:].{4})"
    r"|^(?:so |and )?(?:once (?:more|again)|yet again|sure enough|as (?:always|ever)),? (?=\w+ "
    r"\w+ \w)"
)
_RUN_UP_ZH = re.compile(
    r"^(?:不是[^，。：]{1,14}，(?:也不是[^，。：]{1,14}，)?(?:最后|而是|原来|结果)?(?:查清|发现|"
    r"查到|确认)?[是了]?|最后定(?:下来)?(?=[：:])|[跟和同](?:上次|去年|上回|"
    r"往年)[^，。]{0,6}一样|果然又?(?:还是)?(?:是?(?:这样|老问题|老毛病))?|又是(?:这样|老问题)|"
    r"还是那句话|(?:[^，。：]{1,8}，)?(?:护士|医生|大夫|药师|教练|主任|老师|师傅)(?:又|"
    r"还)?(?:交代|叮嘱|"
    r"嘱咐|说)(?=.{6})|还是老样子|老样子|照旧|一如既往|再次证明|"
    r"跟(?:上次|去年)一样|"
    r"(?:护士|医生|大夫|药师|教练|师傅|老师|老板|客户|老[\u4e00-\u9fff]|小[\u4e00-\u9fff]|"
    r"[他她])(?:又|还|也)?"
    r"(?:特别|反复|再三)?(?:交代|叮嘱|嘱咐|说|提醒|强调|建议|要求|告诉我)(?:过|了)?|"
    r"(?:大家|最后)?(?:一致)?(?:商量好|说定|定下来|决定)(?:了)?|备忘|更正|补充|结论|"
    r"记一下)(?:(?<=说)|(?<=交代)|(?<=叮嘱)|(?<=嘱咐)|[，,：:])[，,：:]?\s*"
)


def bare(text: str) -> str:
    """``text`` without label, opener and “we decided to”: the statement itself."""
    text = _without_run_up(cues.LABEL.sub("", text, count=1).strip())
    if is_chinese(text):
        cut = _SAYING_ZH.sub("", _OPENERS_ZH.sub("", text, count=1), count=1).strip(" ，,：:")
        cut = re.sub("^是(?=.{5})", "", cut)
        return cut if weight(cut) >= 2 else text
    before = text
    for _ in range(2):
        text = _OPENERS.sub("", text, count=1)
    said = _SAYING.match(text)
    if said and weight(text[said.end() :]) >= 3:
        rest = text[said.end() :]
        text = f"do {rest}" if re.match(r"(?i)not\s+\w", rest) else rest
        text = re.sub(r"^(?:to be|that|on|is|was|to)[:,]? ", "", text.lstrip(":, "))
    text = re.sub(r"(?i)^(?:be|you don['’]t, that is the point:) (?=\w+ \w)", "", text.strip())
    return _without_run_up(text) or before


def _without_run_up(text: str) -> str:
    """``text`` without who said it and what announces it, as long as enough remains."""
    for _ in range(2):
        for run_up in (_RUN_UP_ZH,) if is_chinese(text) else (_RUN_UP, _SPOKEN, _TOLD_TO):
            found = run_up.match(text)
            if found and weight(text[found.end() :]) >= 4:
                text = text[found.end() :]
    text = _OLD_STORY.sub("", text, count=1)
    return re.sub(
        r"(?i),? (?:again, )?(?:once more|once again|yet again)(?= (?:because|when|"
        r"after))",
        "",
        text,
    )


def divided(text: str) -> tuple[str, str]:
    """``text`` as what it is about and what it says: “Call with Ann: the door sticks, …”.

    The first part is ``""`` where the whole is the statement.
    """
    text = bare(text)
    found = re.match(r"^(.{2,60}?)(?::\s+|：\s*)(?=\S)", text)
    if not found or weight(found[1]) > 9 or balanced(found[1]) != found[1]:
        return "", text
    rest = text[found.end() :]
    says = _strength(rest) + (2.0 if rest.split(" ", 1)[0].lower() in cues.VERBS else 0.0)
    if weight(rest) < 3 or says < _strength(found[1]) or says <= 0:
        return "", text
    subject = _TALK_END.sub("", _TALK.sub("", found[1])).strip(_END)
    subject = re.sub(r"(?i)^(?:this|these|the following|it) (?:for|about|on) ", "", subject)
    if weight(subject) <= 3 and re.match(r"(?i)(?:they|it|he|she)\s", rest):
        return "", f"{subject} {rest.split(' ', 1)[1]}"
    talked = _TALK.match(found[1]) is not None or _TOLD.search(found[1]) is not None
    return ("" if talked else subject), bare(rest)


def balanced(text: str) -> str:
    """``text`` without a code span, bracket or quotation that was cut in its middle."""
    for opening, closing in (("`", "`"), ('"', '"'), ("(", ")"), ("“", "”"), ("「", "」")):
        odd = (
            text.count(opening) % 2
            if opening == closing
            else text.count(opening) > text.count(closing)
        )
        if odd:
            head = text[: text.rindex(opening)].rstrip(_END)
            text = head if weight(head) >= 3 else text.replace(opening, "")
    return text


def _strength(text: str) -> float:
    low = text.lower()
    return sum({c.kind: c.weight for c in cues.applicable(text) if c.stands_in(text, low)}.values())
