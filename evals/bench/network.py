"""What a request costs to send: our clients against a plain client of httpx2, CPU on one core, over loopback."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median

import httpx2
import uvloop

from evals.bench.report import Row
from evals.bench.site import site
from websearch_core import FetchRequest
from websearch_core.contract.clock import SystemClock
from websearch_core.testing import context

API_AT_MOST = 1.1
SITE_AT_MOST = 1.1
SDK_AT_MOST = 2.0
ROUNDS = 9

HEADERS = (
    "Content-Type: application/json",
    "Server: x",
    "Date: Mon, 23 Nov 2026 21:00:00 GMT",
    "Cache-Control: no-cache",
    "X-Request: 1",
)


def sending(requests: int) -> Iterator[Row]:
    """Medians of rounds that are taken in turns."""
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), "x" * 8000, HEADERS) as origin:
        plain, api, download, sdk = uvloop.run(_spent(f"http://{origin}", requests))
    yield Row("an engine's answer of 8 kB, CPU", "ms", api, plain, at_most=API_AT_MOST)
    yield Row("a page of 8 kB, CPU", "ms", download, plain, at_most=SITE_AT_MOST)
    yield Row("the same through ctx.http_client, CPU", "ms", sdk, plain, at_most=SDK_AT_MOST)


async def _spent(base: str, requests: int) -> list[float]:
    """Milliseconds of CPU a request: a plain client, `ctx.api`, `ctx.web`, `ctx.http_client`."""
    ctx = context("bench", clock=SystemClock(), net={"user_agent": "bench"})
    api, sdk = ctx.api(base), ctx.http_client(base)
    page = FetchRequest(url=f"{base}/search?q=words")
    async with httpx2.AsyncClient(trust_env=False, base_url=base) as plain:
        ways: list[Callable[[], Awaitable[object]]] = [
            lambda: plain.get("/search", params={"q": "words"}),
            lambda: api.get("/search", params={"q": "words"}),
            lambda: ctx.web.download(page),
            lambda: sdk.get("/search", params={"q": "words"}),
        ]
        spent: list[list[float]] = [[] for _ in ways]
        for counted in range(-1, ROUNDS):  # the first round warms up
            for way, found in zip(ways, spent, strict=True):
                began = time.process_time()
                for _ in range(requests):
                    await way()
                if counted >= 0:
                    found.append((time.process_time() - began) / requests * 1000)
    await ctx.aclose()
    await ctx.web.aclose()
    return [median(found) for found in spent]
