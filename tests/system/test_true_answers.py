"""What a client is told when engines fail, find nothing, or find what cannot be used: real server, scripted engines."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from websearch_core.testing.site import LoopbackSite, answer

from ..forked import ForkServer
from .conftest import clean_environ
from .redteam.server import Served, call, serving, site_in_a_thread

Serve = Callable[..., Served]
MANUAL = "docs.websearch.invalid"


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        yield opened


@pytest.fixture
def serve(servers: ForkServer, site: LoopbackSite, tmp_path: Path) -> Iterator[Serve]:
    """Starts a server that asks the site as SearXNG and as Brave; keywords are further settings."""
    engines = {
        "WEBSEARCH_SEARXNG__BASE_URL": f"{site.url}/searxng",
        "WEBSEARCH_BRAVE__BASE_URL": f"{site.url}/brave",
        "WEBSEARCH_BRAVE__API_KEY": "k",
    }
    with ExitStack() as running:

        def start(*, plugins: str = "web,searxng,brave,library", **more: str) -> Served:
            environ = clean_environ(
                WEBSEARCH_PLUGINS__ONLY=plugins,
                WEBSEARCH_STORE__DATA_DIR=str(tmp_path),
                WEBSEARCH_CHAIN__CACHE_TTL_S="0",
                WEBSEARCH_CHAIN__NEGATIVE_TTL_S="0",
                **engines,
                **more,
            )
            return running.enter_context(serving(servers, environ, tmp_path))

        yield start


def found(*urls: str, **fields: Any) -> Any:
    """SearXNG's answer with these addresses."""
    return answer(json={"results": [{"url": url, "title": "T", "content": "Text.", **fields} for url in urls]})


async def test_the_manual_stands_neither_for_engines_that_fail_nor_for_those_that_find_nothing(
    site: LoopbackSite, serve: Serve
) -> None:
    site.route("/*", answer(500, "broken"))
    server = serve()
    for query in ("best plugin for wordpress", "how do I write a plugin", "websearch plugin"):
        said = await call(server, "search", query=query)
        assert said.failed
        assert MANUAL not in said.everything
        assert "configured" not in said.text
        assert "searxng: server" in said.text
    site.route("/searxng/search", found())
    said = await call(server, "search", query="write a plugin")
    assert (said.failed, said.results) == (False, [])
    assert MANUAL not in said.everything
    site.route("/searxng/search", found("https://a.example/"))
    said = await call(server, "search", query="write a plugin")
    assert [row["url"] for row in said.results] == ["https://a.example/"]
    said = await call(server, "search", query="write a plugin", backend="library")
    assert MANUAL in said.results[0]["url"]


async def test_without_an_engine_the_manual_answers_about_itself_and_else_that_is_told(serve: Serve) -> None:
    server = serve(plugins="web,library")
    said = await call(server, "search", query="best plugin for wordpress")
    assert said.failed
    assert "no search engine is configured" in said.text
    said = await call(server, "search", query="how do I write a plugin")
    assert not said.failed
    assert said.results[0]["url"] == f"https://{MANUAL}/plugins"


async def test_results_that_nobody_may_read_are_left_out_with_a_receipt(site: LoopbackSite, serve: Serve) -> None:
    bad = ("https://www.denied.example/a", "http://10.0.0.7/", "http://localhost/", "https://93.184.216.34/")
    site.route("/searxng/search", found(*bad, "https://good.example/"))
    server = serve(WEBSEARCH_NET__DENY="denied.example")
    said = await call(server, "search", query="tea")
    assert [row["url"] for row in said.results] == ["https://good.example/"]
    receipts = {row["host"]: row["reason"] for row in said.data["dropped"]}
    assert receipts["www.denied.example"] == "not in allowlist: the operator denies this site"
    assert receipts.keys() == {"www.denied.example", "10.0.0.7", "localhost", "93.184.216.34"}
    assert "the operator denies this site" in said.text
    site.route("/searxng/search", found(*bad))
    said = await call(server, "search", query="coffee")
    assert (said.failed, said.results) == (False, [])
    assert "only at addresses that may not be read here" in said.text


