"""How several lists become one."""

from __future__ import annotations

from websearch_core.asking.search.fusion import fuse
from websearch_core.contract.models import Hit

from .fakes import EPOCH, hit, urls


def found(source: str, *urls: str) -> list[Hit]:
    return [hit(url, source=source) for url in urls]


def test_what_several_found_comes_first() -> None:
    merged = fuse([found("a", "1.com", "2.com", "3.com"), found("b", "4.com", "3.com")], 10)
    assert urls(merged) == ["3.com", "1.com", "4.com", "2.com"]
    assert [one.found_by for one in merged] == [("a", "b"), ("a",), ("b",), ("a",)]
    assert merged[0].score == round(1 / 63 + 1 / 62, 6)


def test_ties_go_to_the_earlier_list() -> None:
    assert urls(fuse([found("a", "1.com"), found("b", "2.com"), found("c", "3.com")], 2)) == ["1.com", "2.com"]


def test_spellings_of_a_page_are_one_hit_in_the_first_lists_words() -> None:
    first = [hit("example.com/p", source="a", title="Title", snippet="short")]
    second = [
        Hit(
            url="http://www.example.com/p/?utm_source=x",
            source="b",
            title="Other",
            snippet="a longer snippet",
            author="Ada",
            published=EPOCH,
            body="text",
            content_hash="h",
        )
    ]
    (one,) = fuse([first, second], 5)
    assert (one.url, one.title, one.source) == ("https://example.com/p", "Title", "a")
    assert (one.snippet, one.author, one.body, one.content_hash) == ("a longer snippet", "Ada", "text", "h")
    assert one.published is not None
    assert one.found_by == ("a", "b")


def test_the_first_list_speaks_also_when_it_ranked_the_page_lower() -> None:
    merged = fuse([found("a", "1.com", "2.com"), [hit("2.com", source="b", title="B")]], 5)
    assert (merged[0].source, merged[0].title) == ("a", "B")


def test_nothing_merged_is_nothing() -> None:
    assert fuse([], 5) == ()
    assert fuse([[], []], 5) == ()


def test_two_pictures_of_one_page_are_two_hits() -> None:
    page = "https://a.example/gallery"
    pictures = [Hit(url=page, image=f"https://a.example/{n}.png", source="one") for n in (1, 2)]
    assert [hit.image for hit in fuse([pictures], 8)] == ["https://a.example/1.png", "https://a.example/2.png"]


def test_what_the_first_lacks_comes_from_the_others() -> None:
    first = [hit("1.com", source="a", title="A")]
    second = [hit("1.com", source="b", title="B", age_text="3 days ago", author="Ann")]
    [merged] = fuse([first, second], 5)
    assert (merged.title, merged.age_text, merged.author) == ("A", "3 days ago", "Ann")
