"""Arguments in the words of other servers."""

from __future__ import annotations

import pytest

from websearch_core.contract.models import Caller
from websearch_core.server.arguments import SEARCH, ArgumentError, read_search, schema_of


def read(**arguments: object):
    return read_search({"query": "q", **arguments}, Caller())


def test_num_results_and_region_are_understood() -> None:
    call = read(num_results=5, region="de-de")
    request = call.request
    assert (request.max_results, request.user_location_country, request.language) == (5, "DE", "de")
    assert any(note.startswith("num_results") for note in call.notes)
    assert any(note.startswith("region") for note in call.notes)
    assert not any("ignored" in note for note in call.notes)


@pytest.mark.parametrize(
    ("region", "country", "language"),
    [
        ("us-en", "US", "en"),
        ("UK-EN", "GB", "en"),
        ("jp_jp", "JP", "ja"),
        ("tw-tzh", "TW", "zh-Hant"),
        ("xl-es", "", "es"),
        ("ct-ca", "", "ca"),
        ("ue-es", "US", "es"),
        ("wt-wt", "", ""),
        ("", "", ""),
    ],
)
def test_regions(region: str, country: str, language: str) -> None:
    request = read(region=region).request
    assert (request.user_location_country, request.language) == (country, language)


def test_our_own_words_win() -> None:
    request = read(num_results=5, max_results=3, region="de-de", language="fr").request
    assert (request.max_results, request.user_location_country, request.language) == (3, "DE", "fr")


@pytest.mark.parametrize("region", ["zz-de", "deutschland", 5, ["de-de"], "de"])
def test_a_region_that_is_none_is_an_error_with_an_example(region: object) -> None:
    with pytest.raises(ArgumentError, match='region: must be a country and a language; for example "de-de"'):
        read(region=region)


def test_they_are_not_published() -> None:
    assert not {"num_results", "region", "count", "country"} & set(schema_of(SEARCH)["properties"])
