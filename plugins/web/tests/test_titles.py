"""A page's title is its own: not the site's, and without the marks of its heading."""

from __future__ import annotations

import pytest

from websearch_web.html.page_reader import read_html

PROSE = "<p>Rivers find their way to the sea, and on that way they carry what the mountains gave them.</p>" * 3
PAGES = {
    "a permalink at the end": (
        "<title>Weak references — Snake 3 documentation</title>",
        "<h1>Weak references<a class=headerlink href='#w'>¶</a></h1>",
        "Weak references",
    ),
    "a permalink of an icon font": ("<title>Usage - Tool</title>", "<h1>Usage<a href='#u'>\uf0c1</a></h1>", "Usage"),
    "the site's own h1 before the page's": (
        "<title>Querysets | Web 3 documentation | Web</title>",
        "<div id=hd><h1><a href=/>Web 3 documentation</a></h1></div><h1>Querysets</h1>",
        "Querysets",
    ),
    "the site's h1 as the only one": (
        "<title>Buffer | Engine v18 Documentation</title>",
        "<header class=header><h1>Engine v18 documentation</h1></header><h2>Buffer<span><a href='#b'>#</a></span></h2>",
        "Buffer",
    ),
    "a banner and a heading that differs": (
        "<title>Installing Binaries from the Hub - The Language</title>",
        "<div class=menu-bar><h1>The Language</h1></div><h2>Installing with a command</h2>",
        "Installing Binaries from the Hub",
    ),
    "the site before a colon": (
        "<title>Mixer: mixer.h File Reference</title>",
        "<div class=title>mixer.h File Reference</div>",
        "mixer.h File Reference",
    ),
    "the site before a dash": ("<title>Emu -- call</title>", "<div id=content><h1>call</h1></div>", "call"),
    "a heading with labels": (
        "<title>Mixer: mix::Stream Class Reference</title>",
        "<div class=title>mix::Stream Class Reference<span class=label>abstract</span></div>",
        "mix::Stream Class Reference",
    ),
    "no h1, one h2": (
        "<title>Owl Manual: Section 4.17</title>",
        "<h2>4.17 Input and output</h2><h3>Streams</h3>",
        "4.17 Input and output",
    ),
    "a declared title with the site": (
        "<meta property=og:title content='A long way home | Herald'><meta property=og:site_name content=Herald>",
        "<h1>Today</h1>",
        "A long way home",
    ),
    "a colon in the title itself": ("<title>Bees: a short guide</title>", "<h1>What bees do</h1>", "What bees do"),
    "a number sign in a name": ("<title>Learn C# | Site</title>", "<h1>Learn C#</h1>", "Learn C#"),
    "a number sign that links to its heading": ("", "<h1>Learn to code<a href='#c'>#</a></h1>", "Learn to code"),
    "a number sign apart": ("", "<h1>Learn to code #</h1>", "Learn to code"),
    "a heading of two lines": ("", "<h1>Zeile eins<br>Zeile <b>zwei</b></h1>", "Zeile eins Zeile zwei"),
    "a heading with readings": (
        "<title>Easy news|法律ができる</title>",
        "<h1><ruby>法律<rt>ほうりつ</rt></ruby>ができる</h1>",
        "法律ができる",
    ),
    "a site and its page, each in a heading": (
        "<title>Example News: Ministers resign</title>",
        "<h1>Example News</h1><h2>Ministers resign</h2>",
        "Example News: Ministers resign",
    ),
    "a site after a hyphen without blanks": (
        "<title>黄河的春天来了-某某新闻网</title>",
        "<div>黄河的春天来了</div>",
        "黄河的春天来了",
    ),
    "two halves with a hyphen without blanks": ("<title>川の見方-入門</title>", "", "川の見方-入門"),
    "nothing but a title": ("<title>Bees: a short guide</title>", "", "Bees: a short guide"),
    "nothing but a heading": ("", "<h1>On bees</h1>", "On bees"),
    "nothing": ("", "", ""),
}


@pytest.mark.parametrize("case", PAGES)
def test_title_of_a_page_is_its_own(case: str) -> None:
    head, body, title = PAGES[case]
    page = f"<html><head>{head}</head><body>{body}{PROSE}</body></html>"
    assert read_html(page.encode(), "https://site.example/a", "utf-8").title == title
