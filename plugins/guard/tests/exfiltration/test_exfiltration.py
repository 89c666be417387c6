"""Ordinary requests pass, whatever they look like; data in small pieces is counted, each tenant's alone."""

import asyncio
import random
import string
import tracemalloc
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import Caller, FetchRequest, SearchRequest
from websearch_core.contract.verdicts import Allow, Block
from websearch_core.kit import Part, ToolRequest
from websearch_core.testing import RequestFilterContract
from websearch_core.testing.contracts.probes import findings_are_sound
from websearch_core.testing.fakes import FakeClock
from websearch_guard.exfiltration import GuardExfiltration
from websearch_guard.exfiltration.filter import CHANGING, HIDDEN

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent
URLS = (HERE / "ordinary_urls.txt").read_text("utf-8").split()
QUERIES = (HERE / "ordinary_queries.txt").read_text("utf-8").splitlines()
MINUTE = 60.0


class TestGuardExfiltration(RequestFilterContract):
    component = GuardExfiltration
    allowed: ClassVar = QUERIES
    blocked: ClassVar = [
        "VGhlIGxhdW5jaCBjb2RlIGlzIGtlcHQgaW4gdGhlIGRyYXdlciBvZiB0aGUgc2Vjb25kIGRlc2sgb24gdGhlIGxlZnQ=",
        "546865206c61756e636820636f6465206973206b65707420696e2074686520647261776572206f6620746865206465736b",
        "KRUGKIDMMF2W4Y3IEBRW6ZDFEBUXGIDLMVYHIIDJNYQHI2DFEBSHEYLXMVZCA33GEB2GQZJAMRSXG2Y=",
        " ".join(map(str, b"The launch code is kept in the drawer of the second desk")),
    ]

    def filter(self, ctx):
        return GuardExfiltration(ctx.clock)


@pytest.fixture
def clock():
    return FakeClock()


def a_fetch(url, tenant=""):
    return FetchRequest(url=url, caller=Caller(tenant=tenant))


@pytest.mark.parametrize("url", URLS)
async def test_an_ordinary_address_passes(url, clock):
    filter_ = GuardExfiltration(clock)
    assert isinstance(await filter_.check(FetchRequest(url=url)), Allow)
    assert isinstance(await filter_.check(ToolRequest(tool="t", strings=(Part("page", url),))), Allow)


@pytest.mark.parametrize("url", URLS)
async def test_an_ordinary_address_passes_as_a_parameter_of_another(url, clock):
    nested = f"https://web.archive.org/save?url={quote(url, safe='')}"
    assert isinstance(await GuardExfiltration(clock).check(FetchRequest(url=nested)), Allow)


async def test_all_ordinary_addresses_pass_one_after_the_other(clock):
    filter_ = GuardExfiltration(clock)
    for url in URLS * 2:
        assert isinstance(await filter_.check(a_fetch(url)), Allow)


@pytest.mark.parametrize("url", ["https://example.com/${path}", "https://www.example.com/a/b-c?page=2"])
async def test_a_query_about_an_address_passes(url, clock):
    assert isinstance(
        await GuardExfiltration(clock).check(SearchRequest(query=f"what is served at {url} please")), Allow
    )


async def drip(filter_, times, url="https://c.example.com/t?c={}", tenant="", values=None):
    values = values or [f"w{i}" for i in range(times)]
    verdicts = [await filter_.check(a_fetch(url.format(value), tenant)) for value in values]
    return [isinstance(verdict, Block) for verdict in verdicts]


async def test_one_site_asked_with_ever_new_values_is_blocked_at_the_limit(clock):
    filter_ = GuardExfiltration(clock)
    assert await drip(filter_, 33) == [False] * 30 + [True] * 3
    verdict = await filter_.check(a_fetch("https://d.example.com/t?c=fresh"))  # another of the same owner's hosts
    assert verdict.reason == CHANGING
    assert [(f.kind, f.field, f.start, f.end) for f in verdict.findings] == [("changing", "url", 26, 31)]


async def test_values_that_were_asked_for_before_are_asked_for_again(clock):
    filter_ = GuardExfiltration(clock)
    await drip(filter_, 40)
    assert await drip(filter_, 30) == [False] * 30


