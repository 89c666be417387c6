"""Names whose servers are silent hold up nobody else."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from websearch_core.kit import NetworkFailed
from websearch_core.net.resolve import SystemResolver


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Until it is set, names that begin with `dead` are waited for."""
    over = threading.Event()

    def answer(host: bytes, *_: Any) -> list[Any]:
        if host.startswith(b"dead"):
            over.wait(600)
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80))] * 2

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    yield over
    over.set()


async def test_many_dead_names_leave_threads_for_a_live_one(silence: threading.Event) -> None:
    resolver = SystemResolver()
    dead = [asyncio.create_task(resolver.resolve(f"dead{number}.example", 80)) for number in range(40)]
    await asyncio.sleep(0)
    assert await asyncio.wait_for(resolver.resolve("live.example", 80), 60) == ["127.0.0.1"]
    silence.set()
    outcomes = await asyncio.gather(*dead, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {NetworkFailed}


async def test_who_gives_up_on_a_dead_name_is_free_at_once(silence: threading.Event) -> None:
    task = asyncio.create_task(SystemResolver().resolve("dead.example", 80))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait((task,), timeout=10)
    assert task.cancelled()
    assert not silence.is_set()


async def test_a_name_that_cannot_be_asked_for_does_not_resolve() -> None:
    with pytest.raises(NetworkFailed, match="does not resolve"):
        await SystemResolver().resolve("\u00fc.example", 80)
