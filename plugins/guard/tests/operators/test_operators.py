"""A query's commands become plain words, by each engine's own rules; everything else survives."""

import asyncio
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import FetchRequest, SearchRequest
from websearch_core.contract.verdicts import Allow, Rewrite
from websearch_core.kit import Part, ToolRequest
from websearch_core.testing import RequestFilterContract
from websearch_core.testing.contracts.probes import findings_are_sound
from websearch_core.testing.contracts.probes import rewritten as applied
from websearch_guard.operators import GuardOperators

pytestmark = pytest.mark.anyio


class TestGuardOperators(RequestFilterContract):
    component = GuardOperators
    allowed: ClassVar = [
        "weather in berlin",
        "site:example.com filetype:pdf intitle:report -draft",
        '"to be or not to be" OR hamlet',
        "Yahoo! stock price",
        "wow! signal",
        r"C:\dir is not accessible",
        "a != b",
        "css !important",
        "cache: what is it",
        "css :hover",
        "AT&T R&D",
        "what is this?",
        "std::cache::x",
        "https://example.com/?a=!b&c=:d",
    ]
    rewritten: ClassVar = {
        "!w python": "w python",
        "!!w python": "w python",
        "python !g": "python g",
        "w! python": "w python",
        '"!w python"': '"w python"',
        "-!w python": "w python",
        "cache:example.com": "cache example.com",
        "-cache:example.com": "cache example.com",
        "(Related:example.com": "(Related example.com",
        "cache:cache:!w x": "cache cache w x",
        "feed:example.com prefer:cats": "feed example.com prefer cats",
        ":fr paris": "fr paris",
        "?wp paris": "wp paris",
        "&w cats": "w cats",
        r"\futurama": "futurama",
        "\uff01g cats": "g cats",
        "!\u200bw cats": "\u200bw cats",
        "\u203cw cats": "w cats",
        "\uff43\uff41\uff43\uff48\uff45\uff1aexample.com": "\uff43\uff41\uff43\uff48\uff45 example.com",
        "!!": '"!"',
    }

    def filter(self, ctx):
        return GuardOperators()


async def left(query, *engines):
    request = SearchRequest(query=query)
    return applied(request, await GuardOperators(engines).check(request)).query


@pytest.mark.parametrize(
    ("query", "engine"),
    [
        ("!x && y", "google"),
        ("!important !w", "bing"),
        ("w! such", "searxng"),
        (r"regex \d+", "brave"),
        (":en vs :de", "duckduckgo"),
        ("?name", "kagi"),
        ("!", "brave"),
        ("cache:example.com", "duckduckgo"),
        ("url:example.com", "google"),
        ("related:example.com", "bing"),
        ("!w cache:x feed:y :fr", "exa"),
        ("!w cache:x feed:y :fr", "tavily"),
    ],
)
async def test_what_the_installed_engines_do_not_read_survives(query, engine):
    assert await left(query, engine) == query


@pytest.mark.parametrize("engine", ["duckduckgo", "searxng", "brave", "kagi", "startpage", "qwant"])
async def test_bangs_go_where_one_of_the_engines_knows_them(engine):
    assert await left("!w python", engine, "exa") == "w python"


@pytest.mark.parametrize("engine", ["google", "serper", "searchapi"])
async def test_a_copy_is_not_asked_of_google_by_any_seller(engine):
    assert await left("cache:example.com info:example.com", engine) == "cache example.com info example.com"


def test_an_engine_without_a_list_is_an_error():
    with pytest.raises(ValueError, match="no list of operators for askjeeves"):
        GuardOperators(["askjeeves"])


async def test_addresses_and_domains_are_left_alone():
    filter_ = GuardOperators()
    assert isinstance(await filter_.check(FetchRequest(url="https://example.com/!w?q=cache:x")), Allow)
    assert isinstance(await filter_.check(SearchRequest(query="a", goggle="https://example.com/!w")), Allow)


async def test_of_a_tools_arguments_only_queries_are_rewritten():
    strings = (
        Part("query", "!w a"),
        Part("text", "!w b"),
        Part("filters.0.q", "cache:c.example"),
        Part("search.1", "!d x"),
    )
    request = ToolRequest(tool="t", strings=strings)
    after = applied(request, await GuardOperators().check(request))
    assert [part.text for part in after.parts] == ["w a", "!w b", "cache c.example", "d x"]


async def test_findings_tell_where_in_the_query_that_was_judged():
    verdict = await GuardOperators().check(SearchRequest(query="\uff01\uff01w cats -cache:x"))
    assert [(f.kind, f.field, f.start, f.end) for f in verdict.findings] == [
        ("bang", "query", 0, 2),
        ("prefix", "query", 9, 10),
        ("prefix", "query", 15, 16),
    ]


TRICKY = st.lists(
    st.sampled_from([*"!?\\:&|-\"'( wgx7\u200b\u00ad\uff01\uff1a\u203cé", "cache:", "w!", "! ", "link:", ":en", " !w"]),
    min_size=1,
    max_size=40,
).map("".join)


@given(query=TRICKY | st.text(min_size=1, max_size=200))
def test_a_rewrite_is_valid_stable_and_keeps_every_letter(query):
    if not query.strip():
        return
    filter_ = GuardOperators()
    request = SearchRequest(query=query)
    verdict = asyncio.run(filter_.check(request))
    findings_are_sound(request, verdict.findings)
    after = applied(request, verdict)
    letters = [c for c in request.query if c.isalnum()]
    assert [c for c in after.query if c.isalnum()] == letters
    assert isinstance(asyncio.run(filter_.check(after)), Allow)
    assert isinstance(verdict, Allow) or "operators" in verdict.reason


async def test_nothing_longer_than_a_query_may_be_is_made():
    for word in ("! ", "!! ", "cache:", "!w ", '"!w" ', "w! "):
        query = (word * 1000)[:2000].strip()
        assert isinstance(await GuardOperators().check(SearchRequest(query=query)), (Allow, Rewrite))
        assert len(await left(query)) <= 2000
