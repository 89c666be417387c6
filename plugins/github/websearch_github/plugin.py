"""Settings and hooks; imports little."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from websearch_core import Fetcher, KeyPool, OptionalKeys, PluginContext, Settings, hookimpl


class GitHubSettings(Settings):
    """`[plugin.github]`."""

    # no alias for GITHUB_TOKEN: what happens to lie about may open private repositories
    token: OptionalKeys = ()
    """Raises the API's limit from 60 requests an hour to 5,000. Whatever it may read, every caller may read."""
    api_url: str = "https://api.github.com"
    raw_url: str = "https://raw.githubusercontent.com"


_HEADERS = {"accept": "application/vnd.github+json", "x-github-api-version": "2022-11-28"}


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """The reader of repositories, files, threads and gists."""
    from .error_mapping import explain
    from .fetcher import GitHub

    settings = ctx.settings(GitHubSettings)
    keys = KeyPool(settings.token, header="authorization", prefix="Bearer ") if settings.token else None
    api = ctx.api(settings.api_url, headers=_HEADERS, keys=keys, explain=functools.partial(explain, settings.api_url))
    raw = ctx.api(settings.raw_url, explain=functools.partial(explain, settings.raw_url))
    yield GitHub(ctx, api, raw)
