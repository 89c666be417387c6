"""Text of a book that nobody sees, by its colour, its size or its place, however a style says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_documents.epub.chapter import chapter
from websearch_documents.epub.css_colours import Paint, paint


def read(body: str, sheet: str = "") -> tuple[str | None, str]:
    """What is shown of it and what is not."""
    hidden: list[str] = []
    page = f"<html><head><style>{sheet}</style></head><body>{body}</body></html>"
    return chapter(page.encode(), hidden), " ".join(hidden)


@pytest.mark.parametrize(
    "style",
    [
        "color:rgb(255,255,255)",
        "color:rgb(100% 100% 100% / 1)",
        "color:#fffffe",
        "COLOR: SNOW",
        "color:rgba(0,0,0,0)",
        "color:#ffffff00",
        "color:#00000008",
        "color:hsl(120deg 100% 99%)",
        "color:hwb(0 100% 0%)",
        "color:black;-webkit-text-fill-color:transparent",
        "color:#333;background:#343434",
        "color:navy;background:rgb(0 0 128)",
        "color:#fff;color:none-such",
        "color:#fff;background:none-such",
        "col\\6fr:#fff",
        "color:#fff!important;color:#000",
        "background:currentColor",
        "font-size:0.01em",
        "font-size:1%",
        "font-size:.02cm",
        "font-size:1e-3px",
        "font-size:1px;font-size:none-such",
        "font:0/0 a",
        "font:italic 400 1px/2 serif",
        "transform:scale(0)",
        "transform:rotate(3deg) scaleY(0.01)",
        "transform:matrix(0,0,0,0,9,9)",
        "transform:translate(10px,-400px)",
        "scale:0",
        "zoom:1%",
        "opacity:.01",
        "position:absolute;left:-80cm",
        "margin:0 0 0 -9999px",
        "clip:rect(9px 9px 9px 9px)",
        "clip-path:inset(60% 0)",
        "clip-path:polygon(0 0, 0 0, 0 0)",
        "max-height:.05em;overflow-y:clip",
    ],
)
def test_what_nobody_sees_is_apart(style: str) -> None:
    for said in (
        read(f"<p>Seen.</p><p style='{style}'>SECRET</p>"),
        read("<p>Seen.</p><p class=x>SECRET</p>", f".x{{{style}}}"),
    ):
        assert said == ("Seen.", "SECRET")


@pytest.mark.parametrize(
    "style",
    [
        "color:rgb(200,200,200)",
        "color:#000000f0",
        "color:gold",
        "color:hsl(0 0% 50%)",
        "color:white;background:url(a.png)",
        "color:white;background:linear-gradient(#000,#333)",
        "color:white;background-color:rgb(0 0 0 / 80%)",
        "color:white;color:black",
        "color:inherit",
        "color:initial",
        "background:transparent",
        "font-size:80%",
        "font-size:0.7em",
        "font:bold 100 12px/1 a",
        "font:inherit",
        "font-size:1px;font-size:medium",
        "transform:scale(0.9) translate(-50%, -50%)",
        "transform:matrix(1,0,0,1,0,0)",
        "opacity:.6",
        "margin:0 -2em",
        "text-indent:-4em",
        "clip:rect(auto auto auto auto)",
        "clip-path:inset(5%)",
        "clip-path:circle(50%)",
        'content:"display:none;color:#fff"',
    ],
)
def test_what_is_seen_stays(style: str) -> None:
    assert read(f"<p style='{style}'>Seen.</p>") == ("Seen.", "")


@pytest.mark.parametrize(
    ("body", "sheet", "shown"),
    [
        ("<p class=x>SECRET<b>Seen.</b></p>", ".x{color:#fff} b{color:#000}", "**Seen.**"),
        ("<div class=x><p>SECRET</p><p class=y>Seen.</p></div>", ".x{font-size:0}.y{font-size:12px}", "Seen."),
        ("<div class=x><div class=x><p class=x>SECRET</p></div></div>Seen.", ".x{font-size:50%}", "Seen."),
        ("<p class=x>SECRET</p>Seen.", ".x{color:#fff} p{color:#000}", "Seen."),
        ("<p class=x>SECRET</p>Seen.", ".x{color:#fff!important} p.x{color:#000}", "Seen."),
        ("<p class=x style=color:#000>SECRET</p>Seen.", ".x{color:#fff!important}", "Seen."),
        ("<p class=x>SECRET</p>Seen.", ".x{height:0} p{overflow:hidden}", "Seen."),
        ("<p class=x>SECRET</p>Seen.", "a{content:'{'} .x{color:#fff}", "Seen."),
        ("<p class=x>SECRET</p>Seen.", "a{background:url(/*)} .x{color:#fff} b{background:url(*/)}", "Seen."),
        ("<p>SECRET</p>", "body{color:#fff}", ""),
        ("SECRET", "html{display:none}", ""),
    ],
)
def test_the_stronger_rule_wins_and_what_stands_in_it_follows(body: str, sheet: str, shown: str) -> None:
    assert read(body, sheet) == (shown, "SECRET")


_BYTES = st.integers(0, 255)


@given(_BYTES, _BYTES, _BYTES)
def test_one_colour_is_the_same_however_it_is_written(red: int, green: int, blue: int) -> None:
    plain = Paint((red, green, blue))
    assert paint(f"rgb({red},{green},{blue})") == paint(f"rgba({red} {green} {blue}/100%)") == plain
    assert paint(f"#{red:02x}{green:02x}{blue:02x}") == paint(f"#{red:02x}{green:02x}{blue:02x}ff") == plain
    assert plain.is_lost(plain.colour)
    assert not plain.is_lost(None)
