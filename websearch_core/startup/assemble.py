"""Configuration + installed plugins → Assembly: the chain and everything that the server offers. Checks `require`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, get_args

from ..contract import interfaces
from ..contract.clock import SystemClock
from ..contract.errors import StartupError
from ..contract.mcp_components import Command, Output, Prompt, Resource, Tool
from ..contract.models import SWITCHABLE, Form
from ..contract.results import Lens
from ..net.guarded_client import GuardedHttpClient
from ..net.policy import AddressPolicy
from ..stores.prefixed import PrefixedStore
from .discover import discover
from .plugin_context import ConfiguredContext
from .selection import check_caps, check_filters, chosen_store, left_alone, named, ordered, sources
from .worker_processes import ProcessWorkers

if TYPE_CHECKING:
    from ..asking.ledger.ledger import Ledger
    from ..chain.chain import Chain
    from ..chain.filter_runner import FilterRunner
    from ..chain.observers import Announcer
    from ..contract.results import Event
    from ..settings.configuration import Configuration

CORE_TOOLS = ("search", "fetch")
_ROW = ("url", "status", "title", "author", "paywalled", "content", "tokens", "truncated", "cached", "code", "error")
CORE_OUTPUTS = (*get_args(Form), *_ROW)
"""An output's name is a choice of `output`, and the name of a field in a result of `fetch`."""
CORE_COMMANDS = ("serve", "search", "fetch", "plugins", "check", "ledger", "lenses", "token")


