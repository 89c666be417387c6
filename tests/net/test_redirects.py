"""Redirects are ours: judged, screened, counted, and stripped of what the first site was trusted with."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core import FetchRequest
from websearch_core.kit import BlockedByFilter, BlockedBySite, Refused, UnexpectedResponse


async def test_a_redirect_is_followed_and_the_final_address_reported(bench: Any) -> None:
    site = await bench.serve({"/a": bench.answer("", 302, "Location: b?c#d"), "/b?c": bench.answer("there")})
    request = bench.ask(site, "/a")
    got = await bench.web_to(site).download(request)
    assert (got.url, got.final_url, got.body) == (request.url, bench.url(site, "/b?c"), b"there")


async def test_five_redirects_are_followed_and_the_sixth_is_not(bench: Any) -> None:
    pages = {f"/{n}": bench.answer("", 302, f"Location: /{n + 1}") for n in range(7)} | {"/7": bench.answer("end")}
    site = await bench.serve(pages)
    door = bench.web_to(site)
    assert (await door.download(bench.ask(site, "/2"))).body == b"end"
    with pytest.raises(UnexpectedResponse, match="more than 5"):
        await door.download(bench.ask(site, "/1"))


async def test_a_circle_of_redirects_is_an_error(bench: Any) -> None:
    site = await bench.serve({"/a": bench.answer("", 302, "Location: /b"), "/b": bench.answer("", 302, "Location: /a")})
    with pytest.raises(UnexpectedResponse, match="circle"):  # nothing that a browser could mend
        await bench.web_to(site).download(bench.ask(site, "/a"))
    assert len(site.heads) == 2


async def test_a_circle_that_wants_a_cookie_kept_may_have_an_end_for_a_browser(bench: Any) -> None:
    site = await bench.serve({"/a": bench.answer("", 302, "Location: /a", "Set-Cookie: seen=1")})
    with pytest.raises(BlockedBySite, match="circle"):
        await bench.web_to(site).download(bench.ask(site, "/a"))


@pytest.mark.parametrize(
    "location",
    ["javascript:alert(1)", "http://[::1", "//[::1", "/\\[x]", "ftp://a.example/", "http://", "http://u:p@x.org/"],
)
async def test_a_redirect_to_what_is_no_address_is_the_sites_fault(location: str, bench: Any) -> None:
    site = await bench.serve({"/a": bench.answer("", 302, f"Location: {location}")})
    with pytest.raises(UnexpectedResponse, match="redirects to what is no address"):
        await bench.web_to(site).download(bench.ask(site, "/a"))


async def test_custom_headers_and_validators_stay_with_the_first_origin(bench: Any) -> None:
    end = await bench.serve(bench.answer("end"))
    site = await bench.serve(
        {"/a": bench.answer("", 302, "Location: /b"), "/b": bench.answer("", 302, f"Location: {bench.url(end)}")}
    )
    headers = {"Authorization": "Bearer s3cret", "Cookie": "id=s3cret", "X-Custom": "s3cret", "Accept": "text/markdown"}
    request = bench.ask(site, "/a", etag='"s3cret"', last_modified="Tue, 01 Jan 2030 00:00:00 GMT")
    await bench.web_to(site, end).download(request, headers=headers)
    first, second, third = *site.heads, *end.heads
    assert (first.count("s3cret"), second.count("s3cret"), third.count("s3cret")) == (4, 3, 0)
    assert "if-modified-since" in first
    assert "if-modified-since" not in second + third
    assert "referer" not in (first + second + third).lower()
    assert "accept: text/markdown" in third


async def test_where_a_redirect_leads_cannot_answer_that_nothing_changed(bench: Any) -> None:
    site = await bench.serve({"/a": bench.answer("", 302, "Location: /b"), "/b": bench.answer("", 304)})
    with pytest.raises(UnexpectedResponse):
        await bench.web_to(site).download(bench.ask(site, "/a", etag='"1"'))


async def test_headers_do_not_come_back_with_the_first_origin(bench: Any) -> None:
    site = await bench.serve()
    other = await bench.serve(bench.answer("", 302, f"Location: {bench.url(site, '/back')}"))
    pages = {"/a": bench.answer("", 302, f"Location: {bench.url(other)}"), "/back": bench.answer("end")}
    start = await bench.serve(pages)
    other_back = await bench.serve(bench.answer("", 302, f"Location: {bench.url(start, '/back')}"))
    pages["/a"] = bench.answer("", 302, f"Location: {bench.url(other_back)}")
    await bench.web_to(start, other_back).download(bench.ask(start, "/a"), headers={"X-Key": "s3cret"})
    assert "s3cret" in start.heads[0]
    assert "s3cret" not in start.heads[1]


async def test_the_callers_and_the_operators_rules_hold_on_every_hop(bench: Any) -> None:
    end = await bench.serve()
    bench.names.table |= {"www.example.com": ["127.0.0.1"], "www.example.org": ["127.0.0.1"]}
    site = await bench.serve(bench.answer("", 302, f"Location: {bench.url(end, host='www.example.org')}"))
    url = bench.url(site, host="www.example.com")
    with pytest.raises(Refused, match="not in allowlist"):
        await bench.web_to(site, end).download(FetchRequest(url=url, allowed_domains=("example.com",)))
    with pytest.raises(Refused, match="not in allowlist"):
        await bench.web_to(site, end, allow=("example.com",)).download(FetchRequest(url=url))
    with pytest.raises(Refused, match="not in allowlist"):
        await bench.web_to(site, end, deny=("example.org",)).download(FetchRequest(url=url))
    assert end.connections == 0


async def test_each_hop_is_screened_before_it_is_fetched(bench: Any) -> None:
    end = await bench.serve()
    site = await bench.serve(
        {"/a": bench.answer("", 302, "Location: /b"), "/b": bench.answer("", 302, f"Location: {bench.url(end)}")}
    )
    door = bench.web_to(site, end)
    seen: list[str] = []

    async def screen(request: FetchRequest) -> FetchRequest:
        seen.append(request.url)
        if request.url == bench.url(end):
            raise BlockedByFilter("names a person", by="pii")
        return request

    door.screen = screen
    with pytest.raises(BlockedByFilter):
        await door.download(bench.ask(site, "/a"))
    assert seen == [bench.url(site, "/b"), bench.url(end)]
    assert end.connections == 0


async def test_what_the_screen_rewrites_is_judged_and_fetched(bench: Any) -> None:
    canary = await bench.serve()
    site = await bench.serve({"/a": bench.answer("", 302, "Location: /b?name"), "/b": bench.answer("rewritten")})
    door = bench.web_to(site)

    async def shorten(request: FetchRequest) -> FetchRequest:
        return request.with_text(request.url.partition("?")[0])

    async def betray(request: FetchRequest) -> FetchRequest:
        return request.with_text(bench.url(canary))

    door.screen = shorten
    assert (await door.download(bench.ask(site, "/a"))).body == b"rewritten"
    door.screen = betray
    with pytest.raises(Refused):
        await door.download(bench.ask(site, "/a"))
    assert canary.connections == 0


@pytest.mark.parametrize("allowed", [False, True])
async def test_https_to_http_is_refused_unless_allowed(bench: Any, certificate: Any, allowed: bool) -> None:
    pem, tls = certificate
    plain = await bench.serve(bench.answer("plain"))
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    location = f"Location: {bench.url(plain, host='www.example.com')}"
    secure = await bench.serve(bench.answer("", 302, location), tls=tls)
    door = bench.web_to(secure, plain, ca_file=str(pem), allow_downgrade=allowed)
    request = FetchRequest(url=f"https://www.example.com:{secure.port}/")
    onward = FetchRequest(url=bench.url(plain, host="www.example.com"))
    await door.admitted(onward)
    if allowed:
        assert (await door.download(request)).body == b"plain"
        await door.admitted(onward, before=request.url)
        return
    with pytest.raises(Refused, match="from https to http"):
        await door.admitted(onward, before=request.url)
    with pytest.raises(Refused, match="from https to http"):
        await door.download(request)
    assert plain.connections == 0


async def test_no_cookie_is_kept_between_requests(bench: Any) -> None:
    site = await bench.serve(bench.answer("ok", 200, "Set-Cookie: id=s3cret"))
    door = bench.web_to(site)
    got = await door.download(bench.ask(site))
    await door.download(bench.ask(site))
    assert "s3cret" not in str(got.headers)
    assert "cookie" not in site.heads[1].lower()


async def test_the_headers_of_the_answers_that_led_to_a_document_are_told(bench: Any) -> None:
    site = await bench.serve(
        {
            "/": bench.answer("", 302, "Location: /de", "Vary: Accept-Language", "Cache-Control: no-store"),
            "/de": bench.answer("Worte", 200, "Vary: Accept-Encoding"),
        }
    )
    door = bench.web_to(site)
    got = await door.download(bench.ask(site))
    assert got.headers["vary"] == "Accept-Encoding"
    assert [(each["vary"], each["cache-control"]) for each in got.redirects] == [("Accept-Language", "no-store")]
    assert (await door.download(bench.ask(site, "/de"))).redirects == ()


async def test_a_document_that_sends_its_reader_on_is_one_of_them(bench: Any) -> None:
    site = await bench.serve({"/": bench.answer("moved", 200, "Cache-Control: max-age=1"), "/b": bench.answer("here")})
    got = await bench.web_to(site).download(bench.ask(site), onward=lambda d: "/b" if d.body == b"moved" else "")
    assert (got.body, [each["cache-control"] for each in got.redirects]) == (b"here", ["max-age=1"])
