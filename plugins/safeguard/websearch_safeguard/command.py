"""`websearch policies`: what the policy model is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated

import typer

from websearch_core import Command, Gateway, StartupError

if TYPE_CHECKING:
    from .policies import Policy


class PoliciesCommand(Command):
    """Reads the files and asks nobody."""

    name = "policies"
    summary = "The policies by which the policy model judges: version, hash, source, categories."

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def app(self, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]) -> typer.Typer:  # noqa: ARG002 - needs no chain
        """One command with two options."""
        app = typer.Typer(help=self.summary, add_completion=False)

        @app.command(help=self.summary)
        def policies(
            identity: Annotated[str, typer.Argument(metavar="[ID]", help="Only this one.")] = "",
            text: Annotated[bool, typer.Option("--text", help="Print what the model is told, word for word.")] = False,
            as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
        ) -> None:
            from .policies import every

            try:
                found = [policy for policy in every(self._folder) if identity in ("", policy.id)]
            except StartupError as error:
                typer.echo(f"websearch: {error}", err=True)
                raise typer.Exit(2) from None
            if not found:
                typer.echo("websearch: there is no policy of this name", err=True)
                raise typer.Exit(1)
            if as_json:
                typer.echo(json.dumps([_summary(policy, text=text) for policy in found], indent=2, ensure_ascii=False))
                return
            typer.echo("\n\n".join(_shown(policy, text=text) for policy in found))

        return app


def _summary(policy: Policy, *, text: bool) -> dict[str, object]:
    said: dict[str, object] = {
        "id": policy.id,
        "version": policy.version,
        "family": policy.family,
        "hash": policy.hash,
        "source": policy.source,
        "categories": dict(policy.categories),
    }
    return {**said, "text": policy.prompt} if text else said


def _shown(policy: Policy, *, text: bool) -> str:
    head = f"{policy.id}  version {policy.version}  family {policy.family}  hash {policy.hash}  from {policy.source}"
    if text:
        return f"{head}\n\n{policy.prompt}"
    width = max(map(len, policy.categories))
    return "\n".join((head, *(f"  {name:<{width}}  {about}" for name, about in policy.categories.items())))
