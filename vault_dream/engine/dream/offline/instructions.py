"""Instructions: what a professional told the owner to take or do, with values and reasons.

They come as reported speech or in fragments: “one tablet every second day, not daily, since …”.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline.words import weight

_PROFESSIONAL = re.compile(
    r"(?i)\b(?:doctor|dr\.?|gp|nurse|physio(?:therapist)?|dentist|hygienist|pharmacist|midwife|"
    r"surgeon|therapist|dieti[ct]ian|nutritionist|optician|specialist|consultant|cardiologist|"
    r"dermatologist|pa?ediatrician|clinic|practice|surgery|pharmacy|hospital|vet|trainer|coach|"
    r"check-?up)\b|医生|大夫|护士|药师|牙医|理疗|康复师|营养师|主任|复诊|门诊|医院|诊所|药房|"
    r"兽医|教练|体检|看病"
)
_TOLD = re.compile(
    r"(?i)\b(?:said|says|told|explain\w+|advis\w+|recommend\w+|prescri\w+|wants? me|went through|"
    r"instruct\w+|gave me|put me on|insist\w+|check-?up|appointment|saw the|orders?|showed me|"
    r"(?:my|new) (?:doctor|dentist|physio|gp|surgeon|midwife|dos(?:e|age))|dos(?:e|age) from)\b"
    "|(?:医生|大夫|护士|药师|教练|师傅|主任|[她他])说|交代|叮嘱|嘱咐|建议|开了|让我|医嘱|复诊"
)
"""What shows that the owner was told, and is not the one who tells."""
_VALUE = re.compile(
    r"(?i)\b(?:sprays?|tablets?|pills?|drops?|capsules?|dos(?:e|es|age)|ointment|cream|puffs?|"
    r"spoon(?:s|fuls?)?|sachets?|injections?|units|inhaler|patch|exercises?|sets?|reps|splint|"
    r"bandage|brace|compress|antibiotics?|insulin|painkillers?|\d+ ?(?:mg|mcg|ml|g|iu))\b"
    r"|\b(?:once|twice|(?:two|three|four|\d) times) (?:a|per) (?:day|week)\b"
    r"|\b(?:twice|(?:two|three|four|\d+) times) \w+|\bfor (?:\w+ )?(?:days|weeks|months)\b"
    r"|\b(?:\w+ )?weeks before\b|\bevery (?:second|other|third|\w+) (?:day|hours?|night|"
    r"morning)\b|\bempty stomach\b"
    r"|\b(?:before|after|with|between) (?:meals?|food|breakfast|bed)\b"
    r"|一天[一二两三四\d]次|[每隔][日天晚]|饭[前后]|空腹|[一两半\d]片|[几\d]滴|毫[升克]|药膏|"
    r"[涂敷]|忌口?|药|"
    r"[\d一两三十]+(?:组|分钟)"
)
_BIDS = re.compile(
    r"(?i)\b(?:not|no (?:more|coffee|alcohol|milk|tea)|clear of|instead|avoid|keep|take|apply|"
    r"leave|rest|stop|at most|at least|until|for (?:\w+ )?(?:days|weeks|months))\b"
    "|不能|不要|别|再|要|避免|坚持|至少|最多|先"
)


def prescribed(text: str, before: str, *, argued: bool, bids: bool) -> bool:
    """Whether ``text``, said after ``before``, is such an instruction; ``argued``: it gives a
    reason, a condition or a contrast; ``bids``: it begins with what to do."""
    if weight(text) < 7 or not _VALUE.search(text):
        return False
    near = f"{before} {text}"
    told = _PROFESSIONAL.search(near) is not None and (
        _TOLD.search(near) is not None or (bids and _PROFESSIONAL.search(before) is not None)
    )
    return told and (argued or _BIDS.search(text) is not None)
