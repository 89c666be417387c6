"""`websearch popularity`: status, check."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from websearch_core import Command, Gateway, StartupError

if TYPE_CHECKING:
    from .audit import Counts
    from .own_list import OwnList
    from .policy import PopularityPolicy, Ruling
    from .ranking import Ranking

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_EXIT_NOT_TRUSTED = 1
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_NO_SOURCE = "no list: set WEBSEARCH_POPULARITY__API_TOKEN or WEBSEARCH_POPULARITY__LIST_FILE; nobody is trusted"


class PopularityCommand(Command):
    """Shows the operator whom the policy trusts."""

    name = "popularity"
    summary = "The trust policy: what it knows, and whether it trusts a host or a page."

    def __init__(self, make: Callable[[], PopularityPolicy]) -> None:
        """`make` gives a policy that was not started."""
        self._make = make

    def app(self, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]) -> typer.Typer:
        """The sub-commands; only `status` starts the chain, whose store holds the counts."""
        app = typer.Typer(help=self.summary, no_args_is_help=True, add_completion=False)

        @app.command()
        def status(as_json: Json = False) -> None:
            """Say which lists there are, how old they are, and what the audit counted."""
            import anyio

            policy = anyio.run(self._loaded)
            lists = [_described(one) for one in policy.lists]
            counts, problem = anyio.run(partial(_counted, policy, gateway))
            if as_json:
                _print(json.dumps({"lists": lists, "audit": counts and counts._asdict(), "problem": problem}))
            else:
                _print(*map(_line, lists), *(() if lists else (_NO_SOURCE,)), _audit_line(counts, problem))

        @app.command()
        def check(
            address: Annotated[str, typer.Argument(metavar="HOST|URL", help="A host, or a page's address.")],
            as_json: Json = False,
        ) -> None:
            """Say whether a host or page is trusted where the setting `chain.trust` names the policy, and why.

            Exit code 1: it is not.
            """
            import anyio

            policy = anyio.run(self._loaded)
            ruling = policy.judge(address if _SCHEME.match(address) else f"https://{address}")
            _print(json.dumps(ruling._asdict()) if as_json else _explained(ruling))
            if not ruling.trusted:
                raise typer.Exit(_EXIT_NOT_TRUSTED)

        return app

    async def _loaded(self) -> PopularityPolicy:
        policy = self._make()
        await policy.load()
        return policy


async def _counted(
    policy: PopularityPolicy, gateway: Callable[[], AbstractAsyncContextManager[Gateway]]
) -> tuple[Counts | None, str]:
    """The counts; or why they cannot be read: another plugin may keep the chain from starting."""
    try:
        async with gateway():
            return await policy.audit.counts(), ""
    except StartupError as error:
        return None, str(error)


def _explained(ruling: Ruling) -> str:
    details = ruling._asdict()
    told = "trusted" if details.pop("trusted") else "not trusted"
    lines = [f"{told}: {details.pop('why')}", *(f"  {name}: {value}" for name, value in details.items() if value)]
    return "\n".join(lines)


def _described(one: OwnList | Ranking) -> dict[str, Any]:
    return {
        "source": one.label,
        "names": 0 if one.names is None else len(one.names),
        "date": _moment(one.fetched),
        "refresh_due": _moment(one.due),
    }


def _line(one: dict[str, Any]) -> str:
    due = f"; next refresh by {one['refresh_due']}" if one["refresh_due"] else ""
    held = f"{one['names']} names of {one['date']}{due}" if one["names"] else "nothing that may be believed"
    return f"{one['source']}: {held}"


def _audit_line(counts: Counts | None, problem: str) -> str:
    if counts is None:
        return f"audit: the counts cannot be read: {problem}"
    return f"audit: {counts.trusted} documents trusted, {counts.audited} more judged all the same"


def _moment(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _print(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
