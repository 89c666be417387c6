"""`[server] workers`: several processes on one port, with one store. Their parent starts, watches and ends them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import signal
import socket
import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

import anyio

from ..contract.errors import StartupError
from ..startup.assemble import assemble
from ..stores.memory import MemoryStore
from .http import BACKLOG, announce, bound, serve_on
from .lifecycle import on_hangup
from .logs import log_to_stderr

if TYPE_CHECKING:
    from collections.abc import MutableSequence
    from multiprocessing.connection import Connection

    from ..settings.configuration import Configuration
    from ..startup.assemble import Assembly

log = logging.getLogger(__name__)

KILLED_AFTER_S = 5.0
"""How long after its time for calls a process may take to end."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""Before a process that ended is started again; twice as long each time, unless it had served for `STEADY_S`."""
STEADY_S = 60.0
TELL_S, SOON_S = 1.0, 0.1
"""How often a process tells the others that it is ready, and that it is not yet."""


def check(assembly: Assembly) -> None:
    """Raises StartupError where several processes would not act as one server."""
    if not sys.platform.startswith("linux"):
        raise StartupError("[server] workers: more than one needs Linux, which shares a port's connections out")
    if isinstance(assembly.store, MemoryStore):
        settings = assembly.configuration
        limits = {
            "[ledger.caps]": settings.ledger.caps,
            "[server] rate_per_minute": settings.server.rate_per_minute,
            "[server] address_rate_per_minute": settings.server.address_rate_per_minute,
        }
        lost = ", ".join(("engines' rates", "cool-downs", *(name for name, given in limits.items() if given)))
        raise StartupError(
            f"[server] workers: {settings.server.workers} processes cannot share the store in memory: each would count "
            f"for itself ({lost}). Set [store] path to a file, or [store] use to a store that processes share"
        )


def supervise(assembly: Assembly, graceful_s: int) -> None:
    """Serve with `[server] workers` processes until SIGTERM or SIGINT. Raises StartupError."""
    check(assembly)
    # a port that another server has is noticed here: below, ports are shared
    with bound(assembly.configuration.server.listen) as free:
        address = free.getsockname()
    supervisor = _Supervisor(assembly, address, graceful_s)
    asyncio.run(supervisor.run())
    if supervisor.failure:
        raise StartupError(supervisor.failure)


class _Supervisor:
    def __init__(self, assembly: Assembly, address: Any, graceful_s: int) -> None:
        self._assembly = assembly
        self._address = address
        self._graceful_s = graceful_s
        self._context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks
        workers = assembly.configuration.server.workers
        self._ready: MutableSequence[int] = self._context.RawArray("b", workers)
        self._listening: set[int] = set()
        self._all_listen = asyncio.Event()
        self._stop = asyncio.Event()
        self.failure = ""
        """Why the start failed."""

    async def run(self) -> None:
        """Until a signal, or a failed start."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        on_hangup(self._stop.set)
        with _shared(self._address) as anchor:  # keeps the port while a process is started again
            async with anyio.create_task_group() as group:
                for number in range(len(self._ready)):
                    group.start_soon(self._keep, number)
                group.start_soon(self._announce, anchor)
                await self._stop.wait()
                group.cancel_scope.cancel()

    async def _announce(self, anchor: socket.socket) -> None:
        await self._all_listen.wait()
        announce(self._assembly, anchor)
        log.info("%d processes serve it", len(self._ready))

    async def _keep(self, number: int) -> None:
        """Start it, again and again; what keeps it from starting the first time ends the server."""
        wait_s, again = FIRST_WAIT_S, False
        while True:
            began = monotonic()
            why, refused = await self._one(number)
            if not self._all_listen.is_set() or (refused and not again):
                self.failure = why
                self._stop.set()
                return
            if monotonic() - began > STEADY_S:
                wait_s = FIRST_WAIT_S
            log.error("server process %d ended (%s); it is started again in %g s", number + 1, why, wait_s)
            await anyio.sleep(wait_s)
            wait_s, again = min(2 * wait_s, LONGEST_WAIT_S), True

    async def _one(self, number: int) -> tuple[str, bool]:
        """One process from its start to its end: why it ended, and whether it said so; cancelled, it ends in order."""
        ours, theirs = self._context.Pipe()
        with _shared(self._address) as listener, theirs:
            told = (number, self._assembly.configuration, listener, theirs, self._ready, self._graceful_s)
            process = self._context.Process(target=_serve, args=(*told, log.getEffectiveLevel()))
            try:
                process.start()
            except OSError as error:
                ours.close()
                return f"it cannot be started: {error.strerror}", False
        patience_s, why = KILLED_AFTER_S, ""
        try:
            with ours:
                why = await self._told(number, ours)
        except asyncio.CancelledError:
            process.terminate()
            patience_s += self._graceful_s
            raise
        finally:
            self._ready[number] = 0
            with anyio.move_on_after(patience_s, shield=True):
                await anyio.wait_readable(process.sentinel)
            process.kill()
            process.join()
        return why or _ended(process.exitcode), bool(why)

    async def _told(self, number: int, link: Connection) -> str:
        """What the process tells, until it ends: why it could not start, or nothing."""
        while True:
            await anyio.wait_readable(link.fileno())
            try:
                failure: str = link.recv()
            except (EOFError, OSError):
                return ""
            if failure:
                return failure
            self._listening.add(number)
            if len(self._listening) == len(self._ready):
                self._all_listen.set()


def _serve(
    number: int,
    configuration: Configuration,
    listener: socket.socket,
    link: Connection,
    ready: MutableSequence[int],
    graceful_s: int,
    level: int,
) -> None:
    """A process: what `serve_http` does, on a socket of its own. Ends when its parent does."""
    import gc

    gc.set_threshold(200_000)  # as in the parent: what a start loads stays
    log_to_stderr(level, f"[{number + 1}] ")
    for heard in (signal.SIGINT, signal.SIGHUP):  # a terminal sends them to all, and the parent obeys them
        signal.signal(heard, signal.SIG_IGN)

    def tell_the_others() -> None:
        ready[number] = is_ready = assembly.readiness()[0]
        asyncio.get_running_loop().call_later(TELL_S if is_ready else SOON_S, tell_the_others)

    def tell_the_parent(what: str) -> None:
        with contextlib.suppress(OSError):  # it is stopping, too
            link.send(what)

    def on_ready(stop: Any) -> None:
        listener.listen(BACKLOG)
        loop = asyncio.get_running_loop()
        loop.add_reader(link.fileno(), stop)  # the parent says nothing: it has ended
        loop.call_soon(tell_the_others)  # the filters begin to load first
        tell_the_parent("")

    try:
        assembly = assemble(configuration)
        serve_on(listener, assembly, graceful_s=graceful_s, on_ready=on_ready, peers=ready)
    except StartupError as error:
        tell_the_parent(str(error))
        sys.exit(1)


def _shared(address: Any) -> socket.socket:
    """A socket of this address, which others of ours may have, too; it does not listen yet."""
    opened = socket.socket(socket.AF_INET6 if len(address) > 2 else socket.AF_INET)
    if opened.family == socket.AF_INET6:
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as `bound` has it
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    opened.bind(address)
    return opened


def _ended(code: int | None) -> str:
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"
