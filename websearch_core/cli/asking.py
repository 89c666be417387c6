"""Commands that ask: the same chain as the tools, at a terminal."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Annotated

import typer

from ..contract.errors import AllSourcesFailed, BackendError
from .running import EXIT_FAILED, EXIT_MISUSED, Config, Json, assembled, fail, run

if TYPE_CHECKING:
    from ..contract.mcp_components import Gateway
    from ..contract.models import FetchRequest
    from ..contract.results import FetchAnswer

TEXT_CHARS = 10_000
"""Of each result, where whole texts are asked for: a person at a terminal scrolls."""

_OPTIONS = {
    "query": "query",
    "max_results": "--number",
    "user_location_country": "--country",
    "allowed_domains": "--domain",
    "excluded_domains": "--exclude",
}
"""Arguments of the tool that have another name here; the others are `--` and their name."""


def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=50, help="How many results.")] = 8,
    vertical: Annotated[str, typer.Option(help="web, news or images.")] = "web",
    language: Annotated[str, typer.Option(help="BCP 47, for example en or de-AT.")] = "",
    country: Annotated[str, typer.Option(help="ISO 3166-1, for example AT.")] = "",
    domain: Annotated[list[str] | None, typer.Option(help="Only this domain; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Never this domain; repeatable.")] = None,
    lens: Annotated[str, typer.Option(help="Only this set of sites; `websearch lenses` lists them.")] = "",
    time_range: Annotated[str, typer.Option(help="day, week, month or year.")] = "",
    safesearch: Annotated[str, typer.Option(help="off, moderate or strict.")] = "",
    text: Annotated[bool, typer.Option("--text", help="Whole texts instead of excerpts.")] = False,
    backend: Annotated[str, typer.Option(help="Ask this backend alone.")] = "",
    max_age_hours: Annotated[int | None, typer.Option(help="Oldest cached answer; 0 live, -1 cache only.")] = None,
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Search, through the whole chain."""
    from ..contract.models import Caller
    from ..server.argument_reader import ArgumentError
    from ..server.arguments import read_search, search_reader
    from . import printing

    assembly = assembled(config)
    known = sorted(one.name for one in assembly.lenses)
    if lens and lens not in known:
        fail(f"--lens: there is none of this name; installed are: {', '.join(known) or 'none'}", EXIT_MISUSED)
    asked = {
        "query": query,
        "max_results": number,
        "vertical": vertical,
        "language": language,
        "user_location_country": country,
        "allowed_domains": domain,
        "excluded_domains": exclude,
        "lens": lens,
        "time_range": time_range,
        "safesearch": safesearch,
        "backend": backend,
        "max_age_hours": max_age_hours,
        **({"content_mode": "text", "max_content_chars": TEXT_CHARS} if text else {}),
    }
    given = {name: value for name, value in asked.items() if value not in (None, "")}
    reader = search_reader(assembly.lenses, [one.name for one in assembly.every_backend])
    try:
        request, notes = read_search(given, Caller(), reader, assembly.lenses)
    except ArgumentError as error:
        fail("\n".join(_as_typed(line, given) for line in str(error).splitlines()), EXIT_MISUSED)
    printing.notes([_as_typed(note, given) for note in notes])
    printing.search(run(assembly, lambda gateway: gateway.search(request)), as_json=as_json)


def _as_typed(told: str, given: Container[str]) -> str:
    """A message about an argument of the tool, with the name of its option."""
    name, colon, rest = told.partition(": ")
    return f"{_OPTIONS.get(name, '--' + name.replace('_', '-'))}{colon}{rest}" if name in given else told


def fetch(
    urls: Annotated[list[str], typer.Argument(help="Addresses to read.")],
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Read pages, through the whole chain, and print them as Markdown."""
    from pydantic import ValidationError

    from ..contract.models import FetchRequest
    from ..contract.results import FetchAnswer
    from . import printing

    try:
        requests = [FetchRequest(url=url) for url in urls]
    except ValidationError:
        fail("an address has 1 to 8,192 characters", EXIT_MISUSED)

    async def one(gateway: Gateway, request: FetchRequest) -> FetchAnswer | BackendError | AllSourcesFailed:
        try:
            return await gateway.fetch(request)
        except (BackendError, AllSourcesFailed) as error:
            return error

    async def each(gateway: Gateway) -> list[FetchAnswer | BackendError | AllSourcesFailed]:
        import asyncio

        return await asyncio.gather(*(one(gateway, request) for request in requests))

    rows = run(assembled(config), each)
    printing.pages(urls, rows, as_json=as_json)
    if not all(isinstance(row, FetchAnswer) for row in rows):
        raise typer.Exit(EXIT_FAILED)
