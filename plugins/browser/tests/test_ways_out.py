"""Whatever a page tries, nothing but the door's addresses is connected to: canaries on loopback count connections."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from websearch_browser.admission import Admission
from websearch_core import BackendError, FetchRequest
from websearch_core.testing.misbehaviour import redirect
from websearch_core.testing.site import LoopbackSite, answer

from .conftest import html
from .ways_out import WAYS

pytestmark = pytest.mark.real
TOGETHER = 10
WORKER = "self.addEventListener('install', event => event.waitUntil(fetch('{bad}/')))"
EVERYTHING = {"block": (), "block_trackers": False, "settle_s": 3.0, "timeout_s": 300.0, "pages": 6}


async def connected(rig: Any, *, allowed: bool) -> set[str]:
    """Which ways came to their canary, of which each has its own."""
    canaries = {name: await rig.site({"/*": "canary"}) for name in WAYS}
    together = [name for name, way in WAYS.items() if not way.alone]
    pages = [together[start : start + TOGETHER] for start in range(0, len(together), TOGETHER)]
    sites = [await site(rig, canaries, names) for names in pages + [[name] for name in WAYS if WAYS[name].alone]]
    fetcher = rig.fetcher(*sites, *(canaries.values() if allowed else ()), **EVERYTHING)

    async def run(one: LoopbackSite) -> None:
        try:
            await fetcher.fetch(FetchRequest(url=f"{one.url}/", screenshot=True))
        except BackendError as error:
            if error.code not in ("refused", "network", "unsupported"):
                raise  # the browser itself must have worked

    await asyncio.gather(*map(run, sites))
    assert all(one.requests for one in sites)
    return {name for name, canary in canaries.items() if canary.connections}


async def site(rig: Any, canaries: dict[str, LoopbackSite], names: list[str]) -> LoopbackSite:
    """A site whose page tries these ways."""
    made: LoopbackSite = await rig.site()
    page = ""
    for place, name in enumerate(names):
        bad = canaries[name].url
        away, worker = f"/away{place}", f"/{place}/worker.js"
        made.route(away, redirect(f"{bad}/"))
        made.route(worker, answer(200, WORKER.format(bad=bad), content_type="text/javascript"))
        page += WAYS[name].page.format(
            bad=bad, host=bad.removeprefix("http://"), port=canaries[name].port, away=away, worker=worker
        )
    return made.route("/", html(page))


async def test_the_ways_are_ways(rig: Any) -> None:
    """Where the canaries are allowed, they are reached: the pages really try."""
    reached = await connected(rig, allowed=True)
    assert {name for name, way in WAYS.items() if way.works} - reached == set()


async def test_no_way_leads_to_a_forbidden_address(rig: Any) -> None:
    assert await connected(rig, allowed=False) == set()


async def test_the_proxy_alone_holds_without_the_doorkeeper(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Any, devtools: Any) -> None: ...

    monkeypatch.setattr(Admission, "watch", nothing)
    assert await connected(rig, allowed=False) == set()
