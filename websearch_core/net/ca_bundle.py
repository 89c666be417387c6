"""The operator's own certificate authorities, checked when the server starts."""

from __future__ import annotations

from ..contract.errors import StartupError


def checked_ca_file(path: str) -> str:
    """The same path, empty for none. Raises StartupError unless it is a readable file of PEM certificates."""
    if path:
        import ssl

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
        except (OSError, ValueError):
            raise StartupError(f"[net] ca_file: {path} is not a readable file of PEM certificates") from None
    return path
