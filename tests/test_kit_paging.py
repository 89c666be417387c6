"""An engine's pages as one answer: when the reading ends, what a failure leaves, what was paid."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from websearch_core import Answer, BackendError, Caller, Hit, SearchRequest
from websearch_core.kit import RateBudgetExceeded, RateLimited, ResultPage, ServerFailed, UnexpectedResponse, read_pages
from websearch_core.testing import FakeClock

LATE = "Acme: there was no time for a further page of results"


def hits(*names: str) -> list[Hit]:
    return [Hit(url=f"https://{name}.example/") for name in names]


async def read(
    *pages: ResultPage | BackendError,
    wanted: int = 10,
    seconds: float = 0.0,
    deadline: float | None = None,
    most: int = 5,
) -> tuple[Answer, Sequence[int]]:
    """The answer of these pages, each of which takes so many seconds; and the numbers that were read."""
    clock, numbers = FakeClock(), list[int]()

    async def page(number: int) -> ResultPage:
        numbers.append(number)
        clock.advance(seconds)
        if isinstance(found := pages[number], BackendError):
            raise found
        return found

    until = None if deadline is None else clock.monotonic() + deadline
    request = SearchRequest(query="owls", max_results=wanted, caller=Caller(deadline=until))
    answer = await read_pages(page, request, clock, engine="Acme", most=most, notes=("own",), usd_per_page=0.5)
    return answer, numbers


async def test_pages_are_read_until_there_are_enough_hits_and_no_more_are_given() -> None:
    answer, numbers = await read(ResultPage(hits("a", "b")), ResultPage(hits("b", "c", "d")), wanted=3)
    assert (numbers, list(answer.hits), answer.notes) == ([0, 1], hits("a", "b", "c"), ("own",))
    assert (answer.units, answer.cost, answer.trouble) == (2, 1.0, None)


@pytest.mark.parametrize("last", [ResultPage(hits("b"), more=False), ResultPage(hits("a")), ResultPage(())])
async def test_the_last_page_is_the_one_without_a_next_or_without_a_new_hit(last: ResultPage) -> None:
    answer, numbers = await read(ResultPage(hits("a")), last, ResultPage(hits("z")))
    assert numbers == [0, 1]
    assert hits("z")[0] not in answer.hits


async def test_no_more_pages_are_read_than_may_be() -> None:
    answer, numbers = await read(*(ResultPage(hits(name)) for name in "abc"), most=2)
    assert (numbers, answer.notes) == ([0, 1], ("own",))


async def test_pictures_of_one_page_are_hits_of_their_own() -> None:
    both = [Hit(url="https://a.example/", image=f"https://a.example/{name}.png") for name in "xy"]
    answer, _ = await read(ResultPage(both, more=False))
    assert list(answer.hits) == both


async def test_the_first_pages_failure_is_the_failure() -> None:
    with pytest.raises(ServerFailed):
        await read(ServerFailed())


@pytest.mark.parametrize(
    ("error", "paid", "trouble"),
    [
        (ServerFailed(), 1, "server"),
        (RateLimited(retry_after=9), 1, "rate_limited"),
        (UnexpectedResponse("rows"), 2, "drift"),
        (RateBudgetExceeded(retry_after=9), 1, None),
    ],
)
async def test_a_later_pages_failure_loses_nothing(error: BackendError, paid: int, trouble: str | None) -> None:
    answer, _ = await read(ResultPage(hits("a")), error)
    assert (list(answer.hits), answer.units, answer.trouble) == (hits("a"), paid, trouble)
    assert answer.retry_after == (error.retry_after if trouble else None)
    assert answer.notes == ("own", f"Acme: page 2 of the results failed ({error.code})")


@pytest.mark.parametrize(("most", "wanted", "notes"), [(3, 10, ("own", LATE)), (2, 10, ("own",)), (3, 2, ("own",))])
async def test_a_page_that_would_come_too_late_is_not_asked_for(most: int, wanted: int, notes: tuple[str, ...]) -> None:
    pages = (ResultPage(hits(name)) for name in "abc")
    answer, numbers = await read(*pages, wanted=wanted, seconds=3, deadline=8, most=most)
    assert (numbers, answer.notes) == ([0, 1], notes)
