"""What a plugin is handed: its settings, its state, time, workers and the two clients for the network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2
    from pydantic import SecretStr

    from .clients import EngineClient, GuardedClient
    from .engine_response import EngineResponse
    from .errors import BackendError
    from .interfaces import Clock, Store, Workers
    from .keys import KeyPool
    from .models import Caller
    from .settings import S


class PluginContext(ABC):
    """The only way from a plugin to the world. A plugin opens no client of its own."""

    plugin: str
    """The plugin's name: entry point, settings table, environment prefix."""
    clock: Clock
    web: GuardedClient
    """The guarded client, for addresses that came from outside."""
    workers: Workers

    @abstractmethod
    def settings(self, model: type[S]) -> S:
        """This plugin's settings. Raises `MissingSetting` (backends: listed as off) or `StartupError`."""

    @property
    @abstractmethod
    def store(self) -> Store:
        """State of this plugin, the same for all callers. Raises StartupError in the hook that brings stores."""

    @abstractmethod
    def store_of(self, caller: Caller) -> Store:
        """State of this plugin for one tenant: what is kept here, no other tenant reads."""

    @property
    @abstractmethod
    def data_dir(self) -> Path:
        """A folder for this plugin's files; created by the first to write."""

    @property
    @abstractmethod
    def user_agent(self) -> str:
        """How the operator wants us to introduce ourselves: its first word is what robots.txt is asked about."""

    @abstractmethod
    def api(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str | SecretStr] | None = None,
        auth: tuple[str, SecretStr] | None = None,
        keys: KeyPool | None = None,
        pace: tuple[int, float] | None = None,
        explain: Callable[[EngineResponse], BackendError | None] | None = None,
        max_bytes: int | None = None,
    ) -> EngineClient:
        """A client for one engine that the operator configured: bound to this origin, redirects never followed.

        `headers` go with every request; `auth` is HTTP Basic. `keys` are used in turn; a key that is used up, refused
        or told to wait rests while there is another. `pace` is `(requests, seconds)` that the engine allows for each
        key: give it where the headers do not say, or to be right from the first request on. Requests wait for their
        turn, together with those of all processes that share the store, for at most half of the time that they have;
        else they raise `RateBudgetExceeded`, a `RateLimited` that sent nothing. A plugin's clients of one origin
        share their turns, unless their paces differ. `explain` turns an engine's own statuses and bodies into errors
        before the general table does; it returns None for "as usual". A larger answer than `max_bytes` (not set: 4 MB)
        is `TooLarge`. The core closes the client. Raises StartupError if `base_url` is not an http(s) address.
        """

    @abstractmethod
    def http_client(
        self,
        base_url: str,
        *,
        pace: tuple[int, float] | None = None,
        timeout_s: float | None = None,
        max_bytes: int | None = None,
    ) -> httpx2.AsyncClient:
        """An ordinary client of httpx2 for one engine: for a vendor's SDK that takes one.

        It is bound to the origin and path of `base_url`, redirects are never followed (their answers come without
        `Location`), cookies are not kept. Each request, an SDK's repeats among them, waits for its turn as with `api`;
        the wait and the whole answer must fit into `timeout_s` (not set: `[net] timeout_s`). `pace` and `max_bytes`,
        of a body after decompression, are as with `api`. What fails is an error of httpx2 whose `__cause__` is a
        `BackendError`. A backend or fetcher need not catch what the SDK makes of it, or of a status: the core reads
        either. The core closes the client. Raises StartupError if `base_url` is not an http(s) address.
        """

    @property
    @abstractmethod
    def origins(self) -> tuple[str, ...]:
        """Where this plugin's queries go: the origins of its clients, in order of opening."""

    @abstractmethod
    async def aclose(self) -> None:
        """For the core and for tests: close every engine client that was opened here."""
