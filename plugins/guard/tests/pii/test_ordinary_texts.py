"""Sentences of news and encyclopedias, links of shops: they look like somebody's data, and are not."""

from __future__ import annotations

from itertools import product

import pytest

from websearch_guard.pii.find import find

FIGURES = (
    "on 15 August 1914", "August 15, 1914", "1837- 1841", "1914\u20131918", "le 14 juillet 1789", "2 500 000 kronor",
    "från 1 200 till 1 500 kronor", "25 000 \u2013 30 000 euro", "2010. 5. 12", "3조 5000억 원", "2019년 5월 12일",
    "1 234 567 invånare", "mellan 1950 och 1960", "10-12 procent", "12.30-14.45", "2003/2004",
)  # fmt: skip
BESIDE = (
    "call to arms {}", "phone history {}", "bank account history {}", "kontonummer {}", "patient study {}",
    "license plate history {}", "passport office opened {}", "Mr Weber died {}", "tel {}", "who lived at home {}",
)  # fmt: skip
SENTENCES = (
    "Det er knapt tilfeldig at 28 prosent av kvinnene i landet ikke ville bygge et hus.",
    "Al Gore și George Bush au fost la Roma, în martie 2001, a premierului Ariel Sharon.",
    "Der Senator kam am Samstag hinter Phil Gramm auf den zweiten Platz, 23 Prozent erhielt der andere.",
    "Gilbert Poirot, né le 21 septembre 1944 à La Bresse et mort à Chamonix, est un sauteur à ski français.",
    "Catalina Cruz (nacida el 13 de septiembre de 1979 en Cleveland) es una modelo y actriz estadounidense.",
    "공공기관들이 안고 있는 부채가 무려 388조6000억 원에 달한다.",
    "We all have too many passwords to manage - and it is easy to take short-cuts.",
    "Professori Kivelä sai palkinnon osoittaneesta asiantuntemuksestaan.",
    "The ball of the Expanse Living is 65cm which means it will also work as a chair.",
    'Email: "Julie"<julie...@bellsouth.net> Like you said, the kids egg him on.',
)
LINKS = (
    "https://x.example/tag/12-von-12/",
    "https://www.youtube.com/channel/UCbMX6drxyPWM_ZxGH1Hkdww",
    "https://cta-redirect.hubspot.com/cta/redirect/502949/5412892e-7893-4c7e-825b-d4b95f908e17",
    (
        "https://shop.example/listing/1214703903/leather-wallet?click_key=709b988b-444f-40de-bd0b-3bd8bf6b42ac"
        "%3ALTa8ebef9d3f3fd09e670fc882d6f020db05396c7f&click_sum=342a1350&ls=s&ga_order=most_relevant&ga_search_type=all"
        "&ga_view_type=gallery&ga_search_query=handmade+wallet&ref=search_grid-594518-1-1&pro=1&sts=1&content_source="
        "709b988b-444f-40de-bd0b-3bd8bf6b42ac%253ALTa8ebef9d3f3fd09e670fc882d6f020db05396c7f"
    ),
)


@pytest.mark.parametrize(("beside", "figure"), [*product(BESIDE, FIGURES)])
def test_a_year_a_date_or_an_amount_is_nobodys_number(beside: str, figure: str) -> None:
    assert find(beside.format(figure)) == ()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_passes(sentence: str) -> None:
    assert find(sentence) == ()


@pytest.mark.parametrize("link", LINKS)
def test_a_link_passes(link: str) -> None:
    assert find(link, url=True) == ()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bank_account", "kontonummer 1837 204 981"),
        ("birth_date", "Jane Doe, born 21 September 1984, patient"),
        ("address", "Jane Doe lives at 28 Prosser Avenue with her mother and two cats, as everybody in town knows"),
        ("plate", "license plate KLM 4829 owner"),
        ("password", "my password is sunflower"),
        ("iban", "IBAN DE75512108001245126199"),
    ],
)
def test_what_is_somebodys_is_found_all_the_same(kind: str, text: str) -> None:
    assert kind in {span.kind for span in find(text)}
