"""The `websearch` command: serve, search, fetch, plugins, check, token, and the sub-commands that plugins bring."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer
from typer.core import TyperGroup

from .errors import BackendError, Code, NoAnswer, StartupError

if TYPE_CHECKING:
    from .assemble import Assembly
    from .interfaces import Gateway
    from .models import Outgoing

Config = Annotated[str, typer.Option("--config", "-c", help="Settings file; else $WEBSEARCH_CONFIG, ./websearch.toml.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]

R = TypeVar("R", bound="Outgoing")

EXIT_FAILED = 1
EXIT_MISUSED = 2


class _Commands(TyperGroup):
    """The core's commands, then those of plugins: discovered only when somebody asks for one of them."""

    def list_commands(self, ctx: Any) -> list[str]:
        try:
            return [*super().list_commands(ctx), *sorted(self._of_plugins)]
        except StartupError as error:  # help must help just when something is broken
            typer.echo(f"websearch: the commands of plugins are not listed: {error}", err=True)
            return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or self._of_plugins.get(cmd_name)

    @functools.cached_property
    def _of_plugins(self) -> dict[str, Any]:
        assembly = _assembled("")

        @contextlib.asynccontextmanager
        async def gateway() -> AsyncGenerator[Gateway]:
            from .gateway import BoundGateway

            async with assembly.running() as chain:
                yield BoundGateway(chain)

        found: dict[str, Any] = {}
        for command in assembly.commands:
            group = typer.main.get_command(command.app(gateway))
            group.name, group.help = command.name, command.summary
            found[command.name] = group
        return found


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Safe web search and reading for language models: an MCP server assembled from plugins.",
)


def main() -> None:
    """Run. Exit codes: 0 done, 1 no answer or a failed check, 2 misuse or configuration, 130 stopped."""
    try:
        app()
    except StartupError as error:
        _fail(str(error), EXIT_MISUSED)
    except KeyboardInterrupt:
        sys.exit(130)


def _use(config: str) -> str:
    """Before the command's name is looked up: plugins' commands come from the plugins of this configuration."""
    if config:
        os.environ["WEBSEARCH_CONFIG"] = config
    return config


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    config: Annotated[
        str, typer.Option("--config", "-c", callback=_use, is_eager=True, help="Settings file, for every command.")
    ] = "",
) -> None:
    del config  # taken by its callback
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"websearch-core {installed('websearch-core')}")
        raise typer.Exit


@app.command()
def serve(
    config: Config = "",
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak MCP on stdin and stdout instead of HTTP.")] = False,
    listen: Annotated[str, typer.Option("--listen", help="HOST:PORT; overrides [server] listen.")] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log more.")] = False,
) -> None:
    """Run the MCP server."""
    import logging

    logging.basicConfig(
        stream=sys.stderr,
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # these log addresses at INFO: never
    for noisy in ("httpx2", "httpcore2", "mcp", "stamina"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    assembly = _assembled(config, {"WEBSEARCH_SERVER__LISTEN": listen} if listen else {})
    if stdio:
        from .server.stdio import serve_stdio

        serve_stdio(assembly)
    else:
        from .server.http import serve_http

        serve_http(assembly)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=50, help="How many results.")] = 8,
    vertical: Annotated[str, typer.Option(help="web, news or images.")] = "web",
    language: Annotated[str, typer.Option(help="BCP 47, for example en or de-AT.")] = "",
    domain: Annotated[list[str] | None, typer.Option(help="Only this domain; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Never this domain; repeatable.")] = None,
    time_range: Annotated[str | None, typer.Option(help="day, week, month or year.")] = None,
    max_age_hours: Annotated[int | None, typer.Option(help="Oldest cached answer; 0 live, -1 cache only.")] = None,
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Search, through the whole chain."""
    from .models import SearchRequest

    request = _valid(
        SearchRequest,
        query=query,
        max_results=number,
        vertical=vertical,
        language=language,
        allowed_domains=tuple(domain or ()),
        excluded_domains=tuple(exclude or ()),
        time_range=time_range,
        max_age_hours=max_age_hours,
    )
    answer = _run(config, lambda gateway: gateway.search(request))
    from . import printing

    printing.search(answer, as_json=as_json)


@app.command()
def fetch(
    urls: Annotated[list[str], typer.Argument(help="Addresses to read.")],
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Read pages, through the whole chain, and print them as Markdown."""
    from . import printing
    from .answers import FetchAnswer
    from .models import FetchRequest

    requests = [_valid(FetchRequest, url=url) for url in urls]

    async def one(gateway: Gateway, request: FetchRequest) -> FetchAnswer | BackendError | NoAnswer:
        try:
            return await gateway.fetch(request)
        except (BackendError, NoAnswer) as error:
            return error

    async def each(gateway: Gateway) -> list[FetchAnswer | BackendError | NoAnswer]:
        import asyncio

        return await asyncio.gather(*(one(gateway, request) for request in requests))

    rows = _run(config, each)
    printing.pages(urls, rows, as_json=as_json)
    if not all(isinstance(row, FetchAnswer) for row in rows):
        raise typer.Exit(EXIT_FAILED)


