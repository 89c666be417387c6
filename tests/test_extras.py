"""What the extra `server` adds is imported by the server and the command line alone, and is missed politely."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from websearch_core.cli import NEEDED

ROOT = Path(__file__).parents[1]
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))
WITHOUT = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {(*NEEDED, "uvloop", "hypothesis", "sse_starlette", "mcp_types")!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Missing())
"""
ALL_BUT_THE_SERVER = """
import importlib, pkgutil, websearch_core
left_out = ("websearch_core.server", "websearch_core.cli", "websearch_core.testing.contracts")
for module in pkgutil.walk_packages(websearch_core.__path__, "websearch_core."):
    if not module.name.startswith(left_out):
        importlib.import_module(module.name)
"""


def requirements(folder: Path) -> dict[str, list[str]]:
    """By extra; "" for what is always there."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    given = {"": project["dependencies"], **project.get("optional-dependencies", {})}
    return {extra: [re.split(r"[<>=\[;]", each)[0] for each in needed] for extra, needed in given.items()}


def imported(package: Path) -> Iterator[str]:
    """The first name of each import, of those inside functions too."""
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield str(node.module).partition(".")[0]


def test_the_command_looks_for_all_that_the_extra_adds() -> None:
    assert {*NEEDED, "uvloop"} == {*requirements(ROOT)["server"]}
    assert not {*NEEDED, "uvloop"} & {*requirements(ROOT)[""]}


def test_nothing_but_server_and_command_line_needs_the_extra() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + ALL_BUT_THE_SERVER], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_pytest_loads_its_plugin_without_extras(tmp_path: Path) -> None:
    (tmp_path / "test_clock.py").write_text("def test_clock(clock):\n    assert clock.now()\n")
    code = f"{WITHOUT}\nimport pytest\nsys.exit(pytest.main(['-q', '-W', 'error', '-p', 'no:hypothesispytest']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_the_extra_the_command_says_in_one_line_what_to_install() -> None:
    code = (
        "import importlib.util as util, websearch_core.cli as cli\n"
        "cli.find_spec = lambda name: None if name == 'uvicorn' else util.find_spec(name)\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == 'websearch: uvicorn is not installed. Run: pip install "websearch-core[server]"\n'


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_a_plugin_asks_for_what_it_imports_of_the_extra(folder: Path) -> None:
    (package,) = folder.glob("websearch_*/")
    assert {*imported(package)} & {*NEEDED} <= {*requirements(folder)[""]}
