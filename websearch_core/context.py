"""What a plugin is handed: its settings, its state, time, workers and the two doors to the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import SecretStr

    from .errors import BackendError
    from .interfaces import Clock, Store, Workers
    from .keys import KeyPool
    from .models import Caller
    from .net.api import Api, ApiResponse
    from .net.web import Web
    from .settings import Configuration, S, Settings


class PluginContext:
    """The only way from a plugin to the world. A plugin opens no client of its own."""

    plugin: str
    """The plugin's name: entry point, settings table, environment prefix."""
    clock: Clock
    web: Web
    """The guarded door, for addresses that came from outside."""
    workers: Workers

    def __init__(
        self,
        plugin: str,
        configuration: Configuration,
        clock: Clock,
        shared_store: Callable[[], Store],
        web: Web,
        workers: Workers,
    ) -> None:
        """For the core and for tests: plugins are handed theirs. `shared_store` gives the store, once it is chosen."""
        self.plugin = plugin
        self.clock = clock
        self.web = web
        self.workers = workers
        # the whole configuration holds every plugin's secrets: it is not for plugins
        self._configuration = configuration
        self._shared_store = shared_store
        self._doors: list[Api] = []
        self._read: list[Settings] = []

    def settings(self, model: type[S]) -> S:
        """This plugin's settings. Raises `MissingSetting` (backends: listed as off) or `StartupError`."""
        settings = self._configuration.for_plugin(self.plugin, model)
        self._read.append(settings)
        return settings

    @property
    def store(self) -> Store:
        """State of this plugin, the same for all callers. Raises StartupError in the hook that brings stores."""
        from .stores.prefixed import PrefixedStore

        return PrefixedStore(self._shared_store(), f"plugin:{self.plugin}")

    def store_of(self, caller: Caller) -> Store:
        """State of this plugin for one tenant: what is kept here, no other tenant reads."""
        from .outline import content_hash
        from .stores.prefixed import PrefixedStore

        # of one length and without colons, whatever a tenant is called: no prefix is the beginning of another
        return PrefixedStore(self.store, f"tenant:{content_hash(caller.tenant)}")

    @property
    def data_dir(self) -> Path:
        """A folder for this plugin's files; created by whoever writes first."""
        return self._configuration.data_dir / self.plugin

    @property
    def user_agent(self) -> str:
        """How the operator wants us to introduce ourselves: its first word is what robots.txt is asked about."""
        return self._configuration.net.user_agent

    def api(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str | SecretStr] | None = None,
        auth: tuple[str, SecretStr] | None = None,
        keys: KeyPool | None = None,
        pace: tuple[int, float] | None = None,
        explain: Callable[[ApiResponse], BackendError | None] | None = None,
        max_bytes: int | None = None,
    ) -> Api:
        """The door to one engine that the operator configured: bound to this origin, redirects never followed.

        `headers` go with every request; `auth` is HTTP Basic. `keys` are used in turn; a key that is used up, refused
        or told to wait rests while there is another. `pace` is `(requests, seconds)` that the engine allows for each
        key: give it where the headers do not say, or to be right from the first request on. Requests wait for their
        turn, together with those of all processes that share the store, for at most half of the time that they have;
        else they raise `NoTurn`, a `RateLimited` that sent nothing. A plugin's doors to one origin share their turns,
        unless their paces differ. `explain` turns an engine's own statuses and bodies into errors before the general
        table does; it returns None for "as usual". A larger answer than `max_bytes` (not set: 4 MB) is `TooLarge`. The
        core closes the door. Raises StartupError if `base_url` is not an http(s) address.
        """
        from .net.api import MAX_ANSWER_BYTES, Api

        door = Api(
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
        self._doors.append(door)
        return door

    def _paces(self) -> Store:
        """Where the turns at engines are kept: for all plugins and processes together."""
        from .stores.prefixed import PrefixedStore

        return PrefixedStore(self._shared_store(), "pace")

    @property
    def settings_read(self) -> tuple[Settings, ...]:
        """For the core: what this plugin was given, keys included."""
        return tuple(self._read)

    @property
    def doors(self) -> tuple[Api, ...]:
        """For the core: every door that was opened here."""
        return tuple(self._doors)

    @property
    def origins(self) -> tuple[str, ...]:
        """Where this plugin's queries go: the origins of its doors, in order of opening."""
        return tuple(dict.fromkeys(door.origin for door in self._doors))

    async def aclose(self) -> None:
        """For the core: close every door that was opened here."""
        for door in self._doors:
            await door.aclose()