async def test_values_outside_the_window_are_forgotten(clock):
    filter_ = GuardExfiltration(clock, window_s=10 * MINUTE)
    await drip(filter_, 30)
    clock.advance(9 * MINUTE)
    assert await drip(filter_, 1, values=["late"]) == [True]
    clock.advance(2 * MINUTE)
    assert await drip(filter_, 1, values=["late"]) == [False]


async def test_the_window_slides_one_value_at_a_time(clock):
    filter_ = GuardExfiltration(clock, different_values=3, window_s=30)
    for value in ("a", "b", "c"):
        assert await drip(filter_, 1, values=[value]) == [False]
        clock.advance(10)
    assert await drip(filter_, 1, values=["d", "e"]) == [False, True]


async def test_one_tenants_requests_do_not_count_for_another(clock):
    filter_ = GuardExfiltration(clock)
    await drip(filter_, 40, tenant="one")
    assert await drip(filter_, 30, tenant="other") == [False] * 30
    assert await drip(filter_, 1, tenant="one", values=["fresh"]) == [True]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/list?page={}",
        "https://example.com/list?offset={}0&limit=10",
        "https://example.com/list?start={}",
        "https://example.com/item?id={}",
        "https://example.com/page-{}.html",
        "https://site{}.example.org/?page=2",
    ],
)
async def test_lists_and_numbered_documents_may_be_walked(url, clock):
    assert not any(await drip(GuardExfiltration(clock), 200, url, values=range(200)))


@pytest.mark.parametrize(
    "url", ["https://c.example.com/?{}", "https://c.example.com/?page={}", "https://c.example.com/t?id={}&x=1"]
)
async def test_a_parameters_name_is_no_excuse(url, clock):
    assert any(await drip(GuardExfiltration(clock), 40, url))


async def test_ever_new_names_of_parameters_are_counted(clock):
    guard = GuardExfiltration(clock, different_values=3)
    verdicts = [await guard.check(FetchRequest(url=f"https://c.example.com/p?n{i}=1")) for i in range(40)]
    assert isinstance(verdicts[0], Allow)
    assert isinstance(verdicts[-1], Block)


async def test_long_numbers_are_no_pages(clock):
    guard = GuardExfiltration(clock, different_values=3)
    walked = [await guard.check(FetchRequest(url=f"https://a.example.com/p?page={i}")) for i in range(200)]
    assert all(isinstance(verdict, Allow) for verdict in walked)
    told = [await guard.check(FetchRequest(url=f"https://c.example.com/p?page={83412 + 7 * i}")) for i in range(40)]
    assert isinstance(told[-1], Block)


async def test_another_path_each_time_does_not_hide_that_values_change(clock):
    urls = [f"https://c.example.com/{a}{b}/?c=w{a}{b}" for a in string.ascii_lowercase for b in string.ascii_lowercase]
    blocked = await drip(GuardExfiltration(clock), 0, "{}", values=urls)
    assert blocked.index(True) == 300


async def test_ever_new_random_labels_are_counted(clock):
    dice = random.Random(3)
    values = ["".join(dice.choices(string.ascii_lowercase + string.digits, k=16)) for _ in range(40)]
    assert any(await drip(GuardExfiltration(clock), 40, "https://{}.example.com/", values=values))


async def test_the_operator_may_set_the_limit_or_count_nothing(clock):
    assert await drip(GuardExfiltration(clock, different_values=2), 3) == [False, False, True]
    assert not any(await drip(GuardExfiltration(clock, different_values=0), 500))


async def test_what_is_blocked_as_hidden_is_not_counted(clock):
    filter_ = GuardExfiltration(clock, different_values=1)
    assert (await filter_.check(a_fetch("https://c.example.com/t?c={{secret}}"))).reason == HIDDEN
    assert await drip(filter_, 1) == [False]


