"""Configuration + installed plugins → Assembly: the chain and everything that the server offers. Checks `require`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, get_args

from ..contract.clock import SystemClock
from ..contract.errors import StartupError
from ..contract.models import SWITCHABLE, Form
from ..net.guarded_client import GuardedHttpClient
from ..net.policy import AddressPolicy
from ..stores.prefixed import PrefixedStore
from .discover import Registry, discover
from .plugin_context import ConfiguredContext
from .selection import check_caps, check_filters, chosen_store, left_alone, named, ordered, sources
from .worker_processes import ProcessWorkers

if TYPE_CHECKING:
    from ..asking.ledger.ledger import Ledger
    from ..chain.chain import Chain
    from ..chain.filter_runner import FilterRunner
    from ..chain.observers import Announcer
    from ..contract.interfaces import (
        Clock,
        Component,
        DocumentFilter,
        Extractor,
        Fetcher,
        RequestFilter,
        SearchBackend,
        Store,
        TokenVerifier,
        TrustPolicy,
        Workers,
    )
    from ..contract.mcp_components import Command, Output, Prompt, Resource, Tool
    from ..contract.results import Lens
    from ..settings.configuration import Configuration

_SOURCES = ("websearch_search_backends", "websearch_fetchers")
CORE_TOOLS = ("search", "fetch")
_ROW = ("url", "status", "title", "author", "paywalled", "content", "tokens", "truncated", "cached", "code", "error")
CORE_OUTPUTS = (*get_args(Form), *_ROW)
"""An output's name is a choice of `output`, and the name of a field in a result of `fetch`."""
CORE_COMMANDS = ("serve", "search", "fetch", "plugins", "check", "ledger", "lenses", "token")


