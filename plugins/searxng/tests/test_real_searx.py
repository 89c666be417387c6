"""The backend against Debian's real searx."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from urllib.parse import quote, urlsplit

import pytest

from websearch_core import SearchRequest
from websearch_core.contract.clock import SystemClock
from websearch_core.kit import ServerFailed
from websearch_core.testing.fakes import context
from websearch_searxng.plugin import websearch_search_backends

pytestmark = pytest.mark.real


@pytest.fixture
async def backend(searx):
    [backend] = websearch_search_backends(context("searxng", {"base_url": searx.url}, clock=SystemClock()))
    yield backend
    await backend.aclose()


async def ask(backend, query, **fields):
    return await backend.search(SearchRequest(query=query, **fields))


async def test_two_engines_answer_as_one(backend):
    answer = await ask(backend, "asyncio", max_results=11)
    assert len(answer.hits) == 11
    assert {hit.url.split("/")[2] for hit in answer.hits} == {"docs.example", "live.example"}
    assert all(hit.title and hit.snippet and hit.score for hit in answer.hits)
    assert answer.notes == ()


async def test_further_pages_bring_further_results(backend):
    answer = await ask(backend, "asyncio", max_results=50)
    assert len({hit.url for hit in answer.hits if "/asyncio/" in hit.url}) == 25


async def test_every_argument_is_accepted(backend):
    answer = await ask(backend, "asyncio", language="zh-Hant", time_range="year", safesearch="strict")
    assert answer.notes == ()


@pytest.mark.parametrize("language", ["de", "de-AT", "zh-Hans-CN", "es-419", "sr-Latn", "haw"])
async def test_every_form_of_language_is_accepted(backend, language):
    assert (await ask(backend, "asyncio", language=language)).hits


async def test_pictures_come_with_their_address(backend):
    answer = await ask(backend, "rebase", vertical="images")
    assert [hit.image for hit in answer.hits] == [f"https://img.example/Rebase{n}" for n in range(3)]


async def test_a_silent_engine_is_reported_beside_the_results(backend):
    answer = await ask(backend, "rebase", vertical="news")
    assert len(answer.hits) == 3
    assert answer.notes == ("SearXNG: 1 engine did not answer",)


async def test_a_silent_engine_and_no_results_is_a_failure(backend):
    with pytest.raises(ServerFailed):
        await ask(backend, "nothing", vertical="news")


BANGS = {
    "!!w python": "w python",
    "python !!g": "python g",
    "!images python": "images python",
    "!xx python": "xx python",
    "?pictures python": "pictures python",
    ":de python": "de python",
    "<3 python": "3 python",
    "!!@ python": '"!!@" python',
    "python !!?": 'python "!!?"',
}


@pytest.mark.parametrize(("query", "words"), BANGS.items())
async def test_a_bang_reaches_our_engines_as_words_and_nobody_else(backend, searx, query, words):
    answer = await ask(backend, query, max_results=1)
    assert searx.queries[-1] == words
    assert answer.hits[0].url == "https://live.example/"
    assert any("plain words" in note for note in answer.notes)


@pytest.mark.parametrize("bang", ["!!w", "!!g", "!!@"])
def test_without_us_searx_would_send_the_query_away(searx, bang):
    """The danger is real: this is what the test above would see otherwise."""
    parts = urlsplit(searx.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    connection.request("GET", f"/search?q={quote(bang + ' python')}&format=json")
    response = connection.getresponse()
    response.read()
    connection.close()
    assert response.status == 302
    assert "127.0.0.1" not in response.headers["location"]


async def test_an_empty_answer_is_no_error(backend):
    answer = await ask(backend, "nothing", vertical="images")
    assert answer.hits == ()


def test_check_says_that_it_answers(searx, tmp_path):
    """As an operator would: the command, and the one variable."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("WEBSEARCH_")}
    ours = {
        "WEBSEARCH_SEARXNG__BASE_URL": searx.url,
        "WEBSEARCH_CHAIN__KEYLESS": "false",
        "XDG_DATA_HOME": str(tmp_path),
    }
    command = [sys.executable, "-c", "from websearch_core.cli import main; main()", "check", "--json"]
    done = subprocess.run(command, env=clean | ours, cwd=tmp_path, capture_output=True, text=True, check=False)
    [row] = [row for row in json.loads(done.stdout)["backends"] if row["backend"] == "searxng"]
    assert (row["ok"], row["code"]) == (True, ""), done.stderr