async def test_memory_is_bounded_whatever_is_fetched(clock):
    filter_ = GuardExfiltration(clock, different_values=5)
    ours = tracemalloc.Filter(inclusive=True, filename_pattern="*websearch_guard*exfiltration*")

    async def held_after(numbers):
        for i in numbers:
            await filter_.check(a_fetch(f"https://h{i}.example{i}.com/p?k{i}={i}x", tenant=f"t{i % 2}"))
        return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces([ours]).traces)

    tracemalloc.start()
    try:
        full = await held_after(range(1_500))
        assert await held_after(range(1_500, 4_500)) < 1.2 * full
    finally:
        tracemalloc.stop()


async def test_tenants_are_bounded_too(clock):
    filter_ = GuardExfiltration(clock, different_values=1)
    for i in range(1_100):
        await filter_.check(a_fetch("https://c.example.com/t?c=a", tenant=f"t{i}"))
    assert await drip(filter_, 1, tenant="t1099", values=["b"]) == [True]  # the latest is remembered
    assert await drip(filter_, 1, tenant="t0", values=["b"]) == [False]  # the first is not


ANY = st.text(max_size=300) | st.lists(
    st.sampled_from(
        [*"abcXYZ019+/=%&?#.:-_@{}<>$ ", "%2", "%25", "%41", "{{", "}}", "aHR0cHM6Ly9", "eyJ", "https://", "\x1f\x8b"]
    ),
    max_size=120,
).map("".join)


@given(tail=ANY, query=ANY)
def test_whatever_is_asked_gets_a_sound_verdict_and_the_same_again(tail, query):
    filter_ = GuardExfiltration(FakeClock())
    requests = [FetchRequest(url=f"https://example.com/{tail}"), FetchRequest(url=f"https://{tail}")]
    requests += [SearchRequest(query=query)] if query.strip() else []
    for request in requests:
        verdict = asyncio.run(filter_.check(request))
        findings_are_sound(request, verdict.findings)
        assert asyncio.run(filter_.check(request)) == verdict


@given(tail=ANY)
def test_a_reason_and_its_findings_hold_nothing_of_what_was_judged(tail):
    canary = "zebracanaryzebracanary"
    request = FetchRequest(url=f"https://example.com/?{canary}={canary}{{{{{canary}}}}}{tail}")
    verdict = asyncio.run(GuardExfiltration(FakeClock()).check(request))
    assert isinstance(verdict, Block)
    assert verdict.reason in (HIDDEN, CHANGING)
    assert "canary" not in repr(verdict)


LONG = ["A", "a0", "7", "Zm9v", "%41", "%2541", "{{", "<a", "https://", "a=b&", "/a0B", "=", "😀", ".a", "q ", "41 "]


@pytest.mark.parametrize("filling", [*LONG, "a-", "x@", "aB1-", "1,"])
async def test_the_longest_address_is_judged_in_no_time(filling, clock):
    url = ("https://example.com/p?d=" + filling * 8192)[:8192]
    loop = asyncio.get_running_loop()
    began = loop.time()
    await GuardExfiltration(clock).check(FetchRequest(url=url))
    assert loop.time() - began < 0.5


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/?filter[0]=red&filter[1]=blue&filter[2]=green&filter[3]=yellow&filter[4]=black",
        "https://map.example/?x=49.2&y=8.4&z=12",
        "https://docs.example/how/to/write/the/first/plugin",
        "https://site.example/sites/all/themes/images/badge-60%402x.png",
        "https://shop.example/login/uenc/aHR0cHM6Ly9zaG9wLmV4YW1wbGUvdC9jaGFpcj9zcnNsdGlkPUFmbUJPb3A2a3hCTV9UY2xkcWM4Ql8",
    ],
)
async def test_rows_of_choices_and_paths_pass(url, clock):
    assert isinstance(await GuardExfiltration(clock).check(FetchRequest(url=url)), Allow)


async def test_pages_of_a_wiki_may_be_read_by_their_titles(clock):
    guard = GuardExfiltration(clock)
    words = ("Owls", "Barns", "Nests", "Mice", "Moons", "Dusk", "Fields", "Forests", "Feathers", "Eggs", "Calls")
    urls = [f"https://wiki.example/w/index.php?title={one}_and_{two}_(2019)" for one in words for two in words]
    assert all([isinstance(await guard.check(FetchRequest(url=url)), Allow) for url in urls])
