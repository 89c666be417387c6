"""What people install: every distribution as a wheel, each plugin alone beside the core, in a fresh environment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSTRAINTS = str(ROOT / "constraints.txt")
LICENSE = (ROOT / "LICENSE").read_text()
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))
OWN = [ROOT, *PLUGINS]
SERVER = ROOT / "meta" / "server"
BARE_PACKAGES = 16
"""What a filter's author has to install, at most."""


def uv(*arguments: str, cwd: Path) -> str:
    """Run the environment's uv away from the workspace, so that only what it is given counts."""
    program = Path(sys.executable).parent / "uv"
    done = subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def project(folder: Path) -> dict[str, object]:
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


@dataclass(frozen=True)
class Wheels:
    """The wheel of each project folder."""

    of: dict[Path, Path]

    def names(self, folder: Path) -> list[str]:
        with zipfile.ZipFile(self.of[folder]) as archive:
            return archive.namelist()

    def text(self, folder: Path, name: str) -> str:
        with zipfile.ZipFile(self.of[folder]) as archive:
            return archive.read(name).decode()


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    """Every distribution, built from its source distribution: ours by `make wheels`, the examples beside them."""
    dist = tmp_path_factory.mktemp("dist")
    # the environment that runs this test is not made anew, however old its marks are
    command = ["make", "wheels", f"DIST={dist}", f"ENV={sys.prefix}", "--old-file", f"{sys.prefix}/.uv"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built = {folder: next(dist.glob(f"{project(folder)['name'].replace('-', '_')}-*.whl")) for folder in [*OWN, SERVER]}
    assert set(dist.glob("*.whl")) == set(built.values())
    for number, folder in enumerate(EXAMPLES):
        out = tmp_path_factory.mktemp(f"example{number}")
        # setuptools writes beside the sources; what is in the tree stays as it is.
        shutil.copytree(folder, out / "source", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "build"))
        uv("build", "source", "--out-dir", "dist", "--build-constraints", CONSTRAINTS, "--quiet", cwd=out)
        (built[folder],) = (out / "dist").glob("*.whl")
    return Wheels(built)


@pytest.mark.slow
@pytest.mark.parametrize("folder", OWN, ids=lambda folder: folder.name)
def test_a_wheel_carries_types_licence_and_nothing_of_the_tests(wheels: Wheels, folder: Path) -> None:
    names = wheels.names(folder)
    distribution = str(project(folder)["name"])
    package = distribution.replace("-", "_")
    assert f"{package}/py.typed" in names
    assert {name.split("/")[0] for name in names} == {package, f"{package}-{project(folder)['version']}.dist-info"}
    (licence,) = (name for name in names if name.endswith("dist-info/licenses/LICENSE"))
    assert wheels.text(folder, licence) == LICENSE
    assert [name for name in names if "/tests/" in name or name.endswith(".pyc")] == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", OWN, ids=lambda folder: folder.name)
