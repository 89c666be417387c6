"""Readers of one site: a good one that passes the contract, and bad ones that each fail what they should fail."""

from __future__ import annotations

import re

from websearch_core import FetchRequest, Page, SiteReader
from websearch_core.contract.errors import BackendError
from websearch_core.kit import InvalidRequest, Refused, Row, UnexpectedResponse
from websearch_core.testing import SiteReaderContract, answer

NOTE = re.compile(r"https?://notes\.example/([a-z0-9]{1,40})(?:[?#].*)?")


class Good(SiteReader):
    """Reads notes by an API, in two calls."""

    name = "notes"

    def __init__(self, ctx, base_url):
        super().__init__(ctx)
        self.api = ctx.api(base_url)

    def can_fetch(self, request: FetchRequest) -> bool:
        return not request.raw and NOTE.fullmatch(request.url) is not None

    async def read(self, request: FetchRequest) -> Page:
        if (match := NOTE.fullmatch(request.url)) is None:
            raise InvalidRequest("this is no note")
        found = [await self.get(request, f"{kind}/{match[1]}") for kind in ("notes", "comments")]
        if not (text := "\n\n".join(filter(None, (row.block("text") for row in found)))):
            raise UnexpectedResponse("text")
        return Page.from_text(text, max_bytes=request.max_bytes, url=request.url, fetched_at=self.now())

    async def get(self, request, path):
        return Row.of(await self.api.get(path, deadline=request.caller.deadline))


class NotesContract(SiteReaderContract):
    component = Good
    takes = ("https://notes.example/querycanary",)
    leaves = ("https://notes.example/a/b", "https://notes.example/")
    error_bodies = 5

    def fetcher(self, ctx):
        return self.component(ctx, self.site.url)

    def address(self, word):
        return f"https://notes.example/{word}"

    def good_answer(self, request):
        return answer(json={"text": "A note of some length."})


class TestGood(NotesContract):
    fails = {}


class Grabs(Good):
    def can_fetch(self, request):
        return request.url.startswith("https://notes.example")


class TestGrabs(NotesContract):
    component = Grabs
    fails = {
        "test_it_takes_what_it_can_read": "taken although raw",
        "test_it_leaves_what_it_cannot_read": "taken: ",
        "test_a_host_that_only_looks_like_the_sites_is_left": "notes.example.evil.example",
    }


class Shy(Good):
    def can_fetch(self, request):
        return False


class TestShy(NotesContract):
    component = Shy
    fails = {"test_it_takes_what_it_can_read": "not taken", "test_what_fails_is_read_in_the_ordinary_way": ""}


class Stubborn(Good):
    async def read(self, request):
        try:
            return await super().read(request)
        except BackendError:
            raise Refused("no") from None


class TestStubborn(NotesContract):
    component = Stubborn
    fails = {"test_what_fails_is_read_in_the_ordinary_way": "Refused"}


class Patient(Good):
    async def get(self, request, path):
        return Row.of(await self.api.get(path, timeout_s=8.0))


class TestPatient(NotesContract):
    component = Patient
    fails = {"test_the_ordinary_way_has_time_left": "asked after"}


class Greedy(Good):
    """Asks once, and takes all of the caller's time for it."""

    async def fetch(self, request):
        return await self.read(request)

    async def read(self, request):
        await self.get(request, "notes/1")
        return Page.from_text("A note.", url=request.url, fetched_at=self.now())


class TestGreedy(NotesContract):
    component = Greedy
    fails = {"test_who_says_nothing_is_given_up_while_there_is_time": "more than half"}


class Timid(Good):
    async def read(self, request):
        if request.obey_robots:
            await self.ctx.web.robots.permit(f"{request.url}/api")
        return await super().read(request)


class TestTimid(NotesContract):
    component = Timid
    fails = {"test_what_robots_txt_says_of_other_addresses_ends_no_reading": "Disallowed"}


class Twice(Good):
    async def read(self, request):
        await self.permit(request, request.url)
        return await super().read(request)


class TestTwice(NotesContract):
    component = Twice
    fails = {"test_what_robots_txt_says_of_other_addresses_ends_no_reading": "the page's own address"}


class Anxious(Good):
    async def read(self, request):
        await self.ctx.web.robots.objection(request.url)
        return await super().read(request)


class TestAnxious(NotesContract):
    component = Anxious
    fails = {"test_else_robots_txt_is_not_asked_for": ""}
