"""Stand-ins for what a component is handed: time, workers, a context; and sample values."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.lowlevel

from websearch_core.contract.context import PluginContext
from websearch_core.contract.models import Hit, Page
from websearch_core.settings.configuration import Configuration

from .components import (
    FakeBackend,
    FakeDocumentFilter,
    FakeExtractor,
    FakeFetcher,
    FakeGateway,
    FakeRequestFilter,
    FakeTrustPolicy,
    RecordingObserver,
    download,
)

if TYPE_CHECKING:
    from websearch_core.contract.interfaces import Clock
    from websearch_core.net.robots import Objection

__all__ = [
    "FakeBackend",
    "FakeClock",
    "FakeDocumentFilter",
    "FakeExtractor",
    "FakeFetcher",
    "FakeGateway",
    "FakeRequestFilter",
    "FakeRobots",
    "FakeTrustPolicy",
    "InProcessWorkers",
    "RecordingObserver",
    "context",
    "download",
    "hits",
    "page",
]


class FakeClock:
    """Time that moves only when the test, or a sleep, moves it. A sleep is over at once and is written down."""

    def __init__(self, now: float = 1_750_000_000.0, monotonic: float = 1_000.0) -> None:
        self._now = now
        self._monotonic = monotonic
        self.slept: list[float] = []
        """The lengths of all sleeps, in order."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        """Move on by so much, and let others run."""
        self.slept.append(seconds)
        self.advance(max(0.0, seconds))
        await anyio.lowlevel.checkpoint()

    def advance(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self._now += seconds
        self._monotonic += seconds


class InProcessWorkers:
    """`Workers` that call the function right here: no process, no limits."""

    def __init__(self) -> None:
        self.calls: list[Callable[..., Any]] = []
        self.spent_s = 0.0
        """Seconds in the functions so far: what real workers would have taken off the event loop."""

    async def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        seconds: float = 30.0,  # noqa: ARG002
        cpu_seconds: float | None = None,  # noqa: ARG002
        memory_bytes: int | None = None,  # noqa: ARG002
    ) -> Any:
        """Call it."""
        self.calls.append(function)
        await anyio.lowlevel.checkpoint()
        began = time.perf_counter()
        try:
            return function(*args)
        finally:
            self.spent_s += time.perf_counter() - began


class FakeRobots:
    """A site's rules: `forbids` says of an address whether it is forbidden. What it was asked is kept.

    Where they are not `readable`, the forbidden addresses are those of which nobody knows.
    """

    def __init__(self, forbids: Callable[[str], bool] = lambda _: False, *, readable: bool = True) -> None:
        self.forbids = forbids
        self.readable = readable
        self.asked: list[str] = []

    async def objection(self, url: str) -> Objection | None:
        """As constructed."""
        self.asked.append(url)
        from websearch_core.net.robots import Objection

        return Objection("robots", "the site's robots.txt forbids it") if self.forbids(url) else None

    async def permit(self, url: str, *, redirected: bool = False) -> None:  # noqa: ARG002 - the signature is the real one's
        """As constructed."""
        from websearch_core.net.robots import Disallowed, Unread

        if objection := await self.objection(url):
            raise Disallowed(objection.reason) if self.readable else Unread(objection.reason)


def context(
    plugin: str = "test",
    settings: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    private: Sequence[str] = ("127.0.0.1",),
    data_dir: Path | str | None = None,
    net: Mapping[str, Any] | None = None,
) -> PluginContext:
    """What the core would hand to `plugin`: both real network clients, a store in memory, a clock that the test moves.

    `settings` is the plugin's table; `private` are the addresses that `ctx.web` may reach; `net` is more of `[net]`.
    """
    from websearch_core.net.guarded_client import GuardedHttpClient
    from websearch_core.net.policy import AddressPolicy
    from websearch_core.startup.plugin_context import ConfiguredContext
    from websearch_core.stores.memory import MemoryStore

    ticking = clock or FakeClock()
    folder = data_dir or Path(tempfile.gettempdir()) / f"websearch-test-{uuid.uuid4().hex}"
    tables: dict[str, Mapping[str, Any]] = {
        "plugin": {plugin: dict(settings or {})},
        "net": {"private": tuple(private), **(net or {})},
        "store": {"data_dir": str(folder)},
    }
    configuration = Configuration(tables, environ or {}, "test")
    store = MemoryStore(ticking, configuration.store.max_bytes)
    return ConfiguredContext(
        plugin=plugin,
        configuration=configuration,
        clock=ticking,
        shared_store=lambda: store,
        web=GuardedHttpClient(AddressPolicy(configuration.net), configuration.net, ticking),
        workers=InProcessWorkers(),
    )


def hits(count: int = 3, *, host: str = "example.com", source: str = "") -> tuple[Hit, ...]:
    """So many different hits of one host."""
    return tuple(
        Hit(url=f"https://{host}/{n}", title=f"Title {n}", snippet=f"Snippet {n}", source=source)
        for n in range(1, count + 1)
    )


def page(url: str = "https://example.com/", body: str = "# Title\n\nText.\n", **fields: Any) -> Page:
    """A page with this body."""
    return Page.from_markdown(body, url=url, **{"title": "Title", **fields})
