"""Declarations and media queries, as far as hiding is concerned."""

from __future__ import annotations

import re
from collections.abc import Mapping

WIDTH, HEIGHT = 1280.0, 800.0
"""Pixels of the screen for which media queries are judged."""
_APART = re.compile(
    r"/\*.*?(?:\*/|\Z)|\((?<=[uU][rR][lL]\()\s*+(?![\"'\s])(?:[^)\\]|\\.?)*+\)?|"
    r"\"(?:[^\"\\\n]|\\.?)*+\"?|'(?:[^'\\\n]|\\.?)*+'?",
    re.DOTALL,
)
"""Comments, addresses and strings: what stands in them is no rule. Each begins with a mark that is rare."""
_STRUCTURE = re.compile(r"[{};,]")
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([^\n]))", re.IGNORECASE)
_SYNTAX = frozenset(":;,{}()[]!\"'/\\*")
"""Signs that are part of a name or a value when they are escaped."""
_VARIABLE = re.compile(r"var\(\s*+(--[^\s,()]++)\s*+(?:,((?:[^()]|\([^()]*+\))*+))?\)")
_VARIED = (
    *("display", "visibility", "opacity", "width", "height", "font-size", "left", "top", "right", "bottom", "color"),
    *("translate", "transform", "scale", "text-indent", "clip-path", "clip", "filter"),
)
"""Properties, or their ends, that hide by one value."""
_VALUE_CHARS = 40
_CUSTOM = re.compile(r"(--[\w-]++)\s*+:([^;{}]*)")
_FEATURE = re.compile(r"\(([^()]*)\)")
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(px|r?em)"
_RANGE = re.compile(rf"(?:{_NUMBER}\s*([<>])=?\s*)?(width|height)(?:\s*([<>])=?\s*{_NUMBER})?")
_TRUE = frozenset(
    {
        "prefers-color-scheme: light",
        "prefers-reduced-motion: no-preference",
        "hover: hover",
        "any-hover: hover",
        "color",
    }
    | {"pointer: fine", "any-pointer: fine", "orientation: landscape", "scripting: enabled", "hover", "pointer"}
)
_NEVER = frozenset({"print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural"})


def structured(text: str) -> str:
    """CSS without comments, what addresses say, and without what in strings looks like structure."""
    for mark in ("<!--", "-->"):
        if mark in text:
            text = text.replace(mark, " < ")  # which is in no selector
    return _APART.sub(_without_structure, text)


def _without_structure(found: re.Match[str]) -> str:
    if found[0][0] in "\"'":
        return _STRUCTURE.sub("", found[0])
    return "()" if found[0][0] == "(" else " \f "


def resolved(text: str, variables: Mapping[str, str]) -> str:
    """Declarations in lower case, without variables where one alone is what may hide."""
    if "var(" not in text:
        return text
    return ";".join(_resolved(each, variables) if "var(" in each else each for each in text.split(";"))


def _resolved(declaration: str, variables: Mapping[str, str]) -> str:
    name, _, value = declaration.partition(":")
    if not name.rstrip().endswith(_VARIED):
        return declaration
    for _ in range(2):
        if value.lstrip().startswith("var("):
            value = _VARIABLE.sub(lambda found: variables.get(found[1], found[2] or ""), value)
    return f"{name}:{value}"


def unescaped(text: str) -> str:
    """Declarations in lower case without escapes."""
    return _ESCAPE.sub(_unescaped, text).lower() if "\\" in text else text


def declarations(text: str) -> dict[str, str]:
    """The value that counts for each property of plain declarations; important ones come first."""
    rules: dict[str, str] = {}
    important: dict[str, str] = {}
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        if "!" in value:
            important[name.strip()] = value.partition("!")[0].strip()
        else:
            rules[name.strip()] = value.strip()
    return rules | important if important else rules


def pairs_of(text: str) -> list[tuple[str, str, bool]]:
    """Names, values, and whether they are important, of plain declarations, without what no browser reads."""
    found: list[tuple[str, str, bool]] = []
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        value, marked, important = value.partition("!")
        if not marked or important.strip() == "important":
            found.append((name.strip(), value.strip(), bool(marked)))
    return found


def by_variables(text: str) -> frozenset[str]:
    """The properties of plain declarations whose values hold one."""
    pairs = (declaration.partition(":") for declaration in text.split(";"))
    return frozenset(name.strip() for name, _, value in pairs if "var(" in value)


def custom_properties(text: str) -> dict[str, str]:
    """Of a whole style sheet, in lower case, each as it was set last; none that is long, since they multiply."""
    return {name: value for name, found in _CUSTOM.findall(text) if len(value := found.strip()) <= _VALUE_CHARS}


def applies(query: str) -> bool:
    """Whether a media query list holds on an ordinary screen; what is unknown does not."""
    return not query.strip() or any(_holds(part.strip()) for part in query.lower().split(","))


def _holds(query: str) -> bool:
    negated = query.startswith("not ")
    words = _FEATURE.sub(" ", query.removeprefix("not ").removeprefix("only ")).replace(" and ", " ").split()
    held = _NEVER.isdisjoint(words) and all(_has(feature) for feature in _FEATURE.findall(query))
    return held is not negated


def _has(feature: str) -> bool:
    name, _, value = (part.strip() for part in feature.partition(":"))
    if (f"{name}: {value}" if value else name) in _TRUE:
        return True
    if name in {"min-width", "min-height", "max-width", "max-height"}:
        least, side = name.split("-")
        name = f"{side} {'>' if least == 'min' else '<'} {value}"
    if (found := _RANGE.fullmatch(name)) is None:
        return False
    size = WIDTH if found[4] == "width" else HEIGHT
    below = not found[3] or (_pixels(found[1], found[2]) <= size) is (found[3] == "<")
    above = not found[5] or (size <= _pixels(found[6], found[7])) is (found[5] == "<")
    return below and above and (not found[3] or found[5] in {None, found[3]})


def _pixels(number: str, unit: str) -> float:
    return float(number) * (1 if unit == "px" else 16)


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else ord(found[2])
    letter = chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"
    return "\ufffd" if letter in _SYNTAX or letter.isspace() else letter
