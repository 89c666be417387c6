"""Where a crawl begins: the pages of a sitemap, less those that have not changed since they were added."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from websearch_core import BackendError, FetchRequest

from ..index.index import Index
from ..index.page_keys import normal, origin
from . import sitemap

if TYPE_CHECKING:
    from websearch_core.kit import GuardedClient

    from ..index.library import Library

_MOST_FILES = 100
_TIMEOUT_S = 60.0


class SitemapSeeds(NamedTuple):
    """What a sitemap came to."""

    urls: tuple[str, ...]
    unchanged: int
    """Pages whose sitemap says that they have not changed since they were added."""
    elsewhere: int
    """Addresses on other sites, which a sitemap has no say about (sitemaps.org, "Sitemap file location")."""


async def of_sitemap(url: str, web: GuardedClient, library: Library) -> SitemapSeeds | None:
    """The pages of a sitemap and of those that it names; None when the address is no sitemap.

    Raises `BackendError` when the sitemap itself cannot be fetched; one that it names may fail.
    """
    site = origin(url)
    entries: dict[str, float | None] = {}
    elsewhere = 0
    files = [normal(url)]
    for number, file in enumerate(files):
        try:
            request = await web.screened(FetchRequest(url=file))  # a first address, like a redirect's target
            download = await web.download(request, max_bytes=sitemap.MAX_BYTES, timeout_s=_TIMEOUT_S)
            read = sitemap.parse(download.body)
        except (sitemap.SitemapError, BackendError) as error:
            if number:
                continue
            if isinstance(error, BackendError):
                raise
            return None
        for entry in read.pages[: sitemap.MOST_ENTRIES - len(entries)]:
            address = normal(entry.url)
            if origin(address) == site:
                entries[address] = entry.modified
            else:
                elsewhere += 1
        more = (normal(name) for name in read.sitemaps)
        files += [name for name in more if name not in files and origin(name) == site][: _MOST_FILES - len(files)]
    fresh = await library.read(lambda index: _changed(index, entries))
    return SitemapSeeds(fresh, len(entries) - len(fresh), elsewhere)


def _changed(index: Index, entries: dict[str, float | None]) -> tuple[str, ...]:
    changed: list[str] = []
    for url, modified in entries.items():
        known = index.copies("url = ?", (url,), 1) if modified is not None else []
        if not known or modified is None or modified > known[0].fetched_at:
            changed.append(url)
    return tuple(changed)
