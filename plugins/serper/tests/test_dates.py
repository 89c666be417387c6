"""Days in English words."""

from __future__ import annotations

from calendar import month_name
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_serper.dates import written_day


@given(st.dates(min_value=date(1, 1, 1)), st.sampled_from(["{m} {d}, {y}", "{d} {m} {y}"]), st.booleans())
def test_every_written_day_is_read(day, form, whole):
    name = month_name[day.month] if whole else month_name[day.month][:3]
    read = written_day(form.format(d=day.day, m=name, y=f"{day.year:04}"))
    assert read == datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "3 days ago", "2 weeks ago", "yesterday", "01/02/2024", "2024", "Mar 2024", "Mar 3, 24"),
        *("Feb 30, 2024", "Fev 3, 2024", "mar 3, 2024", "at Mar 3, 2024", "Mar 3, 2024, 10:00"),
    ],
)
def test_what_is_no_day_or_an_ambiguous_one_is_not_guessed(text):
    assert written_day(text) is None
