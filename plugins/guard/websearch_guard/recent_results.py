"""Results for the texts that were judged last: a page that is read in pieces is judged once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class RecentResults(Generic[V]):
    """The most recent values by the hash of what they depend on: in memory alone, at most so many."""

    def __init__(self, most: int) -> None:
        """Keep `most` values; the one least recently used goes first."""
        self._most = most
        self._values: OrderedDict[bytes, V] = OrderedDict()

    def get(self, key: bytes) -> V | None:
        """The value, if it is still kept."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: bytes, value: V) -> None:
        """Keep the value for this key."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)


def key_of(*texts: str) -> bytes:
    """A key for these texts: their hash, so that no text is kept."""
    whole = f"{[*map(len, texts)]}{''.join(texts)}"
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).digest()
