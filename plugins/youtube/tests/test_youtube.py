"""Videos of YouTube: the contract, the choice of captions, their form, and videos that nobody may see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import BlockedBySite, Drift, FetchRequest, NotFound, outline_of
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher
from websearch_youtube.fetcher import YouTube
from websearch_youtube.plugin import websearch_fetchers

SAMPLES = Path(__file__).with_name("samples")
PLAYER = json.loads((SAMPLES / "player.json").read_text())
CAPTIONS = answer(body=(SAMPLES / "captions.xml").read_text(), content_type="text/xml; charset=utf-8")
URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


def watch(player):
    page = f"<html><script>var ytInitialPlayerResponse = {json.dumps(player)};var meta = 1;</script></html>"
    return answer(body=page, content_type="text/html; charset=utf-8")


def good(request):
    if request.path == "/watch":
        return watch(PLAYER)
    return CAPTIONS if request.path == "/api/timedtext" else answer(json=PLAYER)


class TestYouTube(FetcherContract):
    component = YouTube
    plugin = "youtube"

    def settings(self):
        return {"base_url": self.site.url}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"{URL}&from={word}"

    def good_answer(self, request):
        return good(request)


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started.route("/*", good)


@pytest.fixture
async def reader(site):
    opened = []

    def make(**settings):
        opened.append(context("youtube", {"base_url": site.url, **settings}))
        return next(iter(websearch_fetchers(opened[-1])))

    yield make
    for ctx in opened:
        await ctx.aclose()


def captions_asked(site):
    return [request.query for request in site.requests if request.path == "/api/timedtext"]


async def test_a_video_is_its_description_and_what_is_said_in_it(site, reader):
    page = await reader(languages=["en"]).fetch(FetchRequest(url="https://youtu.be/dQw4w9WgXcQ?t=5"))
    assert page.body == (
        "# How rivers bend\n\nRivers TV · 2026-03-04 · 1:02:05\n\n"
        "## Description\n\nA lecture.\n\\# Chapters\n0:00 Start\n\\<!-- hidden? -->\n\n"
        "## Transcript (en)\n\n"
        "[0:00] Rivers don't flow straight <ever>. # They bend.\n\n"
        "[1:01] A minute later\n\n"
        "[1:01:01] [Music] \\<!-- x"
    )
    assert [heading.text for heading in outline_of(page.body)] == ["How rivers bend", "Description", "Transcript (en)"]
    assert captions_asked(site) == [{"v": "dQw4w9WgXcQ", "lang": "en", "signature": "A.B"}]
    assert (page.title, page.author, page.site, page.kind) == ("How rivers bend", "Rivers TV", "YouTube", "video")
    assert (page.language, page.final_url) == ("en", URL)
    assert page.published.isoformat() == "2026-03-04T09:00:00+00:00"
    assert page.notes == ("captions are also there in: de, pt-BR",)


@pytest.mark.parametrize(
    ("languages", "url", "expected"),
    [
        ([], URL, "de"),  # what is spoken, as the automatic captions show
        (["en", "de"], URL, "en"),
        (["fr", "pt"], URL, "pt-BR"),
        (["fr"], URL, "de"),
        (["de"], f"{URL}&cc_lang_pref=pt-BR", "pt-BR"),
    ],
)
async def test_captions_are_of_the_wanted_or_the_spoken_language(site, reader, languages, url, expected):
    page = await reader(languages=languages).fetch(FetchRequest(url=url))
    assert [query["lang"] for query in captions_asked(site)] == [expected]
    assert page.language == expected
    assert (f"({expected}, automatic)" in page.body) is (expected == "de")


async def test_captions_that_come_empty_are_asked_for_with_the_watch_pages_address(site, reader):
    theirs = json.loads(json.dumps(PLAYER).replace("lang=en", "lang=en&by=app"))
    site.route("/youtubei/v1/player", answer(json=theirs))
    site.route("/api/timedtext", lambda request: answer() if "by" in request.query else CAPTIONS)
    page = await reader(languages=["en"]).fetch(FetchRequest(url=URL))
    assert len(captions_asked(site)) == 2
    assert "They bend" in page.body


@pytest.mark.parametrize(
    ("path", "behaviour"),
    [
        ("/watch", answer(302, headers={"location": "https://consent.youtube.com/m"})),
        ("/youtubei/v1/player", answer(400)),
    ],
)
async def test_one_source_is_enough(site, reader, path, behaviour):
    site.route(path, behaviour)
    assert "They bend" in (await reader().fetch(FetchRequest(url=URL))).body


async def test_without_a_client_only_the_watch_page_is_asked(site, reader):
    await reader(client_name="").fetch(FetchRequest(url=URL))
    assert [request.path for request in site.requests] == ["/watch", "/api/timedtext"]


async def test_a_video_without_captions_is_its_description(site, reader):
    silent = {**PLAYER, "captions": {}}
    site.route("/watch", watch(silent)).route("/youtubei/v1/player", answer(json=silent))
    page = await reader().fetch(FetchRequest(url=URL))
    assert "A lecture." in page.body
    assert page.notes == ("this video has no captions that we may read: only its description is shown",)


async def test_captions_that_cannot_be_read_are_said(site, reader):
    site.route("/api/timedtext", answer(429))
    page = await reader().fetch(FetchRequest(url=URL))
    assert page.notes == ("the captions could not be read: only its description is shown",)


async def test_a_video_restricted_by_age_is_still_described(site, reader):
    old = {"playabilityStatus": {"status": "LOGIN_REQUIRED"}, "videoDetails": PLAYER["videoDetails"]}
    site.route("/watch", watch(old)).route(
        "/youtubei/v1/player", answer(json={"playabilityStatus": {"status": "ERROR"}})
    )
    page = await reader().fetch(FetchRequest(url=URL))
    assert "A lecture." in page.body


@pytest.mark.parametrize(
    ("player", "error"),
    [
        ({"playabilityStatus": {"status": "ERROR", "reason": "Video unavailable"}}, NotFound),
        ({"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": "This video is private"}}, BlockedBySite),
        ({"playabilityStatus": {"status": "UNPLAYABLE", "reason": "Members only"}}, BlockedBySite),
        ({**PLAYER, "videoDetails": {**PLAYER["videoDetails"], "videoId": "aaaaaaaaaaa"}}, Drift),
        ({}, Drift),
    ],
)
async def test_what_nobody_may_see_says_why_and_is_tried_in_the_ordinary_way(site, reader, player, error):
    site.route("/watch", watch(player)).route("/youtubei/v1/player", answer(json=player))
    fetcher = reader()
    with pytest.raises(error):
        await fetcher.fetch(FetchRequest(url=URL))
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [fetcher, http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    read = await reading.fetch(FetchRequest(url=URL))
    assert read.page.body == "Some text."
    assert len(http.requests) == 1


async def test_captions_elsewhere_are_never_asked_for(site, reader):
    there = "https://evil.example/api/other?v=1"
    track = {"baseUrl": there, "languageCode": "en"}
    evil = {**PLAYER, "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": [track]}}}
    site.route("/watch", watch(evil)).route("/youtubei/v1/player", answer(json=evil))
    page = await reader().fetch(FetchRequest(url=URL))
    assert not captions_asked(site)
    assert "A lecture." in page.body


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&list=x", True),
        ("https://www.youtube.com/shorts/dQw4w9WgXcQ", True),
        ("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0", True),
        ("https://www.youtube.com/live/dQw4w9WgXcQ", True),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQQ", False),
        ("https://www.youtube.com/@rivers", False),
        ("https://www.youtube.com/playlist?list=dQw4w9WgXcQ", False),
        ("https://youtube.com.example/watch?v=dQw4w9WgXcQ", False),
        ("https://notyoutube.com/watch?v=dQw4w9WgXcQ", False),
    ],
)
async def test_videos_are_wanted(reader, url, wanted):
    assert reader().can_fetch(FetchRequest(url=url)) is wanted
    assert reader().can_fetch(FetchRequest(url=url, raw=True)) is False
