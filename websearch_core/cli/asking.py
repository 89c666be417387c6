"""Commands that ask: the same chain as the tools, at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..contract.errors import AllSourcesFailed, BackendError
from .running import EXIT_FAILED, EXIT_MISUSED, Config, Json, assembled, fail, run, valid

if TYPE_CHECKING:
    from ..contract.mcp_components import Gateway
    from ..contract.models import FetchRequest
    from ..contract.results import FetchAnswer, Lens
    from ..startup.assemble import Assembly

TEXT_CHARS = 10_000
"""Of each result, where whole texts are asked for: a person at a terminal scrolls."""


def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=50, help="How many results.")] = 8,
    vertical: Annotated[str, typer.Option(help="web, news or images.")] = "web",
    language: Annotated[str, typer.Option(help="BCP 47, for example en or de-AT.")] = "",
    country: Annotated[str, typer.Option(help="ISO 3166-1, for example AT.")] = "",
    domain: Annotated[list[str] | None, typer.Option(help="Only this domain; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Never this domain; repeatable.")] = None,
    lens: Annotated[str, typer.Option(help="Only this set of sites; `websearch lenses` lists them.")] = "",
    time_range: Annotated[str | None, typer.Option(help="day, week, month or year.")] = None,
    safesearch: Annotated[str | None, typer.Option(help="off, moderate or strict.")] = None,
    text: Annotated[bool, typer.Option("--text", help="Whole texts instead of excerpts.")] = False,
    backend: Annotated[str, typer.Option(help="Ask this backend alone.")] = "",
    max_age_hours: Annotated[int | None, typer.Option(help="Oldest cached answer; 0 live, -1 cache only.")] = None,
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Search, through the whole chain."""
    from ..contract.models import SearchRequest
    from . import printing

    assembly = assembled(config)
    domains, goggle = tuple(domain or ()), ""
    if lens:
        if domains:
            fail("--lens and --domain cannot be combined; give one of the two", EXIT_MISUSED)
        chosen = _lens(assembly, lens)
        domains, goggle = chosen.domains, chosen.goggle
    request = valid(
        SearchRequest,
        query=query,
        max_results=number,
        vertical=vertical,
        language=language,
        user_location_country=country.upper(),
        allowed_domains=domains,
        excluded_domains=tuple(exclude or ()),
        goggle=goggle,
        time_range=time_range,
        safesearch=safesearch,
        backend=backend,
        max_age_hours=max_age_hours,
        **({"content_mode": "text", "max_content_chars": TEXT_CHARS} if text else {}),
    )
    printing.search(run(assembly, lambda gateway: gateway.search(request)), as_json=as_json)


def fetch(
    urls: Annotated[list[str], typer.Argument(help="Addresses to read.")],
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Read pages, through the whole chain, and print them as Markdown."""
    from ..contract.models import FetchRequest
    from ..contract.results import FetchAnswer
    from . import printing

    requests = [valid(FetchRequest, url=url) for url in urls]

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


def _lens(assembly: Assembly, name: str) -> Lens:
    lenses = {lens.name: lens for lens in assembly.lenses}
    if name not in lenses:
        known = ", ".join(sorted(lenses)) or "none"
        fail(f"--lens: there is none of this name; installed are: {known}", EXIT_MISUSED)
    return lenses[name]
