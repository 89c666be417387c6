"""Radar's list: asked for in the background, refreshed, refused, kept on disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from websearch_core import PluginContext
from websearch_core.testing import LoopbackSite, answer, context
from websearch_core.testing.misbehaviour import Bomb, CutShort, Drip, Hang, Silent, Unframed, redirect
from websearch_popularity import radar_client, ranking
from websearch_popularity.plugin import websearch_trust_policies
from websearch_popularity.policy import PopularityPolicy

HOUR = 3600.0
DAY = 24 * HOUR
TOKEN = "token-canary-of-cloudflare"
PATH = "/client/v4/radar/datasets/ranking_top_200"
GOOD = "domain\n" + "".join(f"site-{number}.example\n" for number in range(200))
NEWER = GOOD + "newer.example\n"
OLD_SITE, NEW_SITE = "https://www.site-7.example/a", "https://newer.example/"


def csv(text: str):
    return answer(200, text, content_type="text/csv")


def made(site: LoopbackSite, clock, folder: Path, **settings: object) -> tuple[PopularityPolicy, PluginContext]:
    table = {"base_url": site.url, "api_token": TOKEN, "bucket": 200, "audit_sample": 0, **settings}
    ctx = context("popularity", table, clock=clock, data_dir=folder)
    [policy] = websearch_trust_policies(ctx)
    assert isinstance(policy, PopularityPolicy)
    return policy, ctx


@pytest.fixture
async def policy(loopback_site: LoopbackSite, held, tmp_path: Path) -> AsyncIterator[PopularityPolicy]:
    policy, ctx = made(loopback_site, held, tmp_path)
    yield policy
    await policy.aclose()
    await ctx.aclose()


def trusted(policy: PopularityPolicy, url: str = OLD_SITE) -> bool:
    return policy.judge(url).trusted


async def test_the_list_is_asked_for_as_cloudflare_says(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    await held.asleep()
    assert trusted(policy)
    assert not trusted(policy, NEW_SITE)
    [request] = loopback_site.requests
    assert request.target == PATH
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["accept"] == "text/csv"


async def test_a_start_waits_for_nobody_and_until_then_nobody_is_trusted(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, Hang(csv(GOOD)))
    with anyio.fail_after(60):
        await policy.start()
        await loopback_site.asked.wait()
    assert not trusted(policy)
    loopback_site.release()
    await held.asleep()
    assert trusted(policy)


async def test_closing_stops_a_download(loopback_site, held, tmp_path: Path) -> None:
    policy, ctx = made(loopback_site.route(PATH, Hang(csv(GOOD))), held, tmp_path)
    await policy.start()
    with anyio.fail_after(60):
        await loopback_site.asked.wait()
        await policy.aclose()
        await ctx.aclose()
        await loopback_site.closed_early
    assert [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "popularity"] == []
    assert not trusted(policy)


async def test_it_is_refreshed_within_a_day_and_swapped(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    assert 0.9 * DAY <= await held.asleep() <= DAY
    loopback_site.route(PATH, csv(NEWER))
    held.advance(0.89 * DAY)
    await anyio.wait_all_tasks_blocked()
    assert len(loopback_site.requests) == 1
    held.advance(0.11 * DAY)
    await held.asleep()
    assert len(loopback_site.requests) == 2
    assert trusted(policy, NEW_SITE)


@pytest.mark.parametrize(
    "bad",
    [
        answer(401, json={"success": False}),
        answer(403, "no"),
        answer(404, "no"),
        answer(429, "slow down"),
        answer(500, "broken"),
        redirect("/elsewhere"),
        CutShort(csv(GOOD)),
        Silent(),
        Bomb(),
        csv(""),
        csv("domain\n"),
        csv("a" * 3_000_000),
        csv("a" * 3_000_000 + "\n"),
        csv("".join(GOOD.splitlines(keepends=True)[:15])),
        answer(200, GOOD, content_type="text/html; charset=utf-8"),
        answer(200, "<html>\n" * 300, content_type="text/csv"),
        answer(200, json={"result": GOOD}),
    ],
    ids=lambda bad: f"{type(bad).__name__}-{getattr(bad, 'status', '')}",
)
async def test_what_is_no_list_keeps_the_old_one_and_is_tried_again(
    bad, policy, loopback_site, held, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    await held.asleep()
    file = tmp_path / "popularity" / "radar-200.names"
    kept = file.read_bytes()
    loopback_site.route(PATH, bad)
    with caplog.at_level(logging.DEBUG):
        held.advance(DAY)
        assert 30 <= await held.asleep() <= 60
    assert trusted(policy)
    assert file.read_bytes() == kept
    assert "was not refreshed" in caplog.text
    assert TOKEN not in caplog.text
    assert "site-" not in caplog.text
    loopback_site.route(PATH, csv(NEWER))
    held.advance(60)
    assert await held.asleep() > 0.8 * DAY
    assert trusted(policy, NEW_SITE)


async def test_pauses_grow_to_six_hours_and_begin_anew_after_a_success(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, answer(500, "broken"))
    await policy.start()
    pauses: list[float] = []
    for _ in range(12):
        pauses.append(await held.asleep())
        held.advance(pauses[-1])
    for number, pause in enumerate(pauses):
        longest = min(60 * 2**number, 6 * HOUR)
        assert longest / 2 <= pause <= longest
    assert len(set(pauses)) == len(pauses), "no two processes should come at one moment"
    loopback_site.route(PATH, csv(GOOD))
    held.advance(await held.asleep())
    assert await held.asleep() > 0.8 * DAY
    loopback_site.route(PATH, answer(500, "broken"))
    held.advance(DAY)
    assert await held.asleep() <= 60


async def test_a_wait_that_cloudflare_asks_for_is_kept(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, answer(429, "slow down", headers={"retry-after": "1800"}))
    await policy.start()
    assert await held.asleep() >= 1790


async def test_a_name_that_may_have_been_cut_is_not_taken(policy, loopback_site, held) -> None:
    """Where no length is said, a cut cannot be told from an end: so no name is taken from an unfinished line."""
    loopback_site.route(PATH, Unframed(csv(GOOD + "newer.exampl")))
    await policy.start()
    await held.asleep()
    assert trusted(policy)
    assert not trusted(policy, "https://newer.exampl/")


async def test_an_answer_over_the_cap_is_refused_whole(
    loopback_site, held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(radar_client, "MAX_BYTES", len(NEWER) - 1)
    policy, ctx = made(loopback_site.route(PATH, csv(NEWER)), held, tmp_path)
    await policy.start()
    assert await held.asleep() <= 60
    assert not trusted(policy)
    loopback_site.route(PATH, csv(GOOD))
    held.advance(60)
    await held.asleep()
    assert trusted(policy)
    await policy.aclose()
    await ctx.aclose()


async def test_a_list_that_is_too_old_is_nobodys(policy, loopback_site, held) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    await held.asleep()
    loopback_site.route(PATH, answer(500, "broken"))
    held.advance(6.9 * DAY)
    await held.asleep()
    assert trusted(policy)
    held.advance(0.1 * DAY)
    assert not trusted(policy)
    assert policy.judge(OLD_SITE).why.startswith("there is no list, or it is too old")


async def test_the_copy_on_disk_is_used_first_and_nobody_is_asked_while_it_is_fresh(
    policy, loopback_site, held, tmp_path: Path
) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    await held.asleep()
    later = type(held)()
    later.advance(HOUR)
    other, ctx = made(loopback_site, later, tmp_path)
    await other.start()
    assert trusted(other), "before anything could have been downloaded"
    assert await later.asleep() <= 23 * HOUR
    assert len(loopback_site.requests) == 1
    await other.aclose()
    await ctx.aclose()


async def test_a_copy_that_is_old_is_used_until_it_is_too_old_and_replaced_at_once(
    policy, loopback_site, held, tmp_path: Path
) -> None:
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    await held.asleep()
    await policy.aclose()
    for age, usable in ((2 * DAY, True), (6 * DAY, False)):
        held.advance(age)
        loopback_site.route(PATH, Hang(csv(NEWER)))
        other, ctx = made(loopback_site, held, tmp_path)
        await other.start()
        assert trusted(other) is usable
        await other.aclose()
        await ctx.aclose()


async def test_a_damaged_copy_is_replaced(policy, loopback_site, held, tmp_path: Path) -> None:
    file = tmp_path / "popularity" / "radar-200.names"
    file.parent.mkdir()
    file.write_bytes(b"WSPOPUL1" + bytes(4096))
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    assert not trusted(policy)
    await held.asleep()
    assert trusted(policy)
    assert file.read_bytes() != b"WSPOPUL1" + bytes(4096)


async def test_what_another_process_downloaded_is_not_downloaded_again(
    policy, loopback_site, held, tmp_path: Path
) -> None:
    loopback_site.route(PATH, answer(500, "broken"))
    await policy.start()
    await held.asleep()
    asked = len(loopback_site.requests)
    elsewhere = type(held)()
    other, ctx = made(loopback_site.route(PATH, csv(GOOD)), elsewhere, tmp_path)
    await other.start()
    await elsewhere.asleep()
    await other.aclose()
    await ctx.aclose()
    held.advance(60)
    await held.asleep()
    assert trusted(policy)
    assert len(loopback_site.requests) == asked + 1


async def test_a_disk_that_takes_nothing_does_not_stop_the_list(
    policy, loopback_site, held, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "popularity").write_text("a file where the folder should be")
    loopback_site.route(PATH, csv(GOOD))
    await policy.start()
    assert await held.asleep() > 0.8 * DAY
    assert trusted(policy)
    assert "not kept on disk" in caplog.text


async def test_an_endless_answer_ends_with_the_time_limit(loopback_site, held, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(radar_client, "TIMEOUT_S", 0.2)
    policy, ctx = made(loopback_site.route(PATH, Drip(content_type="text/csv")), held, tmp_path)
    await policy.start()
    assert await held.asleep() <= 60
    assert not trusted(policy)
    await policy.aclose()
    await ctx.aclose()


def test_a_days_list_outlives_several_failed_refreshes() -> None:
    """The longest pause is far below the shortest sensible age limit: one bad day does not end trust."""
    assert ranking._LONGEST_RETRY_S <= DAY / 4
