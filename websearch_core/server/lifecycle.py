"""The life of a server: its components run, what can wait is loaded meanwhile, and SIGHUP is heard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING

import anyio

from ..contract.errors import StartupError
from ..startup.lifecycle import running, warm

if TYPE_CHECKING:
    from ..startup.assemble import Assembly

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def started(
    assembly: Assembly, stop: Callable[[], None], on_warm: Callable[[], None] = lambda: None
) -> AsyncGenerator[None]:
    """While the assembly's components run; `on_warm` is called when everything is loaded, too.

    A filter that cannot be loaded calls `stop`: nothing passes the filters then. Raises StartupError, in the end also
    for that.
    """
    failure: StartupError | None = None

    async def load() -> None:
        nonlocal failure
        try:
            await warm(assembly)
        except StartupError as error:
            failure = error
            stop()
        else:
            on_warm()

    async with running(assembly), anyio.create_task_group() as group:
        group.start_soon(load)
        yield
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure


def on_hangup(stop: Callable[[], None]) -> None:
    """From now on a closed terminal stops the server like SIGTERM, unless SIGHUP is ignored already (`nohup`).

    A server without a terminal stays, and says so in its log.
    """
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return
    at_a_terminal = _has_terminal()

    def heard() -> None:
        if at_a_terminal:
            log.info("SIGHUP: the terminal was closed, so the server stops")
            stop()
        else:
            log.info("SIGHUP: nothing is read anew; restart the server to change its settings")

    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, heard)


def _has_terminal() -> bool:
    """Whether this process has a controlling terminal, whose end would be told by SIGHUP."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
