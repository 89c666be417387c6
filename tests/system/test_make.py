"""The README's first command on a bare machine: a clone, Debian's programs, an empty home."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client

from websearch_core.testing.cpu_time import slowness

from .conftest import Node
from .test_clients import inspected

ROOT = Path(__file__).parents[2]
# Where a Python with pip may be; nothing of the environment that runs this test.
PATH = os.pathsep.join([str(Path(getattr(sys, "_base_executable", sys.executable)).parent), "/usr/bin", "/bin"])
# What a machine needs to reach its package registries is its own business and stays.
KEPT = ("PIP_", "UV_", "SSL_", "HTTP", "NO_PROXY", "no_proxy", "http", "REQUESTS_CA")
QUERY = "how to write a plugin"
DOCUMENT = "https://docs.websearch.invalid/plugins"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as git has or would take it."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git clone: nothing says which files belong to the tree")
    folder = tmp_path_factory.mktemp("clone")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")):
        source = ROOT / name.decode()
        if source.is_file():
            target = folder / name.decode()
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    quiet = {"WEBSEARCH_CHAIN__KEYLESS": "false"}  # no test asks a public engine
    return kept | quiet | {"PATH": PATH, "HOME": str(tmp_path_factory.mktemp("home")), "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def address(clone: Path, bare: dict[str, str]) -> Iterator[str]:
    """Where `make serve` of a fresh clone listens: the real thing, no fixtures."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    begin = time.monotonic()
    command = ["make", "serve", f"ARGS=--listen 127.0.0.1:{port}"]
    with subprocess.Popen(command, cwd=clone, env=bare, start_new_session=True) as process:
        try:
            while True:
                assert process.poll() is None, "make serve ended"
                assert time.monotonic() - begin < 1200, "make serve did not listen within twenty minutes"
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                time.sleep(0.02)  # another program's start: there is no clock to turn
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_make_serve_in_a_fresh_clone_answers_the_sdks_client(
    address: str, mode: Literal["auto", "legacy"]
) -> None:
    async with Client(address, mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("search", {"query": QUERY})
        read = await client.call_tool("fetch", {"urls": [DOCUMENT]})
    assert tools == ["search", "fetch"]
    assert (found.is_error, read.is_error) == (False, False)
    check(found.structured_content, read.structured_content)


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_make_serve_in_a_fresh_clone_answers_the_inspector(address: str, node: Node, era: str) -> None:
    call = ("--method", "tools/call", "--tool-name")
    tools = inspected(node, address, "--method", "tools/list", "--strict", era=era)["tools"]
    found = inspected(node, address, *call, "search", "--tool-arg", f"query={QUERY}", era=era)
    given = json.dumps({"urls": [DOCUMENT]})
    read = inspected(node, address, *call, "fetch", "--tool-args-json", given, era=era)
    assert [tool["name"] for tool in tools] == ["search", "fetch"]
    check(found["structuredContent"], read["structuredContent"])


def check(found: Any, read: Any) -> None:
    """The library that is built in was searched, and its page read."""
    assert found["meta"]["backends"] == ["library"]
    assert DOCUMENT in [row["url"] for row in found["results"]]
    (page,) = read["results"]
    assert (page["status"], page["title"]) == ("completed", "Write a plugin")
    assert "entry point" in page["content"]


def cpu_of_children() -> float:
    """Seconds that programs which have ended took, however busy the machine was."""
    spent = os.times()
    return spent.children_user + spent.children_system


@pytest.mark.slow
def test_a_second_make_serve_adds_less_than_a_second(clone: Path, bare: dict[str, str]) -> None:
    subprocess.run(["make", ".venv/.serve"], cwd=clone, env=bare, check=True, capture_output=True)
    begin = cpu_of_children()
    program = clone / ".venv" / "bin" / "websearch"
    subprocess.run([program, "serve", "--help"], cwd=clone, env=bare, check=True, capture_output=True)
    alone = cpu_of_children() - begin
    begin = cpu_of_children()
    subprocess.run(["make", "serve", "ARGS=--help"], cwd=clone, env=bare, check=True, capture_output=True)
    assert cpu_of_children() - begin - alone < slowness()


@pytest.mark.parametrize(("own", "seen"), [({}, "true"), ({"UV_SYSTEM_CERTS": "false"}, "false")])
def test_uv_trusts_what_the_system_trusts(own: dict[str, str], seen: str, tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    programs = tmp_path / "env" / "bin"
    programs.mkdir(parents=True)
    (programs / "uv").write_text('#!/bin/sh\necho "certs: $UV_SYSTEM_CERTS"\n')
    (programs / "uv").chmod(0o755)
    command = ["make", "ENV=env", "--old-file", "env/.uv", "env/.serve"]
    kept = {name: value for name, value in os.environ.items() if name != "UV_SYSTEM_CERTS"}
    done = subprocess.run(command, cwd=tmp_path, env=kept | own, capture_output=True, text=True, check=True)
    assert f"certs: {seen}\n" in done.stdout


@pytest.mark.parametrize("own", ["", "/etc/acme/ca.pem"])
def test_pip_trusts_what_the_system_trusts(own: str, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    python = programs / "python3.13"
    says = 'case " $* " in *" install "*) echo "certs: $REQUESTS_CA_BUNDLE";; esac'
    python.write_text(f'#!/bin/sh\n[ "$2" = pip ] || exec {sys.executable} "$@"\n{says}\n')
    python.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name != "REQUESTS_CA_BUNDLE"}
    environ = {**kept, "PATH": f"{programs}:{os.environ['PATH']}", **({"REQUESTS_CA_BUNDLE": own} if own else {})}
    command = ["bash", str(ROOT / "scripts" / "environment.sh"), str(tmp_path / "env")]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    known = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")
    systems = next((file for file in known if os.access(file, os.R_OK)), "")
    assert f"certs: {own or systems}\n" in done.stdout


def test_without_pip_the_message_says_what_to_install(tmp_path: Path) -> None:
    # A PATH with this Python under its usual name and the shell's programs, in which no pip can be found.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "rm", "env"):
        (programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    python = programs / "python3.11"
    python.write_text(f'#!/bin/bash\n[ "$1" = -m ] && [ "$2" = pip ] && exit 1\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = ["bash", str(ROOT / "scripts" / "environment.sh"), str(tmp_path / "env")]
    done = subprocess.run(command, env={"PATH": str(programs)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "apt-get install python3-pip" in done.stderr
    assert not (tmp_path / "env").exists()


def test_without_python_the_message_says_what_to_install(tmp_path: Path) -> None:
    command = [shutil.which("bash") or "/bin/bash", str(ROOT / "scripts" / "environment.sh"), str(tmp_path / "env")]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No Python >= 3.11 found" in done.stderr


def test_help_lists_every_command_that_the_readme_names() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    for command in ("serve", "test", "lint", "fix", "wheels", "bench", "evals"):
        assert f"make {command} " in done.stdout
