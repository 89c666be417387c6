"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Fetcher, PluginContext, Settings, hookimpl


class ArxivSettings(Settings):
    """`[plugin.arxiv]`."""

    base_url: str = "https://arxiv.org"
    """arXiv, or a mirror with the same paths."""


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of papers."""
    from .fetcher import Arxiv

    settings = ctx.settings(ArxivSettings)
    yield Arxiv(ctx, settings.base_url)
