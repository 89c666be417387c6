"""How names become addresses."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Protocol

import anyio
from anyio import to_thread

from ..contract.errors import NetworkFailed

LOOKUPS = 64
"""At once: a name whose servers are silent takes a thread for half a minute, and must not hold up the others."""


class Resolver(Protocol):
    """Answers with a host's addresses, as text. Tests and operators may bring another."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Every address of `host`, best first. Raises `NetworkFailed` when there is no such name."""
        ...


class SystemResolver:
    """The operating system's resolver, in threads of our own: the event loop's are few, and shared with all else."""

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(LOOKUPS)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Every address of `host`, in the system's order (RFC 6724)."""
        try:
            found = await to_thread.run_sync(
                socket.getaddrinfo,
                host.encode("ascii"),
                port,
                socket.AF_UNSPEC,
                socket.SOCK_STREAM,
                limiter=self._limiter,
                abandon_on_cancel=True,
            )
        except (OSError, UnicodeError):
            raise NetworkFailed("the name does not resolve: check its spelling") from None
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))
