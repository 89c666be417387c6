"""What a reader would see though the markup hides it: script-less copies, panels with a button."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element

if TYPE_CHECKING:
    from turbohtml import Document

_SHELL_CHARS = 300
_ANIMATED = frozenset(
    {"elementor-invisible", "wow", "aos-init", "animate__animated", "et-waypoint", "wpb_animate_when_almost_visible"}
)
_MOVED = re.compile(r"transform:\s{0,4}(?:matrix\(1, 0, 0, 1,|translate)")
"""Shifted from its place: an element that slides in."""
_OPENER_CHARS = 200
_BLANKS = 20
"""Comments, spaces and empty elements between the two."""
_OPENERS = "button, label[for], [role=button], [aria-expanded], [aria-controls], [onclick], [cursor=pointer], summary"
_CONTROLS = (
    "[aria-controls], [role=tab], [data-bs-toggle=tab], [data-bs-toggle=collapse], [data-toggle=tab], "
    "[data-toggle=collapse], [role=tablist] a[href^='#'], [class*=tab] a[href^='#'], a[class*=tab][href^='#']"
)
_MORE_BUTTONS = "button, [role=button], a[href^='#'], a[onclick], a:not([href]), span[onclick], [aria-expanded]"
_MORE = re.compile(
    r"\W{0,3}(?:(?:read|show|see|view|load) (?:more|all|full\b.{0,20})|more|continue reading|expand|"
    r"mehr(?: lesen| anzeigen)?|weiterlesen|lire (?:la suite|plus)|voir plus|afficher plus|leer más|ver más|"
    r"mostrar más|leia mais|ver mais|"
    r"leggi (?:tutto|di più)|mostra altro|lees meer|meer (?:lezen|tonen)|läs mer|czytaj (?:więcej|dalej)|"
    r"читать (?:далее|дальше|полностью)|показать (?:ещё|еще|больше)|"
    r"もっと(?:見る|読む)|続きを(?:読む|見る)|展开(?:全文|更多)?|查看更多|阅读(?:全文|更多)|더\s?보기)\W{0,3}",
    re.IGNORECASE,
)
"""What a button is called that opens the rest."""
_DISCLOSES = re.compile(r"accordion|collaps|toggl|faq|question|answer|expand|disclos|spoiler|read-?more", re.IGNORECASE)
_FAQ = re.compile(r"faq|question|answer|accordion", re.IGNORECASE)


def open_shadows(document: Document) -> None:
    """A declarative shadow root is a template that browsers show in its element's place."""
    for root in reversed(document.select("template[shadowrootmode]")):
        for style in root.select("style"):
            style.attrs["type"] = "shadow"  # it counts for this part only
        if (host := root.parent) is not None:
            if isinstance(host, Element) and root.select_one("slot") is None:  # what stands beside it has no place
                beside = [child for child in host.children if child != root]
                host.append(Element("template", None, [child.extract() for child in beside]))
            root.replace_with(Element("div", None, [child.extract() for child in list(root.children)]))


def open_scriptless(document: Document) -> None:
    """Where a page is empty without scripts but brings a readable copy in `<noscript>`, the copy is the page."""
    copies = [copy for copy in document.select("body noscript") if len(copy.text.strip()) > _SHELL_CHARS]
    if copies and shown_chars(document) < _SHELL_CHARS * 2:
        for copy in copies:
            copy.tag = "div"


def shown_chars(document: Document) -> int:
    """Roughly how much text the body has without scripts, `<noscript>` and the controls."""
    body = document.select_one("body")
    if body is None:
        return 0
    unread = sum(
        len(e.text.strip()) for e in body.select("script, style, noscript, template, header, footer, nav, form")
    )
    return len(re.sub(r"\s+", " ", body.text)) - unread if unread < len(body.text) else 0


def panels(document: Document) -> set[Element]:
    """Tab panels, and elements that a visible button, tab or link opens: a reader can see them (WAI-ARIA 1.2)."""
    if not (controls := document.select(_CONTROLS)):
        return set()
    opened: set[str] = set()
    for control in controls:
        operable = control.tag in {"button", "a"} or control.attr("role") in {"tab", "button"}
        if operable and control.text.strip():
            opened.update((control.attr("aria-controls") or "").split()[:20])
            target = next(filter(None, map(control.attr, ("data-bs-target", "data-target", "href"))), "")
            if target[:1] == "#":
                opened.add(target[1:])
    tabs = any(control.attr("role") == "tab" and control.text.strip() for control in controls)
    found = {element for element in document.select("[id]") if element.attr("id") in opened}
    return found.union(document.select("[role=tabpanel]")) if tabs else found


def is_animated(element: Element) -> bool:
    """Whether the marks of an animation library say that the element fades in."""
    if any(name in element.attrs for name in ("data-w-id", "data-framer-appear-id", "data-aos", "data-scroll")):
        return True
    if not _ANIMATED.isdisjoint((element.attr("class") or "").split()):
        return True
    style = element.attr("style") or ""
    return "opacity" in style and bool(_MOVED.search(style))


def has_opener(element: Element) -> bool:
    """Whether a reader clicks on the line before a collapsed part, a button or a question, or a button for more after.

    The button may stand after the paragraph that the part ends.
    """
    after, around = element.next_sibling, element.parent
    if after is None and isinstance(around, Element) and around.tag == "p":
        after = around.next_sibling
    while after is not None and not isinstance(after, Element) and not after.text.strip():
        after = after.next_sibling
    if isinstance(after, Element) and after.matches(_MORE_BUTTONS) and _MORE.fullmatch(after.text.strip()):
        return True
    before = element.previous_sibling
    for _ in range(_BLANKS):
        if before is None or before.text.strip():
            break
        before = before.previous_sibling
    if not isinstance(before, Element) or len(line := before.text.strip()) > _OPENER_CHARS:
        return False
    if before.matches(_OPENERS) or before.select_one(_OPENERS) is not None:
        return True
    around = [e for e in (element, before, element.parent) if isinstance(e, Element)]
    names = " ".join(e.attr(name) or "" for e in around for name in ("class", "id"))
    return bool(_DISCLOSES.search(names)) and (line.endswith(("?", "\uff1f", "\u061f")) or bool(_FAQ.search(names)))
