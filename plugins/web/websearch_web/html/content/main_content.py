"""The main content of a page: what is left when everything that recurs from page to page is taken away."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from ..hidden.disclosure import has_opener
from .article_body import drop_around_clear_text, drop_around_text
from .boilerplate_words import BY_KIND, LISTS_OF_LINKS, boilerplate_word
from .ending import drop_after_text
from .labelled_sections import drop_labelled
from .navigation import drop_navigation
from .page_kind import Kind
from .section_tests import CONVERSATION, SENTENCE_ENDS, is_section, says_something
from .site_links import drop_site_links
from .teasers import drop_cards
from .text_width import width
from .trim import bring_title, drop_before_title, drop_buttons, drop_poster_details

if TYPE_CHECKING:
    from turbohtml import Element, Node

    from ...kit.links import LinkResolver

_NEVER = (
    "nav, footer, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], "
    "[role=alertdialog], [role=menu], [role=menubar], [role=listbox], [role=toolbar], [role=tablist], "
    "[aria-modal=true], [itemtype$=BreadcrumbList], [aria-label=breadcrumb i], fieldset"
)
_CONTROLS = (
    "select, option, svg, iframe, audio, video, textarea, legend, button:not(:has(h1, p + p)), "
    "label:not(:has(h1, p + p))"
)
_ICONS = "[class^=material-icons], [class*=' material-icons'], [class*=material-symbols]"
_ICON_NAME = re.compile(r"[a-z0-9_]{0,40}")
"""A font draws a picture in place of its name; other text in such an element is text."""
_HEADING_BUTTON = (
    "h2 button, h3 button, h4 button, h5 button, dt button, summary button, button[aria-expanded][aria-controls]"
)
_QUESTION = ("?", "\uff1f", "\u061f")
_FIELDS = "form, fieldset, aside, nav, header, dialog, [class*=filter], [class*=facet], [id*=filter]"
"""A label within is of a field; in a list elsewhere it is an item to tick off."""
_NOTE = re.compile(
    r"(?:^|[\s_-])(?:note|callout|admonition|warning|tip|caution|danger|important|hint|alert|footnotes?)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""What an aside within the text is called."""
_BLOCKS = ":is(p, li, td, pre, blockquote, h1, h2, h3, dd, figcaption):not(:has(p, li, td))"
_COMMENTS = frozenset({"comments", "comment", "respond", "disqus"})
_KEPT = "body, main, article, html, h1, h2, h3, h4, h5, h6, table, tbody, td, tr, th, pre, code, p, dl, dt, dd"
"""What is content, whatever its name says."""
_SELDOM = f":is(header, aside, form, [role=complementary], [class], :is(div, section, ul, ol)[id]):not({_KEPT})"
_CERTAIN = _COMMENTS | {
    "ad", "ads", "advert", "advertisement", "advertising", "bio", "byline", "cart", "ccpa", "consent", "cookie",
    "cookies", "gdpr", "honeypot", "login", "minicart", "newsletter", "popup", "promo", "recommendations",
    "recommended", "related", "signup", "sponsor", "sponsored", "subscribe", "subscription", "toast", "wishlist",
}  # fmt: skip
"""What goes by its name alone, whatever it says."""
_ENOUGH = 1200
"""Characters of prose that make a page."""
_SENTENCE = 20
"""Characters that are more than a label with a full stop."""
_WHOLE_NAMES = frozenset({"copyright", "modal", "share"})
"""As a whole name they are of a page; with another word beside them they are as likely a subject."""
_TO_USE = f"a[href], {CONVERSATION}"
_CATALOGUES = frozenset({"product", "listing"})
"""What surrounds their items is large in proportion to them: what may go is measured by the whole page."""
_MANUAL = "pre, code, tt, kbd, samp, dl"
"""What pages of documentation hold, where nothing says what a page is."""
_BLOCK_TAGS = frozenset(["div", "section", "aside", "ul", "ol"])
_NAMED_TAGS = _BLOCK_TAGS | {"header", "form"}
"""Of others only the class says something."""