class Assembly:
    """The result of one start. `lifecycle.running` starts the components; nothing here has done any I/O before."""

    def __init__(
        self,
        configuration: Configuration,
        installed: Iterable[EntryPoint] | None,
        clock: interfaces.Clock,
        workers: interfaces.Workers,
        web: GuardedHttpClient | None,
    ) -> None:
        """As `assemble`."""
        self.configuration = configuration
        self.clock = clock
        self.workers = workers
        self.policy = AddressPolicy(configuration.net)
        stores: list[interfaces.Store] = []

        def shared_store() -> interfaces.Store:
            if not stores:
                raise StartupError("ctx.store cannot be used in websearch_stores: the store is only being chosen")
            return stores[0]

        per_host = configuration.server.share(configuration.net.per_host)
        net = configuration.net.model_copy(update={"per_host": per_host})
        self.web = web = web or GuardedHttpClient(self.policy, net, clock, store=shared_store)
        self.registry = registry = discover(
            configuration,
            lambda plugin: ConfiguredContext(plugin, configuration, clock, shared_store, web, workers),
            installed,
            on_stores=lambda found: stores.append(chosen_store(configuration, clock, found)),
        )
        self.store = shared_store()
        settings = configuration.chain
        self.backends, self.routes, self.fetchers = sources(configuration, registry)
        """The backends in the order of asking; per vertical, another order."""
        self.extractors = registry.of(interfaces.Extractor)
        self.request_filters = ordered(registry.of(interfaces.RequestFilter), settings.filters)
        self.document_filters = ordered(registry.of(interfaces.DocumentFilter), settings.filters)
        filters = (*self.request_filters, *self.document_filters)
        check_filters(settings, registry, {judge.name for judge in filters})
        check_caps(configuration.ledger, registry)
        off = left_alone(registry, "TrustPolicy")
        self.trust_policies = named(registry.of(interfaces.TrustPolicy), settings.trust, "[chain] trust", off)
        self.floor = self._floor({judge.name: judge.family for judge in filters if judge.family})
        """Filter families that no header weakens."""
        self._check_names()

    def _floor(self, families: Mapping[str, str]) -> frozenset[str]:
        """`families`: filter → its family."""
        floor = self.configuration.server.floor
        if floor is None:
            return frozenset(families[name] for name in self.configuration.chain.require if name in families)
        known = {*families.values(), *SWITCHABLE}
        if unknown := [family for family in floor if family not in known]:
            listed = ", ".join(sorted(known))
            raise StartupError(f"[server] floor: no filter family is named {unknown[0]}; known: {listed}")
        return frozenset(floor)

    def _check_names(self) -> None:
        tools = {tool.name for tool in self.registry.of(Tool)}
        if missing := [name for name in self.configuration.server.tools if name not in tools]:
            raise StartupError(f"[server] tools: no plugin brings a tool named {missing[0]}")
        for kind, taken in ((Tool, CORE_TOOLS), (Output, CORE_OUTPUTS), (Command, CORE_COMMANDS)):
            for component in self.registry.of(kind):
                if component.name in taken:
                    what = f"the {kind.__name__.lower()} name {component.name}"
                    raise StartupError(f"{self.registry.plugin_of(component)}: {what} is the core's")

    @functools.cached_property
    def announcer(self) -> Announcer:
        """Tells the observers what happened."""
        from ..chain.observers import Announcer

        return Announcer(self.registry.of(interfaces.Observer))

    @property
    def _notify(self) -> Callable[[Event], None] | None:
        """None where nobody listens."""
        return self.announcer if self.registry.of(interfaces.Observer) else None

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

        return FilterRunner(self.configuration.chain, self.floor, self.clock, self._notify)

    @functools.cached_property
    def chain(self) -> Chain:
        """screen, ask, inspect. Built when it is first needed: listing plugins needs no chain."""
        from ..asking.read.page_reader import PageReader
        from ..asking.search.searcher import Searcher
        from ..asking.source.guarded_source import Guards
        from ..chain.chain import Chain
        from ..chain.document_inspector import DocumentInspector
        from ..chain.request_screen import RequestScreen

        clock, notify = self.clock, self._notify
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
    def tools(self) -> list[Tool]:
        """Tools that plugins bring, without the optional ones that `[server] tools` does not name."""
        named = self.configuration.server.tools
        return [tool for tool in self.registry.of(Tool) if not tool.optional or tool.name in named]

    @property
    def outputs(self) -> list[Output]:
        """Forms of a page that plugins bring."""
        return self.registry.of(Output)

    @property
    def resources(self) -> list[Resource]:
        """Resources that plugins bring."""
        return self.registry.of(Resource)

    @property
    def prompts(self) -> list[Prompt]:
        """Prompts that plugins bring, without those about tools that are not there."""
        offered = {tool.name for tool in self.tools}
        return [prompt for prompt in self.registry.of(Prompt) if prompt.tools <= offered]

    @property
    def lenses(self) -> list[Lens]:
        """Named sets of sites that plugins bring."""
        return self.registry.of(Lens)

    @property
    def commands(self) -> list[Command]:
        """Sub-commands that plugins bring."""
        return self.registry.of(Command)

    @property
    def token_verifiers(self) -> list[interfaces.TokenVerifier]:
        """Plugins' checks of bearer tokens, besides the settings."""
        return self.registry.of(interfaces.TokenVerifier)

    @property
    def every_backend(self) -> tuple[interfaces.SearchBackend, ...]:
        """Backends that a search may ask: the usual ones, then those that only a route names."""
        routed = (backend for chosen in self.routes.values() for backend in chosen)
        return tuple({backend.name: backend for backend in (*self.backends, *routed)}.values())

    @property
    def not_asked(self) -> Mapping[str, str]:
        """Installed backends that no search asks → why."""
        reasons = dict(self.registry.off_backends)
        asked = {backend.name for backend in self.every_backend}
        for backend in self.registry.of(interfaces.SearchBackend):
            if backend.name not in asked:
                barred = backend.keyless and not self.configuration.chain.keyless
                reasons[backend.name] = (
                    f"[chain] {'keyless = false forbids' if barred else 'backends does not name'} it"
                )
        return reasons

    @property
    def origins(self) -> Mapping[str, tuple[str, ...]]:
        """Plugin → where its queries go; without those whose backends and fetchers are not asked."""
        asked = {id(source) for source in (*self.every_backend, *self.fetchers)}
        busy = {
            entry.plugin.name
            for entry in self.registry.components
            if entry.kind not in ("SearchBackend", "Fetcher") or id(entry.component) in asked
        }
        contexts = self.registry.contexts.items()
        return {name: context.origins for name, context in contexts if name in busy and context.origins}

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

    def _revision(self, component: interfaces.Component) -> str:
        """Hash of the owning plugin's version and settings; empty for the fixtures of the local test mode."""
        from ..asking.source.cooldowns import revision_of

        plugin = self.registry.plugin_of(component)
        return revision_of(plugin.version, self.registry.contexts[plugin.name].settings_read) if plugin else ""


def assemble(
    configuration: Configuration,
    *,
    installed: Iterable[EntryPoint] | None = None,
    clock: interfaces.Clock | None = None,
    workers: interfaces.Workers | None = None,
    web: GuardedHttpClient | None = None,
) -> Assembly:
    """Discover the plugins and build the chain; no I/O. Raises StartupError.

    The keyword arguments replace what the real server uses: tests bring their own plugins, time and network.
    """
    try:
        return Assembly(configuration, installed, clock or SystemClock(), workers or ProcessWorkers(), web)
    except StartupError as error:
        raise configuration.blamed(error) from error.__cause__
