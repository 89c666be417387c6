"""Entry points → Registry: every component with the plugin, package and version that brought it. Strict."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple, TypeVar, get_args

import pluggy

from ..contract import hookspecs
from ..contract.errors import MissingSetting, StartupError
from ..contract.interfaces import Component, SearchBackend
from ..contract.models import SearchRequest, Vertical
from ..settings.configuration import CORE_TABLES, Configuration
from .compatibility import CORE, installed_core, newer_core, not_async
from .plugin_context import ConfiguredContext

C = TypeVar("C")

KINDS: Mapping[str, type] = {
    name: get_args(specification.__annotations__["return"])[0]
    for name, specification in vars(hookspecs).items()
    if name.startswith("websearch_")
}
"""Hook → what it yields, in the order of calling."""

MAY_BE_OFF = ("websearch_search_backends", "websearch_fetchers")
"""Hooks whose plugin may lack a setting: it is listed as off. Anywhere else that stops the start."""

_SLUG = re.compile(r"^[a-z0-9][a-z0-9-]*$")
_TOOL = re.compile(r"^[a-z0-9][a-z0-9_-]*$")
"""MCP tools are often named with underscores."""


class Plugin(NamedTuple):
    """One installed entry point."""

    name: str
    package: str
    version: str
    needs: tuple[str, ...] = ()
    """What its package requires, as its metadata has it."""
    disabled: bool = False

    def __str__(self) -> str:
        return f"plugin {self.name} ({self.package} {self.version})"

    @property
    def left_out(self) -> str:
        """The setting with which the server starts without it."""
        return f'[plugins] disable = ["{self.name}"]'


class Registered(NamedTuple):
    """One component and where it came from."""

    kind: str
    """Its interface's name."""
    component: Any
    plugin: Plugin


class Off(NamedTuple):
    """What a plugin would bring if it were configured."""

    plugin: Plugin
    kind: str
    reason: str


class Registry:
    """Everything that the installed plugins bring."""

    def __init__(self) -> None:
        self.plugins: list[Plugin] = []
        self.components: list[Registered] = []
        self.off: list[Off] = []
        self.contexts: dict[str, ConfiguredContext] = {}
        """Loaded plugin → what it was handed."""

    def of(self, kind: type[C]) -> list[C]:
        """The components of one kind: by priority, then by name."""
        found: list[Any] = [entry.component for entry in self.components if entry.kind == kind.__name__]
        found.sort(key=lambda component: (getattr(component, "priority", 50), component.name))
        return found

    @property
    def off_backends(self) -> Mapping[str, str]:
        """Plugins whose backends lack a setting → which."""
        return {entry.plugin.name: entry.reason for entry in self.off if entry.kind == "SearchBackend"}

    def plugin_of(self, component: object) -> Plugin | None:
        """The plugin that brought this component; None for the fixtures of the local test mode."""
        return next((entry.plugin for entry in self.components if entry.component is component), None)


def discover(
    configuration: Configuration,
    make_context: Callable[[str], ConfiguredContext],
    installed: Iterable[EntryPoint] | None = None,
    on_stores: Callable[[Sequence[Registered]], None] = lambda _: None,
) -> Registry:
    """Load every enabled plugin and call each of its hooks once; what they print meanwhile goes to stderr.

    `on_stores` is called when the stores are known and before any other hook. Raises StartupError naming plugin,
    package, version and remedy.
    """
    entries = _entries(entry_points(group=hookspecs.PROJECT) if installed is None else installed)
    names = frozenset(plugin.name for plugin in entries)
    configuration.check_plugins(names)
    only, disable = configuration.plugins.only, configuration.plugins.disable
    for key, chosen in (("only", only), ("disable", disable)):
        if missing := [name for name in chosen if name not in names]:
            raise StartupError(f"[plugins] {key}: no plugin named {missing[0]} is installed")
    registry = Registry()
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    # over stdio, a line on stdout that is not the protocol's ends the client's session
    with redirect_stdout(sys.stderr):
        for plugin, entry in entries.items():
            disabled = plugin.name in disable or bool(only and plugin.name not in only)
            registry.plugins.append(plugin._replace(disabled=disabled))
            if not disabled:
                _load(manager, plugin, entry)
                registry.contexts[plugin.name] = make_context(plugin.name)
        for hook in KINDS:
            bringing = {implementation.plugin_name for implementation in getattr(manager.hook, hook).get_hookimpls()}
            for plugin in registry.plugins:
                if plugin.name in bringing:
                    _call(manager, hook, plugin, registry)
            if hook == "websearch_stores":
                on_stores(registry.components)
    for name in configuration.unread_plugins(registry.contexts):
        raise StartupError(f"[plugin.{name}] or its variables are set, but plugin {name} takes no settings")
    return registry


def required(kind: type) -> tuple[str, ...]:
    """What a component of this kind must have: the attributes that its interface declares without a value."""
    interfaces = (base for base in kind.__mro__ if issubclass(base, Component))
    declared = (name for base in interfaces for name in vars(base).get("__annotations__", ()))
    return tuple(name for name in declared if not hasattr(kind, name))


