"""Where results lead: links are unwrapped once, advertising and what leads nowhere is dropped."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

import pytest

from websearch_duckduckgo.results import read_html, target_of


def addresses(*links):
    """Those that are left of a page of these links."""
    results = (f'<div class="result"><a class="result__a" href="{escape(link)}">Title</a></div>' for link in links)
    return [hit.url for hit in read_html("".join(results)).hits]


WRAPPED = "//duckduckgo.com/l/?uddg={}&rut=d43f551c"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/",
        "http://example.com/a?b=c&d=e#f",
        "https://example.com/100%25",
        "https://example.com/?q=a%2Bb+c%20d",
        "https://example.com/%2525",
        "https://example.com/?u=https%3A%2F%2Fother.example%2F%3Fuddg%3Dx",
        "https://de.wikipedia.org/wiki/K%C3%B6ln",
        "https://example.com/ä",
        "https://duckduckgo.com/about",
        "https://bing.com/search?q=a",
    ],
)
def test_wrapped_addresses_are_decoded_exactly_once(url):
    assert target_of(WRAPPED.format(quote(url, safe=""))) == url
    assert target_of("/l/?kh=-1&uddg=" + quote(url, safe="")) == url
    assert target_of("https://html.duckduckgo.com/l/?rut=x&uddg=" + quote(url, safe="")) == url
    assert target_of(url) == url


def test_a_bare_plus_is_a_plus():
    assert target_of(WRAPPED.format("https%3A%2F%2Fexample.com%2Fa+b")) == "https://example.com/a+b"


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#",
        "/html/",
        "javascript:alert(1)",
        "mailto:a@example.com",
        "//",
        "https://[::1",
        "//duckduckgo.com/l/",
        "//duckduckgo.com/l/?rut=x",
        WRAPPED.format(""),
        WRAPPED.format("%FF%FE"),
        WRAPPED.format("https%3A%2F%2Fexample.com%2F%C3"),
        WRAPPED.format("javascript%3Aalert(1)"),
        WRAPPED.format("https%3A%2F%2Fa%20b%2F"),
        WRAPPED.format("https%3A%2F%2Fexample.com%3A99999%2F"),
        WRAPPED.format("https%253A%252F%252Fexample.com%252F"),
        WRAPPED.format(quote(WRAPPED.format("https%3A%2F%2Fexample.com%2F"), safe="")),
    ],
)
def test_what_leads_nowhere_is_dropped(href):
    assert target_of(href) == ""
    assert addresses(href, "https://good.example/") == ["https://good.example/"]


@pytest.mark.parametrize(
    "href",
    [
        "https://duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=bingv7aa&u3=https%3A%2F%2Fshop.example",
        "//duckduckgo.com/y.js?x=1",
        "https://links.duckduckgo.com/m.js?ad_provider=bing",
        WRAPPED.format(quote("https://duckduckgo.com/y.js?ad_domain=shop.example", safe="")),
        "https://www.bing.com/aclick?ld=e8",
        "https://duckduckgo.com/duckduckgo-help-pages/company/ads-by-microsoft-on-duckduckgo-private-search/",
    ],
)
def test_advertising_is_dropped_even_where_nothing_says_so(href):
    assert target_of(href) == ""
    assert addresses(href, "https://good.example/") == ["https://good.example/"]
