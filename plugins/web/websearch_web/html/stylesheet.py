"""Which elements the page's own `<style>` elements hide."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from .css import applies, custom_properties, resolved, structured, varied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from turbohtml import Document, Element

MAX_CHARS = 500_000
MAX_RULES = 300
MAX_NESTED = 12
"""Rules and at-rules around a rule that is read."""
MAX_SELECTOR = 2_000
"""Characters of all selectors of a nested rule: `&` and lists multiply."""
_STATE = re.compile(
    r"\bjs\b|no-?js|load(?:ing|ed)|ready|hydrat|:has\((?![> ]*[\w.#-]+\))|"
    r":(?!(?:is|where|not|has)\(|nth-|(?:first|last|only)-(?:child|of-type)|root\b|scope\b)"
)
"""What scripts take away, or a reader's doing brings; what is no element; and relations that take long to look for."""
_ESCAPED = re.compile(r"\\.")
_AT = re.compile(r"@([a-z-]+)\s*(.*)", re.DOTALL | re.IGNORECASE)
_PARTING = re.compile(r"[(),]")
COLOURED_CHARS = 30_000
"""Of style sheets in which colours are looked at: larger ones are a program's, and colour thousands of elements."""
_FAR = re.compile(r"-\d{3}|-\d\d(?:em|rem|vw|vh|%|ex|ch)")
_TINY = re.compile(r"font(?:-size)?:\s*(?:0|\.|1(?:px|pt|\.))")
_FAINT = re.compile(r"(?:opacity|zoom|scale(?:3d|x|y)?)\s*[:(]\s*(?:0|\.0)")
_CLEAR = re.compile(r"color\s*:\s*(?:transparent|#\w{3}0\b|#\w{6}00\b|\w+\([^()]*[,/]\s*[.0]+%?\s*\))")


def may_hide(text: str) -> bool:
    """Whether plain declarations hold a word of those that hide; most hold none, and need no reading."""
    return (
        ("display" in text and "none" in text)
        or ("visibility" in text and ("hidden" in text or "collapse" in text))
        or "clip" in text
        or ("overflow" in text and ("height" in text or "width" in text))
        or "mso" in text
        or ("color" in text and ("background" in text or _CLEAR.search(text) is not None))
        or _FAINT.search(text) is not None
        or _FAR.search(text) is not None
        or _TINY.search(text) is not None
    )


class Sheets(NamedTuple):
    """The page's `<style>` elements for an ordinary screen."""

    text: str
    variables: dict[str, str]
    """The custom properties that any rule sets, each as it was set last."""


def sheets_of(document: Document) -> Sheets:
    """Those whose own media query holds, without comments and without what in strings looks like structure."""
    styles = document.select("style")
    text = "\n".join(style.text for style in styles if applies(style.attr("media") or ""))[:MAX_CHARS]
    text = structured(text)
    used = "--" in text and (varied(text.lower()) or document.select_one("[style*='var(']") is not None)
    return Sheets(text, custom_properties(text.lower()) if used else {})


def hidden_by_rules(document: Document, sheets: Sheets, hides: Callable[[str], bool]) -> list[Element]:
    """Elements that a rule keeps unseen on an ordinary screen; `hides` judges its declarations.

    Selectors that depend on a state are not read, nor are linked style sheets. Rules that show again are not weighed.
    """
    hiding = (selector for selector, _ in _rules(sheets, lambda text: may_hide(text) and hides(text)))
    found: dict[Element, None] = {}
    for selector in dict.fromkeys(islice(hiding, MAX_RULES)):
        found.update(dict.fromkeys(_select(document, selector)))
    body = document.select_one("body")
    most = len(body.text) / 2 if body is not None else 0
    # A page that hides its main part waits for a script to show it.
    return [
        element
        for element in found
        if len(element.text) < most and not element.select_one("main, h1, article") and not _is_formula(element)
    ]


def _is_formula(element: Element) -> bool:
    """MathML for screen readers, hidden beside the formula's picture."""
    formula = element if element.tag == "math" else element.select_one("math")
    return formula is not None and formula.text.strip() == element.text.strip()


def coloured_by_rules(document: Document, sheets: Sheets) -> Iterator[tuple[list[Element], str]]:
    """Elements, rule by rule, with the declarations of rules that give them a colour or a ground."""
    if len(sheets.text) > COLOURED_CHARS or "color" not in sheets.text:
        return
    for number, (selector, declarations) in enumerate(
        _rules(sheets, lambda text: "color" in text or "background" in text)
    ):
        if number >= MAX_RULES:
            return
        yield _select(document, selector), declarations


def _select(document: Document, selector: str) -> list[Element]:
    from turbohtml import SelectorSyntaxError

    try:
        return document.select(selector)
    except SelectorSyntaxError:
        return []


def _rules(sheets: Sheets, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Selectors, one by one, with their plain declarations, where these are wanted."""
    lower = sheets.text.lower()
    is_varied = varied(lower)
    around: list[str] = []
    for chunk, lowered in zip(sheets.text.split("}"), lower.split("}"), strict=True):
        _, opened, last = lowered.rpartition("{")
        if opened:
            for text in chunk.split("{")[:-1]:
                before, _, prelude = text.rpartition(";")
                if before and around and wanted(declarations := resolved(before.lower(), sheets.variables)):
                    yield from ((selector, declarations) for selector in _selectors(around))
                around.append(prelude.strip())
        if around:
            if "\\" in last or "calc(" in last or (is_varied and "var(" in last):
                last = resolved(last, sheets.variables)
            if wanted(last):
                yield from ((selector, last) for selector in _selectors(around))
            around.pop()


def _selectors(around: list[str]) -> list[str]:
    """What a rule inside of these selects, each an at-rule or the selectors of a rule; empty where none applies."""
    selectors: list[str] = []
    for prelude in around if len(around) <= MAX_NESTED else ():
        if at := _AT.match(prelude):
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
    return [selector for selector in selectors if not _STATE.search(_ESCAPED.sub("x", selector))]


def _bracketed(condition: str) -> str:
    depth = 0
    for mark in _PARTING.finditer(condition):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth <= 0:
            return condition[: mark.start()].strip(" ").removeprefix("(")
    return ""


def _parted(selectors: str) -> list[str]:
    """A list at its commas outside of brackets."""
    parts: list[str] = []
    begun = depth = 0
    for mark in _PARTING.finditer(selectors) if "(" in selectors else ():
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "," and depth <= 0:
            parts.append(selectors[begun : mark.start()])
            begun = mark.end()
    rest = selectors[begun:]
    parts += [rest] if "(" in selectors else rest.split(",")
    return [part.strip() for part in parts if part.strip()]


def _counts(name: str, condition: str) -> bool:
    if name in {"media", "container"}:
        return applies(condition if name == "media" else condition[max(0, condition.find("(")) :])
    return name == "layer" or (name == "supports" and not condition.lower().startswith("not"))