def _entries(installed: Iterable[EntryPoint]) -> dict[Plugin, EntryPoint]:
    """Sorted by name. One package seen twice on the path counts once; two packages with one name stop the start."""
    found: dict[str, tuple[Plugin, EntryPoint]] = {}
    for entry in sorted(installed, key=lambda entry: (entry.name, entry.value)):
        plugin = Plugin(entry.name, "unknown", "?")
        if entry.dist:
            metadata = entry.dist.metadata  # parsed once: `dist.name` and the like parse it each
            needs = tuple(metadata.get_all("Requires-Dist") or ())
            plugin = Plugin(entry.name, metadata["Name"], metadata["Version"], needs)
        if entry.name in CORE_TABLES or not _SLUG.match(entry.name):
            raise StartupError(f"{plugin}: this name cannot be a plugin's; choose another entry point name")
        other, same = found.setdefault(entry.name, (plugin, entry))
        if (other.package, same.value) != (plugin.package, entry.value):
            raise StartupError(
                f"two packages claim the plugin name {entry.name}: {other.package} {other.version} and "
                f"{plugin.package} {plugin.version}. Uninstall one of them."
            )
    return dict(found.values())


def _load(manager: pluggy.PluginManager, plugin: Plugin, entry: EntryPoint) -> None:
    remedy = f"Fix or uninstall it, or start with {plugin.left_out}."
    if needed := newer_core(plugin.needs):
        raise StartupError(
            f"{plugin} needs {needed}, and {installed_core()} is installed. Upgrade {CORE}, install an older "
            f"{plugin.package}, or start with {plugin.left_out}."
        )
    try:
        manager.register(entry.load(), name=plugin.name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        problem = "; ".join(line.strip() for line in str(error).splitlines())
        raise StartupError(f"{plugin}: a hook does not fit its specification: {problem}. {remedy}") from None
    except (Exception, SystemExit) as error:
        raise StartupError(f"{plugin} does not load: {type(error).__name__}: {error}. {remedy}") from error


def _call(manager: pluggy.PluginManager, hook: str, plugin: Plugin, registry: Registry) -> None:
    others = manager.get_plugins() - {manager.get_plugin(plugin.name)}
    caller = manager.subset_hook_caller(hook, remove_plugins=others)
    try:
        yielded = caller(ctx=registry.contexts[plugin.name])
        components = [component for each in yielded for component in each or ()]
    except MissingSetting as error:
        if hook not in MAY_BE_OFF and not error.left_alone:
            raise StartupError(f"{plugin}: {error}. Set it, or {plugin.left_out}.") from None
        registry.off.append(Off(plugin, KINDS[hook].__name__, str(error)))
        return
    except StartupError as error:
        raise StartupError(f"{plugin}: {error}") from None
    except (Exception, SystemExit) as error:
        raise StartupError(
            f"{plugin}: {hook} fails: {type(error).__name__}: {error}. Fix or uninstall it, "
            f"or start with {plugin.left_out}."
        ) from error
    for component in components:
        _check(hook, component, plugin, registry)
        registry.components.append(Registered(KINDS[hook].__name__, component, plugin))


def _check(hook: str, component: object, plugin: Plugin, registry: Registry) -> None:
    expected = KINDS[hook]
    what = type(component).__name__
    if not isinstance(component, expected):
        raise StartupError(f"{plugin}: {hook} must yield {expected.__name__} instances, not {what}")
    name = getattr(component, "name", None)
    if not isinstance(name, str) or not (_TOOL if hook == "websearch_tools" else _SLUG).match(name):
        raise StartupError(f"{plugin}: {what} needs a name made of a-z, 0-9 and -")
    if method := not_async(component, expected):
        raise StartupError(f"{plugin}: {what} {name}: {method} must be async: write `async def {method}`")
    for attribute in required(expected):
        if not getattr(component, attribute, None):
            raise StartupError(f"{plugin}: {what} {name} needs {attribute}")
    if isinstance(component, SearchBackend):
        _check_verticals(component, plugin)
    for entry in registry.components:
        if _namespace(entry.kind) != _namespace(expected.__name__):
            continue
        for key in ("name", "uri"):
            value = getattr(component, key, None)
            if value is not None and getattr(entry.component, key, None) == value:
                raise StartupError(
                    f"two components are named {value}: of {entry.plugin} and of {plugin}. Disable one of the plugins."
                )


def _check_verticals(backend: SearchBackend, plugin: Plugin) -> None:
    """A misspelt vertical would never be asked, a misspelt field never pushed down."""
    known = get_args(Vertical)
    for vertical, pushed in backend.verticals.items():
        if wrong := [vertical] if vertical not in known else sorted(set(pushed) - SearchRequest.model_fields.keys()):
            raise StartupError(f"{plugin}: backend {backend.name}: verticals: {wrong[0]} is not known")


def _namespace(kind: str) -> str:
    """Both kinds of filters share one namespace: `[chain] require` names them without saying which kind."""
    return "filters" if kind.endswith("Filter") else kind
