"""The guarded door for what `add` asks for besides pages: a first address is screened like a redirect's target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websearch_core import FetchRequest

if TYPE_CHECKING:
    from websearch_core import Download, Web


async def screened(web: Web, url: str) -> FetchRequest:
    """The request as the filters of the running chain leave it. Raises `BackendError` when they block it."""
    return await web.screened(FetchRequest(url=url))


async def download(web: Web, url: str, *, max_bytes: int, timeout_s: float) -> Download:
    """The raw bytes of a screened address. Raises `BackendError`."""
    return await web.download(await screened(web, url), max_bytes=max_bytes, timeout_s=timeout_s)
