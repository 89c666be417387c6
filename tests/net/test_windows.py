"""What headers say of limits: each custom that engines have, and nonsense that changes nothing."""

from __future__ import annotations

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.contract.errors import Code
from websearch_core.net.rate_schedule import LONGEST_REST_S, MOST_COUNTED, Window
from websearch_core.net.ratelimit_headers import PACED_S, SLOWEST_S, RateLimitStatus, heard

NOW = 1_750_000_000.0
MONTH = {"x-ratelimit-policy": "1;w=1, 15000;w=2592000"}


def said(**headers: str) -> RateLimitStatus:
    return heard({name.replace("_", "-"): value for name, value in headers.items()}, NOW)


@pytest.mark.parametrize(
    ("headers", "windows"),
    [
        pytest.param({"x-ratelimit-limit": "1, 15000", **MONTH}, [(1, 1)], id="brave"),
        pytest.param(
            {"x-ratelimit-limit": "20, 0", "x-ratelimit-policy": "20;w=1, 0;w=2592000"}, [(20, 1)], id="brave, metered"
        ),
        pytest.param({"ratelimit-limit": "10, 10;w=1, 50;w=60"}, [(10, 1), (50, 60)], id="ietf 03"),
        pytest.param(
            {"ratelimit-limit": "100", "ratelimit-policy": "100;w=10, 5000;w=3600"}, [(100, 10)], id="ietf 06"
        ),
        pytest.param(
            {"ratelimit": "limit=100, remaining=50, reset=5", "ratelimit-policy": "100;w=60"}, [(100, 60)], id="ietf 07"
        ),
        pytest.param(
            {
                "ratelimit-policy": '"burst";q=5;w=1;pk=:cHsdsRa894==:, "day";q=1000;w=86400;qu="requests"',
                "ratelimit": '"burst";r=4;t=1',
            },
            [(5, 1)],
            id="ietf 09",
        ),
        pytest.param({"ratelimit-policy": "permin;q=50;w=60"}, [(50, 60)], id="ietf with tokens"),
        pytest.param({"ratelimit-policy": '"a, b; c";q=50;w=60'}, [(50, 60)], id="a name with commas"),
        pytest.param({"ratelimit-policy": '"bytes";q=50;w=60;qu="content-bytes"'}, [], id="another unit"),
        pytest.param({"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}, [(50, 1)], id="crossref"),
        pytest.param({"x-rate-limit-limit": "50", "x-rate-limit-interval": "1m"}, [(50, 60)], id="crossref, a minute"),
        pytest.param({"x-ratelimit-limit": "60", "x-ratelimit-reset": "30"}, [], id="how long is the window?"),
        pytest.param({"x-ratelimit-limit": "1", "x-ratelimit-policy": "1;w=3600"}, [], id="a quota"),
        pytest.param({"x-ratelimit-limit": "1", "x-ratelimit-policy": "1;w=60"}, [], id="slower than anybody means"),
        pytest.param({"x-ratelimit-limit": "6", "x-ratelimit-policy": "6;w=60"}, [(6, 60)], id="the slowest kept"),
        pytest.param({"x-ratelimit-limit": "1000000", "x-ratelimit-policy": "1000000;w=1"}, [], id="never reached"),
        pytest.param({"x-ratelimit-limit": "1000", "x-ratelimit-policy": "1000;w=60"}, [(200, 12)], id="in parts"),
        pytest.param({"x-ratelimit-limit": "-1", "x-ratelimit-policy": "-1;w=1"}, [], id="negative"),
        pytest.param({"x-ratelimit-limit": "1.5", "x-ratelimit-policy": "1.5;w=1"}, [], id="broken"),
        pytest.param({"x-ratelimit-limit": "many", "x-ratelimit-policy": "many;w=soon"}, [], id="words"),
        pytest.param({"x-ratelimit-limit": "1", "x-ratelimit-policy": "1;w=0"}, [], id="no time at all"),
        pytest.param({"x-ratelimit-limit": "1" * 5000, "x-ratelimit-policy": "1;w=1"}, [(1, 1)], id="endless"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_windows_are_learned(headers: dict[str, str], windows: list[tuple[int, float]]) -> None:
    assert list(heard(headers, NOW).windows) == windows


@pytest.mark.parametrize(
    ("headers", "reset_s"),
    [
        pytest.param({"x-ratelimit-remaining": "0, 14999", "x-ratelimit-reset": "1, 1419704"}, 1, id="brave, second"),
        pytest.param({"x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704"}, 1419704, id="brave, month"),
        pytest.param({"x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 1419704"}, 1419704, id="brave, both"),
        pytest.param({"x-ratelimit-remaining": "1, 9", "x-ratelimit-reset": "1, 1419704"}, None, id="brave, neither"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{NOW + 30:.0f}"}, 30, id="epoch"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{NOW * 1e3 + 3e4:.0f}"}, 30, id="epoch, ms"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{NOW - 30:.0f}"}, 0, id="epoch, past"),
        pytest.param({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "7.5"}, 7.5, id="a fraction"),
        pytest.param({"x-ratelimit-reset": "7"}, 7, id="only a reset"),
        pytest.param({"x-ratelimit-remaining": "3", "x-ratelimit-reset": "7"}, None, id="not used up"),
        pytest.param({"ratelimit": "limit=100, remaining=0, reset=5"}, 5, id="ietf 07"),
        pytest.param({"ratelimit": '"day";r=0;t=300'}, 300, id="ietf 09"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "-5"}, None, id="negative"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999"}, None, id="three years"),
        pytest.param({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "2018-03-13T00:00:00Z"}, None, id="a date"),
    ],
)
def test_a_refusal_lasts_until_what_is_used_up_is_reset(headers: dict[str, str], reset_s: float | None) -> None:
    assert heard(headers, NOW).reset_s == reset_s


def test_after_a_good_answer_only_used_up_quotas_mean_rest() -> None:
    limits = {"x-ratelimit-limit": "1, 15000", **MONTH, "x-ratelimit-reset": "1, 1419704"}
    assert heard({**limits, "x-ratelimit-remaining": "0, 14999"}, NOW).spent_s == 0
    assert heard({**limits, "x-ratelimit-remaining": "1, 0"}, NOW).spent_s == LONGEST_REST_S
    assert heard({**limits, "x-ratelimit-remaining": "1, 0"}, NOW).spent is Code.QUOTA
    metered = {**limits, "x-ratelimit-limit": "1, 0", "x-ratelimit-policy": "1;w=1, 0;w=2592000"}
    assert heard({**metered, "x-ratelimit-remaining": "1, 0"}, NOW) == RateLimitStatus((Window(1, 1.0),))
    day = said(ratelimit_policy='"burst";q=5;w=1, "day";q=1000;w=86400', ratelimit='"day";r=0;t=40000')
    assert (day.spent_s, day.spent) == (LONGEST_REST_S, Code.QUOTA), "a day's, though less than a day is left of it"
    minutes = said(x_ratelimit_limit="100", x_ratelimit_remaining="0", x_ratelimit_reset="90")
    assert (minutes.spent_s, minutes.spent) == (90, Code.RATE_LIMITED)


@pytest.mark.parametrize("limit", [{}, {"x_ratelimit_limit": "1"}])
def test_a_misread_header_does_not_silence_an_engine(limit: dict[str, str]) -> None:
    """One request an hour, it seems to say; perhaps those were milliseconds."""
    assert said(**limit, x_ratelimit_remaining="0", x_ratelimit_reset="3600").spent_s == SLOWEST_S


NAMES = st.sampled_from(
    [
        f"{prefix}{name}"
        for prefix in ("x-ratelimit-", "ratelimit-", "x-rate-limit-")
        for name in ("limit", "remaining", "reset", "policy", "interval")
    ]
    + ["ratelimit", "ratelimit-policy", "retry-after"]
)
WORDS = st.sampled_from(
    ["0", "1", "60", "-1", "1e9", "nan", "inf", ";", ",", "=", '"', ";w=1", ";q=", ";r=0", ";t=", "limit=", "1s", " "]
)
VALUES = st.text(max_size=40) | st.lists(WORDS, max_size=12).map("".join) | st.integers().map(str)


@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_no_header_raises_or_says_the_impossible(headers: dict[str, str]) -> None:
    got = heard(headers, NOW)
    for window in got.windows:
        assert isinstance(window, Window)
        assert 1 <= window.requests <= MOST_COUNTED
        assert 0 < window.seconds <= PACED_S
        assert window.seconds / window.requests <= SLOWEST_S
    assert 0 <= got.spent_s <= LONGEST_REST_S
    assert got.reset_s is None or (isfinite(got.reset_s) and got.reset_s >= 0)


@pytest.mark.parametrize(
    ("policy", "windows"),
    [
        ("60;w=60", [(60, 60)]),
        ("61;w=61", []),
        ("1;w=10", [(1, 10)]),
        ("1;w=11", []),
        ("1000;w=1", [(200, 0.2)]),
        ("1001;w=1", []),
        ("200;w=1", [(200, 1)]),
        ("201;w=1", [(100, 0.5)]),
        ("5;window=1", [(5, 1)]),
        ("a;q=5;w=1", [(5, 1)]),
        ("5;w=1;qu=request", [(5, 1)]),
        ("5;w=0", []),
        ("0;w=1", []),
        ("5;w=1" + " " * 995, [(5, 1)]),
        ("5;w=1" + " " * 996, []),
        (", ".join(["x"] * 9 + ["5;w=1"]), [(5, 1)]),
        (", ".join(["x"] * 10 + ["5;w=1"]), []),
    ],
)
def test_windows_at_the_limits_of_what_is_kept(policy: str, windows: list[tuple[int, float]]) -> None:
    assert list(said(ratelimit_policy=policy).windows) == windows


@pytest.mark.parametrize(
    ("limit", "left", "reset", "reset_s", "spent_s", "code"),
    [
        ("5", "0", "30", 30, 30, Code.RATE_LIMITED),
        ("2", "0", "30", 30, 20, Code.RATE_LIMITED),
        ("", "0", "30", 30, 10, Code.RATE_LIMITED),
        ("9999", "0", "3601", 3601, 3600, Code.RATE_LIMITED),
        ("9999", "0", "86399", 86_399, 3600, Code.RATE_LIMITED),
        ("9999", "0", "86400", 86_400, 3600, Code.QUOTA),
        ("9999", "0", str(32 * 86_400), 32 * 86_400, 3600, Code.QUOTA),
        ("9999", "0", str(32 * 86_400 + 1), None, 0, Code.RATE_LIMITED),
        ("5", "1", "30", None, 0, Code.RATE_LIMITED),
        ("5", "", "30", 30, 0, Code.RATE_LIMITED),
        ("0", "0", "30", None, 0, Code.RATE_LIMITED),
        ("5", "0", f"{NOW + 7:.0f}", 7, 7, Code.RATE_LIMITED),
        ("5", "0", f"{(NOW + 7) * 1000:.0f}", 7, 7, Code.RATE_LIMITED),
        ("5", "0", f"{NOW - 7:.0f}", 0, 0, Code.RATE_LIMITED),
        ("5", "0", "1.5", 1.5, 1.5, Code.RATE_LIMITED),
        ("5", "0", "-1", None, 0, Code.RATE_LIMITED),
    ],
)
def test_what_is_used_up_at_the_limits_of_what_is_believed(
    limit: str, left: str, reset: str, reset_s: float | None, spent_s: float, code: Code
) -> None:
    status = said(x_ratelimit_limit=limit, x_ratelimit_remaining=left, x_ratelimit_reset=reset)
    assert (status.reset_s, status.spent_s, status.spent) == (reset_s, spent_s, code)


def test_a_quota_of_a_day_is_known_by_its_policy_whatever_its_reset() -> None:
    policy = {"ratelimit-policy": '"day";q=9;w=86400', "ratelimit": '"day";r=0;t=30'}
    assert heard(policy, NOW).spent is Code.QUOTA
    shorter = {"ratelimit-policy": '"day";q=9;w=86399', "ratelimit": '"day";r=0;t=30'}
    assert heard(shorter, NOW).spent is Code.RATE_LIMITED


def test_no_rest_for_a_window_that_is_kept_by_counting() -> None:
    kept = {"ratelimit-policy": '"a";q=30;w=30', "ratelimit": '"a";r=0;t=30'}
    assert heard(kept, NOW).spent_s == 0
    assert heard({**kept, "ratelimit": '"a";r=0;t=31'}, NOW).spent_s == 31
