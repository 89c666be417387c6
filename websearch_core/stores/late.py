"""A store whose place is decided while plugins are being discovered: the hooks before that may hold it, not use it."""

from __future__ import annotations

from ..errors import StartupError
from ..interfaces import Store
from .prefixed import PrefixedStore


class LateStore(Store):
    """Passes every call on to the store that it has become."""

    name = "late"

    def __init__(self) -> None:
        """Not yet anything."""
        self._store: Store | None = None

    def become(self, store: Store) -> None:
        """From now on, be this store."""
        self._store = store

    def prefixed(self, prefix: str) -> Store:
        """A view of this store whose keys have a prefix."""
        return PrefixedStore(self, prefix)

    @property
    def _real(self) -> Store:
        if self._store is None:
            raise StartupError("the store is not available while stores are being chosen")
        return self._store

    async def start(self) -> None:
        """Start the real store."""
        await self._real.start()

    async def aclose(self) -> None:
        """Close the real store."""
        await self._real.aclose()

    async def get(self, key: str) -> bytes | None:
        """See `Store.get`."""
        return await self._real.get(key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """See `Store.set`."""
        await self._real.set(key, value, ttl)

    async def add_if_absent(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """See `Store.add_if_absent`."""
        return await self._real.add_if_absent(key, value, ttl)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """See `Store.incr`."""
        return await self._real.incr(key, amount, ttl)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """See `Store.compare_and_set`."""
        return await self._real.compare_and_set(key, expected, value, ttl)

    async def delete(self, key: str) -> None:
        """See `Store.delete`."""
        await self._real.delete(key)
