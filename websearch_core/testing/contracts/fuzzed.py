"""A fuzzer for every component that asks a server over HTTP: no answer, however odd, breaks it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest

from websearch_core.contract.errors import BackendError
from websearch_core.contract.interfaces import Component
from websearch_core.testing.fakes import FakeClock
from websearch_core.testing.site import Behaviour, LoopbackSite, RecordedRequest, Response, answer

from .hypothesis_runs import each
from .mutations import Mutation, error_body, mutation, written
from .over_http import OverHttp
from .probes import ODD_RATE_HEADERS

C = TypeVar("C", bound=Component)


class Fuzzed(OverHttp[C]):
    """Sends variants of `good_answer` through the component's real client. Each run sends the same ones."""

    error_bodies: ClassVar[int] = 100
    """How many bodies beside error statuses are tried: fewer where each one costs seconds."""

    def ways(self, component: C) -> Sequence[Mapping[str, Any]]:
        """Fields of requests whose answers differ in form."""
        del component
        return ({},)

    async def test_no_mutated_answer_breaks_it(self, made: C, tmp_path: Path) -> None:
        """Half, doubled, retyped, huge, deep, in another charset: a sound result or a BackendError, nothing else."""

        async def check(example: tuple[Mapping[str, Any], Mutation]) -> None:
            fields, change = example
            bodies: list[bytes] = []

            def mutated(request: RecordedRequest) -> Response | Behaviour:
                good = self.good_answer(request)
                if not isinstance(good, Response):
                    return good
                bad = change.of(good)
                bodies.append(bad.body)
                return bad

            self.site.route("/*", mutated)
            async with self._another(tmp_path) as component:
                try:
                    self.sound(await self.call(component, **fields))
                except BackendError:
                    pass
                except Exception as error:
                    error.add_note(f"the answers began: {[body[:400] for body in bodies]}")
                    raise

        ways = self.ways(made)
        await each(lambda dice: (dice.one_of(ways), mutation(dice)), check)

    async def test_no_error_body_breaks_it(self, served: LoopbackSite, tmp_path: Path) -> None:
        """Whatever an engine puts beside an error's status: a BackendError, nothing else."""

        async def check(example: tuple[int, Any]) -> None:
            status, body = example
            served.route("/*", answer(status, written(body), content_type="application/json"))
            async with self._another(tmp_path) as component:
                with pytest.raises(BackendError):
                    await self.call(component)

        statuses = sorted({**self.usual, **self.statuses})
        await each(lambda dice: (dice.one_of(statuses), error_body(dice)), check, self.error_bodies)

    @pytest.mark.parametrize("name", ODD_RATE_HEADERS)
    async def test_odd_rate_limits_beside_a_good_answer_do_no_harm(self, made: C, name: str) -> None:
        """Neither to this answer nor to the next one."""

        def limited(request: RecordedRequest) -> Response | Behaviour:
            good = self.good_answer(request)
            assert isinstance(good, Response), "good_answer must be a Response: websearch_core.testing.site.answer(…)"
            return Response(good.status, good.body, {**good.headers, **ODD_RATE_HEADERS[name]})

        self.site.route("/*", limited)
        for _ in range(2):
            self.sound(await self.call(made))

    @asynccontextmanager
    async def _another(self, data_dir: Path) -> AsyncGenerator[C]:
        """A component that remembers nothing of what others were told."""
        ctx = self.context(FakeClock(), data_dir)
        component = self.make(ctx)
        await component.start()
        try:
            yield component
        finally:
            await component.aclose()
            await ctx.aclose()
            await ctx.web.aclose()
