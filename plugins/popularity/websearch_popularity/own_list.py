"""The operator's own list of domains: read once, and believed as long as the process runs."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from websearch_core import StartupError

from .hashed_names import SALT_BYTES, HashedNames, pack
from .list_parser import own_names


class OwnList(NamedTuple):
    """What the operator's file names."""

    names: HashedNames
    fetched: float
    """When the file was written."""
    due: None = None
    label: str = "the operator's list"


def own_list(path: Path) -> OwnList:
    """A text file: one domain a line, `#` begins a comment. Raises StartupError for anything else."""
    salt = secrets.token_bytes(SALT_BYTES)
    try:
        text = path.read_text(encoding="utf-8")
        return OwnList(HashedNames(pack(own_names(text), salt), salt), path.stat().st_mtime)
    except OSError as error:
        raise StartupError(f"[plugin.popularity] list_file: it cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise StartupError("[plugin.popularity] list_file: it is not UTF-8") from None
    except ValueError as error:
        raise StartupError(f"[plugin.popularity] list_file: {error}") from None
