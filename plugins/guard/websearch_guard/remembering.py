"""What was found in the texts that were judged last: who reads a page in pieces has it judged once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """The last values, by what decides on them: in memory alone, at most so many, and no text among the keys."""

    def __init__(self, most: int) -> None:
        """Who was asked for longest ago goes first."""
        self._most = most
        self._values: OrderedDict[bytes, V] = OrderedDict()

    def get(self, key: bytes) -> V | None:
        """The value, if it is still there."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: bytes, value: V) -> None:
        """From now on `get` gives this."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)


def key_of(*texts: str) -> bytes:
    """The same for the same texts, and for no others."""
    contents = [text.encode("utf-8", "surrogatepass") for text in texts]
    lengths = [len(content).to_bytes(8, "big") for content in contents]
    return hashlib.sha256(b"".join(lengths + contents)).digest()
