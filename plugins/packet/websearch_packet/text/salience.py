"""How much a sentence says: numbers, dates, names, definitions and steps are what a summary must not lose."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import get_args

from ..choices import Preserved

USUAL: tuple[Preserved, ...] = get_args(Preserved)

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)(?:uary|ruary|ch|il|ust|ember|ober)?"
DATE = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b(?:\d{{1,2}} )?{_MONTH}\.? (?:\d{{1,2}}, )?\d{{4}}\b|\b(?:1[5-9]|20)\d{{2}}\b"
)
FIGURE = re.compile(
    r"[$€£¥]\s?\d[\d.,]{0,20}(?:\s?(?:thousand|million|billion|trillion|bn|m|k))?\b"
    r"|\b\d[\d.,]{0,20}\s?(?:%|percent|per cent|thousand|million|billion|trillion"
    r"|km|kg|m|cm|mm|GB|MB|TB|ms|s|hours?|days?|years?)(?!\w)"
)
_SIGNS: dict[Preserved, tuple[re.Pattern[str], int]] = {
    "numbers": (re.compile(r"\d"), 2),
    "dates": (DATE, 2),
    "names": (re.compile(r"\b[A-Z][a-zà-ÿ]+(?: (?:of|de|van|von|la))? [A-Z][a-zà-ÿ]+"), 1),
    "definitions": (re.compile(r"\b(?:means|refers to|(?:is|are) defined as|(?:is|are) called|is an? |are )\b"), 3),
    "procedures": (re.compile(r"(?i)\b(?:steps?|first|then|next|finally|must|should)\b"), 2),
}
_REPORTED = re.compile(r"(?i)\b(?:said|says|announced|reported|found|showed|concluded|according to)\b")
_MONEY = re.compile(r"[$€£¥%]|\bpercent\b")
_SHORTEST, _LONGEST = 20, 300
_READ = 2000
"""Characters: who has said nothing until then is too long anyway."""


def salience(text: str, kind: str, preserve: Collection[str] = USUAL) -> float:
    """More for what must be kept, a little for headings and list items, less for what is very short or long."""
    text = text[:_READ]
    score = sum(points for name, (sign, points) in _SIGNS.items() if name in preserve and sign.search(text))
    score += bool(_REPORTED.search(text)) + 2 * bool(_MONEY.search(text)) + (kind in ("heading", "list"))
    return score - (len(text) < _SHORTEST) - (len(text) > _LONGEST)
