"""The contract of observers: told anything, they say nothing and fail never."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from datetime import UTC, datetime
from typing import get_args

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import Code
from websearch_core.contract.interfaces import Observer
from websearch_core.contract.results import Event, Outcome

from .contract import Contract
from .probes import longest_hold_ms

AT = datetime(2026, 1, 1, tzinfo=UTC)
KINDS: tuple[str, ...] = get_args(Event.model_fields["kind"].annotation)
OUTCOMES: tuple[str, ...] = get_args(Outcome)


def events() -> list[Event]:
    """One event of each kind, outcome and code, and some with the oddest allowed values."""
    plain = [
        Event.model_validate(
            {"kind": kind, "component": "exa", "outcome": outcome, "code": code, "took": 0.1, "at": AT}
        )
        for kind in KINDS
        for outcome, code in (*((outcome, "") for outcome in OUTCOMES), *(("fail", code) for code in Code))
    ]
    odd = [
        Event(kind="ask", outcome="empty", at=AT),
        Event(kind="filter", component="ä🦊", outcome="fail", count=10**9, code="new_code", tenant="t\n\x00\"'", at=AT),
        Event(kind="search", outcome="answer", took=1e9, cost=0.0, at=AT),
        Event(kind="search", outcome="answer", took=0.0, cost=1e-9, at=datetime(1970, 1, 1, tzinfo=UTC)),
    ]
    return [*plain, *odd]


class ObserverContract(Contract[Observer]):
    """For an observer; add tests of what it does with what it is told."""

    @abstractmethod
    def observer(self, ctx: PluginContext) -> Observer:
        """The observer, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Observer:
        """The observer."""
        return self.observer(ctx)

    async def test_every_event_is_taken(self, made: Observer, capfd: pytest.CaptureFixture[str]) -> None:
        """Without an error, without a line on stdout."""
        for event in events():
            await made.observe(event)
        assert capfd.readouterr().out == ""

    async def test_many_events_at_once_are_taken(self, made: Observer) -> None:
        """A busy server tells hundreds a second."""
        await asyncio.gather(*(made.observe(event) for event in events() * 3))

    async def test_the_event_loop_is_not_held(self, made: Observer, ctx: PluginContext) -> None:
        """Observing costs the caller nothing."""
        held = await longest_hold_ms(lambda: made.observe(events()[0]), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"
