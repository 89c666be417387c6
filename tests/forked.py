"""The `websearch` command in a process of its own, forked from one that has imported the core: a fifth of the cost."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

SERVER = Path(__file__).with_name("fork_server.py")
SECONDS = 60


class Forked:
    """A command that runs, as `subprocess.Popen` would show it."""

    def __init__(self, told: IO[str], stderr: IO[str]) -> None:
        self._told = told
        first = told.readline()
        assert first, "the process that forks has ended: its stderr says why"
        self.pid = int(first)
        self.stderr = stderr
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode if self.returncode is not None else self._ended(0)

    def wait(self, timeout: float) -> int:
        status = self._ended(timeout) if self.returncode is None else self.returncode
        if status is None:
            self.send_signal(signal.SIGKILL)
            raise TimeoutError(f"it took more than {timeout} s")
        return status

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def _ended(self, timeout: float) -> int | None:
        if select.select([self._told], [], [], timeout)[0]:
            self.returncode = int(self._told.readline())
        return self.returncode


class ForkServer:
    """Where commands are asked for; started with the first of them. `warm`: with the guard loaded, for servers."""

    def __init__(self, *, warm: bool = False) -> None:
        self._words = ["warm"] if warm else []
        self._requests: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, *words: str, environ: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
        """`websearch` with these words, in this environment and folder, to its end."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            with self._forked(words, environ, folder, out.fileno(), errors.fileno()) as told:
                status = Forked(told, io.StringIO()).wait(SECONDS)
            printed = [file.seek(0) or file.read().decode() for file in (out, errors)]
        return subprocess.CompletedProcess(words, status, *printed)

    @contextlib.contextmanager
    def running(self, *words: str, environ: Mapping[str, str], folder: Path) -> Iterator[Forked]:
        """The same while it runs; killed at the end, if it has not ended. What it prints on stdout is lost."""
        read, written = os.pipe()
        with Path(os.devnull).open("wb") as nowhere, os.fdopen(read) as stderr:
            try:
                told = self._forked(words, environ, folder, nowhere.fileno(), written)
            finally:
                os.close(written)
            with told:
                process = Forked(told, stderr)
                try:
                    yield process
                finally:
                    process.send_signal(signal.SIGKILL)

    def _forked(self, words: Sequence[str], environ: Mapping[str, str], folder: Path, *streams: int) -> IO[str]:
        """Have it started; where its process id and its exit status are told."""
        read, told = os.pipe()
        with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as given:
            given.write(json.dumps({"words": words, "environ": dict(environ), "folder": str(folder)}).encode())
            given.seek(0)
            socket.send_fds(self._started(), [b"!"], [nothing.fileno(), *streams, given.fileno(), told])
        os.close(told)
        return os.fdopen(read)

    def _started(self) -> socket.socket:
        if self._requests is None:
            self._requests, theirs = socket.socketpair()
            clean = {name: value for name, value in os.environ.items() if not name.startswith("WEBSEARCH_")}
            clean["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # as the command does for itself
            command = [sys.executable, str(SERVER), str(theirs.fileno()), *self._words]
            with theirs:
                self._process = subprocess.Popen(command, env=clean, pass_fds=[theirs.fileno()])
        return self._requests

    def close(self) -> None:
        """No command is asked for any more."""
        if self._requests and self._process:
            self._requests.close()
            self._process.wait(SECONDS)
