"""What stands after the last true line of a page: stamps, teasers, steps back, consent, labels of nothing."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from turbohtml import Element

from .navigation_words import asks_for_mistakes, is_count, is_stamp, says_follow, says_step, says_tool, says_top
from .section_labels import MAX_CHARS, says_around
from .section_tests import HEADINGS, own_chars
from .teasers import HEADLINE, NO_TEASER, is_teaser, leads_to_page

if TYPE_CHECKING:
    from turbohtml import Node

    from ...kit.links import LinkResolver

_MOST_PARTS = 16
_MOST_LEVELS = 32
"""Of boxes within boxes that are looked into for teasers: each is read whole."""
_OUTER = frozenset({"div", "section", "footer", "article", "main", "center", "font", "table", "tbody", "tr"})
_BLOCKS = frozenset({"p", "ul", "ol", "dl", "pre", "table", "blockquote", "hr", "h1", "h2", "h3", "h4", "address"})
_EDGES = re.compile(r"^[\W_]+|[\W_\d]+$")
_LABEL_CHARS = 30
_STEP_CHARS, _SIGNS = 60, 3
"""Of a step back, and of what stands beside its link."""
_CONSENT_CHARS = 500
_CONSENT = re.compile(
    r"cookies?[- ](?:polic|setting|notice|preference|consent|richtlin|einstell|hinweis)|"
    r"politi\w+ (?:de|sui|dei|med|o) |\b(?:we|site|website|page|portal|our) (?:may |also )?(?:use|store|set|place)|"
    r"accept|consent|agree\b|privacy|\bgdpr\b|akzept|zustimm|einverstanden|datenschutz|verwende|nutze|setzt|utilis|confidential|acept|aceit|"
    r"utiliz|\busa(?:mos|m)?\b|privacid|accett|gebruik|akkoord|använd|bruker|bruger|käyt|evästei|używa|akceptuj|prywatno|"
    r"použív|súhlas|souhlas|használ|folosi|elfogad|користи|исполь|соглас|використ|kullan|gizlilik|使用|同意|利用|사용|동의",
    re.IGNORECASE,
)
"""What a line says that asks for leave to set cookies: one that only names a cookie may be of a recipe."""
_LEAST_ICONS = 2
_SMALL = re.compile(r"(?:[1-3]?\d|4[0-8])(?:px)?")
"""Pixels of an icon's side."""
_ELSEWHERE = "a[href]:not([href^='#'])"
_PICTURE = "img:not(a[href] img), figure, picture:not(a[href] picture)"
_LEAST_TEASERS = 2
_LEAST_HEADLINES = 3
_TOPIC_WORDS = 3
_MOST_TEASERS = 0.25
"""The share of a text's own words that its teasers may hold."""

_SAID = (says_follow, says_step, says_top, says_tool)


def drop_after_text(container: Element, addresses: LinkResolver, *, article: bool, declared: bool) -> None:
    """Take out what stands after the last true line; after an `article` also teasers and headings of nothing.

    After one that is `declared` to be one, a list of names in links is what it is filed under.
    """
    for _ in range(_MOST_PARTS):
        if article and _drop_teasers(container, addresses):
            continue
        last = _last_part(container)
        if last is None or not (
            _is_after_text(last, container, addresses, article=article) or (declared and _names_topics(last, addresses))
        ):
            break
        last.extract()
    _drop_last_icons(container)


def _is_after_text(last: Element, container: Element, addresses: LinkResolver, *, article: bool) -> bool:
    line = " ".join(last.text.split())
    links = last.select("a[href]")
    if is_stamp(line, [" ".join(link.text.split()) for link in links]) or is_count(line):
        return True
    alone = len(links) == 1 and len(line) <= _STEP_CHARS and own_chars(last) <= _SIGNS
    if alone and addresses.is_above(links[0].attr("href") or ""):
        return True
    if len(line) <= _CONSENT_CHARS and "cookie" in line.lower() and _CONSENT.search(line):
        return container.text.lower().count("cookie") == last.text.lower().count("cookie")
    label = _EDGES.sub("", line)
    if not article or not label:
        return False
    if asks_for_mistakes(line):
        return True
    if len(line) <= MAX_CHARS and (says_around(label) or any(says(line) for says in _SAID)):
        return True
    if last.tag[0] == "h" and last.matches(HEADINGS):
        heads_nothing = len(line) <= MAX_CHARS and not links and last != container.select_one("h1")
        return heads_nothing and not _shows_after(last, container)
    return len(line) <= _LABEL_CHARS and line.endswith((":", "\uff1a")) and not links


