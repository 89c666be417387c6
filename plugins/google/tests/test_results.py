"""One page of Google's results, in the shapes that were seen."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from websearch_core import EngineResponse
from websearch_core.kit import UnexpectedResponse
from websearch_core.testing.site import answer
from websearch_google.results import page_of


def read(*items, images=False):
    body = answer(json={"items": list(items)}).body
    return page_of(EngineResponse(200, {}, body), images=images).hits


def one(**item):
    [hit] = read({"link": "https://example.com/", "title": "T", **item})
    return hit


@pytest.mark.parametrize(
    ("pagemap", "published"),
    [
        ({"metatags": [{"article:published_time": "2024-08-27T13:43:20Z"}]}, "2024-08-27T13:43:20+00:00"),
        ({"metatags": [{"pubdate": "20240827"}]}, "2024-08-27T00:00:00+00:00"),
        ({"metatags": [{"date": "Tue, 27 Aug 2024 13:43:20 GMT"}]}, "2024-08-27T13:43:20+00:00"),
        ({"newsarticle": [{"datepublished": "2024-08-27"}]}, "2024-08-27T00:00:00+00:00"),
        ({"metatags": [{"date": "soon", "dc.date": "2024-08-27"}]}, "2024-08-27T00:00:00+00:00"),
        ({"metatags": [{"date": "0001-01-01T00:00:00Z"}]}, None),
        ({"metatags": [{"article:published_time": "1970-01-01", "date": "2024-08-27"}]}, "2024-08-27T00:00:00+00:00"),
        ({"metatags": [{"article:modified_time": "2024-08-27"}]}, None),
        ({"metatags": [None, 5]}, None),
        ({"metatags": {"date": "2024-08-27"}}, None),
        (None, None),
    ],
)
def test_a_page_says_when_it_was_published(pagemap, published):
    moment = one(pagemap=pagemap).published
    assert (moment and moment.isoformat()) == published


@pytest.mark.parametrize(
    ("snippet", "age", "rest", "published"),
    [
        ("Mar 19, 2020 ... I believe", "Mar 19, 2020", "I believe", date(2020, 3, 19)),
        ("19 Sept 2020 ... I believe", "19 Sept 2020", "I believe", date(2020, 9, 19)),
        ("3 days ago ... I believe", "3 days ago", "I believe", None),
        ("1 hour ago ... I believe", "1 hour ago", "I believe", None),
        ("Results 1 - 50 of 354 ... Among", "", "Results 1 - 50 of 354 ... Among", None),
        ("Lecture ... For the rank", "", "Lecture ... For the rank", None),
        ("Jul 20, 1969 ... The Eagle", "Jul 20, 1969", "The Eagle", None),
        ("vor 3 Tagen ... Ich glaube", "vor 3 Tagen", "Ich glaube", None),
        ("19 mars 2020 ... Je crois", "19 mars 2020", "Je crois", date(2020, 3, 19)),
        ("3 days ... of rain", "", "3 days ... of rain", None),
        ("Foo 99, 2020 ... Odd", "", "Foo 99, 2020 ... Odd", None),
    ],
)
def test_an_age_before_the_snippet(snippet, age, rest, published):
    hit = one(snippet=snippet)
    assert (hit.age_text, hit.snippet) == (age, rest)
    assert (hit.published and hit.published.date()) == published


def test_what_the_page_says_goes_before_the_snippets_day():
    hit = one(snippet="Mar 19, 2020 ... Text", pagemap={"metatags": [{"date": "2020-03-18"}]})
    assert hit.published == datetime(2020, 3, 18, tzinfo=UTC)


@pytest.mark.parametrize("link", [None, "", 5, "javascript:alert(1)", "ftp://x/", "data:image/png;base64,AA"])
def test_a_result_without_a_web_address_is_no_hit(link):
    good = {"link": "https://example.com/"}
    assert [hit.url for hit in read({"link": link, "title": "T"}, good)] == ["https://example.com/"]
    with pytest.raises(UnexpectedResponse):
        read({"link": link, "title": "T"})


def test_a_picture_needs_its_page_and_its_own_address():
    picture = {"link": "https://example.com/a.png", "title": "A", "image": {"contextLink": "https://example.com/"}}
    without = ({**picture, "link": "data:image/png;base64,AA"}, {**picture, "image": {}})
    assert len(read(picture, *without, images=True)) == 1
