"""What stands before each backend and fetcher: made here, alike for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..answers import Event
from ..errors import Code
from ..interfaces import Clock, Component, Fetcher, SearchBackend, Store
from ..settings import ChainSettings
from ..stores.prefixed import PrefixedStore
from .breaker import OF_THE_SERVICE, Breaker
from .kept_rests import KeptRests
from .source import Source

if TYPE_CHECKING:
    from ..ledger.ledger import Ledger

OF_A_BACKEND = OF_THE_SERVICE | {Code.BLOCKED_BY_SITE}
"""A challenge that a search engine shows is its own; one that a fetcher meets is the page's."""


class Guards:
    """Makes sources. Without a store rests end with the process; without a ledger nobody counts what calls cost."""

    def __init__(
        self,
        settings: ChainSettings,
        clock: Clock,
        notify: Callable[[Event], None],
        *,
        store: Store | None = None,
        revision: Callable[[Component], str] = lambda _: "",
        ledger: Ledger | None = None,
    ) -> None:
        """`notify` returns at once and never raises. `revision` is that of the settings of whoever brought it."""
        self._settings = settings
        self._clock = clock
        self._notify = notify
        self._store = store
        self.revision = revision
        """Of the settings of whoever brought a component."""
        self._ledger = ledger

    def of_backend(self, backend: SearchBackend) -> Source:
        """Rests after its own failures, and is in the ledger."""
        breaker = Breaker(self._clock, OF_A_BACKEND, self._kept("search", backend))
        return self._source(backend, breaker, self._ledger)

    def of_fetcher(self, fetcher: Fetcher) -> Source:
        """A page that fails says nothing about a fetcher of this machine, and its calls cost nothing."""
        if not fetcher.remote:
            return self._source(fetcher, None, None)
        return self._source(fetcher, Breaker(self._clock, OF_THE_SERVICE, self._kept("read", fetcher)), self._ledger)

    def _source(self, component: SearchBackend | Fetcher, breaker: Breaker | None, ledger: Ledger | None) -> Source:
        return Source(
            component.name,
            self._clock,
            self._notify,
            timeout_s=self._settings.backend_timeout_s,
            concurrency=self._settings.backend_concurrency,
            breaker=breaker,
            ledger=ledger,
            paid=component.paid,
            unit=component.unit,
        )

    def _kept(self, room: str, component: Component) -> KeptRests | None:
        if self._store is None:
            return None
        return KeptRests(PrefixedStore(self._store, f"rests:{room}"), component.name, self.revision(component))
