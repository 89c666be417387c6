"""What every component that asks a server over HTTP owes: errors by status, secrets kept, connections let go."""

from __future__ import annotations

import asyncio
import json
import logging
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import BackendError, NetworkFailed, RateLimited, TimedOut, UnexpectedResponse
from websearch_core.contract.interfaces import Component
from websearch_core.contract.models import Caller
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.misbehaviour import CutShort, Hang, Silent, redirect
from websearch_core.testing.site import Behaviour, LoopbackSite, RecordedRequest, Response, answer

from .contract import Contract
from .probes import GARBAGE, error_bodies, logged, longest_hold_ms, mutants, told_by

C = TypeVar("C", bound=Component)
Errors = type[BackendError] | tuple[type[BackendError], ...]
CANARY = "provider-said-canary"
WORD = "querycanary"


class OverHttp(Contract[C]):
    """Tests that hold for backends and fetchers alike. `self.site` plays the server."""

    secret: ClassVar[str] = "sk-canary-0b5e3c1f9d7a"  # noqa: S105 - a canary
    """Give it to the component as its key: it must appear in no error, no log, no answer."""
    statuses: ClassVar[Mapping[int, Errors]] = {}
    """Where this engine's statuses mean something else than usual."""
    usual: ClassVar[Mapping[int, Errors]]
    patience_s: ClassVar[float] = 10.0
    """How long a test waits for what should come at once."""
    site: LoopbackSite

    @abstractmethod
    def good_answer(self, request: RecordedRequest) -> Response | Behaviour:
        """What the server says when all is well: a recorded answer, with secrets dropped."""

    @abstractmethod
    async def call(self, component: C, word: str = WORD, **fields: Any) -> object:
        """One call of the component; `word` is part of what it asks for, `fields` go into the request."""

    def sound(self, result: object) -> None:
        """Fail unless the result is one that the core may use."""

    @pytest.fixture
    async def served(self) -> AsyncIterator[LoopbackSite]:
        """The server."""
        async with LoopbackSite() as self.site:
            self.site.route("/*", self.good_answer)
            yield self.site

    @pytest.fixture
    def ctx(self, served: LoopbackSite, tmp_path: Path, clock: FakeClock) -> PluginContext:
        """What the component's hook is handed."""
        del served
        return self.context(clock, tmp_path)

    def context(self, clock: FakeClock, data_dir: Path) -> PluginContext:
        """A new one, whose client and store remember nothing."""
        private = (f"127.0.0.1:{self.site.port}",)
        return context(self.plugin, self.settings(), clock=clock, data_dir=data_dir, private=private)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each status."""
        if "status" in metafunc.fixturenames:
            metafunc.parametrize("status", sorted({**self.usual, **self.statuses}))

    async def test_a_good_answer_is_understood(self, made: C) -> None:
        """And is what the core may use."""
        self.sound(await self.call(made))
        assert self.site.requests, "nothing was asked: make the component with self.site.url as its address"

    async def test_an_error_status_becomes_the_right_error(self, made: C, status: int) -> None:
        """401, 429, 503…: the caller must know what to do next."""
        expected = {**self.usual, **self.statuses}[status]
        self.site.route("/*", answer(status, json={"error": CANARY}))
        with pytest.raises(BackendError) as caught:
            await self.call(made)
        assert isinstance(caught.value, expected), f"{status} became {type(caught.value).__name__}"

    async def test_retry_after_is_passed_on(self, made: C) -> None:
        """A 429's own word on when to come back."""
        self.site.route("/*", answer(429, json={}, headers={"retry-after": "3600"}))
        with pytest.raises(RateLimited) as caught:
            await self.call(made)
        assert caught.value.retry_after == pytest.approx(3600, abs=1)

    @pytest.mark.parametrize("name", GARBAGE)
    async def test_garbage_is_no_answer(self, made: C, name: str) -> None:
        """Bytes that are no answer are BackendErrors, never `no results`, never another exception."""
        self.site.route("/*", answer(200, GARBAGE[name], content_type="application/json"))
        with pytest.raises(BackendError):
            await self.call(made)

    async def test_an_answer_cut_short_is_an_error(self, made: C) -> None:
        """Half an answer is none."""
        good = await self._good(made)
        self.site.route("/*", CutShort(good))
        with pytest.raises((NetworkFailed, UnexpectedResponse)):
            await self.call(made)

    async def test_a_server_that_hangs_up_is_a_network_failure(self, made: C) -> None:
        """No word at all."""
        self.site.route("/*", Silent())
        with pytest.raises(NetworkFailed):
            await self.call(made)

    async def test_an_answer_with_one_thing_changed_is_understood_or_refused(self, made: C) -> None:
        """Fields missing, null or of another type: a sound answer or a BackendError, nothing else."""
        good = await self._good(made)
        try:
            whole = json.loads(good.body)
        except ValueError:
            pytest.skip("the answer is not JSON")
        for change, mutant in mutants(whole):
            self.site.route("/*", answer(good.status, json=mutant, headers=good.headers))
            try:
                self.sound(await self.call(made))
            except BackendError:
                continue
            except Exception as error:
                raise AssertionError(f"with {change}: {type(error).__name__}: {error}") from error

    async def test_no_secret_query_or_foreign_text_is_in_errors_and_logs(
        self, made: C, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Not in messages, not in printed tracebacks, not in any log line of any library."""
        caplog.set_level(logging.DEBUG)
        logging.getLogger("asyncio").setLevel(logging.WARNING)
        echo = f"{CANARY} {self.secret} {WORD}"
        bodies = [answer(json=body).body for body in error_bodies(echo)] + [f"<h1>{echo}</h1>".encode()]
        bad = [answer(status, body) for status in {**self.usual, **self.statuses} for body in bodies]
        for behaviour in (*bad, answer(200, echo), answer(200, json={"oops": echo}), Silent(), self.good_answer):
            self.site.route("/*", behaviour)
            caplog.clear()
            told = ""
            try:
                await self.call(made)
            except BackendError as error:
                told = told_by(error, caplog)
            for leak in (self.secret, CANARY, WORD):
                assert leak not in told + logged(caplog), f"{leak!r} was told to whoever reads errors and logs"

    async def test_nothing_is_printed(self, made: C, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await self.call(made)
        self.site.route("/*", answer(500, "no"))
        with pytest.raises(BackendError):
            await self.call(made)
        assert capfd.readouterr().out == ""

    async def test_cancellation_closes_the_connection(self, made: C) -> None:
        """Whoever stops waiting stops paying."""
        self.site.route("/*", Hang())
        calling = asyncio.ensure_future(self.call(made))
        async with asyncio.timeout(self.patience_s):
            await asyncio.wait(
                {calling, asked := asyncio.ensure_future(self.site.asked.wait())}, return_when="FIRST_COMPLETED"
            )
            assert asked.done(), "the call ended without asking"
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            await self.site.closed_early

    async def test_the_callers_deadline_is_kept(self, made: C, clock: FakeClock) -> None:
        """A server that says nothing costs no more time than the caller has."""
        self.site.route("/*", Hang())
        async with asyncio.timeout(self.patience_s):
            with pytest.raises(TimedOut):
                await self.call(made, caller=Caller(deadline=clock.monotonic() + 0.2))

    async def test_two_calls_at_once_do_not_wait_for_each_other(self, made: C) -> None:
        """Neither for the other's answer, nor on shared state."""
        both = asyncio.Event()

        async def meet(request: RecordedRequest) -> Response | Behaviour:
            if len(self.site.requests) >= 2:
                both.set()
            await both.wait()
            return self.good_answer(request)

        self.site.route("/*", meet)
        async with asyncio.timeout(self.patience_s):
            for result in await asyncio.gather(self.call(made, WORD + "one"), self.call(made, WORD + "two")):
                self.sound(result)

    async def test_redirects_to_other_servers_are_not_followed(self, made: C) -> None:
        """An engine has no business sending a request, and perhaps the key, elsewhere."""
        async with LoopbackSite() as canary:
            canary.route("/*", self.good_answer)
            for status in (301, 302, 303, 307, 308):
                self.site.route("/*", redirect(f"{canary.url}/elsewhere", status))
                with pytest.raises(BackendError):
                    await self.call(made)
            assert canary.connections == 0

    async def test_the_event_loop_is_not_held(self, made: C, ctx: PluginContext) -> None:
        """A call leaves room for all others: work of more than 50 ms belongs in `ctx.workers`."""
        await self.call(made)
        held = await longest_hold_ms(lambda: self.call(made), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"

    async def test_closing_lets_the_connections_go(self, ctx: PluginContext) -> None:
        """The core closes its clients, `aclose` what the component opened."""
        component = self.make(ctx)
        await component.start()
        await self.call(component)
        await component.aclose()
        await ctx.aclose()
        await ctx.web.aclose()
        async with asyncio.timeout(self.patience_s):
            await self.site.idle()

    async def _good(self, made: C) -> Response:
        """The good answer to a real request."""
        await self.call(made)
        good = self.good_answer(self.site.requests[-1])
        assert isinstance(good, Response), "good_answer must be a Response: websearch_core.testing.site.answer(…)"
        return good
