"""Just enough to be somebody's, and just too little: lengths, check digits, ages, and how far off a label may be."""

# ruff: noqa: E501 - a case a line

import random
from collections.abc import Callable

import pytest
from stdnum import luhn

from websearch_guard.pii.find import TooMuchError, find
from websearch_guard.pii.masking import masked
from websearch_guard.pii.text.person_names import is_name, is_public, may_be_name
from websearch_guard.pii.text.prepared_text import listed

SEED = [word for word in sorted(listed("bip39")) if len(word) > 4][5::130]
IBAN = "DE75512108001245126199"
VIN = "1HGBH41JXMN109186"


def kinds(text: str, *, url: bool = False) -> list[str]:
    return [span.kind for span in find(text, url=url)]


def checked(digits: str) -> str:
    return digits + luhn.calc_check_digit(digits)


def last(made: Callable[[int], str], kind: str, most: int = 90) -> int:
    """The largest size at which it is found."""
    return next((size for size in range(most, -1, -1) if kind in kinds(made(size))), -1)


def first(made: Callable[[int], str], kind: str, most: int = 90) -> int:
    """The smallest size at which it is found."""
    return next((size for size in range(1, most) if kind in kinds(made(size))), 0)


TEXTS: list[tuple[str, str, str]] = [
    ("pay with 4929728155304419", "payment_card", "a common brand"),
    ("pay with 4929728155304418", "", "the check digit is wrong"),
    ("my credit card number is 4929728155304418", "payment_card", "mistyped, and called so"),
    ("my credit card number is 492972815530441", "payment_card", "fifteen digits"),
    ("my credit card number is 49297281553044", "", "fourteen digits"),
    ("my credit card number is 49297281553044185", "", "seventeen digits"),
    ("pay with 4444 4444 4444 4448", "", "two different digits"),
    (f"pay with {checked('42114211421142')}", "", "three, but fifteen digits"),
    (f"pay with {checked('37828224631000')}", "payment_card", "fifteen of another brand"),
    (f"pay with {checked('60110009901394')}", "", "fifteen of that brand"),
    (f"IBAN {IBAN}", "iban", "a right one"),
    (f"transfer to {IBAN}", "iban", "without its name"),
    (f"transfer to {IBAN[:-1]}8", "", "wrong check digits"),
    (f"IBAN {IBAN[:-1]}8", "iban", "wrong ones beside the word"),
    (f"transfer to {IBAN}1", "", "a digit more"),
    (f"transfer to {IBAN[:8]}  {IBAN[8:]}", "iban", "two blanks"),
    (f"transfer to {IBAN[:8]}. -{IBAN[8:]}", "", "three signs between"),
    (f"transfer to XX{IBAN[2:]}", "", "no country"),
    (f"car {VIN}", "vin", "a right one"),
    (f"car {VIN[:-1]}7", "", "the check digit is wrong"),
    ("car 11111111111111111", "", "no letters"),
    ("imei 352099001761481", "device", "a right one"),
    ("imei 352099001761480", "device", "mistyped, and called so"),
    ("352099001761481", "device", "alone, as most begin"),
    ("122099001761486", "", "alone, as none begins"),
    (" ".join(SEED[:12]), "seed_phrase", "twelve words"),
    (" ".join(SEED[:11]), "", "eleven"),
    ("my seed phrase is " + " ".join(SEED[:9]), "seed_phrase", "nine, and called so"),
    ("my seed phrase is " + " ".join(SEED[:8]), "", "eight"),
    (" ".join([*SEED[:6], "blorft", *SEED[6:11]]), "seed_phrase", "one mistyped in twelve"),
    (" ".join([*SEED[:6], "blorft", "grunz", *SEED[6:10]]), "seed_phrase", "two"),
    (" ".join([*SEED[:6], "blorft", "grunz", "wompt", *SEED[6:12]]), "", "three"),
    (" ".join([*SEED[:5], "blorft", *SEED[5:11]]), "", "before there are six"),
    (" ".join(SEED[:6] * 2), "", "six different words"),
    (" ".join([*SEED[:7], *SEED[:5]]), "seed_phrase", "seven different words"),
    ("recovery phrase: " + " ".join(["blorft", "grunz", "wompt", "krells"] * 2 + ["drilb", "spolf", "twick"]), "seed_phrase", "eleven strange words after the label"),
    ("recovery phrase: " + " ".join(["blorft", "grunz", "wompt", "krells"] * 2 + ["drilb", "spolf"]), "", "ten"),
    ("who is jane.doe@gmail.com", "email", "a provider for everybody"),
    ("who is info@gmail.com", "", "a desk"),
    ("who is info.desk@gmail.com", "", "a desk's first word"),
    ("who is jane.doe..@gmail.com", "", "shortened by who shows it"),
    ("who is jane.doe@gmail.test", "", "a domain for tests"),
    ("jane.mill@sawmill.org", "email", "the family's domain"),
    ("jane.mil@sawmilk.org", "", "a shorter name in it"),
    ("jane.miller@miller.org", "", "a firm of that name"),
    ("jane.miller@acme.org", "", "at a firm"),
    ("jane.miller@doe.name", "email", "a domain of people"),
    ("who is jane.miller@millworks.org", "email", "whom the words are after"),
    ("call +49 151 25922220", "phone", "with a country"),
    ("+49 151 2592", "", "too short for that country"),
    ("who called me from 617-682-5990", "phone", "American"),
    ("who called me from 800-682-5990", "", "free of charge"),
    ("617-682-5990", "phone", "alone"),
    ("order 6176825990", "", "a number of something"),
    ("my phone number is 12345678", "", "counted up"),
    ("my phone number is 0151 25922220", "phone", "a mobile of some country"),
    ("who is 0151 25922220", "phone", "alone but for a word"),
    ("opened 2010-05-12 at noon", "", "a date"),
    ("my atm pin is 4829", "password", "of a card"),
    ("my atm pin is 1984", "", "a year"),
    ("my atm pin is 482", "", "three digits"),
    ("my atm pin is 482913405", "", "nine digits"),
    ("my password is Sommer2024!", "password", "said"),
    ("my password is sun", "", "three letters"),
    ("my password is moon", "", "four"),
    ("my password is moons", "password", "five"),
    ("password: moons", "", "nobody's"),
    ("password: 1984", "", "a year"),
    ("password: 48291", "password", "digits"),
    ("see https://jane:secr@c.example.com/ now", "password", "before the host"),
    ("see https://jane:8080@c.example.com/ now", "", "a port"),
    ("see https://:sec@c.example.com/ now", "", "three letters of nobody"),
    ("authorization: Basic amFuZTpzZWNyZXQx", "password", "a user and a password"),
    ("authorization: Basic amFuZWlzc2VjcmV0", "", "no user"),
    ("api_key=a8Kd92mQz71Lp0X", "api_key", "fifteen characters"),
    ("api_key=a8Kd92mQz71Lp0", "", "fourteen"),
    ("api_key=aaaaaaaaaaaaaaa1b2", "", "one letter again and again"),
    ("api_key=abcdefghkdlwoeirut", "", "a word"),
    ("api_key=a8K/92m/z71/p0X/", "", "a path"),
    ("api_key=0x8d3f9a71c2e4b5068d3f9a71c2e4b5068d3f9a71", "", "a contract's address"),
    ("api_key=your8Kd92mQz71Lp0X", "", "a placeholder"),
    ("Jane Doe, born 21 September 1984, patient", "birth_date", "a patient"),
    ("Jane Doe, born 21 September 1909, patient", "", "nobody alive"),
    ("Jane Doe, born 21 September 1910, patient", "birth_date", "perhaps alive"),
    ("Jane Doe born 21.09.1929", "", "history"),
    ("Jane Doe born 21.09.1930", "birth_date", "no history"),
    ("Jane Doe born 21.09.29", "birth_date", "of this century"),
    ("Jane Doe born 21.09.30", "birth_date", "of the last"),
    ("Jane Doe born 21.09.2031", "", "not born yet"),
    ("Jane Doe 21.09.1984", "birth_date", "a name and a date, nothing else"),
    ("Jane Doe 21 September 2008", "birth_date", "before news count"),
    ("Jane Doe 21 September 2009", "", "news"),
    ("Jane Doe 840921", "birth_date", "six digits that are a date"),
    ("Jane Doe 841321", "", "no month"),
    ("Jane Doe 840932", "", "no day"),
    ("Jane Doe 19840921", "birth_date", "eight digits"),
    ("Jane Doe 21 09 84", "", "a list of numbers"),
    ("my ssn 219-44-7710", "government_id", "called so"),
    ("219-44-7710", "government_id", "a strong shape"),
    ("my ssn 222-22-2222", "", "one digit"),
    ("part 219-44-77101", "", "a digit more"),
    ("one two three owls", "", "three digits in words"),
    ("license plate KLM 4829 owner", "plate", "called so"),
    ("license plate 4829 owner", "", "no letters"),
    ("license plate 100 the owner", "", "a word"),
    ("passport C4VL8RJ3T", "passport", "called so"),
    ("passport 111111111", "", "one digit"),
    ("passport 12/2004", "", "a law"),
    ("passport 2004-12-01", "", "a date"),
    ("kontonummer 1837 204 981", "bank_account", "called so"),
    ("kontonummer 800-555-1234", "", "a number to call"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "why"), TEXTS, ids=[f"{kind or 'none'}-{why}" for _, kind, why in TEXTS])
