"""Goggles: those that go with a search, and the one that says which domains are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from websearch_core import SearchRequest

_MOST = 3
"""So many goggles Brave takes at once."""
_INSTRUCTIONS = 100_000
_CHARS = 2_000_000
"""A goggle's limits (github.com/brave/goggles-quickstart, "Creating a Goggle")."""
_HOST = re.compile(r"([a-z0-9_-]+\.)*[a-z][a-z0-9-]*")
"""A host, and no IP address: the last label begins with a letter."""

FEWER_GOGGLES = "Brave: takes three goggles at once, the allowed domains' among them; the last ones were left out"
NO_PATTERNS = "Brave: allowed_domains with patterns, or too many of them, were applied to the results only"


def goggles_of(request: SearchRequest, operators: Iterable[str]) -> tuple[list[str], list[str]]:
    """The goggles for this request, and notes: first that of the allowed domains, then the lens's, then the operator's.

    None of the others brings back for good what the first one discards: the core checks every hit.
    """
    domains = _only(request.allowed_domains)
    goggles = list(dict.fromkeys(goggle for goggle in (domains, request.goggle, *operators) if goggle))
    unsaid = {NO_PATTERNS: request.allowed_domains and not domains, FEWER_GOGGLES: len(goggles) > _MOST}
    return goggles[:_MOST], [note for note, holds in unsaid.items() if holds]


def _only(rules: Iterable[str]) -> str:
    """A goggle that leaves only these domains, if it can say each of them: with one left out, its pages were lost.

    A `$discard` that stands alone discards whatever no other instruction names. A rule for one host, or for its
    subdomains, is widened to both; the core takes out again what is too much.
    """
    sites = list(dict.fromkeys(map(_site, rules)))
    goggle = "\n".join(["$discard", *(f"$site={site}" for site in sites)])
    fits = len(sites) < _INSTRUCTIONS and len(goggle) <= _CHARS
    return goggle if sites and all(sites) and fits else ""


def _site(rule: str) -> str:
    """Brave's word for the host with its subdomains (`.edu` for a top-level domain); empty where it has none."""
    host = re.sub(r"^(=|\*\.)", "", rule.strip().lower()).removesuffix(".")
    if not _HOST.fullmatch(host):
        return ""
    return host if "." in host else f".{host}"
