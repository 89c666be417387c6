"""The `websearch` command in a process of its own, forked from one that has imported the core: a fifth of the cost."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

SERVER = Path(__file__).with_name("fork_server.py")
SECONDS = 60


class ForkServer:
    """Where commands are asked for; started with the first of them."""

    def __init__(self) -> None:
        self._requests: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, *words: str, environ: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
        """`websearch` with these words, in this environment and folder, to its end."""
        with contextlib.ExitStack() as files:
            nothing = files.enter_context(Path(os.devnull).open("rb"))
            out, errors, given = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            given.write(json.dumps({"words": words, "environ": dict(environ), "folder": str(folder)}).encode())
            given.seek(0)
            read, told = os.pipe()
            with os.fdopen(read) as answers:
                descriptors = [*(file.fileno() for file in (nothing, out, errors, given)), told]
                socket.send_fds(self._started(), [b"!"], descriptors)
                os.close(told)
                first = answers.readline()
                assert first, "the process that forks has ended: its stderr says why"
                process = int(first)
                if not select.select([answers], [], [], SECONDS)[0]:
                    os.kill(process, signal.SIGKILL)
                    raise TimeoutError(f"websearch {words[0]} took more than {SECONDS} s")
                status = int(answers.readline())
            printed = [file.seek(0) or file.read().decode() for file in (out, errors)]
        return subprocess.CompletedProcess(words, status, *printed)

    def _started(self) -> socket.socket:
        if self._requests is None:
            self._requests, theirs = socket.socketpair()
            clean = {name: value for name, value in os.environ.items() if not name.startswith("WEBSEARCH_")}
            clean["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # as the command does for itself
            command = [sys.executable, str(SERVER), str(theirs.fileno())]
            with theirs:
                self._process = subprocess.Popen(command, env=clean, pass_fds=[theirs.fileno()])
        return self._requests

    def close(self) -> None:
        """No command is asked for any more."""
        if self._requests and self._process:
            self._requests.close()
            self._process.wait(SECONDS)