def test_what_is_somebodys_and_what_is_not(text: str, kind: str, why: str) -> None:
    assert kinds(text) == ([kind] if kind else []), why


ADDRESSES: list[tuple[str, str, str]] = [
    ("https://c.example.com/pay?card=4929728155304419", "payment_card", "with its name"),
    ("https://c.example.com/4929728155304419/x", "payment_card", "a whole segment"),
    ("https://c.example.com/x4929728155304419/x", "", "a part of one"),
    ("https://c.example.com/a-4929728155304419/x", "", "after a hyphen"),
    ("https://c.example.com/?phone=6176825990", "phone", "with its name"),
    ("https://c.example.com/?item=6176825990", "", "with another"),
    ("https://c.example.com/617-682-5990", "phone", "grouped, a whole segment"),
    ("https://c.example.com/x-617-682-5990", "", "a part of one"),
    ("https://c.example.com/?a=492972&b=815530&c=4419", "payment_card", "cut in three"),
    ("https://c.example.com/?a=49297281&b=55304419", "", "cut in two, which is no row"),
    ("https://219-44-7710.c.example.com/", "government_id", "in a host"),
    ("https://c.example.com/" + VIN, "", "a car's in an address"),
    ("https://c.example.com/ssn/a/219447710", "government_id", "three characters after its name"),
    ("https://c.example.com/ssn/ab/219447710", "", "four"),
    ("https://c.example.com/?phone=015125922220", "phone", "of another country, with its name"),
    ("https://jane:moons@c.example.com/", "password", "before the host"),
    ("https://c.example.com/?api_key=a8Kd92mQz71Lp0X", "api_key", "a secret by its name"),
    ("https://c.example.com/?api_key=a8Kd92mQz71Lp0", "", "too short"),
    ("https://c.example.com/?token=a8Kd92mQz71Lp0X", "", "tokens are in links"),
    ("https://c.example.com/?contactEmail=jane.doe@millworks.org", "email", "called so"),
    ("https://c.example.com/?x=jane.doe@millworks.org", "", "called otherwise"),
    ("https://c.example.com/x?q=my%2520ssn%2520is%2520219-44-7710", "government_id", "escaped twice"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "kind", "why"), ADDRESSES, ids=[why for _, _, why in ADDRESSES])
