"""README.md and docs/ are held to the tree: example, plugins, dependencies and the files that they name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from websearch_core.kit import Refused
from websearch_core.settings.configuration import load
from websearch_core.startup.assemble import assemble

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PAGES = (*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")), *sorted(ROOT.glob("docs/*.md")))
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PLUGINS = sorted(path.parent for path in ROOT.glob("plugins/*/pyproject.toml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DEPENDENCIES = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]


@pytest.mark.parametrize("file", ["pyproject.toml", "acme_guard.py"])
def test_the_example_plugin_is_the_one_in_examples(file: str) -> None:
    assert (ROOT / "examples" / "acme_guard" / file).read_text().strip() in README


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_every_plugin_has_its_row(folder: Path) -> None:
    name = folder.name.replace("_", "-")
    assert f"| [websearch-{name}](../plugins/{folder.name}) |" in (ROOT / "docs/plugins.md").read_text()


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_is_given_its_reason(dependency: str) -> None:
    name = re.split(r"[<>=;\s]", dependency)[0]
    assert name in (ROOT / "docs/dependencies.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_into_the_tree_leads_somewhere(page: Path) -> None:
    gone = [target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()]
    assert gone == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_section_finds_its_heading(page: Path) -> None:
    lost: list[str] = []
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text()):
        text = ((page.parent / target) if target else page).read_text()
        titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        if anchor not in anchors:
            lost.append(f"{target}#{anchor}")
    assert lost == []


def test_a_visitor_reads_the_readme_in_two_minutes() -> None:
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    assert len(prose.split()) < 700
    linked = {(ROOT / target).resolve() for target in LINK.findall(README)}
    assert {page for page in PAGES if page.parent == ROOT / "docs"} <= linked | {ROOT / "docs/clients.md"}


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
