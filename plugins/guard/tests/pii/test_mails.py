"""Addresses that people read and programs do not."""

import pytest

from websearch_core.testing.cpu_time import within_cpu
from websearch_guard.pii.find import find


@pytest.mark.parametrize(
    "text",
    [
        "john.doe\uff20gmail\u3002com",
        "john.doe@gmail\uff61com",
        "john . doe @ gmail . com",
        "who is john.doe@gmail . com really",
        "j o h n . d o e @ g m a i l . c o m",
        "j\u00f6hn.d\u00f6e@gm\u00e1il.com",
        "john DOT doe AROBASE gmail POINT com",
        "john punto doe arroba gmail punto com",
        "anna kropka nowak ma\u0142pa gmail kropka com",
        "\u0438\u0432\u0430\u043d.petrov \u0441\u043e\u0431\u0430\u043a\u0430 gmail \u0442\u043e\u0447\u043a\u0430 com",
        "john.doe(\u24b6)gmail.com",
        "john.doe(a)gmail.com",
    ],
)
def test_a_disguised_address_is_found(text: str) -> None:
    assert [span.kind for span in find(text)] == ["email"]


@pytest.mark.parametrize("tail", ["page?u=john.doe&d=gmail.com", "page?john.doe=gmail.com", "john.doe/at/gmail.com"])
def test_an_address_in_parts_is_found(tail: str) -> None:
    assert [span.kind for span in find(f"https://site.example/{tail}", url=True)] == ["email"]


@pytest.mark.parametrize(
    "text",
    [
        "que significa arroba gmail punto com",
        "como crear cuenta arroba hotmail.com",
        "log in at outlook.com",
        "meet me @ yahoo. Thanks",
        "info @ example . com",
        "point guard of the punto league arobase meaning",
        "gmail.com vs outlook.com",
        "f ( x ) = a @ b . c",
    ],
)
def test_words_about_addresses_are_none(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize(
    "tail", ["?ref=gmail.com&u=1", "?utm_source=gmail.com&utm_medium=e.mail", "how.to/gmail.com", "mail/outlook.com"]
)
def test_a_providers_name_in_an_address_is_no_persons(tail: str) -> None:
    assert find(f"https://site.example/{tail}", url=True) == ()


@pytest.mark.parametrize(
    "text",
    [
        "\u043b\u043e\u0437\u0438\u043d\u043a\u0430 Sommer2024!",
        "\u0433\u0430\u0441\u043b\u043e Sommer2024!",
        "slapta\u017eodis Sommer2024!",
        "fjal\u00ebkalimi Sommer2024!",
        "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19 Sommer2024!",
        "\u0631\u0645\u0632 \u0639\u0628\u0648\u0631 Sommer2024!",
    ],
)
def test_a_password_is_known_by_the_word_in_many_languages(text: str) -> None:
    assert [span.kind for span in find(text)] == ["password"]


@pytest.mark.parametrize("text", ["a . " * 900 + "@", "a@" * 900, "a b " * 900 + "@ c", "x arroba " * 300])
def test_what_looks_like_many_addresses_takes_no_longer(text: str) -> None:
    from websearch_guard.pii.text.email_spellings import mails, parted

    within_cpu(0.5, lambda: (list(mails(text)), list(parted(text))))
