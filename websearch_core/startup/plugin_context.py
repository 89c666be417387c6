"""The plugin context that the core makes: one plugin's part of the configuration, the store and the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.context import PluginContext
from ..contract.errors import StartupError
from ..stores.prefixed import PrefixedStore

if TYPE_CHECKING:
    import httpx2

    from ..contract.clients import GuardedClient
    from ..contract.interfaces import Clock, Store, Workers
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

    def api(self, base_url: str, **options: Any) -> EngineHttpClient:
        """See `PluginContext.api`."""
        from ..net.engine_client import EngineHttpClient

        net, given = self._configuration.net, {name: value for name, value in options.items() if value is not None}
        try:
            client = EngineHttpClient(base_url, net, self.clock, store=self._paces, owner=self.plugin, **given)
        except StartupError as error:
            raise self._blamed(error, base_url) from None
        self._doors.append(client)
        return client

    def _blamed(self, error: StartupError, value: str) -> StartupError:
        """The error, with the setting that has this value, if one has."""
        of = next((name for read in self._read for name, given in read if given == value), "")
        return StartupError(f"[plugin.{self.plugin}] {of}: {error}") if of else error

    def http_client(self, base_url: str, *, timeout_s: float | None = None, **options: Any) -> httpx2.AsyncClient:
        """See `PluginContext.http_client`."""
        return self.api(base_url, **options).http_client(timeout_s)

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
