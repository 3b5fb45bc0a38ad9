"""Secrets in notes: well-known shapes of keys and passwords, found and blacked out.

A shape is listed only if ordinary prose cannot have it; ``password: tea`` in a sentence about tea
is no secret, ``password: hunter2!x9`` is. They are redacted before text reaches a model, and never
written into a node (DESIGN, *Checks*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

REDACTED = "[redacted]"

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        r"\b(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{16}\b",  # AWS access key ids
        r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}\b",
        r"\bglpat-[A-Za-z0-9_-]{20,}\b",  # GitLab
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
        r"\bsk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{20,}",  # OpenAI and its kin
        r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b",  # Stripe
        r"\bAIza[A-Za-z0-9_-]{35}\b",  # Google
        r"\bya29\.[A-Za-z0-9_-]{20,}",
        r"\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{50,}",
        r"\bhf_[A-Za-z0-9]{30,}\b|\bdop_v1_[a-f0-9]{64}\b|\bSG\.[\w-]{20,}\.[\w-]{20,}",
        r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",  # JSON web tokens
        r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b",  # Telegram bots
    )
)
_IN_URL = re.compile(r"(?<=://)([^\s/:@]{1,100}):([^\s/@]{1,200})(?=@)")
# Between a name and its secret stand markup, a table's border, "is" or a colon.
_MARKUP = r"[*_`\"'“‘]{0,4}"
_NAMED = re.compile(
    r"(?i)(?<![A-Za-z])(?:password|passwd|passwort|passphrase|passcode|pwd|secret|token|pin"
    r"|(?:api|access|secret|auth|recovery|wi-?fi|wlan)[ _-]?(?:key|code|token|password)"
    rf"|client[ _-]secret)(?![A-Za-z]){_MARKUP}[ \t]*(?P<verb>is\b|was\b|ist\b|=|:|：|\|)[ \t]*"
    rf"{_MARKUP}[ \t]*(?P<value>[^\s\"'`,;|*]{{6,}})"
    rf"|(?:密码|口令|密钥|验证码){_MARKUP}[ \t]*(?:是|为|=|:|：|\|)[ \t]*{_MARKUP}[ \t]*"
    r"(?P<zh>[^\s\"'”’`，。；|*]{6,})"
)
# The same without a verb or colon between ("the password hunter2!x9"), where only what nobody
# would write as a word counts; and codes of digits, which only their name tells from other numbers.
_BESIDE = re.compile(
    r"(?i)(?<![A-Za-z])(?:password|passwd|passwort|kennwort|passphrase|pwd|pw|contraseña|senha"
    r"|mot de passe|(?:api|access|secret|auth|wi-?fi|wlan)[ _-]?(?:key|token|password))(?![A-Za-z])"
    r"(?:[ \t]+(?:lautet|is|was|ist|est|es|é|still|now|to|for \w+|of \w+|für \w+)){0,2}"
    rf"[ \t=:]+{_MARKUP}(?P<value>[^\s\"'`,;|*]{{6,}})"
    rf"|(?:密码|口令){_MARKUP}[ \t]*(?P<zh>[A-Za-z0-9!-/:-@\[-`{{-~]{{6,}})"
)
_CODE = re.compile(
    r"(?i)(?<![A-Za-z])(?:pin(?:[ -]?(?:code|number))?|(?:door|gate|alarm|safe|entry|lock|unlock"
    r"|puk|sim|card|key ?box|key ?safe)[ -](?:code|pin|combination)|puk|türcode"
    r"|geheimzahl|code pin)(?![A-Za-z])(?:[ \t]+(?:for|of|to)(?:[ \t]+\w+){1,4})?"
    rf"[ \t]*(?:is|was|ist|lautet|=|:|：|now|has changed to|changed to)?[ \t:]*{_MARKUP}"
    r"(?P<value>\d{4,8})(?![\w.,]*\d)"
    r"|(?:门禁|开门|保险箱|报警|取款|银行卡)的?密码[ \t]*(?:是|为|=|:|：|改成|换成)*[ \t]*"
    r"(?P<zh>\d{4,8})"
)
_CARD = re.compile(r"(?<![\w.-])(?:\d{4}[ -]){3}\d{1,7}(?![\w-])|(?<![\w.-])\d{15,16}(?![\w-])")


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """The spans of what looks like a secret, in no order; spans may overlap."""
    for shape in _SHAPES:
        for match in shape.finditer(text):
            yield match.span()
    for match in _IN_URL.finditer(text):
        yield match.span(2)
    for match in _NAMED.finditer(text):
        group = "value" if match["value"] else "zh"
        spoken = (match["verb"] or "").isalpha()
        if _looks_made(match[group], spoken=spoken):
            yield match.span(group)
    for match in _BESIDE.finditer(text):
        group = "value" if match["value"] else "zh"
        if _is_no_word(match[group]):
            yield match.span(group)
    for match in _CODE.finditer(text):
        yield match.span("value" if match["value"] else "zh")
    for match in _CARD.finditer(text):
        if _adds_up(match[0]):
            yield match.span()


def _looks_made(word: str, *, spoken: bool) -> bool:
    """Whether a word after "password:" is one: it mixes letters with digits or signs.

    In a sentence ("the secret is well-kept") a hyphen is no sign.
    """
    word = word.rstrip(".!?)")
    if spoken and word.replace("-", "").isalpha():
        return False
    kinds = (
        any(letter.isalpha() for letter in word),
        any(letter.isdigit() for letter in word),
        any(not letter.isalnum() for letter in word.strip("-_/.")),
    )
    return len(word) >= 6 and sum(kinds) >= 2 and not word.startswith(("http", "[[", "<"))


def _is_no_word(word: str) -> bool:
    """Whether ``word`` can only be a password: it has letters and digits among each other."""
    word = word.rstrip(".!?)")
    made = _looks_made(word, spoken=True)
    return made and any(map(str.isalpha, word)) and any(map(str.isdigit, word)) and len(word) >= 6


def _adds_up(card: str) -> bool:
    """Whether the digits of a payment card pass its check sum (ISO/IEC 7812, Luhn)."""
    digits = [int(sign) for sign in card if sign.isdecimal()]
    if not 15 <= len(digits) <= 16 or digits[0] not in (3, 4, 5, 6) or len(set(digits)) == 1:
        return False
    doubled = [n * 2 - 9 * (n > 4) for n in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0


def redact(text: str) -> str:
    """``text`` with every secret replaced by :data:`REDACTED`."""
    spans = sorted(secrets_in(text))
    if not spans:
        return text
    out: list[str] = []
    at = 0
    for start, end in spans:
        if end <= at:
            continue
        if start >= at:
            out += (text[at:start], REDACTED)
        at = end
    return "".join((*out, text[at:]))
