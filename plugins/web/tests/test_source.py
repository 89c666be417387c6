"""The raw source of a page: as it stands, without what its reader takes for unseen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import Download, Page
from websearch_core.testing.fakes import InProcessWorkers
from websearch_web.html.hidden.visible_source import seen_source
from websearch_web.text.text_extractor import RawTextExtractor

HIDDEN = {
    "a style sheet": "<style>.x { display: none }</style><p>one</p><p class=x>zqhidden</p><p>two, and more</p>",
    "a style": "<p>one</p><div style='opacity:0'>zqhidden<b>zqhidden</b></div><p>two</p>",
    "a closed dialog": "<p>one</p><dialog><p>zqhidden</p></dialog><p>two</p>",
    "an unseen field": "<p>one</p><form><input type=hidden name=a value=zqhidden></form><p>two</p>",
    "suggestions": "<p>one</p><datalist><option>zqhidden</datalist><p>two</p>",
    "no end tags": "<p>one<p hidden>zqhidden<i>zqhidden</i><p>two",
    "an item": "<ul><li>one<li hidden>zqhidden</ul><p>two</p>",
    "beyond the basic plane": "<p>one \U0001d11e</p>\r\n<p hidden>zqhidden</p>\r\n<p>two</p>",
    "something implied follows": "<p>one<table><caption hidden>zqhidden<tr><td>two</table>",
    "a page in an attribute": "<p>one</p><iframe src=/a srcdoc='<p>zqhidden</p>'></iframe><p>two</p>",
    "the end": "<p>one two</p><p hidden>zqhidden",
}


async def raw(source: str, media_type: str = "text/html") -> Page:
    url, now = "https://example.com/", datetime(2026, 1, 1, tzinfo=UTC)
    given = Download(
        url=url, final_url=url, body=source.encode(), media_type=media_type, charset="utf-8", fetched_at=now
    )
    return await RawTextExtractor(InProcessWorkers()).extract(given)


@pytest.mark.parametrize("way", HIDDEN)
async def test_what_the_reader_takes_for_unseen_is_cut_out(way: str) -> None:
    page = await raw(HIDDEN[way])
    assert "zqhidden" not in page.body
    assert "one" in page.body
    assert "two" in page.body
    assert page.notes == ("some markup that a person would not see was cut out",)
    if "input" not in HIDDEN[way] and "datalist" not in HIDDEN[way]:
        assert "zqhidden" in page.hidden


@pytest.mark.parametrize("media_type", ["text/html", "application/xml"])
async def test_what_hides_nothing_stays_as_it_is(media_type: str) -> None:
    source = (
        "<!doctype html><html><head><meta name=a><style>p{color:red}</style></head><body><p>a<br>b<p>c</body></html>"
    )
    page = await raw(source, media_type)
    assert (page.body, page.hidden, page.notes) == (source, "", ())


HIDING = ("<p hidden>", "<div hidden>", "<td hidden>", "<input type=hidden>")
TAGS = (
    *("<p>", "</p>", "<b>", "</b>", "</div>", "<li>", "<table>", "<tr>", "</table>", "<a>", "<svg>", "</svg>"),
    *("word ", "<!-- c -->"),
)


@given(st.lists(st.sampled_from(HIDING + TAGS), max_size=12).map("".join))
def test_of_any_markup_only_pieces_are_cut(markup: str) -> None:
    left = iter(seen_source(markup).text)
    there = iter(markup)
    assert all(character in there for character in left)
    if "hidden" not in markup:
        assert seen_source(markup).text == markup
