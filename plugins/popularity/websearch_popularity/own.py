"""The operator's own list of domains: read once, and believed as long as the process runs."""

from __future__ import annotations

import secrets
from pathlib import Path

import anyio.to_thread

from websearch_core import StartupError

from .names import SALT_BYTES, Names, pack
from .reading import own_names


class OwnList:
    """A text file: one domain a line, `#` begins a comment.

    `read` it before the start: what is wrong with the operator's word is said by whatever reads the configuration.
    """

    def __init__(self, path: Path) -> None:
        self.label = "the operator's list"
        self.fetched: float | None = None
        self.due: float | None = None
        self.names: Names | None = None
        self._path = path

    def read(self) -> None:
        """Read it. Raises StartupError when it cannot be read or holds anything but domains."""
        self.names, self.fetched = self._read()

    async def load(self) -> None:
        """Read it, where that is not done. Raises StartupError."""
        if self.names is None:
            await anyio.to_thread.run_sync(self.read)

    async def start(self) -> None:
        """The same."""
        await self.load()

    async def aclose(self) -> None:
        """Nothing was opened."""

    def _read(self) -> tuple[Names, float]:
        salt = secrets.token_bytes(SALT_BYTES)
        try:
            text = self._path.read_text(encoding="utf-8")
            return Names(pack(own_names(text), salt), salt), self._path.stat().st_mtime
        except OSError as error:
            raise StartupError(f"[plugin.popularity] list_file: it cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise StartupError("[plugin.popularity] list_file: it is not UTF-8") from None
        except ValueError as error:
            raise StartupError(f"[plugin.popularity] list_file: {error}") from None
