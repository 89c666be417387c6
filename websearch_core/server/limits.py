"""How many tool calls a caller and an address may make in a minute: fixed windows, counted in the shared store."""

from __future__ import annotations

import ipaddress
from math import ceil

from ..contract.interfaces import Clock, Store
from ..contract.models import Caller
from ..stores.resilient import ResilientStore

WINDOW_S = 60


class Limits:
    """Counts tool calls. A store that fails counts nothing: the server stays up and says so in its log."""

    def __init__(self, store: Store, clock: Clock, per_caller: int, per_address: int) -> None:
        """Limits are per minute; 0: none."""
        self._store = ResilientStore(store, clock, "skip", "rate limits are not counted")
        self._clock = clock
        self._per_caller = per_caller
        self._per_address = per_address

    @property
    def active(self) -> bool:
        """Whether there is anything to count."""
        return bool(self._per_caller or self._per_address)

    async def exceeded(self, caller: Caller, address: str) -> int | None:
        """Count one call: None, or in how many seconds the next one is welcome."""
        now = self._clock.now()
        window = int(now // WINDOW_S)
        counts = [
            (f"server:calls:caller:{caller.tenant}:{window}", self._per_caller),
            (f"server:calls:address:{_network(address)}:{window}", self._per_address),
        ]
        over = False
        for key, limit in counts:
            if limit:
                over = await self._store.incr(key, ttl=2 * WINDOW_S) > limit or over
        return max(1, ceil((window + 1) * WINDOW_S - now)) if over else None


def _network(address: str) -> str:
    """An IPv6 visitor owns a /64, so that is what counts as one address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ip) if ip.version == 4 else str(ipaddress.ip_network((ip, 64), strict=False))