def test_a_wheel_has_every_file_of_its_package(wheels: Wheels, folder: Path) -> None:
    package = folder / str(project(folder)["name"]).replace("-", "_")
    files = {str(path.relative_to(folder)) for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert files - set(wheels.names(folder)) == set()


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_a_plugin_has_its_readme_changelog_and_a_range_of_the_core(folder: Path) -> None:
    assert (folder / "CHANGELOG.md").read_text().startswith("# Changelog")
    assert (folder / "README.md").read_text().startswith(f"# {project(folder)['name']}")
    core = next(d for d in project(folder)["dependencies"] if d.startswith("websearch-core"))
    assert ">=" in core
    assert "<" in core.replace(">=", "")


@dataclass(frozen=True)
class Installed:
    """A fresh environment with these wheels, and its `websearch`."""

    folder: Path

    @classmethod
    def from_wheels(cls, folder: Path, wheels: list[Path]) -> Installed:
        environment = folder / "env"
        uv("venv", "--quiet", "--python", sys.executable, str(environment), cwd=folder)
        installed = cls(folder)
        installed.add(*wheels)
        return installed

    @property
    def python(self) -> str:
        return str(self.folder / "env" / "bin" / "python")

    def add(self, *wheels: Path | str) -> None:
        own = [str(wheel) for wheel in wheels]
        uv("pip", "install", "--quiet", "--python", self.python, "--constraints", CONSTRAINTS, *own, cwd=self.folder)

    @contextmanager
    def beside(self, wheel: Path) -> Generator[None]:
        """With this one and what it needs, which go away afterwards: nothing but the core stays compiled."""
        before = self.packages()
        self.add(wheel)
        yield
        added = sorted(self.packages() - before)
        uv("pip", "uninstall", "--quiet", "--python", self.python, *added, cwd=self.folder)
        assert self.packages() == before

    def packages(self) -> set[str]:
        listed = uv("pip", "list", "--format", "json", "--python", self.python, cwd=self.folder)
        return {package["name"] for package in json.loads(listed)}

    @classmethod
    def by_the_readme(cls, folder: Path, dist: Path) -> Installed:
        """By the README's own command, with uv for pip: an environment of uv's has none."""
        (folder / "dist").symlink_to(dist)
        shutil.copy(CONSTRAINTS, folder)
        (command,) = re.findall(r"^\$ (pip install .* dist/.*)$", (ROOT / "README.md").read_text(), flags=re.MULTILINE)
        environment = folder / "env"
        uv("venv", "--quiet", "--python", sys.executable, str(environment), cwd=folder)
        python = environment / "bin" / "python"
        through_uv = command.replace(
            "pip install", f'"{Path(sys.executable).parent}/uv" pip install --python "{python}"'
        )
        done = subprocess.run(["bash", "-c", through_uv], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return cls(folder)

    def websearch(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("websearch", *arguments, cwd=self.folder)

    def run(self, program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        bare = {name: value for name, value in os.environ.items() if not name.startswith(("WEBSEARCH_", "PYTHON"))}
        return subprocess.run(
            [self.folder / "env" / "bin" / program, *arguments],
            cwd=cwd,
            env=bare | {"WEBSEARCH_CHAIN__KEYLESS": "false", "XDG_DATA_HOME": str(self.folder / "data")},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def core(wheels: Wheels, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed.from_wheels(tmp_path_factory.mktemp("core"), [wheels.of[ROOT], wheels.of[SERVER]])


@pytest.mark.slow
@pytest.mark.parametrize("folder", [None, *PLUGINS, *EXAMPLES], ids=lambda folder: folder.name if folder else "alone")
def test_the_core_with_one_plugin_lists_it(wheels: Wheels, folder: Path | None, core: Installed) -> None:
    with core.beside(wheels.of[folder]) if folder else nullcontext():
        done = core.websearch("plugins", "--json")
    assert done.returncode == 0, done.stderr
    listed = {plugin["package"] for plugin in json.loads(done.stdout)["plugins"]}
    assert listed == ({project(folder)["name"]} if folder else set())


@pytest.mark.slow
def test_the_default_install_answers_at_once_and_the_example_filter_guards_it(wheels: Wheels, tmp_path: Path) -> None:
    installed = Installed.by_the_readme(tmp_path, wheels.of[ROOT].parent)
    extra = {re.split(r"[<>=\[]", name)[0] for name in project(ROOT)["optional-dependencies"]["standard"]}
    assert installed.websearch("--version").stdout == f"websearch-core {project(ROOT)['version']}\n"
    checked = installed.websearch("check")
    assert (checked.returncode, checked.stderr) == (0, "")
    listed = json.loads(installed.websearch("plugins", "--json").stdout)["plugins"]
    assert {plugin["package"] for plugin in listed} == extra - {"websearch-core"}
    installed.add(wheels.of[ROOT / "examples" / "acme_guard"])
    found = installed.websearch("search", "how do I write a plugin", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["results"]
    blocked = installed.websearch("search", "when does bluebird launch")
    assert blocked.returncode == 1
    assert "blocked by safety filters" in blocked.stderr
    assert "bluebird" not in blocked.stderr


@pytest.mark.slow
def test_the_bare_core_is_enough_to_write_type_check_and_test_a_filter(wheels: Wheels, tmp_path: Path) -> None:
    bare = Installed.from_wheels(tmp_path, [wheels.of[ROOT]])
    assert len(bare.packages()) <= BARE_PACKAGES, sorted(bare.packages())
    refused = bare.websearch("plugins")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == 'websearch: httptools is not installed. Run: pip install "websearch-core[server]"\n'

    shutil.copytree(ROOT / "examples" / "acme_guard", tmp_path / "acme", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "acme" / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    bare.add(wheels.of[ROOT / "examples" / "acme_guard"], "pytest")
    without_hypothesis = bare.run("pytest", "--collect-only", "--quiet", "--ignore=tests", cwd=tmp_path / "acme")
    assert (without_hypothesis.returncode, without_hypothesis.stderr) == (5, "")  # 5: no tests, and nothing else wrong
    bare.add(f"websearch-core[testing] @ {wheels.of[ROOT].as_uri()}")
    tested = bare.run("pytest", "--quiet", cwd=tmp_path / "acme")
    assert tested.returncode == 0, tested.stdout
    assert re.search(r"^\d\d passed", tested.stdout, flags=re.MULTILINE), tested.stdout

    (tmp_path / "acme" / "pyrightconfig.json").write_text('{"reportMissingModuleSource": "error"}')
    pyright = Path(sys.executable).parent / "pyright"
    command = [pyright, "--pythonpath", bare.python, "--warnings"]
    checked = subprocess.run(command, cwd=tmp_path / "acme", capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
