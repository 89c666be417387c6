"""Shorter texts: only the text's own sentences, each with its block, in the tokens that there are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit import blocks_of, estimate_tokens
from websearch_packet.text.extractive_summary import compacted
from websearch_packet.text.quotes import quotes_of
from websearch_packet.text.sentences import plainly, sentences_of
from websearch_packet.tools.packet_input import PacketText, joined

MODES = ("structural", "salience", "map_reduce", "question_focused")
TEXT = "# Tea\n\n" + "\n\n".join(
    f"## Part {n}\n\nTea number {n} is nice. It was found in {1900 + n} by Mary Smith. "
    f"Nobody knows why it is so.\n\n- one\n- two {n}"
    for n in range(40)
)
TEXT += '\n\n## Brewing\n\nThe kettle must boil first. "Never pour twice on the same leaves," said the master.'


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tokens", [60, 300, 1500, 100_000])
def test_every_sentence_is_of_the_text_and_names_its_block(mode, tokens) -> None:
    made = compacted(TEXT, tokens, mode, "how long must the kettle boil")
    blocks = blocks_of(TEXT)
    assert made["sentences"]
    for one in [*made["sentences"], *made["key_points"], *made["important_quotes"]]:
        block = blocks[int(one["citation"][1:])]
        assert block.start <= one["start"] < one["end"] <= block.end
        assert plainly(one["text"]) in plainly(TEXT[one["start"] : one["end"]])
    starts = [one["start"] for one in made["sentences"]]
    assert starts == sorted(set(starts))
    said = sum(estimate_tokens(one["text"]) for name in ("key_points", "important_quotes") for one in made[name])
    assert estimate_tokens(made["summary"]) + said <= tokens
    assert made["est_tokens"] <= tokens


def test_a_text_that_fits_is_kept_whole() -> None:
    made = compacted("# A\n\nOne. Two.\n\n- three", 1000, "structural")
    assert made["summary"] == "# A [b0]\nOne. [b1]\nTwo. [b1]\nthree [b2]"
    assert made["omissions"] == []


def test_what_a_text_says_again_and_again_is_one_point_and_one_quote() -> None:
    again = 'In 2024 Mary Smith drank 12 cups of tea a day. "Never pour twice on the same leaves," she said.\n\n'
    made = compacted(again * 3 + f"- {again}", 2000, "structural")
    assert sum("12 cups" in one["text"] for one in made["key_points"]) == 1
    assert len(made["important_quotes"]) == 1


def test_sections_are_kept_whole_and_others_are_named() -> None:
    made = compacted(TEXT, 400, "structural")
    assert made["summary"].startswith("# Tea") or "## Part" in made["summary"]
    assert 1 <= len(made["omissions"]) <= 5
    assert all(line.endswith(("is left out", "is shortened")) for line in made["omissions"])


def test_what_is_to_be_preserved_decides() -> None:
    text = "The tower is called Big Ben by all. " * 3 + "\n\n" + "In it 12 men were at work there daily. " * 3
    defined = compacted(text, 30, "salience", preserve=("definitions",))["summary"]
    counted = compacted(text, 30, "salience", preserve=("numbers",))["summary"]
    assert "called" in defined
    assert "12 men" in counted
    assert "12 men" not in defined


def test_every_part_has_its_say() -> None:
    text = "\n\n".join(f"Chapter {n} tells of thing {n} at some length and breadth. " * 30 for n in range(6))
    made = compacted(text, 300, "map_reduce")
    assert {f"thing {n}" in made["summary"] for n in range(6)} == {True}


def test_a_question_finds_what_answers_it() -> None:
    made = compacted(TEXT, 100, "question_focused", "boiling the kettle")
    assert "The kettle must boil first." in made["summary"]
    assert "Mary" not in made["summary"]
    assert made["warnings"] == []


@pytest.mark.parametrize("tokens", [100, 5000], ids=["shortened", "whole"])
def test_a_question_whose_words_a_heading_has_is_answered_below_it(tokens) -> None:
    made = compacted(TEXT, tokens, "question_focused", "brewing")
    assert "The kettle must boil first." in made["summary"]
    assert made["warnings"] == []


@pytest.mark.parametrize(("question", "why"), [("", "there is no question"), ("quantum chromodynamics", "no word")])
@pytest.mark.parametrize("tokens", [200, 5000], ids=["shortened", "whole"])
def test_without_an_answer_it_says_so(question, why, tokens) -> None:
    made = compacted(TEXT, tokens, "question_focused", question)
    assert made["warnings"][0].startswith(why)
    assert made["sentences"]


@pytest.mark.parametrize(
    "text",
    [
        'He said: "This is what we came for."',
        "He said: “This is what we came for.”",
        "He said: \u2018This is what we came for.\u2019",
        "He said: 'This is what we came for.'",
        "Er sagte: „This is what we came for.“",
        "Il dit : «This is what we came for.»",
        "> This is what we came for.",
    ],
)
def test_quotations_of_every_kind(text) -> None:
    [quote] = quotes_of(text)
    assert text[quote.start : quote.end].strip("> ") == "This is what we came for."


@pytest.mark.parametrize(
    "text",
    [
        '"short"',
        '`"This is what we came for."`\n\n```\n"This is what we came for."\n```'[28:],
        "don't do it, it's 4 o'clock now",
    ],
)
def test_what_is_no_quotation(text) -> None:
    assert quotes_of(text) == []


@given(st.text(alphabet=st.sampled_from("ab. 12!\n#->|`\"'“”茶。é")) | st.text())
def test_sentences_lie_apart_in_their_blocks_and_hold_all_that_is_not_blank(text) -> None:
    blocks = blocks_of(text)
    place = 0
    for one in sentences_of(text):
        assert not text[place : one.start].strip()
        assert blocks[one.block].start <= one.start < one.end <= blocks[one.block].end
        place = one.end
    assert not text[place:].strip()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Who came. He left.", ["Dr. Who came.", "He left."]),
        ("It costs 3.50 euros, e.g. here. J. Smith paid!", ["It costs 3.50 euros, e.g. here.", "J. Smith paid!"]),
        ("茶は緑です。水もある。", ["茶は緑です。", "水もある。"]),
        ("Почему? Потому.", ["Почему?", "Потому."]),
        ("1. First. Second.\n2. Third.", ["1. First.", "Second.", "2. Third."]),
        ("- a\n- b\n  c", ["- a", "- b\n  c"]),
    ],
)
def test_sentences_of_many_kinds(text, parts) -> None:
    assert [text[one.start : one.end] for one in sentences_of(text)] == parts


def test_chunks_are_joined_without_what_they_repeat() -> None:
    assert joined(["One is here. Two is here.", {"text": "Two is here. Three."}]) == "One is here. Two is here. Three."
    assert joined(["One.", "One more."]) == "One.\n\nOne more."


@pytest.mark.parametrize("tokens", [90, 200, 1000])
def test_each_chunk_that_was_given_is_heard(tokens) -> None:
    chunks = [f"Part {n} says much of number {n}0. " * (40 if n == 0 else 1) + f"Its end is {n}." for n in range(5)]
    source = PacketText(joined(chunks), "id", "")
    parts = source.parts(chunks)
    assert len(parts) == 4
    made = compacted(source.content, tokens, "map_reduce", parts=parts)
    places = [0, *parts, len(source.content)]
    heard = {n for n in range(5) for one in made["sentences"] if places[n] <= one["start"] < places[n + 1]}
    assert heard == {0, 1, 2, 3, 4}
    assert made["warnings"] == []


def test_a_chunk_without_room_is_named() -> None:
    chunks = ["Short one here.", "Very long words " * 40 + "end."]
    source = PacketText(joined(chunks), "id", "")
    made = compacted(source.content, 50, "map_reduce", parts=source.parts(chunks))
    assert made["warnings"] == ["parts 2 of 2 are left out: none of their sentences fits"]


@pytest.mark.parametrize("tokens", [100, 5000], ids=["shortened", "whole"])
def test_a_question_that_hardly_a_word_answers_is_told(tokens) -> None:
    made = compacted(TEXT, tokens, "question_focused", "what is the melting temperature of a kettle")
    assert made["warnings"] == ["the text may not answer the question: it does not have the words melting, temperature"]


def test_an_odd_quotation_mark_makes_no_quotation_of_what_is_between_two() -> None:
    text = 'A 5" pipe. "I will come in the morning," he said, and went to the old house. "We shall all be there then."'
    assert [text[one.start : one.end] for one in quotes_of(text)] == [
        "I will come in the morning,",
        "We shall all be there then.",
    ]
    assert [one.kind for one in quotes_of("彼は「明日の朝には必ずそこに行く」と言った。")] == ["quote"]


def test_code_under_a_list_item_is_no_part_of_its_sentence() -> None:
    assert plainly("- run this:\n  ```sh\n  make all\n  ```\n  and wait") == "run this: and wait"
