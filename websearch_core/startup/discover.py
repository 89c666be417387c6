"""Entry points → Registry: every component with the plugin, package and version that brought it. Strict."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Any, get_args

import pluggy

from ..contract import hookspecs, interfaces, mcp_components
from ..contract.errors import MissingSetting, StartupError
from ..contract.models import SearchRequest, Vertical
from ..contract.results import Lens
from ..settings.configuration import CORE_TABLES, Configuration
from .compatibility import CORE, installed_core, newer_core, not_async
from .plugin_context import ConfiguredContext

KINDS: dict[str, type] = {
    "websearch_stores": interfaces.Store,
    "websearch_search_backends": interfaces.SearchBackend,
    "websearch_fetchers": interfaces.Fetcher,
    "websearch_extractors": interfaces.Extractor,
    "websearch_request_filters": interfaces.RequestFilter,
    "websearch_document_filters": interfaces.DocumentFilter,
    "websearch_trust_policies": interfaces.TrustPolicy,
    "websearch_tools": mcp_components.Tool,
    "websearch_outputs": mcp_components.Output,
    "websearch_resources": mcp_components.Resource,
    "websearch_prompts": mcp_components.Prompt,
    "websearch_lenses": Lens,
    "websearch_commands": mcp_components.Command,
    "websearch_observers": interfaces.Observer,
    "websearch_token_verifiers": interfaces.TokenVerifier,
}
"""Hook → what it yields, in the order of calling: the store comes first, since the others may use it."""

MAY_BE_OFF = frozenset({"websearch_search_backends", "websearch_fetchers"})
"""Hooks whose plugin may lack a setting: it is listed as off. Anywhere else that stops the start."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "websearch_extractors": ("media_types",),
    "websearch_tools": ("description", "arguments"),
    "websearch_outputs": ("description",),
    "websearch_resources": ("uri", "description"),
    "websearch_prompts": ("description",),
    "websearch_commands": ("summary",),
}
"""What a component must have besides its name: missed at startup, not at the first request."""

_SLUG = re.compile(r"^[a-z0-9][a-z0-9-]*$")
_TOOL = re.compile(r"^[a-z0-9][a-z0-9_-]*$")
"""MCP tools are often named with underscores."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One installed entry point."""

    name: str
    package: str
    version: str
    disabled: bool = False
    needs: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """What its package requires, as its metadata has it."""

    def __str__(self) -> str:
        return f"plugin {self.name} ({self.package} {self.version})"


@dataclass(frozen=True, slots=True)
class Registered:
    """One component and where it came from."""

    hook: str
    component: Any
    plugin: Plugin

    @property
    def kind(self) -> str:
        """The interface's name, for listings."""
        return KINDS[self.hook].__name__


@dataclass(frozen=True, slots=True)
class Off:
    """What a plugin would bring if it were configured."""

    plugin: Plugin
    kind: str
    reason: str


@dataclass(slots=True)
class Registry:
    """Everything that the installed plugins bring."""

    plugins: list[Plugin] = field(default_factory=lambda: [])
    components: list[Registered] = field(default_factory=lambda: [])
    off: list[Off] = field(default_factory=lambda: [])
    contexts: dict[str, ConfiguredContext] = field(default_factory=lambda: {})
    """Loaded plugin → what it was handed."""

    def of(self, hook: str) -> list[Any]:
        """The components of one hook: by priority, then by name."""
        found = [entry.component for entry in self.components if entry.hook == hook]
        return sorted(found, key=lambda component: (getattr(component, "priority", 50), component.name))

    @property
    def off_backends(self) -> Mapping[str, str]:
        """Plugins whose backends lack a setting → which."""
        return {entry.plugin.name: entry.reason for entry in self.off if entry.kind == "SearchBackend"}

    def plugin_of(self, component: object) -> Plugin:
        """Who brought this component."""
        return next(entry.plugin for entry in self.components if entry.component is component)


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
    configuration.check_plugins(frozenset(plugin.name for plugin, _ in entries))
    registry = Registry()
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    # over stdio, a line on stdout that is not the protocol's ends the client's session
    with redirect_stdout(sys.stderr):
        for plugin, entry in _enabled(entries, configuration, registry):
            _load(manager, plugin, entry)
        _call_all(manager, registry, make_context, on_stores)
    for name in configuration.unread_plugins(registry.contexts):
        raise StartupError(f"[plugin.{name}] or its variables are set, but plugin {name} takes no settings")
    return registry


def _call_all(
    manager: pluggy.PluginManager,
    registry: Registry,
    make_context: Callable[[str], ConfiguredContext],
    on_stores: Callable[[Sequence[Registered]], None],
) -> None:
    loaded = [plugin for plugin in registry.plugins if not plugin.disabled]
    registry.contexts = {plugin.name: make_context(plugin.name) for plugin in loaded}
    for hook in KINDS:
        bringing = {implementation.plugin_name for implementation in getattr(manager.hook, hook).get_hookimpls()}
        for plugin in loaded:
            if plugin.name in bringing:
                _call(manager, hook, plugin, registry)
        if hook == "websearch_stores":
            on_stores(registry.components)


