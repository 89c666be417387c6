"""Every engine, replayed from its recorded answers behind a local server, as `websearch check` and a client see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from websearch_core.testing.site import LoopbackSite, RecordedRequest, Response, answer

from ..forked import ForkServer
from .conftest import clean_environ

PLUGINS = Path(__file__).parents[2] / "plugins"

ENGINES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "brave": ("web.json", {"API_KEY": "k"}),
    "duckduckgo": ("html.html", {}),
    "exa": ("search.json", {"API_KEY": "k"}),
    "google": ("web.json", {"API_KEY": "k", "CX": "c"}),
    "searchapi": ("web.json", {"API_KEY": "k"}),
    "searxng": ("head_search.json", {}),
    "serper": ("web.json", {"API_KEY": "k"}),
    "tavily": ("search.json", {"API_KEY": "k"}),
}
"""Engine → its recorded answer to a web search, and what it needs to be configured."""

BRAVE_LIMITS = {
    "x-ratelimit-limit": "1, 2000",
    "x-ratelimit-policy": "1;w=1, 2000;w=2592000",
    "x-ratelimit-remaining": "0, 1985",
    "x-ratelimit-reset": "77, 1419704",
}
BRAVE_429 = {"type": "ErrorResponse", "error": {"status": 429, "code": "RATE_LIMITED", "meta": {"rate_limit": 1}}}

ERRORS: Mapping[str, tuple[Mapping[str, Response], Mapping[str, set[str]]]] = {
    # what some say in a way of their own, and what must be told of everybody
    "400": (
        {"serper": answer(400, json={"message": "Not enough credits", "statusCode": 400})},
        {"*": {"invalid_request"}, "serper": {"quota"}},
    ),
    "401": ({}, {"*": {"auth"}, "duckduckgo": {"blocked_by_site"}}),
    "402": ({}, {"*": {"quota", "plan"}, "duckduckgo": {"quota", "plan", "blocked_by_site", "drift"}}),
    "403": ({}, {"*": {"auth", "plan"}, "duckduckgo": {"blocked_by_site"}}),
    "404": ({}, {"*": {"not_found", "invalid_request", "drift"}}),
    "422": ({}, {"*": {"invalid_request", "auth"}}),
    "429": (
        {"brave": answer(429, json=BRAVE_429, headers=BRAVE_LIMITS)},
        {"*": {"rate_limited", "quota"}, "brave": {"rate_limited"}},
    ),
    "432": ({"tavily": answer(432, json={"detail": {"error": "x"}})}, {"tavily": {"quota"}}),
    "433": ({"tavily": answer(433, json={"detail": {"error": "x"}})}, {"tavily": {"quota"}}),
    "500": ({}, {"*": {"server"}}),
    "503": ({}, {"*": {"server", "rate_limited"}}),
    "202": ({}, {"duckduckgo": {"blocked_by_site"}}),
    "200": ({}, {"*": {"drift"}}),  # an error page with a good status
}


@pytest.fixture
async def site() -> AsyncIterator[LoopbackSite]:
    async with LoopbackSite() as opened:
        yield opened


@pytest.fixture
def environ(site: LoopbackSite, tmp_path: Path) -> dict[str, str]:
    """All engines configured, each at a path of its own of the local server."""
    found = {"XDG_DATA_HOME": str(tmp_path), "COLUMNS": "300", "NO_COLOR": "1", "WEBSEARCH_CHAIN__KEYLESS": "true"}
    found["WEBSEARCH_PLUGINS__ONLY"] = ",".join(ENGINES)
    found["WEBSEARCH_NET__PRIVATE"] = "127.0.0.1:8099"  # where SearXNG's recorded results lie
    for engine, (_, settings) in ENGINES.items():
        prefix = f"WEBSEARCH_{engine.upper()}__"
        found |= {prefix + key: value for key, value in settings.items()}
        found[prefix + "BASE_URL"] = f"{site.url}/{engine}"
    del found["WEBSEARCH_DUCKDUCKGO__BASE_URL"]
    for page in ("html", "lite"):
        found[f"WEBSEARCH_DUCKDUCKGO__{page.upper()}_URL"] = f"{site.url}/duckduckgo"
    return clean_environ(**found)


def recorded(engine: str) -> Response:
    sample, _ = ENGINES[engine]
    kind = "text/html" if sample.endswith(".html") else "application/json"
    return answer(200, (PLUGINS / engine / "tests" / "samples" / sample).read_bytes(), content_type=kind)


def engine_of(request: RecordedRequest) -> str:
    return request.path.split("/")[1]


async def run(commands: ForkServer, environ: Mapping[str, str], folder: Path, *words: str) -> tuple[int, str, str]:
    done = await asyncio.to_thread(commands.run, *words, environ=environ, folder=folder)
    return done.returncode, done.stdout, done.stderr


async def checked(commands: ForkServer, environ: Mapping[str, str], folder: Path) -> dict[str, dict[str, Any]]:
    _, out, err = await run(commands, environ, folder, "check", "--json")
    assert "Traceback" not in err, err
    return {row["backend"]: row for row in json.loads(out)["backends"]}


async def test_check_finds_every_engine_well(
    site: LoopbackSite, environ: dict[str, str], commands: ForkServer, tmp_path: Path
) -> None:
    site.route("/*", lambda request: recorded(engine_of(request)))
    rows = await checked(commands, environ, tmp_path)
    assert {name: rows[name]["code"] for name in ENGINES} == dict.fromkeys(ENGINES, "")
    assert all(rows[name]["ok"] for name in ENGINES)


@pytest.mark.parametrize("status", ERRORS)
async def test_check_tells_every_kind_of_trouble(
    status: str, site: LoopbackSite, environ: dict[str, str], commands: ForkServer, tmp_path: Path
) -> None:
    own, expected = ERRORS[status]
    canary = "the provider's own words"

    def trouble(request: RecordedRequest) -> Response:
        return own.get(engine_of(request)) or answer(int(status), f"<html>{canary}</html>", content_type="text/html")

    site.route("/*", trouble)
    rows = await checked(commands, environ, tmp_path)
    for engine in ENGINES:
        if codes := expected.get(engine, expected.get("*")):
            assert rows[engine]["code"] in codes, (engine, rows[engine])
            assert rows[engine]["remedy"]
    assert canary not in json.dumps(rows)


async def test_each_engine_answers_a_search_that_names_it(
    site: LoopbackSite, environ: dict[str, str], commands: ForkServer, tmp_path: Path
) -> None:
    site.route("/*", lambda request: recorded(engine_of(request)))
    for engine in ENGINES:
        code, out, err = await run(commands, environ, tmp_path, "search", "words", "--backend", engine, "--json")
        assert code == 0, err
        found = json.loads(out)
        assert found["results"], engine
        assert {hit["source"] for hit in found["results"]} == {engine}
        assert {engine_of(request) for request in site.requests} == {engine}
        site.requests.clear()


async def test_without_configuration_public_services_are_asked_in_order_and_one_setting_stops_it(
    site: LoopbackSite, environ: dict[str, str], commands: ForkServer, tmp_path: Path
) -> None:
    bare = {
        name: value
        for name, value in environ.items()
        if not name.startswith("WEBSEARCH_") or name.startswith(("WEBSEARCH_DUCKDUCKGO", "WEBSEARCH_TAVILY__BASE"))
    }
    limit = {"error": {"code": "keyless_limit", "message": "m", "window": "hour", "retry_after_seconds": 3600}}
    site.route("/tavily/*", answer(429, json=limit))
    site.route("/duckduckgo/*", recorded("duckduckgo"))
    code, out, err = await run(commands, bare, tmp_path, "search", "words", "--json")
    assert code == 0, err
    assert json.loads(out)["results"][0]["source"] == "duckduckgo"
    assert "tavily could not answer: rate_limited" in json.loads(out)["notes"]
    assert [engine_of(request) for request in site.requests][:2] == ["tavily", "duckduckgo"]
    site.requests.clear()
    _, out, err = await run(commands, {**bare, "WEBSEARCH_CHAIN__KEYLESS": "false"}, tmp_path, "search", "zebra")
    assert not site.requests
    _, out, _ = await run(commands, {**bare, "WEBSEARCH_CHAIN__KEYLESS": "false"}, tmp_path, "plugins")
    assert "queries go to: nobody outside this machine" in out
    _, out, _ = await run(commands, bare, tmp_path, "plugins")
    assert "asked without an account: tavily, duckduckgo" in out


def test_every_engine_of_the_repository_is_here() -> None:
    asking_nobody = {"library"}
    assert {path.parts[-3] for path in PLUGINS.glob("*/websearch_*/backend.py")} - asking_nobody == set(ENGINES)
