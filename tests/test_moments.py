"""Days and times as engines write them."""

from __future__ import annotations

from calendar import month_name
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import moment


@given(st.dates(min_value=date(1, 1, 1)), st.sampled_from(["{m} {d}, {y}", "{d} {m} {y}"]), st.booleans())
def test_every_day_in_english_is_read(day, form, whole):
    name = month_name[day.month] if whole else month_name[day.month][:3]
    written = form.format(d=day.day, m=name, y=f"{day.year:04}")
    assert moment(written) == datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "3 days ago", "2 weeks ago", "yesterday", "01/02/2024", "2024", "Mar 2024", "Mar 3, 24"),
        *("Feb 30, 2024", "Fev 3, 2024", "mar 3, 2024", "at Mar 3, 2024"),
    ],
)
def test_what_is_no_day_or_an_ambiguous_one_is_not_guessed(text):
    assert moment(text) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-03-05", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024-03-05T10:00:00", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        (" 2024-03-05T10:00:00+02:00 ", datetime(2024, 3, 5, 8, tzinfo=UTC)),
        ("2024-03-05T10:00:00Z", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 10:00:00 GMT", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        (1_709_632_800, datetime(2024, 3, 5, 10, tzinfo=UTC)),
    ],
)
def test_the_forms_that_engines_use(value, expected):
    assert moment(value) == expected


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans(), st.lists(st.text())))
def test_it_never_raises(value):
    read = moment(value)
    assert read is None or read.tzinfo is not None
