"""Headings that begin like a label, and are the subject of their section."""

# ruff: noqa: RUF001 - the letters are those of the languages

from __future__ import annotations

import pytest

from websearch_web.html.page_reader import read_html

BEFORE = "".join(f"<p>Paragraph {n} says a good deal about the matter, and takes its time.</p>" for n in range(9))


def _body(heading: str, inner: str) -> str:
    page = f"<body><main><h1>Matter</h1>{BEFORE}<section><h2>{heading}</h2>{inner}</section></main>"
    return read_html(page.encode(), "https://site.example/", "utf-8").body


@pytest.mark.parametrize(
    "heading",
    [
        *("Paylaşılan bellek", "Yorumlayıcı", "Комментарии в коде", "コメントの書き方", "Powiązane choroby"),
        *("Související zákony", "Más de cien años de guerra", "Compartilhar memória", "Partager le gâteau"),
        *("Relaterede sygdomme", "Xem thêm lệnh cat", "Sort by key", "Filter coffee", "Gerelateerde ziekten"),
    ],
)
def test_a_subject_that_begins_like_a_label_stays(heading: str) -> None:
    body = _body(heading, "<p>A short remark.</p>")
    assert heading in body
    assert "A short remark." in body


@pytest.mark.parametrize("heading", ["Reacties", "Delen", "Del", "Комментарии", "Paylaş", "コメント"])
def test_a_word_that_may_be_a_subject_stays_with_its_prose(heading: str) -> None:
    assert "first of two" in _body(heading, "<p>This is the first of two short remarks, no more.</p>" * 2)


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Paylaş",
            "Yorumlar (3)",
            "Комментарии к статье",
            "コメントを書く",
            "Powiązane artykuły",
            "Související články",
        ),
        *("Más de Madrid", "Compartilhe nas redes", "Partager sur", "Relaterede artikler"),
        *(
            "Relaterade artiklar",
            "Relaterte saker",
            "Xem thêm",
            "Sort by price",
            "Filter results",
            "Gerelateerde artikelen",
            "Reacties",
        ),
    ],
)
def test_a_label_with_its_links_goes(heading: str) -> None:
    links = "".join(f"<li><a href='/{n}'>Another page, number {n}</a></li>" for n in range(4))
    assert "Another page" not in _body(heading, f"<ul>{links}</ul>")
