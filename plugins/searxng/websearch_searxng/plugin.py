"""Settings and hooks; imports little."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator

from websearch_core import PluginContext, SearchBackend, Settings, hookimpl


class SearxngSettings(Settings):
    """`[plugin.searxng]`: where SearXNG is, and how to log in there."""

    aliases: ClassVar[Mapping[str, str]] = {"SEARXNG_URL": "base_url", "LMCP_SEARXNG_URL": "base_url"}

    base_url: str = Field(min_length=1)
    """The address of SearXNG's start page, for example `http://127.0.0.1:8888` or `https://example.com/searxng`."""
    username: str = ""
    """HTTP Basic, together with `password`."""
    password: SecretStr = SecretStr("")
    header_name: str = ""
    """A header that a proxy before SearXNG asks for, together with `header_value`."""
    header_value: SecretStr = SecretStr("")
    method: Literal["POST", "GET"] = "POST"
    """POST keeps queries out of the access logs between us and SearXNG, and has no limit on their length."""
    max_pages: int = Field(default=5, ge=1, le=5)
    """How many pages of results one search may ask for, one after the other."""
    sites: int = Field(default=0, ge=0, le=20)
    """How many `site:` terms of one query the engines behind it understand; 0: domains are only checked."""

    @field_validator("header_name")
    @classmethod
    def _header(cls, value: str) -> str:
        if value and not re.fullmatch(r"[A-Za-z0-9-]+", value):
            raise ValueError('must be the name of a header, for example "X-Api-Key"')
        return value

    @model_validator(mode="after")
    def _pairs(self) -> Self:
        if bool(self.username) != bool(self.password.get_secret_value()):
            raise ValueError("username and password belong together: set both or neither")
        if bool(self.header_name) != bool(self.header_value.get_secret_value()):
            raise ValueError("header_name and header_value belong together: set both or neither")
        return self


@hookimpl
def websearch_search_backends(ctx: PluginContext) -> Iterator[SearchBackend]:
    """SearXNG, when `base_url` is set."""
    settings = ctx.settings(SearxngSettings)
    from .backend import Searxng
    from .error_mapping import explain

    api = ctx.api(
        settings.base_url,
        headers={settings.header_name: settings.header_value} if settings.header_name else None,
        auth=(settings.username, settings.password) if settings.username else None,
        explain=explain,
    )
    yield Searxng(api, ctx.clock, method=settings.method, max_pages=settings.max_pages, sites=settings.sites)
