"""The lenses as MCP resources: what there is to choose from, and each one whole."""

# ruff: noqa: ARG002 - the signatures are the interface's

from __future__ import annotations

from collections.abc import Sequence

from websearch_core import Gateway, Lens, Resource
from websearch_core.kit import NotFound

from .files import CATALOG

SHOWN = 8
"""So many sites of each lens are in the catalogue, which a model reads at once; the rest is at the lens's address."""
_SCHEME = "lenses://"
_USE = (
    "Give a lens's name as `lens` to `search`: then only pages of its sites are returned. "
    "An engine without a domain filter may find few."
)


class Catalog(Resource):
    """Every lens, with its purpose and first sites."""

    name = "lenses-catalog"
    uri = f"{_SCHEME}{CATALOG}"
    title = "Lenses"
    description = "Named sets of sites for the search tool: their purposes and sites."
    priority = 40
    """Before the template, which its address fits, too."""

    def __init__(self, lenses: Sequence[Lens]) -> None:
        rows = [f"| {lens.name} | {_cell(lens.description)} | {_sites(lens)} |" for lens in lenses]
        self._text = "\n".join(["# Lenses", "", _USE, "", "| lens | for | sites |", "|---|---|---|", *rows, ""])

    async def read(self, uri: str, gateway: Gateway) -> str:
        """A Markdown table."""
        return self._text


class OneLens(Resource):
    """One lens, whole."""

    name = "lenses-lens"
    uri = f"{_SCHEME}{{name}}"
    title = "Lens"
    description = "One lens: its purpose and every site."

    def __init__(self, lenses: Sequence[Lens]) -> None:
        self._lenses = {lens.name: lens for lens in lenses}

    async def read(self, uri: str, gateway: Gateway) -> str:
        """Markdown. Raises `NotFound`."""
        lens = self._lenses.get(uri.removeprefix(_SCHEME))
        if lens is None:
            raise NotFound("there is no such lens")
        lines = [f"# {lens.name}", "", lens.description, ""]
        lines += [f"- `{domain}`" for domain in lens.domains]
        if lens.goggle:
            lines += ["", f"Goggle: <{lens.goggle}>"]
        return "\n".join([*lines, ""])

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        """The lenses' names."""
        return [name for name in self._lenses if name.startswith(prefix.lower())]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sites(lens: Lens) -> str:
    shown, more = lens.domains[:SHOWN], len(lens.domains) - SHOWN
    sites = f"`{', '.join(shown)}`" if shown else "those of its goggle"
    return f"{sites} and {more} more" if more > 0 else sites
