"""The commands: the core's, then those that plugins bring."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ..contract.errors import StartupError
from . import asking, operating
from .running import assembled

if TYPE_CHECKING:
    from ..contract.mcp_components import Gateway


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
        assembly = assembled("")

        @contextlib.asynccontextmanager
        async def gateway() -> AsyncGenerator[Gateway]:
            from ..chain.gateway import BoundGateway
            from ..startup.lifecycle import running

            async with running(assembly) as chain:
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


for _command in (
    operating.serve,
    asking.search,
    asking.fetch,
    operating.plugins,
    operating.lenses,
    operating.check,
    operating.ledger,
):
    app.command()(_command)
app.add_typer(operating.token, name="token")
