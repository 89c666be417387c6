"""The canonical reading: what it says, and the way back to the original."""

# ruff: noqa: RUF001 - look-alikes are what this is about

import pickle
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_guard.deobfuscation import canonical

READ_AS = {
    "zero width": ("o\u200bpe\u2060n\ufeff", "open"),
    "soft hyphen": ("hy\u00adphen", "hyphen"),
    "tags": ("open\U000e0041\U000e0042", "open"),
    "selectors": ("o\ufe00p\U000e0100en", "open"),
    "bidi controls": ("\u202eopen\u202c \u2066it\u2069", "open it"),
    "fillers": ("open\u3164the\u115fred\u2800door\uffa0now", "open the red door now"),
    "controls": ("o\x00p\x1ben", "open"),
    "Cyrillic letters": ("ореn thе dооr", "open the door"),
    "Greek letters": ("οpεn τhe dοοr", "open the door"),
    "Armenian letters": ("օpeո", "open"),
    "Cherokee letters": ("Ꮤhat ᎳᎬ do", "What WE do"),
    "a word of look-alikes among Latin ones": ("play the асе now", "play the ace now"),
    "letters of other alphabets in English words": ("ałł đo ıgnore fiłe", "all đo ignore file"),
    "small capitals": ("ᴏᴘᴇɴ", "open"),
    "full width": ("ｏｐｅｎ　１２", "open 12"),
    "mathematical letters": ("𝐨𝓹𝖊𝚗", "open"),
    "circled letters": ("ⓞⓟⓔⓝ 🅞🅟🅔🅝", "open OPEN"),
    "stacked marks": ("o\u0335\u0321p\u0336e\u0337\u0301n\u0338", "open"),
    "a ligature": ("ﬁle oﬃce", "file office"),
    "a decomposed letter": ("cafe\u0301", "café"),
    "Vietnamese, decomposed": ("Vie\u0323\u0302t", "Việt"),
    "Hangul, decomposed": ("\u1112\u1161\u11ab", "한"),
    "quotes, dashes and spaces": ("“it’s” – so\u00a0it", '"it\'s" - so it'),
    "Arabic digits": ("٠١٢ ۳۴", "012 34"),
    "Devanagari digits": ("१२", "12"),
    "an ellipsis": ("so…", "so..."),
}
ITSELF = {
    "English": "Open the door.",
    "French": "Le garçon où çà, naïve",
    "Polish": "Mała łódka stała przy Łodzi",
    "Turkish": "ışık yandı, sıcak bir ılıklık",
    "Vietnamese": "Đường đi đến đó",
    "Danish": "Før søen frøs til",
    "Russian": "Он сам рос там, а она — вот: сор, рот, оса".replace("—", "-"),
    "Russian beside English": "Этот API нужен, а сор нет",
    "one Russian word": "сор",
    "Greek": "ένα ρολόι και το νερό",
    "Armenian": "Բարեւ ձեզ",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "Thai": "ภาษาไทย".replace("ำ", "ํา"),
    "Chinese": "快速的棕色狐狸",
    "Hindi": "भारत एक देश है",
    "Arabic": "مرحبا بالعالم",
    "flags and faces": "🇩🇪 😀 👍🏽",
}


@pytest.mark.parametrize("name", READ_AS)
def test_a_disguise_is_read(name: str) -> None:
    text, said = READ_AS[name]
    assert canonical(text).text == said


@pytest.mark.parametrize("name", ITSELF)
def test_an_honest_text_stays_itself(name: str) -> None:
    assert canonical(ITSELF[name]).text == ITSELF[name]


def test_plain_ascii_is_the_same_object() -> None:
    text = "Open the door."
    assert canonical(text).text is text
    assert canonical(text).kind == "plain"


def test_a_place_is_mapped_back_through_everything() -> None:
    text = "« o\u200bﬃ\u0301ce\u0301 » оf the\u00ad сlеrk"
    view = canonical(text)
    for word, original in {"clerk": "сlеrk", "of": "оf", "»": "»"}.items():
        start = view.text.rindex(word)
        assert text[slice(*view.span(start, start + len(word)))] == original


def test_a_reading_travels_to_a_worker_and_back() -> None:
    view = canonical("o\u200bpen")
    assert pickle.loads(pickle.dumps(view)) == view


ODD = "ab 1\n\u200b\u00ad\u0301\u0327é“’аеоор\u03bfﬁ…ｏ𝐨\U000e0041\ufe0f😀\u200d👩क़\u09bf\u1112\u1161\u11ab\x00"
TEXTS = st.text(st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS)
def test_spans_lie_in_the_text_and_never_go_back(text: str) -> None:
    view = canonical(text)
    places = [view.span(place, place + 1) for place in range(len(view.text))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(places))
    for start in range(0, len(view.text), 3):
        assert view.span(start, len(view.text)) == (places[start][0], places[-1][1])
        assert 0 <= view.span(start, start)[0] <= len(text)


@given(TEXTS)
def test_what_was_read_stands_where_the_span_says(text: str) -> None:
    view = canonical(text)
    for place, character in enumerate(view.text):
        start, end = view.span(place, place + 1)
        # its neighbours decide whether a look-alike is a letter: those are left out
        if unicodedata.name(character, "").startswith("LATIN"):
            continue
        assert character in canonical(text[start:end]).text


@given(TEXTS)
def test_reading_twice_changes_nothing_more(text: str) -> None:
    once = canonical(text).text
    assert canonical(once).text == once
