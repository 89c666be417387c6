"""docs/tools.md is held to the code: every argument, result field and header of the two tools, and no others."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from websearch_core import Caller, FetchRequest, Finding, Hit, Page, SearchRequest
from websearch_core.kit import FetchAnswer, NotFound, SearchAnswer
from websearch_core.server.argument_reader import ArgumentError, ArgumentReader
from websearch_core.server.arguments import fetch_reader, search_reader
from websearch_core.server.callers import FAMILY_HEADERS
from websearch_core.server.fetch_tool import FetchTool
from websearch_core.server.search_tool import SearchTool
from websearch_core.testing.fakes import FakeClock

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "tools.md").read_text()
READERS: Mapping[str, ArgumentReader[Any]] = {"search": search_reader(), "fetch": fetch_reader()}
TYPES = {"string": "text", "integer": "integer", "array": "list", "enum": "word"}


def rows(tool: str, intro: str) -> dict[str, list[str]]:
    """The first table below a line of a tool's section: first cell, without its backticks, to the other cells."""
    section = PAGE.split(f"\n## {tool}\n", 1)[1].split("\n## ", 1)[0]
    lines = f"\n{section}".split(f"\n{intro}", 1)[1].splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("|---"))
    table: dict[str, list[str]] = {}
    for line in lines[begin + 1 :]:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line[1:].rstrip("|").split(" | "))
        table[name.strip("`")] = cells
    return table


def told_of(tool: str, name: str) -> str:
    """The line for a caller who sends something else altogether."""
    with pytest.raises(ArgumentError) as told:
        READERS[tool].read({name: {"no": "such"}})
    return next(line for line in str(told.value).splitlines() if line.startswith(f"{name}: "))


def default_of(tool: str, name: str) -> str:
    schema = READERS[tool].schema
    if name in schema["required"]:
        return "required"
    default = schema["properties"][name].get("default")
    return "not set" if default is None else f"`{json.dumps(default)}`"


@pytest.mark.parametrize("tool", READERS)
def test_the_arguments_on_the_page_are_those_of_the_tool_in_their_order(tool: str) -> None:
    assert list(rows(tool, "")) == list(READERS[tool].schema["properties"])


@pytest.mark.parametrize(
    ("tool", "name"), [(tool, name) for tool, reader in READERS.items() for name in reader.schema["properties"]]
)
def test_every_argument_is_documented_with_type_default_rule_and_example(tool: str, name: str) -> None:
    kind, default, rule, example, meaning = rows(tool, "")[name]
    schema = READERS[tool].schema["properties"][name]
    assert kind == TYPES["enum" if "enum" in schema else schema["type"]]
    assert default == default_of(tool, name)
    assert told_of(tool, name) == f"{name}: must be {rule.split(';')[0]}; for example {example.strip('`')}"
    assert meaning


@pytest.mark.parametrize("tool", READERS)
def test_every_documented_example_is_read_as_it_is(tool: str) -> None:
    for name, (*_, example, _meaning) in rows(tool, "").items():
        given = {"query": "q", "urls": ["https://a.example/"]} if tool == "search" else {"urls": ["https://a.example/"]}
        known = {key: value for key, value in given.items() if key in READERS[tool].names}
        assert READERS[tool].read({**known, name: json.loads(example.strip("`"))})[1] == []


class Everything:
    """A chain whose answers have every field that an answer can have."""

    async def search(self, request: SearchRequest) -> SearchAnswer:
        about: dict[str, Any] = {"favicon": "https://a.example/i", "image": "https://a.example/p", "author": "Ann"}
        about |= {"age_text": "3 days ago", "found_by": ("one", "two")}
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        hit = Hit(url="https://a.example/", title=request.query, published=moment, **about)
        redacted = {"redacted_query": "words", "redactions": (Finding("phone", "query", 6, 9),)}
        return SearchAnswer(hits=(hit,), hints=("h",), **redacted)

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        if request.url.endswith("/none"):
            raise NotFound
        about: dict[str, Any] = {"title": "T", "author": "Ann", "published": datetime(2026, 1, 1, tzinfo=UTC)}
        page = Page.from_markdown("words " * 9, url=request.url, paywalled=True, **about)
        return FetchAnswer(page=page, cached=True, age=5.0)


async def answered(tool: str) -> Mapping[str, Any]:
    async def progress(_done: int, _count: int, _text: str) -> None:
        return

    if tool == "search":
        raw: dict[str, Any] = {"query": "words"}
        result = await SearchTool(Everything(), FakeClock(), (), 20_000).call(raw, Caller(), progress)
    else:
        raw = {"urls": ["https://a.example/", "https://a.example/none", "https://a.example/"], "max_chars": 20}
        result = await FetchTool(Everything(), FakeClock(), 20_000, pages=True).call(raw, Caller(), progress)
    return result["structuredContent"]


@pytest.mark.parametrize("tool", READERS)
async def test_every_field_of_an_answer_is_documented_and_no_other(tool: str) -> None:
    given = await answered(tool)
    assert set(rows(tool, "The answer")) == set(given)
    assert set(rows(tool, "Each of `results`")) == {name for row in given["results"] for name in row}
    if tool == "search":
        assert set(rows(tool, "`meta`")) == set(given["meta"])


def test_the_headers_are_those_that_the_server_reads() -> None:
    named = {header.lower().encode() for header in re.findall(r"`(X-[A-Za-z-]+)`", PAGE)}
    assert named == set(FAMILY_HEADERS)


def test_the_example_compiles() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    compile(f"async def example():\n{textwrap.indent(code, '    ')}", "docs/tools.md", "exec")


@pytest.mark.parametrize("page", ["README.md", "docs/operators.md"])
def test_the_page_can_be_found(page: str) -> None:
    assert re.search(r"\]\((docs/)?tools\.md\)", (ROOT / page).read_text())


@pytest.mark.parametrize("anchor", re.findall(r"\]\(operators\.md#([a-z-]+)\)", PAGE))
def test_every_link_leads_to_a_heading(anchor: str) -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / "docs" / "operators.md").read_text(), re.MULTILINE)
    assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
