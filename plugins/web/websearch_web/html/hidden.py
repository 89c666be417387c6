"""Text that a person would not see: taken out of the tree, kept for filters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .colours import is_clear, unreadable
from .css import custom_properties, declarations, resolved, structured
from .revealed import has_opener, is_animated, open_scriptless, open_shadows, panels, place_streamed
from .stylesheet import Sheets, coloured_by_rules, hidden_by_rules, may_hide, sheets_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Document, Element

MAX_CHARS = 200_000
"""Of hidden text that is kept."""
MARKED = (
    "template, noscript, [hidden], [aria-hidden=true], dialog:not([open]), [popover], .sr-only, .visually-hidden, "
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
_NO_FONT = re.compile(r"(?:^|\s)[0.]+(?:px|pt|r?em)?(?:/|\s)")
_NO_FILTER = re.compile(r"opacity\(\s*(?:0|0?\.0\d*)%?\s*\)")
_PLACES = frozenset({"text-indent", "translate", "margin", "margin-left", "margin-top"})
_SIDES = frozenset({"left", "top", "right", "bottom", "inset"})
_OVERFLOW = frozenset({"overflow", "overflow-x", "overflow-y"})
_SIZES = frozenset({"width", "height", "max-width", "max-height"})
_SPACE = re.compile(r"\s+")
_PIXELS = {"px": 1.0, "pt": 1.3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 16.0, "vw": 10.0, "vh": 10.0}


def take_hidden(document: Document) -> str:
    """Remove what is not shown, and return its text: elements first, then comments. Scripts and styles vanish."""
    from turbohtml import Comment, NodeFilter, NodeIterator

    place_streamed(document)
    open_shadows(document)
    open_scriptless(document)
    for script in document.select("script"):
        if not (script.attr("type") or "").lower().startswith("math/"):
            script.decompose()
    sheets = sheets_of(document)
    ruled = unseen_by_rules(document, sheets)
    ruled += in_the_colour_of_the_ground(document, sheets)
    document.remove(_NOT_TEXT)
    panel = panels(document)
    collapsed = {
        element for element in document.select(_COLLAPSIBLE) if has_opener(element) and not element.matches(_WINDOWS)
    }
    unseen = [element for element in document.select(MARKED) if element not in panel and element not in collapsed]
    judged: dict[str, bool] = {}
    for element in document.select("[style]"):
        style = element.attr("style") or ""
        if style not in judged:
            judged[style] = is_unseen(style, sheets)
        if (
            judged[style]
            and not (element in panel and "display" in style)
            and not is_animated(element)
            and element not in collapsed
        ):
            unseen.append(element)
    unseen += [e for e in ruled if e not in panel and not is_animated(e) and (not has_opener(e) or e.matches(_WINDOWS))]
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


def unseen_by_rules(document: Document, sheets: Sheets) -> list[Element]:
    """What the page's own style sheets keep from being seen."""
    return hidden_by_rules(document, sheets, _hides)


def in_the_colour_of_the_ground(document: Document, sheets: Sheets) -> list[Element]:
    """What a reader cannot tell from the ground, by the page's own style sheets and attributes."""
    ruled = [(elements, declarations(text)) for elements, text in coloured_by_rules(document, sheets)]
    inline = [
        ([element], declarations(_resolved(element.attr("style") or "", sheets)))
        for element in document.select("[style*='color'], [style*='background'], [style*='COLOR']")
    ]
    return unreadable(document, ruled, inline)


def is_unseen(style: str, sheets: Sheets | None = None) -> bool:
    """Whether an inline style keeps its element's text from being seen."""
    text = _resolved(style, sheets)
    return may_hide(text) and _hides(declarations(text))


def _resolved(style: str, sheets: Sheets | None) -> str:
    text = structured(style).lower()
    known = sheets.variables if sheets else {}
    return resolved(text, {**known, **custom_properties(text)} if "--" in text else known)


def _hides(rules: Mapping[str, str]) -> bool:
    of = rules.get
    if of("display") == "none" or of("visibility") in {"hidden", "collapse"}:
        return True
    if of("content-visibility") == "hidden" or of("mso-hide") == "all":
        return True
    if any(
        name in rules and _near_zero(rules[name].split(" ")[0], 0.05) and not (name == "opacity" and _fades_in(rules))
        for name in ("opacity", "scale", "zoom")
    ):
        return True
    if _small(of("font-size", ""), 2.0) or _NO_FONT.search(of("font", "")) or _NO_FILTER.search(of("filter", "")):
        return True
    if _CLIPPED.search(of("clip", "")) or _CLIPPED.search(of("clip-path", "")):
        return True
    if _SHRUNK.search(of("transform", "")) or any(_any_far(rules[name]) for name in _PLACES.intersection(rules)):
        return True
    if of("position") in {"absolute", "fixed", "relative"} and any(
        _any_far(rules[side]) for side in _SIDES.intersection(rules)
    ):
        return True
    if any(rules[name].split(" ")[0] in {"hidden", "clip"} for name in _OVERFLOW.intersection(rules)) and (
        any(_small(rules[size], 2.0) for size in _SIZES.intersection(rules)) or _near_zero(of("line-height", ""), 0.05)
    ):
        return True
    if "text" in (of("background-clip"), of("-webkit-background-clip")):  # the ground shows through the letters
        return False
    colour = of("-webkit-text-fill-color") or of("color", "")
    return is_clear(colour) or bool(colour and colour == (of("background-color") or of("background")))


def _fades_in(rules: Mapping[str, str]) -> bool:
    """Whether a part of the page comes into view: it is shifted, and moves to its place, or is animated for good."""
    if rules.get("position") in {"absolute", "fixed"} or rules.get("pointer-events") == "none":
        return False  # what opens over the page
    animation = f"{rules.get('animation', '')} {rules.get('animation-fill-mode', '')}"
    moved = "translate" in rules or ("translate" in rules.get("transform", ""))
    return (moved and "transition" in rules) or "forwards" in animation or "both" in animation


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


def _any_far(value: str) -> bool:
    return "-" in value and any(_far(part) for part in value.split())


def _may_go(element: Element) -> bool:
    """A page's root is not taken out, nor what the browser's own search would open."""
    return element.tag not in _ROOTS and (element.attr("hidden") or "").lower() != "until-found"


def _text(element: Element) -> str:
    return _SPACE.sub(" ", element.text).strip()
