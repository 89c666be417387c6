"""Starting the two servers, and what the kernel says about their cost (Linux)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
DEFAULT_PLUGINS = "duckduckgo,guard,lenses,library,tavily,web"
"""Those of `websearch-core[standard]`."""
WEBSEARCH = str(Path(sys.executable).parent / "websearch")


class Memory(NamedTuple):
    """Megabytes of a process and its children; `pss` counts shared pages once."""

    rss: float
    pss: float


class Process:
    """A running server."""

    def __init__(self, popen: subprocess.Popen[bytes], port: int) -> None:
        self.port = port
        self._popen = popen

    def cpu(self) -> float:
        """Seconds of CPU so far, children included."""
        return cpu_of(self._popen.pid)

    def own_cpu(self) -> float:
        """Seconds of CPU so far of the server process alone."""
        return _cpu(self._popen.pid)

    def memory(self) -> Memory:
        rollups = [_rollup(pid) for pid in _tree(self._popen.pid)]
        return Memory(sum(r["Rss"] for r in rollups) / 1024, sum(r["Pss"] for r in rollups) / 1024)

    def peak(self) -> float:
        """Megabytes that the server process itself ever held."""
        status = Path(f"/proc/{self._popen.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def cpu_of(pid: int) -> float:
    """Seconds of CPU of a process so far, and of its children."""
    return sum(_cpu(each) for each in _tree(pid))


def _tree(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += [int(child) for child in (task / "children").read_text().split()]
    return [pid, *(below for child in children for below in _tree(child))]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _rollup(pid: int) -> dict[str, int]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {name.rstrip(":"): int(size) for name, size, *_ in map(str.split, lines)}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """This environment without anybody's settings; plugins keep their files in `folder`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "PYTHON", "LMCP_"))}
    kept["WEBSEARCH_CHAIN__KEYLESS"] = "false"  # a bench asks no public engine
    kept["WEBSEARCH_PLUGINS__DISABLE"] = "guard-model,browser"  # not in the default install
    return kept | {"XDG_DATA_HOME": str(folder), **more}


def installed_backend(folder: Path) -> str:
    """A PYTHONPATH on which the bench backend looks installed, without touching the environment."""
    info = folder / "websearch_bench-0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: websearch-bench\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[websearch]\nbench = evals.bench.plugin\n")
    return os.pathsep.join([str(folder), str(ROOT)])


CHAIN_ALONE = {"WEBSEARCH_PLUGINS__DISABLE": "guard,guard-model,browser"}
"""Settings for the chain without filters: what they cost, `evals.safety` measures."""


@contextlib.contextmanager
def ours(folder: Path, *, settings: Mapping[str, str], with_backend: bool = True) -> Iterator[Process]:
    """`websearch serve` as installed here, with these variables; with the bench backend or exactly as it comes."""
    path = {"PYTHONPATH": installed_backend(folder)} if with_backend else {}
    port = free_port()
    with _running(
        [WEBSEARCH, "serve", "--listen", f"127.0.0.1:{port}"], environment(folder, **path, **settings), folder, port
    ) as process:
        yield process


@contextlib.contextmanager
def bare(folder: Path, *, answer: Mapping[str, Any], delay_s: float) -> Iterator[Process]:
    """The SDK's server with its one tool."""
    file = folder / "answer.json"
    file.write_text(json.dumps(answer))
    port = free_port()
    command = [sys.executable, "-m", "evals.bench.bare", "--port", str(port), "--answer", str(file)]
    with _running(
        [*command, "--delay-s", str(delay_s)], environment(folder, PYTHONPATH=str(ROOT)), folder, port
    ) as process:
        yield process


@contextlib.contextmanager
def _running(command: list[str], env: dict[str, str], folder: Path, port: int) -> Iterator[Process]:
    with subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.DEVNULL) as popen:
        try:
            _wait(popen, port)
            yield Process(popen, port)
        finally:
            popen.send_signal(signal.SIGTERM)
            try:
                popen.wait(15)
            except subprocess.TimeoutExpired:
                popen.kill()


def _wait(popen: subprocess.Popen[bytes], port: int) -> None:
    """Until it answers HTTP; a server that is not yet ready says 503."""
    for _ in range(12_000):
        if popen.poll() is not None:
            raise SystemExit(f"{popen.args} ended with {popen.returncode} before it was ready.")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5).close()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return
        except OSError:
            pass
        else:
            return
        time.sleep(0.005)
    raise SystemExit(f"{popen.args} was not ready within a minute.")
