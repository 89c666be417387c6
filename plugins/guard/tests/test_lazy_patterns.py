"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from websearch_guard.lazy_patterns import compiled


def test_it_finds_what_a_compiled_pattern_finds() -> None:
    pattern = compiled(r"(o)wl", re.IGNORECASE)
    for _ in range(2):
        assert [match[0] for match in pattern.finditer("Owls and owlets")] == ["Owl", "owl"]
        assert (found := pattern.match("owl"))
        assert found.re == re.compile(r"(o)wl", re.IGNORECASE)


def test_a_mistake_is_raised_where_it_is_first_used() -> None:
    pattern = compiled("(")
    with pytest.raises(re.error):
        pattern.search("owl")
