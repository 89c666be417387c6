"""Registrable domains by the Public Suffix List, private section and all: `me.github.io` is not `you.github.io`."""

from __future__ import annotations

from functools import lru_cache

_REMEMBERED = 4096


class Suffixes:
    """The list as it comes with `publicsuffixlist`: nothing is downloaded."""

    def __init__(self) -> None:
        """Takes 50 ms."""
        from publicsuffixlist import PublicSuffixList

        self._list = PublicSuffixList()
        self.domain = lru_cache(_REMEMBERED)(self._domain)
        """A host's registrable domain; empty when it is itself a suffix, under which others register."""

    def _domain(self, host: str) -> str:
        return self._list.privatesuffix(host) or ""
