"""Cloudflare Radar, asked for one of its lists of popular domains."""

from __future__ import annotations

from websearch_core import EngineClient
from websearch_core.kit import UnexpectedResponse

TIMEOUT_S = 120.0
MAX_BYTES = 64 * 1024 * 1024
"""A larger answer is an error: half a list would look like a whole one."""


class RadarClient:
    """`await radar()`: the list as CSV, one column."""

    def __init__(self, api: EngineClient, bucket: int) -> None:
        self._api = api
        self._path = f"client/v4/radar/datasets/ranking_top_{bucket}"

    async def __call__(self) -> bytes:
        """Raises `BackendError`."""
        response = await self._api.get(self._path, headers={"accept": "text/csv"}, timeout_s=TIMEOUT_S)
        if response.headers.get("content-type", "").startswith(("text/html", "application/json")):
            raise UnexpectedResponse("body", "the answer is not a list")
        return response.content
