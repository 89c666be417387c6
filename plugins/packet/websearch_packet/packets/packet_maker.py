"""From an answer to a packet that is kept: what `fetch` and `extract` share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from websearch_core import Clock, Gateway, ToolOutput
from websearch_core.kit import FetchAnswer, ResourceLink, Workers

from .packet_store import PacketStore

if TYPE_CHECKING:
    from .packet import Packet

LONG = 12_000
"""Characters: longer pages are taken apart in a worker."""
SCHEME = "webfetch://"
KINDS = ("packet", "content", "normalized", "screenshot")


class PacketMaker:
    """Makes packets, keeps them, and shows them in so many tokens."""

    def __init__(self, kept: PacketStore, clock: Clock, workers: Workers) -> None:
        self._kept = kept
        self._clock = clock
        self._workers = workers

    async def packet(self, answer: FetchAnswer, gateway: Gateway, *, raw_excerpt: str | None = None) -> Packet:
        """The whole packet, kept for the caller's tenant."""
        from .builder import address_of, packet_of, parts_of

        page = answer.page
        given = (page.body, page.outline, address_of(page))
        parts = await self._workers.run(parts_of, *given) if len(page.body) >= LONG else parts_of(*given)
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        packet = packet_of(answer, parts, now=now)
        kinds = KINDS if page.screenshot else KINDS[:-1]
        resources = {kind: f"{SCHEME}{kind}/{packet.source_id}" for kind in kinds}
        packet = packet.model_copy(update={"resources": resources, "raw_excerpt": raw_excerpt})
        if await self._kept.keep(gateway.caller, packet, page.screenshot):
            return packet
        return packet.model_copy(update={"resources": {}})

    async def output(self, packet: Packet, tokens: float) -> ToolOutput:
        """The packet as an answer; where it does not fit, with links to the whole."""
        if len(packet.content) >= LONG:
            data, (text, end) = await self._workers.run(_both, packet, tokens)
        else:
            data, (text, end) = _both(packet, tokens)
        end = min(end, len(data.content))
        whole = end >= packet.content_chars
        return ToolOutput(
            text=text,
            structured=data.data(),
            links=() if whole else links_of(packet),
            next_offset=None if whole else end,
            untrusted=True,
        )


def links_of(packet: Packet) -> tuple[ResourceLink, ...]:
    """The packet and its content, where they are kept."""
    types = {"packet": "application/json", "content": "text/markdown", "screenshot": "image/png"}
    return tuple(
        ResourceLink(uri=uri, name=f"{kind} {packet.source_id}", media_type=types[kind])
        for kind, uri in packet.resources.items()
        if kind in types
    )


def _both(packet: Packet, tokens: float) -> tuple[Packet, tuple[str, int]]:
    from .token_budget import fitted, shown

    return fitted(packet, tokens), shown(packet, tokens)
