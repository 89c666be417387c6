"""How names become addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..errors import NetworkFailed


class Resolver(Protocol):
    """Answers with a host's addresses, as text. Tests and operators may bring another."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Every address of `host`, best first. Raises `NetworkFailed` when there is no such name."""
        ...


class SystemResolver:
    """The operating system's resolver, in a thread."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Every address of `host`, in the system's order (RFC 6724)."""
        import socket

        import anyio

        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise NetworkFailed("the name does not resolve: check its spelling") from None
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))
