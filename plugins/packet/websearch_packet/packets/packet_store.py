"""Packets that were made, kept for a while, each tenant's apart."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import TypeAdapter, ValidationError

from websearch_core import Caller, Clock, Store
from websearch_core.kit import marked_slice

if TYPE_CHECKING:
    from .packet import Packet

MOST = 100
"""So many are listed of one tenant; older ones can still be read while they are kept."""
_LARGEST = 4_000_000
_TRIES = 5


class StoredPacket(NamedTuple):
    """What the list says of a packet."""

    source_id: str
    title: str
    url: str
    retrieved_at: str
    ends: float
    """When it is forgotten, in seconds since the epoch."""
    screenshot: bool = False
    size: int | None = None
    """Bytes of the content."""


@functools.cache
def _entries() -> TypeAdapter[list[StoredPacket]]:
    return TypeAdapter(list[StoredPacket])


class PacketStore:
    """The packets of every tenant."""

    def __init__(self, store_of: Callable[[Caller], Store], clock: Clock, keep_s: float) -> None:
        self._store_of = store_of
        self._clock = clock
        self._keep_s = keep_s

    async def keep(self, caller: Caller, packet: Packet, screenshot: bytes = b"") -> bool:
        """Keep it for this tenant; whether that is done: it may be too large, or the operator may want none kept."""
        value = packet.model_dump_json(exclude_none=True).encode("utf-8", "replace")
        if self._keep_s <= 0 or len(value) + len(screenshot) > _LARGEST:
            return False
        store = self._store_of(caller)
        await store.set(f"packet:{packet.source_id}", value, self._keep_s)
        if screenshot:
            await store.set(f"screenshot:{packet.source_id}", screenshot, self._keep_s)
        entry = StoredPacket(
            packet.source_id,
            marked_slice(packet.metadata.title, 0, 100),
            packet.canonical_url[:300],
            packet.retrieved_at or "",
            self._clock.now() + self._keep_s,
            bool(screenshot),
            len(packet.content.encode("utf-8", "replace")),
        )
        for _ in range(_TRIES):
            held = await store.get("list")
            others = [one for one in self._read(held) if one.source_id != entry.source_id]
            value = json.dumps([entry, *others][:MOST]).encode()
            if await store.compare_and_set("list", held, value, self._keep_s):
                break  # else somebody else was quicker; not to be listed is no loss
        return True

    async def packet(self, caller: Caller, source_id: str) -> Packet | None:
        """The packet, if this tenant has it."""
        value = await self._store_of(caller).get(f"packet:{source_id}")
        from .packet import Packet

        try:
            return Packet.model_validate_json(value) if value else None
        except ValidationError:  # of another version
            return None

    async def screenshot(self, caller: Caller, source_id: str) -> bytes | None:
        """The page's picture, if one was taken."""
        return await self._store_of(caller).get(f"screenshot:{source_id}")

    async def entries(self, caller: Caller) -> Sequence[StoredPacket]:
        """Those of this tenant that are still there, the newest first."""
        return self._read(await self._store_of(caller).get("list"))

    def _read(self, value: bytes | None) -> list[StoredPacket]:
        try:
            entries = _entries().validate_json(value) if value else []
        except ValidationError:
            return []
        return [entry for entry in entries if entry.ends > self._clock.now()]
