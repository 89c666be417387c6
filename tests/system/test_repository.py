"""Pins, lint's last check and CI: what keeps a fresh clone buildable anywhere."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)( ; .+)?$")
OURS = re.compile(r"websearch-|acme-")


def pins() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        match = PIN.match(line)
        assert match, f"constraints.txt: not an exact pin: {line}"
        found.setdefault(match["name"], set()).add(match["version"])
    return found


def test_every_pin_is_exact_and_none_is_ours() -> None:
    assert [name for name in pins() if OURS.match(name)] == []


@pytest.mark.parametrize("name", ["hatchling", "setuptools", "uv", "editables"])
def test_build_tools_are_pinned_too(name: str) -> None:
    assert name in pins()


def test_everything_installed_beside_the_server_is_at_its_pin() -> None:
    if not (Path(sys.prefix) / ".tools").exists():
        pytest.skip("not in the environment that make sets up: what is installed here is the owner's choice")
    installed = {
        re.sub(r"[-_.]+", "-", distribution.name).lower(): distribution.version
        for distribution in importlib.metadata.distributions(
            path=[str(next(Path(sys.prefix).glob("lib/*/site-packages")))]
        )
    }
    pinned = pins()
    loose = {name: version for name, version in installed.items() if not OURS.match(name)}
    assert {name: version for name, version in loose.items() if version not in pinned.get(name, ())} == {}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("uv.lock", "version = 1", "keep it out of git"),
        ("notes.md", "https://files.PYTHON{}.org/x", "names a package registry's address"),
        ("package-lock.json", '"resolved": "https://registry.NPM{}.org/x"', "names a package registry's address"),
    ],
)
def test_lint_refuses_a_lock_file_and_a_registry_address(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    # Filled in here, so that this file does not hold what is looked for.
    (tmp_path / name).write_text(text.format("hosted" if "PYTHON" in text else "js"))
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    script = ROOT / "scripts" / "check_tree.py"
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{name}: {complaint}" in done.stdout


def test_ci_runs_lint_and_every_test_and_lets_no_real_server_be_skipped() -> None:
    steps = (ROOT / ".ci" / "run").read_text()
    assert "make lint\nmake test\nmake test ARGS='-m slow'\n" in steps
    assert "export HYPOTHESIS_PROFILE=full" in steps
    assert "export WEBSEARCH_REQUIRE_REAL=1" in steps
