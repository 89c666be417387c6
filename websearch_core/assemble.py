"""Configuration + installed plugins → Assembly: the chain and everything that the server offers. Checks `require`."""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from .clock import SystemClock
from .context import PluginContext
from .discover import Registered, Registry, discover
from .errors import StartupError
from .models import SWITCHABLE
from .net.policy import Policy
from .net.web import Web
from .stores.prefixed import PrefixedStore
from .workers import ProcessWorkers

if TYPE_CHECKING:
    from .answers import Lens
    from .chain import Chain
    from .interfaces import (
        Clock,
        Command,
        Component,
        DocumentFilter,
        Extractor,
        Fetcher,
        Prompt,
        RequestFilter,
        Resource,
        SearchBackend,
        Store,
        TokenVerifier,
        Tool,
        TrustPolicy,
        Workers,
    )
    from .observers import Announcer
    from .settings import ChainSettings, Configuration

log = logging.getLogger(__name__)

CORE_TOOLS = ("search", "fetch")
CORE_COMMANDS = ("serve", "search", "fetch", "plugins", "check", "token")


@dataclass(frozen=True)
class Assembly:
    """What one start came to. `running()` starts the components; nothing here has done any I/O before."""

    configuration: Configuration
    registry: Registry
    backends: tuple[SearchBackend, ...]
    """Those that are asked, in order."""
    fetchers: tuple[Fetcher, ...]
    extractors: tuple[Extractor, ...]
    request_filters: tuple[RequestFilter, ...]
    document_filters: tuple[DocumentFilter, ...]
    trust_policies: tuple[TrustPolicy, ...]
    floor: frozenset[str]
    """Filter families that no header weakens."""
    policy: Policy
    store: Store
    clock: Clock
    web: Web

    @functools.cached_property
    def announcer(self) -> Announcer:
        """Who tells the observers."""
        from .observers import Announcer

        return Announcer(self.registry.of("websearch_observers"))

    @functools.cached_property
    def chain(self) -> Chain:
        """screen, ask, inspect. Built when it is first needed: listing plugins needs no chain."""
        from .ask.reading import Reading
        from .ask.searching import Searching
        from .chain import Chain
        from .inspecting import Inspecting
        from .judging import Judging
        from .screening import Screening

        settings, clock, notify = self.configuration.chain, self.clock, self.announcer
        judging = Judging(settings, self.floor, clock, notify)
        screening = Screening(self.request_filters, self.policy, judging)
        weak = [name for name, choice in settings.on_failure.items() if choice == "allow"]
        chain = Chain(
            screening=screening,
            searching=Searching(self.backends, settings, clock, PrefixedStore(self.store, "ask"), notify),
            reading=Reading(self.fetchers, self.extractors, settings, clock, PrefixedStore(self.store, "read"), notify),
            inspecting=Inspecting(self.document_filters, self.trust_policies, judging),
            policy=self.policy,
            clock=clock,
            notify=notify,
            warnings=tuple(f"when {name} fails, its check is skipped (the operator's choice)" for name in weak),
        )
        self.web.screen = screening.hop
        return chain

    @property
    def tools(self) -> Sequence[Tool]:
        """Tools that plugins bring."""
        return self.registry.of("websearch_tools")

    @property
    def resources(self) -> Sequence[Resource]:
        """Resources that plugins bring."""
        return self.registry.of("websearch_resources")

    @property
    def prompts(self) -> Sequence[Prompt]:
        """Prompts that plugins bring."""
        return self.registry.of("websearch_prompts")

    @property
    def lenses(self) -> Sequence[Lens]:
        """Named sets of sites that plugins bring."""
        return self.registry.of("websearch_lenses")

    @property
    def commands(self) -> Sequence[Command]:
        """Sub-commands that plugins bring."""
        return self.registry.of("websearch_commands")

    @property
    def token_verifiers(self) -> Sequence[TokenVerifier]:
        """Who knows bearer tokens, besides the settings."""
        return self.registry.of("websearch_token_verifiers")

    @property
    def origins(self) -> Mapping[str, tuple[str, ...]]:
        """Plugin → where its queries go."""
        return {name: context.origins for name, context in self.registry.contexts.items() if context.origins}

    def readiness(self) -> tuple[bool, Mapping[str, str]]:
        """Whether at least one backend is ready to be asked, and each source's state."""
        backends = self.chain.searching.states()
        states = {**{f"fetch:{name}": state for name, state in self.chain.reading.states().items()}, **backends}
        return any(state != "open" for state in backends.values()), states

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[Chain]:
        """Start every component in order; close them in reverse, whatever happens."""
        chain = self.chain
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(self.web.aclose)
            for context in self.registry.contexts.values():
                stack.push_async_callback(context.aclose)
            for component in self._components():
                # closed even when its start fails half-way
                stack.push_async_callback(_closed, component)
                await self._started(component)
            stack.push_async_callback(self.announcer.drain)
            yield chain

    async def _started(self, component: Component) -> None:
        try:
            await component.start()
        except StartupError:
            raise
        except Exception as error:
            who = "the store" if component is self.store else str(self.registry.plugin_of(component))
            raise StartupError(f"{who}: {component.name} does not start: {type(error).__name__}: {error}") from error

    def _components(self) -> Iterable[Component]:
        """The store first: the others may use it while they start."""
        yield self.store
        for entry in self.registry.components:
            if entry.hook not in ("websearch_lenses", "websearch_stores"):
                yield entry.component


