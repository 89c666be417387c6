"""What is remembered is what was kept last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from websearch_guard.recent_results import RecentResults, key_of

TEXTS = st.lists(st.text(max_size=3), max_size=3)


@given(TEXTS, TEXTS)
def test_a_key_tells_texts_apart(some: list[str], others: list[str]) -> None:
    assert (key_of(*some) == key_of(*others)) is (some == others)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5))), st.integers(1, 4))
def test_it_holds_the_last_that_were_kept_or_asked_for(steps: list[tuple[bool, int]], most: int) -> None:
    remembered: RecentResults[int] = RecentResults(most)
    order: list[int] = []
    for keeps, number in steps:
        key = key_of(str(number))
        if keeps:
            remembered.keep(key, number)
            order = [*(one for one in order if one != number), number][-most:]
        else:
            assert remembered.get(key) == (number if number in order else None)
            order.sort(key=lambda one: one == number)
