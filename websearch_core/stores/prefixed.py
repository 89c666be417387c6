"""A part of a shared store: every key gets a prefix, so that plugins and tenants cannot read each other."""

from __future__ import annotations

from ..contract.interfaces import Store


class PrefixedStore(Store):
    """`store` with a prefix before every key. It neither starts nor closes the store behind it."""

    name: str = "prefixed"

    def __init__(self, store: Store, prefix: str) -> None:
        """`prefix` gets a colon at its end unless it has one, so that `exa` and `exa-2` never meet. Not empty."""
        if not prefix.strip(":"):
            raise ValueError("a store's prefix must not be empty")
        self._store = store
        self.waits = store.waits
        self._prefix = f"{prefix.rstrip(':')}:"

    async def get(self, key: str) -> bytes | None:
        """The value, or None when there is none or it has expired."""
        return await self._store.get(self._prefix + key)

    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted."""
        await self._store.set(self._prefix + key, value, ttl)

    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter that starts at 0 and return it."""
        return await self._store.incr(self._prefix + key, amount, ttl)

    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it."""
        return await self._store.compare_and_set(self._prefix + key, expected, value, ttl)

    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""
        await self._store.delete(self._prefix + key)
