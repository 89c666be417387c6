"""Arguments in the words of other servers."""

from __future__ import annotations

import pytest

from websearch_core.contract.models import Caller
from websearch_core.server.argument_reader import ArgumentError
from websearch_core.server.arguments import read_search, search_reader

SEARCH = search_reader()


def read(**arguments: object):
    return read_search({"query": "q", **arguments}, Caller(), SEARCH)


def test_num_results_and_region_are_understood() -> None:
    request, notes = read(num_results=5, region="de-de")
    assert (request.max_results, request.user_location_country, request.language) == (5, "DE", "de")
    assert any(note.startswith("num_results") for note in notes)
    assert any(note.startswith("region") for note in notes)
    assert not any("ignored" in note for note in notes)


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
    request = read(region=region)[0]
    assert (request.user_location_country, request.language) == (country, language)


def test_what_is_given_by_itself_wins_over_a_region() -> None:
    request = read(region="de-de", language="fr")[0]
    assert (request.user_location_country, request.language) == ("DE", "fr")


def test_two_names_of_one_argument_must_say_the_same() -> None:
    assert read(num_results=5, max_results=5)[0].max_results == 5
    assert read(num_results="5", count=5, max_results="")[0].max_results == 5
    for ours, theirs in (("DE", "de"), ("GB", "uk")):
        assert read(user_location_country=ours, country=theirs)[0].user_location_country == ours
    for theirs in ("FR", "Germany"):
        with pytest.raises(ArgumentError, match=r"^country: says something else than user_location_country;"):
            read(user_location_country="DE", country=theirs)
    with pytest.raises(ArgumentError, match="num_results: says something else than max_results;"):
        read(max_results=3, num_results=5)
    with pytest.raises(ArgumentError, match=r"^count: says something else than num_results;"):
        read(num_results=3, count=5)


@pytest.mark.parametrize("region", ["zz-de", "deutschland", 5, ["de-de"], "de"])
def test_a_region_that_is_none_is_an_error_with_an_example(region: object) -> None:
    with pytest.raises(ArgumentError, match='region: must be a country and a language; for example "de-de"'):
        read(region=region)


def test_they_are_not_published() -> None:
    assert not {"num_results", "region", "count", "country"} & set(SEARCH.schema["properties"])
