"""The contract of extractors: whatever the bytes are, a page or a BackendError."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.errors import BackendError
from websearch_core.contract.interfaces import Extractor
from websearch_core.contract.models import Download, Page
from websearch_core.contract.outline import outline_of
from websearch_core.testing.fakes import download

from .contract import Contract
from .probes import GARBAGE, longest_hold_ms, page_is_sound

ADDRESS = "https://site.example/folder/page"


class ExtractorContract(Contract[Extractor]):
    """For an extractor: a media type, good bytes of it, and what must then be in the body."""

    media_type: ClassVar[str]
    """One that the extractor declares."""
    good: ClassVar[bytes]
    """A small real document."""
    expected: ClassVar[tuple[str, ...]]
    """Text that a reader must find in its body."""
    hidden: ClassVar[Mapping[bytes, str]] = {}
    """Documents → text that a person would not see in them: it must be in nothing that is read."""
    charset: ClassVar[str] = ""

    @abstractmethod
    def extractor(self, ctx: PluginContext) -> Extractor:
        """The extractor, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> Extractor:
        """The extractor."""
        return self.extractor(ctx)

    def download(self, body: bytes, **fields: object) -> Download:
        """Bytes as a fetcher would hand them on."""
        return download(ADDRESS, body, **{"media_type": self.media_type, "charset": self.charset, **fields})

    async def test_media_types_are_declared_in_lower_case(self, made: Extractor) -> None:
        """Exact types or families."""
        assert made.media_types
        for kind in made.media_types:
            assert kind == kind.lower()
            assert kind.count("/") == 1
            assert ";" not in kind
        family = self.media_type.partition("/")[0] + "/*"
        assert {self.media_type, family, "*/*"} & made.media_types, f"{self.media_type} is not among media_types"

    async def test_a_good_document_is_read(self, made: Extractor) -> None:
        """With everything that a reader expects, and a sound outline."""
        page = await made.extract(self.download(self.good))
        for text in self.expected:
            assert text in page.body
        page_is_sound(page)
        assert page.outline == outline_of(page.body), "use Page.from_markdown: the outline is the body's"
        assert page.content_hash

    async def test_what_the_fetcher_knew_is_kept(self, made: Extractor) -> None:
        """Addresses, size, truncation, time."""
        final = "https://other.example/moved"
        given = self.download(self.good, final_url=final, truncated=True, bytes_read=12345)
        page = await made.extract(given)
        assert (page.url, page.reached) == (ADDRESS, final)
        assert (page.truncated, page.bytes_read, page.fetched_at) == (True, 12345, given.fetched_at)

    @pytest.mark.parametrize("name", GARBAGE)
    async def test_garbage_is_a_page_or_a_backend_error(self, made: Extractor, name: str) -> None:
        """Never another exception."""
        await self._page_or_error(made, self.download(GARBAGE[name]))

    async def test_a_document_cut_anywhere_is_a_page_or_a_backend_error(self, made: Extractor) -> None:
        """A download may be truncated at any byte."""
        for eighths in range(8):
            cut = self.good[: len(self.good) * eighths // 8]
            await self._page_or_error(made, self.download(cut, truncated=True))

    async def test_a_document_with_flipped_bytes_is_a_page_or_a_backend_error(self, made: Extractor) -> None:
        """Bits rot."""
        for start in range(16):
            rotten = bytearray(self.good)
            for place in range(start, len(rotten), 16):
                rotten[place] ^= 0xFF
            await self._page_or_error(made, self.download(bytes(rotten)))

    @pytest.mark.parametrize(
        "charset", ["nonsense-8", "utf-16", "ascii", "utf-7", "base64", "idna", "\x00", "windows-1252"]
    )
    async def test_a_wrong_charset_is_survived(self, made: Extractor, charset: str) -> None:
        """What the header claims may be anything."""
        await self._page_or_error(made, self.download(self.good, charset=charset))

    async def test_hidden_text_is_not_read(self, made: Extractor) -> None:
        """It may be in `hidden`, for filters; in no part that a model reads, outline and links included."""
        for body, secret in self.hidden.items():
            page = await made.extract(self.download(body))
            read = "\n".join((page.text_read, page.site, *(h.text for h in page.outline), *page.links, *page.notes))
            assert secret not in read

    async def test_two_documents_at_once_are_not_mixed_up(self, made: Extractor) -> None:
        """No state between calls."""
        alone = await made.extract(self.download(self.good))
        first, second = await asyncio.gather(
            made.extract(self.download(self.good)),
            made.extract(self.download(self.good, final_url="https://b.example/")),
        )
        assert (first.body, first.reached, second.reached) == (alone.body, ADDRESS, "https://b.example/")

    async def test_nothing_is_printed(self, made: Extractor, capfd: pytest.CaptureFixture[str]) -> None:
        """One line on stdout breaks the stdio transport."""
        await made.extract(self.download(self.good))
        for garbage in GARBAGE.values():
            await self._page_or_error(made, self.download(garbage))
        assert capfd.readouterr().out == ""

    async def test_the_event_loop_is_not_held(self, made: Extractor, ctx: PluginContext) -> None:
        """Work of more than 50 ms belongs in `ctx.workers`."""
        await made.extract(self.download(self.good))
        held = await longest_hold_ms(lambda: made.extract(self.download(self.good)), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"

    async def _page_or_error(self, made: Extractor, given: Download) -> None:
        try:
            page = await made.extract(given)
        except BackendError:
            return
        assert isinstance(page, Page)
        page_is_sound(page)
