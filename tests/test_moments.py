"""Days and times as engines write them."""

from __future__ import annotations

# ruff: noqa: RUF001 - other alphabets are what this is about
from calendar import month_name
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import moment


@given(st.dates(min_value=date(1, 1, 1)), st.sampled_from(["{m} {d}, {y}", "{d} {m} {y}"]), st.booleans())
def test_every_day_in_english_is_read(day, form, whole):
    name = month_name[day.month] if whole else month_name[day.month][:3]
    written = form.format(d=day.day, m=name, y=f"{day.year:04}")
    assert moment(written) == datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "3 days ago", "2 weeks ago", "yesterday", "01/02/2024", "2024", "Mar 2024", "Mar 3, 24"),
        *("Feb 30, 2024", "Fex 3, 2024", "at Mar 3, 2024", "31.04.2024", "2024-05-01 10:00 NOWHERE", "9" * 500),
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
        ("05 Mar 2024 10:00:00 GMT", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Tuesday, 05-Mar-24 10:00:00 GMT", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Tue Mar  5 10:00:00 2024", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Tue, 05 Mar 2024 05:00:00 EST", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Tue, 05 Mar 2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024-03-05T12:00:00+0200", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05T12:00:00+02", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05 12:00:00 +02:00", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05 10:00 UTC", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05t10:00:00z", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05T05:00:00 EST", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05 02:00:00 -0800 PST", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05T10:00:00.0000000Z", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("20240305T100000Z", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("Wednesday, March 5, 2025", datetime(2025, 3, 5, tzinfo=UTC)),
        ("5. März 2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("1er mars 2024", datetime(2024, 3, 1, tzinfo=UTC)),
        ("5 de marzo de 2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("5 марта 2024 г.", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024年3月5日", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024. 3. 5.", datetime(2024, 3, 5, tzinfo=UTC)),
        ("05.03.2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024/03/05", datetime(2024, 3, 5, tzinfo=UTC)),
        (1_709_632_800, datetime(2024, 3, 5, 10, tzinfo=UTC)),
    ],
)
def test_the_forms_that_engines_use(value, expected):
    assert moment(value) == expected


def test_a_text_of_more_than_a_hundred_characters_is_no_moment():
    assert moment("2024-03-05".ljust(100)) == datetime(2024, 3, 5, tzinfo=UTC)
    assert moment("2024-03-05".ljust(101)) is None


AHEAD = {
    "UTC": 0,
    "GMT": 0,
    "UCT": 0,
    "Z": 0,
    "WET": 0,
    "WEST": 1,
    "BST": 1,
    "CET": 1,
    "CEST": 2,
    "EET": 2,
    "EEST": 3,
    "MSK": 3,
    "JST": 9,
    "KST": 9,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
}


@pytest.mark.parametrize(("zone", "hours"), AHEAD.items())
def test_a_zone_has_the_hour_that_its_people_keep(zone, hours):
    assert moment(f"2024-03-05 10:00:00 {zone}") == datetime(2024, 3, 5, 10, tzinfo=UTC) - timedelta(hours=hours)


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans(), st.lists(st.text())))
def test_it_never_raises(value):
    read = moment(value)
    assert read is None or read.tzinfo is not None
    read = moment(value, NOW.timestamp())
    assert read is None or read.tzinfo is not None


NOW = datetime(2026, 11, 23, 15, 30, 20, tzinfo=UTC)
TODAY = datetime(2026, 11, 23, tzinfo=UTC)

AGES = {
    "hour": """{n} hours ago|{n}h|{n}h ago|{n} hr ago|vor {n} Stunden|il y a {n} heures|hace {n} horas|há {n} horas|
        {n} ore fa|
        {n} uur geleden|{n} godzin temu|för {n} timmar sedan|for {n} timer siden|{n} tuntia sitten|před {n} hodinami|
        {n} órája|acum {n} ore|{n} saat önce|{n} часов назад|{n} годин тому|πριν από {n} ώρες|{n}時間前|{n}小时前|
        {n} 小時前|{n}시간 전|منذ {n} ساعات|{n} giờ trước|{n} jam yang lalu|{n} ชั่วโมงที่ผ่านมา|לפני {n} שעות|{n} घंटे पहले""",
    "day": """{n} days ago|{n}d|{n}d ago|{n} days|{n}+ days ago|vor {n} Tagen|il y a {n} jours|hace {n} días|
        há {n} dias|
        {n} dias atrás|{n} giorni fa|{n} dagen geleden|{n} dni temu|för {n} dagar sedan|for {n} dage siden|
        for {n} dager siden|{n} päivää sitten|před {n} dny|{n} napja|{n} nappal ezelőtt|acum {n} zile|{n} gün önce|
        {n} дня назад|{n} дні тому|πριν από {n} ημέρες|{n}日前|{n}天前|{n} 天前|{n}일 전|منذ {n} أيام|قبل {n} أيام|
        {n} ngày trước|{n} hari yang lalu|{n} วันที่ผ่านมา|לפני {n} ימים|{n} दिन पहले""",
    "week": """{n} weeks ago|{n}w|vor {n} Wochen|il y a {n} semaines|hace {n} semanas|há {n} semanas|{n} settimane fa|
        {n} weken geleden|{n} tygodnie temu|för {n} veckor sedan|for {n} uger siden|{n} viikkoa sitten|před {n} týdny|
        {n} hete|acum {n} săptămâni|{n} hafta önce|{n} недели назад|{n} тижні тому|πριν από {n} εβδομάδες|{n}週間前|
        {n}周前|
        {n}주 전|منذ {n} أسابيع|{n} tuần trước|{n} minggu yang lalu|לפני {n} שבועות""",
}
"""Unit → how engines say so in the languages that they answer in."""
FORMS = [(unit, " ".join(form.split())) for unit, forms in AGES.items() for form in forms.split("|")]
LENGTH = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


