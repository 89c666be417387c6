"""The tool `extract`."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import UTC, datetime

from pydantic import BaseModel, Field, model_validator

from websearch_core import BackendError, Clock, Download, FetchRequest, Gateway, Tool, ToolOutput
from websearch_core.kit import AllSourcesFailed, FetchAnswer, InvalidRequest, marked_slice

from ..packets.packet_maker import PacketMaker

_EXCERPT = 1000
_LARGEST = 10_000_000


class ExtractCall(BaseModel, defer_build=True):
    """A document: its address, or its bytes."""

    url: str | None = Field(default=None, min_length=1, max_length=8192, description="address of the document")
    raw_bytes: str | None = Field(default=None, min_length=1, description="or its bytes, in base64")
    content_type: str = Field(default="", max_length=200, description="of raw_bytes, where it is known")
    canonical_url: str = Field(default="", max_length=8192, description="of raw_bytes: for links that are relative")
    include_raw_excerpt: bool = Field(default=False, description="the first 1,000 characters of the source, too")

    @model_validator(mode="after")
    def _one(self) -> ExtractCall:
        if (self.url is None) == (self.raw_bytes is None):
            raise ValueError("give one of url and raw_bytes")
        return self


class ExtractTool(Tool):
    """A document as a packet."""

    name = "extract"
    title = "Read a document into a packet"
    description = (
        "Reads a document, by its address or from bytes that you have, into a packet: content as Markdown, metadata, "
        "outline, citations, warnings. It is untrusted text."
    )
    arguments = ExtractCall
    optional = True
    stays = frozenset({"raw_bytes", "content_type", "canonical_url"})

    def __init__(self, packing: PacketMaker, clock: Clock, tokens: float) -> None:
        """`tokens`: what an answer may cost."""
        self._packing = packing
        self._clock = clock
        self._tokens = tokens

    async def call(self, arguments: BaseModel, gateway: Gateway) -> ToolOutput:
        """The packet, or its beginning and links to the whole."""
        call = ExtractCall.model_validate(arguments)
        excerpt = None
        if call.raw_bytes is not None:
            download = self._download(call.raw_bytes, call)
            answer = await gateway.extract(download)
            if call.include_raw_excerpt:
                excerpt = await _excerpt(gateway, download)
        else:
            answer = await gateway.fetch(FetchRequest(url=call.url or ""))
            if call.include_raw_excerpt:
                excerpt = await _excerpt(gateway, FetchRequest(url=call.url or "", raw=True))
        packet = await self._packing.packet(answer, gateway, raw_excerpt=excerpt)
        return await self._packing.output(packet, min(self._tokens, gateway.answer_tokens))

    def _download(self, encoded: str, call: ExtractCall) -> Download:
        try:
            body = base64.b64decode("".join(encoded.split()).replace("-", "+").replace("_", "/"), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidRequest("raw_bytes must be base64") from None
        if not body or len(body) > _LARGEST:
            raise InvalidRequest(f"raw_bytes must hold 1 to {_LARGEST:,} bytes")
        media_type, _, parameters = call.content_type.lower().partition(";")
        _, found, charset = parameters.partition("charset=")
        address = call.canonical_url.strip() or f"urn:sha256:{hashlib.sha256(body).hexdigest()}"
        return Download(
            url=address,
            final_url=address,
            media_type=media_type.strip(),
            charset=charset.partition(";")[0].strip(" \"'") if found else "",
            body=body,
            bytes_read=len(body),
            fetched_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )


async def _excerpt(gateway: Gateway, source: Download | FetchRequest) -> str | None:
    """The beginning of the document's own text, judged like any; none where nobody can give it."""
    try:
        raw: FetchAnswer = (
            await gateway.extract(source, raw=True) if isinstance(source, Download) else await gateway.fetch(source)
        )
    except (BackendError, AllSourcesFailed):
        return None
    return marked_slice(raw.page.body, 0, _EXCERPT)
