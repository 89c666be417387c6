"""Numbers spelt out, drawn on keys, or cut over the parameters of an address."""

from __future__ import annotations

import random
import tomllib
from importlib.resources import files

import pytest

from websearch_guard.pii.find import find

CARD, IBAN = "4929728155304419", "DE75512108001245126199"
"""Made up; the check digits are right."""
DIGITS = {
    language: [pair.partition("=")[0] for pair in row.split()][:10]
    for language, row in tomllib.loads(
        (files("websearch_guard.deobfuscation") / "data" / "digits.toml").read_text("utf-8")
    ).items()
}
PASSPORTS = ("C4VL8RJ3T", "L01X00T47", "JPJM1G1N4", "jt0k10fvl", "NWK4R8B61", "M123A4567", "17DI84047")
ASKED = ("passport {}", "Reisepass {} verloren", "is passport {} valid", "паспорт {}", "护照 {}", "travel document {}")
ENGLISH = DIGITS["english"]
NATO = {"D": "delta", "E": "echo"}


def kinds(text: str, *, url: bool = False) -> set[str]:
    return {span.kind for span in find(text, url=url)}


@pytest.mark.parametrize("language", DIGITS)
def test_a_card_is_read_in_the_digits_of_every_language(language: str) -> None:
    words = DIGITS[language]
    assert "payment_card" in kinds("card " + " ".join(words[int(digit)] for digit in CARD))


@pytest.mark.parametrize(
    "text",
    [
        "card " + "".join(f"{digit}\ufe0f\u20e3" for digit in CARD),
        "信用卡 四九二九七二八一五五三零四四一九",
    ],
)
def test_a_card_is_read_from_keycaps_and_han(text: str) -> None:
    assert "payment_card" in kinds(text)


@pytest.mark.parametrize(
    "said",
    [
        " ".join(ENGLISH[int(c)] if c.isdigit() else c for c in IBAN),
        "DE " + " ".join(ENGLISH[int(c)] for c in IBAN[2:]),
        "my iban " + " ".join(ENGLISH[int(c)] if c.isdigit() else NATO[c] for c in IBAN),
        " ".join(DIGITS["german"][int(c)] if c.isdigit() else c.lower() for c in IBAN),
    ],
)
def test_an_account_is_read_in_words(said: str) -> None:
    assert "iban" in kinds(said)


def test_numbers_in_sentences_are_no_accounts() -> None:
    dice = random.Random(1)
    for words in DIGITS.values():
        assert kinds(" ".join(dice.choices(words, k=3)) + " owls") == set()


@pytest.mark.parametrize("number", PASSPORTS)
@pytest.mark.parametrize("asked", ASKED)
def test_a_passport_of_letters_and_digits(asked: str, number: str) -> None:
    assert "passport" in kinds(asked.format(number))


@pytest.mark.parametrize(
    ("kind", "query"),
    [
        ("payment_card", "a=4929&b=7281&c=5530&d=4419"),
        ("payment_card", "id=49297281&id=55304419&id=1"),
        ("government_id", "n1=521&n2=44&n3=3712"),
        ("email", "k0=jane.&k1=doe.1984&k2=@gmail.com"),
    ],
)
def test_what_is_cut_over_parameters(kind: str, query: str) -> None:
    assert kind in kinds(f"https://c.example.com/p?{query}", url=True)


def test_words_before_a_spelt_number_are_no_country() -> None:
    said = " ".join(ENGLISH[int(digit)] for digit in "4915125922220")
    assert "phone" in kinds(f"call me at {said}")
    assert "phone" in kinds(f"my number is {said}")