def main_content(body: Element, kind: Kind, addresses: LinkResolver, title: str = "", guessed: bool = False) -> Element:
    """The part of the tree that holds the main content; boilerplate inside it has been removed.

    `guessed`: nothing but a date says that the page is an article.
    """
    main = body if kind in _CATALOGUES else _main(body)
    _prune(main, kind)
    container = _container(_main(main), kind)
    if kind not in _CATALOGUES:
        bring_title(container, title)
    article = kind == "article"
    if article:
        drop_around_text(container, title, guessed=guessed)
    if guessed or kind in {"", "recipe"}:
        manual = container.select_one(_MANUAL) is not None
        article = not manual and (article or drop_around_clear_text(container, title))
    drop_navigation(container, addresses)
    drop_labelled(container, opinions=kind in {"product", "listing"}, article=article)
    drop_before_title(container, title, addresses)
    if article:
        drop_cards(container, addresses)
    drop_site_links(container, addresses, files=kind in {"article", "recipe", ""})
    drop_after_text(container, addresses, article=article, declared=article and kind == "article" and not guessed)
    drop_buttons(container)
    if kind == "forum":
        drop_poster_details(container)
    return container


def whole_content(body: Element) -> Element:
    """Everything but navigation and controls: for pages in which no main content stands out."""
    for element in body.select("nav, [role=navigation], select, textarea, [aria-modal=true]"):
        element.extract()
    return body


def _prune(body: Element, kind: Kind) -> None:
    for control in body.select("button, label"):
        if control.matches(_HEADING_BUTTON):
            control.tag = "span"
            continue
        opens = control.attr("aria-expanded") or ((after := control.next_sibling) is not None and after.text.strip())
        if opens and control.text.rstrip().endswith(_QUESTION) and control.closest(_FIELDS) is None:
            control.tag = "div"
        elif control.matches("li label") and control.closest(_FIELDS) is None:
            control.tag = "span"
    for dialog in body.select("main [role=dialog]:not([aria-modal=true])"):
        if has_opener(dialog):
            _open(dialog)
    for icon in body.select(_ICONS):
        if _ICON_NAME.fullmatch(icon.text.strip()):
            icon.extract()
    body.remove(_CONTROLS)
    found = body.select(_NEVER)
    prose, chars = (_prose(body), _length(body)) if found else (0, 0)
    for element in found:
        # A footer may hold more prose than its page; anything else with nearly all of it is misnamed.
        length, most = _length(element), prose * 0.9
        fits = length < chars - 500 if element.tag == "footer" else 2 * length <= most or _prose(element) <= most
        if fits and not element.select_one("main, h1"):
            element.extract()
    more = BY_KIND.get(kind, frozenset())
    doubted = _doubted(body, kind)
    prose, chars = (_prose(body), _length(body)) if doubted else (0, 0)
    for reason, elements in doubted.items():
        inside = sum(map(_prose, elements))
        # A word that would take away a good part of the page means something else here.
        special = reason in more
        only_links = reason in LISTS_OF_LINKS or (reason in _CERTAIN and not inside and prose > _ENOUGH)
        most_chars = 0.7 if special else 0.9 if only_links else 0.5
        most = prose * 0.6 if special else prose - _ENOUGH if reason in _COMMENTS else prose * 0.35
        if inside <= most and (reason in _COMMENTS or sum(map(_length, elements)) < chars * most_chars):
            for element in elements:
                element.extract()


def _open(dialog: Element) -> None:
    """A part that slides in when a reader asks for it is a part of the page."""
    del dialog.attrs["role"]
    for aside in dialog.select("aside"):
        aside.tag = "div"


def _doubted(body: Element, kind: Kind) -> dict[str, list[Element]]:
    """Elements that are named like boilerplate, by the word that says so; of nested ones the outermost."""
    more = BY_KIND.get(kind, frozenset())
    found: dict[str, list[Element]] = {}
    members: dict[str, set[Node]] = {}
    seldom = [(element, element.tag, element.attr("class") or "") for element in body.select(_SELDOM)]
    words = _words_of({names for _, _, names in seldom}, more)
    complementary = set(body.select("[role=complementary]"))
    for element, tag, names in seldom:
        if not (word := words.get(names, "")) and tag not in _NAMED_TAGS and element not in complementary:
            continue
        reason = _reason(element, tag, "aside" if element in complementary else word, more)
        if not reason or (kind == "forum" and reason in _COMMENTS) or _holds_title(element, reason):
            continue
        banner = reason in LISTS_OF_LINKS and element.select_one("h1") is not None
        if (is_section(element) and not banner) or element.closest("pre, code") is not None:
            continue
        if reason in LISTS_OF_LINKS and says_something(element):
            continue
        if reason not in _CERTAIN and reason not in more and _is_prose_within(element):
            continue
        known = members.setdefault(reason, set())
        if not any(ancestor in known for ancestor in element.ancestors):
            found.setdefault(reason, []).append(element)
        known.add(element)
    return found


