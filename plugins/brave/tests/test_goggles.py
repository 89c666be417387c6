"""The allowed domains as a goggle, and which goggles go along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_brave.goggles import FEWER_GOGGLES, NO_PATTERNS, goggles_of
from websearch_core import SearchRequest
from websearch_core.asking.search.site_operators import spread
from websearch_core.kit import DomainRules
from websearch_core.testing.site import answer

WEB, NEWS, TEXT = (f"/res/v1/{path}" for path in ("web/search", "news/search", "llm/context"))
OPERATORS = tuple(f"https://example.com/{name}.goggle" for name in "abc")
LENS = "https://example.com/lens.goggle"


def goggles(*rules, operators=(), **fields):
    return goggles_of(SearchRequest(query="x", allowed_domains=rules, **fields), operators)


@pytest.mark.parametrize(
    ("rules", "sites"),
    [
        (("docs.rs",), ["docs.rs"]),
        (("docs.rs", "github.com"), ["docs.rs", "github.com"]),
        (("=docs.rs", "*.github.com"), ["docs.rs", "github.com"]),
        (("Docs.RS.", " docs.rs", "=docs.rs"), ["docs.rs"]),
        (("xn--mnchen-3ya.example", "under_score.example"), ["xn--mnchen-3ya.example", "under_score.example"]),
        (("edu", "*.gov"), [".edu", ".gov"]),
    ],
)
def test_allowed_domains_are_one_goggle_that_discards_the_rest(rules, sites):
    assert goggles(*rules) == (["\n".join(["$discard", *(f"$site={site}" for site in sites)])], [])


@pytest.mark.parametrize(
    "rule",
    ["docs-*.example", "*.example.*", "exampl?.com", "[a-z].example", "192.0.2.7", "[2001:db8::1]", "münchen.example"],
)
def test_with_a_rule_that_no_goggle_says_none_is_said(rule):
    assert goggles("docs.rs", rule, operators=OPERATORS[:1]) == ([OPERATORS[0]], [NO_PATTERNS])


@pytest.mark.parametrize(
    "rule", ["a.com\n$boost,site=b.com", "a.com,boost=9", "$discard", "a.com$inurl", "a b.com", ""]
)
def test_no_rule_smuggles_an_instruction_in(rule):
    assert goggles(rule) == ([], [NO_PATTERNS])


def test_goggles_stay_within_braves_limits():
    many = tuple(f"h{n}.org" for n in range(100_000))
    [goggle], notes = goggles(*many[:99_999])
    assert (goggle.count("\n"), notes) == (99_999, [])
    assert goggles(*many) == ([], [NO_PATTERNS])
    assert goggles(*(f"{'x' * 60}.{n}.org" for n in range(40_000))) == ([], [NO_PATTERNS])


def test_the_domains_come_first_then_the_lens_then_the_operator():
    found, notes = goggles("docs.rs", goggle=LENS, operators=OPERATORS[:1])
    assert (found, notes) == (["$discard\n$site=docs.rs", LENS, OPERATORS[0]], [])
    found, notes = goggles("docs.rs", goggle=LENS, operators=OPERATORS)
    assert (found, notes) == (["$discard\n$site=docs.rs", LENS, OPERATORS[0]], [FEWER_GOGGLES])


LABELS = st.sampled_from(["a", "b", "docs", "x-1", "org", "edu"])
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
RULES = st.tuples(st.sampled_from(["", "=", "*."]), HOSTS).map("".join) | st.just("docs.*") | st.just("*-1.org")


@given(st.lists(RULES, min_size=1, max_size=4), HOSTS)
def test_no_page_that_the_rules_allow_is_discarded(rules, host):
    if "." in host and DomainRules(rules).matches(host):
        for goggle in goggles(*rules)[0]:
            sites = [line.removeprefix("$site=") for line in goggle.splitlines()[1:]]
            assert any(host == site or host.endswith(f".{site.removeprefix('.')}") for site in sites)


def page(start):
    """Twenty web results, of which there are more."""
    rows = [{"url": f"https://docs1.example/{n}", "title": f"Title {n}"} for n in range(start, start + 20)]
    return {"type": "search", "query": {"more_results_available": True}, "web": {"results": rows}}


@pytest.mark.parametrize(
    ("path", "name", "fields"),
    [(WEB, "web", {}), (NEWS, "news", {"vertical": "news"}), (TEXT, "llm_context", {"content_mode": "text"})],
)
@pytest.mark.parametrize(("count", "method"), [(34, "GET"), (300, "POST")])
async def test_a_lens_is_one_request_however_many_sites_it_has(site, ask, sample, path, name, fields, count, method):
    site.route(path, answer(json=sample(name)))
    lens = tuple(f"docs{n}.example" for n in range(count))
    found = await ask(allowed_domains=lens, language="de", safesearch="strict" if path != TEXT else None, **fields)
    [request] = site.requests
    sent = request.query if method == "GET" else request.json()
    goggle = sent["goggles"] if method == "GET" else sent["goggles"][0]
    assert goggle == "\n".join(["$discard", *(f"$site={host}" for host in lens)])
    assert (request.method, request.path, sent["q"], sent["search_lang"]) == (method, path, "asyncio", "de")
    assert "?" not in request.target or method == "GET"
    assert (found.units, found.notes) == (1, ())
    assert found.hits


async def test_pages_of_a_long_request_are_posted_too(site, ask):
    def handle(request):
        return answer(json=page(20 * request.json().get("offset", 0)))

    site.route(WEB, handle)
    found = await ask(max_results=40, allowed_domains=tuple(f"docs{n}.example" for n in range(300)))
    assert len(found.hits) == 40
    first, second = (request.json() for request in site.requests)
    assert second == {**first, "offset": 1}
    assert first["text_decorations"] is first["spellcheck"] is False
    assert "freshness" not in first


async def test_the_core_writes_no_domains_into_braves_query_but_for_pictures(make):
    def queries(**fields):
        asked = spread(
            SearchRequest(query="x", allowed_domains=tuple(f"d{n}.org" for n in range(34)), **fields), make()
        )
        return [request.query for request in asked.requests]

    assert queries() == queries(vertical="news") == ["x"]
    assert len(queries(vertical="images")) == 4
