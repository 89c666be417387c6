"""Text that a person would not see: taken out of the tree, kept for filters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .colours import unreadable
from .revealed import has_opener, is_animated, open_scriptless, panels, place_streamed
from .stylesheet import coloured_by_rules, hidden_by_rules, may_hide, sheets_of

if TYPE_CHECKING:
    from turbohtml import Document, Element

MAX_CHARS = 200_000
"""Of hidden text that is kept."""
_MARKED = (
    "template, noscript, [hidden], [aria-hidden=true], dialog:not([open]), .sr-only, .visually-hidden, "
    ".visuallyhidden, .screen-reader-text, .screen-reader-only, .element-invisible, .a11y-hidden"
)
_NOT_TEXT = "style, object, embed, applet, canvas, map, track, input[type=hidden], datalist"
_COLLAPSIBLE = "[hidden], [aria-hidden=true], [style*='display'], [style*='visibility'], [style*='height']"
"""Ways of hiding that a page's own script undoes when a reader asks for more."""
_WINDOWS = "[role=dialog], .modal, .modal *"
"""What opens over a page is none of its parts."""
_ROOTS = frozenset({"html", "body", "main"})
_LENGTH = re.compile(r"^(-?\d{0,9}(?:\.\d{0,9})?)(px|em|rem|pt|%|vw|vh|ex|ch)?$")
_CLIPPED = re.compile(
    r"rect\((?:\s{0,4}[01](?:px)?[\s,]{0,4}){4}\)|inset\((?:50|100)%|circle\(0|polygon\(0(?:px)? 0(?:px)?\)"
)
_SHRUNK = re.compile(r"scale(?:3d|x|y)?\(0(?:\.0{1,3})?[,)]|translate(?:x|y|3d)?\((?:[^)]{0,20}[ ,])?-\d{4,9}px")
_SPACE = re.compile(r"\s+")
_PIXELS = {"px": 1.0, "pt": 1.3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 16.0, "vw": 10.0, "vh": 10.0}


def take_hidden(document: Document) -> str:
    """Remove what is not shown, and return its text: elements first, then comments. Scripts and styles vanish."""
    from turbohtml import Comment, NodeFilter, NodeIterator

    place_streamed(document)
    open_scriptless(document)
    for script in document.select("script"):
        if not (script.attr("type") or "").lower().startswith("math/"):
            script.decompose()
    sheets = sheets_of(document)
    ruled = hidden_by_rules(document, sheets, is_unseen)
    ruled += _in_the_colour_of_the_ground(document, sheets)
    document.remove(_NOT_TEXT)
    panel = panels(document)
    collapsed = {
        element for element in document.select(_COLLAPSIBLE) if has_opener(element) and not element.matches(_WINDOWS)
    }
    unseen = [element for element in document.select(_MARKED) if element not in panel and element not in collapsed]
    judged: dict[str, bool] = {}
    for element in document.select("[style]"):
        style = element.attr("style") or ""
        if style not in judged:
            judged[style] = is_unseen(style)
        if (
            judged[style]
            and not (element in panel and "display" in style)
            and not is_animated(element)
            and element not in collapsed
        ):
            unseen.append(element)
    unseen += [element for element in ruled if element not in panel and not is_animated(element)]
    unseen = [element for element in dict.fromkeys(unseen) if _may_go(element)]
    marked = set(unseen)
    taken = [_text(element) for element in unseen if not any(ancestor in marked for ancestor in element.ancestors)]
    for element in unseen:
        element.extract()
    for comment in list(NodeIterator(document, NodeFilter.SHOW_COMMENT)):
        if isinstance(comment, Comment):
            taken.append(_SPACE.sub(" ", comment.data).strip())
            comment.extract()
    return "\n".join(part for part in taken if part)[:MAX_CHARS]


def _in_the_colour_of_the_ground(document: Document, sheets: str) -> list[Element]:
    ruled = [(element, _declarations(text)) for element, text in coloured_by_rules(document, sheets)]
    inline = [
        (element, _declarations(element.attr("style") or ""))
        for element in document.select("[style*='color'], [style*='background'], [style*='COLOR']")
    ]
    return unreadable(document, ruled, inline)


def is_unseen(style: str) -> bool:
    """Whether an inline style keeps its element's text from being seen."""
    if not may_hide(style.lower()):
        return False
    rules = _declarations(style)
    if rules.get("display") == "none" or rules.get("visibility") in {"hidden", "collapse"}:
        return True
    if rules.get("content-visibility") == "hidden" or rules.get("mso-hide") == "all":
        return True
    if _near_zero(rules.get("opacity", ""), 0.05) or _small(rules.get("font-size", ""), 2.0):
        return True
    if _CLIPPED.search(rules.get("clip", "")) or _CLIPPED.search(rules.get("clip-path", "")):
        return True
    if _SHRUNK.search(rules.get("transform", "")) or _far(rules.get("text-indent", "")):
        return True
    if rules.get("position") in {"absolute", "fixed"} and any(_far(rules.get(s, "")) for s in ("left", "top", "right")):
        return True
    if any(_far(rules.get(side, "")) for side in ("margin-left", "margin-top")):
        return True
    if rules.get("overflow") == "hidden" and any(
        _small(rules.get(s, ""), 2.0) for s in ("width", "height", "max-height")
    ):
        return True
    colour = rules.get("color", "")
    return colour == "transparent" or bool(
        colour and colour == (rules.get("background-color") or rules.get("background"))
    )


def _declarations(style: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        rules[name.strip()] = value.replace("!important", "").strip()
    return rules


def _pixels(value: str) -> float | None:
    match = _LENGTH.match(value)
    if not match or match[1] in {"", "-", ".", "-."}:
        return None
    return float(match[1]) * _PIXELS.get(match[2] or "px", 1.0) / (100.0 if match[2] == "%" else 1.0)


def _near_zero(value: str, least: float) -> bool:
    try:
        number = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        return False
    return number < least


def _small(value: str, least: float) -> bool:
    length = _pixels(value)
    return length is not None and 0 <= length < least


def _far(value: str) -> bool:
    length = _pixels(value)
    return length is not None and length <= -900


def _may_go(element: Element) -> bool:
    """A page's root is not taken out, nor what the browser's own search would open."""
    return element.tag not in _ROOTS and (element.attr("hidden") or "").lower() != "until-found"


def _text(element: Element) -> str:
    return _SPACE.sub(" ", element.text).strip()
