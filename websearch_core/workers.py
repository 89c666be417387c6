"""Processes for work that would hold the event loop: limited in number, memory and time; a crash costs one call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .errors import ServerFailed, TimedOut, TooLarge

if TYPE_CHECKING:
    import anyio


class ProcessWorkers:
    """`Workers` over anyio's worker processes, which are started when first needed and kept while busy."""

    def __init__(self, *, processes: int = 2, memory_bytes: int = 2_000_000_000) -> None:
        """At most `processes` at once, each allowed `memory_bytes` of address space."""
        self._processes = processes
        self._memory_bytes = memory_bytes
        self._limiter: anyio.CapacityLimiter | None = None

    async def run(self, function: Callable[..., Any], *args: Any, seconds: float = 30.0) -> Any:
        """Call an importable function in a worker; see `Workers.run` for what is raised."""
        import anyio
        import anyio.to_process

        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._processes)
        limited = functools.partial(_limited, self._memory_bytes, function, *args)
        try:
            async with self._limiter:  # waiting for a worker does not eat the work's own time
                with anyio.fail_after(seconds):
                    return await anyio.to_process.run_sync(limited, cancellable=True)
        except TimeoutError:
            raise TimedOut("the document took too long to process") from None
        except MemoryError:
            raise TooLarge("the document needs more memory than is allowed") from None
        except anyio.BrokenWorkerProcess:
            raise ServerFailed("the document crashed its reader") from None


def _limited(memory_bytes: int, function: Callable[..., Any], *args: Any) -> Any:
    """Runs in the worker: the limit comes first, then the work."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, ValueError, OSError):  # no such limit on this platform: the deadline still holds
        pass
    return function(*args)
