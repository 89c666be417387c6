"""A host that asks for a pause is left alone for so long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from websearch_core import BackendError, Caller, RateLimited
from websearch_core.net.pauses import LONGEST_S, MOST, OnPause, Pauses


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
    assert len(site.heads) == 2


async def test_a_pause_is_no_longer_than_the_cap(bench: Any) -> None:
    site = await bench.serve(bench.answer("", 503, "Retry-After: 999999"))
    door = bench.web_to(site)
    for passed in (0.0, LONGEST_S - 1, 2.0):
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


async def test_only_so_many_hosts_are_remembered_and_the_longest_pauses_stay(bench: Any) -> None:
    pauses = Pauses(bench.clock)
    for number in range(MOST + 10):
        pauses.keep(f"h{number}", 1000.0 - number / 10)
    for number in range(MOST):
        with pytest.raises(OnPause):
            pauses.check(f"h{number}")
    for number in range(MOST, MOST + 10):
        pauses.check(f"h{number}")


async def test_of_two_pauses_the_longer_counts(bench: Any) -> None:
    pauses = Pauses(bench.clock)
    pauses.keep("a", 60)
    pauses.keep("a", 5)
    bench.clock.at += 59
    with pytest.raises(OnPause):
        pauses.check("a")
