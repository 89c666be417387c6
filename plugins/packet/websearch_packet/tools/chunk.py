"""The tool `chunk`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field, model_validator

from websearch_core import Gateway, Tool, ToolOutput
from websearch_core.kit import Workers, estimate_tokens, marked_slice

from ..choices import Strategy
from ..packets.packet_store import PacketStore
from .packet_input import Given, source_of

if TYPE_CHECKING:
    from ..text.chunks import Chunk

_LONG = 10_000
"""Characters: a longer text is cut in a worker."""
_LINE = 100
"""Tokens for the line over a chunk and those at the end."""
_SMALLEST = 50
_LONGEST_PATH = 200


class ChunkCall(BaseModel, defer_build=True):
    """How to cut."""

    source_id: str | None = Field(default=None, description="of a packet fetched before", max_length=64)
    packet: Given | None = Field(default=None, description="or the packet itself")
    max_tokens: int = Field(default=4000, ge=_SMALLEST, le=100_000, description="of a chunk")
    margin_ratio: float = Field(default=0.1, ge=0, le=0.5, description="of max_tokens, left free")
    overlap_tokens: int = Field(default=0, ge=0, le=10_000, description="of the chunk before, said again")
    strategy: Strategy = Field(default="headings_first", description="a new chunk at each heading, or few of one size")
    first: int = Field(default=0, ge=0, description="begin with this chunk: next_chunk of a shortened answer")

    @model_validator(mode="after")
    def _one(self) -> ChunkCall:
        if (self.source_id is None) == (self.packet is None):
            raise ValueError("give one of source_id and packet")
        return self


class ChunkTool(Tool):
    """A page in pieces."""

    name = "chunk"
    title = "Cut a page into chunks"
    description = (
        "Cuts a fetched page (packet) into chunks of so many tokens at headings and paragraphs; code and tables stay "
        "whole. Each chunk has its place in the page."
    )
    arguments = ChunkCall
    optional = True
    stays = frozenset({"packet"})

    def __init__(self, kept: PacketStore, workers: Workers, tokens: float) -> None:
        """`tokens`: what an answer may cost."""
        self._kept = kept
        self._workers = workers
        self._tokens = tokens

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        """Chunks, as many as fit into an answer."""
        call = ChunkCall.model_validate(arguments)
        source = await source_of(call.source_id, call.packet, self._kept, gateway)
        room = min(self._tokens, gateway.answer_tokens)
        # a chunk that no answer can hold could never be read to its end
        most = min(call.max_tokens, max(int(room) - _LINE, _SMALLEST))
        how = (source.content, most, call.margin_ratio, call.overlap_tokens, call.strategy)
        chunks = await self._workers.run(_cut, *how) if len(source.content) >= _LONG else _cut(*how)
        shown: list[Chunk] = []
        lines: list[str] = []
        left = room - _LINE
        for number, chunk in enumerate(chunks[call.first :], call.first):
            about = [f"{source.source_id}:c{number}", _shortened(chunk.path), f"{chunk.tokens} tokens"]
            line = f"[{' · '.join(about)}]\n{chunk.text}"
            left -= estimate_tokens(line) + 2
            if left < 0 and shown:
                break
            shown.append(chunk)
            lines.append(line)
        following = call.first + len(shown)
        data = {
            "source_id": source.source_id,
            "original_url": source.url,
            "strategy": call.strategy,
            "max_tokens": most,
            "total_chunks": len(chunks),
            "total_est_tokens": sum(chunk.tokens for chunk in chunks),
            "chunks": [_row(source.source_id, call.first + n, chunk) for n, chunk in enumerate(shown)],
            **({"next_chunk": following} if following < len(chunks) else {}),
        }
        if most < call.max_tokens:
            lines.append(f"[max_tokens is {most} here: an answer holds no longer chunk]")
        if following < len(chunks):
            lines.append(f"[{following} of {len(chunks)} chunks; continue with first={following}]")
        return ToolOutput(text="\n\n".join(lines) or "(no chunks)", structured=data, untrusted=True)


def _cut(content: str, max_tokens: int, margin: float, overlap: int, strategy: Strategy) -> list[Chunk]:
    from ..text.chunks import chunks_of

    return chunks_of(content, max_tokens, margin=margin, overlap=overlap, strategy=strategy)


def _shortened(path: Sequence[str]) -> str:
    """The headings: it is the page that decides how long they are."""
    text = " > ".join(path)
    return text if len(text) <= _LONGEST_PATH else f"…{marked_slice(text, len(text) - _LONGEST_PATH)}"


def _row(source_id: str, number: int, chunk: Chunk) -> dict[str, object]:
    return {
        "chunk_id": f"{source_id}:c{number}",
        "chunk_index": number,
        "headings_path": " > ".join(chunk.path),
        "est_tokens": chunk.tokens,
        "text": chunk.text,
        "char_len": len(chunk.text),
        "start": chunk.start,
        "end": chunk.end,
        "overlap_chars": chunk.overlap,
    }
