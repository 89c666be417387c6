"""Whose body is given up when a place is needed."""

from __future__ import annotations

import asyncio

import pytest

from websearch_core.server.arriving import ArrivingBodies


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("websearch_core.server.arriving.PATIENCE_S", 0.0)


async def arriving(bodies: ArrivingBodies, seconds: float, here: asyncio.Event) -> str:
    try:
        async with bodies.one("alice", seconds):
            here.set()
            await asyncio.Event().wait()
    except TimeoutError:
        return "given up"
    return "arrived"


async def test_one_whose_time_ends_just_now_is_not_given_up_a_second_time() -> None:
    bodies, here = ArrivingBodies(), asyncio.Event()
    body = asyncio.create_task(arriving(bodies, 0.0, here))
    await here.wait()
    gave: list[bool] = []
    while not body.done():  # at every moment until it has gone, that of its own time among them
        gave.append(bodies.give_up_one())
        await asyncio.sleep(0)
    assert await body == "given up"
    assert not bodies.give_up_one()
    assert sum(gave) <= 1
