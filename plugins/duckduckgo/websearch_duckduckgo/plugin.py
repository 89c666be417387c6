"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field, field_validator

from websearch_core import PluginContext, SearchBackend, Settings, hookimpl

USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
"""One browser's, always the same: from query and User-Agent DuckDuckGo makes the token that leads to further pages."""

PACE = (1, 2.0)
"""One request in two seconds for each of the two pages. DuckDuckGo publishes no limit; what others report is that
requests which follow one another faster than a person could click bring a challenge, and that it then lasts an hour."""


class DuckDuckGoSettings(Settings):
    """`[plugin.duckduckgo]`: everything has a default."""

    html_url: str = "https://html.duckduckgo.com"
    """Where the page for browsers without JavaScript is; `/html/` is added."""
    lite_url: str = "https://lite.duckduckgo.com"
    """Where the page for the smallest browsers is; `/lite/` is added."""
    lite: bool = True
    """Try the lite page when the html page fails or looks unlike itself; never after a challenge."""
    max_pages: int = Field(default=2, ge=1, le=3)
    """How many pages of results one search may ask for: 10 results on the first, about 15 on each further one."""
    user_agent: str = USER_AGENT
    """What we call ourselves."""

    @field_validator("user_agent")
    @classmethod
    def _header(cls, value: str) -> str:
        if not value.strip() or not value.isascii() or not value.isprintable():
            raise ValueError("must be a line of printable ASCII")
        return value.strip()


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """DuckDuckGo, which needs no key."""
    from .backend import DuckDuckGo
    from .error_mapping import explain
    from .request_params import standing_headers

    settings = ctx.settings(DuckDuckGoSettings)
    addresses = (settings.html_url, settings.lite_url) if settings.lite else (settings.html_url,)
    clients = [
        ctx.api(url, headers=standing_headers(url, settings.user_agent), pace=PACE, explain=explain)
        for url in addresses
    ]
    yield DuckDuckGo(*clients, max_pages=settings.max_pages)
