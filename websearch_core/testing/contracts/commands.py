"""The contract of sub-commands: they explain themselves without starting anything."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractAsyncContextManager

from websearch_core.contract.context import PluginContext
from websearch_core.contract.mcp_components import Command, Gateway

from .contract import Contract


class CommandContract(Contract[Command]):
    """For a command; add tests of what it does."""

    @abstractmethod
    def command(self, ctx: PluginContext) -> Command:
        """The command, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Command:
        """The command."""
        return self.command(ctx)

    async def test_help_explains_every_word_and_starts_nothing(self, made: Command) -> None:
        """`--help` of the command and of each of its sub-commands."""
        from typer.main import get_command
        from typer.testing import CliRunner

        def gateway() -> AbstractAsyncContextManager[Gateway]:
            raise AssertionError("help must not start the chain")

        assert made.summary
        app = made.app(gateway)
        words = sorted(getattr(get_command(app), "commands", {}))
        for arguments in ([], *([word] for word in words)):
            result = CliRunner().invoke(app, [*arguments, "--help"])
            assert result.exit_code == 0, f"{made.name} {' '.join(arguments)} --help: {result.output}"
            assert "--help" in result.output
