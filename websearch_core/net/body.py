"""Bodies of bounded size: decompressed piece by piece, cut on a character boundary."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from itertools import chain
from typing import NamedTuple

import anyio.lowlevel

from ..contract.errors import NetworkFailed, TooLarge, Unsupported

ACCEPT_ENCODING = "gzip, deflate"
"""What we ask for: formats whose output can be bounded while it is made."""

_PIECE = 256 * 1024
_PAUSE_AFTER = 64
"""Pieces, however small, after which other tasks may run."""
_FREE_STEPS = 10_000
_CRUMB = 64
"""Bytes that a piece must have on average, beyond the first ten thousand."""
_GZIP_MAGIC = b"\x1f"


class Body(NamedTuple):
    """Bytes after decompression, and whether there was more than the cap."""

    content: bytes
    truncated: bool


class OverCap(TooLarge):
    """The body is longer than the cap."""


async def read(chunks: AsyncIterable[bytes], encoding: str, cap: int) -> Body:
    """At most `cap` bytes, as `pieces` makes them."""
    content = bytearray()
    try:
        async for piece in pieces(chunks, encoding, cap):
            content += piece
    except OverCap:
        return Body(bytes(content), truncated=True)
    return Body(bytes(content), truncated=False)


async def pieces(chunks: AsyncIterable[bytes], encoding: str, cap: int) -> AsyncGenerator[bytes]:
    """The decompressed body piece by piece, at most `cap` bytes of it, and then `OverCap` where there is more.

    Neither the wire nor a decompression bomb can make this take more memory than a piece. Raises `Unsupported` for an
    encoding that was not asked for, `NetworkFailed` for a damaged body, and `TooLarge` for one in crumbs, each of which
    costs as much work as a whole piece.
    """
    decoder = _decoder(encoding)
    # compressed data may be a little longer than what it holds, but not much
    on_wire = cap if decoder is None else cap + cap // 100 + 4096
    steps = received = made = 0
    async for chunk in chunks:
        received += len(chunk)
        for piece in (chunk,) if decoder is None else chain((b"",), decoder.feed(chunk)):
            made += len(piece)
            if made > cap:
                yield piece[: len(piece) - (made - cap)]
                raise OverCap
            yield piece
            steps += 1
            if steps > _FREE_STEPS + max(received, made) // _CRUMB:
                raise TooLarge("the body comes in too many small pieces")
            if steps % _PAUSE_AFTER == 0 or len(piece) == _PIECE:
                await anyio.lowlevel.checkpoint()
        if received > on_wire:
            raise OverCap
    if decoder is not None:
        decoder.finish()


def is_text(media_type: str, content: bytes) -> bool:
    """Whether a person could read the bytes: by the declared type, or by their look when none is declared."""
    if not media_type:
        return b"\0" not in content[:1024]
    kind, _, name = media_type.partition("/")
    return kind == "text" or name.endswith(("+json", "+xml", "+yaml")) or name in _TEXT_NAMES


def cut(content: bytes, cap: int, charset: str, *, marked: bool) -> bytes:
    """A truncated body without the piece of a character at its end, and with the mark that says so if `marked`."""
    codec = _codec(content, charset)
    decoder = codecs.getincrementaldecoder(codec)(errors="ignore")
    start = 0 if codec.startswith(("utf-16", "utf-32")) else content.rfind(b"\n") + 1
    decoder.decode(content[start:])
    pending = len(decoder.getstate()[0])
    mark = f"\n\n[truncated at {cap} bytes]".encode(codec) if marked else b""
    return content[: len(content) - pending] + mark


_TEXT_NAMES = frozenset(
    {
        *("json", "xml", "javascript", "ecmascript", "x-javascript", "yaml", "x-yaml", "toml", "x-ndjson", "ndjson"),
        *("json-seq", "x-sh", "sql", "x-tex", "graphql", "markdown", "typescript"),
    }
)

# the encodings of the web (WHATWG) in which a character may take several bytes
_MULTIBYTE = frozenset(
    {"utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"}
    | {"gb2312", "gbk", "gb18030", "big5", "big5hkscs", "euc_jp", "shift_jis", "cp932", "euc_kr", "cp949"}
)


class _Inflater:
    """gzip (several members, too) or deflate (with and without zlib's wrapper), never more than a piece at once."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._stream: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage] - the type has no other name

    def feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self._stream is None or self._stream.eof:
                another_member = self._gzip and data[:1] == _GZIP_MAGIC
                if not data or (self._stream is not None and not another_member):
                    return
                self._stream = zlib.decompressobj(self._wbits(data))
            try:
                yield (piece := self._stream.decompress(data, _PIECE))
            except zlib.error:
                raise NetworkFailed("the compressed body is damaged") from None
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if not data and len(piece) < _PIECE:
                return

    def finish(self) -> None:
        if self._stream is not None and not self._stream.eof:
            raise NetworkFailed("the body was cut short")

    def _wbits(self, data: bytes) -> int:
        if self._gzip:
            return 16 + zlib.MAX_WBITS
        is_wrapped = data[0] & 0x0F == 8  # RFC 1950 §2.2; no raw block begins so (RFC 1951 §3.2.3)
        return zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS


def _decoder(encoding: str) -> _Inflater | None:
    match encoding.strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return _Inflater(gzip=True)
        case "deflate":
            return _Inflater(gzip=False)
        case _:
            raise Unsupported("the content encoding is not one that we asked for")


def _codec(content: bytes, charset: str) -> str:
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32-le" if content.startswith(codecs.BOM_UTF32_LE) else "utf-32-be"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16-le" if content.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    try:
        name = codecs.lookup(charset or "utf-8").name
    except (LookupError, ValueError):
        return "utf-8"
    # without a mark both are little-endian on the web (WHATWG Encoding §4.2)
    name = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(name, name)
    return name if name in _MULTIBYTE else "ascii"
