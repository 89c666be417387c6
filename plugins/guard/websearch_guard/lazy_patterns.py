"""Regular expressions that are compiled when a text first asks for them: of hundreds, an ordinary text needs few."""

from __future__ import annotations

import re
from typing import Any, cast


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, later; a mistake in `source` is raised where it is first used."""
    return cast("re.Pattern[str]", _Later(source, flags))


class _Later:
    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Asked once for each method: what is found stays here, and is then as quick as the pattern's own."""
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value
