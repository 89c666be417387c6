"""What every command does: read the settings, run the chain, and end with one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ..contract.errors import AllSourcesFailed, BackendError, Code

if TYPE_CHECKING:
    from ..contract.mcp_components import Gateway
    from ..startup.assemble import Assembly

Config = Annotated[str, typer.Option("--config", "-c", help="Settings file; else $WEBSEARCH_CONFIG, ./websearch.toml.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]

EXIT_FAILED = 1
EXIT_MISUSED = 2


def assembled(config: str, overrides: dict[str, str] | None = None) -> Assembly:
    """The assembly of this configuration; a StartupError becomes one line on stderr and exit code 2."""
    from ..settings.configuration import load
    from ..startup.assemble import assemble

    return assemble(load(config or None, {**os.environ, **(overrides or {})}))


def run(assembly: Assembly, work: Callable[[Gateway], Coroutine[Any, Any, Any]]) -> Any:
    """Start the chain, do the work, stop it."""
    import anyio

    from ..chain.gateway import BoundGateway

    async def running() -> Any:
        from ..startup.lifecycle import running

        async with running(assembly) as chain:
            return await work(BoundGateway(chain))

    return anyio.run(running)


def fail_with(error: BackendError | AllSourcesFailed) -> NoReturn:
    """Explain it in a few lines, and end."""
    from ..contract.error_texts import explained

    misused = error.code is Code.INVALID_REQUEST and isinstance(error, BackendError)
    fail(explained(error).text, EXIT_MISUSED if misused else EXIT_FAILED)


def fail(message: str, code: int) -> NoReturn:
    """Say why, and end."""
    typer.echo(f"websearch: {message}", err=True)
    sys.exit(code)
