"""The changelogs keep the form of Keep a Changelog 1.1: versions, newest first, and in each of them named sections."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHANGELOGS = (ROOT / "CHANGELOG.md", *sorted(ROOT.glob("plugins/*/CHANGELOG.md")))
SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?: - \d{4}-\d{2}-\d{2})?")


def test_every_plugin_has_one() -> None:
    folders = {path.parent for path in ROOT.glob("plugins/*/pyproject.toml")}
    assert {path.parent for path in CHANGELOGS} == {ROOT, *folders}


@pytest.mark.parametrize("path", CHANGELOGS, ids=lambda path: path.parent.name)
def test_it_has_the_form(path: Path) -> None:
    head, *versions = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert head.startswith("# Changelog")
    titles = [version.partition("\n")[0] for version in versions]
    assert titles.count("Unreleased") <= 1
    assert "Unreleased" not in titles[1:]
    numbers = [tuple(map(int, match.groups())) for title in titles if (match := VERSION.fullmatch(title))]
    assert len(numbers) == len([title for title in titles if title != "Unreleased"])
    assert numbers == sorted(set(numbers), reverse=True)
    for version in versions:
        before, *sections = re.split(r"^### ", version, flags=re.MULTILINE)
        assert "\n- " not in before, "every change stands in a section"
        names = [section.partition("\n")[0] for section in sections]
        assert set(names) <= set(SECTIONS)
        assert len(names) == len(set(names))
        assert all("\n- " in section for section in sections)
