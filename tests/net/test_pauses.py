"""A host that asks for a pause is left alone for so long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from websearch_core import BackendError, Caller, FetchRequest
from websearch_core.kit import RateLimited
from websearch_core.net.cooldown_rules import HOST, PAGE
from websearch_core.net.host_limiter import MOST_PAUSES, HostLimiter, OnPause
from websearch_core.net.urls import parse


@pytest.mark.parametrize("status", [429, 503])
async def test_a_host_is_not_asked_again_before_its_pause_is_over(bench: Any, status: int) -> None:
    site = await bench.serve({"/": bench.answer("", status, "Retry-After: 60"), "/other": bench.answer("words")})
    door = bench.web_to(site)
    with pytest.raises(BackendError):
        await door.download(bench.ask(site))
    bench.clock.at += 20
    with pytest.raises(RateLimited, match="nothing was sent") as error:
        await door.download(bench.ask(site, "/other"))
    assert error.value.retry_after == 40
    assert len(site.heads) == 1
    bench.clock.at += 40
    assert (await door.download(bench.ask(site, "/other"))).body == b"words"


@pytest.mark.parametrize(
    ("status", "header"), [(429, "X: y"), (429, "Retry-After: 0"), (404, "Retry-After: 60"), (429, "Retry-After: soon")]
)
async def test_who_asks_for_no_pause_gets_none(bench: Any, status: int, header: str) -> None:
    site = await bench.serve(bench.answer("", status, header))
    door = bench.web_to(site)
    for _ in range(2):
        with pytest.raises(BackendError):
            await door.download(bench.ask(site))
    assert len(site.heads) == (4 if header == "Retry-After: 0" else 2)  # who says "at once" is asked once more at once


async def test_who_asks_by_another_way_heeds_and_keeps_pauses_too(bench: Any) -> None:
    door, url = bench.web(), "https://site.example/page"
    request = FetchRequest(url=url)
    await door.admitted(request)
    assert door.failure(429, {"retry-after": "60"}, url).retry_after == 60
    with pytest.raises(OnPause):
        await door.admitted(request)
    bench.clock.at += 60
    assert await door.admitted(request) == request


async def test_a_pause_is_no_longer_than_the_cap(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 503, "Retry-After: 999999"))
    door = bench.web_to(site)
    for passed in (0.0, PAGE.longest - 1, 2.0):
        bench.clock.at += passed
        with pytest.raises(BackendError):
            await door.download(bench.ask(site))
    assert len(site.heads) == 2


async def test_a_redirect_to_a_host_on_pause_is_not_followed(bench: Any) -> None:
    busy = await bench.serve(bench.answer("", 429, "Retry-After: 60"))
    site = await bench.serve(bench.answer("", 302, f"Location: {bench.url(busy)}"))
    door = bench.web_to(site, busy)
    for kind in (RateLimited, OnPause):
        with pytest.raises(kind):
            await door.download(bench.ask(site))
    assert (len(site.heads), len(busy.heads)) == (2, 1)


async def test_who_waited_for_the_host_meanwhile_is_told_as_well(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 429, "Retry-After: 60"))
    door = bench.web_to(site, per_host=1)
    gave = await asyncio.gather(
        *(door.download(bench.ask(site, caller=Caller(tenant=str(n)))) for n in range(5)), return_exceptions=True
    )
    assert len(site.heads) == 1
    assert sum(isinstance(error, OnPause) for error in gave) == 4


async def test_one_address_silences_the_rest_of_its_host_for_no_more_than_minutes(bench: Any) -> None:
    slow = bench.answer("", 503, "Retry-After: 3600")
    site = await bench.serve({"/": slow, "/other": bench.answer("words")})
    door = bench.web_to(site)
    with pytest.raises(BackendError):
        await door.download(bench.ask(site))
    with pytest.raises(OnPause) as error:
        await door.download(bench.ask(site, "/other"))
    assert error.value.retry_after == HOST.longest <= 300
    bench.clock.at += HOST.longest
    assert (await door.download(bench.ask(site, "/other"))).body == b"words"
    with pytest.raises(OnPause) as error:
        await door.download(bench.ask(site))
    assert error.value.retry_after == 3600 - HOST.longest


async def test_a_pause_that_is_over_is_no_advice_for_the_next_one(bench: Any) -> None:
    pauses = HostLimiter(4, 0.0, bench.clock)
    address, other, third = (parse(f"https://a.example/{name}") for name in ("", "other", "third"))
    pauses.pause(address, 3600)
    bench.clock.at += HOST.longest
    pauses.pause(other, 30)
    with pytest.raises(OnPause) as error:
        pauses.check(third)
    assert error.value.retry_after == 30


async def test_only_so_many_are_remembered_and_the_longest_pauses_stay(bench: Any) -> None:
    pauses = HostLimiter(4, 0.0, bench.clock)
    hosts = [parse(f"https://h{number}.example/") for number in range(MOST_PAUSES // 2 + 10)]
    for number, host in enumerate(hosts):
        pauses.pause(host, 110.0 - number / 100)
    for host in hosts[: MOST_PAUSES // 2]:
        with pytest.raises(OnPause):
            pauses.check(host)
    for host in hosts[MOST_PAUSES // 2 :]:
        pauses.check(host)


async def test_of_two_pauses_the_longer_counts(bench: Any) -> None:
    pauses = HostLimiter(4, 0.0, bench.clock)
    address, other = parse("https://a.example/"), parse("https://a.example/other")
    pauses.pause(address, 60)
    pauses.pause(address, 5)
    bench.clock.at += 59
    for asked in (address, other):
        with pytest.raises(OnPause):
            pauses.check(asked)
    bench.clock.at += 1
    for asked in (address, other):
        pauses.check(asked)
