"""The plugin context that the core makes: one plugin's part of the configuration, the store and the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..contract.context import PluginContext
from ..stores.prefixed import PrefixedStore

if TYPE_CHECKING:
    import httpx2
    from pydantic import SecretStr

    from ..contract.clients import GuardedClient
    from ..contract.engine_response import EngineResponse
    from ..contract.errors import BackendError
    from ..contract.interfaces import Clock, Store, Workers
    from ..contract.keys import KeyPool
    from ..contract.models import Caller
    from ..contract.settings import S, Settings
    from ..net.engine_client import EngineHttpClient
    from ..settings.configuration import Configuration


class ConfiguredContext(PluginContext):
    """`PluginContext` over the operator's configuration."""

    def __init__(
        self,
        plugin: str,
        configuration: Configuration,
        clock: Clock,
        shared_store: Callable[[], Store],
        web: GuardedClient,
        workers: Workers,
    ) -> None:
        """`shared_store` gives the store, once it is chosen."""
        self.plugin = plugin
        self.clock = clock
        self.web = web
        self.workers = workers
        # the whole configuration holds every plugin's secrets: it is not for plugins
        self._configuration = configuration
        self._shared_store = shared_store
        self._doors: list[EngineHttpClient] = []
        self._read: list[Settings] = []

    def settings(self, model: type[S]) -> S:
        """See `PluginContext.settings`."""
        settings = self._configuration.for_plugin(self.plugin, model)
        self._read.append(settings)
        return settings

    @property
    def store(self) -> Store:
        """See `PluginContext.store`."""
        return PrefixedStore(self._shared_store(), f"plugin:{self.plugin}")

    def store_of(self, caller: Caller) -> Store:
        """See `PluginContext.store_of`."""
        from ..contract.outline import content_hash

        # of one length and without colons, whatever a tenant is called: no prefix is the beginning of another
        return PrefixedStore(self.store, f"tenant:{content_hash(caller.tenant)}")

    @property
    def data_dir(self) -> Path:
        """See `PluginContext.data_dir`."""
        return self._configuration.data_dir / self.plugin

    @property
    def user_agent(self) -> str:
        """See `PluginContext.user_agent`."""
        return self._configuration.net.user_agent

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
    ) -> EngineHttpClient:
        """See `PluginContext.api`."""
        from ..net.engine_client import MAX_ANSWER_BYTES, EngineHttpClient

        client = EngineHttpClient(
            base_url,
            self._configuration.net,
            self.clock,
            headers=headers,
            auth=auth,
            keys=keys,
            pace=pace,
            store=self._paces,
            owner=self.plugin,
            explain=explain,
            max_bytes=MAX_ANSWER_BYTES if max_bytes is None else max_bytes,
        )
        self._doors.append(client)
        return client

    def http_client(
        self,
        base_url: str,
        *,
        pace: tuple[int, float] | None = None,
        timeout_s: float | None = None,
        max_bytes: int | None = None,
    ) -> httpx2.AsyncClient:
        """See `PluginContext.http_client`."""
        return self.api(base_url, pace=pace, max_bytes=max_bytes).http_client(timeout_s)

    def _paces(self) -> Store:
        """Where the turns at engines are kept: for all plugins and processes together."""
        return PrefixedStore(self._shared_store(), "pace")

    @property
    def settings_read(self) -> tuple[Settings, ...]:
        """For the core: what this plugin was given, keys included."""
        return tuple(self._read)

    @property
    def doors(self) -> tuple[EngineHttpClient, ...]:
        """For the core: every engine client that was opened here."""
        return tuple(self._doors)

    @property
    def origins(self) -> tuple[str, ...]:
        """See `PluginContext.origins`."""
        return tuple(dict.fromkeys(door.origin for door in self._doors))

    async def aclose(self) -> None:
        """See `PluginContext.aclose`."""
        for door in self._doors:
            await door.aclose()
