"""SIGHUP: a terminal that closes stops its server like SIGTERM; a server without one stays, and says so in its log."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable

log = logging.getLogger(__name__)


def on_hangup(stop: Callable[[], None]) -> None:
    """Within the event loop: from now on SIGHUP is heard, unless it is ignored already (`nohup`)."""
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
