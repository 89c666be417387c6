"""How many examples the contracts try."""

from __future__ import annotations

import pytest
from hypothesis import settings

from websearch_core.testing.contracts.hypothesis_runs import each


@pytest.mark.parametrize(("profile", "asked", "tried"), [(100, 200, 200), (10, 200, 20), (10, 4, 4)])
async def test_a_contract_tries_at_most_twice_as_many_as_the_profile(profile: int, asked: int, tried: int) -> None:
    seen: list[int] = []

    async def check(value: int) -> None:
        seen.append(value)

    before = settings.get_current_profile_name()
    settings.register_profile("of this test", max_examples=profile)
    settings.load_profile("of this test")
    try:
        await each(lambda dice: dice.below(60_000), check, asked)
    finally:
        settings.load_profile(before)
    assert len(seen) == tried