def _shows_after(heading: Element, container: Element) -> bool:
    """Whether a picture follows: what a heading is of need not be text."""
    node: Node | None = heading
    while node is not None and node != container:
        for sibling in node.next_siblings:
            if isinstance(sibling, Element) and (sibling.matches(_PICTURE) or sibling.select_one(_PICTURE) is not None):
                return True
        node = node.parent
    return False


def _names_topics(last: Element, addresses: LinkResolver) -> bool:
    """Whether it is nothing but links of few words to pages of the site."""
    links = last.select("a[href]")
    few = len(links) >= _LEAST_TEASERS and all(
        len(link.text.split()) <= _TOPIC_WORDS and leads_to_page(link, addresses) for link in links
    )
    return few and own_chars(last) <= _SIGNS * len(links) and last.select_one(f"{NO_TEASER}, img") is None


def _drop_teasers(container: Element, addresses: LinkResolver) -> bool:
    """Take out the last parts where they only announce other pages of the site; whether there were any."""
    node = container
    for _ in range(_MOST_LEVELS):
        run: list[Element] = []
        before: Node | None = None
        for child in reversed(node.children):
            if isinstance(child, Element) and is_teaser(child, addresses):
                run.append(child)
            elif child.text.strip():
                before = child
                break
        if run:
            return _extract_run(run, before, container)
        if not isinstance(before, Element) or before.tag not in _OUTER | {"ul", "ol", "li", "aside"}:
            return False
        node = before
    return False


def _extract_run(parts: list[Element], before: Node | None, container: Element) -> bool:
    links = sum(len(part.select("a[href]")) + (part.tag == "a") for part in parts)
    label = " ".join(before.text.split()) if before is not None else ""
    announced = len(label) <= MAX_CHARS and says_around(_EDGES.sub("", label))
    # what stands under a heading of its own that promises no other articles is a section: sources, reports, winners
    is_section = isinstance(before, Element) and before.matches(HEADINGS) and before.select_one(_ELSEWHERE) is None
    shown = sum(len(part.select("a[href] img" if is_section else HEADLINE)) for part in parts)
    listed = links - shown >= _LEAST_HEADLINES and shown < _LEAST_TEASERS and not is_section
    if not (announced or shown >= _LEAST_TEASERS or listed):
        return False
    if sum(map(own_chars, parts)) > _MOST_TEASERS * own_chars(container):
        return False
    for part in parts:
        part.extract()
    return True


def _drop_last_icons(container: Element) -> None:
    """A row of small linked pictures at the very end leads to other pages, whatever these are called."""
    node = container
    while True:
        rest = [child for child in reversed(node.children) if isinstance(child, Element) or child.text.strip()]
        icons = list(takewhile(_is_icon, rest))
        if len(icons) >= _LEAST_ICONS:
            rule = rest[len(icons)] if len(rest) > len(icons) else None
            for child in [*icons, *([rule] if isinstance(rule, Element) and rule.tag == "hr" else [])]:
                child.extract()
        last = rest[0] if rest else None
        if icons or not isinstance(last, Element) or last.tag not in _OUTER | {"p"}:
            return
        node = last


def _is_icon(node: Node) -> bool:
    """A link that shows a picture of the size of a letter or two, and says nothing."""
    if not isinstance(node, Element) or node.tag != "a" or node.text.strip():
        return False
    image = node.select_one("img")
    sizes = [image.attr("width") or "", image.attr("height") or ""] if image is not None else [""]
    return all(_SMALL.fullmatch(size) for size in sizes)


def _last_part(container: Element) -> Element | None:
    """The smallest part that holds the last line of text, and nothing before it."""
    node = container
    while True:
        last = next((child for child in reversed(node.children) if child.text.strip()), None)
        if not isinstance(last, Element):
            return None if last is None or node == container or node.text.strip() != last.text.strip() else node
        if last.tag not in _OUTER or not any(getattr(child, "tag", "") in _OUTER | _BLOCKS for child in last.children):
            return last
        node = last
