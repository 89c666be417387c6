"""Domain limits in the query, where an engine has no filter of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.asking.search.site_operators import MOST_CHARS, MOST_QUERIES, SiteQueries, merged, spread
from websearch_core.contract.models import SearchRequest
from websearch_core.contract.results import Answer

from .fakes import Backend, hits, urls


def spread_over(
    query: str = "owls", *, sites: int = 10, pushes: tuple[str, ...] = (), declared: Any = None, **asked: Any
) -> SiteQueries:
    backend = Backend("eng", (), verticals={"web": frozenset(pushes)}, max_site_operators=sites, **(declared or {}))
    return spread(SearchRequest(query=query, **asked), backend)


def queries(found: SiteQueries) -> list[str]:
    return [request.query for request in found.requests]


def many(count: int) -> tuple[str, ...]:
    return tuple(f"site{number}.example" for number in range(count))


@pytest.mark.parametrize(
    ("allowed", "excluded", "query"),
    [
        (("a.example",), (), "owls site:a.example"),
        (("a.example", "b.example"), (), "owls (site:a.example OR site:b.example)"),
        ((), ("a.example", "b.example"), "owls -site:a.example -site:b.example"),
        (("a.example",), ("x.a.example",), "owls site:a.example -site:x.a.example"),
        (("=a.example", "*.b.example"), (), "owls (site:a.example OR site:b.example)"),
        (("a.example", "=a.example", "A.EXAMPLE."), (), "owls site:a.example"),
        (("münchen.example",), (), "owls site:xn--mnchen-3ya.example"),
    ],
)
def test_domains_are_said_in_the_query(allowed: tuple[str, ...], excluded: tuple[str, ...], query: str) -> None:
    found = spread_over(allowed_domains=allowed, excluded_domains=excluded)
    assert queries(found) == [query]
    assert found.notes == ()
    assert found.fields == {*(["allowed_domains"] if allowed else []), *(["excluded_domains"] if excluded else [])}


@pytest.mark.parametrize("rule", ["docs-*.example.com", "*.example.*", "exampl?.com", "[a-z].example.com", "192.0.2.7"])
def test_with_an_allowed_domain_that_cannot_be_said_none_is_said(rule: str) -> None:
    found = spread_over(allowed_domains=("a.example", rule), excluded_domains=("b.example",))
    assert queries(found) == ["owls -site:b.example"]
    assert found.notes == ("eng: one of the allowed domains cannot be said in a query; its results were sifted",)
    assert found.fields == {"excluded_domains"}


@pytest.mark.parametrize("rule", ["=b.example", "*.b.example", "b-*.example", "[2001:db8::1]"])
def test_an_excluded_rule_that_would_cost_wanted_hits_stays_out(rule: str) -> None:
    found = spread_over(excluded_domains=("a.example", rule))
    assert queries(found) == ["owls -site:a.example"]
    assert found.notes == ()
    assert found.fields == frozenset()


def test_an_excluded_domain_that_is_not_searched_anyway_needs_no_room() -> None:
    found = spread_over(allowed_domains=("a.example",), excluded_domains=("b.example", "*.b.example"))
    assert queries(found) == ["owls site:a.example"]
    assert found.fields == {"allowed_domains", "excluded_domains"}


def test_as_many_are_excluded_as_the_query_takes() -> None:
    found = spread_over(excluded_domains=many(12))
    assert queries(found) == [" ".join(["owls", *(f"-site:{site}" for site in many(10))])]
    assert found.fields == frozenset()


@pytest.mark.parametrize("field", ["allowed_domains", "excluded_domains"])
def test_what_the_engine_does_itself_is_left_to_it(field: str) -> None:
    asked = {"allowed_domains": ("a.example",), "excluded_domains": ("x.a.example",)}
    found = spread_over(pushes=(field,), **asked)
    assert ("-site:" in queries(found)[0]) == (field == "allowed_domains")
    assert (" site:" in queries(found)[0]) == (field == "excluded_domains")
    assert field not in found.fields
    assert all(getattr(found.requests[0], name) == rules for name, rules in asked.items())


@pytest.mark.parametrize(("sites", "excluded"), [(0, ()), (10, ()), (0, ("a.example",))])
def test_there_is_nothing_to_do_without_operators_or_domains(sites: int, excluded: tuple[str, ...]) -> None:
    request = SearchRequest(query="owls", excluded_domains=excluded)
    assert spread(request, Backend("eng", (), max_site_operators=sites)) == SiteQueries((request,))


def test_without_operators_allowed_domains_are_only_sifted_and_the_answer_says_so() -> None:
    request = SearchRequest(query="owls", allowed_domains=("a.example",), excluded_domains=("x.a.example",))
    sifted = "eng: allowed domains cannot be said in its queries; its results were sifted"
    assert spread(request, Backend("eng", (), max_site_operators=0)) == SiteQueries((request,), (sifted,))


def test_an_engine_that_filters_by_domain_itself_sifts_nothing() -> None:
    assert spread_over(sites=0, pushes=("allowed_domains",), allowed_domains=("a.example",)).notes == ()


def test_more_sites_than_one_query_takes_are_dealt_to_several() -> None:
    found = spread_over(sites=10, allowed_domains=many(13), max_results=7)
    assert [query.count("site:") for query in queries(found)] == [7, 6]
    assert found.notes == ()
    assert {request.max_results for request in found.requests} == {7}


def test_sites_that_do_not_fit_into_the_queries_are_counted() -> None:
    found = spread_over(sites=2, allowed_domains=many(11))
    assert len(found.requests) == MOST_QUERIES
    assert found.notes == ("eng: 3 of 11 allowed domains were not searched: its queries have no room",)
    asked = re.findall(r"site:(\S+?)\)?(?=\s|$)", " ".join(queries(found)))
    assert sorted(asked) == sorted(many(8))


def test_an_operator_counts_as_a_word() -> None:
    found = spread_over("three small owls", declared={"max_query_words": 6}, allowed_domains=many(3))
    assert queries(found) == [
        "three small owls (site:site0.example OR site:site2.example)",
        "three small owls site:site1.example",
    ]


def test_one_site_too_long_does_not_keep_the_others_out() -> None:
    long = f"{'x' * 40}.example"
    found = spread_over(declared={"max_query_chars": 30}, allowed_domains=(long, "a.example"))
    assert queries(found) == ["owls site:a.example"]
    assert found.notes == ("eng: 1 of 2 allowed domains were not searched: its queries have no room",)


@pytest.mark.parametrize("declared", [{"max_query_chars": 20}, {"max_query_words": 2}])
def test_a_query_without_room_goes_out_as_it_is(declared: dict[str, int]) -> None:
    found = spread_over("owls  at night", declared=declared, allowed_domains=("a.example",), excluded_domains=many(1))
    assert queries(found) == ["owls  at night"]
    assert found.notes == ("eng: the query leaves no room for the allowed domains; its results were sifted",)
    assert found.fields == frozenset()


@pytest.mark.parametrize("own", ["site:b.example", "-site:b.example", "(Site:b.example)"])
def test_a_site_of_the_callers_own_is_kept_counted_and_mentioned(own: str) -> None:
    found = spread_over(f"owls {own}", sites=2, allowed_domains=many(2))
    assert queries(found) == [f"owls {own} site:site0.example", f"owls {own} site:site1.example"]
    assert found.notes == (
        "eng: the query names a site of its own: only what fits it and the allowed domains is found",
    )


LABELS = st.text("abcdefghij0123456789", min_size=1, max_size=30)
HOSTS = st.builds("{}.{}".format, LABELS, st.sampled_from(["example", "org", "co.uk"]))
SAID = st.one_of(HOSTS, HOSTS.map("={}".format), HOSTS.map("*.{}".format))
UNSAID = st.one_of(HOSTS.map("docs-*.{}".format), st.sampled_from(["192.0.2.1", "a?b.example", "[a-c].example"]))
QUERIES = st.text(min_size=1, max_size=60).filter(lambda text: text.strip() and "site:" not in text.lower())


@given(
    query=QUERIES,
    allowed=st.lists(SAID, max_size=60),
    excluded=st.lists(st.one_of(SAID, UNSAID), max_size=30),
    odd=st.lists(UNSAID, max_size=1),
    sites=st.integers(0, 30),
    chars=st.none() | st.integers(60, 400),
    words=st.none() | st.integers(30, 80),
)
def test_limits_are_kept_and_every_site_is_searched_once_or_counted(
    query: str,
    allowed: list[str],
    excluded: list[str],
    odd: list[str],
    sites: int,
    chars: int | None,
    words: int | None,
) -> None:
    declared = {"max_query_chars": chars, "max_query_words": words}
    asked = {"allowed_domains": (*allowed, *odd), "excluded_domains": tuple(excluded)}
    request = SearchRequest(query=query, **asked)
    backend = Backend("eng", (), max_site_operators=sites, **declared)
    found = spread(request, backend)
    assert found == spread(request, backend)
    assert 1 <= len(found.requests) <= MOST_QUERIES
    searched: list[str] = []
    for each in found.requests:
        assert each.model_copy(update={"query": request.query}) == request
        assert len(each.query) <= (chars or MOST_CHARS)
        assert words is None or len(each.query.split()) <= words
        assert each.query.startswith(request.query)
        added = each.query[len(request.query) :]
        terms = re.findall(r"(-?)site:([a-z0-9.-]+)", added)
        assert re.sub(r"-?site:[a-z0-9.-]+|[() ]|OR", "", added) == ""
        assert len(terms) <= sites
        searched += [host for minus, host in terms if not minus]
        assert {host for minus, host in terms if minus} <= set(excluded)
    hosts = {rule.lstrip("=*.") for rule in allowed}
    assert len(searched) == len(set(searched))
    assert set(searched) <= hosts
    counted = [int(note.split()[1]) for note in found.notes if "not searched" in note]
    if odd:
        assert searched == []
    elif searched:
        assert len(searched) + sum(counted) == len(hosts)
        assert "allowed_domains" in found.fields
    else:
        assert not hosts or ("no room" if sites else "cannot be said in its queries") in found.notes[0]


def test_several_answers_become_one_rank_by_rank() -> None:
    first = Answer(hits=hits("a.com", "b.com", "c.com"), notes=("same", "one"), cost=0.5, units=1)
    second = Answer(hits=hits("d.com"), notes=("same", "two"))
    third = Answer(hits=hits("e.com", "f.com"), cost=0.25)
    one = merged([first, second, third])
    assert urls(one.hits) == ["a.com", "d.com", "e.com", "b.com", "f.com", "c.com"]
    assert one.notes == ("same", "one", "two")
    assert (one.cost, one.units) == (0.75, 1)
    assert merged([second, second]).cost is None
    assert merged([first]) == first
