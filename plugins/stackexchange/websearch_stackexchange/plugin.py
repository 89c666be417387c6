"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from websearch_core import Fetcher, KeyPool, OptionalKeys, PluginContext, Settings, hookimpl


class StackExchangeSettings(Settings):
    """`[plugin.stackexchange]`."""

    api_key: OptionalKeys = ()
    """A key raises the day's quota from 300 requests to 10,000; it is no secret, but the quota is its owner's."""
    base_url: str = "https://api.stackexchange.com/2.3"
    max_answers: int = Field(default=30, ge=1, le=100)
    """How many answers are shown, those with the highest score."""


_PACE = (20, 1.0)
"""Whoever sends more than 30 requests a second is shut out."""


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of questions."""
    from .error_mapping import explain
    from .fetcher import StackExchange

    settings = ctx.settings(StackExchangeSettings)
    keys = KeyPool(settings.api_key, param="key") if settings.api_key else None
    api = ctx.api(settings.base_url, keys=keys, pace=_PACE, explain=explain)
    yield StackExchange(ctx, api, settings.max_answers)
