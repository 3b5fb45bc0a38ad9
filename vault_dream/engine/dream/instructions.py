"""Instructions in notes: text that speaks to a machine instead of to its owner.

Two kinds of sign. A strong one alone is enough: nobody tells a notebook to ignore its previous
instructions. Weak ones are ordinary by themselves ("delete report.md", "reply only with yes"), and
count only where two different ones meet in one paragraph. Notes that talk *about* models, prompts
and passwords have neither, or one.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vault_dream.engine.dream.disguises import undisguised

_MACHINE = (
    r"(?:A\.?I\.?s?|LLMs?|(?:large )?language models?|chat ?bots?|AI (?:assistant|agent|model"
    r"|system"
    r"|reader)s?|(?:note|memory|vault|automated|dream)[ -](?:summari[sz]er|assistant|agent|reader"
    r"|integrator|extractor|system)s?|vault[ -]dream|chatgpt|gpt-?\d\w*|KI|Sprachmodell)"
)
_WRITE = (
    r"(?:write|save|put|append|add|create|delete|remove|erase|wipe|overwrite|move|rename|replace"
    r"|edit|change|copy|send|post|upload|forward|e-?mail|insert|embed|store|record|drop|run|execute"
    r"|fetch|open|visit|load|call|render)"
)
_STRONG_ENGLISH = (
    # what came before no longer counts
    r"\b(?:ignore|disregard|forget|override|overrule"
    r"|bypass)\b[^.\n]{0,30}\b(?:previous(?:ly)?|prior"
    r"|preceding|above|earlier|foregoing|former)\b[^.\n]{0,24}\b(?:instruction|prompt|rule"
    r"|guideline"
    r"|directive|command|constraint|programming|restriction)s?\b",
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,12}\b(?:your|all system|system)\b"
    r"[^.\n]{0,16}\b(?:instruction|prompt|rule|guideline|directive|programming|restriction)s?\b",
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,16}\b(?:instructions?|prompts?|rules"
    r"|guidelines|directives)\b[^.\n]{0,12}\b(?:above|before this|so far|you were given|you got)\b",
    r"\b(?:ignore|disregard) (?:all|any) (?:the |of the )?(?:previous|prior|above|earlier) "
    r"(?:messages?|directions?|text|context)\b",
    r"(?:ignore|disregard|override)\W?(?:(?:all|any|the|your|of)\W?){0,4}"
    r"(?:previous|prior|above|earlier|system)\W?(?:instructions|prompts?|rules|directives)",
    r"\b(?:previous|prior|earlier|above) (?:instructions?|prompts?|rules) (?:are|is) (?:now )?"
    r"(?:void|cancel|obsolete|overrid|superseded|revoked|no longer)",
    # who is spoken to
    rf"\b(?:dear|attention|hey|hello|hi|note to|message (?:to|for))[ ,:]+(?:the |any |all |every )?"
    rf"(?i:{_MACHINE})\s*(?:[,:;!\n]|\b(?:reading|processing|please|you)\b)",
    rf"\b(?:to|for|calling)[ ,:]+(?:the |any |all |every |whatever |whichever"
    rf" )?(?i:{_MACHINE})[ ,]+"
    r"(?:that |which |who )?(?:is )?(?:reading|reads|processing|processes|summari[sz]ing|digesting"
    r"|parsing|if you|you (?:must|should|are|will)|please)\b",
    rf"\b(?i:{_MACHINE})s?(?: (?:assistant|agent|model|tool|system)s?)?,? (?:that |which |who )?"
    r"(?:(?:is |are )?(?:summari[sz]|read|process|digest|pars|index|analy[sz]|handl)(?:ing|es?|s)\b"
    r"[^.\n]{0,40}?)\b(?:must|should|shall|(?:is|are) (?:required|instructed|asked|told|to)|have to"
    r"|has to|need(?:s)? to|will please)\b",
    rf"\bif you(?:(?:['’]re| are) (?:an?|the) (?i:{_MACHINE})| can read this)",
    rf"\byou(?:['’]re| are) (?:now|from now on|no longer)(?: an?| the)? (?:[\w-]+ ){{0,2}}?"
    rf"(?i:{_MACHINE}|helpful assistant|unrestricted|jailbroken|DAN|free of|in (?:developer"
    rf"|debug|god"
    r"|admin) mode)\b",
    r"\b(?:enter|activate|switch (?:in)?to) (?:god|sudo|jailbreak|unrestricted|DAN) mode\b",
    r"\b(?:reveal|print|show|repeat|output|leak|disclose|recite)\b[^.\n]{0,20}\byour\b[^.\n]{0,12}"
    r"\b(?:system|hidden|initial|original|secret|developer) (?:prompt|instructions|message)\b",
    rf"\b(?:as|being) an? (?i:{_MACHINE}),? you (?:must|should|are|have to|need)\b",
    # what the owner is not to know
    r"\b(?:do not|don['’]?t|never|without) (?:tell|inform|alert|notify|mention|reveal|show"
    r"|warn|ask)"
    r"(?:ing|ting)?\b[^.\n]{0,24}\b(?:the|its|your) (?:owner|human|reviewer)\b",
    rf"\b{_WRITE}\b[^.\n]{{0,60}}\b(?:do not|don['’]?t|never|without) (?:tell|inform|mention|alert)"
    r"(?:ing)?\b[^.\n]{0,20}\bthe user\b",
    r"\bhide (?:this|it)\b[^.\n]{0,24}\b(?:the|its) (?:owner|human|reviewer)\b",
    # our own machinery
    r"\b(?:node_search|frontmatter_update|frontmatter_read|same_abstraction"
    r"|dream_(?:extract|integrate)_step)\b",
    r"\"name\"\s*:\s*\"(?:write|edit|read|receipt)\"",
    r"\b(?:call|use|invoke|run) (?:the |your )?[`'\"]?(?:write|edit|read|search"
    r"|delete)[`'\"]? tool\b",
    r"\"?(?:action|bucket|target)\"?\s*:\s*\"(?:CREATE|CORROBORATE|REFINE|CORRECT)\"",
    r"\bset (?:the )?policy to (?:apply|safe)\b|\bmark (?:this|the|every|each)(?: \w+)? "
    r"(?:proposal|unit|node|source|note) as (?:trusted|safe|approved|verified|reviewed)\b"
    r"|\bmark (?:this|every) (?:proposal|unit|node|source|note)s? as\b",
    r"\b(?:tool|function)_(?:result|output|response|call)s?\s*[:>\]]"
    r"|[<\[](?:tool|function)[ _-]?(?:result|output|response|call)s?\b",
    rf"(?:^|[.!?:;\n]\s*|\b(?:please|now|then|must|should|to)\s+){_WRITE}\b[^.\n]{{0,60}}?"
    r"(?<![\w/])(?:digest|metadata|\.obsidian|\.trash|\.git|\.\.)/",
    r"\b(?:add|append|insert|include|embed|render|load|put|place"
    r"|write)\b[^.\n]{0,60}!\[[^\]\n]*\]\("
    r"\s*<?https?:",
    r"\b(?:encode|append|put|include|add|send|post|exfiltrate|upload|leak)\b[^.\n]{0,50}\b(?:vault"
    r"|notes?|secrets?|passwords?|api keys?|contents?)\b[^.\n]{0,50}\b(?:to|in|into|as|at)\b"
    r"[^.\n]{0,20}(?:https?://|\bwebhook\b|\bquery string\b)",
    r"\bsystem override\b|^\W*(?:begin|start|end) (?:of )?(?:the )?(?:system|user|untrusted) "
    r"(?:prompt|instructions?|message|input|data|note)\W*$",
    r"</?(?:system|assistant|tool_result|function_results?|untrusted)>",
    r"<\|?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|>|\[/?INST\]"
    r"|<</?SYS>>|^#{2,4} ?(?:system|instruction|assistant|response) ?: *$",
    r"\bwhen (?:you )?(?:(?:are )?(?:processing|summari[sz]ing|integrating|extracting|digesting)"
    r"|process|summari[sz]e|integrate|extract|digest)\b[^.\n]{0,16}\b(?:this|these) (?:note|file"
    r"|page|text|document|day)s?\b[^.\n]{0,12}(?:,| you\b| always| never| do not| also)",
    r"\b(?:answer|respond|reply) with\b[^.\n]{0,12}\b(?:an empty list|no units)\b",
)
_STRONG_OTHER = (
    r"(?:忽略|无视|忘记|忘掉|不要理会|不用管|抛开|推翻)[^。\n]{0,10}(?:以上|上述|之前|先前"
    r"|前面|此前|所有|一切|系统)"
    r"[^。\n]{0,8}(?:指令|指示|提示|要求|规则|命令|设定|限制)",
    r"系统(?:提示词|指令|覆盖)[：:]|你(?:现在|从现在起|从此)?(?:是|扮演)(?:一个"
    r"|一名)?[^。\n]{0,8}(?:AI|人工智能"
    r"|语言模型|大模型|智能助手|没有限制)",
    r"(?:致|给|亲爱的|请注意[，,]?|告诉|提醒)(?:正在)?(?:阅读|处理|整理"
    r"|读到)?[^。\n，,]{0,12}(?:AI|人工智能|语言模型"
    r"|大模型|智能助手|机器人)[^。\n]{0,4}[：:，,！!]",
    r"如果你是(?:一个|一名)?(?:AI|人工智能|语言模型|大模型|智能助手|机器人)",
    r"(?:不要|别|无需|禁止)(?:(?:告诉|告知)(?:用户|使用者)|(?:告诉|通知|让|提醒"
    r"|告知)[^。\n]{0,4}(?:主人|人类))",
    r"(?:写入|写到|保存到|移动到|删除|删掉|覆盖|修改)[^。\n]{0,20}(?<![\w/])(?:digest"
    r"|metadata|\.obsidian|daily)/",
    r"(?:删除|清空|抹掉)(?:所有|全部|整个)(?:的)?(?:笔记|节点|知识库|文件|链接)",
    r"\b(?:ignorier|vergiss|missacht|verwirf|übergeh)\w*\b[^.\n]{0,40}\b(?:vorherig|bisherig|obig"
    r"|früher|vorangegangen|alle|sämtlich|deine)\w*\b[^.\n]{0,24}\b(?:anweisung|instruktion|regel"
    r"|befehl|vorgabe|prompt)\w*",
    r"\bdu bist (?:jetzt|nun|ab sofort|ab jetzt)? ?(?:eine?)? ?(?:KI|Sprachmodell|KI-\w+)\b",
    r"\b(?:sag|verrate|erzähl|melde)\w*\b[^.\n]{0,16}\b(?:nutzer|benutzer|besitzer|anwender)\w*\b"
    r"[^.\n]{0,16}\b(?:nichts|nicht|kein)",
    r"\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,30}\b(?:instructions|consignes|règles)\b[^.\n]{0,20}"
    r"\b(?:précédentes|antérieures|ci-dessus)",
    r"\b(?:ignora|olvida|ignore)\b[^.\n]{0,30}\b(?:instrucciones|reglas|instruções)\b[^.\n]{0,20}"
    r"\b(?:anteriores|previas|de arriba)",
    r"(?:игнорируй|забудь|не обращай)\w*[^.\n]{0,30}(?:предыдущ|прежн|все|выше)\w*[^.\n]{0,20}"
    r"(?:инструкц|указани|правил|команд)",
    r"(?:これまで|上記|以前|前)の(?:すべての)?(?:指示|命令|プロンプト|ルール)を?(?:無視|忘れ)",
)
_WEAK = (
    rf"\b(?i:{_MACHINE})\b|\bassistant\b|(?:AI|人工智能|语言模型|大模型|助手)",
    rf"(?:^|[.!?:;\n]\s*|\b(?:please|now|then|must)\s+){_WRITE}\b[^.\n]{{0,60}}?(?:\S+\.(?:md"
    rf"|json|ya?ml"
    r"|txt)\b|(?<!\w)(?:daily|~|/etc|/home)/|https?://|\b(?:every|all|the other|any)"
    r" (?:notes?|nodes?"
    r"|files?|links?|entries)\b)",
    rf"\byou (?:must|should|have to|need to|are (?:required|instructed|ordered|to)|will now)\b"
    rf"(?: now| also| first| always)? {_WRITE}",
    r"\b(?:new|updated|additional|important|urgent|final|real|special) instructions?\b|\bend"
    r" of (?:the )?"
    r"(?:notes?|data|document|input|context)\b|\bsystem (?:message|notice|notification|alert)\b"
    r"|(?:新的?|重要)指令",
    r"(?:^|[.!?:\n]\s*)(?:respond|reply|answer|output|print|return|say"
    r"|state)\b[^.\n]{0,12}\b(?:only"
    r"|exactly|verbatim|nothing but)\b",
    r"\b(?:user|owner|human|administrator|developer) (?:has |have )?(?:already )?(?:approved"
    r"|authori[sz]ed"
    r"|agreed|consented|wants you|asks you|requested that you)\b|\bauthori[sz]ed (?:override"
    r"|request)",
    r"\b(?:all|the|every|any) (?:passwords?|secrets?|api keys?|credentials|tokens|private"
    r" notes?)\b",
    r"\b(?:do not|don['’]?t|never|without) (?:tell|inform|alert|notify|mention|reveal|show"
    r"|warn|ask)"
    r"(?:ing|ting)?\b[^.\n]{0,24}\bthe user\b|\b(?:developer|debug|admin) mode\b|\btool_calls?\b",
    r"\bfrom now on\b|\bat all times\b|从现在(?:起|开始)",
    r"\"(?:role|content|messages|units|arguments)\"\s*:|^(?:system|assistant|tool)\s*:",
    r"请(?:把|将|立即|直接)[^。\n]{0,20}(?:写|保存|删除|发送|移动|添加)",
)

_FLAGS = re.IGNORECASE | re.MULTILINE
_STRONG = tuple(re.compile(pattern, _FLAGS) for pattern in (*_STRONG_ENGLISH, *_STRONG_OTHER))
_SIGNS = tuple(re.compile(pattern, _FLAGS) for pattern in _WEAK)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
LONGEST_SHOWN = 100


@lru_cache(maxsize=64)
def orders_in(text: str) -> str:
    """The words of ``text`` that order a machine about, ``""`` where there are none."""
    for reading in undisguised(text):
        for strong in _STRONG:
            if match := strong.search(reading):
                return _shown(match[0])
        for paragraph in _PARAGRAPH.split(reading):
            found = [match for sign in _SIGNS if (match := sign.search(paragraph))]
            if len(found) >= 3 or (len(found) == 2 and _commanding(found)):
                return _shown(min(found, key=lambda match: match.start())[0])
    return ""


def _commanding(found: list[re.Match[str]]) -> bool:
    """Whether one of two weak signs is an order: two mere mentions are talk."""
    orders = (_SIGNS[1], _SIGNS[2], _SIGNS[4], _SIGNS[-1])
    return any(match.re in orders for match in found)


def _shown(words: str) -> str:
    return " ".join(words.split())[:LONGEST_SHOWN]
