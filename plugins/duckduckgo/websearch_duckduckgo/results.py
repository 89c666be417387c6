"""DuckDuckGo's two pages of results, html and lite, as hits, and the form that leads to the next page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from websearch_core import Hit
from websearch_core.kit import Row, TooLarge, UnexpectedResponse, hit_of, web_address

from .error_mapping import challenged

if TYPE_CHECKING:
    from turbohtml import Document, Element

MAX_CHARS = 160_000
"""A real page has 10,000 to 60,000; what is larger may hold the event loop for longer than it is worth."""
_MOST_ELEMENTS = 1_000
_MOST_RESULTS = 50
_MOST_FORMS = 8
_TEXT_CHARS = 5_000
_NEXT_FIELDS = ("s", "nextParams", "v", "o", "dc", "api", "vqd")
_TOKEN = re.compile(r"[\w.-]{1,200}", re.ASCII)

_CHALLENGE = "#challenge-form, [id^='cf-chl'], .cf-turnstile, [class*='anomaly-modal']"
_NOTHING = ".no-results, .result--no-result, .no-results__message"
_NOTHING_SAID = (
    "//body//text()[normalize-space(.)='No results.' or normalize-space(.)='No more results.']"
    "[not(ancestor::script or ancestor::style or ancestor::template or ancestor::textarea)]"
)
"""The lite page has had only words for it, which stand alone. What nobody sees does not count."""


class Reading(NamedTuple):
    """What a page holds."""

    hits: tuple[Hit, ...]
    onward: Mapping[str, str]
    """What the form for the next page would send besides query and filters; empty on the last page."""


class _Markup(NamedTuple):
    """By what classes one of the two pages can be read."""

    selector: str
    """Everything of a result, which comes in the order of the page."""
    link: str
    snippet: str
    frame: str
    """What surrounds a result."""
    advertising: str
    """What surrounds advertising, or the rows of it: it ends the result before."""
    framed: bool
    """Whether a frame holds the whole result, so that nothing after it belongs to the result before."""


_HTML = _Markup(
    ".result, .result--ad, .result__a, .result__snippet, .result__extras__url > span:not(.result__icon)",
    link="result__a",
    snippet="result__snippet",
    frame="result",
    advertising="result--ad",
    framed=True,
)
_LITE = _Markup(
    "tr, .result-link, .result-snippet, .timestamp",
    link="result-link",
    snippet="result-snippet",
    frame="",
    advertising="result-sponsored",
    framed=False,
)


@dataclass(slots=True)
class _Block:
    """One result as it stands on the page: what belongs to it can never end up with another."""

    link: Element
    advertising: bool
    snippet: Element | None = None
    date: Element | None = None


def read_html(text: str, *, after: int = 0) -> Reading:
    """The html page. `after` is where this page began: the next one lies further on.

    An empty reading is DuckDuckGo's own word that there is nothing. Raises `BlockedBySite` for a challenge,
    `UnexpectedResponse` that names what was missing for any other page without results, `TooLarge` for a huge one.
    """
    return _read(text, _HTML, after)


def read_lite(text: str, *, after: int = 0) -> Reading:
    """The lite page; see `read_html`."""
    return _read(text, _LITE, after)


def _read(text: str, markup: _Markup, after: int) -> Reading:
    from turbohtml import parse

    if len(text) > MAX_CHARS:
        raise TooLarge("DuckDuckGo's answer is many times larger than its pages of results are")
    page = parse(text, positions=False)
    organic = [block for block in _blocks(page, markup) if not block.advertising]
    hits = tuple(hit for block in organic if (hit := _hit(block)) is not None)
    # Results first: the page repeats the query, and a query may hold any word by which challenges are known.
    if hits:
        return Reading(hits, _onward(page, after))
    if _is_challenge(page):
        raise challenged()
    if page.select_one(_NOTHING) is not None or (markup is _LITE and page.xpath(_NOTHING_SAID)):
        return Reading((), {})
    raise UnexpectedResponse(f"{markup.link} href" if organic else markup.link)


def _blocks(page: Document, markup: _Markup) -> list[_Block]:
    """The results, advertising among them: inside of something that is marked so, or announced by it."""
    blocks: list[_Block] = []
    block: _Block | None = None
    announced = linked = False  # by a marked row; whether one of the marked rows in a row has held a link
    for element in page.select(markup.selector)[:_MOST_ELEMENTS]:
        if element.has_class(markup.link):
            if len(blocks) == _MOST_RESULTS:
                break
            linked = element.closest(f".{markup.advertising}") is not None
            blocks.append(block := _Block(element, linked or announced))
            announced = False
        elif element.has_class(markup.advertising):
            announced = not (markup.framed or linked)
            block = None
        elif element.tag == "tr" or element.has_class(markup.frame):
            linked = False
            block = None if markup.framed else block
        elif block is None:
            continue
        elif element.has_class(markup.snippet):
            block.snippet = element if block.snippet is None else block.snippet
        else:
            block.date = element if block.date is None else block.date
    return blocks


def _hit(block: _Block) -> Hit | None:
    """None for what leads nowhere, or to an advertiser."""
    url = target_of(block.link.attr("href") or "")
    # Bing's dates, in UTC: DuckDuckGo shows them for some results
    dated = Row({"date": _text(block.date)}).dated("date")
    return hit_of(url=url, title=_text(block.link), snippet=_text(block.snippet), **dated)


def target_of(href: str) -> str:
    """Where a result's link leads, decoded once where it is wrapped; empty for advertising and for no web address."""
    address = web_address(f"https://duckduckgo.com{href}" if href.startswith("/l/") else href)
    if address and _is_own(parts := urlsplit(address)) and parts.path == "/l/":
        address = web_address(_wrapped(parts.query))
    return "" if not address or _is_advertising(urlsplit(address)) else address


