"""A zip archive from a stranger: never more is unpacked than is allowed, whatever its directory claims."""

from __future__ import annotations

import io
import zipfile
import zlib

from websearch_core.kit import TooLarge, UnexpectedResponse, Unsupported

MAX_ENTRIES = 20_000
MAX_PART_BYTES = 20_000_000
MAX_BYTES = 40_000_000
_ENTRY = b"PK\x01\x02"
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


class ZipArchive:
    """The files of an archive by name; all that is read counts towards one limit."""

    def __init__(self, body: bytes, *, cut: bool = False) -> None:
        """`cut`: there was more of the file. Raises `TooLarge` or `UnexpectedResponse`, and says which it is."""
        if body.count(_ENTRY) > MAX_ENTRIES:
            raise TooLarge("the archive holds more than 20,000 files")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError):
            if cut:
                raise TooLarge("the document is larger than the limit on downloads") from None
            raise UnexpectedResponse("document", "the archive is damaged") from None
        self._left = MAX_BYTES
        self.names = tuple(dict.fromkeys(self._zip.namelist()))

    def read(self, name: str) -> bytes:
        """A file's content; empty when there is none of this name.

        Raises `TooLarge` for a bomb, `Unsupported` for a password, `UnexpectedResponse` when damaged.
        """
        try:
            entry = self._zip.getinfo(name)
        except KeyError:
            return b""
        if entry.flag_bits & 1:
            raise Unsupported("the document is password-protected")
        if entry.compress_type not in _METHODS:
            raise Unsupported("the archive is compressed in a way that is not supported")
        most = min(MAX_PART_BYTES, self._left)
        try:
            with self._zip.open(entry) as file:
                content = file.read(most + 1)
        except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError, RuntimeError):
            raise UnexpectedResponse("document", "the archive is damaged") from None
        if len(content) > most:
            raise TooLarge("the document unpacks to more than is allowed")
        self._left -= len(content)
        return content
