"""Whatever a page tries, nothing but the door's addresses is connected to: canaries on loopback count connections."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from typing import Any

import pytest
from websearch_browser.admission import Admission

from websearch_core import BackendError, FetchRequest
from websearch_core.testing.misbehaviour import redirect
from websearch_core.testing.site import LoopbackSite

from .ways_out import WAYS, Way

pytestmark = pytest.mark.real
EVERYTHING = {"block": (), "block_trackers": False, "settle_s": 3.0, "timeout_s": 300.0, "pages": 6}


class Tried:
    """One site whose page `/` tries one way to reach a canary of its own."""

    site: LoopbackSite
    canary: LoopbackSite

    @classmethod
    async def of(cls, rig: Any, page: Any, way: Way) -> Tried:
        tried = cls()
        tried.canary = await rig.site({"/*": "canary"})
        bad = tried.canary.url
        text = way.page.format(bad=bad, host=bad.removeprefix("http://"), port=tried.canary.port)
        tried.site = await rig.site({"/": text})
        tried.site.route("/away", redirect(f"{bad}/"))
        tried.site.route("/sw.js", _script(f"self.addEventListener('install', e => e.waitUntil(fetch('{bad}/')))"))
        if way.redirects:
            tried.site.route("/", redirect(f"{bad}/"))
        return tried


def _script(text: str) -> Any:
    from websearch_core.testing.site import answer

    return answer(200, text, content_type="text/javascript")


async def connected(rig: Any, page: Any, *, allowed: bool) -> set[str]:
    """Which ways came to their canary."""
    tried = {name: await Tried.of(rig, page, way) for name, way in WAYS.items()}
    reachable = [one.site for one in tried.values()] + [one.canary for one in tried.values() if allowed]
    fetcher = rig.fetcher(*reachable, **EVERYTHING)

    async def run(one: Tried) -> None:
        try:
            await fetcher.fetch(FetchRequest(url=f"{one.site.url}/", screenshot=True))
        except BackendError as error:
            assert error.code not in ("server", "timeout"), error  # the browser itself must have worked

    await asyncio.gather(*map(run, tried.values()))
    assert all(one.site.requests for one in tried.values())
    return {name for name, one in tried.items() if one.canary.connections}


async def test_the_ways_are_ways(rig: Any, page: Any) -> None:
    """Where the canaries are allowed, they are reached: the pages really try."""
    reached = await connected(rig, page, allowed=True)
    assert {name for name, way in WAYS.items() if way.works} - reached == set()


async def test_no_way_leads_to_a_forbidden_address(rig: Any, page: Any) -> None:
    assert await connected(rig, page, allowed=False) == set()


async def test_the_proxy_alone_holds_without_the_doorkeeper(
    rig: Any, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(self: Any, devtools: Any) -> None: ...

    monkeypatch.setattr(Admission, "watch", nothing)
    assert await connected(rig, page, allowed=False) == set()
