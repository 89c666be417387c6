"""Advertising is never a result, wherever DuckDuckGo's pages put its mark, and says nothing of its neighbours."""

from __future__ import annotations

import pytest

from websearch_duckduckgo.results import read_html, read_lite


def html_page(*results):
    return f'<html><body><div id="links">{"".join(results)}</div></body></html>'


def lite_page(*rows):
    return f"<html><body><table>{''.join(rows)}</table></body></html>"


def result(href="https://example.com/", title="Title", snippet="Text."):
    text = f'<a class="result__snippet" href="{href}">{snippet}</a>' if snippet else ""
    return f'<div class="result web-result"><h2><a class="result__a" href="{href}">{title}</a></h2>{text}</div>'


INNER = '<div class="result"><a class="result__a" href="https://shop.example/">Buy</a></div>'
MARKED = [
    f'<div class="result result--ad"><div class="links">{INNER}</div></div>',
    f'<div class="result--ad">{INNER}</div>',
    f'<div class="result"><div class="result--ad"><h2>{INNER}</h2></div></div>',
]


@pytest.mark.parametrize("advertisement", MARKED)
def test_advertising_is_whatever_has_its_mark_around_it(advertisement):
    page = html_page(result(), advertisement, result("https://b.example/", "B"))
    assert [hit.url for hit in read_html(page).hits] == ["https://example.com/", "https://b.example/"]


def test_what_advertising_without_a_link_says_is_not_the_result_befores():
    loose = '<div class="result--ad"><a class="result__snippet">Buy now.</a></div>'
    assert [hit.snippet for hit in read_html(html_page(result(snippet=""), loose)).hits] == [""]


def row(*cells, sponsored=False):
    return f"<tr{' class=result-sponsored' if sponsored else ''}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def link(name):
    return f'<a class="result-link" href="https://{name}.example/">{name}</a>'


def text(words):
    return f'<span class="result-snippet">{words}</span>'


A, B = (row("1.", link("a")), row(text("about a"))), (row("2.", link("b")), row(text("about b")))
AD, AD_TEXT, LABEL = row(link("ad"), sponsored=True), row(text("Buy."), sponsored=True), row("Ad", sponsored=True)
SPONSORED = {
    "rows with a link": (AD, AD_TEXT),
    "a label before": (LABEL, row(link("ad")), row(text("Buy."))),
    "a label and a space before": (LABEL, row(""), row(link("ad")), row(text("Buy."))),
    "a table inside": (row(f"<table>{row(link('ad'))}{row(text('Buy.'))}</table>", sponsored=True),),
    "more links": (AD, AD_TEXT, row(link("info"), sponsored=True)),
}


@pytest.mark.parametrize("rows", SPONSORED.values(), ids=SPONSORED)
def test_the_lite_pages_sponsored_rows_are_dropped_with_the_link_that_they_announce(rows):
    found = read_lite(lite_page(*A, *rows, *B)).hits
    assert [(hit.title, hit.snippet) for hit in found] == [("a", "about a"), ("b", "about b")]


def test_a_sponsored_row_says_nothing_of_the_result_above_it():
    found = read_lite(lite_page(A[0], AD_TEXT)).hits
    assert [(hit.title, hit.snippet) for hit in found] == [("a", "")]
