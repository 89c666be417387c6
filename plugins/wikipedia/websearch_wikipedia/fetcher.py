"""Reads an article: GET page/{title}/html, its text without the site around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from websearch_core import Download, FetchRequest, SiteReader
from websearch_core.kit import InvalidRequest

if TYPE_CHECKING:
    from websearch_core import PluginContext

# A colon without a space after it ends the name of a namespace: special pages, categories and files are more than text.
_ARTICLE = re.compile(
    r"https?://(?!www\.)(?P<edition>[a-z][a-z0-9-]{1,30})(?:\.m)?\."
    r"(?P<project>wiki(?:pedia|books|news|quote|source|versity|voyage)|wiktionary)\.org"
    r"/wiki/(?P<title>(?!(?:\.|%2E){1,2}(?:[?#]|$))(?:[^?#:]|:(?=_|%20))+)(?:\?wprov=[^&#]*)?(?:#.*)?",
    re.IGNORECASE,
)
_REACHED = re.compile(r"/page/([^/?#]+)/html(?:\?|$)")


class Wikipedia(SiteReader):
    """Articles of Wikipedia and its sister projects, in any language."""

    name = "wikipedia"

    def __init__(self, ctx: PluginContext, base_url: str) -> None:
        super().__init__(ctx)
        self._base_url = base_url.rstrip("/")

    def can_fetch(self, request: FetchRequest) -> bool:
        """Articles as they stand: no old versions, no special pages; where the caller lets the API's host be asked."""
        match = None if request.raw else _ARTICLE.fullmatch(request.url)
        if match is None:
            return False
        host = _host(match)
        return self.allows(request, f"https://{host}", self._api(host))

    async def read(self, request: FetchRequest) -> Download:
        """The article's HTML; redirects between titles are followed."""
        match = _ARTICLE.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no article of Wikipedia")
        host = _host(match)
        title = quote(unquote(match["title"]).replace(" ", "_"), safe="")
        asked = request.model_copy(update={"url": f"{self._api(host)}/page/{title}/html"})
        download = await self.download(asked, headers={"accept": "text/html"})
        reached = _REACHED.search(download.final_url)
        shown = quote(unquote(reached[1] if reached else title), safe="/:,()!'*@;")
        return download.model_copy(update={"url": request.url, "final_url": f"https://{host}/wiki/{shown}"})

    def _api(self, host: str) -> str:
        return self._base_url.replace("{host}", host)


def _host(match: re.Match[str]) -> str:
    """The edition's host, not that of its view for telephones."""
    return f"{match['edition']}.{match['project']}.org".lower()