def assemble(
    configuration: Configuration,
    *,
    installed: Iterable[EntryPoint] | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
    web: Web | None = None,
) -> Assembly:
    """Discover the plugins and build the chain; no I/O. Raises StartupError.

    The keyword arguments replace what the real server uses: tests bring their own plugins, time and network.
    """
    clock = clock or SystemClock()
    workers = workers or ProcessWorkers()
    policy = Policy(configuration.net)
    web = web or Web(policy, configuration.net, clock)
    stores: list[Store] = []

    def shared_store() -> Store:
        if not stores:
            raise StartupError("ctx.store cannot be used in websearch_stores: the store is only being chosen")
        return stores[0]

    def make_context(plugin: str) -> PluginContext:
        return PluginContext(
            plugin=plugin,
            configuration=configuration,
            clock=clock,
            shared_store=shared_store,
            web=web,
            workers=workers,
        )

    registry = discover(
        configuration,
        make_context,
        installed,
        on_stores=lambda found: stores.append(_chosen_store(configuration, clock, found)),
    )
    settings = configuration.chain
    backends, fetchers = _sources(configuration, registry, settings)
    request_filters = _ordered(registry.of("websearch_request_filters"), settings.filters)
    document_filters = _ordered(registry.of("websearch_document_filters"), settings.filters)
    _check_filters(configuration, request_filters, document_filters)
    floor = configuration.server.floor
    families = {judge.name: judge.family for judge in (*request_filters, *document_filters) if judge.family}
    if floor is None:
        floor = tuple(families[name] for name in settings.require if name in families)
    elif unknown := [name for name in floor if name not in {*families.values(), *SWITCHABLE}]:
        known = ", ".join(sorted({*families.values(), *SWITCHABLE}))
        raise StartupError(f"[server] floor: no filter family is named {unknown[0]}; known: {known}")
    assembly = Assembly(
        configuration=configuration,
        registry=registry,
        backends=backends,
        fetchers=fetchers,
        extractors=tuple(registry.of("websearch_extractors")),
        request_filters=request_filters,
        document_filters=document_filters,
        trust_policies=_named(registry.of("websearch_trust_policies"), settings.trust, "[chain] trust"),
        floor=frozenset(floor),
        policy=policy,
        store=shared_store(),
        clock=clock,
        web=web,
    )
    for kind, taken, components in (
        ("tool", CORE_TOOLS, assembly.tools),
        ("command", CORE_COMMANDS, assembly.commands),
    ):
        for component in components:
            if component.name in taken:
                raise StartupError(f"{registry.plugin_of(component)}: the {kind} name {component.name} is the core's")
    return assembly


