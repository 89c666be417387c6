"""What a run of characters says when it is taken out of base64, base32, base58, base85, hex or codes."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator

from .xor_masks import unmasked

MAX_CHARS = 8192
_MAX_UNPACKED = 16_384
_LEAST = 10
_HEX = re.compile(r"(?:0[xX])?((?:[0-9A-Fa-f]{2}){10,})[0-9A-Fa-f]?\Z")
_BASE32 = re.compile(r"[A-Z2-7]{16,}={0,6}\Z|[a-z2-7]{16,}={0,6}\Z")
_BASE64 = re.compile(r"=?=?[A-Za-z0-9+/_-]{16,}={0,2}\Z")
_BASE58 = re.compile(r"[1-9A-HJ-NP-Za-km-z]{20,700}\Z")
_BASE85 = re.compile(r"[!-~]{24,}\Z")
_ODD = re.compile(r"[!#$%&()*;<>?@^`{|}~]")
_BITS = re.compile(r"(?:[01]{8}){10,}\Z")
_CODES = re.compile(r"\d{30,}\Z")
_STANDARD = str.maketrans("-_", "+/")
_DIGITS_58 = {c: i for i, c in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}
_SPACES = re.compile(r"[\n\r\t]")
_PACKED = (b"\x1f\x8b", b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_GZIP_OR_ZLIB = 47
_DEFLATED = (3, 5)
"""The first three bits of a bare stream in one block."""
_MOST_UNUSED = 3
_LEAST_MASKED = 28
_MARK = 6
"""Before an underscore: `v1_`, `DIR_`."""


def readings(token: str, depth: int = 2) -> Iterator[str]:
    """The texts that this token is another writing of: printable throughout, ten characters at least; mostly none."""
    token = token[:MAX_CHARS].lstrip("?-")
    mark, _, rest = token.partition("_")
    if len(mark) <= _MARK and len(rest) >= _LEAST_MASKED:
        yield from readings(rest, depth)
    for content in _contents(token):
        text = readable(content)
        if not text:
            yield from unmasked(content)
        else:
            yield text
            if depth > 1 and " " not in text:
                yield from readings(text, depth - 1)


def readable(content: bytes) -> str:
    """The text that these bytes are, packed or not, or nothing."""
    if content.startswith(_PACKED):
        unpacking = zlib.decompressobj(_GZIP_OR_ZLIB)
        try:
            content = unpacking.decompress(content, _MAX_UNPACKED)
        except zlib.error:
            return ""
        if len(unpacking.unused_data) >= _MOST_UNUSED:
            return ""
    elif content[:1] and content[0] & 7 in _DEFLATED and len(content) >= _LEAST and not content.isascii():
        content = _inflated(content) or content
    if content.count(0) * 3 > len(content):
        content = content.replace(b"\0", b"")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        # a piece that was cut within a character
        if error.start < len(content) - 3 or error.start < _LEAST:
            return ""
        text = content[: error.start].decode()
    return text if len(text) >= _LEAST and _SPACES.sub("", text).isprintable() else ""


def _inflated(content: bytes) -> bytes:
    """What a bare stream of deflate unpacks to (RFC 1951), where it is one to its end."""
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = unpacking.decompress(content, _MAX_UNPACKED)
    except zlib.error:
        return b""
    return text if unpacking.eof and len(unpacking.unused_data) < _MOST_UNUSED else b""


def _contents(token: str) -> Iterator[bytes]:
    if match := _HEX.match(token):
        yield bytes.fromhex(match[1])
    if _CODES.match(token):
        yield from _codes(token)
    if _BITS.match(token):
        yield int(token, 2).to_bytes(len(token) // 8, "big")
    if _BASE32.match(token):
        yield from _base32(token.rstrip("=").upper())
    if _BASE64.match(token) and not token.islower() and not token.isupper():
        yield from _base64(token.strip("=").translate(_STANDARD))
        yield from _base64(token[::-1].strip("=").translate(_STANDARD), begin=1)
        if _BASE58.match(token):
            yield _base58(token)
    elif not token.isalnum() and _BASE85.match(token) and len(_ODD.findall(token)) > 2:
        yield from _base85(token)


def _base64(token: str, begin: int = 4) -> Iterator[bytes]:
    # a piece of a longer one may begin anywhere
    for start in range(begin):
        part = token[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        head = binascii.a2b_base64(part[: min(16, len(part) // 4 * 4)])
        whole = start == 0 and begin > 1 and len(part) >= _LEAST_MASKED  # packed barely, or masked
        if head.startswith(_PACKED) or _may_be_text(head) or whole:
            yield binascii.a2b_base64(part + "=" * (-len(part) % 4))


def _may_be_text(head: bytes) -> bool:
    return all(byte > 31 or byte in b"\0\t\n\r" for byte in head) and 127 not in head


def _base32(token: str) -> Iterator[bytes]:
    whole = token[: len(token) - {1: 1, 3: 1, 6: 1}.get(len(token) % 8, 0)]
    try:
        yield base64.b32decode(whole + "=" * (-len(whole) % 8))
    except (binascii.Error, ValueError):
        return


def _base58(token: str) -> bytes:
    number = 0
    for character in token:
        number = number * 58 + _DIGITS_58[character]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _base85(token: str) -> Iterator[bytes]:
    for decode in (base64.b85decode, base64.a85decode):
        try:
            yield decode(token)
        except ValueError:
            continue


def _codes(digits: str) -> Iterator[bytes]:
    """ASCII in decimal: three digits a letter, or two and three mixed as they come."""
    if len(digits) % 3 == 0:
        codes = [int(digits[i : i + 3]) for i in range(0, len(digits), 3)]
        if all(code < 127 for code in codes):
            yield bytes(codes)
    mixed = bytearray()
    place = 0
    while place < len(digits):
        size = 3 if digits[place] == "1" else 2
        mixed.append(min(int(digits[place : place + size]), 127))
        place += size
    yield bytes(mixed)