def _entries(installed: Iterable[EntryPoint]) -> list[tuple[Plugin, EntryPoint]]:
    """Sorted by name. One package seen twice on the path counts once; two packages with one name stop the start."""
    found: dict[str, tuple[Plugin, EntryPoint]] = {}
    for entry in sorted(installed, key=lambda entry: (entry.name, entry.value)):
        package, version, needs = _named(entry.dist) if entry.dist else ("unknown", "?", ())
        plugin = Plugin(entry.name, package, version, needs=needs)
        if entry.name in CORE_TABLES or not _SLUG.match(entry.name):
            raise StartupError(f"{plugin}: this name cannot be a plugin's; choose another entry point name")
        if (other := found.get(entry.name)) and (other[0].package, other[1].value) != (package, entry.value):
            raise StartupError(
                f"two packages claim the plugin name {entry.name}: {other[0].package} {other[0].version} and "
                f"{package} {version}. Uninstall one of them."
            )
        found.setdefault(entry.name, (plugin, entry))
    return list(found.values())


def _named(dist: Distribution) -> tuple[str, str, tuple[str, ...]]:
    """A package's name, version and needs, from metadata that is parsed once: `dist.name` and the like do so each."""
    metadata = dist.metadata
    return metadata["Name"], metadata["Version"], tuple(metadata.get_all("Requires-Dist") or ())


def _enabled(
    entries: Sequence[tuple[Plugin, EntryPoint]], configuration: Configuration, registry: Registry
) -> Iterable[tuple[Plugin, EntryPoint]]:
    only, disable = configuration.plugins.only, configuration.plugins.disable
    names = {plugin.name for plugin, _ in entries}
    for key, chosen in (("only", only), ("disable", disable)):
        if missing := [name for name in chosen if name not in names]:
            raise StartupError(f"[plugins] {key}: no plugin named {missing[0]} is installed")
    for plugin, entry in entries:
        if plugin.name in disable or (only and plugin.name not in only):
            registry.plugins.append(Plugin(plugin.name, plugin.package, plugin.version, disabled=True))
        else:
            registry.plugins.append(plugin)
            yield plugin, entry


def _load(manager: pluggy.PluginManager, plugin: Plugin, entry: EntryPoint) -> None:
    remedy = f'Fix or uninstall it, or start with [plugins] disable = ["{plugin.name}"].'
    if needed := newer_core(plugin.needs):
        raise StartupError(
            f"{plugin} needs {needed}, and {installed_core()} is installed. Upgrade {CORE}, install an older "
            f'{plugin.package}, or start with [plugins] disable = ["{plugin.name}"].'
        )
    try:
        manager.register(entry.load(), name=plugin.name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        problem = str(error).splitlines()[0]
        raise StartupError(f"{plugin}: a hook does not fit its specification: {problem}. {remedy}") from None
    except (Exception, SystemExit) as error:
        raise StartupError(f"{plugin} does not load: {type(error).__name__}: {error}. {remedy}") from error


def _call(manager: pluggy.PluginManager, hook: str, plugin: Plugin, registry: Registry) -> None:
    others = [other for name, other in manager.list_name_plugin() if name != plugin.name and other is not None]
    caller = manager.subset_hook_caller(hook, remove_plugins=others)
    try:
        components = [
            component for yielded in caller(ctx=registry.contexts[plugin.name]) for component in yielded or ()
        ]
    except MissingSetting as error:
        if hook not in MAY_BE_OFF and not error.left_alone:
            raise StartupError(f'{plugin}: {error}. Set it, or [plugins] disable = ["{plugin.name}"].') from None
        registry.off.append(Off(plugin, KINDS[hook].__name__, str(error)))
        return
    except StartupError as error:
        raise StartupError(f"{plugin}: {error}") from None
    except (Exception, SystemExit) as error:
        raise StartupError(
            f"{plugin}: {hook} fails: {type(error).__name__}: {error}. Fix or uninstall it, "
            f'or start with [plugins] disable = ["{plugin.name}"].'
        ) from error
    for component in components:
        _check(hook, component, plugin, registry)
        registry.components.append(Registered(hook, component, plugin))


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
    for attribute in REQUIRED.get(hook, ()):
        if not getattr(component, attribute, None):
            raise StartupError(f"{plugin}: {what} {name} needs {attribute}")
    if isinstance(component, interfaces.SearchBackend):
        _check_verticals(component, plugin)
    namespace = _namespace(hook)
    for entry in registry.components:
        if _namespace(entry.hook) != namespace:
            continue
        for key in ("name", "uri"):
            value = getattr(component, key, None)
            if value is not None and getattr(entry.component, key, None) == value:
                raise StartupError(
                    f"two components are named {value}: of {entry.plugin} and of {plugin}. Disable one of the plugins."
                )


def _check_verticals(backend: interfaces.SearchBackend, plugin: Plugin) -> None:
    """A misspelt vertical would never be asked, a misspelt field never pushed down."""
    known = set(get_args(Vertical))
    fields = set(SearchRequest.model_fields)
    for vertical, pushed in backend.verticals.items():
        if wrong := [vertical] if vertical not in known else sorted(set(pushed) - fields):
            raise StartupError(f"{plugin}: backend {backend.name}: verticals: {wrong[0]} is not known")


def _namespace(hook: str) -> str:
    """Both kinds of filters share one namespace: `[chain] require` names them without saying which kind."""
    return "filters" if hook.endswith("_filters") else hook
