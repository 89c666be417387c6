"""Reads a paper: GET html/{id}, else pdf/{id}; abs/{id} says who wrote it and when."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websearch_core import BackendError, Download, FetchRequest, SiteReader
from websearch_core.kit import InvalidRequest, NotFound, Refused

if TYPE_CHECKING:
    from websearch_core import PluginContext

# https://info.arxiv.org/help/arxiv_identifier.html
_PAPER = re.compile(
    r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/"
    r"(?P<id>(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]{1,3})?)(?:\.pdf)?/?(?:[?#].*)?"
)
_META = re.compile(r'<meta\s+name="citation_(title|author|date)"\s+content="([^"<>]{1,2000})"', re.IGNORECASE)
_HEAD = re.compile(rb"<head(?:\s[^>]*)?>", re.IGNORECASE)
_NONE = re.compile(rb"<h1[^<>]*>\s*No HTML for '", re.IGNORECASE)
"""arXiv's page for a paper without HTML, should it come with another status than 404."""
_ABSTRACT_BYTES = 500_000


class Arxiv(SiteReader):
    """Papers by the address of their abstract or their PDF."""

    name = "arxiv"

    def __init__(self, ctx: PluginContext, base_url: str) -> None:
        super().__init__(ctx)
        self._base_url = base_url.rstrip("/")

    def can_fetch(self, request: FetchRequest) -> bool:
        """Abstracts and PDFs of papers, where the caller lets arXiv's host be asked."""
        return not request.raw and _PAPER.fullmatch(request.url) is not None and self.allows(request, self._base_url)

    async def read(self, request: FetchRequest) -> Download:
        """The whole paper: as HTML with its metadata, or as PDF where there is no HTML."""
        match = _PAPER.fullmatch(request.url)
        if match is None:
            raise InvalidRequest("this is no paper of arXiv")
        try:
            paper = await self._get(request, f"html/{match['id']}")
            if _NONE.search(paper.body, 0, 50_000):
                raise NotFound
        except NotFound:
            paper = await self._get(_plain(request), f"pdf/{match['id']}")
        else:
            if paper.status == 200:
                paper = paper.model_copy(
                    update={"body": _headed(paper.body, await self._metadata(request, match["id"]))}
                )
        return paper.model_copy(update={"url": request.url})

    async def _get(self, request: FetchRequest, path: str, max_bytes: int | None = None) -> Download:
        asked = request.model_copy(update={"url": f"{self._base_url}/{path}"})
        return await self.download(asked, max_bytes=max_bytes)

    async def _metadata(self, request: FetchRequest, paper: str) -> str:
        """Title, authors and date as elements for a page's head; nothing when they cannot be had."""
        try:
            abstract = await self._get(_plain(request), f"abs/{paper}", _ABSTRACT_BYTES)
        except Refused:
            raise
        except BackendError:
            return ""
        found = _META.findall(abstract.body.decode("utf-8", "replace"))
        authors = [" ".join(reversed(value.split(", ", 1))) for name, value in found if name == "author"]
        fields = [("author", ", ".join(authors)), ("og:site_name", "arXiv"), ("og:type", "article")]
        fields += [("og:title", value) for name, value in found if name == "title"]
        fields += [("article:published_time", value.replace("/", "-")) for name, value in found if name == "date"]
        # the values are as they stood between such quotes
        return "".join(f'<meta property="{name}" content="{value}">' for name, value in fields if value)


def _plain(request: FetchRequest) -> FetchRequest:
    """Without validators: they are of another document of the paper."""
    return request.model_copy(update={"etag": "", "last_modified": ""})


def _headed(page: bytes, metadata: str) -> bytes:
    """The page with these elements at the beginning of its head."""
    head = _HEAD.search(page, 0, 5_000)
    at = head.end() if head else 0
    return page[:at] + metadata.encode() + page[at:] if head else page
