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
    "Elle est née le 14 avril 1980 à Marseille de Pierre Blanc et de Julie Martin.",
    "Juan Pablo Vega nació el 19 de agosto de 1968 en Bogotá y estudió derecho en la Universidad Nacional.",
    "Анна Кузнецова родилась 17 июня 1979 года в Саратове, окончила театральное училище.",
    "陈志明\uff0c1949年10月1日生于广州\uff0c是一位画家\u3002",
    "Petra Hoffmann wurde am 17. August 1963 in Dresden geboren und zog nach Leipzig.",
    "We all have too many passwords to manage - and it is easy to take short-cuts.",
    "Professori Kivelä sai palkinnon osoittaneesta asiantuntemuksestaan.",
    "The ball of the Expanse Living is 65cm which means it will also work as a chair.",
    'Email: "Julie"<julie...@bellsouth.net> Like you said, the kids egg him on.',
)
GOOGLE_KEY = f"AIza{'SyD7ylEGXi0QoGQGlBKjLc8TTYwbMK9Wq2k'}"
MAPBOX_TOKEN = f"pk.{'eyJ1IjoiZXhhbXBsZXVzZXIiLCJhIjoiY2p4MmJxOGVkMGFqdTQ5bzR1ZTlkbjBtYiJ9'}.Zk9pQm3xY7tLw2RcVbNhJA"
AWS_KEY_NAME = f"AKIA{'J4Q7LM2XWE5RT6YU'}"
PICTURE_TICKET = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJpc3MiOiJnaXRodWIuY29tIiwia2V5Ijoia2V5NSIsImV4cCI6MTY5MDAwMDAwMCwicGF0aCI6Ii8xLzItMy5wbmcifQ."
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
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
    f"https://maps.googleapis.com/maps/api/js?key={GOOGLE_KEY}&callback=start",
    f"https://www.google.com/maps/embed/v1/place?key={GOOGLE_KEY}&q=Old+Mill",
    f"https://api.mapbox.com/styles/v1/mapbox/streets/static/1,2,9/300x200?access_token={MAPBOX_TOKEN}",
    f"https://private-user-images.githubusercontent.com/1/2-3.png?jwt={PICTURE_TICKET}",
    f"https://files.s3.amazonaws.com/report.pdf?AWSAccessKeyId={AWS_KEY_NAME}&Expires=1690200880&Signature=kq8Wm2Xb%3D",
    (
        "https://www.google.com/maps/place/4417+Larkmeadow+Dr,+Houston,+TX+77007/@29.7694908,-95.4410249,15z/"
        "data=!4m5!3m4!1s0x8640c12c7d5f39cb:0x1f21e13247481674!8m2!3d29.7669591!4d-95.4416831"
    ),
    f"https://shop.example/bundle/{','.join(f'modules/part{n}.061fed92{n}1e0c0' for n in range(60))}",
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
    "link",
    [
        f"https://elsewhere.example/maps/api/js?key={GOOGLE_KEY}",
        f"https://generativelanguage.googleapis.com/v1/models?key={GOOGLE_KEY}",
        f"https://elsewhere.example/?access_token={MAPBOX_TOKEN}",
        f"https://elsewhere.example/?jwt={PICTURE_TICKET}",
        f"https://elsewhere.example/?AWSAccessKeyId={AWS_KEY_NAME}&Signature=kq8Wm2Xb%3D",
        f"https://www.google.com/search?q={AWS_KEY_NAME}",
    ],
)
def test_a_key_in_the_address_of_anybody_else_is_found(link: str) -> None:
    assert "api_key" in {span.kind for span in find(link, url=True)}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bank_account", "kontonummer 1837 204 981"),
        ("birth_date", "Jane Doe, born 21 September 1984, patient"),
        ("birth_date", "My daughter Jane Doe was born on 21 September 2014 and lost her card."),
        ("birth_date", "Jane Doe, date of birth 21 September 1984, has lost the card that we sent her."),
        ("birth_date", "Jane Doe was born on 21.09.1984 and has lost the card that we sent out."),
        ("birth_date", "who is Jane Doe, born 21 September 1984 in Leeds, and where does she work"),
        ("address", "Jane Doe lives at 28 Prosser Avenue with her mother and two cats, as everybody in town knows"),
        ("plate", "license plate KLM 4829 owner"),
        ("password", "my password is sunflower"),
        ("iban", "IBAN DE75512108001245126199"),
    ],
)
def test_what_is_somebodys_is_found_all_the_same(kind: str, text: str) -> None:
    assert kind in {span.kind for span in find(text)}
