"""Packets that are kept, as MCP resources of the tenant that made them."""

# ruff: noqa: ARG002 - the signatures are the interface's
from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from websearch_core import Gateway, Resource
from websearch_core.kit import NotFound, ResourceLink

from .packets.packet_maker import SCHEME
from .packets.packet_store import PacketStore

_ID = re.compile(r"[0-9a-f]{16}")
_ABOUT = {
    "packet": ("application/json", "A page that was fetched as a packet, whole."),
    "content": ("text/markdown", "The same page's Markdown alone."),
    "normalized": ("application/json", "The packet without its hashes."),
    "screenshot": ("image/png", "How the page looked, where a picture was taken."),
}


class PacketResource(Resource):
    """One kind of what is kept of a page: `webfetch://packet/{source_id}`."""

    def __init__(self, kept: PacketStore, kind: str) -> None:
        self._kept = kept
        self._kind = kind
        self.name = f"webfetch-{kind}"
        self.uri = f"{SCHEME}{kind}/{{source_id}}"
        self.title = f"Fetched page: {kind}"
        self.media_type, self.description = _ABOUT[kind]

    async def read(self, uri: str, gateway: Gateway) -> str | bytes:
        """JSON, Markdown or PNG. Raises `NotFound`, also for another tenant's."""
        source_id = uri.removeprefix(f"{SCHEME}{self._kind}/")
        if not _ID.fullmatch(source_id):
            raise NotFound
        if self._kind == "screenshot":
            found = await self._kept.screenshot(gateway.caller, source_id)
            if not found:
                raise NotFound
            return found
        packet = await self._kept.packet(gateway.caller, source_id)
        if packet is None:
            raise NotFound
        if self._kind == "content":
            return packet.content
        data = packet.data()
        if self._kind == "normalized":
            data.pop("hashes")
        return json.dumps(data, ensure_ascii=False)

    async def listed(self, gateway: Gateway) -> Sequence[ResourceLink]:
        """The packets alone: the other kinds have the same names."""
        if self._kind != "packet":
            return ()
        return [
            ResourceLink(
                uri=f"{SCHEME}packet/{one.source_id}",
                name=one.source_id,
                title=one.title or one.url,
                description=f"Fetched from {urlsplit(one.url).hostname or 'bytes'} at {one.retrieved_at}",
                media_type=self.media_type,
                size=one.size,
                modified=datetime.fromisoformat(one.retrieved_at) if one.retrieved_at else None,
            )
            for one in await self._kept.entries(gateway.caller)
        ]

    async def complete(self, argument: str, prefix: str, gateway: Gateway) -> Sequence[str]:
        """The names of this tenant's packets, the newest first."""
        entries = await self._kept.entries(gateway.caller)
        return [one.source_id for one in entries if one.screenshot or self._kind != "screenshot"]
