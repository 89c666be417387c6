"""What ordinary addresses are known to carry."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_OWN_LABELS = 2


class Known(NamedTuple):
    """The lists of `ordinary_urls.toml`."""

    random: frozenset[str]
    random_heads: tuple[str, ...]
    paging: frozenset[str]
    documents: frozenset[str]
    titles: frozenset[str]
    prose: frozenset[str]
    search_hosts: frozenset[str]
    search_names: frozenset[str]
    carriers: frozenset[str]
    random_hosts: frozenset[str]
    telling: frozenset[str]
    telling_in_words: frozenset[str]
    captions: frozenset[str]
    shared: frozenset[str]
    small: frozenset[str]

    def is_random(self, name: str) -> bool:
        """Whether this parameter's values are random by their nature."""
        return name in self.random or name.startswith(self.random_heads)


@cache
def known() -> Known:
    """The lists, read once."""
    table: dict[str, list[str]] = tomllib.loads(
        (files("websearch_guard.exfiltration") / "ordinary_urls.toml").read_text("utf-8")
    )
    lists = {name: frozenset(words) for name, words in table.items()}
    heads = tuple(word[:-1] for word in table["random"] if word.endswith("*"))
    return Known(random_heads=heads, **lists)


def is_below(host: str, names: frozenset[str]) -> bool:
    """Whether the host is one of these names, or below one."""
    if host in names:
        return True
    place = host.find(".")
    while place >= 0:
        if host[place + 1 :] in names:
            return True
        place = host.find(".", place + 1)
    return False


def owner(host: str) -> str:
    """The part of a host that somebody registered, about: two labels, or three under endings such as co.uk."""
    labels = host.split(".")
    if labels[-1].isdigit():
        return host
    size = _OWN_LABELS
    if len(labels) > size and len(labels[-1]) == 2 and labels[-2] in known().shared:
        size += 1
    return ".".join(labels[-size:])
