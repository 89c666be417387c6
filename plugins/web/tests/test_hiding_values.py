"""Hidden is hidden, however its value is written; ordinary styles hide nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_web.html.css.values import length, number
from websearch_web.html.hidden.hidden_text import is_unseen
from websearch_web.html.page_reader import HtmlContent, read_html

UNSEEN = """
font-size:1e-9px; font-size:calc(0px*1); font-size:min(0px, 1em); font-size:.1vmin; font-size:clamp(0px, 1px, 2px)
opacity:1e-3; opacity:-5; opacity:max(0,0); opacity:calc(1% - 1%); filter:blur(100px); filter:opacity(.01)
color:#00000001; color:#0000; color:rgba(0,0,0,.01); color:hsla(0 0% 0% / 1%); color:rgb(0 0 0/calc(0))
color:color-mix(in srgb, red 0%, transparent); transform:matrix(0,0,0,0,0,0); transform:rotateY(90deg)
transform:rotate3d(1,0,0,.25turn); transform:translateX(-200vw); transform:scale(1, 0); scale:1 0
position:absolute; left:-1000%| position:fixed; left:10000px| position:absolute; inset-inline-start:-9999px
position:relative; right:calc(-9000px - 1em)| block-size:0; overflow:hidden| width:0; height:0; overflow:auto
contain:strict; overflow:hidden| text-indent:100%; white-space:nowrap; overflow:hidden| letter-spacing:-1em
display:table-column; font:0/0 a; margin-inline-start:-9999px
opacity:0; animation:both| opacity:0; animation:none 1s forwards| opacity:0; animation:come 0s both
"""
SEEN_STYLES = """
font-size:clamp(1rem, 2vw, 3rem)| font:12px/0 a| opacity:calc(1 - .5)| filter:blur(1px)| color:#000000cc
color:rgb(0 0 0)| color:color-mix(in srgb, red 50%, transparent)| transform:matrix(1,0,0,1,0,0)
transform:rotateY(180deg)| scale:-1 1| transform:scaleX(-1)
transform:translateX(-100%)| position:absolute; left:-100%| position:absolute; top:9000px
flex:1; height:0; overflow:auto| contain:strict; height:100%| letter-spacing:-.05em| margin:0 -9999px; padding:0 9999px
margin-bottom:-9999px; padding-bottom:9999px| display:table-cell| left:10000px
opacity:0; animation:come 1s both| opacity:0; animation-name:come; animation-duration:.4s; animation-fill-mode:forwards
"""


def read(style: str, word: str) -> HtmlContent:
    """A page of which a rule styles one paragraph."""
    seen = "Everybody who opens the page can read this at once. " * 5
    page = f"<style>.x{{{style}}}</style><main><p>{seen}</p><p class=x>{word}</p></main>"
    return read_html(page.encode(), "https://site.example/", "utf-8")


def styles(text: str) -> list[str]:
    """Parted by bars and ends of lines; a line without bars, by semicolons."""
    return [
        style.strip()
        for line in text.strip().split("\n")
        for style in (line.split("|") if "|" in line else line.split(";"))
    ]


@pytest.mark.parametrize("style", styles(UNSEEN))
def test_however_a_value_is_written_it_hides(style: str) -> None:
    assert is_unseen(style)
    assert is_unseen(style.upper())
    page = read(style, "SECRET")
    assert ("SECRET" in page.body, "SECRET" in page.hidden) == (False, True)


@pytest.mark.parametrize("style", styles(SEEN_STYLES))
def test_ordinary_styles_hide_nothing(style: str) -> None:
    assert not is_unseen(style)
    assert "SHOWN" in read(style, "SHOWN").body


@given(st.floats(-1000, 1000).map(lambda n: round(n, 3)), st.floats(-1000, 1000).map(lambda n: round(n, 3)))
def test_calculations_are_worked_out(one: float, other: float) -> None:
    assert number(f"calc({one:f} + {other:f})") == pytest.approx(one + other)
    assert number(f"calc({one:f} - ({other:f}) * 2)") == pytest.approx(one - other * 2)
    assert length(f"min({one:f}px, {other:f}px)") == min(one, other)
    assert length(f"clamp({one:f}px, 0px, max({one:f}px, {other:f}px))") == max(one, min(0.0, max(one, other)))


@given(st.text("calcminx(),+-*/ 0123.%pe", max_size=60))
def test_no_value_breaks_the_reading(value: str) -> None:
    for read_as in (number, length):
        assert read_as(value) is None or isinstance(read_as(value), float)
