"""The contracts of fetchers: local ones, and those that ask a server over HTTP."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import (
    AuthFailed,
    BackendError,
    BlockedBySite,
    InvalidRequest,
    NotFound,
    PlanMismatch,
    RateLimited,
    Refused,
    ServerFailed,
    UnexpectedResponse,
)
from websearch_core.contract.interfaces import Fetcher
from websearch_core.contract.models import Download, FetchRequest, Page
from websearch_core.testing.misbehaviour import redirect
from websearch_core.testing.site import LoopbackSite

from .contract import Contract
from .fuzzed import Fuzzed
from .over_http import WORD, Errors
from .probes import is_web_address, page_is_sound

FORBIDDEN = (
    "http://127.0.0.2/",
    "http://2130706433/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://localhost/",
    "file:///",
)
"""All on this machine: even a fetcher that fails the test reaches nobody else's."""


class _Fetcher(Contract[Fetcher]):
    @abstractmethod
    def fetcher(self, ctx: PluginContext) -> Fetcher:
        """The fetcher, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Fetcher:
        """The fetcher."""
        return self.fetcher(ctx)

    @abstractmethod
    def address(self, word: str) -> str:
        """An address that this fetcher can read, with this word in it."""

    def sound(self, result: object) -> None:
        """A document that the core may use."""
        assert isinstance(result, (Download, Page)), (
            f"a fetcher returns a Download or a Page, not {type(result).__name__}"
        )
        if isinstance(result, Page):
            page_is_sound(result)
            assert is_web_address(result.reached) or result.url == result.reached
        else:
            assert result.media_type == result.media_type.lower().partition(";")[0].strip()
            assert all(name == name.lower() for name in result.headers), "header names are in lower case"

    async def test_a_document_says_which_address_was_asked_for(self, made: Fetcher) -> None:
        """`url` is the request's; `final_url` is where it came from."""
        address = self.address(WORD)
        result = await made.fetch(FetchRequest(url=address))
        self.sound(result)
        assert result.url == address

    async def test_can_fetch_says_yes_or_no_at_once(self, made: Fetcher) -> None:
        """For any text that calls itself an address."""
        assert made.can_fetch(FetchRequest(url=self.address(WORD))) is True
        for odd in (
            "https://example.com/",
            "ftp://example.com/",
            "no address",
            "http://[",
            "javascript:alert(1)",
            "🦊",
        ):
            assert made.can_fetch(FetchRequest(url=odd)) in (True, False)


class LocalFetcherContract(_Fetcher):
    """For a fetcher that asks nobody: stored copies."""

    @abstractmethod
    async def fill(self, fetcher: Fetcher, ctx: PluginContext) -> None:
        """Let the started fetcher hold the document of `address("querycanary")`; called before each test."""

    @pytest.fixture(autouse=True)
    async def filled(self, made: Fetcher, ctx: PluginContext) -> None:
        """Something to fetch."""
        await self.fill(made, ctx)

    async def test_an_unknown_address_is_not_wanted_or_not_found(self, made: Fetcher) -> None:
        """The next fetcher is asked then."""
        unknown = FetchRequest(url="https://unknown.example/never-stored")
        if made.can_fetch(unknown):
            with pytest.raises(NotFound):
                await made.fetch(unknown)

    async def test_nothing_is_printed(self, made: Fetcher, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await made.fetch(FetchRequest(url=self.address(WORD)))
        assert capfd.readouterr().out == ""


class FetcherContract(Fuzzed[Fetcher], _Fetcher):
    """For a fetcher that asks a server over HTTP, which `self.site` plays.

    A fetcher through `ctx.web` reads pages of the site itself; one with `remote = True` asks an API there.
    """

    usual: ClassVar[Mapping[int, Errors]] = {
        401: (BlockedBySite, AuthFailed),
        403: (BlockedBySite, AuthFailed, PlanMismatch),
        404: (NotFound, InvalidRequest),
        429: RateLimited,
        500: ServerFailed,
        503: (ServerFailed, RateLimited, BlockedBySite),
    }
    raw: ClassVar[bool] = False
    """True: the fetcher hands on any bytes as they came (`Download`), so garbage is not its business."""

    def address(self, word: str) -> str:
        """A page of the site; a remote fetcher's own API may be asked about any address."""
        return f"{self.site.url}/{word}"

    async def call(self, component: Fetcher, word: str = WORD, **fields: Any) -> object:
        """One fetch."""
        return await component.fetch(FetchRequest(url=self.address(word), **fields))

    @pytest.fixture(autouse=True)
    def only_what_applies(self, request: pytest.FixtureRequest) -> None:
        """Whoever passes bytes on does not judge them."""
        judging = (
            "test_garbage_is_no_answer",
            "test_an_answer_with_one_thing_changed_is_understood_or_refused",
            "test_no_mutated_answer_breaks_it",
        )
        if self.raw and request.node.name.partition("[")[0] in judging:
            pytest.skip("raw: bytes are handed on as they came")

    async def test_a_redirect_to_a_forbidden_address_is_refused(self, made: Fetcher) -> None:
        """Every hop is judged; nothing is asked of the forbidden place."""
        async with LoopbackSite() as canary:
            for forbidden in (canary.url, *FORBIDDEN):  # the canary first: a bad fetcher stays on this machine
                self.site.route("/*", redirect(forbidden))
                with pytest.raises(BackendError) as caught:
                    await self.call(made)
                # an engine client follows no redirect: to it any is an unexpected response
                known = made.remote or isinstance(caught.value, Refused | UnexpectedResponse)
                assert known, f"{forbidden}: {type(caught.value).__name__}"
            assert canary.connections == 0

    async def test_a_forbidden_address_is_refused(self, made: Fetcher) -> None:
        """Before anything is asked; the core does that for remote fetchers."""
        if made.remote:
            pytest.skip("remote: addresses are screened by the core")
        async with LoopbackSite() as canary:
            for forbidden in (canary.url, *FORBIDDEN):
                with pytest.raises((Refused, InvalidRequest)):
                    await made.fetch(FetchRequest(url=forbidden))
            assert canary.connections == 0
        assert not self.site.requests

    async def test_the_callers_byte_cap_is_kept(self, made: Fetcher) -> None:
        """A longer document is cut and marked, or refused as too large."""
        if made.remote:
            pytest.skip("remote: the other side reads the document")
        try:
            result = await made.fetch(FetchRequest(url=self.address(WORD), max_bytes=10))
        except BackendError as error:
            assert error.code == "too_large"  # noqa: PT017 - either way is right
        else:
            assert result.truncated
            assert result.bytes_read <= 10