def _holds_title(element: Element, reason: str) -> bool:
    """Whether the page's heading stands in it: above a list of links it is the site's, if there is another one."""
    inside = element.select("h1")
    if element.select_one("main") is not None or not inside or reason not in LISTS_OF_LINKS:
        return bool(inside) or element.select_one("main") is not None
    body = element.closest("body")
    return body is None or len(body.select("h1")) == len(inside)


def _is_prose_within(element: Element) -> bool:
    """Whether it stands within the text of a page, has a sentence in a paragraph, and nothing to follow or fill in."""
    if element.closest("main, article, [role=main]") is None:
        return False
    if not _WHOLE_NAMES.isdisjoint((element.attr("class") or "").split()):
        return False
    if element.tag == "form" or element.select_one(_TO_USE) is not None:
        return False
    lines = (p.text.strip() for p in element.select("p"))
    return any(line.endswith(SENTENCE_ENDS) and width(line) > _SENTENCE for line in lines)


def _prose(root: Element) -> int:
    """Characters of prose inside: text outside of links, in blocks of some length."""
    found = 0
    for block in root.select(_BLOCKS):
        length = width(block.text.strip())
        if length > 20 and (amount := length - sum(width(a.text) for a in block.select("a"))) > 20:
            found += amount
    return found


def _reason(element: Element, tag: str, word: str, more: frozenset[str]) -> str:
    """Why the element looks like boilerplate, besides the `word` of its class; empty when it does not."""
    if tag in {"header", "aside", "form"}:
        return "" if _introduces(element) or _quotes(element) else tag
    # An id is first of all the address of a section or, with a dot, of a method.
    if word or tag not in _BLOCK_TAGS or not (name := element.attr("id")) or "." in name:
        return word
    return _word_of(name, more)


def _words_of(classes: set[str], more: frozenset[str]) -> dict[str, str]:
    """Of the values of class attributes those that say boilerplate, with the word that does."""
    names = {name for name in chain.from_iterable(map(str.split, classes)) if boilerplate_word(name, more)}
    return {each: _word_of(each, more) for each in classes if not names.isdisjoint(each.split())}


def _word_of(names: str, more: frozenset[str]) -> str:
    return next(filter(None, (boilerplate_word(name, more) for name in names.split())), "")


def _introduces(header: Element) -> bool:
    """Whether it is the header of a section or card, which it introduces, and not of the page."""
    if header.tag != "header":
        return False
    holder = header.parent
    inside = holder is not None and getattr(holder, "tag", "") not in {"body", "main", "article"}
    return inside and header.closest("section, li, main article") is not None and header.select_one("nav, form") is None


def _quotes(aside: Element) -> bool:
    """Whether an aside is a quotation or a remark to the text around it."""
    if aside.tag != "aside":
        return False
    noted = (
        aside.attr("role") in {"note", "doc-footnote", "doc-tip", "doc-notice"}
        or _NOTE.search(aside.attr("class") or "") is not None
    )
    return noted or aside.select_one(":scope > blockquote") is not None


def _main(body: Element) -> Element:
    """The main element, if it holds a good part of the text."""
    mains = body.select("main, [role=main]")
    if not mains:
        return body
    best = max(mains, key=lambda main: (main.select_one("h1") is not None, _length(main)))
    return best if _length(best) > _length(body) * 0.3 else body


def _container(node: Element, kind: Kind) -> Element:
    """The one article that is most of a page; where the kind of page is not known, the whole."""
    articles = [a for a in node.select("article") if not a.closest("article article")] if kind else []
    if articles:
        best = max(articles, key=_length)
        if _length(best) > _length(node) * 0.7 and not _is_one_of_many(best, articles):
            node = best
    return node


def _is_one_of_many(article: Element, articles: list[Element]) -> bool:
    """Whether it is an entry of a stream: others of the same name beside it hold prose, too."""
    name, holder = article.attr("class"), article.parent
    return any(a != article and a.parent == holder and a.attr("class") == name and _prose(a) for a in articles)


def _length(element: Element) -> int:
    return len(element.text.strip())
