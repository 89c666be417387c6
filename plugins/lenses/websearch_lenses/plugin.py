"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Lens, PluginContext, Resource, Settings, hookimpl


class LensesSettings(Settings):
    """`[plugin.lenses]`: which lenses there are."""

    folder: str = ""
    """Folder with lenses of your own, a TOML file each; one that is named like one of ours replaces it."""
    ours: bool = True
    """Whether there are ours, too."""
    disable: tuple[str, ...] = ()
    """Names of lenses to leave out."""


@hookimpl
def websearch_lenses(ctx: PluginContext) -> Iterator[Lens]:
    """Ours and the operator's."""
    yield from _chosen(ctx)


@hookimpl
def websearch_resources(ctx: PluginContext) -> Iterator[Resource]:
    """What there is to choose from, for people and models to read."""
    from .resources import Catalog, OneLens

    lenses = _chosen(ctx)
    yield Catalog(lenses)
    yield OneLens(lenses)


def _chosen(ctx: PluginContext) -> tuple[Lens, ...]:
    from .collection import collected

    settings = ctx.settings(LensesSettings)
    return collected(settings.folder, ours=settings.ours, disable=settings.disable)
