"""The commands: the core's, then those that plugins bring. Each is made only when somebody asks for it."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ..contract.errors import StartupError
from . import asking, operating
from .running import assembled

if TYPE_CHECKING:
    from ..contract.mcp_components import Gateway


_CORE = {
    "serve": operating.serve,
    "search": asking.search,
    "fetch": asking.fetch,
    "plugins": operating.plugins,
    "lenses": operating.lenses,
    "check": operating.check,
    "ledger": operating.ledger,
}


class _Made(Mapping[str, Any]):
    """The core's commands by name."""

    def __getitem__(self, name: str) -> Any:
        if name == "token":
            return typer.main.get_command(operating.token)
        alone = typer.Typer(add_completion=False)
        alone.command(name)(_CORE[name])
        return typer.main.get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter((*_CORE, "token"))

    def __len__(self) -> int:
        return len(_CORE) + 1


class _Commands(TyperGroup):
    """The core's commands, then those of plugins, which are discovered only when none of the core's is asked for."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Made()

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
