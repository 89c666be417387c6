"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field, field_validator

from websearch_core import KeyPool, Keys, PluginContext, SearchBackend, Settings, hookimpl
from websearch_core.kit import web_address


class BraveSettings(Settings):
    """`[plugin.brave]`: the key, and how Brave is asked."""

    aliases: ClassVar[Mapping[str, str]] = {"BRAVE_API_KEY": "api_key", "LMCP_BRAVE_API_KEY": "api_key"}

    api_key: Keys
    base_url: str = "https://api.search.brave.com/res/v1"
    extra_snippets: bool | None = None
    """Up to five more excerpts a result. Not set: Brave adds them where the plan has them. True insists, and a plan
    without them then refuses every search; False does without."""
    goggles: tuple[str, ...] = ()
    """Addresses of goggles (rules that re-rank results) that go with every search of web pages and news."""
    llm_context: bool = True
    """Whether the endpoint LLM context is asked where a request wants the pages' text: it takes the Search plan."""
    usd_per_unit: float = Field(default=0.005, ge=0, le=1000, allow_inf_nan=False)
    """What a request costs: Brave never says it."""

    @field_validator("goggles")
    @classmethod
    def _hosted(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > 3:
            raise ValueError("Brave takes at most three")
        if not all(goggle.startswith("https://") and web_address(goggle) == goggle for goggle in value):
            raise ValueError('each must be an https address, for example "https://example.com/my.goggle"')
        return value


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Brave's search, when there is a key."""
    settings = ctx.settings(BraveSettings)
    from .backend import Brave
    from .error_mapping import explain, explain_llm_context
    from .request_params import Habits

    keys = KeyPool(settings.api_key, header="x-subscription-token")
    yield Brave(
        ctx.api(settings.base_url, keys=keys, explain=explain),
        ctx.clock,
        Habits(goggles=settings.goggles, extra_snippets=settings.extra_snippets),
        # a client of its own: a key that this plan refuses is still good for the other
        llm_context=ctx.api(settings.base_url, keys=keys, explain=explain_llm_context)
        if settings.llm_context
        else None,
        usd_per_unit=settings.usd_per_unit,
    )
