"""Reading an engine's JSON: no more of it than an engine sends, and nothing found is not nothing understood."""

from __future__ import annotations

import gzip

import pytest

from websearch_core import EngineResponse, Hit
from websearch_core.kit import Row, UnexpectedResponse, hit_of, require_hits
from websearch_core.kit.json_reader import MOST_ITEMS


def told(content: bytes) -> EngineResponse:
    return EngineResponse(200, {}, content)


def test_only_the_first_items_of_a_list_are_read() -> None:
    answer = Row({"results": [{}] * 100_000, "texts": ["a"] * 100_000})
    assert len(answer.rows("results")) == len(answer.required_rows("results")) == MOST_ITEMS
    assert len(answer.texts("texts")) == MOST_ITEMS


@pytest.mark.parametrize("item", [b"{}", b"[]"])
def test_an_answer_of_too_many_parts_is_drift(item: bytes) -> None:
    content = b'{"results":[' + b",".join([item] * 300_000) + b"]}"
    assert len(gzip.compress(content)) < 3000
    with pytest.raises(UnexpectedResponse) as caught:
        Row.of(told(content))
    assert caught.value.field == "body"


def test_a_long_answer_of_an_engine_is_read() -> None:
    content = b'{"results":[' + b",".join([b'{"url":"https://a.com/","text":"[a](b)","parts":[{}]}'] * 5000) + b"]}"
    assert len(Row.of(told(content)).rows("results")) == MOST_ITEMS


@pytest.mark.parametrize("value", [None, {}, "a", ["a", 5, None]])
def test_a_list_that_holds_no_objects_is_drift(value: object) -> None:
    with pytest.raises(UnexpectedResponse) as caught:
        Row({"web": {"results": value}}).required_rows("web", "results")
    assert caught.value.field == "web.results"


def test_an_empty_list_is_empty() -> None:
    assert require_hits(map(_hit, Row({"results": []}).required_rows("results")), "results.url") == ()


def test_rows_without_any_hit_are_drift_and_rows_with_one_are_not() -> None:
    named, renamed = {"url": "https://example.com/"}, {"link": "https://example.com/"}
    assert len(require_hits(map(_hit, Row({"rows": [renamed, named]}).rows("rows")), "rows.url")) == 1
    with pytest.raises(UnexpectedResponse) as caught:
        require_hits(map(_hit, Row({"rows": [renamed, renamed]}).rows("rows")), "rows.url")
    assert caught.value.field == "rows.url"


def _hit(row: Row) -> Hit | None:
    return hit_of(url=row.address("url"))
