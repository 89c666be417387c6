"""Time that stands still while somebody sleeps long, and a small list of domains."""

from __future__ import annotations

import asyncio
from pathlib import Path

import anyio
import pytest

from websearch_core.testing import FakeClock

SHORT_S = 20.0
"""The door's own pauses between repeats are over at once; those of the refresh are what is tested."""


class HeldClock(FakeClock):
    """A long sleep is over when the test has moved the time on by so much."""

    def __init__(self) -> None:
        super().__init__()
        self._moved = asyncio.Event()
        self._asleep = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        if seconds < SHORT_S:
            await super().sleep(seconds)
            return
        self.slept.append(seconds)
        until = self.monotonic() + seconds
        while self.monotonic() < until:
            self._asleep.set()
            await self._moved.wait()

    def advance(self, seconds: float) -> None:
        super().advance(seconds)
        self._asleep.clear()
        self._moved.set()
        self._moved = asyncio.Event()

    async def asleep(self) -> float:
        """Wait until somebody sleeps long; for how long."""
        with anyio.fail_after(60):
            await self._asleep.wait()
        return self.slept[-1]


@pytest.fixture
def held() -> HeldClock:
    return HeldClock()


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    file = tmp_path / "own.txt"
    file.write_text("# ours\npopular.example\nnews.co.uk  # a paper\n\ngithub.com\nbücher.example\n", encoding="utf-8")
    return file
