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
_TURN = 64
"""Others get their turn after so many pieces, however small."""
_FREE_STEPS = 10_000
_CRUMB = 64
"""Bytes that a piece must have on average, beyond the first ten thousand."""
_GZIP_MAGIC = b"\x1f\x8b"
_CUT_SHORT = "the body was cut short"


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
            if steps % _TURN == 0 or len(piece) == _PIECE:
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
    name = _codec(content, charset)
    whole = content[: len(content) - _pending(content, name)]
    return whole + f"\n\n[truncated at {cap} bytes]".encode(name) if marked else whole


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
        self._waiting = b""
        self._stream: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage] - the type has no other name
        self._done = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        data = self._waiting + chunk
        self._waiting = b""
        while data and not self._done:
            if self._stream is None:
                if len(data) < 2:
                    self._waiting = data
                    return
                self._stream = zlib.decompressobj(self._wbits(data))
            try:
                yield (piece := self._stream.decompress(data, _PIECE))
            except zlib.error:
                raise NetworkFailed("the compressed body is damaged") from None
            data = self._stream.unconsumed_tail
            while len(piece) == _PIECE and not data and not self._stream.eof:
                yield (piece := self._stream.decompress(b"", _PIECE))
            if self._stream.eof:
                data = self._next_member()

    def finish(self) -> None:
        if self._waiting or (self._stream is not None and not self._done and not self._stream.eof):
            raise NetworkFailed(_CUT_SHORT)

    def _next_member(self) -> bytes:
        rest = self._stream.unused_data if self._stream is not None else b""
        if self._gzip and _GZIP_MAGIC.startswith(rest[:2]):
            if len(rest) >= 2:
                self._stream = None
            return rest if len(rest) >= 2 else b""
        self._done = True
        return b""

    def _wbits(self, data: bytes) -> int:
        if self._gzip:
            return 16 + zlib.MAX_WBITS
        wrapped = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS


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


def _pending(content: bytes, codec: str) -> int:
    """How many bytes at the end are the beginning of a character: decoded from the last line break on."""
    start = 0
    if codec.startswith(("utf-16", "utf-32")):
        start = max(0, len(content) - 4096) // 4 * 4
    elif (line := content.rfind(b"\n", max(0, len(content) - 65_536))) >= 0:
        start = line + 1
    elif codec == "utf-8":
        start = max(0, len(content) - 8)
    decoder = codecs.getincrementaldecoder(codec)(errors="ignore")
    decoder.decode(content[start:])
    return len(decoder.getstate()[0])
