"""Pages of an engine's results, one after the other, as one answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..contract.errors import BackendError, Code, UnexpectedResponse
from ..contract.models import Hit, SearchRequest
from ..contract.results import Answer

if TYPE_CHECKING:
    from ..contract.interfaces import Clock


class ResultPage(NamedTuple):
    """One page of an engine's results."""

    hits: Sequence[Hit]
    more: bool = True
    """Whether the engine has a next page, or may have one."""


async def read_pages(
    read: Callable[[int], Awaitable[ResultPage]],
    request: SearchRequest,
    clock: Clock,
    *,
    engine: str,
    most: int,
    notes: Iterable[str] = (),
    usd_per_page: float | None = None,
) -> Answer:
    """Read pages until there are enough hits, no new ones, no next page or no time, but at most `most`.

    `read` gets a page's number, counted from 0, and raises `BackendError`. The first page's error is raised; a later
    page's ends the reading, and the answer has a note (`engine` names the engine there) and `Answer.trouble`. So what
    was found is never lost. `Answer.units` are the pages that came, those that could not be understood among them.
    `notes` may be a list to which `read` adds.
    """
    found: dict[tuple[str, str], Hit] = {}
    told: list[str] = []
    units = 0
    trouble: Code | None = None
    retry_after: float | None = None
    for number in range(most):
        began, before = clock.monotonic(), len(found)
        try:
            page = await read(number)
        except BackendError as error:
            if not number:
                raise
            units += isinstance(error, UnexpectedResponse)
            told.append(f"{engine}: page {number + 1} of the results failed ({error.code})")
            trouble, retry_after = (None, None) if error.unsent else (error.code, error.retry_after)
            break
        units += 1
        for hit in page.hits:
            found.setdefault((hit.url, hit.image), hit)
        if len(found) == before or len(found) >= request.max_results or not page.more:
            break
        now = clock.monotonic()
        if number + 1 < most and not request.caller.has_time(now, now - began):
            told.append(f"{engine}: there was no time for a further page of results")
            break
    return Answer(
        hits=tuple(found.values())[: request.max_results],
        notes=tuple(dict.fromkeys((*notes, *told))),
        cost=None if usd_per_page is None else units * usd_per_page,
        units=units,
        trouble=trouble,
        retry_after=retry_after,
    )
