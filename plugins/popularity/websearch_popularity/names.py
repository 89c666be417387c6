"""Half a million host names in 4 MB: a sorted array of salted 64-bit hashes."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from hashlib import blake2b

SALT_BYTES = 16
_HASH_BYTES = 8
_HASH_BITS = 8 * _HASH_BYTES
_NEAR = 64
"""Names in one place of the index: eight or so. More are no error, only slower to find."""


class Names:
    """A set of names that says only whether a name is in it.

    The salt is a secret of this machine: nobody can search for a name of his own that hashes like a listed one.
    """

    def __init__(self, packed: bytes, salt: bytes) -> None:
        """`packed` and `salt` are as `pack` made and took them. Takes some 50 ms for half a million: for a thread."""
        self._hashes = array("Q", packed)
        if sys.byteorder == "big":
            self._hashes.byteswap()
        # by its first bits a hash is looked for among eight others, not all over the memory
        bits = max(0, len(self._hashes).bit_length() - 3)
        self._shift = _HASH_BITS - bits
        self._index = array("I", self._starts(1 << bits))
        self._salted = _salted(salt)

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, name: str) -> bool:
        hashed = self._salted.copy()
        hashed.update(name.encode())
        value = int.from_bytes(hashed.digest(), "little")
        hashes, index, first = self._hashes, self._index, value >> self._shift
        end = index[first + 1]
        at = bisect_left(hashes, value, index[first], end)
        return at < end and hashes[at] == value

    def _starts(self, places: int) -> Iterator[int]:
        """Where the hashes of each place of the index begin, and where the last ends."""
        hashes, start = self._hashes, 0
        for first in range(places):
            smallest, near = first << self._shift, min(start + _NEAR, len(hashes))
            start = bisect_left(hashes, smallest, start, near)
            if start == near:
                start = bisect_left(hashes, smallest, start)
            yield start
        yield len(hashes)


def pack(names: Iterable[str], salt: bytes) -> bytes:
    """What `Names` reads: sorted hashes, each once, 8 bytes little-endian."""
    salted = _salted(salt)
    values: set[int] = set()
    for name in names:
        hashed = salted.copy()
        hashed.update(name.encode())
        values.add(int.from_bytes(hashed.digest(), "little"))
    packed = array("Q", sorted(values))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _salted(salt: bytes) -> blake2b:
    return blake2b(digest_size=_HASH_BYTES, salt=salt)
