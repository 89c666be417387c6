"""Settings and hooks; imports little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from pydantic import Field, SecretStr, field_validator

from websearch_core import Fetcher, PluginContext, SearchBackend, Settings, hookimpl


class ExaSettings(Settings):
    """`[plugin.exa]`: the key, and how Exa is asked."""

    aliases: ClassVar[Mapping[str, str]] = {"EXA_API_KEY": "api_key"}

    api_key: SecretStr
    base_url: str = "https://api.exa.ai"
    type: Literal["auto", "fast", "instant", "lite", "deep-lite", "deep", "deep-reasoning", "neural"] = "fast"
    """How Exa searches. `fast` asks Exa's own index only, so a query goes to nobody else."""
    max_age_hours: int | None = Field(default=None, ge=-1)
    """How old Exa's copy of a page may be where the request does not say; not set: as Exa thinks best."""
    fetch: bool = True
    """Whether Exa is also asked to read pages: then it learns their addresses."""

    @field_validator("api_key")
    @classmethod
    def _key(cls, value: SecretStr) -> SecretStr:
        key = value.get_secret_value().strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("must be a key from dashboard.exa.ai: letters, digits and hyphens")
        return SecretStr(key)


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """Exa's search, when there is a key."""
    from .backend import Exa
    from .failures import explain

    settings = ctx.settings(ExaSettings)
    api = ctx.api(settings.base_url, headers={"x-api-key": settings.api_key}, explain=explain)
    yield Exa(api, ctx.clock, type=settings.type, max_age_hours=settings.max_age_hours)


@hookimpl
def websearch_fetchers(ctx: PluginContext) -> Iterator[Fetcher]:
    """Exa's reader, when there is a key and `fetch` is on."""
    from .failures import explain
    from .fetcher import ExaContents

    settings = ctx.settings(ExaSettings)
    if settings.fetch:
        api = ctx.api(settings.base_url, headers={"x-api-key": settings.api_key}, explain=explain)
        yield ExaContents(api, ctx.clock, max_age_hours=settings.max_age_hours)
