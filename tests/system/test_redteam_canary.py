"""Canaries in query, key, address and page: no log line, event, health page, check or error ever says one of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from websearch_core.testing.site import LoopbackSite, RecordedRequest, Response, answer

from ..forked import ForkServer
from .redteam.hostile import PAYLOAD
from .redteam.server import Served, call, installed, post, serving, settings, site_in_a_thread, tool_call

QUERY, KEY, PAGE, PATH, BACK = "zqquerycanary", "zqkeycanary", "zqpagecanary", "zqpathcanary", "zqenginecanary"
"""In what is asked, in the engine's key, in pages, in addresses, in what a failing engine says."""
CANARIES = (QUERY, KEY, PAGE, PATH, BACK)

TROUBLE = {
    "500": answer(500, BACK, headers={"x-error": BACK}),
    "401": answer(401, json={"error": BACK, "detail": f"{KEY} is wrong"}),
    "403": answer(403, f"<html>{BACK}</html>", content_type="text/html"),
    "429": answer(429, BACK, headers={"retry-after": BACK}),
    "302": answer(302, BACK, headers={"location": f"https://{BACK}.example/"}),
    "no-json": answer(200, BACK, content_type="application/json"),
    "odd-json": answer(200, json={"results": {BACK: 1}, BACK: BACK}),
    "odd-rows": answer(200, json={"results": [{"url": 1, "title": [BACK], "content": BACK}, BACK, None]}),
    "odd-type": answer(200, BACK, content_type=f"{BACK} {BACK}/{BACK}; charset={BACK}"),
    "gzip": answer(200, BACK, headers={"content-encoding": "gzip"}),
    "length": Response(200, BACK.encode(), {"content-length": "999999"}),
}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("canary")


@pytest.fixture(scope="module")
def environ(site: LoopbackSite, folder: Path) -> dict[str, str]:
    return settings(
        site,
        folder,
        **installed(folder),
        WEBSEARCH_ACME_BAD__EVENTS=str(folder / "events"),
        WEBSEARCH_BRAVE__API_KEY=KEY,
        WEBSEARCH_GUARD__INJECTION="drop",
        WEBSEARCH_CHAIN__NEGATIVE_TTL_S="0",
        WEBSEARCH_NET__TIMEOUT_S="1",
    )


@pytest.fixture(scope="module")
def server(servers: ForkServer, environ: dict[str, str], folder: Path) -> Iterator[Served]:
    with serving(servers, environ, folder, "--verbose") as served:
        yield served


@pytest.fixture(autouse=True)
async def nothing_was_said(server: Served, folder: Path) -> object:
    """After each test: logs, observers' events, health."""
    yield
    async with httpx2.AsyncClient(trust_env=False, verify=False) as http:
        ready = (await http.get(f"{server.origin}/health/ready")).text
    events = folder / "events"
    told = {"log": server.log, "events": events.read_text() if events.exists() else "", "health": ready}
    said = {(where, canary) for where, text in told.items() for canary in CANARIES if canary in text.lower()}
    assert not said, said


def found(*canaries: str, text: str) -> list[str]:
    return [canary for canary in canaries if canary in text.lower()]


async def test_what_goes_well(server: Served, site: LoopbackSite, folder: Path) -> None:
    rows = [{"url": f"https://{PATH}.example/{PATH}", "title": PAGE, "content": PAGE}]
    site.route("/search", answer(200, json={"results": rows, "unresponsive_engines": [[BACK, BACK]]}))
    said = await call(server, "search", query=f"{QUERY} owls", backend="searxng")
    assert said.results[0]["title"] == PAGE
    assert not found(QUERY, KEY, text=said.everything)
    site.route(f"/{PATH}", answer(200, f"<title>{PAGE}</title><p>{PAGE}", content_type="text/html"))
    page = await call(server, "fetch", urls=[f"{site.url}/{PATH}?q={QUERY}"])
    assert PAGE in page.results[0]["content"]
    assert (folder / "events").read_text().count('"kind":"search"')


@pytest.mark.parametrize("how", TROUBLE)
async def test_engines_that_fail(how: str, server: Served, site: LoopbackSite) -> None:
    site.route("/search", TROUBLE[how])
    site.route("/brave/*", TROUBLE[how])
    for backend in ("searxng", "brave"):
        said = await call(server, "search", query=f"{QUERY} {how}", backend=backend)
        assert not found(*CANARIES, text=said.everything), said.everything


