"""The life of one start: every component started in order, and closed in reverse."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncGenerator, Iterable
from typing import TYPE_CHECKING

from .errors import StartupError

if TYPE_CHECKING:
    from .assemble import Assembly
    from .chain import Chain
    from .interfaces import Component

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def running(assembly: Assembly) -> AsyncGenerator[Chain]:
    """Start every component in order; close them in reverse, whatever happens. Raises StartupError."""
    chain = assembly.chain
    if assembly.forgets_caps:
        log.warning("[ledger.caps] begin anew at every start: set [store] path, so that they hold across starts")
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(assembly.web.aclose)
        for context in assembly.registry.contexts.values():
            stack.push_async_callback(context.aclose)
        for component in _components(assembly):
            # closed even when its start fails half-way
            stack.push_async_callback(_closed, component)
            await _started(component, assembly)
        stack.push_async_callback(assembly.ledger.aclose)
        stack.push_async_callback(assembly.announcer.drain)
        stack.push_async_callback(chain.reading.aclose)
        for source in (*chain.searching.sources.values(), *chain.reading.sources.values()):
            await source.refresh()
        yield chain


async def warm(assembly: Assembly, patience_s: float = 60.0) -> None:
    """Have every component load, one after another in a thread, what its first request would wait for.

    Filters wait for the end of it: nothing is loaded twice, and meanwhile the event loop answers everybody else.
    A component that takes longer than `patience_s` is waited for no longer.
    """
    import anyio.to_thread

    assembly.judging.loading = loaded = asyncio.Event()
    try:
        for component in _components(assembly):
            try:
                with anyio.fail_after(patience_s):
                    await anyio.to_thread.run_sync(component.warm, abandon_on_cancel=True)
            except TimeoutError:
                log.error("%s did not load in time: requests that need it may be slow, or fail", component.name)  # noqa: TRY400 - as below
            except Exception as error:  # noqa: BLE001 - it fails again at the request that needs it, and there it counts
                log.error(  # noqa: TRY400 - the text is the plugin's own, and may quote what it read
                    "%s could not be loaded (%s): it fails whenever it is needed; reinstall its package",
                    component.name,
                    type(error).__name__,
                )
    finally:
        loaded.set()
        assembly.judging.loading = None


def settled() -> None:
    """What a server has loaded by now stays: the collector need not walk through it again, least of all under load."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _components(assembly: Assembly) -> Iterable[Component]:
    """The store first: the others may use it while they start."""
    yield assembly.store
    for entry in assembly.registry.components:
        if entry.hook not in ("websearch_lenses", "websearch_stores"):
            yield entry.component


async def _started(component: Component, assembly: Assembly) -> None:
    try:
        await component.start()
    except StartupError:
        raise
    except Exception as error:
        who = "the store" if component is assembly.store else str(assembly.registry.plugin_of(component))
        raise StartupError(f"{who}: {component.name} does not start: {type(error).__name__}: {error}") from error


async def _closed(component: Component) -> None:
    try:
        await component.aclose()
    except Exception as error:  # noqa: BLE001 - one bad close must not keep the others open
        log.warning("%s did not close (%s)", component.name, type(error).__name__)
