"""The `websearch` command. It needs the extra `server`, and says so where that is missing."""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec

from ..contract.errors import AllSourcesFailed, BackendError, StartupError

NEEDED = ("httptools", "mcp", "rich", "starlette", "typer", "uvicorn")
"""What the extra `server` adds."""


def main() -> None:
    """Run. Exit codes: 0 done, 1 no answer or a failed check, 2 misuse or configuration, 130 stopped."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        sys.exit(f'websearch: {missing[0]} is not installed. Run: pip install "websearch-core[server]"')
    gc.set_threshold(200_000)  # what a start loads stays: looking for garbage in it takes a tenth of the time
    # another package's plugin for pydantic would see queries and keys; looking for one reads all installed metadata
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from .app import app
    from .running import EXIT_MISUSED, fail, fail_with

    try:
        app()
    except StartupError as error:
        fail(str(error), EXIT_MISUSED)
    except (BackendError, AllSourcesFailed) as error:
        fail_with(error)
    except KeyboardInterrupt:
        sys.exit(130)
