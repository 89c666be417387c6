"""Whatever a page tries, nothing but the door's addresses is connected to: canaries on loopback count connections."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
from playwright.async_api import async_playwright

from websearch_browser.chromium.installation import found
from websearch_browser.chromium.processes import session
from websearch_browser.network.request_admission import RequestAdmission
from websearch_browser.settings import BrowserSettings
from websearch_core import BackendError, FetchRequest
from websearch_core.testing.misbehaviour import redirect
from websearch_core.testing.site import LoopbackSite, RecordedRequest, Response, answer

from .conftest import PATIENCE_S, html
from .ways_out import HINTS, WAYS

pytestmark = pytest.mark.real
TOGETHER = 20
TRIES = 3
"""On a busy machine a page may be shown before all its ways have been gone."""
WORKER = "self.addEventListener('install', event => event.waitUntil(fetch('{bad}/')))"
EVERYTHING = {"block": (), "block_trackers": False, "settle_s": 4.0, "pages": 6}


class Canary:
    """An address of its own for each way: it sings when anything came there, by TCP or UDP."""

    def __init__(self, site: LoopbackSite, datagrams: socket.socket) -> None:
        self.site = site
        self._datagrams = datagrams
        self._datagrams.bind(("127.0.0.1", site.port))

    def sings(self) -> bool:
        return bool(self.site.connections or select.select([self._datagrams], [], [], 0)[0])


Browser = Callable[[Sequence[LoopbackSite], Sequence[Canary]], Awaitable[None]]


async def tried(rig: Any, browser: Browser) -> set[str]:
    """Which ways came to their canary in this browser, which is given the sites to render and the canaries."""
    with contextlib.ExitStack() as sockets:
        datagrams = [sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in WAYS]
        canaries = {
            name: Canary(await rig.site({"/*": "canary"}), one) for name, one in zip(WAYS, datagrams, strict=True)
        }
        return await sung(rig, browser, canaries)


async def sung(rig: Any, browser: Browser, canaries: Mapping[str, Canary]) -> set[str]:
    addresses = {name: canary.site for name, canary in canaries.items()}
    together = [name for name, way in WAYS.items() if not way.alone]
    pages = [together[start : start + TOGETHER] for start in range(0, len(together), TOGETHER)]
    sites = [await site(rig, addresses, names) for names in pages + [[name] for name in WAYS if WAYS[name].alone]]
    await browser(sites, list(canaries.values()))
    assert all(one.requests for one in sites)
    return {name for name, canary in canaries.items() if canary.sings()}


async def connected(rig: Any, *, allowed: bool) -> set[str]:
    """In our browser."""

    async def ours(sites: Sequence[LoopbackSite], canaries: Sequence[Canary]) -> None:
        reachable = [canary.site for canary in canaries] if allowed else []
        fetcher = rig.fetcher(*sites, *reachable, **EVERYTHING)

        async def run(one: LoopbackSite) -> None:
            try:
                await fetcher.fetch(FetchRequest(url=f"{one.url}/"))
            except BackendError as error:
                if error.code not in ("refused", "network", "unsupported"):
                    raise  # the browser itself must have worked

        await asyncio.gather(*map(run, sites))

    return await tried(rig, ours)


async def unguarded(sites: Sequence[LoopbackSite], canaries: Sequence[Canary]) -> None:
    """The same Chromium without anything of ours, but for names: each is this machine. Ends when all canaries sing."""
    program = found(BrowserSettings()).program
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=program, args=["--host-resolver-rules=MAP * 127.0.0.1"]
        )
        try:
            for one in sites:
                await (await started.new_page()).goto(f"{one.url}/", wait_until="commit")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    while not all(canary.sings() for canary in canaries):  # noqa: ASYNC110 - nobody tells
                        await asyncio.sleep(0.1)
        finally:
            await started.close()


async def site(rig: Any, canaries: dict[str, LoopbackSite], names: list[str], page: str = "") -> LoopbackSite:
    """A site whose page tries these ways, after what `page` holds."""
    made: LoopbackSite = await rig.site()
    for place, name in enumerate(names):
        bad = canaries[name].url
        away, worker = f"/away{place}", f"/{place}/worker.js"
        made.route(away, redirect(f"{bad}/"))
        made.route(worker, answer(200, WORKER.format(bad=bad), content_type="text/javascript"))
        page += WAYS[name].page.format(
            bad=bad, host=bad.removeprefix("http://"), port=canaries[name].port, away=away, worker=worker
        )
    return made.route("/", html(page))


@pytest.mark.slow
async def test_every_way_is_one(rig: Any) -> None:
    """A browser that nobody guards reaches every canary: the pages really try."""
    assert set(WAYS) - await tried(rig, unguarded) == set()


async def test_where_the_canaries_are_allowed_they_are_reached(rig: Any) -> None:
    missed = {name for name, way in WAYS.items() if way.works}
    for _ in range(TRIES):
        missed -= await connected(rig, allowed=True)
        if not missed:
            break
    assert missed == set()


async def test_no_way_leads_to_a_forbidden_address(rig: Any) -> None:
    assert await connected(rig, allowed=False) == set()


async def test_the_proxy_alone_holds_without_the_doorkeeper(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(self: Any, devtools: Any) -> None: ...

    monkeypatch.setattr(RequestAdmission, "watch", nothing)
    assert await connected(rig, allowed=False) == set()


STUN = """<script>
const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}},
  {{urls: 'turn:127.0.0.1:{port}?transport=udp', username: 'u', credential: 'c'}}]}});
