"""Readers of one site: the guide's example keeps the contract; robots.txt is obeyed, and time is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import ModuleType

import pytest

from websearch_core import (
    BackendError,
    BlockedBySite,
    Caller,
    Download,
    FetchRequest,
    Refused,
    SiteReader,
    TimedOut,
)
from websearch_core.testing import LoopbackSite, SiteReaderContract, answer, context
from websearch_core.testing.misbehaviour import Hang

GUIDE = Path(__file__).parents[1].joinpath("docs/writing-a-plugin.md").read_text(encoding="utf-8")
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
        ("Disallow: /page", Refused, []),
        ("Disallow: /page/copy", BlockedBySite, []),
        ("Disallow: /other", None, ["/page/copy"]),
    ],
)
async def test_robots_txt_is_asked_once_and_obeyed(site, ctx, rules, error, expected):
    site.route("/robots.txt", answer(body=f"User-agent: *\n{rules}\n"))
    reading = Copies(ctx).fetch(FetchRequest(url=f"{site.url}/page", obey_robots=True))
    if error:
        with pytest.raises(error, match=r"robots\.txt"):
            await reading
    else:
        assert (await reading).body == b"Text."
    assert asked(site) == ["/robots.txt", *expected]


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
