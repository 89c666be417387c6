import tomllib
from pathlib import Path

import pytest

from websearch_guard.pii.find import find
from websearch_guard.pii.kinds import DEFAULT_ACTIONS, KINDS, SAID
from websearch_guard.pii.text.prepared_text import table

SAMPLES = tomllib.loads((Path(__file__).parent / "samples.toml").read_text("utf-8"))
FOUND = [(kind, marked) for kind, rows in SAMPLES.items() for marked in rows["found"]]
NOT_FOUND = [text for rows in SAMPLES.values() for text in rows["not_found"]]


@pytest.mark.parametrize(("kind", "marked"), FOUND)
def test_a_value_is_found_where_it_stands(kind: str, marked: str) -> None:
    text = marked.replace("\u2039", "").replace("\u203a", "")
    spans = find(text)
    assert [span.kind for span in spans] == [kind]
    assert 0 < spans[0].score <= 1
    if "\u2039" in marked:
        start = marked.index("\u2039")
        assert (spans[0].start, spans[0].end) == (start, marked.index("\u203a") - 1)


@pytest.mark.parametrize(("kind", "marked"), FOUND)
def test_case_and_the_words_around_do_not_hide_a_value(kind: str, marked: str) -> None:
    if kind in {"api_key", "private_key", "password"}:
        pytest.skip("case is part of the value")
    text = marked.replace("\u2039", "").replace("\u203a", "")
    assert find(text.lower()), "in lower case"
    if kind not in {"government_id", "phone"}:
        assert find(f"please, {text} — what now?"), "in a sentence"


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_only_looks_like_it_is_let_be(text: str) -> None:
    assert find(text) == ()


def test_every_class_has_samples_an_action_and_a_name() -> None:
    assert set(SAMPLES) == set(KINDS) == set(DEFAULT_ACTIONS) == set(SAID)


def test_labels_and_keys_are_of_known_classes_and_have_their_own_ids() -> None:
    labels = table("labels")["label"]
    assert {row["kind"] for row in labels} <= set(KINDS)
    for rows in (labels, table("government")["number"], table("keys")["key"]):
        assert len({row["id"] for row in rows}) == len(rows)


def test_phrase_groups_that_rules_name_exist() -> None:
    phrases = table("phrases")
    named = {group for row in table("labels")["label"] for group in (*row.get("unless", ()), *row.get("needs", ()))}
    assert named <= set(phrases)


def test_two_values_are_two_spans_in_order() -> None:
    text = "my ssn 219-44-7710 and card 4532 0151 1283 0366"
    spans = find(text)
    assert [(s.kind, text[s.start : s.end]) for s in spans] == [
        ("government_id", "219-44-7710"),
        ("payment_card", "4532 0151 1283 0366"),
    ]


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://site.example/user/521-44-3712.html", "government_id"),
        ("https://site.example/user/4929728155304419.html", "payment_card"),
        ("https://site.example/user/4929728155304419.tar.gz", "payment_card"),
        ("https://site.example/?4929%207281%205530%204419=1", "payment_card"),
    ],
)
def test_a_file_name_and_the_name_of_a_parameter_are_read(address: str, kind: str) -> None:
    assert [span.kind for span in find(address, url=True)] == [kind]


def test_a_published_sample_does_not_hide_what_stands_beside_it() -> None:
    spans = find("DE89370400440532013000 and DE44500105175407324931")
    assert [(span.kind, span.start) for span in spans] == [("iban", 27)]
