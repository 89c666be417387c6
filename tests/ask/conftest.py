"""A clock that turns when it is told to, and a store that goes by it."""

from __future__ import annotations

import pytest

from websearch_core.stores.memory import MemoryStore

from .fakes import TurnedClock


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def store(clock: TurnedClock) -> MemoryStore:
    return MemoryStore(clock, 1_000_000)
