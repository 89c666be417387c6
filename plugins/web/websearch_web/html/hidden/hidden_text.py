"""Text that a person would not see: taken out of the tree, kept for filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..css.cascade import coloured_by_rules, hidden_against_rules, hidden_by_rules, layered
from ..css.colours import unreadable
from ..css.declarations import custom_properties, declarations, resolved, structured, unescaped
from ..css.hiding import FADED, GROUND, TINY, WHOLE, at_their_end, hiding_among, ways_of
from ..css.stylesheet import StyleSheets
from ..css.values import length
from .disclosure import has_opener, is_animated, open_scriptless, open_shadows, panels
from .inheritance import take_out
from .react_streaming import place_streamed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Document, Element

MAX_CHARS = 200_000
"""Of hidden text that is kept."""
_MARKED = (
    "template, noscript, [hidden], [aria-hidden=true], dialog:not([open]), [popover], .sr-only, .visually-hidden, "
    "mphantom, .visuallyhidden, .screen-reader-text, .screen-reader-only, .element-invisible, .a11y-hidden"
)
_NOT_TEXT = ("style", "object", "embed", "applet", "canvas", "map", "track", "input[type=hidden]", "datalist")
"""Looked for one by one: the parser knows where the elements of a name are, and goes through the tree for several."""
_COLLAPSIBLE = "[hidden], [aria-hidden=true], [style*='display'], [style*='visibility'], [style*='height']"
"""Ways of hiding that a page's own script undoes when a reader asks for more."""
_WINDOWS = "[role=dialog], .modal, .modal *"
_UNLIKELY_WRAPPERS = f"{_WINDOWS}, template, noscript, dialog, [popover]"
"""What opens over a page is none of its parts."""
_ROOTS = frozenset({"html", "body", "main"})
_FADES = FADED | {"visibility"}
"""How animation libraries hide what they bring into view."""
_PAGE_SHARE, _PAGE_CHARS = 0.5, 300
"""Of the page's text: an element that holds more is the page, which a script would bring into view."""
_ALIKE_SHARE = 0.1
"""Of the text of all parts that are brought into view: what is marked alike and holds less is something else."""
WRAPPED_NOTE = "The page's own styles hide most of its text until its scripts run; that text is shown here."
OVERRUN_NOTE = "The page's style rules were too many to apply all of them; text that only they hide may be shown here."


class HiddenText(NamedTuple):
    """What was removed from a page because a person would not see it."""

    text: str
    """Of elements, then of comments; at most `MAX_CHARS`."""
    notes: tuple[str, ...] = ()
    """What a reader should know about text that was left in although it is hidden."""


def take_hidden(document: Document) -> HiddenText:
    """Remove what is not shown. Scripts and styles are removed, too."""
    from turbohtml import Comment, NodeFilter, NodeIterator

    place_streamed(document)
    open_shadows(document)
    open_scriptless(document)
    for script in document.select("script"):
        if not (script.attr("type") or "").lower().startswith("math/"):
            script.decompose()
    sheets = StyleSheets(document)
    ruled = hidden_by_rules(document, sheets)
    styles = _styles(document, sheets)
    faint = layered(styles, sheets)
    ground = _in_the_colour_of_the_ground(document, styles, sheets)
    for element in [element for name in _NOT_TEXT for element in document.select(name)]:
        element.extract()
    panel = panels(document)
    unseen = {e: WHOLE for e in document.select(_MARKED) if e not in panel and not _opens(e)}
    unseen |= dict.fromkeys(_dots(document), WHOLE)
    for element, ways in _hidden_by_style(styles, sheets).items():
        if (
            not _opens(element)
            and not (ways <= _FADES and is_animated(element))
            and not (element in panel and "display" in (element.attr("style") or ""))
        ):
            unseen[element] = unseen.get(element, ways) | ways
    for element, ways in (*ruled.items(), *faint.items(), *((element, GROUND) for element in ground)):
        fades = ways <= _FADES and is_animated(element)
        if element not in panel and not fades and (not has_opener(element) or element.matches(_WINDOWS)):
            unseen[element] = unseen.get(element, ways) | ways
    wrappers = _wrappers(document, unseen)
    taken = take_out({e: ways for e, ways in unseen.items() if e not in wrappers and _may_go(e)}, sheets)
    for comment in list(NodeIterator(document, NodeFilter.SHOW_COMMENT)):
        if isinstance(comment, Comment):
            taken.append(" ".join(comment.data.split()))
            comment.extract()
    text = "\n".join(part for part in taken if part)[:MAX_CHARS]
    notes = {WRAPPED_NOTE: bool(wrappers), OVERRUN_NOTE: sheets.overrun}
    return HiddenText(text, tuple(note for note, holds in notes.items() if holds))


