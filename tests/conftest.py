"""Plugins installed for real: a module and its metadata on disk, as pip would leave them."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from .forked import ForkServer

Install = Callable[..., list[EntryPoint]]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """`install(plugin, source, package=…, version=…)` → the entry points of everything installed so far."""
    site = tmp_path / "site-packages"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    modules: list[str] = []

    def installed(
        plugin: str, source: str, *, package: str = "", version: str = "1.0", module: str = "", needs: str = ""
    ) -> list[EntryPoint]:
        package = package or f"acme-{plugin}"
        module = module or f"{package.replace('-', '_')}_{plugin.replace('-', '_')}_module"
        modules.append(module)
        (site / f"{module}.py").write_text(
            "from websearch_core import *\nfrom websearch_core.kit import *\n" + textwrap.dedent(source)
        )
        info = site / f"{package.replace('-', '_')}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n" + needs)
        (info / "entry_points.txt").write_text(f"[websearch]\n{plugin} = {module}\n")
        return [
            entry
            for distribution in distributions(path=[str(site)])
            for entry in distribution.entry_points.select(group="websearch")
        ]

    yield installed
    for module in modules:
        sys.modules.pop(module, None)


@pytest.fixture(scope="session")
def commands() -> Iterator[ForkServer]:
    """`commands.run("plugins", environ=…, folder=…)`: the command line, each time in a process of its own."""
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def servers() -> Iterator[ForkServer]:
    """`servers.running("serve", environ=…, folder=…)`: the same for servers, whose guard is loaded already."""
    server = ForkServer(warm=True)
    yield server
    server.close()
