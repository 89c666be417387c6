"""Domain limits as `site:` operators in the query, for an engine without a domain filter of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from ...contract.interfaces import SearchBackend
from ...contract.models import SearchRequest
from ...contract.results import Answer
from ...net.urls import normal_host

MOST_QUERIES = 4
"""A list of sites is split into at most this many queries: each costs a call."""
MOST_CHARS = 2000
"""The longest query that a `SearchRequest` may hold."""


@dataclass(frozen=True, slots=True)
class SiteQueries:
    """One request as an engine gets it: in one query, or in several whose answers `merged` puts together."""

    requests: tuple[SearchRequest, ...]
    """At least one: the same request, each with a query of its own. Any one of them may find all that is wanted, so
    each asks for as many results as the request did."""
    notes: tuple[str, ...] = ()
    fields: frozenset[str] = frozenset()
    """Of `allowed_domains` and `excluded_domains`, those that the queries say: few of the hits will lie outside."""


def spread(request: SearchRequest, backend: SearchBackend) -> SiteQueries:
    """The request with those domain limits in its query that the backend does not push down itself.

    Hits must be checked afterwards all the same: `=example.com` and `*.example.com` are asked for as
    `site:example.com`. Excluded, such a rule stays out of the query, where it would cost hits that are wanted. The
    words of the request's own query stay as they are, a `site:` among them, too.
    """
    does = backend.verticals.get(request.vertical, frozenset())
    allowed = () if "allowed_domains" in does else request.allowed_domains
    excluded = () if "excluded_domains" in does else request.excluded_domains
    if backend.max_site_operators <= 0 or not (allowed or excluded):
        sifted = f"{backend.name}: allowed domains cannot be said in its queries; its results were sifted"
        return SiteQueries((request,), (sifted,) if allowed else ())
    room = _Room(request.query, backend)
    groups, notes = _grouped(allowed, room, backend.name)
    asked = tuple(chain.from_iterable(groups))
    matter = [rule for rule in excluded if not asked or _lies_within(rule, asked)]
    plain = [_site(rule) for rule in matter if _is_plain(rule)]
    unwanted = written = _unique(plain)
    while written and not all(room.takes(group, written) for group in groups):
        written = written[:-1]
    fields = {"allowed_domains"} if asked else set[str]()
    if excluded and written == unwanted and len(plain) == len(matter):
        fields.add("excluded_domains")
    queries = [_query(request.query, group, written) for group in groups]
    requests = [request.model_copy(update={"query": query}) for query in queries]
    return SiteQueries(tuple(requests), notes, frozenset(fields))


def merged(answers: Sequence[Answer]) -> Answer:
    """The answers to one request's queries as one: the first hit of each, then the second of each, and so on.

    Costs and units are added up; None where no answer says any. A page that several found is there several times.
    """
    ranks = zip_longest(*(answer.hits for answer in answers))
    troubled = next((answer for answer in answers if answer.trouble), Answer())
    return Answer(
        hits=tuple(hit for rank in ranks for hit in rank if hit is not None),
        notes=tuple(_unique(note for answer in answers for note in answer.notes)),
        trouble=troubled.trouble,
        retry_after=troubled.retry_after,
        cost=_sum(answer.cost for answer in answers),
        units=_sum(answer.units for answer in answers),
    )


class _Room:
    """What a query of this backend takes."""

    def __init__(self, query: str, backend: SearchBackend) -> None:
        self._query = query
        self.own = sum(word.lstrip('(-+"').lower().startswith("site:") for word in query.split())
        self._sites = backend.max_site_operators - self.own
        self._chars = min(backend.max_query_chars or MOST_CHARS, MOST_CHARS)
        self._words = backend.max_query_words

    def takes(self, allowed: Sequence[str], excluded: Sequence[str] = ()) -> bool:
        """Whether the query has room for these sites."""
        if len(allowed) + len(excluded) > self._sites:
            return False
        query = _query(self._query, allowed, excluded)
        return len(query) <= self._chars and (self._words is None or len(query.split()) <= self._words)


def _grouped(rules: Sequence[str], room: _Room, name: str) -> tuple[Sequence[Sequence[str]], tuple[str, ...]]:
    """The sites for each query, and what a reader must know; one query without any where there is nothing to write."""
    nothing: Sequence[Sequence[str]] = ((),)
    sites = _unique(map(_site, rules))
    if "" in sites:
        # with the others alone in the query, the pages of this one could not be found
        return nothing, (f"{name}: one of the allowed domains cannot be said in a query; its results were sifted",)
    groups = _groups([site for site in sites if room.takes([site])], room)
    if sites and not groups:
        return nothing, (f"{name}: the query leaves no room for the allowed domains; its results were sifted",)
    notes: list[str] = []
    if missing := len(sites) - sum(map(len, groups)):
        notes.append(f"{name}: {missing} of {len(sites)} allowed domains were not searched: its queries have no room")
    if sites and room.own:
        notes.append(f"{name}: the query names a site of its own: only what fits it and the allowed domains is found")
    return groups or nothing, tuple(notes)


def _groups(sites: Sequence[str], room: _Room) -> Sequence[Sequence[str]]:
    """The sites in as few groups as queries take, about equally large; without the last sites where need be."""
    while sites:
        for count in range(1, min(MOST_QUERIES, len(sites)) + 1):
            groups = [sites[start::count] for start in range(count)]
            if all(map(room.takes, groups)):
                return groups
        sites = sites[:-1]
    return ()


def _query(query: str, allowed: Sequence[str], excluded: Sequence[str]) -> str:
    either = " OR ".join(f"site:{site}" for site in allowed)
    words = [query, f"({either})" if len(allowed) > 1 else either, *(f"-site:{site}" for site in excluded)]
    return " ".join(filter(None, words))


def _site(rule: str) -> str:
    """The host that a rule names, in the ASCII spelling that addresses have; empty for patterns and IP addresses."""
    rule = rule.strip()
    try:
        name, literal = normal_host(rule[1:] if rule.startswith("=") else rule.removeprefix("*."))
    except ValueError:
        return ""
    return "" if literal else name


def _is_plain(rule: str) -> bool:
    """Whether `site:` says exactly this: the host and its subdomains."""
    return not rule.strip().startswith(("=", "*.")) and _site(rule) != ""


def _lies_within(rule: str, sites: Sequence[str]) -> bool:
    """Whether it concerns a part of these sites; of a pattern that is not known."""
    site = _site(rule)
    return not site or any(site == other or site.endswith(f".{other}") for other in sites)


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _sum(amounts: Iterable[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known else None
