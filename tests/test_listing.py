"""What `websearch lenses` shows."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_core.startup.inventory import as_text, describe, lenses, lenses_as_text
from websearch_core.startup.lifecycle import running

LENSES = """
@hookimpl
def websearch_lenses():
    yield Lens(name="{name}", description="For {name}", domains={domains}, goggle="{goggle}")
"""


def test_every_lens_is_listed_with_who_brought_it(install: Callable[..., list[EntryPoint]]) -> None:
    sites = tuple(f"a-site-of-number-{number}.example" for number in range(6))
    install("one", LENSES.format(name="tea", domains=sites, goggle=""))
    entries = install("two", LENSES.format(name="owls", domains=(), goggle="https://g.example/owls"))
    found = lenses(assemble(Configuration({}, {}, ""), installed=entries))
    assert found == [
        {
            "name": "owls",
            "description": "For owls",
            "domains": [],
            "goggle": "https://g.example/owls",
            "plugin": "two",
        },
        {"name": "tea", "description": "For tea", "domains": list(sites), "goggle": "", "plugin": "one"},
    ]
    text = lenses_as_text(found)
    assert text.splitlines()[:3] == [
        "owls  For owls (of plugin two)",
        "      goggle: https://g.example/owls",
        "tea   For tea (of plugin one)",
    ]
    assert [site for site in sites if f" {site}" not in text] == []
    assert max(map(len, text.splitlines())) <= 100


def test_without_a_lens_the_text_says_where_to_get_some() -> None:
    assert "websearch-lenses" in lenses_as_text([])


ENGINE = """
from websearch_core import SearchBackend
from websearch_core.startup.lifecycle import running

class Engine(SearchBackend):
    name = "one"

    async def search(self, request):
        return ()

@hookimpl
def websearch_search_backends():
    yield Engine()
"""


@pytest.mark.parametrize(
    ("caps", "path", "forgotten"), [(True, False, True), (True, True, False), (False, False, False)]
)
async def test_caps_that_end_with_the_process_are_told_of(
    caps: bool,
    path: bool,
    forgotten: bool,
    install: Callable[..., list[EntryPoint]],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    tables: dict[str, Any] = {"chain": {"require": []}}
    if caps:
        tables["ledger"] = {"caps": {"one": {"units_per_day": 5}}}
    if path:
        tables["store"] = {"path": str(tmp_path / "s.db")}
    assembly = assemble(Configuration(tables, {}, ""), installed=install("one", ENGINE))
    line = "exception: the caps of [ledger.caps] begin anew at every start: [store] path is not set"
    assert (line in as_text(describe(assembly)).splitlines()) is forgotten
    with caplog.at_level("WARNING"):
        async with running(assembly):
            pass
    assert ("[ledger.caps] begin anew" in caplog.text) is forgotten
