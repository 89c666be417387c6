"""What the browser computes as not shown stays apart as hidden; what a person sees, or can open, is read."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core import Page
from websearch_core.testing.fakes import context
from websearch_web.html.extractor import HtmlExtractor

pytestmark = pytest.mark.real
PROSE = "<p>An owl is a bird of prey that hunts at night, and hardly anybody ever hears one coming near. </p>" * 4
UNSEEN = {
    "display": "display:none",
    "display by a variable": "--x:none; display:var(--x)",
    "display in disguise": r"display:/**/n\6f ne",
    "visibility": "visibility:hidden",
    "opacity": "opacity:0.01",
    "filter": "filter:opacity(0)",
    "content-visibility": "content-visibility:hidden",
    "no height": "height:0; overflow:clip",
    "no greatest height": "max-height:0; overflow-y:hidden",
    "no width": "width:0; overflow:hidden",
    "clip": "position:absolute; clip:rect(1px, 1px, 1px, 1px)",
    "clip-path": "clip-path:inset(50%)",
    "scale": "scale:0",
    "transform": "transform:scale(0)",
    "far left": "position:absolute; left:calc(-9000px - 999px)",
    "relative": "position:relative; left:-9999px",
    "far above": "position:fixed; bottom:9999px; top:-9999px",
    "translate": "translate:-9999px",
    "margin": "margin-left:-9999px",
    "indent": "text-indent:-9999px; white-space:nowrap",
    "transparent": "color:hsla(0, 0%, 0%, 0)",
    "fill": "-webkit-text-fill-color:#0000",
    "tiny": "font-size:1px",
    "white on white": "color:#fdfdfd",
    "black on black": "background:oklch(0 0 0); background:#000; color:rgb(0 0 0)",
    "letters on top of each other": "letter-spacing:-1em",
    "blurred": "filter:blur(20px)",
    "far right": "position:absolute; inset-inline-start:9000px",
    "beyond the screen for good": "position:fixed; left:calc(100vw + 50em)",
    "turned on edge": "transform:rotateY(90deg)",
    "a column": "display:table-column",
}
SEEN = {
    "gradient": "color:transparent; background:linear-gradient(red, blue); background-clip:text",
    "shadow": "color:transparent; text-shadow:0 0 2px black",
    "padding instead of height": "height:0; padding-bottom:50px; overflow:hidden",
    "turned": "transform:rotate(3deg)",
    "half": "opacity:0.4",
    "white on a picture": "color:white; background:#fff linear-gradient(black, black)",
    "white on black": "color:white; background:black",
    "menu beside the page": "position:absolute; left:0; width:300px; transform:translateX(-100%)",
    "waits for its turn": "margin-top:2000px; opacity:0; transition:opacity 1s",
}

SHADOW = (
    "<div>{}</div><script>document.currentScript.previousSibling"
    ".attachShadow({{mode: 'open'}}).innerHTML = '{}'</script>"
)
HIDDEN_PARTS = {
    "a closed dialog": "<dialog><p>@</p></dialog>",
    "a popover": "<div popover><p>@</p></div>",
    "in a shadow tree": SHADOW.format("", "<style>p { display: none }</style><p>@</p>"),
    "under a hidden slot": SHADOW.format("<p>@</p>", "<style>slot { display: none }</style><slot></slot>"),
    "around a hidden slot": SHADOW.format("@", "<style>b { visibility: hidden }</style><b><slot></slot></b>"),
    "around what is shown": "<div class=v>@<p style='visibility:visible'>Stays.</p></div>",
    "in a form of odd fields": "<form class=n>@<input name=style><input name=childNodes></form>",
    "in the text of an element": "<p>Stays. <span class=c>@ <b style='color:black'>Stays.</b></span></p>",
    "an opacity that waits for nothing": "<div style='margin-top:2000px'></div><p class=o>@</p>",
}
SHOWN_PARTS = {
    "closed details": "<details><summary>More</summary><div style='overflow:hidden'><p>@</p></div></details>",
    "a tab's panel": "<button role=tab aria-controls=p1>One</button><div role=tabpanel id=p1 class=n>@</div>",
    "an answer": "<div class=faq><button aria-expanded=false>What is an owl?</button><div class=z><p>@</p></div></div>",
    "what slides in": "<p class=o style='transform:translateY(40px)'>@</p>",
    "a slide of a row": "<div class=w><div class=row><p>one</p><p>two</p><p>@</p></div></div>",
    "a log scrolled down": "<div class=log><p>@</p><p style='height:5000px'>x</p></div>",
    "a formula": "<p>Let <span class=clipped><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>@"
    "</annotation></semantics></math></span> be.</p>",
    "shown in what is hidden": "<div class=v><p style='visibility:visible'>@</p></div>",
    "shown again where the browser can": "<p class=again>@</p>",
    "shown against its attribute": "<p hidden class=again>@</p>",
    "letters of a size of their own": "<div style='font-size:0'><p class=own>@</p></div>",
    "white over another element's picture": "<div style='position:relative'><p class=under>x</p>"
    "<p class=over style='color:white'>@</p></div>",
}
RULES = """
main .v:dir(ltr) { visibility: hidden } main .n:dir(ltr) { display: none } main .c:dir(ltr) { color: transparent }
main .o:dir(ltr) { opacity: 0 } main .z:dir(ltr) { height: 0; overflow: hidden }
main .clipped:dir(ltr) { position: absolute; clip: rect(1px, 1px, 1px, 1px); height: 1px; width: 1px; overflow: hidden }
main .w:dir(ltr) { width: 400px; overflow: hidden }
main .row:dir(ltr) { display: flex; transform: translateX(-800px) } main .row p:dir(ltr) { flex: 0 0 400px; margin: 0 }
.again { display: none } @supports (display: grid) { .again { display: block } } .own:dir(ltr) { font-size: 16px }
.under { position: absolute; inset: 0; margin: 0; background: navy } .over { position: relative }
main .log:dir(ltr) { height: 100px; overflow: auto }
"""
SCRIPT = "<script>for (const log of document.querySelectorAll('.log')) log.scrollTop = 9999</script>"


def word(number: int, sort: str) -> str:
    return f"{sort}{chr(97 + number // 26)}{chr(97 + number % 26)}word"


def styled(styles: dict[str, str], sort: str) -> tuple[str, str]:
    """A part for each style, with a word of its own, and the rules."""
    parts = [f"<p>Stays.</p><p class={word(n, sort)}>{word(n, sort)}<b> too</b></p>" for n in range(len(styles))]
    rules = [f"main .{word(n, sort)}:dir(ltr) {{ {style} }}" for n, style in enumerate(styles.values())]
    return "".join(parts), "\n".join(rules)


async def read(rig: Any, body: str, head: str = "") -> Page:
    """What the installed reader makes of a rendered page."""
    download = await rig.rendered(f"<!DOCTYPE html><title>Owls</title><style>{head}</style><main>{PROSE}{body}</main>")
    return await HtmlExtractor(context("web").workers).extract(download)


async def test_what_a_style_keeps_from_being_shown_is_hidden(rig: Any) -> None:
    page = await read(rig, *styled(UNSEEN, "not"))
    words = {name: word(n, "not") for n, name in enumerate(UNSEEN)}
    assert [name for name in UNSEEN if words[name] in page.body] == []
    assert [name for name in UNSEEN if words[name] not in page.hidden] == []
    assert "too" not in page.body
    assert page.body.count("Stays.") == len(UNSEEN)


async def test_what_is_shown_in_an_odd_style_is_read(rig: Any) -> None:
    page = await read(rig, *styled(SEEN, "yes"))
    assert [name for n, name in enumerate(SEEN) if f"{word(n, 'yes')} **too**" not in page.body] == []


async def test_parts_that_are_not_shown_are_hidden(rig: Any) -> None:
    parts = [part.replace("@", word(n, "not")) for n, part in enumerate(HIDDEN_PARTS.values())]
    page = await read(rig, "".join(parts), RULES)
    words = {name: word(n, "not") for n, name in enumerate(HIDDEN_PARTS)}
    assert [name for name in HIDDEN_PARTS if words[name] in page.body] == []
    assert [name for name in HIDDEN_PARTS if words[name] not in page.hidden] == []
    assert page.body.count("Stays.") == "".join(parts).count("Stays.")


async def test_parts_that_are_shown_or_that_a_person_can_open_are_read(rig: Any) -> None:
    parts = [part.replace("@", word(n, "yes")) for n, part in enumerate(SHOWN_PARTS.values())]
    page = await read(rig, "".join(parts) + SCRIPT, RULES)
    assert [name for n, name in enumerate(SHOWN_PARTS) if word(n, "yes") not in page.body] == []


async def test_a_page_that_shows_nothing_yet_is_read_as_it_stands(rig: Any) -> None:
    page = await read(rig, "<p>Last.</p>", "body { opacity: 0 } main { visibility: hidden }")
    assert "Last." in page.body
