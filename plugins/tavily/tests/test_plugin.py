"""Settings, and who Tavily takes us for: a holder of a key, or a caller without one, never both."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import StartupError
from websearch_core.testing.fakes import context
from websearch_core.testing.site import answer
from websearch_tavily.plugin import TavilySettings, websearch_fetchers, websearch_search_backends

KEY = "tvly-dev-0123456789"
README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def sent(site, search, fetch, sample):
    """`await sent(**settings)`: the requests of one search and one fetch."""
    site.route("POST /search", answer(json=sample("search.json")))
    site.route("POST /extract", answer(json=sample("extract.json")))

    async def sent(**settings):
        await search(settings=settings)
        await fetch(settings=settings)
        assert [request.path for request in site.requests] == ["/search", "/extract"]
        return site.requests

    return sent


async def test_with_a_key_only_the_key_is_sent(sent):
    for request in await sent():
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert "x-tavily-access-mode" not in request.headers
        assert "x-project-id" not in request.headers
        assert KEY not in request.text


async def test_without_a_key_no_key_is_sent_and_it_is_said_so(sent):
    for request in await sent(api_key="", project="lab"):
        assert request.headers["x-tavily-access-mode"] == "keyless"
        assert "authorization" not in request.headers
        assert "x-project-id" not in request.headers


async def test_of_several_keys_one_at_a_time_is_sent(sent):
    for request in await sent(api_key="tvly-one, tvly-two"):
        assert request.headers["authorization"] in ("Bearer tvly-one", "Bearer tvly-two")


async def test_a_project_is_named(sent):
    assert [request.headers["x-project-id"] for request in await sent(project="lab")] == ["lab", "lab"]


@pytest.mark.parametrize(
    "environ",
    [
        {"TAVILY_API_KEY": f" {KEY}\n"},
        {"LMCP_TAVILY_API_KEY": KEY},
        {"WEBSEARCH_TAVILY__API_KEY": KEY},
        {"WEBSEARCH_TAVILY__API_KEY": f'["{KEY}"]'},
    ],
)
def test_the_usual_variables_are_understood(environ):
    settings = context("tavily", environ=environ).settings(TavilySettings)
    assert [key.get_secret_value() for key in settings.api_key] == [KEY]
    assert KEY not in repr(settings)


@pytest.mark.parametrize("environ", [{}, {"TAVILY_API_KEY": ""}, {"WEBSEARCH_TAVILY__API_KEY": " "}])
def test_no_key_is_no_error(environ):
    ctx = context("tavily", environ=environ)
    [backend] = websearch_search_backends(ctx)
    assert backend.keyless
    assert list(websearch_fetchers(ctx)) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": "no good\r\nkey"},
        {"search_depth": "deep"},
        {"extract_depth": "fast"},
        {"usd_per_unit": -1},
        {"project": "two words"},
        {"project": "a\r\nb"},
        {"kye": 1},
    ],
)
def test_wrong_settings_stop_the_start_without_telling_the_key(settings):
    with pytest.raises(StartupError) as caught:
        context("tavily", {"api_key": KEY, **settings}).settings(TavilySettings)
    assert KEY not in str(caught.value)
    assert "no good" not in str(caught.value)


def test_where_queries_go_is_known():
    ctx = context("tavily")
    list(websearch_search_backends(ctx))
    list(websearch_fetchers(ctx))
    assert tuple(ctx.origins) == ("https://api.tavily.com",)


@pytest.mark.parametrize("setting", TavilySettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"| `{setting}` |" in README.read_text()


@pytest.mark.parametrize("word", ["keyless = false", "$0.008", "1,000", "app.tavily.com", "WEBSEARCH_TAVILY__API_KEY"])
def test_the_readme_says_what_it_costs_and_where_queries_go(word):
    assert word in README.read_text()
