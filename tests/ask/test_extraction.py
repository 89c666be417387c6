"""What a page is filled with beside what its extractor says."""

from __future__ import annotations

import hashlib
import threading
from unittest.mock import patch

import pytest

from websearch_core.asking.read.extraction import ExtractorChain
from websearch_core.contract.models import Page
from websearch_core.kit import ServerFailed, Unsupported

from .fakes import Reader, download


@pytest.mark.parametrize(("size", "elsewhere"), [(100, False), (3_000_000, True)])
async def test_nobody_waits_while_a_large_document_is_hashed(size: int, elsewhere: bool) -> None:
    body = b"x" * size
    threads: list[int] = []
    sha256 = hashlib.sha256

    def hashed(data: bytes) -> object:
        if data is body:
            threads.append(threading.get_ident())
        return sha256(data)

    extraction = ExtractorChain(
        [Reader("text", "text/plain", does=Page.from_markdown("words", url="https://a.example/"))]
    )
    with patch("hashlib.sha256", hashed):
        page = await extraction.page(download(body=body), [])
    assert page.raw_hash == sha256(body).hexdigest()
    assert [thread != threading.get_ident() for thread in threads] == [elsewhere]


@pytest.mark.parametrize(("status", "truncated", "said"), [(206, True, 1), (206, False, 0), (200, True, 0)])
async def test_that_the_site_sent_a_part_only_is_said(status: int, truncated: bool, said: int) -> None:
    extraction = ExtractorChain(
        [Reader("text", "text/plain", does=Page.from_markdown("words", url="https://a.example/"))]
    )
    page = await extraction.page(download(status=status, truncated=truncated), [])
    assert len([note for note in page.notes if "only a part" in note]) == said


async def test_where_one_reader_found_no_text_it_does_not_matter_why_another_failed() -> None:
    found_none = Reader("first", "text/plain", does=Page.from_markdown(" ", url="https://a.example/"))
    fails = Reader("last", "text/plain", does=ServerFailed("broken"))
    with pytest.raises(Unsupported, match="holds no text"):
        await ExtractorChain([found_none, fails]).page(download(), [])
