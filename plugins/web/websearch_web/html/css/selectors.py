"""Selectors of rules: what they select on an ordinary screen, how special they are, whether they can match at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .declarations import applies

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turbohtml import Element

MAX_SELECTOR = 2_000
"""Characters of all selectors of a nested rule: `&` and lists multiply."""
MAX_DEPTH = 8
_STATE = re.compile(
    r"\bjs\b|no-?js|load(?:ing|ed)|ready|hydrat|:has\((?![> ]*[\w.#-]+\))|"
    r":(?!(?:is|where|not|has|lang|dir)\(|nth-|(?:first|last|only)-(?:child|of-type)|(?:root|scope|empty|link|any-link)\b)"
)
"""What scripts take away, or a reader's doing brings; what is no element; and relations that take long to look for."""
_CODE = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_ESCAPED = re.compile(r"\\.")
_AT = re.compile(r"@([a-z-]+)\s*(.*)", re.DOTALL | re.IGNORECASE)
_BRACKET = re.compile(r"[(),]")
_STEP = re.compile(r"[\s>+~]+")
_ODD = re.compile(r"[^\w\s\u0080-\U0010ffff-]")
_ATTRIBUTE = re.compile(r"\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]")
_GROUP = re.compile(r"\([^()]*\)")
_NAME = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f\s])+")
_PART = re.compile(
    r"(?P<id>#[\w-]+)|(?P<attribute>\.[\w-]+|\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]?)|(?P<type>::[\w-]+|[\w-]+)|"
    r":(?P<function>[\w-]+)\(|(?P<state>:[\w-]+)"
)
_LISTS = frozenset({"is", "not", "has", "matches", "where"})
_SLOW = re.compile(r":nth-last|-of-type|:has\(|~")
"""What is looked for among all neighbours or all parts of each element."""
HAS = ":has("
_ABOVE = re.compile(r":has\([^)]*\)(?=.*[\s>+~])")
"""What every element above one is asked for, each time through all of its parts."""
_PARTS_A_STEP = 32
"""Looked through in the time of one step."""

Specificity = tuple[int, int, int]


def selectors_of(around: Sequence[str]) -> list[str]:
    """What a rule inside of these selects, each an at-rule or the selectors of a rule; empty where none applies.

    Selectors that depend on a state are left out.
    """
    selectors: list[str] = []
    for prelude in around:
        if prelude[:1] == "@" and (at := _AT.match(prelude)):
            name, condition = at[1].lower(), at[2]
            if name == "scope":
                selectors = [_bracketed(condition)]
            elif not _counts(name, condition):
                return []
            continue
        inner = _parted(prelude)
        if selectors:
            outer = selectors[0] if len(selectors) == 1 else f":is({', '.join(selectors)})"
            inner = [part.replace("&", outer) if "&" in part else f"{outer} {part}" for part in inner]
            if sum(map(len, inner)) > MAX_SELECTOR:
                return []
        selectors = inner
    return [
        selector
        for selector in selectors
        if not _STATE.search(_ESCAPED.sub("x", selector) if "\\" in selector else selector)
    ]


def _bracketed(condition: str) -> str:
    depth = 0
    for mark in _BRACKET.finditer(condition):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth <= 0:
            return condition[: mark.start()].strip(" ").removeprefix("(")
    return ""


def _parted(selectors: str) -> list[str]:
    """A list at its commas outside of brackets."""
    if "(" not in selectors:
        return [part for each in selectors.split(",") if (part := each.strip())]
    parts: list[str] = []
    begun = depth = 0
    for mark in _BRACKET.finditer(selectors):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "," and depth <= 0:
            parts.append(selectors[begun : mark.start()])
            begun = mark.end()
    return [part for each in (*parts, selectors[begun:]) if (part := each.strip())]


def _counts(name: str, condition: str) -> bool:
    if name in {"media", "container"}:
        return applies(condition if name == "media" else condition[max(0, condition.find("(")) :])
    return name == "layer" or (name == "supports" and not condition.lower().startswith("not"))


def holds(prelude: str) -> bool:
    """Whether rules inside of this rule or at-rule may select anything on an ordinary screen."""
    at = _AT.match(prelude) if prelude[:1] == "@" else None
    return at is None or (name := at[1].lower()) == "scope" or _counts(name, at[2])


def names_of(elements: Iterable[Element]) -> set[str]:
    """Classes and ids in lower case, as they would stand in selectors; what has to be escaped there is an x."""
    classes = {element.attr("class") or "" for element in elements}
    names = {f".{name}" for name in _ODD.sub("x", " ".join(classes)).lower().split()}
    ids = {"x".join(own.split()) for element in elements if (own := element.attr("id"))}
    names.update(f"#{own}" for own in _ODD.sub("x", " ".join(ids)).lower().split(" "))
    return names


def may_match(selector: str, names: set[str], page: set[str] | None = None) -> bool:
    """Whether the selector's last part speaks of these names only, and the rest of the page's.

    A look at words, before the tree is asked.
    """
    if "\\" in selector and _CODE.search(selector):
        return True
    text = (_ESCAPED.sub("x", selector) if "\\" in selector else selector).lower()
    if "[" in text:
        text = _ATTRIBUTE.sub("", text)
    if "(" in text and "(" in (text := _GROUP.sub("", text)):
        return True
    if page is not None and not page.issuperset(_NAME.findall(text)):
        return False
    return page is names or names.issuperset(_NAME.findall(_STEP.split(text.rstrip())[-1]))


def cost_of(selector: str, page: int, depth: int) -> int:
    """Of asking one element of a page with so many whether it is meant: in steps of the parser's own, roughly.

    `depth` is the most elements that stand around one; it counts only for selectors with `HAS`.
    """
    slow = page // 100 if _SLOW.search(selector) else 0
    if HAS in selector:
        slow += len(_ABOVE.findall(selector)) * page * depth // _PARTS_A_STEP
    return (1 + len(selector) // 50) * (1 + slow)


def is_valid(selectors: Iterable[str], probe: Element) -> bool:
    """Whether all of them are: browsers drop a rule with one that is not."""
    from turbohtml import SelectorSyntaxError

    try:
        for selector in selectors:
            probe.matches(selector)
    except SelectorSyntaxError:
        return False
    return True


def specificity(selector: str, depth: int = 0) -> Specificity:
    """How special a selector is: its ids, then its classes, attributes and states, then its types (Selectors 4)."""
    text = _ESCAPED.sub("x", selector) if not depth else selector
    ids = classes = types = at = 0
    while (part := _PART.search(text, at)) is not None:
        at = part.end()
        ids += part.lastgroup == "id"
        classes += part.lastgroup in {"attribute", "state"}
        types += part.lastgroup == "type"
        if (name := part["function"]) is None:
            continue
        inner, at = _arguments(text, at)
        name = name.lower()
        if name.startswith("nth-") or name not in _LISTS:
            classes += 1
            inner = [text for one in inner[:1] if (text := one.partition(" of ")[2])] + inner[1:]
        if name != "where" and inner and depth < MAX_DEPTH:
            most = max(specificity(one, depth + 1) for one in inner)
            ids, classes, types = ids + most[0], classes + most[1], types + most[2]
    return ids, classes, types


def _arguments(text: str, begin: int) -> tuple[list[str], int]:
    """A list within brackets, and where it ends."""
    parts: list[str] = []
    depth, begun = 1, begin
    for mark in _BRACKET.finditer(text, begin):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0 or (depth == 1 and mark[0] == ","):
            parts.append(text[begun : mark.start()])
            begun = mark.end()
        if depth == 0:
            return parts, begun
    return [*parts, text[begun:]], len(text)
