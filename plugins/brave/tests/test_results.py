"""Brave's JSON, as recorded and as it might be, becomes hits or UnexpectedResponse."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_brave.results import ALTERED, HIDDEN, image_hits, news_hits, remarks, text_hits, web_hits
from websearch_core.kit import Row, UnexpectedResponse


def web(*results, **more):
    return Row({"type": "search", "query": {"original": "x"}, "web": {"results": list(results)}, **more})


def one(**result):
    [hit] = web_hits(web({"url": "https://example.com/", "title": "T", **result}))
    return hit


def test_recorded_web_results_are_read(sample):
    found = web_hits(Row(sample("web")))
    assert len(found) == 20
    first = found[0]
    assert first.url == "https://en.wikipedia.org/wiki/%22Hello,_World!%22_program"
    assert first.title == '"Hello, World!" program - Wikipedia'
    assert first.snippet.startswith('A "Hello, World!" program is usually a simple computer program that emits')
    assert "<strong>" not in first.snippet
    assert first.published == datetime(2024, 12, 27, 15, 49, 55, tzinfo=UTC)
    assert (first.age_text, first.language, first.site) == ("4 days ago", "en", "Wikipedia")
    assert first.favicon.startswith("https://imgs.search.brave.com/")
    assert [hit.published is None for hit in found].count(True) == 4
    assert found[1].age_text == "September 6, 2019"


def test_recorded_news_are_read(sample):
    found = news_hits(Row(sample("news")))
    assert len(found) == 20
    assert found[0].title == "World News and International Headlines : NPR"
    assert found[0].published == datetime(2024, 12, 31, 17, 9, 3, tzinfo=UTC)
    assert found[0].age_text == "48 minutes ago"
    assert all(hit.published and hit.snippet for hit in found)


def test_recorded_pictures_are_read(sample):
    found = image_hits(Row(sample("images")))
    assert len(found) == 20
    assert found[0].url == "https://www.istockphoto.com/photos/hello-world"
    assert found[0].image.startswith("https://media.istockphoto.com/id/461954481/photo/hello-world.jpg?")
    assert found[0].alt == found[0].title
    assert all(hit.image and hit.url != hit.image for hit in found)


def test_text_of_pages_is_read(sample):
    found = text_hits(Row(sample("llm_context")))
    assert [hit.url.split("/")[2] for hit in found] == [
        "docs.example.com",
        "blog.example.org",
        "forum.example.net",
        "example.com",
    ]
    first, second, third, fourth = found
    assert first.title == "Coroutines and Tasks — Docs"
    assert first.body.startswith("A coroutine is declared with async/await.\n\n```python\nasync def main():\n    await")
    assert first.body.endswith(
        '\n\n[{"Function": "gather", "Since": "3.4"}, {"Function": "TaskGroup", "Since": "3.11"}]'
    )
    assert (first.snippet, first.text) == ("", first.body)
    assert (first.published, first.age_text) == (datetime(2025, 1, 15, tzinfo=UTC), "392 days ago")
    assert second.published == datetime(2025, 3, 3, 10, 11, 12, tzinfo=UTC)
    assert (third.title, third.published, third.age_text) == ("How to start a loop?", None, "")
    assert (fourth.body, fourth.published) == ("", None)


def test_more_excerpts_follow_the_description_once():
    hit = one(
        description="A <strong>b</strong> &amp; c.", extra_snippets=["A b &amp; c.", "D <em>e</em>.", 5, None, ""]
    )
    assert hit.snippet == "A b & c.\n\nD e."


def test_an_author_is_taken_from_the_article():
    assert one(article={"author": [{"type": "person", "name": "Ann"}, {"name": "Bo"}, {}, 5]}).author == "Ann, Bo"
    assert one(article={"author": "Ann"}).author == ""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2023-04-12T14:22:41", datetime(2023, 4, 12, 14, 22, 41, tzinfo=UTC)),
        ("2023-04-12T14:22:41Z", datetime(2023, 4, 12, 14, 22, 41, tzinfo=UTC)),
        ("2023-04-12", datetime(2023, 4, 12, tzinfo=UTC)),
        ("2 days ago", None),
        (None, None),
    ],
)
def test_published_is_only_a_real_date(given, expected):
    assert one(page_age=given, age="2 days ago").published == expected


@pytest.mark.parametrize(
    "url", [None, "", 5, "javascript:alert(1)", "/relative", "http://", "http://a b/", "https://[::1"]
)
def test_results_without_a_web_address_are_skipped(url):
    found = web_hits(web({"url": url, "title": "T"}, {"url": "https://example.com/", "title": "U"}))
    assert [hit.title for hit in found] == ["U"]


def test_a_picture_without_its_own_address_is_shown_by_its_thumbnail_or_left_out():
    rows = [
        {"url": "https://example.com/a", "title": "A", "thumbnail": {"src": "https://imgs.example.com/a"}},
        {"url": "https://example.com/b", "title": "B", "properties": {"url": "data:image/png;base64,AA"}},
    ]
    found = image_hits(Row({"type": "images", "results": rows}))
    assert [(hit.title, hit.image) for hit in found] == [("A", "https://imgs.example.com/a")]


EMPTY = {
    "web without a web block": (web_hits, {"type": "search", "query": {"original": "x"}}),
    "web with null": (web_hits, {"type": "search", "query": {"original": "x"}, "web": None}),
    "web with no results": (web_hits, {"type": "search", "query": {"original": "x"}, "web": {"results": []}}),
    "news": (news_hits, {"type": "news", "query": {}, "results": []}),
    "images": (image_hits, {"type": "images", "query": {}, "results": []}),
    "text": (text_hits, {"grounding": {"generic": [], "map": []}, "sources": {}}),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_genuine_nothing_is_empty(name):
    read, answer = EMPTY[name]
    assert read(Row(answer)) == []


ERROR = {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "status": 429}, "time": 1}
DRIFT = {
    "an error called 200": (web_hits, ERROR, "type"),
    "an error called 200, news": (news_hits, ERROR, "type"),
    "an error called 200, text": (text_hits, ERROR, "grounding.generic"),
    "no type": (web_hits, {"query": {"original": "x"}, "web": {"results": []}}, "type"),
    "another type": (news_hits, {"type": "search", "results": []}, "type"),
    "neither web nor query": (web_hits, {"type": "search"}, "web"),
    "web is a list": (web_hits, {"type": "search", "query": {"original": "x"}, "web": []}, "web.results"),
    "web without results": (web_hits, {"type": "search", "query": {"original": "x"}, "web": {}}, "web.results"),
    "results is an object": (image_hits, {"type": "images", "results": {}}, "results"),
    "no results": (news_hits, {"type": "news"}, "results"),
    "no grounding": (text_hits, {"sources": {}}, "grounding.generic"),
    "results of another form": (web_hits, {"type": "search", "web": {"results": ["a", "b"]}}, "web.results"),
    "results without addresses": (news_hits, {"type": "news", "results": [{"link": "https://x.y/"}]}, "results.url"),
    "pictures without pictures": (image_hits, {"type": "images", "results": [{"url": "https://x.y/"}]}, "results.url"),
    "text without addresses": (text_hits, {"grounding": {"generic": [{"snippets": ["a"]}]}}, "grounding.generic.url"),
}


@pytest.mark.parametrize("name", DRIFT)
def test_an_answer_of_another_form_is_drift_and_names_the_field(name):
    read, answer, field = DRIFT[name]
    with pytest.raises(UnexpectedResponse) as caught:
        read(Row(answer))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, []),
        ({"original": "pyton", "altered": "python"}, [ALTERED]),
        ({"original": "python", "altered": "python"}, []),
        ({"original": "python", "altered": None}, []),
        ({"original": "x", "show_strict_warning": True}, [HIDDEN]),
        ({"original": "x", "altered": "y", "show_strict_warning": True}, [ALTERED, HIDDEN]),
        ({"original": "x", "show_strict_warning": "yes"}, []),
    ],
)
def test_what_brave_made_of_the_query_is_said_without_its_words(query, expected):
    assert remarks(Row({"query": query})) == expected
