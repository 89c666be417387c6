"""Hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from websearch_core import Fetcher, PluginContext, hookimpl

from .settings import BrowserSettings


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The browser, where there is one."""
    from .chromium.installation import found
    from .fetcher import BrowserFetcher

    settings = ctx.settings(BrowserSettings)
    yield BrowserFetcher(ctx, settings, found(settings))
