"""What a plugin is handed: its settings, its state, time, workers and the two doors to the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import SecretStr

    from .errors import BackendError
    from .interfaces import Clock, Store, Workers
    from .net.api import Api, ApiResponse
    from .net.web import Web
    from .settings import Configuration, S


@dataclass(frozen=True, slots=True)
class PluginContext:
    """The only way from a plugin to the world. A plugin opens no client of its own."""

    plugin: str
    """The plugin's name: entry point, settings table, environment prefix."""
    configuration: Configuration = field(repr=False)
    clock: Clock
    shared_store: Callable[[], Store] = field(repr=False)
    """The store of the whole server, once it has been chosen."""
    web: Web
    """The guarded door, for addresses that came from outside."""
    workers: Workers
    doors: list[Api] = field(default_factory=lambda: [], repr=False)
    """Every door that `api` opened; the core closes them."""

    def settings(self, model: type[S]) -> S:
        """This plugin's settings. Raises `MissingSetting` (backends: listed as off) or `StartupError`."""
        return self.configuration.for_plugin(self.plugin, model)

    @property
    def store(self) -> Store:
        """Shared state, keys prefixed with the plugin's name. Raises StartupError in the hook that brings stores."""
        from .stores.prefixed import PrefixedStore

        return PrefixedStore(self.shared_store(), f"plugin:{self.plugin}")

    @property
    def data_dir(self) -> Path:
        """A folder for this plugin's files; created by whoever writes first."""
        return self.configuration.data_dir / self.plugin

    def api(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str | SecretStr] | None = None,
        auth: tuple[str, SecretStr] | None = None,
        explain: Callable[[ApiResponse], BackendError | None] | None = None,
    ) -> Api:
        """The door to one engine that the operator configured: bound to this origin, redirects never followed.

        `headers` go with every request; `auth` is HTTP Basic. `explain` turns an engine's own statuses and bodies
        into errors before the general table does; it returns None for "as usual". Raises StartupError if `base_url`
        is not an http(s) address.
        """
        from .net.api import Api

        door = Api(base_url, self.configuration.net, self.clock, headers=headers, auth=auth, explain=explain)
        self.doors.append(door)
        return door

    @property
    def origins(self) -> tuple[str, ...]:
        """Where this plugin's queries go: the origins of its doors, in order of opening."""
        return tuple(dict.fromkeys(door.origin for door in self.doors))
