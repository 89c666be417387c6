"""README.md is held to the tree: the example plugin, the plugins, the dependencies and the files that it names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from websearch_core.settings import Configuration

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))
DEPENDENCIES = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


@pytest.mark.parametrize("file", ["pyproject.toml", "acme_guard.py"])
def test_the_example_plugin_is_the_one_in_examples(file: str) -> None:
    assert (ROOT / "examples" / "acme_guard" / file).read_text().strip() in README


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_every_plugin_has_its_row(folder: Path) -> None:
    assert f"| [websearch-{folder.name}](plugins/{folder.name}) |" in README


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_is_given_its_reason(dependency: str) -> None:
    name = re.split(r"[<>=;\s]", dependency)[0]
    assert name in README.split("## Why each dependency")[1]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README))))
def test_every_link_into_the_tree_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_the_configuration_that_it_shows_is_valid() -> None:
    (shown,) = re.findall(r"```toml\n(\[chain\].*?)```", README, flags=re.DOTALL)
    assert Configuration(tomllib.loads(shown), {}).chain.backends == ("exa", "searxng", "library")
