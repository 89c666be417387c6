"""The life of one start: every component started in order, and closed in reverse."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import TYPE_CHECKING

from ..contract.errors import StartupError
from ..marks.forgeries import without_forgeries

if TYPE_CHECKING:
    from ..chain.chain import Chain
    from ..contract.interfaces import Component
    from .assemble import Assembly

log = logging.getLogger(__name__)

STOP_S = 2.0
"""How long a stop waits for a component that is still loading."""


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
    """Have every component load, one after another in a thread, what its first request would wait for. Filters first.

    Raises StartupError when a filter fails to, or takes longer than `patience_s`; then nothing is judged, so nothing
    passes. What goes wrong in another component, or later, is logged: it goes wrong again, and counts, at a request.
    """
    filters = (*assembly.request_filters, *assembly.document_filters)
    assembly.judging.loading = loaded = asyncio.Event()
    for component in filters:
        if error := await _loading(component, component.warm, patience_s):
            loaded.set()  # those that wait hear it at once
            if isinstance(error, StartupError):
                raise assembly.configuration.blamed(error)
            raise _broken(assembly, component, "load", error) from error
    assembly.judging.loading = None
    loaded.set()
    await asyncio.to_thread(without_forgeries, "<")  # compiles what looks for them
    judging = {id(component) for component in filters}
    components = [*_components(assembly)]
    rest = [(component, component.warm) for component in components if id(component) not in judging]
    for component, load in (*rest, *((component, component.warm_later) for component in components)):
        if error := await _loading(component, load, patience_s):
            # the text is the plugin's own, and may quote what it read
            why = "not in time" if isinstance(error, TimeoutError) else type(error).__name__
            log.error("%s did not load (%s): requests that need it may be slow, or fail", component.name, why)


async def _loading(component: Component, work: Callable[[], None], patience_s: float) -> BaseException | None:
    """The error that loading raised, if any. The thread is a daemon: one that never returns keeps no process alive.

    A stop waits a moment for it, since what it works in is closed next.
    """
    import anyio

    loop = asyncio.get_running_loop()
    loaded: asyncio.Future[BaseException | None] = loop.create_future()

    def load() -> None:
        error: BaseException | None = None
        try:
            work()
        except BaseException as raised:  # noqa: BLE001 - as with filters: whatever a plugin raises is its failure
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: loaded.done() or loaded.set_result(error))

    threading.Thread(target=load, name=f"warm {component.name}", daemon=True).start()
    try:
        done, _ = await asyncio.wait({loaded}, timeout=patience_s)
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await asyncio.wait({loaded}, timeout=STOP_S)
        raise
    return loaded.result() if done else TimeoutError(f"it took longer than {patience_s:g} seconds")


def settled() -> None:
    """Spare the garbage collector what a server has loaded by now: it stays for good."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _components(assembly: Assembly) -> Iterable[Component]:
    """The store first: the others may use it while they start."""
    yield assembly.store
    for entry in assembly.registry.components:
        if entry.kind not in ("Lens", "Store"):
            yield entry.component


async def _started(component: Component, assembly: Assembly) -> None:
    try:
        await component.start()
    except StartupError as error:
        raise assembly.configuration.blamed(error) from error.__cause__
    except Exception as error:
        raise _broken(assembly, component, "start", error) from error


def _broken(assembly: Assembly, component: Component, what: str, error: BaseException) -> StartupError:
    who = "the store" if component is assembly.store else str(assembly.registry.plugin_of(component))
    return StartupError(f"{who}: {component.name} does not {what}: {type(error).__name__}: {error}")


async def _closed(component: Component) -> None:
    try:
        await component.aclose()
    except Exception as error:  # noqa: BLE001 - one bad close must not keep the others open
        log.warning("%s did not close (%s)", component.name, type(error).__name__)
