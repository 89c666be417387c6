"""How a client reaches the network: settings are judged at once, nothing is opened before the first request."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..contract.errors import StartupError
from .proxies import Proxies

if TYPE_CHECKING:
    from ..settings.configuration import NetSettings
    from .connector import Locate
    from .transport import GuardedTransport

OUR_HEADERS = frozenset(
    {"host", "accept-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect"}
    | {"proxy-authorization", "proxy-connection"}
)
"""No caller sets these: they are of the connection, or say what bodies we can bound."""


class Connections:
    """The guarded transport of one client, loaded at its first use."""

    def __init__(
        self, locate: Locate, settings: NetSettings, environ: Mapping[str, str] | None, *, names_to_proxy: bool
    ) -> None:
        """Raises StartupError for a bad proxy or CA file."""
        self._locate = locate
        self._proxies = Proxies.configured(settings, os.environ if environ is None else environ)
        self._ca_file = _checked(settings.ca_file)
        self._names_to_proxy = names_to_proxy
        self._transport: GuardedTransport | None = None

    def transport(self) -> GuardedTransport:
        """Always the same one."""
        if self._transport is None:
            from .transport import GuardedTransport

            self._transport = GuardedTransport(self._locate, self._proxies, self._ca_file, self._names_to_proxy)
        return self._transport

    async def aclose(self) -> None:
        """Close every connection; a later request opens new ones."""
        if self._transport is not None:
            await self._transport.aclose()


def _checked(ca_file: str) -> str:
    """The same path, empty for none. Raises StartupError unless it is a readable file of PEM certificates."""
    if ca_file:
        import ssl

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=ca_file)
        except (OSError, ValueError):
            raise StartupError(f"[net] ca_file: {ca_file} is not a readable file of PEM certificates") from None
    return ca_file
