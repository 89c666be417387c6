"""The `http` fetcher: one address through the guarded client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import Download, Fetcher, FetchRequest

from .meta_refresh import refreshed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from websearch_core.kit import GuardedClient

_MARKDOWN_FIRST = (
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5"
)
_HTML_FIRST = "text/html, application/xhtml+xml, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5"


class HttpFetcher(Fetcher):
    """Any public http(s) address; the guarded client sees to redirects, caps, statuses and validators.

    A page that says hardly more than where it moved to is such a redirect.
    """

    name: str = "http"

    def __init__(self, web: GuardedClient, *, accept_markdown: bool = True, accept_language: str = "*") -> None:
        self._web = web
        accept = _MARKDOWN_FIRST if accept_markdown else _HTML_FIRST
        self._headers = {"accept": accept, "accept-language": accept_language}

    def can_fetch(self, request: FetchRequest) -> bool:
        """Http and https only."""
        return request.url.lower().startswith(("http://", "https://"))

    def sends(self, request: FetchRequest) -> Mapping[str, str]:  # noqa: ARG002 - the interface
        """The same for every request."""
        return self._web.sends(self._headers)

    async def fetch(self, request: FetchRequest) -> Download:
        """The document, cut at the byte cap; status 304 when the request's validators still hold."""
        return await self._web.download(request, headers=self._headers, onward=None if request.raw else refreshed)
