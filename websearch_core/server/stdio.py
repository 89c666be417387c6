"""stdio: one local caller, nothing but JSON-RPC on stdout, a clean end on EOF, SIGTERM and SIGINT."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.lowlevel
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError

from ..contract.errors import StartupError
from ..startup.inventory import announced
from ..startup.lifecycle import settled
from .lifecycle import on_hangup, started
from .logs import log_to_stderr
from .protocol import Protocol

if TYPE_CHECKING:
    from ..startup.assemble import Assembly

log = logging.getLogger(__name__)

MAX_LINE = 4 << 20

_TOO_LONG = JSONRPCError(
    jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=f"the line is longer than {MAX_LINE} bytes")
)


def serve_stdio(assembly: Assembly) -> None:
    """Serve until stdin ends or a signal comes. Raises StartupError."""
    if (workers := assembly.configuration.server.workers) > 1:
        raise StartupError(f"[server] workers: over stdio one process serves one client; {workers} are for HTTP alone")
    log_to_stderr()
    anyio.run(_serve, assembly, backend_options={"use_uvloop": sys.platform != "win32"})


async def _serve(assembly: Assembly) -> None:
    from mcp.server.lowlevel import NotificationOptions
    from mcp.server.stdio import stdio_server

    protocol = Protocol(assembly)
    server = protocol.server()
    scope = anyio.CancelScope()
    with _wire() as (stdin, stdout):
        async with started(assembly, scope.cancel, settled):
            on_hangup(scope.cancel)
            for line in announced(assembly):
                log.info("%s", line)
            lines = _Lines(stdin)
            streams = stdio_server(cast("Any", lines), anyio.wrap_file(stdout))
            # before anything else may run: what loads says so, and may be answered with a signal at once
            with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals, scope:
                async with anyio.create_task_group() as group, streams as (incoming, outgoing):
                    group.start_soon(_until_signal, signals, scope)
                    group.start_soon(protocol.tell_what_comes)
                    lines.refuse = partial(outgoing.send, SessionMessage(_TOO_LONG))
                    told = NotificationOptions(resources_changed=protocol.tells_of_resources)
                    await server.run(incoming, outgoing, server.create_initialization_options(told))
                    scope.cancel()


@contextlib.contextmanager
def _wire() -> Any:
    """The real stdin and stdout, for the protocol alone: a stray print goes to stderr, a stray read finds nothing."""
    sys.stdout.flush()
    stdin, stdout = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield stdin, io.TextIOWrapper(os.fdopen(stdout, "wb", closefd=False), encoding="utf-8")
    finally:
        sys.stdout.flush()
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)


async def _until_signal(signals: AsyncIterator[signal.Signals], scope: anyio.CancelScope) -> None:
    async for _ in signals:
        scope.cancel()
        return


class _Lines:
    """The lines of stdin, read so that waiting for one can be cancelled: a thread that reads could not be."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.refuse: Callable[[], Awaitable[None]] = anyio.lowlevel.checkpoint
        """Tells the client that a line was too long to be read."""

    async def __aiter__(self) -> AsyncIterator[str]:
        reader = asyncio.StreamReader(limit=MAX_LINE)
        pipe = os.fdopen(os.dup(self._descriptor), "rb")  # the transport closes it
        try:
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), pipe
            )
        except (OSError, ValueError):  # a plain file: reading it never waits
            for line in pipe:
                yield line.decode("utf-8", "replace")
            return
        try:
            while line := await self._line(reader):
                yield line.decode("utf-8", "replace")
        finally:
            transport.close()

    async def _line(self, reader: asyncio.StreamReader) -> bytes:
        """The next line that is not too long, or nothing: the end."""
        too_long = False
        while True:
            try:
                line = await reader.readuntil()
            except asyncio.LimitOverrunError as error:
                await reader.readexactly(error.consumed)
                too_long = True
                continue
            except asyncio.IncompleteReadError as error:
                line = error.partial
            if not too_long:
                return line
            await self.refuse()
            too_long = False
