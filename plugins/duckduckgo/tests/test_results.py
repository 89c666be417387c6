"""DuckDuckGo's pages, as recorded and as they might be, become hits, nothing, a challenge or UnexpectedResponse."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from websearch_core.kit import BlockedBySite, TooLarge, UnexpectedResponse
from websearch_duckduckgo.results import MAX_CHARS, read_html, read_lite

SAMPLES = Path(__file__).with_name("samples")


def sample(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


READERS = {"html.html": read_html, "lite.html": read_lite}
both = pytest.mark.parametrize(("name", "read"), READERS.items())


def html_page(*results, before="", after=""):
    return f'<html><body>{before}<div id="links">{"".join(results)}</div>{after}</body></html>'


def result(href="https://example.com/", title="Title", snippet="Text.", classes="web-result"):
    text = f'<a class="result__snippet" href="{href}">{snippet}</a>' if snippet else ""
    return f'<div class="result {classes}"><h2><a class="result__a" href="{href}">{title}</a></h2>{text}</div>'


def lite_page(*results):
    return f"<html><body><form></form><table>{''.join(results)}</table></body></html>"


@both
def test_recorded_pages_are_read(name, read):
    reading = read(sample(name))
    assert len(reading.hits) == 10
    assert (reading.hits[0].url, reading.hits[0].title) == ("https://rust-lang.org/", "Rust Programming Language")
    assert reading.hits[1].url == "https://en.wikipedia.org/wiki/Rust_(programming_language)"
    assert reading.hits[0].snippet.startswith("Rust is a fast, reliable, and productive programming language that can")
    assert all(hit.url and hit.title and hit.snippet and hit.published is None for hit in reading.hits)
    assert not any(mark in hit.title + hit.snippet for hit in reading.hits for mark in ("<b>", "&#x27;", "&amp;", "\n"))


@both
def test_the_form_for_the_next_page_is_read(name, read):
    assert read(sample(name)).onward == {
        "s": "10",
        "nextParams": "",
        "v": "l",
        "o": "json",
        "dc": "11",
        "api": "d.js",
        "vqd": "4-228146944907429031912155131235649544909",
    }


@both
def test_only_a_form_that_leads_on_is_a_way_on(name, read):
    page = sample(name)
    assert read(page, after=9).onward
    assert read(page, after=10).onward == {}


@pytest.mark.parametrize("field", ["vqd", "s"])
def test_a_form_without_its_token_or_its_place_is_no_way_on(field):
    page = re.sub(rf'<input[^>]*name="{field}"[^>]*>', "", sample("html.html"))
    reading = read_html(page)
    assert len(reading.hits) == 10
    assert reading.onward == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [("s", "ten"), ("s", "-1"), ("s", "99999"), ("s", "²"), ("vqd", ""), ("vqd", "4 5"), ("vqd", "é")],
)
def test_a_form_with_odd_values_is_no_way_on(field, value):
    page = re.sub(rf'(name="{field}" value=)"[^"]*"', rf'\1"{value}"', sample("html.html"))
    assert read_html(page).onward == {}


def test_the_form_of_the_page_before_is_not_taken_for_the_next():
    back = '<form><input type="hidden" name="s" value="0"><input type="hidden" name="vqd" value="4-1"></form>'
    on = '<form><input type="hidden" name="s" value="25"><input type="hidden" name="vqd" value="4-1"></form>'
    assert read_html(html_page(result(), after=back + on), after=10).onward["s"] == "25"
    assert read_html(html_page(result(), after=back), after=10).onward == {}


def test_dates_are_read_where_there_are_any_and_links_need_not_be_wrapped():
    advertised, dated, undated = "shop.example", *read_html(sample("dated.html")).hits
    assert (dated.url, dated.title) == ("https://observatory.example/nights?a=1&b=2", "Open nights & observatory tours")
    assert dated.snippet == "The observatory is open on Fridays."
    assert dated.published == datetime(2026, 8, 17, 4, 17, 55, tzinfo=UTC)
    assert (undated.url, undated.snippet, undated.published) == ("https://undated.example/", "", None)
    assert advertised not in dated.url + undated.url


def test_the_lite_page_has_dates_and_advertisements_too():
    dated, undated = read_lite(sample("sponsored_lite.html")).hits
    assert (dated.url, dated.snippet) == ("https://observatory.example/", "The observatory is open on Fridays.")
    assert dated.published == datetime(2026, 9, 1, tzinfo=UTC)
    assert (undated.url, undated.snippet, undated.published) == ("https://undated.example/", "", None)


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01T00:00:00", "17 nights", "2 days ago"])
def test_what_is_no_date_is_left_out(text):
    page = sample("dated.html").replace("2026-08-17T04:17:55.0000000", text)
    assert read_html(page).hits[0].published is None


@both
@pytest.mark.parametrize("missing", range(10))
def test_a_missing_snippet_shifts_nothing(name, read, missing):
    page = sample(name)
    whole = read(page).hits
    snippets = list(re.finditer(r"<(a|td) class=[\"']result_?_?-?snippet[\"'][^>]*>.*?</\1>", page, re.DOTALL))
    assert len(snippets) == 10
    gone = snippets[missing]
    found = read(page[: gone.start()] + page[gone.end() :]).hits
    assert [(hit.url, hit.title) for hit in found] == [(hit.url, hit.title) for hit in whole]
    assert [hit.snippet for hit in found] == [
        "" if place == missing else hit.snippet for place, hit in enumerate(whole)
    ]


def test_a_result_that_was_not_closed_keeps_its_own_text():
    page = html_page(
        result("https://a.example/", "A", "").removesuffix("</div>"), result("https://b.example/", "B", "b")
    )
    assert [(hit.title, hit.snippet) for hit in read_html(page).hits] == [("A", ""), ("B", "b")]


def test_what_follows_a_result_without_a_link_is_not_the_one_befores():
    loose = '<div class="result web-result"><a class="result__snippet">not A\'s</a></div>'
    assert read_html(html_page(result(snippet=""), loose)).hits[0].snippet == ""


def test_advertising_is_dropped_by_its_frame():
    page = html_page(result("https://shop.example/", classes="result--ad result--ad--small"), result())
    assert [hit.url for hit in read_html(page).hits] == ["https://example.com/"]


UNSEEN = [
    '<script>var a = "<td>No results.</td>"</script>',
    "<style>/*>No results.<*/</style>",
    "<script>No results.</script>",
    "<!-- <td>No results.</td> -->",
    "<template><p>No results.</p></template>",
    "<textarea>No results.</textarea>",
]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_only_what_is_seen_says_that_nothing_was_found(unseen):
    with pytest.raises(UnexpectedResponse):
        read_lite(f"<html><head><title>No results.</title></head><body>{unseen}<p>changed</p></body></html>")


@pytest.mark.parametrize("words", ["No results.", " No more\n results. "])
def test_the_lite_pages_words_for_nothing_are_read(words):
    assert read_lite(lite_page(f"<tr><td>{words}</td></tr>")) == ((), {})


@pytest.mark.parametrize(("name", "read"), [("nothing.html", read_html), ("nothing_lite.html", read_lite)])
def test_nothing_found_is_nothing(name, read):
    assert read(sample(name)) == ((), {})


@pytest.mark.parametrize(
    "marker", ["<div class='no-results'>Nada</div>", "<div class='result result--no-result'></div>"]
)
@pytest.mark.parametrize("read", [read_html, read_lite])
def test_the_mark_counts_and_not_its_language(read, marker):
    assert read(f"<html><body>{marker}</body></html>").hits == ()


@pytest.mark.parametrize("name", ["challenge.html", "challenge_trimmed.html", "turnstile.html"])
@pytest.mark.parametrize("read", [read_html, read_lite])
def test_a_challenge_is_a_challenge(name, read):
    with pytest.raises(BlockedBySite) as caught:
        read(sample(name))
    assert caught.value.retry_after == 3600


@pytest.mark.parametrize(
    "mark",
    [
        '<form id="challenge-form"></form>',
        '<form action="//duckduckgo.com/anomaly.js?sv=html&q=x"></form>',
        '<div class="x anomaly-modal__mask"></div>',
        '<div id="cf-chl-widget"></div>',
    ],
)
def test_each_mark_of_a_challenge_is_enough_and_counts_more_than_nothing_found(mark):
    with pytest.raises(BlockedBySite):
        read_html(f"<html><body>{mark}<div class='no-results'>x</div></body></html>")


ECHO = "anomaly.js challenge-form anomaly-modal no-results cf-turnstile"


@both
def test_a_query_that_names_a_challenge_is_no_challenge(name, read):
    page = sample(name).replace("rust programming", ECHO)
    assert ECHO in page
    assert len(read(page).hits) == 10


def test_a_query_that_names_a_challenge_may_find_nothing():
    assert read_html(sample("nothing.html").replace("qzxvkplm", ECHO)).hits == ()


@pytest.mark.parametrize(
    ("page", "read", "missing"),
    [
        ("", read_html, "result__a"),
        ("<html><body>changed</body></html>", read_html, "result__a"),
        ("<html><body>changed</body></html>", read_lite, "result-link"),
        (f"<html><body>{ECHO} No results found for x</body></html>", read_html, "result__a"),
        (f'<form action="/html/?q={ECHO}"><input name="q" value="{ECHO}"></form>', read_html, "result__a"),
        ("<html><body><p>No results.</p></body></html>", read_html, "result__a"),
        (html_page(result("")), read_html, "result__a href"),
        (html_page(result(classes="result--ad")), read_html, "result__a"),
        (lite_page("<tr><td><a class='result-link' href='x'>T</a></td></tr>"), read_lite, "result-link href"),
        ("{}", read_html, "result__a"),
    ],
)
def test_any_other_page_is_drift_that_names_what_was_missing(page, read, missing):
    with pytest.raises(UnexpectedResponse) as caught:
        read(page)
    assert caught.value.field == missing


def test_the_html_page_is_not_read_as_the_lite_page_nor_the_other_way_round():
    with pytest.raises(UnexpectedResponse):
        read_lite(sample("html.html"))
    with pytest.raises(UnexpectedResponse):
        read_html(sample("lite.html"))


def test_a_page_beyond_all_measure_is_refused():
    with pytest.raises(TooLarge):
        read_html(html_page(result()) + " " * MAX_CHARS)


def test_results_without_any_title_are_called_by_their_address():
    assert read_html(html_page(result(title="", snippet=""))).hits[0].title == "https://example.com/"
    assert read_html(html_page(result(title=""))).hits[0].title == ""
