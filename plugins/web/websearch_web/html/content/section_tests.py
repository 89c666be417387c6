"""Whether a part of a page is a section of its text, whatever it is called: names are hints, not proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .section_labels import may_be_topic, says_around
from .text_width import width

if TYPE_CHECKING:
    from turbohtml import Element

HEADINGS = "h1, h2, h3, h4, h5, h6"
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "।", "؟")  # noqa: RUF001 - the marks of those scripts
_TITLES = f"{HEADINGS}, p.title, p[class$=-title]"
_PROSE = 80
"""Characters outside of links that are more than a label or the text of a button."""
CONVERSATION = (
    "form, input, textarea, time, article, "
    "[class*=comment], [class*=reply], [class*=respond], [class*=avatar], [class*=card]"
)
"""What comments, forms and teasers hold, and a plain section of a text does not."""


def is_section(element: Element) -> bool:
    """Whether it holds code, or a heading of its own with prose: a chapter has these, a list of links has not."""
    if element.select_one("pre") is not None:
        return True
    heading = element.select_one(_TITLES)
    if heading is None or heading.select_one("a[href]:not([href^='#'])") is not None:
        return False
    if says_around(label := " ".join(heading.text.split())):
        return is_topic(element, label)
    return own_chars(element) - width(label) > _PROSE


def is_topic(section: Element, label: str) -> bool:
    """Whether a section speaks about its label ("Comments", "Filters") rather than being what the label announces."""
    if section.select_one("pre") is not None:
        return True
    if section.select_one(CONVERSATION) is not None:
        return False
    if may_be_topic(label):
        return own_chars(section) - width(label) > _PROSE
    # A list of related texts that its author introduces belongs to the text; what a site adds begins with its links.
    first = section.select_one("p, a, img")
    return first is not None and first.tag == "p" and width(first.text) > _PROSE and first.select_one("a") is None


def says_something(element: Element) -> bool:
    """Whether it holds more words of its own than links, or a paragraph of its own beside them."""
    paragraphs = [p for p in element.select("p") if p.text.strip() and p.select_one("a") is None]
    if any(len(p.text.split()) > 1 for p in paragraphs):
        return True
    own = own_chars(element)
    return (own > _PROSE or bool(paragraphs)) and own > _shown(element) * 0.5


def own_chars(element: Element) -> int:
    """Characters of text outside of links, runs of blanks as one."""
    return _shown(element) - sum(_shown(anchor) for anchor in element.select("a[href]"))


def _shown(element: Element) -> int:
    return width(" ".join(element.text.split()))