peer.createDataChannel('d');
peer.onicecandidate = event => {{ if (event.candidate) document.body.append(event.candidate.candidate) }};
peer.createOffer().then(offer => peer.setLocalDescription(offer));
fetch('/slow');
</script><body>text"""


async def test_no_datagram_leaves_and_no_address_of_ours_is_told(rig: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        site = await rig.site({"/": STUN.format(port=stun.getsockname()[1])})

        async def slow(request: RecordedRequest) -> Response:
            await asyncio.sleep(1.5)  # so long the page has for its datagrams
            return answer()

        site.route("/slow", slow)
        download = await rig.fetcher(site, **EVERYTHING).fetch(FetchRequest(url=f"{site.url}/"))
        assert "/slow" in {request.path for request in site.requests}
        with pytest.raises(BlockingIOError):
            stun.recv(1)
    assert b"typ host" not in download.body


async def test_the_whole_browser_connects_to_nothing_but_its_proxy(rig: Any) -> None:
    """Chromium's own record of its sockets and look-ups, what it does for itself included."""
    canary = await rig.site({"/*": "canary"})
    names = [name for name, way in WAYS.items() if not way.alone]
    one = await site(rig, dict.fromkeys(WAYS, canary), names, HINTS.format(bad=canary.url, port=canary.port))
    fetcher = rig.fetcher(one, own=True, extra=["--log-net-log=net.json"], **EVERYTHING)
    await fetcher.fetch(FetchRequest(url=f"{one.url}/", screenshot=True))
    proxy = await fetcher._proxy.start()
    leader = fetcher.browser.leader
    record = await written(leader)
    numbers = {number: name for name, number in record["constants"]["logEventTypes"].items()}
    events = [(numbers[event["type"]], event.get("params", {})) for event in record["events"]]
    asked = {params["address"] for name, params in events if name == "TCP_CONNECT_ATTEMPT" and "address" in params}
    assert asked == {proxy}
    assert {name for name, _ in events}.isdisjoint(
        ("UDP_BYTES_SENT", "HOST_RESOLVER_SYSTEM_TASK", "HOST_RESOLVER_DNS_TASK", "DNS_TRANSACTION")
    )


async def written(leader: int) -> dict[str, Any]:
    """The record up to the browser's end: one event a line."""
    with open(f"/proc/{leader}/cwd/net.json") as content:  # noqa: ASYNC230, PTH123 - a file that is removed with the browser
        os.kill(leader, signal.SIGTERM)
        while session(leader):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)
        constants, _, *events = content.read().splitlines()
    whole = [json.loads(event.rstrip(",")) for event in events if event.endswith("},")]
    return {**json.loads(constants.rstrip(",") + "}"), "events": whole}