@dataclass(frozen=True)
class Assembly:
    """What one start came to. `lifecycle.running` starts the components; nothing here has done any I/O before."""

    configuration: Configuration
    registry: Registry
    backends: tuple[SearchBackend, ...]
    """Those that are asked, in order."""
    routes: Mapping[str, tuple[SearchBackend, ...]]
    """Per vertical, another order of asking."""
    fetchers: tuple[Fetcher, ...]
    extractors: tuple[Extractor, ...]
    request_filters: tuple[RequestFilter, ...]
    document_filters: tuple[DocumentFilter, ...]
    trust_policies: tuple[TrustPolicy, ...]
    floor: frozenset[str]
    """Filter families that no header weakens."""
    policy: AddressPolicy
    store: Store
    clock: Clock
    web: GuardedHttpClient
    workers: Workers

    @functools.cached_property
    def announcer(self) -> Announcer:
        """Who tells the observers."""
        from ..chain.observers import Announcer

        return Announcer(self.registry.of("websearch_observers"))

    @functools.cached_property
    def ledger(self) -> Ledger:
        """What calls cost, and the operator's caps."""
        from ..asking.ledger.ledger import Ledger

        return Ledger(self.store, self.clock, self.configuration.ledger)

    @property
    def forgets_caps(self) -> bool:
        """Whether there are caps, in a store that ends with the process."""
        from ..stores.memory import MemoryStore

        return bool(self.configuration.ledger.caps) and isinstance(self.store, MemoryStore)

    @functools.cached_property
    def judging(self) -> FilterRunner:
        """How every filter is run."""
        from ..chain.filter_runner import FilterRunner

        return FilterRunner(self.configuration.chain, self.floor, self.clock, self.announcer)

    @functools.cached_property
    def chain(self) -> Chain:
        """screen, ask, inspect. Built when it is first needed: listing plugins needs no chain."""
        from ..asking.read.page_reader import PageReader
        from ..asking.search.searcher import Searcher
        from ..asking.source.guarded_source import Guards
        from ..chain.chain import Chain
        from ..chain.document_inspector import DocumentInspector
        from ..chain.request_screen import RequestScreen

        clock, notify = self.clock, self.announcer
        given, share = self.configuration.chain, self.configuration.server.share
        settings = given.model_copy(update={"backend_concurrency": share(given.backend_concurrency)})
        guards = Guards(settings, clock, notify, store=self.store, revision=self._revision, ledger=self.ledger)
        screening = RequestScreen(self.request_filters, self.policy, self.judging)
        weak = [name for name, choice in settings.on_failure.items() if choice == "allow"]
        chain = Chain(
            screening=screening,
            searching=Searcher(
                self.backends, guards, PrefixedStore(self.store, "ask"), routes=self.routes, off=self.not_asked
            ),
            reading=PageReader(
                self.fetchers,
                self.extractors,
                guards,
                PrefixedStore(self.store, "read"),
                is_at_home=self.policy.is_at_home,
                permit=self.web.robots.permit,
            ),
            inspecting=DocumentInspector(self.document_filters, self.trust_policies, self.judging),
            policy=self.policy,
            clock=clock,
            notify=notify,
            respect_robots=self.configuration.net.respect_robots,
            warnings=tuple(f"when {name} fails, its check is skipped (the operator's choice)" for name in weak),
        )
        self.web.screen = screening.hop
        return chain

    @property
    def tools(self) -> Sequence[Tool]:
        """Tools that plugins bring, less the optional ones that `[server] tools` does not name."""
        named = self.configuration.server.tools
        tools: Sequence[Tool] = self.registry.of("websearch_tools")
        return [tool for tool in tools if not tool.optional or tool.name in named]

    @property
    def outputs(self) -> Sequence[Output]:
        """Forms of a page that plugins bring."""
        return self.registry.of("websearch_outputs")

    @property
    def resources(self) -> Sequence[Resource]:
        """Resources that plugins bring."""
        return self.registry.of("websearch_resources")

    @property
    def prompts(self) -> Sequence[Prompt]:
        """Prompts that plugins bring, less those that speak of tools which are not there."""
        prompts: Sequence[Prompt] = self.registry.of("websearch_prompts")
        offered = {tool.name for tool in self.tools}
        return [prompt for prompt in prompts if prompt.tools <= offered]

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
    def every_backend(self) -> tuple[SearchBackend, ...]:
        """Those that any search may ask: the usual ones, then those that only a route names."""
        routed = (backend for chosen in self.routes.values() for backend in chosen)
        return tuple({backend.name: backend for backend in (*self.backends, *routed)}.values())

    @property
    def not_asked(self) -> Mapping[str, str]:
        """Backends that are installed, but no search asks → why."""
        asked = {backend.name for backend in self.every_backend}
        installed: Sequence[SearchBackend] = self.registry.of("websearch_search_backends")
        barred = {
            backend.name: "[chain] keyless = false forbids it"
            if backend.keyless and not self.configuration.chain.keyless
            else "[chain] backends does not name it"
            for backend in installed
            if backend.name not in asked
        }
        return {**self.registry.off_backends, **barred}

    @property
    def origins(self) -> Mapping[str, tuple[str, ...]]:
        """Plugin → where its queries go; without those whose backends and fetchers are not asked."""
        asked = {id(source) for source in (*self.every_backend, *self.fetchers)}
        busy = {
            entry.plugin.name
            for entry in self.registry.components
            if entry.hook not in _SOURCES or id(entry.component) in asked
        }
        contexts = self.registry.contexts
        return {name: contexts[name].origins for name in contexts if name in busy and contexts[name].origins}

    @property
    def keyless(self) -> tuple[str, ...]:
        """Public services that are asked without an account: they see queries, or addresses."""
        sources = (*self.every_backend, *self.fetchers)
        return tuple(dict.fromkeys(source.name for source in sources if source.keyless))

    def readiness(self) -> tuple[bool, Mapping[str, str]]:
        """Whether the filters have loaded and a backend is ready to be asked, and each source's state.

        One that searches the web must be ready for that; another, for anything that it searches.
        """
        backends, fetchers = self.chain.searching.sources, self.chain.reading.sources
        states = {f"fetch:{name}": source.standing for name, source in fetchers.items()}
        ready = False
        for backend in self.every_backend:
            source, kinds = backends[backend.name], {"web"} & {*backend.verticals} or {*backend.verticals}
            states[backend.name] = source.standing_for(kinds)
            ready = ready or source.askable(kinds)
        return ready and self.judging.loading is None, states

    def _revision(self, component: Component) -> str:
        """Of the settings of whoever brought it; fixtures were brought by nobody."""
        from ..asking.source.cooldowns import revision_of

        plugin = next((entry.plugin for entry in self.registry.components if entry.component is component), None)
        return revision_of(plugin.version, self.registry.contexts[plugin.name].settings_read) if plugin else ""


