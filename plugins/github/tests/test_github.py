"""GitHub: the contract, each kind of thing, what has moved, and what happens when GitHub says no."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import AuthFailed, BlockedBySite, NotFound, RateLimited, Unsupported, outline_of
from websearch_core.testing import SiteReaderContract, answer
from websearch_core.testing.misbehaviour import redirect
from websearch_github.fetcher import GitHub
from websearch_github.pages import thread_page
from websearch_github.plugin import websearch_fetchers

SAMPLES = Path(__file__).with_name("samples")
ISSUE, COMMENTS, GIST = (json.loads((SAMPLES / f"{name}.json").read_text()) for name in ("issue", "comments", "gist"))
URL = "https://github.com/octo/maps/issues/5"


README = "https://github.com/octo/maps"


class TestGitHub(SiteReaderContract):
    component = GitHub
    plugin = "github"
    takes = (
        URL,
        README,
        "https://github.com/octo/maps.git?tab=readme-ov-file#start",
        "https://github.com/octo/maps/pull/7/",
        "https://github.com/octo/maps/blob/main/a/b.rs",
        "https://gist.github.com/aa5a315d61ae9438b18d",
        "https://gist.github.com/octo/decbf2be529ab6557d5429922251e5ee#file-run-py",
        "https://gist.github.com/octo/1234",
    )
    leaves = (
        "https://github.com/octo",
        "https://github.com/topics/maps",
        "https://github.com/advisories/GHSA-xvch-5gv4-984h",
        "https://github.com/octo/maps?tab=MIT-1-ov-file",
        "https://github.com/octo/maps/issues",
        "https://github.com/octo/maps/discussions/7",
        "https://github.com/octo/maps/pull/7/files",
        "https://github.com/octo/maps/tree/main/src",
        "https://github.com/octo/maps/wiki",
        "https://github.com/octo/maps/raw/main/a.py",
        "https://github.com/octo/..",
        "https://github.com/octo/maps/blob/main/%2e%2e/%2e%2e/x",
        "https://gist.github.com/facade",
        "https://gist.github.com/octo/aa5a315d61ae9438b18d/revisions",
        "https://raw.githubusercontent.com/octo/maps/HEAD/README.md",
    )

    def settings(self):
        return {"api_url": f"{self.site.url}/api", "raw_url": f"{self.site.url}/raw", "token": self.secret}

    def fetcher(self, ctx):
        [fetcher] = websearch_fetchers(ctx)
        return fetcher

    def address(self, word):
        return f"https://github.com/octo/{word}/issues/5"

    def good_answer(self, request):
        return answer(json=COMMENTS if "comments" in request.path else ISSUE)

    def only(self, **routes):
        """Nothing but these is there, below `api` or `raw`."""
        self.site.route("/*", answer(404))
        for door, (path, behaviour) in routes.items():
            self.site.route(f"/{door}/{path}", behaviour)

    async def test_a_thread_is_shown_in_order_and_nobody_leaves_his_place(self, reader):
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
        assert {request.headers["authorization"] for request in self.site.requests} == {"Bearer t"}
        assert self.site.requests[1].query == {"per_page": "100"}

    async def test_a_merged_pull_request_says_so_and_a_huge_thread_too(self, made):
        pull = {**ISSUE, "comments": 900, "pull_request": {"merged_at": "2026-03-05T09:00:00Z"}}
        self.site.route("/api/repos/octo/maps/issues/5", answer(json=pull))
        page = await made.fetch(FetchRequest(url="https://github.com/octo/maps/pull/5"))
        assert "Pull request #5 by ana · merged" in page.body
        assert page.notes == ("the first 2 of 900 comments are shown",)

    @pytest.mark.parametrize(
        ("state", "reason", "shown"),
        [
            ("open", None, "open"),
            ("open", "reopened", "open"),
            ("closed", "completed", "closed"),
            ("closed", "not_planned", "closed as not planned"),
        ],
    )
    async def test_why_an_issue_was_closed_is_said(self, made, state, reason, shown):
        issue = {**ISSUE, "comments": 0, "state": state, "state_reason": reason}
        self.site.route("/api/repos/octo/maps/issues/5", answer(json=issue))
        page = await made.fetch(FetchRequest(url=URL))
        assert f"by ana · {shown} · 2026" in page.body

    async def test_a_renamed_repository_is_followed_within_the_api(self, made):
        moved = {**ISSUE, "comments": 0, "html_url": "https://github.com/octo/rivers/issues/5"}
        there = f"{self.site.url}/api/repositories/9/issues/5"
        self.site.route("/api/repos/octo/maps/issues/5", redirect(there, 301))
        self.site.route("/api/repositories/9/issues/5", answer(json=moved))
        page = await made.fetch(FetchRequest(url=URL))
        assert page.url == URL
        assert page.final_url == "https://github.com/octo/rivers/issues/5"

    async def test_a_readme_is_the_file_itself(self, made):
        text = answer(body="# Maps\n", content_type="text/plain; charset=utf-8")
        self.only(raw=("octo/maps/HEAD/README.md", text))
        download = await made.fetch(FetchRequest(url=f"{README}.git?tab=readme-ov-file#start"))
        assert (download.body, download.media_type, download.charset) == (b"# Maps\n", "text/markdown", "utf-8")
        assert download.final_url == "https://github.com/octo/maps/blob/HEAD/README.md"
        assert len(self.site.requests) == 1  # the API's limit is not touched

    @pytest.mark.parametrize("raw", [answer(404), answer(body="docs/README.md\n")], ids=["another kind", "a link"])
    async def test_a_readme_that_is_not_that_file_comes_rendered(self, made, raw):
        kind = "application/vnd.github.html; charset=utf-8"
        rendered = answer(body="<article><h1>Maps</h1></article>", content_type=kind)
        self.only(raw=("octo/maps/HEAD/README.md", raw), api=("repos/octo/maps/readme", rendered))
        download = await made.fetch(FetchRequest(url=README))
        assert (download.media_type, download.body) == ("text/html", b"<article><h1>Maps</h1></article>")
        assert self.site.requests[-1].headers["accept"] == "application/vnd.github.html+json"

    async def test_a_file_comes_as_it_is(self, made):
        self.only(raw=("octo/maps/feature/x/src/*", answer(body="x = 1", content_type="text/plain; charset=utf-8")))
        download = await made.fetch(FetchRequest(url="https://github.com/octo/maps/blob/feature/x/src/a%20b.py#L1"))
        assert self.site.requests[0].path == "/raw/octo/maps/feature/x/src/a b.py"
        assert (download.body, download.media_type) == (b"x = 1", "text/plain")
        assert download.final_url == "https://github.com/octo/maps/blob/feature/x/src/a%20b.py"

    async def test_a_file_that_is_kept_elsewhere_is_not_its_pointer(self, made):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
        self.only(raw=("octo/maps/main/big.csv", answer(body=pointer)))
        with pytest.raises(Unsupported):
            await made.fetch(FetchRequest(url="https://github.com/octo/maps/blob/main/big.csv"))

    async def test_a_gist_is_its_files(self, made):
        self.only(api=("gists/aa5a315d61ae9438b18d", answer(json=GIST)))
        page = await made.fetch(FetchRequest(url="https://gist.github.com/octo/aa5a315d61ae9438b18d"))
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
            (answer(403, json={"message": "You have exceeded a secondary rate limit. Please wait"}), RateLimited, 60),
            (answer(429, headers={"retry-after": "30"}), RateLimited, 30),
            (answer(403, json={"message": "Repository access blocked"}), BlockedBySite, None),
            (answer(401), AuthFailed, None),
            (answer(404), NotFound, None),
            (answer(410, json={"message": "This issue was deleted"}), NotFound, None),
        ],
    )
    async def test_what_github_says_no_with(self, made, behaviour, error, wait):
        self.site.route("/*", behaviour)
        with pytest.raises(error) as caught:
            await made.fetch(FetchRequest(url=URL))
        assert caught.value.retry_after == (pytest.approx(wait, abs=2) if wait else None)

    @pytest.mark.parametrize("token", ["", "t"])
    @pytest.mark.parametrize(
        "limit",
        [
            answer(403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1750000600"}),
            answer(403, json={"message": "You have exceeded a secondary rate limit."}),
        ],
        ids=["an hour's", "a burst's"],
    )
    async def test_a_limit_is_remembered_and_files_are_still_read(self, reader, clock, limit, token):
        made = reader(token=token)
        self.site.route("/api/*", limit)
        self.site.route("/raw/*", answer(body="# Maps\n"))
        await self.in_order(made)
        asked = len(self.site.requests)
        _, elsewhere = await self.in_order(made)
        assert (elsewhere, len(self.site.requests)) == (1, asked)
        if token:  # without one both doors are the same to this one server
            await made.fetch(FetchRequest(url=README))
        clock.advance(601)
        self.site.route("/api/*", self.good_answer)
        assert "Rivers flow" in (await made.fetch(FetchRequest(url=URL))).body

    @pytest.mark.parametrize("url", [README, "https://github.com/octo/maps/blob/main/a.py"])
    async def test_what_cannot_be_had_is_read_in_the_ordinary_way(self, made, url):
        self.site.route("/*", answer(404))
        read, asked = await self.in_order(made, url=url)
        assert (read.page.body, asked) == ("Some text.", 1)

    async def test_much_text_is_put_together_in_a_worker(self, made, ctx):
        self.site.route("/*", answer(json={**ISSUE, "comments": 0, "body": "word " * 9000}))
        page = await made.fetch(FetchRequest(url=URL))
        assert ctx.workers.calls == [thread_page]
        assert len(page.body) > 40_000