def test_what_is_somebodys_in_an_address(url: str, kind: str, why: str) -> None:
    assert kinds(url, url=True) == ([kind] if kind else []), why


@pytest.mark.parametrize(
    ("made", "kind", "most"),
    [
        (lambda gap: f"ssn {'x' * gap} 219447710", "government_id", 58),
        (lambda gap: f"219447710 {'x' * gap} ssn", "government_id", 38),
        (lambda gap: f"passport {'x' * gap} C4VL8RJ3T", "passport", 32),
        (lambda gap: f"C4VL8RJ3T {'x' * gap} passport", "passport", 10),
        (lambda gap: f"Jane Doe, patient, born {'x' * gap} 21.09.1984", "birth_date", 38),
    ],
)
def test_how_far_off_a_label_may_be(made: Callable[[int], str], kind: str, most: int) -> None:
    assert last(made, kind) == most


@pytest.mark.parametrize(
    ("words", "name", "may_be"),
    [
        ("jane doe", True, True), ("doe jane", True, True), ("jane", False, False), ("jane van der doe", True, True),
        ("jane a b c", True, False), ("jane qa qb qc qd", False, False), ("a b c jane", False, False), ("a b jane", True, False),
        ("jane d0e", False, False), ("zorblat krells", False, True), ("zorblat", False, False),
        ("zo kr", False, False), ("zo krells", False, False),
        ("van zorblat krells twickle", False, True), ("zorblat krells twickle spolfen", False, True),
        ("zorblat krells twickle spolfen drilben", False, False), ("zorblat house", False, False),
    ],
)  # fmt: skip
def test_what_may_be_a_name(words: str, name: bool, may_be: bool) -> None:
    assert (is_name(words.split()), may_be_name(words.split())) == (name, may_be)


