"""Pronouns: what “it” at the start of a statement means, looked for in the sentence before."""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline.runups import bare
from vault_dream.engine.dream.offline.words import is_chinese

EXPLETIVE = re.compile(
    r"(?i)^(?:it|that) was (?=(?:the|a|an|my|our) )|^(?:it|this|that) (?=(?:no longer|now) \w|"
    r"(?:costs?|takes?|pays?) [^.]* to \w)|^(?:it|"
    r"that|this|they|these|those)(?:['’]s| is| are| was| were) (?=(?:no longer|not|"
    r"now|always|"
    r"never|only|better|best|enough|important|worth)\b)"
)
PRONOUN_ONLY = re.compile(
    r"(?i)^(?:it|they|he|she|this|that|these|those|both|which)\b|^(?:它们?|[他她]们?|这|那)"
)
_NOUN = re.compile(
    r"(?i)^(?:(?:the|a|an|my|our|his|her|their) (?:[\w'’-]+ ){0,3}?[\w'’-]+|(?-i:[A-Z])[\w'’-]+"
    r"(?: (?-i:[A-Z])[\w'’-]+)?|(?:[\w'’-]+ )?[\w'’-]+s)(?=(?:['’]s)? (?:is|are|was|were|has|"
    r"have|had|needs?|"
    r"does|do|did|came|went|stands?|will|would|can|cannot|only|\w{3,}ed|[a-z]{3,}s)\b)".replace(
        "^(?:(?:the", "^(?P<noun>(?:the", 1
    )
)
_BARE_NOUN = re.compile(
    r"(?P<noun>[A-Z][\w'’-]+(?: [a-z][\w'’-]+){1,2})(?= (?:is|was|has|had|broke|stuck|\w{2,}ed)\b)"
)
_OBJECT = re.compile(
    r"(?i)\b(?:bought|got|have|had|use|used|tried|found|took|opened|fixed|changed|new) (?:a|an|"
    r"the|my|our) "
    r"(?P<noun>(?:[\w'’-]+ ){0,2}?[\w'’-]+)(?=[.,;:]|$| (?:for|from|in|on|at|with|to|that|which|"
    r"and|again|"
    r"today)\b)"
)
_NOUN_ZH = re.compile(
    r"^(?P<noun>[^，。：；、今昨明又也都]{1,8}?)(?=[今昨明]天|又|也|都|是|在|有|要|不|已|坏|会|"
    r"的话|，)"
)


def named(text: str, before: str) -> bool:
    """Whether the pronoun at the start of ``text`` has its noun in ``before``."""
    return bool(EXPLETIVE.match(bare(text)) or noun_for(before, text))


def noun_for(before: str, text: str) -> str:
    """The noun phrase in ``before`` that the pronoun at the start of ``text`` means."""
    before = bare(before)
    if is_chinese(before):
        found = _NOUN_ZH.match(before)
        return found["noun"] if found and not re.match("[我他她你]", found["noun"]) else ""
    person = re.match(r"(?i)(?:he|she)\b", text) is not None
    found = _NOUN.match(before)
    many = re.match(r"(?i)(?:they|these|those|both)\b", text) is not None
    if found and not re.match(r"(?i)(?:i|we|it|they|he|she|you|there|this|that)\b", found["noun"]):
        named = found["noun"][:1].isupper()
        if (not person or named) and (not many or re.search(r"s$| and ", found["noun"])):
            return found["noun"]
    if person:
        someone = re.search(r"(?<!^)\b(?!I\b)[A-Z][a-z]{2,}\b", before)
        return someone[0] if someone else ""
    bare_noun = _BARE_NOUN.match(before)
    if bare_noun and not many:
        return f"the {bare_noun['noun'][:1].lower()}{bare_noun['noun'][1:]}"
    bought = None if person else _OBJECT.search(before)
    return f"the {bought['noun']}" if bought else ""
