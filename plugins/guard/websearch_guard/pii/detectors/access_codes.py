"""Codes that open something: PINs, one-time and recovery codes, the secrets that they are made from, hashes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text.prepared_text import Reading, Span

_HINT = re.compile(
    r"pin|code|otp|2fa|mfa|recover|backup|authenticator|seed|secret|combination|\$\w|bitlocker|filevault|geheimzahl|clave"
    r"|senha|passwor|wachtwoord|contrase|haslo|hasło|пароль|пин|kennwort|mot de passe|密码|暗証"
)
_OWN = (
    r"(?:my|his|her|our|mein|meine|mon|mi|il mio|minha|mijn|atm|card|debit|credit|bank|sim|phone|iphone|ipad|apple"
    r"|device|door|gate|alarm|safe|locker|garage|vault|luggage|suitcase|house|building|apartment|entry|keypad|lock|voicemail"
    r"|parental|tablet|laptop|windows|unlock|screen)"
)
_NAMED = r"(?:pin|pin ?code|pin ?number|pass ?code|code|combination|combo|geheimzahl|clave)"
_VALUE = r"(?: is| was| ist| est| es|:| =|=|#)?[ ]{0,2}(\d{4,8})(?![\d.,-]|\w)"
_PATTERNS = (
    re.compile(rf"(?<!\w){_OWN}(?: \w{{2,12}}){{0,2}} {_NAMED}(?: (?:for|to) [\w ]{{1,20}})?{_VALUE}", re.IGNORECASE),
    re.compile(
        rf"(?<!\w)(?:pin|pass ?code|geheimzahl|пин(?:-?код)?) ?(?:no|nr|number|code)?{_VALUE}"
        rf"(?=[^\n]{{0,40}}\b(?:{_OWN[3:-1]}|forgot\w{{0,4}})\b)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:pin|code|pass ?code|geheimzahl|nip)(?: ?(?:code|number|no))? "
        r"(?:for|of|to|on|at|für|von|de|del|della) "
        r"(?:my|his|her|our|the|meine?|mi|la|le|el|mon|ma|mom\W?s|dad\W?s) "
        r"(?:[\w']{1,16} ){1,3}(?:is|was|ist|es|est|è|:|=) ?(\d{4,8})(?![\d.,-]|\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:safe|locker|lock|padlock|vault|suitcase|briefcase) (?:combination|combo|code|numbers?)"
        r"(?: is| was|:| =)? "
        r"(\d{1,2}[- ]\d{1,2}[- ]\d{1,2}(?:[- ]\d{1,2})?)(?![\d.,-]|\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:otp|one[- ]time (?:code|password|pin)|2fa|mfa|(?:2|two)[- ]?(?:step|factor)|tan|sms code|"
        r"(?:verification|security|login"
        r"|confirmation|auth|authentication|authenticator|access|unlock|door|gate|alarm) code|passcode)"
        r"(?: code)?(?: (?:for|to|of|on|at|in)(?: [\w']{1,12}){1,4}?)?" + _VALUE,
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:password|pass ?code|passwort|kennwort|senha|contraseña|clave|wachtwoord|hasło"
        r"|haslo|пароль|密码|mot de passe|mdp)"
        r"(?: \w{1,12}){0,2}?(?: is| ist| est| es| é|:)? (\d{6,12})(?![\d.,-]|\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:recovery|backup|emergency|scratch|restore|wiederherstellungs\w{0,6}|2fa|mfa|totp|otp"
        r"|authenticator)[- ]?"
        r"(?:codes?|keys?|secrets?|seeds?|setup key|tokens?|is)(?: (?:is|are|for|from) ?\w{0,12}){0,2}[: =]{1,3}"
        r"((?=[\w ,-]{0,8}\d)[A-Za-z0-9]{4,8}(?:[- ,]{1,2}(?=\w*\d)[A-Za-z0-9]{4,8}){1,11}"
        r"|(?=\w*\d)[A-Za-z0-9]{8,40})(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:secret|seed|2fa|totp|otp|authenticator)\w{0,4}(?: \w{2,8})?[: =]{1,3}([A-Z2-7]{16,64}=*)(?!\w)"
    ),
    re.compile(
        r"\b(?:guard|verification|login|backup|recovery) code(?: is|:)? ((?=\w*\d)(?=\w*[A-Z])[A-Z0-9]{5,10})(?!\w)"
    ),
    re.compile(r"(?<![\w-])(\d{6}(?:-\d{6}){7})(?![\w-])"),
    re.compile(r"(\$(?:apr1|2[aby]|[156]|argon2id?|y)\$[\w./$=,+]{20,200})"),
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def codes(reading: Reading) -> Iterator[Span]:
    """Beside the words that name them, or in a shape of their own; a year is none."""
    if reading.strict or not _HINT.search(reading.lower):
        return
    for pattern in _PATTERNS:
        for match in pattern.finditer(reading.text):
            if not _YEAR.fullmatch(match[1]):
                yield Span("password", match.start(1), match.end(1), 0.8)
