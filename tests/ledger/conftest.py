"""A clock that obeys and both stores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from websearch_core.contract.interfaces import Store
from websearch_core.stores.memory import MemoryStore
from websearch_core.stores.sqlite import SqliteStore
from websearch_core.testing import FakeClock

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(now=NOON)


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Store]:
    made = (
        MemoryStore(clock, 1_000_000) if request.param == "memory" else SqliteStore(tmp_path / "s.db", clock, 1_000_000)
    )
    await made.start()
    yield made
    await made.aclose()