def _sources(
    configuration: Configuration, registry: Registry, settings: ChainSettings
) -> tuple[tuple[SearchBackend, ...], tuple[Fetcher, ...]]:
    """Who is asked, in order; fixtures alone in the local test mode."""
    if configuration.environ.get("LOCAL_TEST_MODE") == "1":
        from .local_mode import local_backends, local_fetchers

        log.warning("LOCAL_TEST_MODE=1: answers are fixtures; nothing is asked")
        return tuple(local_backends()), tuple(local_fetchers())
    fetchers = _ordered(_allowed(registry.of("websearch_fetchers"), settings), settings.fetchers)
    available: list[SearchBackend] = _allowed(registry.of("websearch_search_backends"), settings)
    if not settings.backends:
        return tuple(available), fetchers
    off = {entry.plugin.name: entry.reason for entry in registry.off if entry.kind == "SearchBackend"}
    named = [name for name in settings.backends if name not in off]
    for name in settings.backends:
        if name in off:
            log.warning("[chain] backends: %s is off: %s", name, off[name])
    if not named:
        reasons = "; ".join(f"{name}: {off[name]}" for name in settings.backends)
        raise StartupError(f"[chain] backends: none of them is configured: {reasons}")
    return _named(available, named, "[chain] backends"), fetchers


def _allowed(components: Sequence[Any], settings: ChainSettings) -> list[Any]:
    """Without the public services, where the operator does not want them asked."""
    return [component for component in components if settings.keyless or not component.keyless]


def _ordered(components: Sequence[Any], first: Sequence[str]) -> tuple[Any, ...]:
    """The operator's list orders; it never drops what is installed."""
    rank = {name: position for position, name in enumerate(first)}
    return tuple(sorted(components, key=lambda component: rank.get(component.name, len(rank))))


def _named(components: Sequence[Any], names: Sequence[str], where: str) -> tuple[Any, ...]:
    """The components of these names, in this order."""
    by_name = {component.name: component for component in components}
    for name in names:
        if name not in by_name:
            known = ", ".join(sorted(by_name)) or "none"
            raise StartupError(f"{where}: {name} is not installed or disabled; installed: {known}")
    return tuple(by_name[name] for name in dict.fromkeys(names))


def _check_filters(configuration: Configuration, *kinds: Sequence[Any]) -> None:
    settings = configuration.chain
    installed = {judge.name for kind in kinds for judge in kind}
    if missing := [name for name in settings.require if name not in installed]:
        raise StartupError(f"[chain] require: not installed or disabled: {', '.join(missing)}")
    for where, names in (("filters", settings.filters), ("on_failure", tuple(settings.on_failure))):
        if unknown := [name for name in names if name not in installed]:
            known = ", ".join(sorted(installed)) or "none"
            raise StartupError(f"[chain] {where}: no filter named {unknown[0]} is installed; installed: {known}")


def _chosen_store(configuration: Configuration, clock: Clock, found: Sequence[Registered]) -> Store:
    settings = configuration.store
    if settings.use:
        return _named([entry.component for entry in found], [settings.use], "[store] use")[0]
    if settings.path:
        from .settings import expanded
        from .stores.sqlite import SqliteStore

        return SqliteStore(expanded(settings.path, "[store] path"), clock, settings.max_bytes)
    from .stores.memory import MemoryStore

    return MemoryStore(clock, settings.max_bytes)


async def _closed(component: Component) -> None:
    try:
        await component.aclose()
    except Exception as error:  # noqa: BLE001 - one bad close must not keep the others open
        log.warning("%s did not close (%s)", component.name, type(error).__name__)
