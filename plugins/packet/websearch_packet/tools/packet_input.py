"""What the tools work on: a packet that is kept, or one that the caller gives."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, Field

from websearch_core import Gateway, Page
from websearch_core.kit import InvalidRequest, NotFound, unmarked

from ..packets.packet_store import PacketStore

_BEGINNING = 40
"""Characters by which a chunk is found again in the whole."""
_SHORTEST = 12
"""Characters that one chunk ends and the next begins with, at least, to be taken for a repetition."""


class Given(BaseModel, defer_build=True):
    """A packet, as far as it is needed; more is ignored."""

    content: str = Field(min_length=1, max_length=2_000_000)
    source_id: str = Field(default="", max_length=64)
    original_url: str = Field(default="", max_length=8192)


_CHUNK: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
"""What is published of a chunk."""


class GivenChunks(BaseModel, defer_build=True):
    """A set of chunks, as the tool chunk gives it; each may be a plain text, too."""

    chunks: list[Any] = Field(min_length=1, max_length=5000, json_schema_extra={"items": _CHUNK})
    source_id: str = Field(default="", max_length=64)
    original_url: str = Field(default="", max_length=8192)


class PacketText(NamedTuple):
    """A text and where it came from."""

    content: str
    source_id: str
    url: str

    def parts(self, chunks: Sequence[Any]) -> tuple[int, ...]:
        """Where the second and later of the chunks begin that the text was joined of: each is looked for by its words.

        One that the filters changed at its beginning belongs to the one before it.
        """
        places: list[int] = []
        at = 0
        for chunk in chunks[1:]:
            begin = unmarked(_text_of(chunk)).strip()[:_BEGINNING]
            if begin and (found := self.content.find(begin, at + 1)) >= 0:
                at = found
                places.append(at)
        return tuple(places)


async def source_of(source_id: str | None, given: Given | None, kept: PacketStore, gateway: Gateway) -> PacketText:
    """The content of a kept packet, or what was given, judged like a page. Raises `BackendError`."""
    if source_id:
        packet = await kept.packet(gateway.caller, source_id.strip())
        if packet is None:
            raise NotFound("no packet with this source_id is kept; fetch the page again with output packet")
        return PacketText(packet.content, packet.source_id, packet.original_url)
    if given is None:
        raise InvalidRequest("give source_id or packet")
    content = unmarked(given.content)  # it is judged anew
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    name = given.source_id or digest[:16]
    # whose text this is nobody checked: it must not pass for that of a trusted site
    page = Page.from_markdown(content, url=f"urn:sha256:{digest}")
    inspected = await gateway.inspect((page,))
    if not inspected.documents:
        raise inspected.dropped[0].error()
    return PacketText(inspected.documents[0].body, name, given.original_url)


def joined(chunks: Sequence[Any]) -> str:
    """The text of chunks, what they repeat of each other left out. Raises `InvalidRequest`."""
    whole = ""
    for chunk in chunks:
        text = unmarked(_text_of(chunk))
        if again := _again(whole, text):
            whole += text[again:]
        else:
            whole += f"\n\n{text}" if whole else text
    if not whole.strip():
        raise InvalidRequest("the chunks hold no text")
    return whole


def _text_of(chunk: Any) -> str:
    text = cast("dict[str, Any]", chunk).get("text") if isinstance(chunk, dict) else chunk
    if not isinstance(text, str):
        raise InvalidRequest("each chunk must be a text, or an object with a text")
    return text


def _again(before: str, after: str) -> int:
    """How much of the beginning of a text is the end of the one before."""
    begin = after[:_SHORTEST]
    tail = before[-len(after) :] if after else ""
    at = tail.find(begin) if len(begin) == _SHORTEST else -1
    while at >= 0:
        if after.startswith(tail[at:]):
            return len(tail) - at
        at = tail.find(begin, at + 1)
    return 0
