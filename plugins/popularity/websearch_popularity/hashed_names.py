"""Half a million host names in 4 MB: a sorted array of salted 64-bit hashes."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b

SALT_BYTES = 16
_HASH_BYTES = 8


class HashedNames:
    """A set of names that says only whether a name is in it.

    The salt is a secret of this machine: nobody can search for a name of his own that hashes like a listed one.
    """

    def __init__(self, packed: bytes, salt: bytes) -> None:
        """`packed` and `salt` are as `pack` made and took them."""
        self._hashes = array("Q", packed)
        if sys.byteorder == "big":
            self._hashes.byteswap()
        self._salted = _salted(salt)

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, name: str) -> bool:
        value = _hash(self._salted, name)
        at = bisect_left(self._hashes, value)
        return at < len(self._hashes) and self._hashes[at] == value


def pack(names: Iterable[str], salt: bytes) -> bytes:
    """What `HashedNames` reads: sorted hashes, each once, 8 bytes little-endian."""
    salted = _salted(salt)
    values = {_hash(salted, name) for name in names}
    packed = array("Q", sorted(values))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _hash(salted: blake2b, name: str) -> int:
    hashed = salted.copy()
    hashed.update(name.encode())
    return int.from_bytes(hashed.digest(), "little")


def _salted(salt: bytes) -> blake2b:
    return blake2b(digest_size=_HASH_BYTES, salt=salt)
