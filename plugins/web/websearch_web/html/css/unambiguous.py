"""What of a style sheet every browser reads alike: in doubt, a rule may hide, but shows nothing (CSS Syntax 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ESCAPED = re.compile(r"\\(?:[0-9a-f]{1,6}\s?|[^\n])", re.IGNORECASE)
_NAME = r"(?:--|-?[^\W\d])[\w-]*+"
_ATTRIBUTE = re.compile(
    rf"\[\s*{_NAME}\s*(?:[~|^$*]?=\s*(?:{_NAME}|\"[^\"\n]*\"|'[^'\n]*')\s*(?:(?<=[\s\"'])i\s*)?)?\]", re.IGNORECASE
)
_STATE = (
    r":(?:(?:first|last|only)-(?:child|of-type)|root|empty|hover|focus(?:-within|-visible)?|active|visited|link|target|"
    r"checked|disabled|enabled)(?![\w-])"
)
_COMPOUND = re.compile(rf"(?:\*|{_NAME})?+(?:[.#&]{_NAME}|&|{_STATE})*+", re.IGNORECASE)
_COMBINATOR = re.compile(r"\s*[>+~]\s*|[ \t\n]+")
_DRAWN = re.compile(r"::?(?:before|after)\s*(?=,|$)", re.IGNORECASE)
_FUNCTION = re.compile(r":(is|where|not|has|nth-(?:last-)?(?:child|of-type))\(([^()]*)\)", re.IGNORECASE)
_NTH = re.compile(r"\s*(?:odd|even|[+-]?\d*n(?:\s*[+-]\s*\d+)?|[+-]?\d+)\s*", re.IGNORECASE)
_HAS = re.compile(r":has\(", re.IGNORECASE)
_FEATURE = r"\(\s*+(?:[a-z-]++\s*+(?::\s*+[\w./-]++\s*+)?|[\w.\s<>=-]++)\)"
_QUERY = rf"(?:(?:only\s+)?(?:screen|all)|{_FEATURE})(?:\s+and\s+{_FEATURE})*+"
_AT = re.compile(
    rf"@(?:media(?:\s*(?=\()|\s+){_QUERY}(?:\s*,\s*{_QUERY})*+|layer(?:\s+(?:{_NAME}(?:\.{_NAME})*+|\0\d+))?)",
    re.IGNORECASE,
)
"""At-rules of which it is certain whether they hold."""
_PLAIN = r"[^()\[\]{};\"'\\]++|\\.|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'"
MAX_DEPTH = 6
MAX_CHARS = 10_000
"""Of the selectors of a rule; of longer ones nothing is certain."""


def is_certain(around: Sequence[str]) -> bool:
    """Whether every browser reads what stands in these rules and at-rules, and applies it."""
    if sum(map(len, around)) > MAX_CHARS or sum(len(_HAS.findall(prelude)) for prelude in around) > 1:
        return False  # `:has()` within another is none
    nested = False
    for prelude in around:
        if prelude[:1] == "@":
            if _AT.fullmatch(prelude.strip()) is None:
                return False
        elif _is_list(prelude, relative=nested):
            nested = True
        else:
            return False
    return True


def _is_list(selectors: str, *, relative: bool) -> bool:
    """Whether all selectors are valid: browsers drop a rule with one that is not."""
    text = _ATTRIBUTE.sub("&", _ESCAPED.sub("x", selectors) if "\\" in selectors else selectors)
    for _ in range(MAX_DEPTH):
        if "(" not in text:
            break
        text = _FUNCTION.sub(_judged, text)
    return _are_complex(_DRAWN.sub("&", text), relative=relative)


def _judged(found: re.Match[str]) -> str:
    name, inner = found[1].lower(), found[2]
    right = _NTH.fullmatch(inner) if name.startswith("nth-") else _are_complex(inner, relative=name == "has")
    return "&" if right else "!"


def _are_complex(selectors: str, *, relative: bool) -> bool:
    for selector in selectors.split(","):
        text = selector.strip()
        at = 0
        if relative and text[:1] in {">", "+", "~"}:
            at = len(text) - len(text[1:].lstrip())
        while (compound := _COMPOUND.match(text, at)) is not None and compound.end() > at:
            at = compound.end()
            if at == len(text):
                break
            if (step := _COMBINATOR.match(text, at)) is None:
                return False
            at = step.end()
        else:
            return False
    return True


def _bracketed(depth: int) -> str:
    within = f"{_PLAIN}|{_bracketed(depth - 1)}" if depth > 1 else _PLAIN
    return rf"\((?:{within})*+\)|\[(?:{within})*+\]"


_SOUND = re.compile(rf"(?:{_PLAIN}|[{{}};]|{_bracketed(MAX_DEPTH)})*+", re.DOTALL)
"""Brackets that match, and strings that end."""


def doubted_from(text: str) -> int:
    """Where a sheet, without its comments and addresses, stops being read alike by its brackets and strings."""
    found = _SOUND.match(text)
    return found.end() if found else 0
