"""The lenses that come with the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from websearch_core.kit import DomainRules
from websearch_core.testing import context
from websearch_lenses.collection import OURS, collected
from websearch_lenses.plugin import websearch_lenses
from websearch_lenses.resources import Catalog

LENSES = collected()
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_every_file_is_a_lens_of_its_name() -> None:
    assert sorted(file.stem for file in OURS.glob("*.toml")) == [lens.name for lens in LENSES]
    assert list(websearch_lenses(context("lenses"))) == list(LENSES)


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_a_lens_of_ours_costs_a_model_few_words_and_an_engine_few_queries(lens) -> None:
    assert len(lens.description) <= 60
    assert not lens.description.endswith(".")
    assert 10 <= len(lens.domains) <= 40


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_a_lens_of_ours_names_plain_hosts_and_none_within_another(lens) -> None:
    for host in lens.domains:
        assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", host)
        others = DomainRules(other for other in lens.domains if other != host)
        assert not others.matches(host), f"{host} is searched anyway"


def test_ours_name_no_goggle_since_its_author_could_change_it_any_day() -> None:
    assert not any(lens.goggle for lens in LENSES)


def test_the_page_lists_each_with_its_purpose() -> None:
    listed = dict(re.findall(r"^\| `([a-z]+)` \| ([A-Z].*) \|$", README, re.MULTILINE))
    assert listed == {lens.name: lens.description for lens in LENSES}


async def test_the_catalogue_is_a_few_kilobytes() -> None:
    assert len((await Catalog(LENSES).read("lenses://catalog", None)).encode()) < 4000
