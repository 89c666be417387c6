"""robots.txt of a site on loopback, through the guarded door."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from unittest.mock import patch

import pytest
from protego import Protego

from websearch_core import FetchRequest
from websearch_core.kit import BlockedByFilter, GuardedClient, Refused
from websearch_core.net.robots import KEPT_S, KEPT_UNREADABLE_S, MAX_BYTES, MAX_DELAY_S
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def web(clock: FakeClock, tmp_path: Path) -> GuardedClient:
    return context("web", {}, clock=clock, data_dir=tmp_path).web


def _cut_in_the_last_line(line: str) -> str:
    """A file whose cap falls behind these words of its last rule."""
    head = "User-agent: *\n"
    return f"{head}{'#' * (MAX_BYTES - len(head) - len(line) - 1)}\n{line}wn-there"


@pytest.mark.parametrize(
    ("status", "text", "allowed"),
    [
        (200, "User-agent: *\nDisallow: /private", True),
        (200, "User-agent: *\nDisallow: /docs", False),
        (200, "User-agent: other\nDisallow: /", True),
        (200, "User-agent: websearch\nDisallow: /\n", False),
        (200, "<html>no robots here</html>", True),
        (200, "#" * (MAX_BYTES + 10) + "\nUser-agent: *\nDisallow: /", True),
        (200, "User-agent: *\nDisallow: /docs\n" + "#" * (500 * 1024), False),
        (200, "#" * (500 * 1024 - 40) + "\nUser-agent: *\nDisallow: /docs", False),
        (200, _cut_in_the_last_line("Disallow: /do"), True),
        (404, "", True),
        (403, "", True),
        (401, "", True),
        (410, "", True),
        (500, "", False),
        (503, "", False),
        (429, "", False),
    ],
)
async def test_robots_txt_decides(web: GuardedClient, status: int, text: str, allowed: bool) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(status, text, content_type="text/plain"))
        robots = web.robots
        for _ in range(2):
            assert (await robots.objection(f"{site.url}/docs/a") is None) is allowed
        assert len(site.requests) <= 4
        await web.aclose()


@pytest.mark.parametrize(("leads_to", "forbidden"), [("/robots.txt", False), ("ftp://a.example/", True)])
async def test_a_file_behind_redirects_without_an_end_is_none(
    web: GuardedClient, leads_to: str, forbidden: bool
) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(302, "", headers={"location": leads_to}))
        assert (await web.robots.objection(f"{site.url}/a") is not None) is forbidden
        await web.aclose()


async def test_an_unreachable_robots_txt_forbids_and_says_what_failed(web: GuardedClient) -> None:
    async with LoopbackSite() as site:
        url = site.url
    assert await web.robots.objection(f"{url}/a") == (
        "network",
        "robots.txt could not be read, so nothing is taken from there",
    )


@pytest.mark.parametrize("blocked", ["page", "robots.txt"])
async def test_the_filters_see_every_address_before_its_site_does(web: GuardedClient, blocked: str) -> None:
    async def screen(request: FetchRequest) -> FetchRequest:
        if request.url.endswith(blocked):
            raise BlockedByFilter("not this one", by="guard")
        return request

    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "", content_type="text/plain"))
        web.screen = screen
        if blocked == "robots.txt":
            objection = await web.robots.objection(f"{site.url}/page")
            assert objection is not None
            assert objection[0] == "blocked_by_filter"
        else:
            with pytest.raises(BlockedByFilter):
                await web.robots.objection(f"{site.url}/{blocked}")
        assert site.requests == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 3", 3.0),
        ("User-agent: *\nCrawl-delay: 9999", MAX_DELAY_S),
        ("User-agent: *\nRequest-rate: 1/4s", 4.0),
        ("User-agent: *\nCrawl-delay: -5", 0.0),
        ("", 0.0),
    ],
)
async def test_the_delay_that_a_site_asks_for_is_kept_up_to_a_cap(
    web: GuardedClient, text: str, seconds: float
) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, text, content_type="text/plain"))
        assert await web.robots.delay(f"{site.url}/") == seconds
        await web.aclose()


@pytest.mark.parametrize(("status", "seconds"), [(200, KEPT_S), (404, KEPT_S), (500, KEPT_UNREADABLE_S)])
async def test_a_file_is_asked_for_again_when_its_time_is_over(
    web: GuardedClient, clock: FakeClock, status: int, seconds: float
) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(status, "", content_type="text/plain"))
        asked: list[int] = []
        for passed in (0.0, seconds - 1, 2.0):
            clock.advance(passed)
            await web.robots.objection(f"{site.url}/a")
            asked.append(len(site.requests))
        await web.aclose()
    assert asked[0] == asked[1] < asked[2]


@pytest.mark.parametrize(("lines", "aside"), [(10, False), (5000, True)])
async def test_what_a_long_file_says_is_worked_out_in_a_thread(web: GuardedClient, lines: int, aside: bool) -> None:
    here, asked, real = threading.get_ident(), [], Protego.can_fetch

    def watched(self: Protego, url: str, agent: str) -> bool:
        asked.append(threading.get_ident())
        return real(self, url, agent)

    async with LoopbackSite() as site:
        rules = "User-agent: *\n" + "Disallow: /*b*b$\n" * lines
        site.route("/robots.txt", answer(200, rules, content_type="text/plain"))
        with patch.object(Protego, "can_fetch", watched):
            assert await web.robots.objection(f"{site.url}/abb")
            await web.robots.permit(f"{site.url}/a")
        assert await web.robots.delay(f"{site.url}/a") == 0.0
        await web.aclose()
    assert [thread != here for thread in asked] == [aside] * 2


async def test_all_who_come_at_once_share_one_file(web: GuardedClient) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "User-agent: *\nDisallow: /b", content_type="text/plain"))
        urls = [f"{site.url}/{'ab'[number % 2]}{number}" for number in range(10)]
        found = await asyncio.gather(*map(web.robots.objection, urls))
        assert [objection is None for objection in found] == [True, False] * 5
        assert len(site.requests) == 1
        await web.aclose()


@pytest.mark.parametrize("led", ["here", "elsewhere"])
@pytest.mark.parametrize("obeyed", [True, False])
async def test_what_a_redirect_leads_to_is_not_asked_for_where_robots_txt_forbids_it(
    web: GuardedClient, led: str, obeyed: bool
) -> None:
    rules = answer(200, "User-agent: *\nDisallow: /private", content_type="text/plain")
    async with LoopbackSite() as site, LoopbackSite() as other:
        target = site if led == "here" else other
        site.route("/robots.txt", rules)
        other.route("/robots.txt", rules)
        site.route("/a", answer(302, "", headers={"location": "/b"}))
        site.route("/b", answer(302, "", headers={"location": f"{target.url}/private"}))
        target.route("/private", answer(200, "words", content_type="text/plain"))
        request = FetchRequest(url=f"{site.url}/a", obey_robots=obeyed)
        if obeyed:
            with pytest.raises(Refused, match="it redirects, and there") as error:
                await web.download(request)
            assert not error.value.retry_helps
        else:
            assert (await web.download(request)).body == b"words"
        asked = [one.path for one in (*site.requests, *other.requests)]
        await web.aclose()
    assert ("/private" in asked) is not obeyed
    assert ("/robots.txt" in asked) is obeyed


async def test_an_address_that_robots_txt_forbids_is_not_asked_for(web: GuardedClient) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(200, "User-agent: *\nDisallow: /", content_type="text/plain"))
        with pytest.raises(Refused):
            await web.download(FetchRequest(url=f"{site.url}/a", obey_robots=True))
        await web.aclose()
        assert [request.path for request in site.requests] == ["/robots.txt"]


@pytest.mark.parametrize(
    ("header", "seconds"), [("x-y", KEPT_UNREADABLE_S), ("retry-after", 120.0)], ids=["unsaid", "said"]
)
async def test_who_meets_an_unreadable_robots_txt_is_told_when_to_come_again(
    web: GuardedClient, clock: FakeClock, header: str, seconds: float
) -> None:
    async with LoopbackSite() as site:
        site.route("/robots.txt", answer(503, "", headers={header: "120"}))
        request = FetchRequest(url=f"{site.url}/a", obey_robots=True)
        for passed in (0.0, 10.0):
            clock.advance(passed)
            with pytest.raises(Refused) as error:
                await web.download(request)
            seconds -= passed
            assert (error.value.retry_helps, error.value.retry_after) == (True, seconds)
        site.route("/robots.txt", answer(404, ""))
        site.route("/a", answer(200, "words", content_type="text/plain"))
        clock.advance(seconds)
        assert (await web.download(request)).body == b"words"
        await web.aclose()