def _opens(element: Element) -> bool:
    """Whether it is a part that a reader opens in its place."""
    return element.matches(_COLLAPSIBLE) and not element.matches(_WINDOWS) and has_opener(element)


def _wrappers(document: Document, unseen: Mapping[Element, frozenset[str]]) -> set[Element]:
    """Those that hold most of the page's text, windows that open over it excepted.

    What is hidden by opacity alone is counted together: some scripts bring each part into view as a reader scrolls.
    Such parts share a class or a style; a part that is hidden in a way of its own stays hidden.
    """
    chars = {e: len(e.text) for e in unseen}
    if sum(chars.values()) <= _PAGE_CHARS:
        return set()
    body = document.select_one("body")
    most = max(_PAGE_CHARS, len(body.text) * _PAGE_SHARE) if body is not None else _PAGE_CHARS
    wrappers = {e for e in unseen if chars[e] > most and not e.matches(_UNLIKELY_WRAPPERS)}
    faded = {e for e, ways in unseen.items() if ways == FADED and not e.matches(_UNLIKELY_WRAPPERS)} - wrappers
    hidden = unseen.keys() - wrappers
    amount = sum(chars[e] for e in faded if not any(above in hidden for above in e.ancestors))
    return wrappers | _marked_alike(faded, chars, amount * _ALIKE_SHARE) if amount > most else wrappers


def _marked_alike(faded: set[Element], chars: Mapping[Element, int], least: float) -> set[Element]:
    """Those that share the mark by which they are faded with others, and with them hold so much text."""
    marked: dict[str, set[Element]] = {}
    for element in faded:
        style = element.attr("style") or ""
        for mark in [f"{style};"] if "opacity" in style.lower() else set((element.attr("class") or "").split()):
            marked.setdefault(mark, set()).add(element)
    return {e for alike in marked.values() if sum(chars[e] for e in alike) >= least for e in alike}


def _dots(document: Document) -> list[Element]:
    """Pictures that are no more than a dot: what is said in their place is said to nobody."""
    images = document.select("img[alt][width][height], img[alt][style*='width'][style*='height']:not([style*='min-'])")
    return [image for image in images if all(_is_dot(image, side) for side in ("width", "height"))]


def _is_dot(image: Element, side: str) -> bool:
    size = length(
        declarations((image.attr("style") or "").lower()).get(side) or f"{image.attr(side)}".strip("px") + "px"
    )
    return size is not None and size < TINY


def _styles(document: Document, sheets: StyleSheets) -> dict[Element, str]:
    """The declarations of elements with a style of their own."""
    known: dict[str, str] = {}
    styles: dict[Element, str] = {}
    for element in document.select("[style]"):
        style = element.attr("style") or ""
        if style not in known:
            known[style] = _resolved(style, sheets)
        styles[element] = known[style]
    return styles


def _hidden_by_style(styles: Mapping[Element, str], sheets: StyleSheets) -> dict[Element, frozenset[str]]:
    """What its own style keeps from being seen, and in what ways; important rules show it again."""
    judged = hiding_among(set(styles.values()), {})
    hidden = {e: text for e, text in styles.items() if text in judged and e.tag not in _ROOTS}
    ruled = hidden_against_rules(hidden, sheets)
    return {element: ways for element, text in hidden.items() if (ways := ruled.get(element, judged[text]))}


def _in_the_colour_of_the_ground(
    document: Document, styles: Mapping[Element, str], sheets: StyleSheets
) -> list[Element]:
    """What a reader cannot tell from the ground, by the page's own style sheets and attributes."""
    coloured = {text: declarations(text) for text in set(styles.values()) if "color" in text or "background" in text}
    inline = [([element], coloured[text]) for element, text in styles.items() if text in coloured]
    return unreadable(document, coloured_by_rules(sheets), inline)


def is_unseen(style: str, sheets: StyleSheets | None = None) -> bool:
    """Whether an inline style keeps its element's text from being seen."""
    return bool(ways_of(declarations(_resolved(style, sheets))))


def _resolved(style: str, sheets: StyleSheets | None) -> str:
    text = unescaped(structured(style).lower())
    known = sheets.variables if sheets else {}
    text = resolved(text, {**known, **custom_properties(text)} if "--" in text else known)
    return at_their_end(text, sheets.ends) if sheets else text


def _may_go(element: Element) -> bool:
    """A page's root is not taken out, nor what the browser's own search would open."""
    return element.tag not in _ROOTS and (element.attr("hidden") or "").lower() != "until-found"
