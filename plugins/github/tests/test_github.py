"""GitHub: the contract, each kind of thing, what has moved, and what happens when GitHub says no."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import AuthFailed, BlockedBySite, FetchRequest, NotFound, RateLimited, outline_of
from websearch_core.ask.reading import Reading
from websearch_core.settings import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing import FakeClock, FetcherContract, LoopbackSite, answer, context
from websearch_core.testing.fakes import FakeExtractor, FakeFetcher
from websearch_core.testing.misbehaviour import redirect
from websearch_github.fetcher import GitHub
from websearch_github.pages import thread_page
from websearch_github.plugin import websearch_fetchers

SAMPLES = Path(__file__).with_name("samples")
ISSUE, COMMENTS, GIST = (json.loads((SAMPLES / f"{name}.json").read_text()) for name in ("issue", "comments", "gist"))
URL = "https://github.com/octo/maps/issues/5"


class TestGitHub(FetcherContract):
    component = GitHub
    plugin = "github"

    def settings(self):
        return {"api_url": self.site.url, "raw_url": f"{self.site.url}/raw", "token": self.secret}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://github.com/octo/{word}/issues/5"

    def good_answer(self, request):
        return answer(json=COMMENTS if "comments" in request.path else ISSUE)


@pytest.fixture
async def site():
    async with LoopbackSite() as started:
        yield started


@pytest.fixture
async def reader(site):
    opened = []

    def make(**settings):
        urls = {"api_url": f"{site.url}/api", "raw_url": f"{site.url}/raw"}
        opened.append(context("github", {**urls, **settings}))
        return next(iter(websearch_fetchers(opened[-1])))

    yield make
    for ctx in opened:
        await ctx.aclose()


async def test_a_thread_is_shown_in_order_and_nobody_leaves_his_place(site, reader):
    site.route("/api/repos/octo/maps/issues/5", answer(json=ISSUE))
    site.route("/api/repos/octo/maps/issues/5/comments", answer(json=COMMENTS))
    page = await reader(token="t").fetch(FetchRequest(url=f"{URL}#issuecomment-11"))
    assert page.body == (
        "# Rivers flow uphill\n\n"
        "Issue #5 by ana · closed · 2026-03-04 · labels: bug, good first issue\n\n"
        "##### Steps\n\n1. Open\n\n```sh\n# run\nmaps --up\n```\n\n"
        "## Comment by bo (2026-03-04)\n\n"
        "### Fixed\n\nSee ![](https://e.example/a.png).\n\n"
        "## Comment by somebody (2026-03-05)\n\nThank you"
    )
    assert [heading.level for heading in outline_of(page.body)] == [1, 5, 2, 3, 2]
    assert page.hidden == "Thank you for the report!"
    assert (page.title, page.author, page.site, page.notes) == ("Rivers flow uphill", "ana", "GitHub", ())
    assert page.published.isoformat() == "2026-03-04T09:00:00+00:00"
    assert {request.headers["authorization"] for request in site.requests} == {"Bearer t"}
    assert site.requests[1].query == {"per_page": "100"}


async def test_a_merged_pull_request_says_so_and_a_huge_thread_too(site, reader):
    pull = {**ISSUE, "comments": 900, "pull_request": {"merged_at": "2026-03-05T09:00:00Z"}}
    site.route("/api/repos/octo/maps/issues/5", answer(json=pull))
    site.route("/api/repos/octo/maps/issues/5/comments", answer(json=COMMENTS))
    page = await reader().fetch(FetchRequest(url="https://github.com/octo/maps/pull/5"))
    assert "Pull request #5 by ana · merged" in page.body
    assert page.notes == ("the first 2 of 900 comments are shown",)


async def test_a_renamed_repository_is_followed_within_the_api(site, reader):
    moved = {**ISSUE, "comments": 0, "html_url": "https://github.com/octo/rivers/issues/5"}
    site.route("/api/repos/octo/maps/issues/5", redirect(f"{site.url}/api/repositories/9/issues/5", 301))
    site.route("/api/repositories/9/issues/5", answer(json=moved))
    page = await reader().fetch(FetchRequest(url=URL))
    assert page.url == URL
    assert page.final_url == "https://github.com/octo/rivers/issues/5"


async def test_a_readme_is_the_file_itself(site, reader):
    site.route("/raw/octo/maps/HEAD/README.md", answer(body="# Maps\n", content_type="text/plain; charset=utf-8"))
    download = await reader().fetch(FetchRequest(url="https://github.com/octo/maps.git?tab=readme-ov-file#start"))
    assert (download.body, download.media_type, download.charset) == (b"# Maps\n", "text/markdown", "utf-8")
    assert download.final_url == "https://github.com/octo/maps/blob/HEAD/README.md"
    assert len(site.requests) == 1  # the API's limit is not touched


async def test_a_readme_of_another_kind_comes_rendered(site, reader):
    html = answer(body="<article><h1>Maps</h1></article>", content_type="application/vnd.github.html; charset=utf-8")
    site.route("/api/repos/octo/maps/readme", html)
    download = await reader().fetch(FetchRequest(url="https://github.com/octo/maps"))
    assert (download.media_type, download.body) == ("text/html", b"<article><h1>Maps</h1></article>")
    assert site.requests[-1].headers["accept"] == "application/vnd.github.html+json"


async def test_a_file_comes_as_it_is(site, reader):
    site.route("/raw/octo/maps/feature/x/src/*", answer(body="x = 1", content_type="text/plain; charset=utf-8"))
    download = await reader().fetch(FetchRequest(url="https://github.com/octo/maps/blob/feature/x/src/a%20b.py#L1"))
    assert site.requests[0].path == "/raw/octo/maps/feature/x/src/a b.py"
    assert (download.body, download.media_type) == (b"x = 1", "text/plain")
    assert download.final_url == "https://github.com/octo/maps/blob/feature/x/src/a%20b.py"


async def test_a_gist_is_its_files(site, reader):
    site.route("/api/gists/aa5a315d61ae9438b18d", answer(json=GIST))
    page = await reader().fetch(FetchRequest(url="https://gist.github.com/octo/aa5a315d61ae9438b18d"))
    assert page.body == (
        "# Two notes\n\nGist by octo · 2026-03-04\n\n"
        "## run.py\n\n````py\nprint('```')\n````\n\n## notes.md\n\n### Notes\n\nText."
    )
    assert page.notes == ("GitHub cut this gist: some files are not shown whole",)


@pytest.mark.parametrize(
    ("behaviour", "error", "wait"),
    [
        (answer(403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1750000600"}), RateLimited, 600),
        (answer(403, headers={"retry-after": "30"}), RateLimited, 30),
        (answer(429, headers={"retry-after": "30"}), RateLimited, 30),
        (answer(403, json={"message": "Repository access blocked"}), BlockedBySite, None),
        (answer(401), AuthFailed, None),
        (answer(404), NotFound, None),
        (answer(410, json={"message": "This issue was deleted"}), NotFound, None),
    ],
)
async def test_what_github_says_no_with(site, reader, behaviour, error, wait):
    site.route("/*", behaviour)
    with pytest.raises(error) as caught:
        await reader().fetch(FetchRequest(url=URL))
    assert caught.value.retry_after == (pytest.approx(wait, abs=2) if wait else None)


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (URL, True),
        ("https://github.com/octo/maps", True),
        ("https://github.com/octo/maps/pull/7/", True),
        ("https://github.com/octo/maps/blob/main/a/b.rs", True),
        ("https://gist.github.com/aa5a315d61ae9438b18d", True),
        ("https://github.com/octo", False),
        ("https://github.com/topics/maps", False),
        ("https://github.com/octo/maps/issues", False),
        ("https://github.com/octo/maps/pull/7/files", False),
        ("https://github.com/octo/maps/tree/main/src", False),
        ("https://github.com/octo/..", False),
        ("https://github.com/octo/maps/blob/main/%2e%2e/%2e%2e/x", False),
        ("https://github.com.example/octo/maps", False),
        ("https://raw.githubusercontent.com/octo/maps/HEAD/README.md", False),
    ],
)
async def test_what_is_wanted(reader, url, wanted):
    assert reader().can_fetch(FetchRequest(url=url)) is wanted
    assert reader().can_fetch(FetchRequest(url=url, raw=True)) is False


@pytest.mark.parametrize("url", [URL, "https://github.com/octo/maps", "https://github.com/octo/maps/blob/main/a.py"])
@pytest.mark.parametrize("failure", [answer(404), answer(403, headers={"x-ratelimit-remaining": "0"}), answer(500)])
async def test_what_cannot_be_had_is_read_in_the_ordinary_way(site, reader, failure, url):
    site.route("/*", failure)
    http, clock = FakeFetcher("http"), FakeClock()
    reading = Reading(
        [reader(), http], [FakeExtractor()], ChainSettings(), clock, MemoryStore(clock, 10**6), lambda _: None
    )
    read = await reading.fetch(FetchRequest(url=url))
    assert read.page.body == "Some text."
    assert len(http.requests) == 1


async def test_much_text_is_put_together_in_a_worker(site):
    ctx = context("github", {"api_url": f"{site.url}/api"})
    [fetcher] = websearch_fetchers(ctx)
    site.route("/api/repos/octo/maps/issues/5", answer(json={**ISSUE, "comments": 0, "body": "word " * 9000}))
    page = await fetcher.fetch(FetchRequest(url=URL))
    assert ctx.workers.calls == [thread_page]
    assert len(page.body) > 40_000
    await ctx.aclose()
