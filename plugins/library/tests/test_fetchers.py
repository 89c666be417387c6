"""Reading what the library holds."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core import FetchRequest, Page, PluginContext
from websearch_core.kit import NotFound, Refused
from websearch_core.testing.fakes import FakeClock
from websearch_library.fetchers import OwnPages, StoredCopies
from websearch_library.index.library import Library
from websearch_library.index.page_copy import PageCopy
from websearch_library.index.page_keys import normal

URL = "https://site.example/page"


@pytest.fixture
def own(library: Library) -> OwnPages:
    return OwnPages(library)


@pytest.fixture
async def stored(library: Library, ctx: PluginContext, clock: FakeClock) -> StoredCopies:
    copy = PageCopy(
        url=URL,
        asked="https://old.example/page",
        title="Title",
        body="# Head\n\nText. Täxt.",
        fetched_at=clock.now() - 7200,
    )
    await library.write(lambda index: index.put([copy]))
    await library.catch_up()
    return StoredCopies(library, ctx.web, clock)


async def test_the_documentation_can_be_read(own: OwnPages) -> None:
    request = FetchRequest(url="https://docs.websearch.invalid/errors")
    assert own.can_fetch(request)
    page = await own.fetch(request)
    assert page.title == "Error codes"
    assert page.outline[0].text == "Error codes"
    assert page.notes == ()
    with pytest.raises(NotFound):
        await own.fetch(FetchRequest(url="https://docs.websearch.invalid/nothing"))


@pytest.mark.parametrize(
    "url",
    [
        URL,
        "https://docs.websearch.invalid.example/",
        "http://[",
        "nothing",
        "https://x@evil.example/docs.websearch.invalid",
    ],
)
async def test_other_hosts_are_not_its_own(own: OwnPages, url: str) -> None:
    assert not own.can_fetch(FetchRequest(url=url))


async def test_a_stored_copy_says_of_when_it_is(stored: StoredCopies) -> None:
    page = await stored.fetch(FetchRequest(url=URL))
    assert isinstance(page, Page)
    assert page.body == "# Head\n\nText. Täxt."
    assert page.age == 7200
    assert "stored copy of 2025-06-15" in page.notes[0]


@pytest.mark.parametrize("url", [f"{URL}#part", "HTTPS://SITE.example:443/page", "https://old.example/page"])
async def test_spellings_and_redirected_addresses_find_the_copy(stored: StoredCopies, url: str) -> None:
    request = FetchRequest(url=url)
    assert stored.can_fetch(request)
    page = await stored.fetch(request)
    assert (page.url, page.final_url) == (url, URL)


async def test_only_addresses_in_the_library_are_wanted(stored: StoredCopies) -> None:
    assert not stored.can_fetch(FetchRequest(url="https://site.example/other"))
    assert not stored.can_fetch(FetchRequest(url=URL, max_age_hours=0))


async def test_a_copy_older_than_asked_for_is_not_found(stored: StoredCopies) -> None:
    with pytest.raises(NotFound):
        await stored.fetch(FetchRequest(url=URL, max_age_hours=1))
    for hours in (-1, 3):
        assert (await stored.fetch(FetchRequest(url=URL, max_age_hours=hours))).title == "Title"


async def test_the_byte_cap_of_the_caller_is_kept(stored: StoredCopies) -> None:
    page = await stored.fetch(FetchRequest(url=URL, max_bytes=16))
    assert page.truncated
    assert page.bytes_read == 16
    assert page.body == "# Head\n\nText. T\n\n[truncated at 16 bytes]"


async def test_a_copy_from_another_host_is_screened(stored: StoredCopies, ctx: PluginContext) -> None:
    seen: list[str] = []

    async def screen(request: FetchRequest) -> FetchRequest:
        seen.append(request.url)
        raise Refused("not in allowlist")

    ctx.web.screen = screen
    await stored.fetch(FetchRequest(url=URL))
    with pytest.raises(Refused):
        await stored.fetch(FetchRequest(url="https://old.example/page"))
    assert seen == [URL]


@pytest.mark.parametrize(
    ("url", "normalised"),
    [
        ("HTTP://Example.COM:80/A?b#c", "http://example.com/A?b"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com.:8443/", "https://example.com:8443/"),
        ("https://[::1]:443/x", "https://[::1]/x"),
        ("http://[", "http://["),
        ("https://u@example.com/", "https://u@example.com/"),
    ],
)
def test_addresses_are_keyed_by_one_spelling(url: str, normalised: Any) -> None:
    assert normal(url) == normalised
