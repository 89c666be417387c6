"""Which of the installed components count, and in what order: the operator's choice, checked."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..contract.errors import StartupError
from ..contract.interfaces import Clock, Component, Fetcher, SearchBackend, Store

if TYPE_CHECKING:
    from ..settings.configuration import ChainSettings, Configuration, LedgerSettings
    from .discover import Registered, Registry

C = TypeVar("C", bound=Component)

log = logging.getLogger(__name__)


def sources(
    configuration: Configuration, registry: Registry
) -> tuple[tuple[SearchBackend, ...], Mapping[str, tuple[SearchBackend, ...]], tuple[Fetcher, ...]]:
    """The backends that are asked, in order, other orders per vertical, and the fetchers.

    In the local test mode these are fixtures.
    """
    if configuration.environ.get("LOCAL_TEST_MODE") == "1":
        from .local_test_mode import LocalFetcher, LocalSearch

        log.warning("LOCAL_TEST_MODE=1: answers are fixtures; nothing is asked")
        return (LocalSearch(),), {}, (LocalFetcher(),)
    settings = configuration.chain
    readers = [fetcher for fetcher in registry.of(Fetcher) if settings.keyless or not fetcher.keyless]
    _check_fetchers(settings, registry)
    backends = _configured(settings.backends, registry, settings, "[chain] backends")
    routes: dict[str, tuple[SearchBackend, ...]] = {}
    for vertical, names in settings.routes.items():
        routes[vertical] = _configured(names, registry, settings, f"[chain.routes] {vertical}")
        if wrong := [backend.name for backend in routes[vertical] if vertical not in backend.verticals]:
            raise StartupError(f"[chain.routes] {vertical}: {wrong[0]} does not search {vertical}")
    return backends, routes, ordered(readers, settings.fetchers)


def _check_fetchers(settings: ChainSettings, registry: Registry) -> None:
    """Raises StartupError when the order names a fetcher that is not there; one that is off may be named."""
    known = {fetcher.name for fetcher in registry.of(Fetcher)} | {off.plugin.name for off in registry.off}
    if unknown := [name for name in settings.fetchers if name not in known]:
        listed = _listed(fetcher.name for fetcher in registry.of(Fetcher)) + left_alone(registry, "Fetcher")
        raise StartupError(f"[chain] fetchers: no fetcher named {unknown[0]} is installed; installed: {listed}")


def _configured(
    names: Sequence[str], registry: Registry, settings: ChainSettings, where: str
) -> tuple[SearchBackend, ...]:
    """The named ones, or all; one without its settings is passed over, unless none is left."""
    installed = registry.of(SearchBackend)
    available = [backend for backend in installed if settings.keyless or not backend.keyless]
    if not names:
        return tuple(available)
    if barred := [one.name for one in installed if one.name in names and one not in available]:
        raise StartupError(f"{where}: {barred[0]} is asked without a key, which [chain] keyless = false forbids")
    off = {name: reason for name, reason in registry.off_backends.items() if name in names}
    for name, reason in off.items():
        log.warning("%s: %s is off: %s", where, name, reason)
    if not (left := [name for name in names if name not in off]):
        reasons = "; ".join(f"{name}: {off[name]}" for name in names)
        raise StartupError(f"{where}: none of them is configured: {reasons}")
    return named(available, left, where)


def ordered(components: Iterable[C], first: Sequence[str]) -> tuple[C, ...]:
    """The operator's list orders; it never drops what is installed."""
    rank = {name: position for position, name in enumerate(first)}
    return tuple(sorted(components, key=lambda component: rank.get(component.name, len(rank))))


def named(components: Sequence[C], names: Sequence[str], where: str, off: str = "") -> tuple[C, ...]:
    """The components of these names, in this order; `off` ends the message about one that is not there."""
    by_name = {component.name: component for component in components}
    for name in names:
        if name not in by_name:
            raise StartupError(f"{where}: {name} is not installed or disabled; installed: {_listed(by_name)}{off}")
    return tuple(by_name[name] for name in dict.fromkeys(names))


def left_alone(registry: Registry, *kinds: str) -> str:
    """Plugins that would bring more of these kinds if they were configured, for the end of a message."""
    lacking = dict.fromkeys(f"{off.plugin.name} ({off.reason})" for off in registry.off if off.kind in kinds)
    return f"; off: {', '.join(lacking)}" if lacking else ""


def check_filters(settings: ChainSettings, registry: Registry, installed: Collection[str]) -> None:
    """Raises StartupError when a filter that the operator requires or names is not there."""
    if missing := [name for name in settings.require if name not in installed]:
        off = left_alone(registry, "RequestFilter", "DocumentFilter")
        raise StartupError(f"[chain] require: not installed or disabled: {', '.join(missing)}{off}")
    for where, names in (("filters", settings.filters), ("on_failure", tuple(settings.on_failure))):
        if unknown := [name for name in names if name not in installed]:
            listed = _listed(installed)
            raise StartupError(f"[chain] {where}: no filter named {unknown[0]} is installed; installed: {listed}")


def check_caps(settings: LedgerSettings, registry: Registry) -> None:
    """Raises StartupError when a cap names no source: it would cap nothing."""
    sources = (*registry.of(SearchBackend), *registry.of(Fetcher))
    known = {source.name for source in sources} | {off.plugin.name for off in registry.off}
    if unknown := [name for name in settings.caps if name not in known]:
        listed = _listed(known)
        raise StartupError(f"[ledger.caps] {unknown[0]}: there is no backend or fetcher of this name; known: {listed}")


def chosen_store(configuration: Configuration, clock: Clock, found: Sequence[Registered]) -> Store:
    """The plugin's store that the operator names; SQLite where there is a path; else memory."""
    settings = configuration.store
    if settings.use:
        return named([entry.component for entry in found], [settings.use], "[store] use")[0]
    if settings.path:
        from ..settings.configuration import expanded
        from ..stores.sqlite import SqliteStore

        return SqliteStore(expanded(settings.path, "[store] path"), clock, settings.max_bytes)
    from ..stores.memory import MemoryStore

    return MemoryStore(clock, settings.max_bytes)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
