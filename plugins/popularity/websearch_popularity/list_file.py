"""The list as it lies on disk: written whole or not at all, refused when damaged or too old."""

from __future__ import annotations

import os
import struct
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from .hashed_names import SALT_BYTES, HashedNames

_MAGIC = b"WSPOPUL1"
_CHECKSUM_BYTES = 16
_HEADER = struct.Struct(f"<dI{SALT_BYTES}s")
_STARTS = len(_MAGIC) + _CHECKSUM_BYTES
_AHEAD_S = 3600.0
"""Clocks differ; a copy from further ahead is from a clock that cannot be believed."""


class StoredRanking(NamedTuple):
    """A list, and when it was downloaded (seconds since the epoch)."""

    names: HashedNames
    fetched: float


class ListFile:
    """One file for all processes of this machine: each reads it as somebody wrote it whole."""

    def __init__(self, folder: Path, bucket: int, max_age_s: float) -> None:
        self._bucket = bucket
        self._max_age_s = max_age_s
        self.path = folder / f"radar-{bucket}.names"

    def usable(self, fetched: float, now: float) -> bool:
        """Whether a list of that time may still be believed."""
        return -_AHEAD_S <= now - fetched <= self._max_age_s

    def read(self, now: float) -> StoredRanking | None:
        """The list, if there is a whole one that may be believed."""
        try:
            content = self.path.read_bytes()
        except OSError:
            return None
        checksum, rest = content[len(_MAGIC) : _STARTS], content[_STARTS:]
        if not content.startswith(_MAGIC) or len(rest) < _HEADER.size or _checksum(rest) != checksum:
            return None
        fetched, bucket, salt = _HEADER.unpack_from(rest)
        packed = rest[_HEADER.size :]
        if bucket != self._bucket or len(packed) % 8 or not self.usable(fetched, now):
            return None
        return StoredRanking(HashedNames(packed, salt), fetched)

    def write(self, packed: bytes, salt: bytes, fetched: float) -> None:
        """Replace the file. Raises OSError."""
        rest = _HEADER.pack(fetched, self._bucket, salt) + packed
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=f"{self.path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_MAGIC + _checksum(rest) + rest)
                file.flush()
                os.fsync(descriptor)
            Path(temporary).replace(self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_BYTES).digest()
