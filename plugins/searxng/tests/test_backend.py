"""What SearXNG is asked, and what its answers, good and bad, come to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from websearch_core import BackendError, Caller, SearchRequest, StartupError
from websearch_core.contract.errors import MissingSetting
from websearch_core.kit import AuthFailed, InvalidRequest, NotFound, RateLimited, ServerFailed, UnexpectedResponse
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, answer
from websearch_searxng.plugin import SearxngSettings, websearch_search_backends

SAMPLES = Path(__file__).with_name("samples")


def recorded(name, status=200, content_type="application/json", **headers):
    return answer(status, (SAMPLES / name).read_bytes(), content_type=content_type, headers=headers)


def results(*names, silent=()):
    found = [{"url": f"https://example.com/{name}", "title": f"Title {name}", "content": "Text."} for name in names]
    return {"results": found, "unresponsive_engines": [[name, "timeout"] for name in silent]}


def pages(*answers):
    """A SearXNG whose pages of results are these; all others are empty."""

    def handle(request):
        number = int(request.form.get("pageno") or request.query["pageno"])
        return answer(json=answers[number - 1] if number <= len(answers) else results())

    return handle


@pytest.fixture
async def site():
    async with LoopbackSite() as site:
        yield site


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def make(site, clock):
    made = []

    def make(path="", **settings):
        ctx = context("searxng", {"base_url": site.url + path, **settings}, clock=clock)
        made.extend(websearch_search_backends(ctx))
        return made[-1]

    yield make
    for backend in made:
        await backend.aclose()


async def ask(backend, query="asyncio", **fields):
    return await backend.search(SearchRequest(query=query, **fields))


async def test_a_recorded_answer_becomes_hits_and_a_note(site, make):
    site.route("/search", recorded("head_search.json"))
    found = await ask(make(), max_results=3)
    assert [hit.url.rpartition("/")[2] for hit in found.hits] == [
        "asyncio.html",
        "asyncio-runner.html",
        "asyncio-task.html",
    ]
    assert found.notes == ("SearXNG: 1 engine did not answer",)


async def test_an_address_that_two_engines_found_comes_once(site, make):
    site.route(
        "/search",
        lambda request: recorded("searx_search.json" if request.form["pageno"] == "1" else "head_empty_page.json"),
    )
    found = await ask(make(), max_results=50)
    assert len(found.hits) == len({hit.url for hit in found.hits}) < 20


async def test_a_plain_search_sends_no_more_than_it_must(site, make):
    site.route("/search", pages(results("a")))
    await ask(make(), max_results=1)
    assert site.requests[0].form == {"q": "asyncio", "format": "json", "categories": "general", "pageno": "1"}


async def test_what_was_changed_is_mentioned(site, make):
    site.route("/search", pages(results("a")))
    found = await ask(make(), "!!w python", user_location_country="AT", max_results=1)
    assert site.requests[0].form["q"] == "w python"
    assert site.requests[0].form["language"] == "de-AT"
    assert found.notes == (
        "SearXNG: bangs and prefixes (!, ?, :, <) in the query were taken as plain words",
        "SearXNG: takes a country only with a language; the country's most used one was taken",
    )


async def test_the_query_is_not_part_of_the_address_unless_the_operator_wants_it(site, make):
    site.route("/search", pages(results("a")))
    await ask(make(), max_results=1)
    assert (site.requests[0].method, site.requests[0].target) == ("POST", "/search")
    await ask(make(method="GET"), max_results=1)
    assert (site.requests[1].method, site.requests[1].query["q"]) == ("GET", "asyncio")


async def test_pages_are_asked_for_until_there_are_enough(site, make):
    site.route("/search", pages(results("a", "b"), results("b", "c"), results("d", "e"), results("f")))
    found = await ask(make(), max_results=4)
    assert [hit.url[-1] for hit in found.hits] == ["a", "b", "c", "d"]
    assert [request.form["pageno"] for request in site.requests] == ["1", "2", "3"]


@pytest.mark.parametrize("last", [results(), results("a")])
async def test_a_page_with_nothing_new_is_the_last(site, make, last):
    site.route("/search", pages(results("a"), last, results("z")))
    found = await ask(make(), max_results=50)
    assert [hit.url[-1] for hit in found.hits] == ["a"]
    assert len(site.requests) == 2


async def test_no_more_than_five_pages_are_asked_for(site, make):
    site.route("/search", lambda request: answer(json=results(request.form["pageno"])))
    assert len((await ask(make(), max_results=50)).hits) == 5
    assert len((await ask(make(max_pages=2), max_results=50)).hits) == 2


async def test_a_later_page_that_fails_costs_only_itself(site, make):
    site.route(
        "/search",
        lambda request: (
            answer(json=results("a")) if request.form["pageno"] == "1" else answer(429, "Too Many Requests")
        ),
    )
    found = await ask(make(), max_results=50)
    assert [hit.url[-1] for hit in found.hits] == ["a"]
    assert found.notes == ("SearXNG: page 2 of the results failed (rate_limited)",)


async def test_no_page_is_begun_that_would_miss_the_deadline(site, make, clock):
    def slow(request):
        clock.advance(3)
        return answer(json=results(request.form["pageno"]))

    site.route("/search", slow)
    found = await ask(make(), max_results=50, caller=Caller(deadline=clock.monotonic() + 5))
    assert len(found.hits) == 1


async def test_silence_of_engines_is_no_empty_answer(site, make):
    site.route("/search", recorded("head_silent_engine.json"))
    with pytest.raises(ServerFailed):
        await ask(make())


async def test_nothing_found_is_an_empty_answer(site, make):
    site.route("/search", recorded("head_empty_page.json"))
    assert (await ask(make())).hits == ()


JSON_REMEDY = "add json to search.formats in SearXNG's settings.yml"
HTML = "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("response", "error", "says"),
    [
        (recorded("head_json_disabled.html", 403, HTML), AuthFailed, JSON_REMEDY),
        (
            answer(200, "<!DOCTYPE html><html><title>searx</title></html>", content_type=HTML),
            UnexpectedResponse,
            JSON_REMEDY,
        ),
        (recorded("head_limiter.txt", 429, HTML), RateLimited, "pass_ip"),
        (recorded("head_bad_language.json", 400), InvalidRequest, "arguments"),
        (
            recorded("head_bang_redirect.html", 302, HTML, location="http://127.0.0.1:9/"),
            UnexpectedResponse,
            "never followed",
        ),
        (answer(401, "login"), AuthFailed, "username and password"),
        (answer(404, "nothing"), NotFound, "base_url"),
        (answer(500, "search error"), ServerFailed, ""),
        (answer(200, '{"error": "x"}', content_type="application/json"), UnexpectedResponse, "results"),
        (answer(200, "{", content_type="application/json"), UnexpectedResponse, ""),
    ],
)
async def test_each_failure_says_what_to_do(site, make, response, error, says):
    site.route("/search", response)
    with pytest.raises(error) as caught:
        await ask(make())
    assert says in caught.value.detail
    assert "asyncio" not in str(caught.value)


async def test_that_json_is_off_is_the_operators_to_mend_and_is_looked_at_again_soon(site, make):
    site.route("/search", recorded("head_json_disabled.html", 403, HTML))
    with pytest.raises(AuthFailed) as caught:
        await ask(make())
    assert "settings.yml" in caught.value.advice.next_step
    assert "plan" not in caught.value.advice.next_step
    assert caught.value.rest_s <= 60


async def test_a_redirect_is_never_followed(site, make):
    async with LoopbackSite() as elsewhere:
        site.route(
            "/search", recorded("head_bang_redirect.html", 302, HTML, location=f"{elsewhere.url}/?search=secret")
        )
        with pytest.raises(BackendError):
            await ask(make())
        assert elsewhere.connections == 0


async def test_the_limiter_is_not_asked_again_at_once(site, make, clock):
    site.route("/search", recorded("head_limiter.txt", 429, HTML))
    with pytest.raises(RateLimited) as caught:
        await ask(make())
    assert caught.value.retry_after == 60
    assert (len(site.requests), clock.slept) == (1, [])


async def test_the_limiters_own_word_on_when_to_come_back_counts(site, make):
    site.route("/search", recorded("head_limiter.txt", 429, HTML, **{"retry-after": "120"}))
    with pytest.raises(RateLimited) as caught:
        await ask(make())
    assert caught.value.retry_after == 120


async def test_credentials_are_sent(site, make):
    site.route("/search", pages(results("a")))
    await ask(make(username="anna", password="open sesame"), max_results=1)
    assert site.requests[0].headers["authorization"] == "Basic YW5uYTpvcGVuIHNlc2FtZQ=="
    await ask(make(header_name="X-Api-Key", header_value="sesame"), max_results=1)
    assert site.requests[1].headers["x-api-key"] == "sesame"


@pytest.mark.parametrize("path", ["/searxng", "/searxng/"])
async def test_searxng_may_live_below_a_path(site, make, path):
    site.route("/searxng/search", pages(results("a")))
    assert len((await ask(make(path), max_results=1)).hits) == 1


async def test_pictures_of_one_page_are_all_kept(site, make):
    found = [{"url": "https://example.com/p", "title": n, "img_src": f"https://example.com/{n}.png"} for n in "ab"]
    site.route("/search", pages({"results": found}))
    hits = (await ask(make(), vertical="images")).hits
    assert [hit.image[-5:] for hit in hits] == ["a.png", "b.png"]


async def test_published_dates_arrive(site, make):
    site.route("/search", pages({"results": [{"url": "https://example.com/", "publishedDate": "2024-05-01T10:00:00"}]}))
    [hit] = (await ask(make(), vertical="news")).hits
    assert hit.published == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_without_an_address_the_backend_is_off():
    with pytest.raises(MissingSetting) as caught:
        list(websearch_search_backends(context("searxng")))
    assert caught.value.names == ("WEBSEARCH_SEARXNG__BASE_URL",)


@pytest.mark.parametrize("variable", ["SEARXNG_URL", "LMCP_SEARXNG_URL"])
def test_the_usual_variables_are_understood(variable):
    ctx = context("searxng", environ={variable: "http://127.0.0.1:8888"})
    assert ctx.settings(SearxngSettings).base_url == "http://127.0.0.1:8888"


@pytest.mark.parametrize(
    "settings",
    [
        {"username": "anna"},
        {"password": "sesame"},
        {"header_name": "X-Key"},
        {"header_value": "sesame"},
        {"header_name": "X Key", "header_value": "sesame"},
        {"method": "PUT"},
        {"sites": 21},
        {"base_url": "searx.example.com"},
        {"base_url": "ftp://searx.example.com"},
        {"base_url": ""},
    ],
)
def test_half_and_wrong_settings_stop_the_start(settings):
    with pytest.raises(StartupError) as caught:
        list(websearch_search_backends(context("searxng", {"base_url": "http://127.0.0.1:8888", **settings})))
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize(("settings", "sites"), [({}, 0), ({"sites": 10}, 10)])
def test_how_many_sites_a_query_takes_depends_on_the_installation(settings, sites):
    [backend] = websearch_search_backends(context("searxng", {"base_url": "http://127.0.0.1:8888", **settings}))
    assert (backend.max_site_operators, backend.priority) == (sites, 60)


def test_where_queries_go_is_known():
    ctx = context("searxng", {"base_url": "http://127.0.0.1:8888/searxng"})
    list(websearch_search_backends(ctx))
    assert tuple(ctx.origins) == ("http://127.0.0.1:8888",)


@pytest.mark.parametrize("setting", SearxngSettings.model_fields)
def test_the_readme_names_each_setting(setting):
    assert f"`{setting}`" in (SAMPLES.parents[1] / "README.md").read_text().partition("## Settings")[2]
