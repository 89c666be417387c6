"""The addresses that a crawl has yet to visit, kept in the library so that an interrupted one goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..index.index import Index


class CrawlStop(NamedTuple):
    """One address of a crawl, and how many links it is away from where the crawl began."""

    url: str
    depth: int


class Frontier:
    """One crawl's addresses. Methods that change something belong into a transaction."""

    def __init__(self, index: Index, job: str) -> None:
        self._execute = index.connection.execute
        self._many = index.connection.executemany
        self._job = job

    def offer(self, stops: Iterable[CrawlStop]) -> None:
        """Addresses to visit; those that the crawl has seen before are not visited again."""
        self._many(
            "INSERT OR IGNORE INTO frontier (job, url, depth, state) VALUES (?, ?, ?, 'waiting')",
            [(self._job, stop.url, stop.depth) for stop in stops],
        )

    def next(self) -> CrawlStop | None:
        """The address to visit now: nearest first, in the order in which they were offered."""
        row = self._execute(
            "SELECT url, depth FROM frontier WHERE job = ? AND state = 'waiting' ORDER BY depth, id LIMIT 1",
            (self._job,),
        ).fetchone()
        return CrawlStop(*row) if row else None

    def settle(self, url: str, *, done: bool) -> None:
        """The address was visited."""
        state = "done" if done else "failed"
        self._execute("UPDATE frontier SET state = ? WHERE job = ? AND url = ?", (state, self._job, url))

    def waiting(self) -> int:
        """How many addresses are yet to be visited."""
        query = "SELECT count(*) FROM frontier WHERE job = ? AND state = 'waiting'"
        return self._execute(query, (self._job,)).fetchone()[0]

    def drop(self) -> None:
        """The crawl is over: the next one begins anew."""
        self._execute("DELETE FROM frontier WHERE job = ?", (self._job,))
