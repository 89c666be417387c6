"""A third party's filters that misbehave: closed each time, nothing said that they saw, and the server goes on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from websearch_core.testing.site import LoopbackSite, answer

from ..forked import ForkServer
from .redteam.server import GUARDS, Served, call, installed, post, serving, settings, site_in_a_thread, tool_call

SECRET = "what only the page says"

REQUESTS = [
    *("raise", "raise-group", "recurse", "hang", "none", "true", "text", "class"),
    *("empty-rewrite", "wrong-fields", "emptied", "reason"),
]
DOCUMENTS = [*REQUESTS, "few", "many", "whole-none", "generator"]


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        yield opened


def environ(site: LoopbackSite, folder: Path) -> dict[str, str]:
    return settings(
        site,
        folder,
        **installed(folder),
        WEBSEARCH_CHAIN__REQUIRE=f"{GUARDS},acme-requests,acme-documents",
        WEBSEARCH_CHAIN__FILTER_TIMEOUT_S="2",
    )


@pytest.fixture(scope="module")
def server(servers: ForkServer, site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    with serving(servers, environ(site, folder), folder) as served:
        yield served


async def still_well(server: Served, site: LoopbackSite) -> None:
    site.route("/well", answer(200, "All is well here."))
    said = await call(server, "fetch", urls=[f"{site.url}/well"], max_age_hours=0)
    assert [row["content"] for row in said.results] == ["All is well here."]


def results(*texts: str) -> object:
    rows = [{"url": f"https://h{n}.example/", "title": "T", "content": text} for n, text in enumerate(texts)]
    return answer(200, json={"results": rows, "unresponsive_engines": []})


@pytest.mark.parametrize("how", REQUESTS)
async def test_a_request_filter_that_misbehaves_lets_nothing_leave(
    how: str, server: Served, site: LoopbackSite
) -> None:
    site.requests.clear()
    query = f"{SECRET} behave:{how} words"
    said = await call(server, "search", query=query)
    assert said.failed
    assert "acme-requests" in said.text
    assert how == "reason" or SECRET not in said.everything
    page = await call(server, "fetch", urls=[f"{site.url}/secretly/behave:{how}/x"])
    assert [row["status"] for row in page.results] == ["failed"]
    tool = await call(server, "acme_echo", text=query)
    assert SECRET not in tool.everything or how == "reason"
    assert tool.failed or how == "emptied"  # without its text it may go on
    assert not site.requests
    assert SECRET not in server.log
    await still_well(server, site)


@pytest.mark.parametrize("how", DOCUMENTS)
async def test_a_document_filter_that_misbehaves_lets_nothing_through(
    how: str, server: Served, site: LoopbackSite
) -> None:
    site.route("/bad", answer(200, f"{SECRET} behave:{how} and more"))
    page = await call(server, "fetch", urls=[f"{site.url}/bad"], max_age_hours=0)
    assert [row["status"] for row in page.results] == ["failed"]
    assert how == "reason" or SECRET not in page.everything
    site.route("/search", results(f"{SECRET} behave:{how} and more"))
    said = await call(server, "search", query=f"owls {how}", max_age_hours=0, backend="searxng")
    assert not said.results
    assert [gone["by"] for gone in said.data["dropped"]] == ["acme-documents"]
    assert how == "reason" or SECRET not in said.everything
    assert SECRET not in server.log
    await still_well(server, site)


@pytest.mark.parametrize("how", ["none", "true", "few", "many"])
async def test_a_filter_that_cannot_judge_one_of_several(how: str, server: Served, site: LoopbackSite) -> None:
    site.route("/search", results("good", f"{SECRET} behave:{how} and more", "good, too"))
    said = await call(server, "search", query=f"owls and {how}", max_age_hours=0, backend="searxng")
    kept = {"none": ["good", "good, too"]}.get(how, [])
    assert [row["content"] for row in said.results] == kept
    assert len(said.data["dropped"]) == 3 - len(kept)
    assert SECRET not in said.everything


async def test_a_reason_is_one_line_that_looks_like_no_result(server: Served, site: LoopbackSite) -> None:
    site.route("/search", results("behave:reason words"))
    said = await call(server, "search", query="owls for a reason", max_age_hours=0, backend="searxng")
    assert "\n[1]" not in said.text


async def test_a_request_led_elsewhere_is_held_to_the_rules_of_addresses(server: Served, site: LoopbackSite) -> None:
    said = await call(server, "fetch", urls=[f"{site.url}/behave:elsewhere/x"])
    assert said.results[0]["status"] == "failed"
    assert said.results[0]["code"] in ("refused", "blocked_by_filter"), said.results
    assert "169.254" not in said.text


async def test_a_document_led_elsewhere_keeps_the_address_that_was_asked_for(
    server: Served, site: LoopbackSite
) -> None:
    site.route("/moved", answer(200, "Owls. behave:elsewhere now"))
    said = await call(server, "fetch", urls=[f"{site.url}/moved"], max_age_hours=0)
    assert [row["url"] for row in said.results] == [f"{site.url}/moved"]
    await still_well(server, site)


async def test_a_filter_that_cancels_its_caller_lets_nothing_through(server: Served, site: LoopbackSite) -> None:
    site.route("/bad", answer(200, f"{SECRET} behave:cancel and more"))
    _, text = await post(server, tool_call("fetch", urls=[f"{site.url}/bad"]))
    assert "error" in text
    assert SECRET not in text
    assert SECRET not in server.log
    await still_well(server, site)


async def test_a_filter_that_ends_programs_does_not_end_the_server(
    servers: ForkServer, site: LoopbackSite, tmp_path: Path
) -> None:
    with contextlib.suppress(AssertionError), serving(servers, environ(site, tmp_path), tmp_path) as server:
        site.route("/bad", answer(200, f"{SECRET} behave:exit and more"))
        _, text = await post(server, tool_call("fetch", urls=[f"{site.url}/bad"]))
        assert SECRET not in text
        await still_well(server, site)
        return
    pytest.fail("the server has ended")
