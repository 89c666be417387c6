"""README.md is held to the tree: the example plugin, the plugins, the dependencies and the files that it names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from websearch_core import Refused
from websearch_core.assemble import assemble
from websearch_core.settings import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))
DEPENDENCIES = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


@pytest.mark.parametrize("file", ["pyproject.toml", "acme_guard.py"])
def test_the_example_plugin_is_the_one_in_examples(file: str) -> None:
    assert (ROOT / "examples" / "acme_guard" / file).read_text().strip() in README


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_every_plugin_has_its_row(folder: Path) -> None:
    assert f"| [websearch-{folder.name.replace('_', '-')}](plugins/{folder.name}) |" in README


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_is_given_its_reason(dependency: str) -> None:
    name = re.split(r"[<>=;\s]", dependency)[0]
    assert name in README.split("## Why each dependency")[1]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README))))
def test_every_link_into_the_tree_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_the_configuration_that_it_shows_starts_without_any_key(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (shown,) = re.findall(r"```toml\n(\[chain\].*?)```", README, flags=re.DOTALL)
    file = tmp_path / "websearch.toml"
    file.write_text(shown)
    assembly = assemble(load(str(file), {}))
    assert assembly.configuration.chain.backends == ("exa", "searxng", "library")
    assert [backend.name for backend in assembly.backends] == ["searxng", "library"]
    assert "exa is off: WEBSEARCH_EXA__API_KEY not set" in caplog.text
    with pytest.raises(Refused):
        assembly.policy.check("https://www.example.com/")
