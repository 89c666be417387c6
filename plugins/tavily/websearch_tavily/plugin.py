"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from websearch_core import Fetcher, KeyPool, OptionalKeys, PluginContext, SearchBackend, Settings, hookimpl

if TYPE_CHECKING:
    from websearch_core import EngineClient


class TavilySettings(Settings):
    """`[plugin.tavily]`: the keys, if there are some, and how Tavily is asked."""

    aliases: ClassVar[Mapping[str, str]] = {
        "TAVILY_API_KEY": "api_key",
        "LMCP_TAVILY_API_KEY": "api_key",
        "TAVILY_PROJECT": "project",
    }

    api_key: OptionalKeys = ()
    """One key or several. Without any, Tavily is asked keyless: free, for little use."""
    base_url: str = "https://api.tavily.com"
    search_depth: Literal["basic", "advanced", "fast", "ultra-fast"] = "basic"
    """How thoroughly Tavily searches; `advanced` costs twice as much."""
    fetch: bool | None = None
    """Whether Tavily is also asked to read pages: then it learns their addresses. Not set: only with a key."""
    extract_depth: Literal["basic", "advanced"] = "basic"
    """How thoroughly Tavily reads a page; `advanced` costs twice as much."""
    usd_per_unit: float = Field(default=0.008, ge=0, le=1000, allow_inf_nan=False)
    """US dollars that a credit costs."""
    project: str = Field(default="", pattern=r"^[!-~]{0,200}$")
    """The project that Tavily books the calls on; only with a key."""


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Tavily's search, with a key or without one."""
    from .backend import Tavily

    settings = ctx.settings(TavilySettings)
    yield Tavily(
        _api(ctx, settings),
        ctx.clock,
        depth=settings.search_depth,
        keyless=not settings.api_key,
        usd_per_unit=settings.usd_per_unit,
    )


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """Tavily's reader, when `fetch` is on; without a key only when the operator says so."""
    from .fetcher import TavilyExtract

    settings = ctx.settings(TavilySettings)
    if settings.fetch or (settings.fetch is None and settings.api_key):
        yield TavilyExtract(
            _api(ctx, settings),
            depth=settings.extract_depth,
            keyless=not settings.api_key,
            usd_per_unit=settings.usd_per_unit,
        )


def _api(ctx: PluginContext, settings: TavilySettings) -> EngineClient:
    """The engine client: with the keys, or without an account. Never both."""
    from .error_mapping import explain, explain_keyless

    if not settings.api_key:
        return ctx.api(settings.base_url, headers={"x-tavily-access-mode": "keyless"}, explain=explain_keyless)
    return ctx.api(
        settings.base_url,
        headers={"x-project-id": settings.project} if settings.project else None,
        keys=KeyPool(settings.api_key, header="authorization", prefix="Bearer "),
        explain=explain,
    )
