"""What `websearch check` does about backends that rest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from websearch_core.asking.ledger.ledger import Ledger
from websearch_core.asking.source.breaker import OF_THE_SERVICE, Breaker
from websearch_core.asking.source.cooldowns import CooldownStore
from websearch_core.asking.source.guarded_source import GuardedSource
from websearch_core.contract.engine_response import EngineResponse
from websearch_core.contract.errors import AuthFailed, BackendError, BlockedBySite, Code, PlanMismatch, RateLimited
from websearch_core.contract.models import Caller, Hit
from websearch_core.contract.results import Answer
from websearch_core.net.http_errors import of_engine
from websearch_core.net.key_rotation import EngineState, RestingKey
from websearch_core.settings.configuration import ChainSettings, Configuration, LedgerSettings
from websearch_core.startup.discover import Plugin, Registered, Registry
from websearch_core.startup.doctor import CheckedBackend, check
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock
from websearch_core.testing.fakes import FakeBackend, FakeFetcher

HIT = Hit(url="https://a.example/")


class Door:
    async def state(self) -> EngineState:
        return EngineState("https://api.example", 3, (RestingKey(2, Code.QUOTA, 299.5),), 0.0)


class Office:
    """An assembly with one backend and one fetcher of one plugin, and a server that shares the store."""

    def __init__(self, does: Any) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore(self.clock, 100_000)
        self.does = does
        office = self

        class Engine(FakeBackend):
            unit = "credit"

            async def search(self, request: Any) -> Any:
                if isinstance(office.does, BackendError):
                    raise office.does
                return office.does

        backend, fetcher = Engine(), FakeFetcher()
        backend.name = fetcher.name = "one"
        plugin = Plugin("acme", "acme-websearch", "1.0")
        registry: Any = Registry()
        registry.components = [Registered("", component, plugin) for component in (backend, fetcher)]
        registry.contexts = {"acme": SimpleNamespace(doors=(Door(), Door()))}
        self.searching, self.reading = self.source("search"), self.source("read")
        self.assembly: Any = SimpleNamespace(
            clock=self.clock,
            store=self.store,
            configuration=Configuration({}, {}, "test"),
            ledger=Ledger(self.store, self.clock, LedgerSettings()),
            every_backend=(backend,),
            fetchers=(fetcher,),
            chain=SimpleNamespace(
                searching=SimpleNamespace(sources={"one": self.searching}),
                reading=SimpleNamespace(sources={"one": self.reading}),
            ),
            registry=registry,
        )

    def source(self, room: str) -> GuardedSource:
        counts, engine = OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}, FakeBackend()
        breaker = Breaker(self.clock, counts, CooldownStore(self.store, self.clock, f"{room}:one", "r1"))
        return GuardedSource(engine, ChainSettings(), self.clock, lambda _: None, breaker)

    async def rests(self, room: str, error: BackendError) -> GuardedSource:
        """A server whose source of this room rests."""
        server = self.source(room)

        async def ask(_: Any) -> Any:
            raise error

        with pytest.raises(type(error)):
            await server.call(ask, Caller(), None, "news")
        self.clock.advance(1)
        return server

    async def checked(self) -> CheckedBackend:
        (found,) = await check(self.assembly)
        return found


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (AuthFailed(), "auth until its settings change"),
        (RateLimited(retry_after=35), "rate_limited, 34 s"),
        (PlanMismatch(), "plan (news), 3599 s"),
        (BlockedBySite(), "blocked_by_site, 3599 s"),
    ],
)
async def test_a_backend_that_answers_is_asked_again_by_every_server(error: BackendError, told: str) -> None:
    office = Office(Answer(hits=(HIT,), cost=0.01, units=1))
    server = await office.rests("search", error)
    found = await office.checked()
    assert (found.ok, found.ended, found.rests) == (True, (told,), ())
    office.clock.advance(5)
    await server.refresh()
    assert not server.rests()


async def test_a_backend_that_still_fails_goes_on_resting() -> None:
    office = Office(AuthFailed())
    server = await office.rests("search", RateLimited(retry_after=35))
    found = await office.checked()
    assert (found.code, found.rests, found.ended) == ("auth", ("rate_limited, 34 s",), ())
    await server.refresh()
    assert server.rests()


async def test_an_account_that_is_in_order_again_wakes_the_plugins_fetcher_too() -> None:
    office = Office([HIT])
    reader = await office.rests("read", AuthFailed())
    await office.checked()
    office.clock.advance(5)
    await reader.refresh()
    assert not reader.rests()


async def test_a_fetchers_own_trouble_is_not_ended_by_a_search() -> None:
    office = Office([HIT])
    reader = await office.rests("read", RateLimited(retry_after=600))
    await office.checked()
    office.clock.advance(5)
    await reader.refresh()
    assert reader.rests()


async def test_a_key_that_rests_is_told_by_its_number_once_for_all_doors_to_its_engine() -> None:
    assert (await Office([HIT]).checked()).keys == ("number 2 of 3 rests: quota, 300 s",)


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (AuthFailed(), "set a valid key"),
        (BlockedBySite(), "wait some hours, ask from another address, or use an engine with an account"),
        (RateLimited(), "wait, then ask again; if it stays so, ask for a higher limit"),
        (EngineResponse(200, {"content-type": "text/html"}, b"<html>"), "check the base address"),
        (of_engine(404, {}, 0.0), "check the engine's base address"),
        (EngineResponse(200, {}, b"nonsense"), "check the engine's base address, then update its plugin"),
    ],
)
async def test_what_to_do_fits_what_happened(error: Any, remedy: str) -> None:
    if isinstance(error, EngineResponse):
        with pytest.raises(BackendError) as caught:
            error.json()
        error = caught.value
    found = await Office(error).checked()
    assert found.remedy.startswith(remedy)
    assert "another" not in found.remedy or "another address" in found.remedy