@app.command()
def plugins(
    config: Config = "",
    as_json: Json = False,
    as_requirements: Annotated[bool, typer.Option("--requirements", help="Print package==version lines.")] = False,
) -> None:
    """List plugins, the assembled chain, and where queries go."""
    from . import listing

    assembly = _assembled(config)
    if as_requirements:
        typer.echo("\n".join(listing.requirements(assembly)))
    elif as_json:
        typer.echo(json.dumps(listing.describe(assembly), indent=2))
    else:
        typer.echo(listing.as_text(listing.describe(assembly)))


@app.command()
def check(config: Config = "", as_json: Json = False) -> None:
    """Ask each backend once (this may cost a search) and say what is wrong and how to mend it."""
    import anyio

    from . import checkup, listing, printing

    assembly = _assembled(config)

    async def work() -> list[checkup.CheckedBackend]:
        async with assembly.running():
            return await checkup.check(assembly)

    findings = anyio.run(work)
    printing.findings(findings, listing.exceptions(assembly), as_json=as_json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(EXIT_FAILED)


token = typer.Typer(no_args_is_help=True, help="Bearer tokens for callers.")
app.add_typer(token, name="token")


@token.callback()
def _token() -> None:
    """A group, so that `token new` stays a word of its own."""


@token.command("new")
def token_new(name: Annotated[str, typer.Argument(help="The caller's (tenant's) name.")]) -> None:
    """Make a token: shown once; only its hash goes into the settings."""
    import hashlib
    import re
    import secrets

    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", name):
        _fail("a name is made of letters, digits, dot, dash and underscore, for example: alice", EXIT_MISUSED)
    fresh = secrets.token_urlsafe(32)
    digest = hashlib.sha256(fresh.encode()).hexdigest()
    typer.echo(f'token (shown once): {fresh}\n\nadd to websearch.toml:\n[server.tokens]\n"{name}" = "{digest}"')


def _valid(model: type[R], **fields: Any) -> R:
    """The request; what is wrong with it becomes one line on stderr and exit code 2."""
    from pydantic import ValidationError

    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        _fail(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", EXIT_MISUSED)


def _assembled(config: str, overrides: dict[str, str] | None = None) -> Assembly:
    """The assembly of this configuration; a StartupError becomes one line on stderr and exit code 2."""
    from .assemble import assemble
    from .settings import load

    return assemble(load(config or None, {**os.environ, **(overrides or {})}))


def _run(config: str, work: Callable[[Gateway], Coroutine[Any, Any, Any]]) -> Any:
    """Start the chain, do the work, stop it; a failure becomes a few lines on stderr and exit code 1."""
    import anyio

    from .failures import explained
    from .gateway import BoundGateway

    assembly = _assembled(config)

    async def running() -> Any:
        async with assembly.running() as chain:
            return await work(BoundGateway(chain))

    try:
        return anyio.run(running)
    except (BackendError, NoAnswer) as error:
        misused = error.code is Code.INVALID_REQUEST and isinstance(error, BackendError)
        _fail(explained(error).text, EXIT_MISUSED if misused else EXIT_FAILED)


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"websearch: {message}", err=True)
    sys.exit(code)
