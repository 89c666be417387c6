"""Registrable domains by the Public Suffix List, private section and all: `me.github.io` is not `you.github.io`."""

from __future__ import annotations

from functools import lru_cache

from .url_place import host_name

_REMEMBERED = 4096


class PublicSuffixes:
    """The list as it comes with `publicsuffixlist`: nothing is downloaded."""

    def __init__(self) -> None:
        """Takes 50 ms."""
        from publicsuffixlist import PublicSuffixList

        self._list = PublicSuffixList()
        self.domain = lru_cache(_REMEMBERED)(self._domain)
        """A host's registrable domain; empty when it is itself a suffix, under which others register."""
        self.is_name = lru_cache(_REMEMBERED)(self._is_name)
        """Whether a text is a host name under a suffix that there is: `example.com`, not `index.html`."""

    def _domain(self, host: str) -> str:
        return self._list.privatesuffix(host) or ""

    def _is_name(self, text: str) -> bool:
        name = host_name(text)
        return bool(name and self._list.privatesuffix(name, accept_unknown=False))
