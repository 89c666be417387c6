"""Which passages of a page answer some words."""

from __future__ import annotations

import pytest

from websearch_core.contract.outline import outline_of
from websearch_core.kit.passage_ranking import passages

PAGE = """# Owls

Owls are birds of prey that hunt at night.

## Food

They eat mice, voles and small birds.

## Range of the barn owl

It lives on every continent but Antarctica, and prefers open land.

```sh
owlctl install --debian
```
"""


def best(words: str, page: str = PAGE) -> str:
    found = passages(page, words, outline_of(page))
    return page[found[0].start : found[0].end] if found else ""


def test_the_passage_with_the_rarer_words_is_best() -> None:
    assert best("what do owls eat").startswith("They eat mice")
    assert "owlctl" in best("installing on Debian")


def test_the_heading_over_a_passage_counts() -> None:
    assert best("barn range").startswith("It lives")


def test_endings_and_case_do_not_matter() -> None:
    assert best("MOUSE PREYS").startswith("Owls are birds")
    assert best("price", "The prices rise.\n\nOther words.") == "The prices rise."


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Un caf\u00e9.", "cafe"),
        ("Un cafe\u0301.", "caf\u00e9"),
        ("\u0401лки", "елки"),
        ("r\u00e9sum\u00e9s", "resume"),
    ],
)
def test_accents_do_not_matter(text: str, word: str) -> None:
    assert passages(text, word)


def test_scripts_without_spaces_are_read_by_pairs() -> None:
    page = "フクロウは夜に狩りをする。\n\n猫は昼に寝る。"
    assert best("夜に狩り", page).startswith("フクロウ")


def test_nothing_is_found_where_no_word_is() -> None:
    assert passages(PAGE, "xylophone") == []
    assert passages("", "owl") == []
    assert passages(PAGE, "!!") == []


def test_a_long_block_comes_in_parts() -> None:
    page = "Filler sentence here. " * 200 + "The needle is hidden. " + "More filler there. " * 200
    assert "needle" in best("needle", page)
    assert len(best("needle", page)) <= 1200


def test_small_words_count_only_where_there_is_no_other() -> None:
    text = "The owl of the barn.\n\nWhat is it that the and of a is for?\n\nDer Bau für die Eule."
    assert [text[one.start : one.end] for one in passages(text, "what is the owl of")] == ["The owl of the barn."]
    assert [text[one.start : one.end] for one in passages(text, "Was ist die Eule für")] == ["Der Bau für die Eule."]
    assert passages(text, "what is the")
