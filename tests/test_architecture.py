"""docs/architecture.md is held to the tree: its files, the rooms and their order, the hooks, its own links."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import websearch_core
from websearch_core import kit
from websearch_core.contract import hookspecs

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text()
PATHS = sorted(set(re.findall(r"`(\w+/[\w/.]*)`", PAGE)))


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[tuple[str, str]]:
    """The rows of a section's tables, without their heads."""
    lines = [line.strip("| ").partition(" | ") for line in section(title).splitlines() if line.startswith("| ")]
    return [(left, right) for left, _, right in lines]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_that_it_names_is_there(path: str) -> None:
    assert (ROOT / path).exists() or (ROOT / "websearch_core" / path).exists()


def test_it_follows_calls_through_many_files() -> None:
    assert len([path for path in PATHS if path.endswith(".py")]) > 60


def test_every_room_has_its_line_in_the_order_that_import_linter_holds() -> None:
    manifest = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = manifest["tool"]["importlinter"]["contracts"]
    [layers] = [c["layers"] for c in contracts if c.get("containers") == ["websearch_core"]]
    floors = [set(layer.split(" | ")) for layer in layers]
    told = [match[1] for room, _ in rows("The rooms") if (match := re.fullmatch(r"`websearch_core/(\w+)/`", room))]
    assert sorted(told) == sorted(path.parent.name for path in ROOT.glob("websearch_core/*/__init__.py"))
    places = [next(index for index, floor in enumerate(floors) if room in floor) for room in told]
    assert places == sorted(places)


@pytest.mark.parametrize("plugin", ["browser", "documents", "guard", "library", "packet", "web"])
def test_a_large_plugins_line_names_all_its_rooms(plugin: str) -> None:
    [told] = [re.findall(r"`(\w+)`", right) for left, right in rows("The rooms") if left == plugin]
    there = {path.parent.name for path in (ROOT / "plugins" / plugin).glob("websearch_*/*/**/__init__.py")}
    assert set(told) == there


def test_every_hook_has_its_row() -> None:
    hooks = {name for name in vars(hookspecs) if name.startswith("websearch_")}
    told = [left.strip("`") for left, _ in rows("Where would I add …?") if left.startswith("`")]
    assert sorted(told) == sorted(hooks)


def test_it_says_where_at_least_twenty_things_go() -> None:
    answers = [right for left, right in rows("Where would I add …?") if not left.startswith("`")]
    assert len([right for right in answers if "`" in right]) >= 20


def test_the_changelog_lists_every_name_that_goes_and_its_new_one() -> None:
    going = (ROOT / "CHANGELOG.md").read_text().partition("### Deprecated")[2].partition("\n## ")[0]
    told = set(re.findall(r"`(?:websearch_core\.kit\.)?(\w+)`", going))
    renamed: dict[str, str] = vars(websearch_core)["_RENAMED"]
    never_at_the_top = {"Objection", "RegionCodes", "ResultPage", "language_region", "read_pages"}
    assert (set(kit.__all__) - never_at_the_top) | set(renamed) | set(renamed.values()) <= told


def test_its_list_of_contents_leads_to_its_sections() -> None:
    anchors = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) == anchors
