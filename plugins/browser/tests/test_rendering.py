"""What comes of a page: text that scripts wrote, a picture, the right error."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from websearch_core import BackendError, Caller, FetchRequest
from websearch_core.kit import (
    InvalidRequest,
    NetworkFailed,
    NotFound,
    RateLimited,
    Refused,
    TimedOut,
    TooLarge,
    Unsupported,
)
from websearch_core.testing.misbehaviour import redirect
from websearch_core.testing.site import RecordedRequest, answer

from .conftest import html

pytestmark = pytest.mark.real
SHELL = "<title>App</title><div id=app></div><script src=/app.js></script>"
APP = "fetch('/data').then(r => r.text()).then(t => { app.innerHTML = '<p>' + t + '</p>' })"


async def test_text_that_scripts_fetched_is_in_the_document(rig: Any) -> None:
    site = await rig.site({"/": SHELL, "/app.js": answer(200, APP, content_type="text/javascript")})
    site.route("/data", answer(200, "came later"))
    download = await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/"))
    assert "<p>came later</p>" in download.body.decode()
    assert (download.status, download.media_type, download.charset) == (200, "text/html", "utf-8")
    assert download.screenshot == b""


async def test_text_of_web_components_is_in_the_document(rig: Any) -> None:
    download = await rig.rendered(
        "<a-b><i>in the slot</i></a-b><script>customElements.define('a-b', class extends HTMLElement {"
        " connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML ="
        " '<style>p {}</style><p>in the shadow</p><slot></slot>' } })</script>"
    )
    body = re.sub("<script.*?</script>", "", download.body.decode())
    assert "<p>in the shadow</p><i>in the slot</i>" in body
    assert "<style>" not in body


async def test_what_loads_when_scrolled_to_is_there_where_the_operator_wants_that(rig: Any) -> None:
    page = "<div style='height: 3000px'>top</div><p id=p>below</p><script>new IntersectionObserver(seen => {"
    page += " if (seen[0].isIntersecting) p.textContent = 'loaded' }).observe(p)</script>"
    site = await rig.site({"/": page})
    for scroll, expected in ((0, "below"), (4, "loaded")):
        download = await rig.fetcher(site, scroll=scroll).fetch(FetchRequest(url=f"{site.url}/"))
        assert f">{expected}</p>" in download.body.decode()


async def test_a_picture_is_a_png_of_bounded_size(rig: Any) -> None:
    noise = (
        "<canvas id=c width=1280 height=900></canvas><script>x = c.getContext('2d'); d = x.createImageData(1280, 900);"
    )
    noise += "for (i = 0; i < d.data.length; i += 65536) crypto.getRandomValues(d.data.subarray(i, i + 65536));"
    noise += "for (i = 3; i < d.data.length; i += 4) d.data[i] = 255; x.putImageData(d, 0, 0)</script>"
    for page in ("<h1>Hello</h1>", noise):
        download = await rig.rendered(page, screenshot=True)
        assert download.screenshot.startswith(b"\x89PNG\r\n")
        assert 1000 < len(download.screenshot) <= 1_500_000


async def test_a_page_that_never_holds_still_is_read_all_the_same(rig: Any) -> None:
    """Its picture may never come: Chromium forgets it when the page moves on."""
    moving = "<p>x<script>setTimeout(() => location = (location.pathname == '/' ? '/again' : '/'), 100)</script>"
    site = await rig.site({"/": moving, "/again": moving})
    fetcher = rig.fetcher(site, settle_s=1.0)
    assert b"<p>x" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/", screenshot=True))).body


async def test_pictures_and_fonts_are_loaded_for_a_picture_alone(rig: Any) -> None:
    page = "<style>@font-face { font-family: f; src: url(/f.woff2) } p { font-family: f }</style><p>x<img src=/i.png>"
    site = await rig.site({"/": page})
    fetcher = rig.fetcher(site)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
    assert {"/f.woff2", "/i.png"}.isdisjoint(request.path for request in site.requests)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/", screenshot=True))
    assert {"/f.woff2", "/i.png"} <= {request.path for request in site.requests}


async def test_trackers_are_asked_nothing(rig: Any) -> None:
    site = await rig.site()
    host = f"www.google-analytics.com:{site.port}"
    site.route("/", html(f"<script src='http://{host}/a.js'></script><script>fetch('https://{host}/')</script>x"))
    await rig.fetcher("127.0.0.1").fetch(FetchRequest(url=f"{site.url}/"))
    assert not any("google" in request.headers["host"] for request in site.requests)
    assert rig.names.asked == []


async def test_a_fresh_profile_for_every_page(rig: Any) -> None:
    page = "<script>document.cookie = 'a=1; max-age=999'; localStorage.n = +(localStorage.n || 0) + 1;"
    page += "document.write('<p>' + localStorage.n + '</p>')</script>"
    site = await rig.site({"/": page})
    fetcher = rig.fetcher(site)
    for _ in range(2):
        download = await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
        assert b"<p>1</p>" in download.body
    assert not any("cookie" in request.headers for request in site.requests if request.path == "/")


async def test_we_say_who_we_are(rig: Any) -> None:
    site = await rig.site({"/": "x"})
    await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/"))
    agent = site.requests[0].headers["user-agent"]
    assert re.search(r"Chrome/\d+\.0\.0\.0 Safari/[\d.]+ websearch/", agent)
    assert "Headless" not in agent


async def test_the_address_reached_and_the_one_asked_for_are_told(rig: Any) -> None:
    site = await rig.site({"/": "<script>location = '/second#part'</script>", "/second": "<p>second"})
    site.route("/first", redirect("/"))
    download = await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/first"))
    assert (download.url, download.final_url) == (f"{site.url}/first", f"{site.url}/second")
    assert b"second" in download.body


@pytest.mark.parametrize("way", ["asked for", "redirect", "script"])
async def test_robots_txt_is_obeyed_wherever_the_page_goes(rig: Any, way: str) -> None:
    site = await rig.site({"/robots.txt": answer(200, "User-agent: *\nDisallow: /closed"), "/closed": "<p>x"})
    site.route("/redirect", redirect("/closed")).route("/script", html("<script>location = '/closed'</script>"))
    address = f"{site.url}/{'closed' if way == 'asked for' else way}"
    with pytest.raises(Refused, match="robots"):
        await rig.fetcher(site).fetch(FetchRequest(url=address, obey_robots=True))
    assert "/closed" not in [request.path for request in site.requests]
    assert b"<p>x" in (await rig.fetcher(site).fetch(FetchRequest(url=address))).body


async def test_local_files_are_never_in_a_page(rig: Any) -> None:
    page = "<iframe src='file:///etc/passwd'></iframe><object data='file:///etc/passwd'></object>"
    page += "<script>fetch('file:///etc/passwd').then(r => r.text()).then(t => document.write(t))</script>"
    for text in (
        page,
        "<script>location = 'file:///etc/passwd'</script>x",
        "<a id=a href='file:///etc/passwd'>x</a><script>a.click()</script>",
    ):
        download = await rig.rendered(text, screenshot=True)
        assert b"root:" not in download.body


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (answer(404, "no"), NotFound),
        (redirect("ftp://127.0.0.1/"), BackendError),
        (answer(200, b"%PDF-1.4", content_type="application/pdf"), Unsupported),
        (answer(200, b"\0" * 9, content_type="application/octet-stream"), Unsupported),
        (answer(200, "# Tea", content_type="text/markdown; charset=utf-8"), Unsupported),
        (answer(200, "{}", content_type="application/json"), Unsupported),
        (answer(204, ""), NotFound),
        (answer(200, "x", content_type="text/html", headers={"content-disposition": "attachment"}), Unsupported),
        (html("<p>" + "x" * 6_000_000), TooLarge),
        (html("<script>document.write('<p>' + 'x'.repeat(6e6))</script>"), TooLarge),
    ],
)
async def test_what_is_no_page_is_an_error_that_says_why(rig: Any, response: Any, error: type[BackendError]) -> None:
    with pytest.raises(error):
        await rig.rendered(response)


async def test_only_the_callers_domains_may_be_reached_by_the_page_itself(rig: Any) -> None:
    site = await rig.site()
    site.route("/", html(f"<script>location = 'http://other.example.com:{site.port}/secret'</script>"))
    request = FetchRequest(url=f"http://www.example.com:{site.port}/", allowed_domains=("=www.example.com",))
    with pytest.raises(Refused):
        await rig.fetcher("127.0.0.1").fetch(request)
    assert [recorded.path for recorded in site.requests if recorded.path == "/secret"] == []


@pytest.mark.parametrize(
    "leads",
    [
        redirect("/private"),
        html("<script>location = '/private'</script>"),
        html("<meta http-equiv=refresh content='0;/private'>"),
    ],
    ids=["redirect", "script", "refresh"],
)
async def test_a_page_does_not_lead_where_robots_txt_forbids_it(rig: Any, leads: Any) -> None:
    site = await rig.site({"/": leads, "/private": "<p>secret"})
    site.route("/robots.txt", answer(200, "User-agent: *\nDisallow: /private", content_type="text/plain"))
    with pytest.raises(Refused, match=r"redirects.*robots\.txt"):
        await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/", obey_robots=True))
    asked = [recorded.path for recorded in site.requests]
    assert asked[:2] == ["/robots.txt", "/"]
    assert "/private" not in asked


async def test_what_led_to_a_page_says_how_long_it_does(rig: Any) -> None:
    site = await rig.site({"/page": html("<p>text", **{"cache-control": "max-age=600", "x-other": "1"})})
    site.route("/", answer(302, "", headers={"location": "/on", "cache-control": "no-store", "set-cookie": "a=b"}))
    site.route("/on", html("<script>location = '/page'</script>", vary="*"))
    download = await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/"))
    assert download.final_url == f"{site.url}/page"
    assert download.headers == {"cache-control": "max-age=600"}
    assert download.redirects == ({"cache-control": "no-store"}, {"vary": "*"})


async def test_a_page_that_asks_for_a_pause_has_it(rig: Any) -> None:
    site = await rig.site({"/": answer(429, "slow down", content_type="text/html", headers={"retry-after": "60"})})
    fetcher = rig.fetcher(site)
    for seconds in (60, 50):
        with pytest.raises(RateLimited) as error:
            await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
        assert error.value.retry_after == seconds
        rig.clock.advance(10)
    assert [recorded.path for recorded in site.requests].count("/") == 1
    rig.clock.advance(50)
    site.route("/", html("<p>text"))
    assert b"text" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/"))).body


async def test_every_address_of_a_page_is_screened_before_it_is_asked_for(rig: Any) -> None:
    site = await rig.site({"/": "<script src=/good.js></script><script src='/bad.js?q=1'></script><p>text"})
    fetcher = rig.fetcher(site)
    seen: list[FetchRequest] = []

    async def screen(request: FetchRequest) -> FetchRequest:
        seen.append(request)
        if "bad" in request.url:
            raise InvalidRequest
        return request

    fetcher._web.screen = screen
    await fetcher.fetch(FetchRequest(url=f"{site.url}/", caller=Caller(tenant="t")))
    assert {"/", "/good.js"} <= {request.path for request in site.requests}
    assert not any("bad" in request.path for request in site.requests)
    assert {request.caller.tenant for request in seen} == {"t"}


async def test_a_page_that_never_ends_costs_its_time_and_no_more(rig: Any) -> None:
    site = await rig.site({"/": "<script>while (true) {}</script>", "/good": "<p>good"})
    fetcher = rig.fetcher(site)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/good"))
    with pytest.raises(TimedOut):
        await fetcher.fetch(FetchRequest(url=f"{site.url}/", caller=Caller(deadline=rig.clock.monotonic() + 4)))
    assert b"good" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/good"))).body


async def test_a_page_that_never_stops_loading_is_read_when_its_time_to_settle_is_over(rig: Any) -> None:
    site = await rig.site({"/": "<p>text<script>(f = () => fetch('/x').then(f))()</script>", "/x": answer(200, "x")})
    download = await rig.fetcher(site, settle_s=1.5).fetch(FetchRequest(url=f"{site.url}/"))
    assert b"<p>text" in download.body


async def test_a_page_that_loads_without_end_is_too_large(rig: Any) -> None:
    site = await rig.site({"/": "<p>text<script>(f = () => fetch('/x').then(r => r.text()).then(f))()</script>"})
    site.route("/x", answer(200, "x" * 400_000))
    with pytest.raises(TooLarge):
        await rig.fetcher(site, transfer_mb=1).fetch(FetchRequest(url=f"{site.url}/"))


async def test_no_more_pages_at_once_than_the_operator_wants(rig: Any) -> None:
    site = await rig.site()
    running, most, together = 0, 0, asyncio.Event()

    async def slow(request: RecordedRequest) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 2:
            together.set()
        await together.wait()
        await asyncio.sleep(0.3)  # for a third, which nobody tells of
        running -= 1
        return html("<p>text")

    site.route("/page*", slow)
    fetcher = rig.fetcher(site, pages=2)
    await asyncio.gather(*(fetcher.fetch(FetchRequest(url=f"{site.url}/page{n}")) for n in range(5)))
    assert most == 2


async def test_a_certificate_that_is_not_valid_is_a_network_failure(rig: Any, untrusted: Any) -> None:
    async with untrusted as site:
        with pytest.raises(NetworkFailed):
            await rig.fetcher(site).fetch(FetchRequest(url=f"{site.url}/"))
        assert not site.requests
