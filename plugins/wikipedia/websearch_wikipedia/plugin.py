"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Fetcher, PluginContext, Settings, hookimpl


class WikipediaSettings(Settings):
    """`[plugin.wikipedia]`."""

    base_url: str = "https://{host}/w/rest.php/v1"
    """MediaWiki's REST API; `{host}` is the edition's host, for example `de.wikipedia.org`."""


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of articles."""
    from .fetcher import Wikipedia

    settings = ctx.settings(WikipediaSettings)
    yield Wikipedia(ctx, settings.base_url)
