"""Videos of YouTube: the contract, the choice of captions, their forms, and videos that nobody may see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import BlockedBySite, NotFound, UnexpectedResponse, outline_of
from websearch_core.testing import SiteReaderContract, answer
from websearch_core.testing.cpu_time import within_cpu
from websearch_core.testing.fakes import FakeRobots
from websearch_core.testing.misbehaviour import redirect
from websearch_youtube.captions import paragraphs
from websearch_youtube.fetcher import YouTubeFetcher
from websearch_youtube.page import video_page
from websearch_youtube.plugin import websearch_fetchers

SAMPLES = Path(__file__).with_name("samples")
PLAYER = json.loads((SAMPLES / "player.json").read_text())
CAPTIONS = answer(body=(SAMPLES / "captions.xml").read_text(), content_type="text/xml; charset=utf-8")
URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


def watch(player):
    page = f"<html><script>var ytInitialPlayerResponse = {json.dumps(player)};var meta = 1;</script></html>"
    return answer(body=page, content_type="text/html; charset=utf-8")


class TestYouTube(SiteReaderContract):
    component = YouTubeFetcher
    plugin = "youtube"
    at_once = 2
    takes = (
        URL,
        "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&list=x",
        "https://music.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://www.youtube.com/shorts/dQw4w9WgXcQ",
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0",
        "https://www.youtube.com/live/dQw4w9WgXcQ",
        "https://youtu.be/dQw4w9WgXcQ?si=x&t=5",
    )
    leaves = (
        "https://www.youtube.com/watch?v=dQw4w9WgXcQQ",
        "https://www.youtube.com/watch?list=x",
        "https://www.youtube.com/@rivers",
        "https://www.youtube.com/playlist?list=dQw4w9WgXcQ",
        "https://www.youtube.com/embed/videoseries?list=PLx",
        "https://www.youtube.com/embed/live_stream?channel=UCx",
        "https://studio.youtube.com/watch?v=dQw4w9WgXcQ",
    )

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def good_answer(self, request):
        if request.path == "/watch":
            return watch(PLAYER)
        return CAPTIONS if request.path == "/api/timedtext" else answer(json=PLAYER)

    def told(self, player):
        """Both sources say the same."""
        self.site.route("/watch", watch(player)).route("/youtubei/v1/player", answer(json=player))

    def captions_asked(self):
        return [request.query for request in self.site.requests if request.path == "/api/timedtext"]

    async def test_a_video_is_its_description_and_what_is_said_in_it(self, reader):
        page = await reader(languages=["en"]).fetch(FetchRequest(url="https://youtu.be/dQw4w9WgXcQ?t=5"))
        assert page.body == (
            "# How rivers bend\n\nRivers TV · 2026-03-04 · 1:02:05\n\n"
            "## Description\n\nA lecture.\n\\# Chapters\n0:00 Start\n\\<!-- hidden? -->\n\n"
            "## Transcript (en)\n\n"
            "[0:00] Rivers don't flow straight ever: x < y. # They bend.\n\n"
            "[1:01] A minute later\n\n"
            "[1:01:01] [Music] \\<!-- x"
        )
        headings = [heading.text for heading in outline_of(page.body)]
        assert headings == ["How rivers bend", "Description", "Transcript (en)"]
        assert self.captions_asked() == [{"v": "dQw4w9WgXcQ", "lang": "en", "signature": "A.B"}]
        assert (page.title, page.author, page.site, page.kind) == (
            "How rivers bend",
            "Rivers TV",
            "YouTube",
            "video",
        )
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
    async def test_captions_are_of_the_wanted_or_the_spoken_language(self, reader, languages, url, expected):
        page = await reader(languages=languages).fetch(FetchRequest(url=url))
        assert [query["lang"] for query in self.captions_asked()] == [expected]
        assert page.language == expected
        assert (f"({expected}, automatic)" in page.body) is (expected == "de")

    @pytest.mark.parametrize("empty", ["", '<transcript><text start="0" dur="2"> </text></transcript>'])
    async def test_captions_that_come_empty_are_asked_for_with_the_watch_pages_address(self, reader, empty):
        theirs = json.loads(json.dumps(PLAYER).replace("lang=en", "lang=en&by=app"))
        self.site.route("/youtubei/v1/player", answer(json=theirs))
        self.site.route("/api/timedtext", lambda request: answer(body=empty) if "by" in request.query else CAPTIONS)
        page = await reader(languages=["en"]).fetch(FetchRequest(url=URL))
        assert len(self.captions_asked()) == 2
        assert "They bend" in page.body

    async def test_captions_a_word_an_element_are_read_too(self, made):
        self.site.route("/api/timedtext", answer(body=(SAMPLES / "captions.srv3.xml").read_text()))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.body.endswith("[0:00] rivers don't flow straight & slow anyway\n\n[1:01:01] [Music]")

    async def test_much_text_is_put_together_in_a_worker(self, made, ctx):
        line = '<text start="1" dur="2">' + "word " * 30 + "</text>"
        self.site.route("/api/timedtext", answer(body=f"<transcript>{line * 400}</transcript>"))
        page = await made.fetch(FetchRequest(url=URL))
        assert ctx.workers.calls == [video_page]
        assert page.body.count("word") == 12_000

    @pytest.mark.parametrize(
        ("path", "behaviour"),
        [
            ("/watch", redirect("https://consent.youtube.com/m", 302)),
            ("/youtubei/v1/player", answer(400)),
        ],
    )
    async def test_one_source_is_enough(self, made, path, behaviour):
        self.site.route(path, behaviour)
        assert "They bend" in (await made.fetch(FetchRequest(url=URL))).body

    async def test_without_a_client_only_the_watch_page_is_asked(self, reader):
        await reader(client_name="").fetch(FetchRequest(url=URL))
        assert [request.path for request in self.site.requests] == ["/watch", "/api/timedtext"]

    async def test_what_robots_txt_forbids_of_a_video_is_not_asked(self, reader):
        robots = FakeRobots(lambda url: "/api/" in url or "/youtubei/" in url)  # as YouTube's does
        page = await reader(robots).fetch(FetchRequest(url=URL, obey_robots=True))
        assert [request.path for request in self.site.requests] == ["/watch"]
        assert page.notes == ("the captions could not be read: only its description is shown",)

    @pytest.mark.parametrize(("rule", "wanted"), [("youtube.com", True), ("=m.youtube.com", False)])
    async def test_where_the_caller_does_not_allow_the_watch_page_it_is_not_read(self, made, rule, wanted):
        request = FetchRequest(url=URL.replace("www", "m"), allowed_domains=(rule,))
        assert made.can_fetch(request) is wanted

    @pytest.mark.parametrize("captions", [{}, {"playerCaptionsTracklistRenderer": {"audioTracks": [{}]}}])
    async def test_a_video_without_captions_is_its_description(self, made, captions):
        self.told({**PLAYER, "captions": captions})
        page = await made.fetch(FetchRequest(url=URL))
        assert "A lecture." in page.body
        assert page.notes == ("this video has no captions that we may read: only its description is shown",)

    async def test_captions_that_cannot_be_read_are_said(self, made):
        self.site.route("/api/timedtext", answer(429))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.notes == ("the captions could not be read: only its description is shown",)
        assert page.language == ""

    async def test_captions_elsewhere_are_never_asked_for(self, made):
        track = {"baseUrl": "https://evil.example/api/other?v=1", "languageCode": "en"}
        self.told({**PLAYER, "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": [track]}}})
        page = await made.fetch(FetchRequest(url=URL))
        assert not self.captions_asked()
        assert "A lecture." in page.body

    async def test_a_video_restricted_by_age_is_still_described(self, made):
        old = {"playabilityStatus": {"status": "LOGIN_REQUIRED", "desktopLegacyAgeGateReason": 1}}
        self.site.route("/watch", watch({**old, "videoDetails": PLAYER["videoDetails"]}))
        self.site.route("/youtubei/v1/player", answer(json={"playabilityStatus": {"status": "ERROR"}}))
        assert "A lecture." in (await made.fetch(FetchRequest(url=URL))).body

    @pytest.mark.parametrize(
        ("player", "error"),
        [
            ({"playabilityStatus": {"status": "ERROR", "reason": "Video unavailable"}}, NotFound),
            ({"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": "This video is private"}}, BlockedBySite),
            ({"playabilityStatus": {"status": "UNPLAYABLE", "reason": "Members only"}}, BlockedBySite),
            ({**PLAYER, "videoDetails": {**PLAYER["videoDetails"], "videoId": "aaaaaaaaaaa"}}, UnexpectedResponse),
            ({}, UnexpectedResponse),
        ],
    )
    async def test_what_nobody_may_see_says_why_and_is_tried_in_the_ordinary_way(self, made, player, error):
        self.told(player)
        with pytest.raises(error):
            await made.fetch(FetchRequest(url=URL))
        read, asked = await self.in_order(made)
        assert (read.page.body, asked) == ("Some text.", 1)


@pytest.mark.parametrize(
    "document",
    [
        '<text start="1" dur="2">word</text>' * 50_000,
        '<p t="1" d="2"><s>word</s></p>' * 50_000,
        '<text start="1">' * 100_000,
        '<p t="1"><s>' * 100_000,
        '<p t="1">' + "<s>" * 300_000,
    ],
)
def test_captions_are_read_in_linear_time(document):
    within_cpu(2, paragraphs, document)
