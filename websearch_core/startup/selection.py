"""Which of the installed components count, and in what order: the operator's choice, checked."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..contract.errors import StartupError

if TYPE_CHECKING:
    from ..contract.interfaces import Clock, Fetcher, SearchBackend, Store
    from ..settings.configuration import ChainSettings, Configuration
    from .discover import Registered, Registry

log = logging.getLogger(__name__)


def sources(
    configuration: Configuration, registry: Registry, settings: ChainSettings
) -> tuple[tuple[SearchBackend, ...], Mapping[str, tuple[SearchBackend, ...]], tuple[Fetcher, ...]]:
    """Who is asked, in order, and on which routes; fixtures alone in the local test mode."""
    if configuration.environ.get("LOCAL_TEST_MODE") == "1":
        from .local_test_mode import local_backends, local_fetchers

        log.warning("LOCAL_TEST_MODE=1: answers are fixtures; nothing is asked")
        return tuple(local_backends()), {}, tuple(local_fetchers())
    readers = [fetcher for fetcher in registry.of("websearch_fetchers") if settings.keyless or not fetcher.keyless]
    fetchers = ordered(readers, settings.fetchers)
    backends = _configured(settings.backends, registry, settings, "[chain] backends")
    routes = {
        vertical: _configured(names, registry, settings, f"[chain.routes] {vertical}")
        for vertical, names in settings.routes.items()
    }
    for vertical, chosen in routes.items():
        if wrong := [backend.name for backend in chosen if vertical not in backend.verticals]:
            raise StartupError(f"[chain.routes] {vertical}: {wrong[0]} does not search {vertical}")
    return backends, routes, fetchers


def _configured(
    names: Sequence[str], registry: Registry, settings: ChainSettings, where: str
) -> tuple[SearchBackend, ...]:
    """The named ones, or all; one without its settings is passed over, unless none is left."""
    installed: Sequence[SearchBackend] = registry.of("websearch_search_backends")
    available = [backend for backend in installed if settings.keyless or not backend.keyless]
    if not names:
        return tuple(available)
    if barred := [one.name for one in installed if one.name in names and one not in available]:
        raise StartupError(f"{where}: {barred[0]} is asked without a key, which [chain] keyless = false forbids")
    off = registry.off_backends
    for name in names:
        if name in off:
            log.warning("%s: %s is off: %s", where, name, off[name])
    if not (left := [name for name in names if name not in off]):
        reasons = "; ".join(f"{name}: {off[name]}" for name in names)
        raise StartupError(f"{where}: none of them is configured: {reasons}")
    return named(available, left, where)


def ordered(components: Iterable[Any], first: Sequence[str]) -> tuple[Any, ...]:
    """The operator's list orders; it never drops what is installed."""
    rank = {name: position for position, name in enumerate(first)}
    return tuple(sorted(components, key=lambda component: rank.get(component.name, len(rank))))


def named(components: Sequence[Any], names: Sequence[str], where: str, off: str = "") -> tuple[Any, ...]:
    """The components of these names, in this order; `off` is said of what else there might be."""
    by_name = {component.name: component for component in components}
    for name in names:
        if name not in by_name:
            known = ", ".join(sorted(by_name)) or "none"
            raise StartupError(f"{where}: {name} is not installed or disabled; installed: {known}{off}")
    return tuple(by_name[name] for name in dict.fromkeys(names))


def left_alone(registry: Registry, *kinds: str) -> str:
    """Plugins that would bring more of these kinds if they were configured, for the end of a message."""
    lacking = dict.fromkeys(f"{off.plugin.name} ({off.reason})" for off in registry.off if off.kind in kinds)
    return f"; off: {', '.join(lacking)}" if lacking else ""


def check_filters(configuration: Configuration, registry: Registry, *kinds: Sequence[Any]) -> None:
    """Raises StartupError when a filter that the operator requires or names is not there."""
    settings = configuration.chain
    installed = {judge.name for kind in kinds for judge in kind}
    if missing := [name for name in settings.require if name not in installed]:
        off = left_alone(registry, "RequestFilter", "DocumentFilter")
        raise StartupError(f"[chain] require: not installed or disabled: {', '.join(missing)}{off}")
    for where, names in (("filters", settings.filters), ("on_failure", tuple(settings.on_failure))):
        if unknown := [name for name in names if name not in installed]:
            known = ", ".join(sorted(installed)) or "none"
            raise StartupError(f"[chain] {where}: no filter named {unknown[0]} is installed; installed: {known}")


def check_caps(configuration: Configuration, registry: Registry) -> None:
    """Raises StartupError when a cap is for nobody: it would be missed by nobody either."""
    sources = (*registry.of("websearch_search_backends"), *registry.of("websearch_fetchers"))
    installed = {source.name for source in sources} | {off.plugin.name for off in registry.off}
    for name in configuration.ledger.caps:
        if name not in installed:
            known = ", ".join(sorted(installed)) or "none"
            raise StartupError(f"[ledger.caps] {name}: there is no backend or fetcher of this name; known: {known}")


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
