"""A stdio server with a stand-in for the assembly: `python -m tests.server.stdio_stand_in`."""

# ruff: noqa: T201 - what it prints is what the tests look at
from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator
from typing import Any

import anyio

from tests.server.conftest import StandIn
from websearch_core.contract.clock import SystemClock
from websearch_core.contract.models import SearchRequest
from websearch_core.contract.results import SearchAnswer
from websearch_core.server import lifecycle
from websearch_core.server.stdio import serve_stdio


class Chain:
    """Prints where it must not, and waits for ever when asked to."""

    async def search(self, request: SearchRequest) -> SearchAnswer:
        print("stray print")
        if request.query == "wait":
            print("waiting", file=sys.stderr, flush=True)
            await anyio.sleep_forever()
        return SearchAnswer(notes=(request.query,))


class Told(StandIn):
    """Says on stderr when its components start and close."""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Any]:
        print("started", file=sys.stderr, flush=True)
        try:
            yield self.chain
        finally:
            print("closed", file=sys.stderr, flush=True)


if __name__ == "__main__":
    lifecycle.running, lifecycle.warm = Told.running, Told.warm
    serve_stdio(Told(chain=Chain(), clock=SystemClock()))