@given(st.sampled_from(FORMS), st.integers(0, 9999), st.datetimes(datetime(1980, 1, 1), datetime(2200, 1, 1)))  # noqa: DTZ001
def test_an_age_is_counted_back_from_now_in_every_language(form, number, now):
    unit, text = form
    now = now.replace(tzinfo=UTC, microsecond=0)
    expected = now - number * LENGTH[unit]
    if unit != "hour":
        expected = expected.replace(hour=0, minute=0, second=0)
    assert moment(text.format(n=number), now.timestamp()) == expected


@pytest.mark.parametrize(
    ("text", "days"),
    [
        *(("yesterday", 1), ("Gestern", 1), ("hier", 1), ("ayer", 1), ("ontem", 1), ("ieri", 1), ("gisteren", 1)),
        *(("wczoraj", 1), ("igår", 1), ("вчера", 1), ("dün", 1), ("昨日", 1), ("昨天", 1), ("어제", 1), ("أمس", 1)),
        *(("vorgestern", 2), ("avant-hier", 2), ("l’altro ieri", 2), ("anteayer", 2), ("позавчера", 2), ("前天", 2)),
        *(("today", 0), ("heute", 0), ("aujourd'hui", 0), ("сегодня", 0), ("今日", 0), ("오늘", 0)),
        *(("a day ago", 1), ("vor einem Tag", 1), ("il y a un jour", 1), ("tydzień temu", 7), ("منذ يومين", 2)),
        ("לפני יומיים", 2),
    ],
)
def test_days_that_have_a_name(text, days):
    assert moment(text, NOW.timestamp()) == TODAY - timedelta(days=days)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("just now", NOW),
        ("gerade eben", NOW),
        ("an hour ago", NOW - timedelta(hours=1)),
        ("un'ora fa", NOW - timedelta(hours=1)),
        ("5m", NOW - timedelta(minutes=5)),
        ("45 seconds ago", NOW - timedelta(seconds=45)),
        ("1 day, 3 hours ago", TODAY - timedelta(days=1)),
        ("1 month ago", datetime(2026, 10, 23, tzinfo=UTC)),
        ("9 mo", datetime(2026, 2, 23, tzinfo=UTC)),
        ("vor 12 Monaten", datetime(2025, 11, 23, tzinfo=UTC)),
        ("1か月前", datetime(2026, 10, 23, tzinfo=UTC)),
        ("il y a un an", datetime(2025, 11, 23, tzinfo=UTC)),
        ("2 года назад", datetime(2024, 11, 23, tzinfo=UTC)),
        ("1 year 2 months ago", datetime(2025, 9, 23, tzinfo=UTC)),
        ("Mar 19, 2020", datetime(2020, 3, 19, tzinfo=UTC)),
    ],
)
def test_other_ages(text, expected):
    assert moment(text, NOW.timestamp()) == expected


def test_a_month_ago_is_never_a_day_that_there_is_not():
    march = datetime(2024, 3, 31, 12, tzinfo=UTC).timestamp()
    assert moment("1 month ago", march) == datetime(2024, 2, 29, tzinfo=UTC)
    assert moment("1 year 1 month ago", march) == datetime(2023, 2, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("in 3 days", "3", "days", "ago", "vor", "3 min read", "99999 years ago", "300 years ago", "3 apples ago"),
        *(
            "3 days 2 days ago",
            "3 days 4 ago",
            "5 of 7 days",
            "next week",
            "1 2 3 4 5",
            "-3 days ago",
            "3 days ago " * 9,
        ),
    ],
)
def test_what_is_no_age_is_not_guessed(text):
    assert moment(text, NOW.timestamp()) is None


@given(st.sampled_from(["minute", "hour", "day", "week", "month", "year"]), st.integers(0, 300), st.integers(1, 300))
def test_more_is_longer_ago_and_nothing_is_in_the_future(unit, number, more):
    times = [moment(f"{count} {unit}s ago", NOW.timestamp()) for count in (number, number + more)]
    later, earlier = (time for time in times if time) if all(times) else (NOW, NOW)
    assert NOW >= later >= earlier
