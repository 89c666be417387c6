"""Commands for the operator: start the server, look at it, see that all is well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ..contract.errors import StartupError, cause
from .running import EXIT_FAILED, EXIT_MISUSED, Config, Json, assembled, fail

if TYPE_CHECKING:
    from ..asking.ledger.ledger import Entry
    from ..startup.doctor import CheckedBackend


def serve(
    config: Config = "",
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak MCP on stdin and stdout instead of HTTP.")] = False,
    listen: Annotated[str, typer.Option("--listen", help="HOST:PORT; overrides server.listen.")] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log more.")] = False,
) -> None:
    """Run the MCP server."""
    import logging

    from ..server.logs import log_to_stderr

    log_to_stderr(logging.DEBUG if verbose else logging.INFO)
    try:
        assembly = assembled(config, {"WEBSEARCH_SERVER__LISTEN": listen} if listen else {})
    except StartupError as error:
        _, named, why = str(error).partition("[server] listen: ")
        raise StartupError(f"--listen: {why}") if listen and named else error from None
    if stdio:
        from ..server.stdio import serve_stdio

        serve_stdio(assembly)
    else:
        from ..server.http import serve_http

        serve_http(assembly)


def plugins(
    config: Config = "",
    as_json: Json = False,
    as_requirements: Annotated[bool, typer.Option("--requirements", help="Print package==version lines.")] = False,
) -> None:
    """List plugins, the assembled chain, and where queries go."""
    from ..startup import inventory

    assembly = assembled(config)
    if as_requirements:
        typer.echo("\n".join(inventory.requirements(assembly)))
    elif as_json:
        typer.echo(json.dumps(inventory.describe(assembly), indent=2))
    else:
        typer.echo(inventory.as_text(inventory.describe(assembly)))


def lenses(config: Config = "", as_json: Json = False) -> None:
    """List the named sets of sites that a search can be narrowed to."""
    from ..startup import inventory

    rows = inventory.lenses(assembled(config))
    typer.echo(json.dumps(rows, indent=2, ensure_ascii=False) if as_json else inventory.lenses_as_text(rows))


def check(
    names: Annotated[list[str] | None, typer.Argument(help="Backends to ask; else all.", show_default=False)] = None,
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Ask each backend once (this may cost a search) and say what is wrong and how to mend it."""
    import anyio

    from ..startup import doctor, inventory
    from . import printing

    assembly = assembled(config)
    known = doctor.names(assembly)
    if unknown := [name for name in names or () if name not in known]:
        fail(f"there is no backend {unknown[0]}; installed are: {', '.join(known) or 'none'}", EXIT_MISUSED)

    async def work() -> list[CheckedBackend]:
        from ..startup.lifecycle import running

        async with running(assembly):
            return await doctor.check(assembly, names or ())

    findings = anyio.run(work)
    printing.findings(findings, inventory.exceptions(assembly), as_json=as_json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(EXIT_FAILED)


def ledger(
    days: Annotated[int, typer.Option("--days", min=1, max=1000, help="How many days back, today included.")] = 7,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Only this caller.")] = None,
    config: Config = "",
    as_json: Json = False,
) -> None:
    """Show what calls cost: by day (UTC), engine and caller."""
    import anyio

    from . import printing

    assembly = assembled(config)
    settings = assembly.configuration.store
    kept = bool(settings.use or settings.path)

    async def work() -> list[Entry]:
        await assembly.store.start()
        try:
            return await assembly.ledger.entries(days, tenant)
        finally:
            await assembly.store.aclose()

    try:
        entries = anyio.run(work) if kept else []
    except StartupError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a store raises
        fail(f"the store cannot be read ({cause(error)})", EXIT_FAILED)
    printing.ledger(entries, kept=kept, as_json=as_json)


token = typer.Typer(name="token", no_args_is_help=True, add_completion=False, help="Bearer tokens for callers.")


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
        fail("a name is made of letters, digits, dot, dash and underscore, for example: alice", EXIT_MISUSED)
    fresh = secrets.token_urlsafe(32)
    digest = hashlib.sha256(fresh.encode()).hexdigest()
    # the heading stands there once, so it is not among what is pasted for each caller
    told = "below [server.tokens] in websearch.toml, a line for each caller:"
    typer.echo(f'token (shown once): {fresh}\n\n{told}\n"{name}" = "{digest}"')
