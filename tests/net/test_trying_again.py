"""A page is asked for once more where that is due, politely and in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from websearch_core import Code
from websearch_core.contract.errors import BackendError
from websearch_core.kit import NetworkFailed, RateLimited, ServerFailed, TimedOut
from websearch_core.net import guarded_client


def first(trouble: Callable[[asyncio.StreamWriter], Any], then: bytes) -> Any:
    """A handler that does this to the first request, and answers the others."""
    asked = 0

    async def handler(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            writer.write(then)
        elif waiting := trouble(writer):
            await waiting

    return handler


@pytest.mark.parametrize("status", [429, 503])
async def test_a_site_that_asks_for_a_short_pause_is_asked_again_after_it(bench: Any, status: int) -> None:
    busy = bench.answer("", status, "Retry-After: 3")
    site = await bench.serve(first(lambda writer: writer.write(busy), bench.answer("words")))
    assert (await bench.web_to(site).download(bench.ask(site))).body == b"words"
    assert bench.clock.slept == [3.0]
    assert len(site.heads) == 2


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimited), (503, ServerFailed)])
async def test_it_is_asked_once_more_and_no_more(bench: Any, status: int, kind: type[BackendError]) -> None:
    site = await bench.serve(bench.answer("", status, "Retry-After: 2"))
    with pytest.raises(kind) as error:
        await bench.web_to(site).download(bench.ask(site))
    assert error.value.retry_after == 2
    assert len(site.heads) == 2


@pytest.mark.parametrize(
    ("status", "header"),
    [(429, "Retry-After: 60"), (429, "X: y"), (503, "X: y"), (500, "X: y"), (404, "Retry-After: 1")],
)
async def test_a_long_pause_none_and_other_answers_are_told_at_once(bench: Any, status: int, header: str) -> None:
    site = await bench.serve(bench.answer("", status, header))
    with pytest.raises(BackendError):
        await bench.web_to(site).download(bench.ask(site))
    assert (len(site.heads), bench.clock.slept) == (1, [])


async def test_a_connection_that_breaks_before_the_answer_is_made_anew(bench: Any) -> None:
    site = await bench.serve(first(lambda writer: writer.transport.abort(), bench.answer("words")))
    assert (await bench.web_to(site).download(bench.ask(site))).body == b"words"
    assert len(site.heads) == 2
    [pause] = bench.clock.slept
    assert 0 < pause < 1


async def test_a_site_that_always_breaks_off_is_asked_twice(bench: Any) -> None:
    async def abort(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    site = await bench.serve(abort)
    with pytest.raises(NetworkFailed):
        await bench.web_to(site).download(bench.ask(site))
    assert len(site.heads) == 2


async def test_an_answer_that_breaks_off_in_the_middle_is_not_asked_for_again(bench: Any) -> None:
    half = bench.answer("half", length=10)

    async def cut(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(half)
        await writer.drain()
        writer.transport.abort()

    site = await bench.serve(cut)
    with pytest.raises(NetworkFailed):
        await bench.web_to(site).download(bench.ask(site))
    assert len(site.heads) == 1


async def test_a_site_that_keeps_silent_is_asked_again_before_the_time_is_over(bench: Any) -> None:
    silence = asyncio.Event()
    site = await bench.serve(first(lambda writer: silence.wait(), bench.answer("words")))
    assert (await bench.web_to(site, timeout_s=2.0).download(bench.ask(site))).body == b"words"
    assert len(site.heads) == 2
    silence.set()


@pytest.mark.parametrize(("least", "asked"), [(0.0, 2), (2.0, 1)])
async def test_one_that_keeps_silent_ran_out_of_time(
    bench: Any, monkeypatch: pytest.MonkeyPatch, least: float, asked: int
) -> None:
    monkeypatch.setattr(guarded_client, "LEAST_FOR_TWO_S", least)
    silence = asyncio.Event()

    async def silent(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await silence.wait()

    site = await bench.serve(silent)
    with pytest.raises(TimedOut) as error:
        await bench.web_to(site, timeout_s=0.6).download(bench.ask(site))
    assert error.value.code is Code.TIMEOUT
    assert len(site.heads) <= asked
    silence.set()


async def test_one_more_try_is_for_the_whole_way_and_not_for_each_redirect(bench: Any) -> None:
    busy = bench.answer("", 503, "Retry-After: 1")
    end = await bench.serve(busy)
    site = await bench.serve(
        first(lambda writer: writer.write(busy), bench.answer("", 302, f"Location: {bench.url(end)}"))
    )
    with pytest.raises(ServerFailed):
        await bench.web_to(site, end).download(bench.ask(site))
    assert (len(site.heads), len(end.heads)) == (2, 1)


@pytest.mark.parametrize(
    ("date", "age", "seconds"),
    [
        ("Tue, 14 Nov 2023 22:13:50 GMT", "", 10.0),  # its clock is half a minute ahead of ours
        ("Tue, 14 Nov 2023 21:14:00 GMT", "", 3600.0),
        ("Tue, 14 Nov 2023 22:13:50 GMT", "4", 6.0),
        ("nonsense", "", 40.0),
    ],
)
async def test_a_date_to_come_back_at_is_read_by_the_sites_own_clock(
    bench: Any, date: str, age: str, seconds: float
) -> None:
    headers = ["Retry-After: Tue, 14 Nov 2023 22:14:00 GMT", f"Date: {date}", *([f"Age: {age}"] if age else [])]
    site = await bench.serve(bench.answer("", 429, *headers))
    with pytest.raises(RateLimited) as error:
        await bench.web_to(site, timeout_s=1.0).download(bench.ask(site))
    assert error.value.retry_after == seconds
