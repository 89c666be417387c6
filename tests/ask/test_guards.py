"""Which failures concern whom: a search engine's challenge is its own, a page's is the page's."""

from __future__ import annotations

import pytest

from websearch_core.asking.ledger.ledger import Ledger
from websearch_core.asking.source.guarded_source import GuardedSource, Guards
from websearch_core.contract.errors import BackendError, BlockedBySite, RateLimited, ServerFailed
from websearch_core.contract.models import Caller
from websearch_core.settings.configuration import LedgerSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock

from .fakes import Backend, Opener, Told, settings

BACKEND, REMOTE, LOCAL = Backend("one", paid=True, unit="credit"), Opener("one", remote=True), Opener("near")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> MemoryStore:
    return MemoryStore(clock, 100_000)


@pytest.fixture
def ledger(clock: FakeClock, store: MemoryStore) -> Ledger:
    return Ledger(store, clock, LedgerSettings())


@pytest.fixture
def guards(clock: FakeClock, store: MemoryStore, ledger: Ledger) -> Guards:
    return Guards(settings(), clock, Told(), store=store, revision=lambda _: "r1", ledger=ledger)


async def fails(source: GuardedSource, error: BackendError, times: int = 1) -> None:
    async def ask(_: Caller):
        raise error

    for _ in range(times):
        with pytest.raises(type(error)):
            await source.call(ask, Caller(), None)


async def test_a_challenge_rests_a_search_engine_at_once_and_a_fetcher_never(guards: Guards) -> None:
    backend, fetcher = guards.of_backend(BACKEND), guards.of_fetcher(REMOTE)
    await fails(backend, BlockedBySite())
    await fails(fetcher, BlockedBySite(), 20)
    assert (backend.state, fetcher.state) == ("open", "closed")


async def test_a_fetcher_of_this_machine_never_rests_and_costs_nothing(guards: Guards, ledger: Ledger) -> None:
    near = guards.of_fetcher(LOCAL)
    await fails(near, ServerFailed(), 20)
    assert near.state == "closed"
    assert await ledger.entries(1) == []


async def test_calls_are_in_the_ledger_in_the_units_of_the_engine(guards: Guards, ledger: Ledger) -> None:
    await fails(guards.of_backend(BACKEND), ServerFailed())
    await fails(guards.of_fetcher(REMOTE), ServerFailed())
    assert [(entry.engine, entry.unit, entry.calls) for entry in await ledger.entries(1)] == [
        ("one", "credit", 1),
        ("one", "request", 1),
    ]


async def test_a_backend_and_a_fetcher_of_one_name_rest_by_themselves(guards: Guards) -> None:
    await fails(guards.of_fetcher(REMOTE), RateLimited(retry_after=600))
    for made, state in ((guards.of_fetcher(REMOTE), "open"), (guards.of_backend(BACKEND), "closed")):
        await made.refresh()
        assert made.state == state
