"""`fetch(output="packet")`."""

from __future__ import annotations

from websearch_core import Gateway, Output, ToolOutput
from websearch_core.kit import FetchAnswer

from .packets.packet_maker import PacketMaker


class PacketOutput(Output):
    """The page with all that is known of it."""

    name = "packet"
    description = "with metadata, outline, blocks, citations, warnings and a source_id"

    def __init__(self, packing: PacketMaker) -> None:
        self._packing = packing

    async def of(self, answer: FetchAnswer, gateway: Gateway, tokens: float) -> ToolOutput:
        """The packet."""
        return await self._packing.output(await self._packing.packet(answer, gateway), tokens)
