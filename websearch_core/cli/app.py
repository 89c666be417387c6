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
    from ..contract.mcp_components import Command, Gateway
    from ..startup.assemble import Assembly


_CORE = {
    "serve": operating.serve,
    "search": asking.search,
    "fetch": asking.fetch,
    "plugins": operating.plugins,
    "lenses": operating.lenses,
    "check": operating.check,
    "ledger": operating.ledger,
}
_NAMES = (*_CORE, "token")


class _Every(Mapping[str, Any]):
    """The commands by name. Plugins are discovered only when none of the core's is asked for."""

    def __getitem__(self, name: str) -> Any:
        if name == "token":
            return typer.main.get_command(operating.token)
        if name in _CORE:
            alone = typer.Typer(add_completion=False)
            alone.command(name)(_CORE[name])
            return typer.main.get_command(alone)
        return self._of_plugin(self._brought[name])

    def __iter__(self) -> Iterator[str]:
        return iter((*_NAMES, *sorted(self._brought)))

    def __len__(self) -> int:
        return len(_NAMES) + len(self._brought)

    @functools.cached_property
    def _assembly(self) -> Assembly:
        return assembled("")

    @functools.cached_property
    def _brought(self) -> dict[str, Command]:
        return {command.name: command for command in self._assembly.commands}

    def _of_plugin(self, command: Command) -> Any:
        @contextlib.asynccontextmanager
        async def gateway() -> AsyncGenerator[Gateway]:
            from ..chain.gateway import BoundGateway
            from ..startup.lifecycle import running

            async with running(self._assembly) as chain:
                yield BoundGateway(chain)

        try:
            group = typer.main.get_command(command.app(gateway))
        except (Exception, SystemExit) as error:
            plugin = self._assembly.registry.plugin_of(command)
            why = f"{type(error).__name__}: {error}"
            raise StartupError(f"{plugin}: the command {command.name} cannot be made: {why}") from error
        group.name, group.help = command.name, command.summary
        return group


class _Commands(TyperGroup):
    """Every command; help lists those that can be made, and says why others cannot."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = _Every()

    def list_commands(self, ctx: Any) -> list[str]:
        del ctx
        try:
            return [name for name in self.commands if self._can_be_made(name)]
        except StartupError as error:  # help must help just when something is broken
            typer.echo(f"websearch: the commands of plugins are not listed: {error}", err=True)
            return [*_NAMES]

    def _can_be_made(self, name: str) -> bool:
        try:
            return name in self.commands
        except StartupError as error:
            typer.echo(f"websearch: {name} is not listed: {error}", err=True)
            return False


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