async def test_ages_in_the_engines_words_become_dates_and_are_filtered_by(site: LoopbackSite, serve: Serve) -> None:
    now = datetime.now(UTC)
    ages = {
        "https://a.example/": "3 days ago",
        "https://b.example/": "vor 3 Monaten",
        "https://c.example/": format_datetime(now - timedelta(days=2)),
        "https://d.example/": "2h",
        "https://e.example/": (now - timedelta(days=400)).strftime("%Y-%m-%d %H:%M:%S -0700 PDT"),
        "https://f.example/": "il y a 2 ans",
    }
    results = [{"url": url, "title": "T", "content": "Text.", "publishedDate": age} for url, age in ages.items()]
    site.route("/searxng/search", answer(json={"results": results}))
    server = serve()
    said = await call(server, "search", query="news")
    rows = {row["url"]: row for row in said.results}
    assert all("published_date" in row for row in rows.values())
    a, today = rows["https://a.example/"], now.date()
    assert today - datetime.fromisoformat(a["published_date"]).date() in (timedelta(days=3), timedelta(days=4))
    assert (a["age"], rows["https://b.example/"]["age"]) == ("3 days ago", "vor 3 Monaten")
    said = await call(server, "search", query="news", time_range="week")
    assert {row["url"] for row in said.results} == {f"https://{name}.example/" for name in "acd"}
    since = (today - timedelta(days=120)).isoformat()
    said = await call(server, "search", query="news", start_published_date=since)
    assert {row["url"] for row in said.results} == {f"https://{name}.example/" for name in "abcd"}


async def test_a_challenge_before_an_engine_is_blocked_by_site_and_then_told_as_resting(
    site: LoopbackSite, serve: Serve
) -> None:
    page = "<html><head><title>Just a moment...</title></head><script>window._cf_chl_opt={}</script></html>"
    site.route("/*", answer(403, page, content_type="text/html"))
    server = serve()
    first = await call(server, "search", query="tea")
    assert first.failed
    assert {line.split(": ")[1] for line in first.text.splitlines() if line.startswith("- ")} == {"blocked_by_site"}
    second = await call(server, "search", query="coffee")
    advice = [re.findall(r"A retry .*?\.|Next: .*?[.;]", said.text.replace("3599", "3600")) for said in (first, second)]
    assert advice[0] == advice[1]
    assert "resting since" in second.text


async def test_an_engine_that_rests_is_told_as_resting_beside_the_answer_of_another(
    site: LoopbackSite, serve: Serve
) -> None:
    site.route("/brave/*", answer(429, json={"type": "ErrorResponse"}, headers={"retry-after": "900"}))
    site.route("/searxng/search", found("https://a.example/"))
    server = serve(WEBSEARCH_CHAIN__BACKENDS="brave,searxng")
    said = await call(server, "search", query="tea")
    assert "brave could not answer: rate_limited" in said.data["notes"]
    said = await call(server, "search", query="coffee")
    [note] = [note for note in said.data["notes"] if note.startswith("brave")]
    assert re.fullmatch(r"brave was not asked, it rests: rate_limited, \d+ s", note)


async def test_results_of_null_or_another_type_are_an_unexpected_answer(site: LoopbackSite, serve: Serve) -> None:
    server = serve(plugins="web,searxng")
    for number, results in enumerate(([{"url": None, "title": None}], [{"url": 5, "title": ["T"]}], [None], None)):
        site.route("/searxng/search", answer(json={"results": results}))
        said = await call(server, "search", query=f"tea {number}")
        assert said.failed
        assert "searxng: drift" in said.text


@pytest.mark.parametrize(
    ("status", "body", "remedy"),
    [
        (403, "<html><title>403 Forbidden</title></html>", "add json to search.formats in SearXNG's settings.yml"),
        (
            200,
            "<!DOCTYPE html><html><title>SearXNG</title></html>",
            "add json to search.formats in SearXNG's settings.yml",
        ),
        (404, "nothing", "check the engine's base address"),
        (500, "broken", "look into the engine's own log"),
    ],
)
async def test_check_says_what_to_do_and_cuts_nothing(
    status: int, body: str, remedy: str, site: LoopbackSite, commands: ForkServer, tmp_path: Path
) -> None:
    site.route("/searxng/search", answer(status, body, content_type="text/html"))
    environ = clean_environ(
        WEBSEARCH_PLUGINS__ONLY="searxng,library",
        WEBSEARCH_STORE__DATA_DIR=str(tmp_path),
        WEBSEARCH_SEARXNG__BASE_URL=f"{site.url}/searxng",
        COLUMNS="80",
        NO_COLOR="1",
    )
    done = await asyncio.to_thread(commands.run, "check", environ=environ, folder=tmp_path)
    assert done.returncode == 1
    assert f"what to do: {remedy}" in " ".join(done.stdout.split())
    assert "…" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
