"""Cloudflare Radar, asked for one of its lists of popular domains."""

from __future__ import annotations

from websearch_core import EngineClient
from websearch_core.kit import UnexpectedResponse

TIMEOUT_S = 120.0
MAX_BYTES = 64 * 1024 * 1024
"""A larger answer is an error: half a list would look like a whole one."""


async def radar_ranking(api: EngineClient, bucket: int) -> bytes:
    """The `bucket` most popular domains as CSV, one column. Raises `BackendError`."""
    path = f"client/v4/radar/datasets/ranking_top_{bucket}"
    response = await api.get(path, headers={"accept": "text/csv"}, timeout_s=TIMEOUT_S)
    if response.headers.get("content-type", "").startswith(("text/html", "application/json")):
        raise UnexpectedResponse("body", "the answer is not a list")
    return response.content
