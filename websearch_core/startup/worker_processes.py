"""Processes for work that would hold the event loop: limited in number, memory and time; a crash costs one call."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.errors import ServerFailed, TimedOut, TooLarge
from ..contract.work_timeout import TIMEOUT
from .fair_queue import ASKER, FairQueue

if TYPE_CHECKING:
    import anyio


_TOO_LONG = "the document took too long to process"


class ProcessWorkers:
    """`Workers` over anyio's worker processes, which are started when first needed and kept while busy."""

    def __init__(self, *, processes: int = 3, memory_bytes: int = 2_000_000_000) -> None:
        """At most `processes` at once, each allowed `memory_bytes` of address space.

        Of several, one caller gets all but one: another caller's page does not wait until theirs are read.
        """
        self._processes = processes
        self._memory_bytes = memory_bytes
        self._turns = FairQueue(processes)
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        seconds: float = 30.0,
        cpu_seconds: float | None = None,
        memory_bytes: int | None = None,
    ) -> Any:
        """Call an importable function in a worker; see `Workers.run` for what is raised."""
        import anyio
        import anyio.to_process

        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._processes)
        limited = functools.partial(_limited, self._memory_bytes, memory_bytes, cpu_seconds, function, *args)
        began = inf
        try:
            async with _turn(self._turns):  # waiting for a worker does not eat the work's own time
                began = anyio.current_time()
                with anyio.fail_after(seconds):
                    return await anyio.to_process.run_sync(limited, cancellable=True, limiter=self._limiter)
        except TimeoutError:
            raise TimedOut(_TOO_LONG) from None
        except MemoryError:
            raise TooLarge("the document needs more memory than is allowed") from None
        except anyio.BrokenWorkerProcess:
            if cpu_seconds is not None and anyio.current_time() - began >= cpu_seconds:
                raise TimedOut(_TOO_LONG) from None
            raise ServerFailed("the document crashed its reader, or needs more memory than is allowed") from None


@contextlib.asynccontextmanager
async def _turn(turns: FairQueue) -> AsyncGenerator[None]:
    """A place among the workers. The caller's deadline holds all the same: that is a limit outside of this one."""
    import asyncio

    asker = ASKER.get()
    timeout, now = TIMEOUT.get(), asyncio.get_running_loop().time
    ends = None if timeout is None or timeout.expired() else timeout.when()
    if timeout is None or ends is None:
        await turns.acquire(asker)
    else:
        left = ends - now()
        timeout.reschedule(None)
        try:
            await turns.acquire(asker)
        finally:
            timeout.reschedule(now() + left)
    try:
        yield
    finally:
        turns.release(asker)


def _limited(
    address_space: int, memory_bytes: int | None, cpu_seconds: float | None, function: Callable[..., Any], *args: Any
) -> Any:
    """Runs in the worker: the limits come first, then the work."""
    try:
        import resource

        _lower(resource.RLIMIT_AS, address_space)
        # libraries reserve far more addresses than they use: only what is written to says what a document costs
        _lower(resource.RLIMIT_DATA, address_space if memory_bytes is None else _with_what_is_held(memory_bytes))
    except (ImportError, ValueError, OSError):  # no such limit on this platform: the deadline still holds
        pass
    with _computing(cpu_seconds):
        return function(*args)


@contextlib.contextmanager
def _computing(cpu_seconds: float | None) -> Generator[None]:
    """The signal of the timer ends this process, in the middle of whatever it computes."""
    if cpu_seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _lower(kind: int, wanted: int) -> None:
    """Set the soft limit: the next call may need more."""
    import resource

    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _with_what_is_held(memory_bytes: int) -> int:
    """The limit; more where an earlier call's leftovers would leave this one less than half of it."""
    try:
        data = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return memory_bytes
    return max(memory_bytes, data + memory_bytes // 2)