def test_some_names_are_everybodys() -> None:
    assert is_public("Albert Einstein")
    assert is_public("Prof Albert Einstein")
    assert not is_public("Albert Doe")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("hotels near Rome for jane.doe@gmail.com please", "hotels near Rome for please"),
        ("jane.doe@gmail.com hotels near Rome", "hotels near Rome"),
        ("hotels near Rome jane.doe@gmail.com", "hotels near Rome"),
        ("hotels jane.doe@gmail.com \n near Rome", "hotels \nnear Rome"),
        ("a jane.doe@gmail.com john.doe@gmail.com Rome", "a Rome"),
        ("the jane.doe@gmail.com 12", None),
        ("email jane.doe@gmail.com", None),
    ],
)
def test_what_is_left_when_values_are_taken_out(text: str, left: str | None) -> None:
    result = masked(text, find)
    assert (result[0] if result else None) == left
    if result:
        assert [text[span.start : span.end].count("@") for span in result[1]] == [1] * text.count("@")


def test_a_text_in_which_there_is_no_end_of_it_is_not_masked() -> None:
    def one_more(text: str, most: int = 9) -> list[object]:
        return list(find("jane.doe@gmail.com"))[: most if "x" * 19 in text else 0]

    assert masked("Rome " + "x" * 200, one_more) is None  # type: ignore[arg-type]


def test_what_costs_too_much_to_read_is_not_read() -> None:
    dice = random.Random(2)
    with pytest.raises(TooMuchError):
        find(" ".join(str(dice.randrange(10**9)) for _ in range(400)))
    assert find(" ".join(["owl barn moon 12"] * 20)) == ()


def test_a_number_that_was_cut_over_parameters_is_from_the_first_to_the_last() -> None:
    url = "https://c.example.com/?a=492972&b=815530&c=4419"
    [span] = find(url, url=True)
    assert url[span.start : span.end] == "492972&b=815530&c=4419"
