"""The values that flow."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import websearch_core
from websearch_core import FetchRequest, Hit, Page, SearchRequest
from websearch_core.contract.errors import BackendError, Code
from websearch_core.contract.outline import MAX_HEADINGS, outline_of
from websearch_core.kit import Part, RateLimited, UnexpectedResponse


def test_a_search_shows_every_text_that_leaves() -> None:
    request = SearchRequest(query="q", allowed_domains=("a.example",), excluded_domains=("b.example",))
    assert request.parts == (
        Part("query", "q"),
        Part("allowed_domains", "a.example"),
        Part("excluded_domains", "b.example"),
    )
    assert request.text == "q\na.example\nb.example"


def test_rewritten_parts_go_back_where_they_came_from() -> None:
    request = SearchRequest(query="q", allowed_domains=("a.example",), excluded_domains=("b.example",), max_results=3)
    parts = [Part("query", "Q"), Part("allowed_domains", "c.example\ne.example"), Part("excluded_domains", "d.example")]
    changed = request.with_parts(parts)
    assert (changed.query, changed.allowed_domains, changed.excluded_domains) == (
        "Q",
        ("c.example", "e.example"),
        ("d.example",),
    )
    assert changed.max_results == 3


@pytest.mark.parametrize("parts", [[], [Part("query", "q"), Part("query", "q")], [Part("body", "q")]])
def test_a_rewrite_cannot_change_the_shape(parts: list[Part]) -> None:
    with pytest.raises(ValueError, match="keep the parts"):
        SearchRequest(query="q").with_parts(parts)


def test_a_rewrite_to_nothing_is_invalid() -> None:
    with pytest.raises(ValidationError):
        SearchRequest(query="q").with_text("  ")
    with pytest.raises(ValidationError):
        FetchRequest(url="https://a.example").with_text("")


def test_a_hit_shows_every_text_that_a_model_reads() -> None:
    hit = Hit(
        url="https://a.example/1",
        final_url="https://b.example/2",
        title="t",
        snippet="s",
        author="who",
        site="where",
        body="b",
        alt="alt",
        notes=("one", "two"),
        favicon="https://a.example/f",
        image="https://a.example/i",
        hidden="not this",
    )
    assert [part.field for part in hit.parts] == [
        "title", "url", "final_url", "snippet", "author", "site", "body", "alt", "notes", "favicon", "image",
    ]  # fmt: skip
    assert "not this" not in hit.text_read


def test_a_rewrite_of_a_hits_text_leaves_the_old_text_nowhere() -> None:
    hit = Hit(url="https://a.example/", snippet="a secret", body="more of a secret")
    assert "secret" not in hit.with_text("***").text_read
    assert hit.with_text("***").text == "***"
    assert Hit(url="https://a.example/", snippet="a secret").with_text("***").snippet == "***"


def test_a_rewritten_body_gets_its_own_outline_and_hash() -> None:
    page = Page.from_markdown("# One\n\ntext", url="https://a.example")
    changed = page.with_text("# Two\n")
    assert [heading.text for heading in changed.outline] == ["Two"]
    assert changed.content_hash != page.content_hash


def test_headings_inside_code_are_no_headings() -> None:
    text = "# A\n```sh\n# comment\n```\n~~~\n## no\n~~~\n### B ###\n#hashtag\n"
    assert [(h.level, h.text) for h in outline_of(text)] == [(1, "A"), (3, "B")]
    assert all(text[h.offset :].startswith("#" * h.level) for h in outline_of(text))


def test_an_outline_is_bounded() -> None:
    assert len(outline_of("# h\n" * 20_000)) == MAX_HEADINGS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\n\n  # A\t#\r\n\r\n## B", [(1, "A", 2), (2, "B", 13)]),
        ("####### seven\n#\n# \n# ##\n#\tT", [(1, "T", 24)]),
        ("````\n```\n# in\n`````\n# out\n~~~\n# in\n``` \n# in", [(1, "out", 20)]),
        ("text # no\n#no\n\\# no", []),
    ],
)
def test_headings_are_where_lines_begin_with_their_marks(text: str, found: list[tuple[int, str, int]]) -> None:
    assert [tuple(heading) for heading in outline_of(text)] == found


@given(st.text())
def test_the_outline_of_any_text_points_at_headings(text: str) -> None:
    for heading in outline_of(text):
        assert text[heading.offset :].lstrip().startswith("#")


@pytest.mark.parametrize(
    "fields",
    [
        {"query": ""},
        {"query": "x" * 2001},
        {"query": "q", "max_results": 0},
        {"query": "q", "max_results": 51},
        {"query": "q", "user_location_country": "de"},
        {"query": "q", "vertical": "maps"},
        {"query": "q", "unknown": 1},
    ],
)
def test_a_search_out_of_range_is_invalid(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchRequest.model_validate(fields)


def test_every_code_has_advice_and_an_error_class() -> None:
    classes = {cls.code for cls in BackendError.__subclasses__()}
    assert set(Code) == classes


def test_errors_survive_the_way_from_a_worker_process() -> None:
    for error in (RateLimited("slow down", retry_after=3.5), UnexpectedResponse("results[].url")):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.__dict__) == (str(error), error.__dict__)


def test_every_public_name_is_there() -> None:
    assert all(hasattr(websearch_core, name) for name in websearch_core.__all__)


def test_a_moment_at_the_edge_of_time_has_a_beginning() -> None:
    edge = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))
    assert SearchRequest(query="q", start_published_date=edge).since(0) == datetime(1, 1, 1, tzinfo=UTC)