def assemble(
    configuration: Configuration,
    *,
    installed: Iterable[EntryPoint] | None = None,
    clock: Clock | None = None,
    workers: Workers | None = None,
    web: GuardedHttpClient | None = None,
) -> Assembly:
    """Discover the plugins and build the chain; no I/O. Raises StartupError.

    The keyword arguments replace what the real server uses: tests bring their own plugins, time and network.
    """
    try:
        return _assembled(configuration, installed, clock, workers, web)
    except StartupError as error:
        raise configuration.blamed(error) from error.__cause__


def _assembled(
    configuration: Configuration,
    installed: Iterable[EntryPoint] | None,
    clock: Clock | None,
    workers: Workers | None,
    web: GuardedHttpClient | None,
) -> Assembly:
    clock = clock or SystemClock()
    workers = workers or ProcessWorkers()
    policy = AddressPolicy(configuration.net)
    stores: list[Store] = []

    def shared_store() -> Store:
        if not stores:
            raise StartupError("ctx.store cannot be used in websearch_stores: the store is only being chosen")
        return stores[0]

    net = configuration.net.model_copy(update={"per_host": configuration.server.share(configuration.net.per_host)})
    web = web or GuardedHttpClient(policy, net, clock, store=shared_store)

    def make_context(plugin: str) -> ConfiguredContext:
        return ConfiguredContext(
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
        on_stores=lambda found: stores.append(chosen_store(configuration, clock, found)),
    )
    settings = configuration.chain
    backends, routes, fetchers = sources(configuration, registry, settings)
    request_filters = ordered(registry.of("websearch_request_filters"), settings.filters)
    document_filters = ordered(registry.of("websearch_document_filters"), settings.filters)
    check_filters(configuration, registry, request_filters, document_filters)
    floor = configuration.server.floor
    families = {judge.name: judge.family for judge in (*request_filters, *document_filters) if judge.family}
    if floor is None:
        floor = tuple(families[name] for name in settings.require if name in families)
    elif unknown := [name for name in floor if name not in {*families.values(), *SWITCHABLE}]:
        known = ", ".join(sorted({*families.values(), *SWITCHABLE}))
        raise StartupError(f"[server] floor: no filter family is named {unknown[0]}; known: {known}")
    policies, off = registry.of("websearch_trust_policies"), left_alone(registry, "TrustPolicy")
    assembly = Assembly(
        configuration=configuration,
        registry=registry,
        backends=backends,
        routes=routes,
        fetchers=fetchers,
        extractors=tuple(registry.of("websearch_extractors")),
        request_filters=request_filters,
        document_filters=document_filters,
        trust_policies=named(policies, settings.trust, "[chain] trust", off),
        floor=frozenset(floor),
        policy=policy,
        store=shared_store(),
        clock=clock,
        web=web,
        workers=workers,
    )
    check_caps(configuration, registry)
    tools = registry.of("websearch_tools")
    if missing := [name for name in configuration.server.tools if name not in {tool.name for tool in tools}]:
        raise StartupError(f"[server] tools: no plugin brings a tool named {missing[0]}")
    for kind, taken, components in (
        ("tool", CORE_TOOLS, tools),
        ("output", CORE_OUTPUTS, assembly.outputs),
        ("command", CORE_COMMANDS, assembly.commands),
    ):
        for component in components:
            if component.name in taken:
                raise StartupError(f"{registry.plugin_of(component)}: the {kind} name {component.name} is the core's")
    return assembly