def _wrapped(query: str) -> str:
    """The address in `uddg`. A `+` in it is a plus, and `%25` a per cent sign: it is no form's value."""
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name == "uddg":
            try:
                return unquote(value, errors="strict")
            except UnicodeDecodeError:
                return ""
    return ""


def _is_own(parts: SplitResult) -> bool:
    return f".{parts.hostname or ''}".endswith(".duckduckgo.com")


def _is_advertising(parts: SplitResult) -> bool:
    """Also where the frame does not say so: the redirector for advertisements, its explanation, a second wrapper."""
    if _is_own(parts):
        paid = "ad_provider=" in parts.query or "ad_domain=" in parts.query
        return paid or parts.path in ("/y.js", "/l/") or parts.path.startswith("/duckduckgo-help-pages/company/ads-")
    return f".{parts.hostname or ''}".endswith(".bing.com") and parts.path == "/aclick"


def _onward(page: Document, after: int) -> Mapping[str, str]:
    """The hidden fields of the form that leads further than `after`, which must hold the token for this query.

    The numbers are the form's own: `dc` counts advertisements, too, so it cannot be computed.
    """
    for form in page.select("form")[-_MOST_FORMS:]:
        given = dict(form.form_data())
        fields = {name: given[name] for name in _NEXT_FIELDS if _TOKEN.fullmatch(given.get(name, ""))}
        start = fields.get("s", "")
        if "vqd" in fields and start.isdigit() and len(start) < 5 and int(start) > after:
            return {"nextParams": "", **fields}
    return {}


def _is_challenge(page: Document) -> bool:
    """By classes, ids and the addresses of forms alone, never by words."""
    actions = ((form.attr("action") or "").partition("?")[0] for form in page.select("form[action]")[:_MOST_FORMS])
    return page.select_one(_CHALLENGE) is not None or any(action.endswith("/anomaly.js") for action in actions)


def _text(element: Element | None) -> str:
    return "" if element is None else " ".join(element.text[:_TEXT_CHARS].split())
