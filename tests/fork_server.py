"""A process that has imported what commands need, and forks one for each: `python fork_server.py DESCRIPTOR [warm]`."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys
from typing import Any

PRELOADED = (
    "anyio._backends._asyncio",
    "httpx2",
    "rich.console",
    "rich.table",
    "sqlite3",
    "ssl",
    "sse_starlette.sse",
    "stamina",
    "uvicorn",
    "uvloop",
    "websearch_core.chain.gateway",
    "websearch_core.cli.app",
    "websearch_core.server.http",
    "websearch_core.server.uvicorn_limits",
    "websearch_core.startup.assemble",
    "websearch_core.startup.doctor",
)
"""What takes long to import. No plugin: each command finds and loads its own."""


def warm() -> None:
    """Load what every server with the guard would load anew for itself."""
    from websearch_core.settings.configuration import Configuration
    from websearch_core.startup.assemble import assemble

    assembly = assemble(Configuration({"plugins": {"only": ["guard", "web"]}}, {}, ""))
    for entry in assembly.registry.components:
        entry.component.warm()
        entry.component.warm_later()


def next_command(requests: socket.socket) -> dict[str, Any]:
    """Returns only in the process of a command, once the streams are its own."""
    while True:
        asked, descriptors, *_ = socket.recv_fds(requests, 1, 5)
        if not asked:
            os._exit(0)
        if os.fork():
            for descriptor in descriptors:
                os.close(descriptor)
            while os.waitpid(-1, os.WNOHANG)[0]:  # the watchers of commands that have ended
                pass
            continue
        requests.close()
        *streams, given, told = descriptors
        if process := os.fork():
            watch(process, [*streams, given], told)
        os.close(told)
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        with os.fdopen(given) as file:
            return json.load(file)


def watch(process: int, streams: list[int], told: int) -> None:
    """Tell a command's process id, and in the end its exit status. Does not return."""
    for descriptor in (0, 1, 2, *streams):
        os.close(descriptor)
    os.write(told, b"%d\n" % process)
    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    os._exit(0)


def main() -> None:
    """Wait for commands; in the process of one, run it as its program would."""
    for name in PRELOADED:
        importlib.import_module(name)
    if sys.argv[2:]:
        warm()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = next_command(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(command["environ"])
    os.chdir(command["folder"])
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = ["websearch", *command["words"]]
    from websearch_core.cli import main as websearch

    websearch()


if __name__ == "__main__":
    main()
