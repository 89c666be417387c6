"""Kept pages that their site confirms: `If-None-Match` and `If-Modified-Since` (RFC 9110, §13.1), and the 304."""

from __future__ import annotations

from ...contract.errors import BackendError, UnexpectedResponse
from ...contract.models import Download, FetchRequest, Page
from ...net.urls import parse
from ..source.answer_cache import CachedPage


def validators(request: FetchRequest, kept: CachedPage | None, fetcher: str) -> FetchRequest:
    """The request to this fetcher, with the kept copy's validators and no others.

    A copy that a redirect led to has those of another address, one of another fetcher may have those of another
    document: they mean nothing to the site that is asked.
    """
    page = kept.page if kept and kept.by == fetcher else None
    if page and not _same(page.reached, request.url):
        page = None
    wanted = {"etag": page.etag if page else "", "last_modified": page.last_modified if page else ""}
    return request.model_copy(update=wanted)


def renewed(kept: CachedPage | None, request: FetchRequest, download: Download) -> Page:
    """The kept page after a 304. Raises `UnexpectedResponse` when the request carried no validators."""
    if kept is None or kept.page is None or not (request.etag or request.last_modified):
        raise UnexpectedResponse("status")
    headers = download.headers
    changes = {
        "fetched_at": download.fetched_at,
        "etag": headers.get("etag", "") or kept.page.etag,
        "last_modified": headers.get("last-modified", "") or kept.page.last_modified,
    }
    return kept.page.model_copy(update=changes)


def _same(one: str, other: str) -> bool:
    """Whether two spellings are of one address."""
    try:
        return parse(one) == parse(other)
    except BackendError:
        return False
