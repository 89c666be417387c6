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
_TOKEN = re.compile(
    r"[\\\"'{}()\[\];-](?:"
    r"(?<=\{)(?:(?:[^{}()\[\]\"'\\]++|\([^{}()\[\]\"'\\;]*+\))*+\})?|"
    r"(?<=\\).|(?<=\")(?:[^\"\\\n]|\\.)*+\"|(?<=')(?:[^'\\\n]|\\.)*+'|"
    r"(?<![\w.#-]-)(?<=-)-[\w-]*+\s*:|(?<=[\"'()\[\]};]))",
    re.DOTALL,
)
"""Most rules are one, which holds nothing that could go wrong. All begin with one class: so they are found sooner."""
_OPENED = {")": "(", "]": "["}
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)
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


def doubted_from(text: str) -> int:
    """Where a sheet, without its comments and addresses, stops being read alike.

    That is where brackets do not match, a string has no end, or what is no rule stands between rules.
    """
    groups: list[bool] = []
    rules = 0  # that are open: looked for anew at each mark, deep nesting would take quadratic time
    brackets: list[str] = []
    custom = False
    begun = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark[0] == "{" and (brackets or custom):
            return token.start()
        if mark[0] == "{" and mark != "{":
            begun = token.end()
            continue
        if mark in {'"', "'"}:
            return token.start()
        if mark[0] in "\\\"'":
            continue
        if mark[0] == "-":
            custom = custom or not brackets
        elif mark in "([":
            brackets.append(mark)
        elif mark in ")]":
            if not brackets or brackets.pop() != _OPENED[mark]:
                return token.start()
        elif brackets or (mark == "}" and not groups):
            return token.start()
        else:
            said = text[begun : token.start()].strip() if mark in "{;" else ""
            if mark == "{":
                groups.append(_GROUP.match(said) is not None)
                rules += not groups[-1]
            elif mark == "}":
                rules -= not groups.pop()
            elif mark == ";" and said[:1] != "@" and not rules:
                return token.start()
            begun = token.end()
            custom = False
    return len(text)