@pytest.mark.parametrize("how", TROUBLE)
async def test_pages_that_fail(how: str, server: Served, site: LoopbackSite) -> None:
    site.route(f"/{PATH}/{how}", TROUBLE[how])
    said = await call(server, "fetch", urls=[f"{site.url}/{PATH}/{how}?q={QUERY}"])
    if said.results[0]["status"] == "failed":
        assert not found(BACK, KEY, text=said.everything)


async def test_what_filters_stop(server: Served, site: LoopbackSite) -> None:
    card = "4929728155304419"
    said = await call(server, "search", query=f"{QUERY} {card}")
    assert said.failed
    assert not found(QUERY, text=said.everything)
    said = await call(server, "fetch", urls=[f"{site.url}/{PATH}?q={card}"])
    assert not found(PATH, text=said.everything)
    site.route("/attack", answer(200, f"{PAGE}. {PAYLOAD} {PAGE}."))
    said = await call(server, "fetch", urls=[f"{site.url}/attack"])
    assert not found(PAGE, text=said.everything)
    said = await call(server, "acme_echo", text=f"{QUERY} {card}")
    assert not found(QUERY, text=said.everything)


@pytest.mark.parametrize("how", ["raise", "raise-group", "recurse", "none", "wrong-fields", "emptied", "empty-rewrite"])
async def test_filters_that_fail(how: str, server: Served, site: LoopbackSite) -> None:
    said = await call(server, "search", query=f"{QUERY} behave:{how}")
    assert said.failed
    assert not found(QUERY, text=said.everything)
    site.route("/bad", answer(200, f"{PAGE} behave:{how} {PAGE}"))
    said = await call(server, "fetch", urls=[f"{site.url}/bad"], max_age_hours=0)
    assert not found(PAGE, text=said.everything)


async def test_calls_that_make_no_sense(server: Served) -> None:
    for body in (
        tool_call("search", query={QUERY: 1}),
        tool_call("search", query="owls", max_results=QUERY, **{QUERY: QUERY}),
        tool_call("search", query="owls", allowed_domains=[f"{QUERY} {QUERY}"]),
        tool_call("search", query=f"{QUERY}\ud800"),
        tool_call("fetch", urls=[f"javascript:{PATH}", f"http://{PATH}\x00/", f"//{PATH}", f"http://[{PATH}]/"]),
        tool_call("fetch", urls=QUERY, offset=QUERY),
        tool_call("acme_echo", text={QUERY: QUERY}, number=QUERY, inner=QUERY),
        tool_call(QUERY),
        f'{{"{QUERY}": '.encode(),
        json.dumps({"jsonrpc": "2.0", "id": QUERY, "method": QUERY, "params": {QUERY: QUERY}}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": f"x://{QUERY}"}}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": QUERY}}).encode(),
        json.dumps([{"method": QUERY}]).encode(),
        QUERY.encode("utf-16"),
    ):
        status, _ = await post(server, body, [("authorization", f"Bearer {KEY}"), ("x-request-id", QUERY)])
        assert status < 500, body


async def test_names_that_lead_nowhere(server: Served, site: LoopbackSite) -> None:
    def slowly(_: RecordedRequest) -> Response:
        return answer(302, headers={"location": f"http://10.0.0.1/{PATH}"})

    site.route("/inside", slowly)
    said = await call(
        server, "fetch", urls=[f"{site.url}/inside", f"http://127.0.0.1:1/{PATH}", f"ftp://x.test/{PATH}"]
    )
    assert {row["status"] for row in said.results} == {"failed"}
    assert not found(PATH, text=said.results[0]["error"] + said.results[1]["error"] + said.results[2]["error"])


async def test_check(
    server: Served, site: LoopbackSite, environ: dict[str, str], folder: Path, websearch: list[str]
) -> None:
    site.route("/search", TROUBLE["odd-json"])
    site.route("/brave/*", TROUBLE["401"])
    process = await asyncio.create_subprocess_exec(
        *(*websearch, "check", "--json"),
        env={**environ, "WEBSEARCH_ACME_BAD__EVENTS": ""},
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert not found(*CANARIES, text=f"{out.decode()}{err.decode()}")
    codes = {row["backend"]: row["code"] for row in json.loads(out)["backends"]}
    assert codes == {"searxng": "drift", "brave": "auth"}
