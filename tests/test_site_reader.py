"""Readers of one site: the guide's example keeps the contract; robots.txt is obeyed, and time is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import ModuleType

import pytest

from websearch_core import BackendError, Caller, Download, FetchRequest, SiteReader
from websearch_core.kit import BlockedBySite, ServerFailed, TimedOut
from websearch_core.testing import LoopbackSite, SiteReaderContract, answer, context
from websearch_core.testing.fakes import FakeRobots
from websearch_core.testing.misbehaviour import Hang

GUIDE = Path(__file__).parents[1].joinpath("docs/writing-a-plugin.md").read_text(encoding="utf-8")
URL = "https://example.com/page"
RULES = answer(body="User-agent: *\nDisallow: /private\n")


def example():
    code = GUIDE.partition("\n## A reader of one site\n")[2].partition("```python\n")[2].partition("\n```")[0]
    module = ModuleType("notes")
    exec(compile(code, "writing-a-plugin.md", "exec", dont_inherit=True), vars(module))
    return module


NOTES = example()


class TestNotes(SiteReaderContract):
    component = NOTES.Notes
    plugin = "notes"
    takes = ("https://notes.example/5", "http://notes.example/5?all=1#x")
    leaves = ("https://notes.example/", "https://notes.example/5/edit")

    def fetcher(self, ctx):
        return next(NOTES.websearch_fetchers(ctx))

    def good_answer(self, request):
        return answer(json={"title": "A note", "text": "# Not a title\n\nText. <!-- aside -->"})

    async def test_its_texts_stay_in_their_place(self, made):
        page = await made.fetch(FetchRequest(url=self.takes[0]))
        assert page.body.startswith("# A note\n\n## Not a title\n\nText.")
        assert page.hidden == "aside"


class Copies(SiteReader):
    """Reads the copy of a page: an address of the same site."""

    name = "copies"

    async def read(self, request: FetchRequest) -> Download:
        return await self.download(request.model_copy(update={"url": f"{request.url}/copy"}))


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started.route("/*", answer(body="Text.")).route("/robots.txt", RULES)


@pytest.fixture
async def ctx(clock):
    made = context("copies", clock=clock)
    yield made
    await made.web.aclose()


def asked(site):
    return [request.path for request in site.requests]


@pytest.mark.parametrize(
    ("rules", "error", "expected"),
    [
        (answer(body="User-agent: *\nDisallow: /page/copy\n"), BlockedBySite, []),
        (answer(body="User-agent: *\nDisallow: /page/led\n"), BlockedBySite, ["/page/copy"]),
        (answer(503), ServerFailed, []),
        (answer(body="User-agent: *\nDisallow: /other\n"), None, ["/page/copy", "/page/led"]),
    ],
)
async def test_robots_txt_of_other_addresses_is_obeyed_and_ends_no_reading(site, ctx, rules, error, expected):
    site.route("/page/copy", answer(302, headers={"location": "/page/led"})).route("/robots.txt", rules)
    reading = Copies(ctx).fetch(FetchRequest(url=f"{site.url}/page", obey_robots=True))
    if error:
        with pytest.raises(error, match=r"robots\.txt") as caught:
            await reading
        assert caught.value.retry_helps is (error is ServerFailed)
    else:
        assert (await reading).body == b"Text."
    assert asked(site) == ["/robots.txt", *expected]


async def test_of_the_pages_own_address_nothing_is_asked(site, ctx):
    site.route("/robots.txt", answer(body="User-agent: *\nAllow: /page/copy\nDisallow: /page\n"))
    assert (await Copies(ctx).fetch(FetchRequest(url=f"{site.url}/page", obey_robots=True))).body == b"Text."


@pytest.mark.parametrize(("readable", "error"), [(True, BlockedBySite), (False, ServerFailed)])
async def test_what_is_asked_by_an_api_can_be_permitted_before(ctx, readable, error):
    vars(ctx.web)["robots"] = robots = FakeRobots(lambda _: True, readable=readable)
    reader = Copies(ctx)
    await reader.permit(FetchRequest(url=URL), f"{URL}/api")
    assert not robots.asked
    with pytest.raises(error):
        await reader.permit(FetchRequest(url=URL, obey_robots=True), f"{URL}/api")


async def test_what_an_author_keeps_of_his_own_breaks_nothing(site, ctx):
    class Keeps(Copies):
        def __init__(self, ctx):
            super().__init__(ctx)
            self._web = self._clock = self._workers = None

    reader = Keeps(ctx)
    assert (await reader.fetch(FetchRequest(url=f"{site.url}/page"))).body == b"Text."
    assert await reader.made(10**6, len, "abc") == 3
    assert reader.now().tzinfo


async def test_robots_txt_is_not_asked_for_unasked(site, ctx):
    await Copies(ctx).fetch(FetchRequest(url=f"{site.url}/page"))
    assert asked(site) == ["/page/copy"]


@pytest.mark.parametrize("silent", ["/robots.txt", "/page/copy"])
async def test_a_silent_site_costs_half_of_the_callers_time(site, ctx, clock, silent):
    site.route(silent, Hang())
    caller = Caller(deadline=clock.monotonic() + 0.2)
    began = asyncio.get_running_loop().time()
    request = FetchRequest(url=f"{site.url}/page", caller=caller, obey_robots=True)
    with pytest.raises(TimedOut):
        await Copies(ctx).fetch(request)
    assert asyncio.get_running_loop().time() - began >= 0.09  # it was waited for


async def test_whoever_has_no_time_asks_nothing(site, ctx, clock):
    caller = Caller(deadline=clock.monotonic() - 1)
    with pytest.raises(BackendError):
        await Copies(ctx).fetch(FetchRequest(url=f"{site.url}/page", caller=caller))
    assert asked(site) == []
