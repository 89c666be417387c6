"""What a person would not see is kept apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_web.html.hidden.hidden_text import WRAPPED_NOTE, is_unseen
from websearch_web.html.page_reader import HtmlContent, read_html

SEEN = "<p>" + "This is a paragraph that everybody who opens the page can read at once. " * 5 + "</p>"


def read(html: str) -> HtmlContent:
    """A page that holds this besides a paragraph that is seen."""
    return read_html(f"<html><body><main>{SEEN}{html}</main></body></html>".encode(), "https://site.example/", "utf-8")


HIDING = {
    "display none": '<div style="display:none">SECRET</div>',
    "display none, shouted": '<div STYLE="DISPLAY : NONE !important">SECRET</div>',
    "visibility": '<div style="visibility: hidden">SECRET</div>',
    "hidden attribute": "<p hidden>SECRET</p>",
    "aria-hidden": '<p aria-hidden="true">SECRET</p>',
    "template": "<template><p>SECRET</p></template>",
    "noscript": "<noscript><p>SECRET</p></noscript>",
    "comment": "<!-- SECRET -->",
    "opacity": '<p style="opacity:0">SECRET</p>',
    "opacity in per cent": '<p style="opacity: 0%">SECRET</p>',
    "font size": '<p style="font-size:0px">SECRET</p>',
    "font size of a pixel": '<p style="font-size:1px">SECRET</p>',
    "off the left edge": '<p style="position:absolute; left:-9999px">SECRET</p>',
    "indented away": '<p style="text-indent:-9999px">SECRET</p>',
    "clipped": '<p style="position:absolute;clip:rect(0,0,0,0)">SECRET</p>',
    "clipped by a path": '<p style="clip-path: inset(50%)">SECRET</p>',
    "no height": '<div style="height:0;overflow:hidden">SECRET</div>',
    "transparent": '<p style="color:transparent">SECRET</p>',
    "colour of its ground": '<p style="color:#fff;background-color:#fff">SECRET</p>',
    "white on white": '<p style="color:#fefefe">SECRET</p>',
    "colour of a parent's ground": '<div style="background:#000"><p style="color:rgb(0, 0, 0)">SECRET</p></div>',
    "colour of the ground, by rules": (
        "<style>.g{background:#123456}.t{color:#123456}</style><div class=g><p class=t>SECRET</p></div>"
    ),
    "colour of a table's ground": (
        '<table><tr><td bgcolor="#ffffff"><font style="color:white">SECRET</font><td>x</table>'
    ),
    "shrunk": '<p style="transform:scale(0)">SECRET</p>',
    "for screen readers": '<span class="sr-only">SECRET</span>',
    "closed dialog": "<dialog>SECRET</dialog>",
    "a class in the page's style": "<style>p{color:red} .x, .y { font-size: 0 }</style><p class='x'>SECRET</p>",
    "an id in the page's style": "<style>/* .a{} */ #x{display:none}</style><p id='x'>SECRET</p>",
    "a rule about what is inside": (
        "<style>div.y > span.x { visibility:hidden }</style><div class=y><span class=x>SECRET</span></div>"
    ),
    "a rule for screens": "<style>@media screen { .x { opacity: 0 } }</style><p class='x'>SECRET</p>",
    "off-screen by a rule": "<style>.x { position:absolute; left:-5000px }</style><p class='x'>SECRET</p>",
    "clipped by a rule": "<style>.x { position:absolute; clip: rect(1px,1px,1px,1px) }</style><p class=x>SECRET</p>",
    "white by an old attribute": '<table bgcolor=ffffff><tr><td><font color="#FFFFFF">SECRET</font></table>',
    "white on a ground by a rule": "<style>body{background:#fff}</style><font color=white>SECRET</font>",
    "a colour handed down to a ground like it": (
        '<div style="color:#fff;background:#000">Seen.<p style="background:#fff">SECRET</p></div>'
    ),
    "hidden in two ways, of which one is undone": (
        '<div style="font-size:0"><div style="color:transparent"><b style="color:red">SECRET</b></div></div>'
    ),
    "a size of nothing": "<style>.g{font-size:0}.c{font-size:2em}</style><div class=g><p class=c>SECRET</p></div>",
    "a link by its state": "<style>a:any-link{display:none}</style><a href=/x>SECRET</a>",
    "a language": "<style>:lang(xx){display:none}</style><p lang=xx>SECRET</p>",
    "a direction": "<style>:dir(rtl){display:none}</style><p dir=rtl>SECRET</p>",
    "whatever is not empty": "<style>b.q:not(:empty){display:none}</style><b class=q>SECRET</b>",
    "a phantom of a formula": "<math><mphantom><mtext>SECRET</mtext></mphantom></math>",
    "said in place of a dot": '<img src="/x.png" width="1" height="1" alt="SECRET">',
    "beside a shadow tree without a slot": "<div>SECRET<template shadowrootmode=open><p>Seen.</p></template></div>",
    "nested": '<div hidden><div style="display:none">SECRET</div></div>',
    "tag characters": "<p>" + "".join(chr(0xE0000 + ord(c)) for c in "SECRET") + "</p>",
    "inline: a clear colour, by function": "<p style='color:rgba(0,0,0,0)'>SECRET</p>",
    "inline: by hue": "<p style='color:hsla(0,0%,0%,0)'>SECRET</p>",
    "inline: by slash": "<p style='color:rgb(0 0 0 / 0)'>SECRET</p>",
    "inline: in four digits": "<p style='color:#0000'>SECRET</p>",
    "inline: in eight digits": "<p style='color:#ffffff00'>SECRET</p>",
    "inline: of the fill": "<p style='-webkit-text-fill-color:transparent'>SECRET</p>",
    "inline: a comment within": "<p style='display:/**/none'>SECRET</p>",
    "inline: an escape within": "<p style='display:\\6eone'>SECRET</p>",
    "inline: a variable": "<p style='--x:none;display:var(--x)'>SECRET</p>",
    "inline: a variable's fallback": "<p style='display:var(--y, none)'>SECRET</p>",
    "inline: an important declaration that comes first": "<p style='display:none!important;display:block'>SECRET</p>",
    "inline: a filter": "<p style='filter:opacity(0)'>SECRET</p>",
    "inline: scaled by a property": "<p style='scale:0'>SECRET</p>",
    "inline: calculated": "<p style='position:absolute;left:calc(-9999px)'>SECRET</p>",
    "inline: below the bottom": "<p style='position:absolute;bottom:-9999px'>SECRET</p>",
    "inline: moved relatively": "<p style='position:relative;left:-9999px'>SECRET</p>",
    "inline: translated by a property": "<p style='translate:-9999px'>SECRET</p>",
    "inline: by inset": "<p style='position:absolute;inset:0 auto auto -9999px'>SECRET</p>",
    "inline: clipped overflow": "<p style='height:0;overflow:clip'>SECRET</p>",
    "inline: overflow one way": "<p style='max-height:0;overflow-y:hidden'>SECRET</p>",
    "inline: no line height": "<p style='line-height:0;overflow:hidden'>SECRET</p>",
    "a popover": "<div popover>SECRET</div>",
    "a class far down a list of rules": (
        f"<style>{''.join(f'.a{n}{{display:none}}' for n in range(20))}</style><p class='b a19'>SECRET</p>"
    ),
    "in a shadow tree": "<x-y><template shadowrootmode=open><p hidden>SECRET</p></template></x-y>",
} | {
    f"a rule: {way}": f"<style>{rule}</style><div class=y><h2></h2><p class=secret>SECRET</p></div>"
    for way, rule in {
        "any attribute selector": "[class*=se]{display:none}",
        "nested rules": "div{ color:red; .secret{display:none} }",
        "nesting with &": "div{ &>.secret{display:none} }",
        "everything inside": ".y *{display:none}",
        "is": ":is(.secret){display:none}",
        "where": ":where(.secret,.b){display:none}",
        "not": "p.secret:not(.x){display:none}",
        "has": ".y:has(p){display:none}",
        "a neighbour": "h2+p{display:none}",
        "an escaped property": ".secret{d\\69splay:none}",
        "an escaped class": ".\\73 ecret{display:none}",
        "a variable of the sheet": ":root{--h:none}.secret{display:var(--h)}",
        "any width": "@media (min-width:1px){.secret{display:none}}",
        "a range": "@media screen and (width>=600px){.secret{display:none}}",
        "nested at-rules": "@supports(display:grid){@layer a{@media all{.secret{display:none}}}}",
        "scope": "@scope (.y){p{display:none}}",
        "after a bracket in a string": ".b::before{content:'{'} .secret{display:none}",
        "a clear colour": ".secret{color:#0000}",
        "a comment in a string": 'b{content:"/*"}.secret{display:none}',
        "a comment in an address": "b{background:url(//c/*.png)}.secret{display:none}",
        "a quotation mark in an address": "b{background:url(it's.png)}.secret{display:none}",
        "the marks of a comment around": "<!-- .secret{display:none} -->",
        "an escaped colon": ".a\\:b,.secret{display:none} .sm\\:x{color:red}",
        "a calculation": ".secret{opacity:calc(0)}",
        "a scope in brackets": "@scope (.y:is(.y,.z)){p{display:none}}",
        "a weaker rule that shows": ".y .secret{display:none} .secret{display:block}",
        "an earlier rule that shows": ".secret{display:block} .secret{display:none}",
        "an important rule": ".secret{display:none!important} p.secret.secret{display:block}",
        "a list that weighs no more than its heaviest": (
            ".secret.secret.secret{display:none} .secret:is(p, .secret:where(#x), .a){display:block}"
        ),
        "a layer after the one that shows": (
            "@layer a, b; @layer b{.secret{display:none}} @layer a{p.secret{display:block}}"
        ),
        "a value that no browser knows": ".secret{display:none} .secret{display:blocky}",
        "a rule with a state that no browser knows": ".secret{display:none} .secret, p:nonsense{display:block}",
        "a rule that may not be supported": (
            ".secret{display:none} @supports (nothing:known){.secret{display:block!important}}"
        ),
        "a screen of an unknown kind": (
            ".secret{display:none} @media not (nothing:known){.secret{display:block!important}}"
        ),
        "a rule for visitors without scripts": (
            ".secret{opacity:0}</style><noscript><style>.secret{opacity:1}</style></noscript><style>"
        ),
        "a way that another property does not undo": (".secret{display:none;visibility:hidden} .secret{display:block}"),
        "fading over the page": ".secret{position:absolute;opacity:0;transform:translateY(9px);transition:all 1s}",
    }.items()
}


HIDING |= {
    f"far down a list of rules: {selector}": (
        f"<style>{''.join(f'.a{n},#b{n}{{display:none}}' for n in range(20))}{selector}{{display:none}}</style>"
        "<div class=y><h2></h2><p class='secret sm:x' title='].no'>SECRET</p></div>"
    )
    for selector in (
        *(r".\73 ecret", r".sm\:x", "[title='].no']", '[title="].no"]', ".SECRET:not(.no)", ".y:not(:is(.no)) p"),
        *("h2 ~ p", ".y>*", ".y .secret", ":is(.no, .secret)", "p:not([title='(']).secret", ".y:has(.secret) p"),
    )
}


HIDING |= {
    "as little opacity as no eye sees": "<p style='opacity:.05'>SECRET</p>",
    "layers of little opacity": (
        "<div style='opacity:.2'><div style='opacity:.2'><p style='opacity:.2'>SECRET</p></div></div>"
    ),
    "layers of little opacity, by rules": (
        "<style>.o{opacity:.2}.a .o{opacity:.9}</style><div class=o><div class=o><p class=o>SECRET</p></div></div>"
    ),
    "an animation that ends faint": (
        "<style>@keyframes f{from{opacity:1}to{opacity:0}}.x{animation:f 1s forwards}</style><p class=x>SECRET</p>"
    ),
    "an animation that ends a little less faint": (
        "<style>.x{opacity:0;animation:f 1s both}@keyframes f{0%{opacity:0}100%{opacity:.05}}</style>"
        "<p class=x>SECRET</p>"
    ),
    "an animation of its own style that ends out of sight": (
        "<style>@-webkit-keyframes f{100%{transform:scale(0)}}</style><p style='animation:f 1s forwards'>SECRET</p>"
    ),
    "moved far away, and a transition": (
        "<p style='opacity:0;transform:translate(-9999px);transition:all 1s'>SECRET</p>"
    ),
    "the mark of an animation on what is not there": "<p data-aos=fade style='display:none'>SECRET</p>",
    "a part that says visible and then inherits": (
        "<style>.b{visibility:visible}.b{visibility:inherit}</style>"
        "<div style='visibility:hidden'>x<p class=b>SECRET</p></div>"
    ),
    "a part whose own style inherits": (
        "<style>.b{visibility:visible}</style>"
        "<div style='visibility:hidden'>x<p class=b style='visibility:inherit'>SECRET</p></div>"
    ),
    "an escaped semicolon before what shows": (
        "<style>.x{display:none;a:b\\3b display:block}</style><p class=x>SECRET</p>"
    ),
    "an escaped colon in what shows": "<style>.x{display:none;display\\3a block}</style><p class=x>SECRET</p>",
    "an escaped mark of importance": (
        "<style>.x.x{display:none}.x{display:block\\21 important}</style><p class=x>SECRET</p>"
    ),
}
LEFT_IN_VIEW = {
    "an animation that ends in view": (
        "<style>@keyframes f{from{opacity:0}to{opacity:1}}.x{opacity:0;animation:f 1s forwards}</style>"
        "<p class=x>SEEN</p>"
    ),
    "an animation after which all is as before": (
        "<style>@keyframes f{from{opacity:1}to{opacity:0}}.x{animation:f 1s}</style><p class=x>SEEN</p>"
    ),
    "two layers of half": "<div style='opacity:.5'><p style='opacity:.5'>SEEN</p></div>",
    "layers that a later rule makes plain": (
        "<style>.o{opacity:.2}.s{opacity:1}</style><div class=o><div class='o s'><p class='o s'>SEEN</p></div></div>"
    ),
    "a part that slides in": "<p style='opacity:0;transform:translate3d(0,40px,0)'>SEEN</p>",
    "an inheriting part that a stronger rule shows": (
        "<style>.b{visibility:inherit}p.b{visibility:visible}</style>"
        "<div style='visibility:hidden'>x<p class=b>SEEN</p></div>"
    ),
}


@pytest.mark.parametrize("way", HIDING)
def test_hidden_text_is_kept_for_filters_only(way: str) -> None:
    reading = read(HIDING[way])
    assert "SECRET" not in reading.body
    assert reading.hidden.count("SECRET") == 1


SHOWN = {
    "details": "<details><summary>More</summary>SHOWN</details>",
    "found by the browser's search": '<p hidden="until-found">SHOWN</p>',
    "a panel with its button": '<button aria-controls="p1">Answer</button><div id="p1" aria-hidden="true">SHOWN</div>',
    "a tab panel": '<div role="tablist"><a role="tab">A</a></div><div role="tabpanel" hidden>SHOWN</div>',
    "streamed by React": '<template id="B:0"></template></main><div hidden id="S:0"><p>SHOWN</p></div>',
    "partly transparent": '<p style="opacity:0.6">SHOWN</p>',
    "faded in by a script": '<p class="wow" style="visibility:hidden">SHOWN</p>',
    "hidden in print": "<style>@media print { .x { display: none } }</style><p class='x'>SHOWN</p>",
    "hidden in a state": "<style>.x:hover { display: none }</style><p class='x'>SHOWN</p>",
    "white on a ground that another sheet may give": (
        '<link rel="stylesheet" href="/a.css"><div class="hero"><p style="color:#fff">SHOWN</p></div>'
    ),
    "white on black": '<div style="background:black"><p style="color:white">SHOWN</p></div>',
    "white on a picture": '<div style="background:url(a.png)"><p style="color:white">SHOWN</p></div>',
    "a question's answer": (
        '<div class="faq"><div>How?</div><div class="faq-answer" style="display:none">SHOWN</div></div>'
    ),
    "letters filled by the ground": (
        '<p style="color:transparent;background:linear-gradient(red,blue);background-clip:text">SHOWN</p>'
    ),
    "hidden on small screens": "<style>@media (max-width:600px) { .x { display: none } }</style><p class=x>SHOWN</p>",
    "hidden on huge screens": "<style>@media (min-width:9999px) { .x { display: none } }</style><p class=x>SHOWN</p>",
    "hidden not on screens": "<style>@media not screen { .x { display: none } }</style><p class=x>SHOWN</p>",
    "hidden in the dark": (
        "<style>@media (prefers-color-scheme:dark) { .x { display: none } }</style><p class=x>SHOWN</p>"
    ),
    "a sheet for print": "<style media=print>.x { display: none }</style><p class=x>SHOWN</p>",
    "hidden until loaded": "<style>body:not(.loaded) .x { opacity: 0 }</style><p class=x>SHOWN</p>",
    "a state within a negation": "<style>.x:not(:target) { display: none }</style><p class=x>SHOWN</p>",
    "an animation's step": "<style>@keyframes a { from { opacity: 0 } }</style><p class=x>SHOWN</p>",
    "an accordion, by a rule": (
        "<style>.x { display: none }</style><div class=faq><div>How?</div><div class='x answer'>SHOWN</div></div>"
    ),
    "a formula for who listens": "<style>.x{position:absolute;clip:rect(1px,1px,1px,1px)}</style><p>a "
    "<span class=x><math><mi>SHOWN</mi></math></span></p>",
    "a part of a string": "<style>.x{content:'{display:none}'}</style><p class=x>SHOWN</p>",
    "small print": '<p style="font-size:9px">SHOWN</p>',
    "shown again on wide screens": (
        "<style>.hidden{display:none}@media (min-width:768px){.md\\:block{display:block}}</style>"
        "<div class='hidden md:block'>SHOWN</div>"
    ),
    "shown again on wide screens, nested in a layer": (
        "<style>@layer base, utilities;@layer utilities{.hidden{display:none}"
        ".md\\:flex{@media (width >= 48rem){display:flex}}}@layer base{p{display:none}}</style>"
        "<p class='hidden md:flex'>SHOWN</p>"
    ),
    "shown by a rule of more weight that comes first": (
        "<style>#a .x{visibility:visible} .x{visibility:hidden}</style><div id=a><p class=x>SHOWN</p></div>"
    ),
    "shown by its own style": "<style>.x{display:none}</style><p class=x style='display:block'>SHOWN</p>",
    "hidden where scripts do not run": "<noscript><style>.x{display:none}</style></noscript><p class=x>SHOWN</p>",
    "moving into view": (
        "<style>.x{opacity:0;transform:translateY(30px);transition:all .8s}</style><section class=x>SHOWN</section>"
    ),
    "animated into view": "<style>.x{opacity:0;animation:come 1s both}</style><section class=x>SHOWN</section>",
    "a panel of a tab that is a link": (
        "<style>.pane{display:none}</style><ul class=nav-tabs><li><a href='#t' data-toggle=tab>More</a></ul>"
        "<div class=pane id=t>SHOWN</div>"
    ),
    "a panel of a link among tabs": (
        "<div class=tabs><a href='#t'>More</a></div><div id=t style='display:none'>SHOWN</div>"
    ),
    "below a ticked label": (
        "<style>.b{max-height:0;overflow:hidden}</style><input type=checkbox id=c><label for=c>What is it?</label>"
        "<div class=b>SHOWN</div>"
    ),
    "visible in what is not": "<div style='visibility:hidden'>x<p style='visibility:visible'>SHOWN</p></div>",
    "letters of their own size": (
        "<style>.g{font-size:0}.c{font-size:16px}</style><div class=g><p class=c>SHOWN</p></div>"
    ),
    "a colour of its own": "<div style='color:transparent'><p style='color:black'>SHOWN</p></div>",
    "a ground of its own": "<div style='color:#fff'>x<p style='background:#000'>SHOWN</p></div>",
    "important": "<style>.q{display:block!important}</style><p class=q style='display:none'>SHOWN</p>",
    "a size by a rule of more weight": "<style>.q{font-size:0}.q.on{font-size:1rem}</style><p class='q on'>SHOWN</p>",
    "white on a colour and a picture": "<div style='background:#fff url(a.png)'><p style='color:#fff'>SHOWN</p></div>",
    "white on a picture by a rule": (
        "<style>.h{background-color:#fff;background-image:url(/d.jpg);color:#fff}</style><div class=h>SHOWN</div>"
    ),
    "a band as wide as the screen": "<p style='margin:0 -9999px;padding:0 9999px'>SHOWN</p>",
    "the rest, with its button below": (
        "<p>Start <span style='display:none'>SHOWN</span></p><button>Read more</button>"
    ),
    "a shadow tree": "<x-y><template shadowrootmode=open><p>SHOWN</p></template></x-y>",
}


@pytest.mark.parametrize("way", SHOWN)
def test_what_a_reader_can_open_is_content(way: str) -> None:
    assert "SHOWN" in read(SHOWN[way]).body


@given(st.text("a{}()&,;:@\"'\\ -\n", max_size=200))
def test_no_style_sheet_breaks_a_page(css: str) -> None:
    assert "everybody" in read(f"<style>{css}</style>").body


def test_invisible_characters_leave_the_text() -> None:
    reading = read("<p>pass\u200bword \u202eabc\u202c so\u00adft&#8203;ly</p>")
    assert "password abc softly" in reading.body


@pytest.mark.parametrize("text", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "👩\u200d👧", "क\u094d\u200dष"])
def test_joiners_that_shape_writing_stay(text: str) -> None:
    assert text in read(f"<p>{text}</p>").body


def test_hidden_headings_and_links_reach_nothing_that_is_read() -> None:
    reading = read('<div hidden><h1>SECRET</h1><a href="https://evil.example/SECRET">x</a></div>')
    assert "SECRET" not in reading.title + " ".join(reading.links)


def test_a_rule_that_hides_the_main_part_waits_for_a_script() -> None:
    page = f"<html><style>.page{{opacity:0}}</style><body><div class='page'><h1>T</h1>{SEEN}</div></body></html>"
    assert "everybody" in read_html(page.encode(), "https://site.example/", "utf-8").body


@pytest.mark.parametrize(
    "opening",
    [
        "<div style='opacity:0'>",
        "<div style='visibility:hidden'><div style='opacity:0'>",
        "<div aria-hidden=true>",
        "<div hidden>",
        "<style>.reveal{opacity:0}</style><div class=reveal>",
    ],
)
def test_a_wrapper_that_holds_most_of_the_text_is_the_page_and_is_noted(opening: str) -> None:
    page = f"<body><p>We use cookies to make this site better.</p>{opening}{SEEN}<p hidden>SECRET</p>{SEEN}"
    reading = read_html(page.encode(), "https://site.example/", "utf-8")
    assert "everybody" in reading.body
    assert "SECRET" not in reading.body
    assert reading.notes == (WRAPPED_NOTE,)


@pytest.mark.parametrize(
    "opening", ["<section style='opacity:0'>", "<style>.reveal{opacity:0}</style><section class=reveal>"]
)
def test_sections_that_a_script_brings_into_view_one_by_one_are_the_page_and_are_noted(opening: str) -> None:
    parts = "".join(f"{opening}<h2>Part {n}</h2>{SEEN}</section>" for n in range(4))
    page = f"<body><main>{parts}<p hidden>SECRET</p><p style='opacity:0;position:absolute'>SECRET</p></main>"
    reading = read_html(page.encode(), "https://site.example/", "utf-8")
    assert reading.body.count("everybody") == 4 * SEEN.count("everybody")
    assert "SECRET" not in reading.body
    assert reading.notes == (WRAPPED_NOTE,)


@pytest.mark.parametrize("place", ["<main>{}{}</main>", "<main>{0}<section class=reveal>{2}{1}</section></main>"])
def test_what_is_hidden_in_a_way_of_its_own_on_a_page_that_fades_in_stays_hidden(place: str) -> None:
    parts = "".join(f"<section class='reveal late-{n}'><h2>Part {n}</h2>{SEEN}</section>" for n in range(4))
    alone = "<p style='opacity:0'>SECRET, told to nobody at all.</p><p class=x>SECRET</p>"
    page = f"<style>.reveal,.x{{opacity:0}}</style><body>{place.format(parts, alone, SEEN)}"
    reading = read_html(page.encode(), "https://site.example/", "utf-8")
    assert reading.body.count("Part") == 4
    assert "SECRET" not in reading.body
    assert "SECRET" in reading.hidden
    assert reading.notes == (WRAPPED_NOTE,)


def test_parts_hidden_by_opacity_beside_a_visible_page_stay_hidden() -> None:
    page = f"<body><main>{SEEN * 4}{'<p style=opacity:0>SECRET, told to nobody at all.</p>' * 4}</main>"
    reading = read_html(page.encode(), "https://site.example/", "utf-8")
    assert "SECRET" not in reading.body
    assert reading.notes == ()


@pytest.mark.parametrize("opening", ["<div role=dialog hidden>", "<dialog>", "<template>"])
def test_what_opens_over_a_page_is_not_the_page(opening: str) -> None:
    page = f"<body>{SEEN}{opening}{SEEN.replace('everybody', 'nobody')}{SEEN.replace('everybody', 'nobody')}"
    reading = read_html(page.encode(), "https://site.example/", "utf-8")
    assert "nobody" not in reading.body
    assert reading.notes == ()


def test_a_whole_page_cannot_be_hidden_by_its_body() -> None:
    page = f'<html><body style="visibility:hidden">{SEEN}</body></html>'
    assert "everybody" in read_html(page.encode(), "https://site.example/", "utf-8").body


@pytest.mark.parametrize(
    "style", ["", "color:red", "left:-9999px", "display:block", "opacity:1", ";;:;", "font-size:-"]
)
def test_harmless_styles_hide_nothing(style: str) -> None:
    assert not is_unseen(style)


@pytest.mark.parametrize("blanks", ["", " ", " " * 50])
def test_blanks_in_a_colour_or_a_selector_change_nothing(blanks: str) -> None:
    white = f"rgb({blanks}255{blanks},{blanks}255{blanks},{blanks}255{blanks})"
    rule = f"<style>div {blanks}>{blanks}.x {{ display: none }}</style>"
    ruled = f"{rule}<div>Seen and read.<p class=x>SECRET</p></div>"
    for page in (f"<p>Seen and read.</p><p style='color:{white}'>SECRET</p>", ruled):
        reading = read_html(page.encode(), "https://site.example/")
        assert (reading.body, reading.hidden) == ("Seen and read.", "SECRET")


FEW_RULES = "".join(f".none{number}{{display:none}}" for number in range(12))


def test_a_class_of_an_emoji_is_looked_for_among_many_rules() -> None:
    reading = read(f"<style>{FEW_RULES}.a\U0001f389{{display:none}}</style><p class='a\U0001f389'>SECRET</p>")
    assert "SECRET" not in reading.body
    assert "SECRET" in reading.hidden


@pytest.mark.parametrize(
    ("css", "shown"),
    [
        ("@media print{.x{display:none}}", True),
        ("@media print{@media screen{.x{display:none}}}", True),
        ("@media print{.y{color:red}@media screen{.y{color:red}}}.x{display:none}", False),
        ("@keyframes a{from{opacity:0}to{opacity:1}}.x{display:none}", False),
        (".x{display:none}@media (max-width:400px){.x{display:block}}", False),
        (".x{display:none}@media screen{.x{display:block}}", True),
        ("@layer a{@media print{@layer b{.x{display:block}}}}@layer a.b{.x{display:none}}", False),
    ],
)
def test_rules_count_where_all_that_stands_around_them_holds(css: str, *, shown: bool) -> None:
    assert ("SECRET" in read(f"<style>{css}</style><p class=x>SECRET</p>").body) is shown


@pytest.mark.parametrize("way", LEFT_IN_VIEW)
def test_what_a_person_sees_in_the_end_stays(way: str) -> None:
    assert "SEEN" in read(LEFT_IN_VIEW[way]).body
