"""A rule shows what another hides only where every browser would read it, and apply it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from websearch_core import Download
from websearch_web.html.fallback_reader import read_simply
from websearch_web.html.page_reader import read_html

SEEN = "<p>Everybody who opens the page can read this at once, and it is long enough.</p>" * 5
SHOW = "{display:block}"
IN_DOUBT = {
    **{f"display: {word}": f".x{{display:{word}}}" for word in (
        "table-xyz", "table-column", "-ms-flexbox", "-ms-grid", "-moz-box", "-webkit-flexbox", "bl/**/ock", "block -->"
    )},
    "no such size": ".x{font-size:-9px}",
    **{f"selector {name}": f"{name}{SHOW}" for name in (
        ".x,.1y", ".x,.-", ".x,#1", ".x,foo|y", ".x,", ",.x", ".x,,.y", ".x,.y:has(:has(a))", ".x,.y:foo", ".x,..y",
        ".x,.y::before a", ".x,.y:not()", ".x,.y:nth-child(foo)", ".x,[a=]", ".x,[a!=b]", ".x,> .y", ".x,.y > > a",
        ".x,.y:not(.1y)", ".x,:is(.y", ".x,.y)", ".x,.y{}z", ".x:hover", ".o/**/.x", ".o <!-- .x", ";.x", ".q{} } .x",
    )},
    **{f"@media {query}": f"@media {query}{{.x{SHOW}}}" for query in (
        "(min-width:768px", "(min-width:1.2.3px)", "(2000px>width<3000px)", "screen and(min-width:1px)", "not print"
    )},
    "@supports": f"@supports (display:foo){{.x{SHOW}}}",
    "@layer with a number": f"@layer 1a{{#i{SHOW}}}",
    "parenthesis": f".q{{foo:(; }} .x{SHOW} )}}",
    "bracket": f".q{{foo:[; }} .x{SHOW} ]}}",
    "calc": f".q{{width:calc(; }} .x{SHOW} )}}",
    "line within a string": f'.q{{a:"b\n}} .x{SHOW}',
    "address with an escape": f".q{{a:url(b\\)}} .x{SHOW} )}}",
    "custom property": f".q{{--a:{{}} .x{SHOW}}}",
    "variable of another": ".zz{--d:block}.x{display:var(--d)}",
    "variable with an escape": ".zz{--d:block}.x{display:v\\61r(--d)}",
    "variable left out": ".x{display:var(--nope,block)}",
    "sheet of another type": f"</style><style type=text/foo>.x{SHOW}",
    "sheet to choose": f"</style><style title=other>.x{SHOW}",
    "medium of a sheet": f"</style><style media='not print'>.x{SHOW}",
    "shadow root": f"</style><div><template shadowrootmode=open><style>.x{SHOW}</style></template></div><style>",
}  # fmt: skip
CERTAIN = {
    **{f"display: {word}": f".x{{display:{word}}}" for word in ("table-cell", "flex", "-webkit-box", "/**/grid")},
    **{f"selector {name}": f"{name}{SHOW}" for name in (
        ".x,.y", ".o > .x", "div.o>.x", ".o .x:not(.y, .z a)", ".x:not(:first-child):nth-child(2n + 1)", "#i",
        ".x:is(.x, [a='b,(c'])", ".x,.y::before", ".x,.sm\\:y", "*.x:not(:has(> a))", ".x,[type=a i]", "/* a */ .x",
        "<!-- .x",
    )},
    "small screens first": f"@media (min-width:768px){{.md\\:y,.x{SHOW}}}",
    "query": f"@media only screen and (min-width: 48em) and (400px<=width){{.x{SHOW}}}",
    "layer": f"@layer a{{}}@layer a.b{{.x{SHOW}}}",
    "nested": f".o{{color:red;& > .x{SHOW}}}",
    "variable beside": ".zz{--d:red}.x{display:block;color:var(--d)}",
    "sheet with type and medium": f"</style><style type=TEXT/css media=screen>.x{SHOW}",
    "after odd declarations": f".q{{*zoom:1;filter:alpha(opacity=5);a:url(b;c);b:'}}('}}@import 'a';.x{SHOW}",
    "important": ".x{display:block!important}",
}  # fmt: skip


def bodies(css: str, hiding: str) -> list[str]:
    """What both readers show of a page with one hidden word."""
    page = (
        f"<!doctype html><title>T</title><main>{SEEN}<style>{hiding}</style><style>{css}</style>"
        f"<div class=o><a></a><b></b><p class=x id=i>WORD</p></div>{SEEN}</main>"
    ).encode()
    url = "https://site.example/"
    when = datetime(2026, 1, 1, tzinfo=UTC)
    download = Download(url=url, final_url=url, media_type="text/html", body=page, fetched_at=when)
    return [read_html(page, url).body, read_simply(download).body]


@pytest.mark.parametrize("name", IN_DOUBT)
def test_in_doubt_a_rule_shows_nothing(name: str) -> None:
    hiding = {"no such size": ".x{font-size:0}", "@layer with a number": "@layer a{.x{display:none}}"}
    assert all("WORD" not in body for body in bodies(IN_DOUBT[name], hiding.get(name, ".x{display:none}")))


@pytest.mark.parametrize("name", CERTAIN)
def test_a_rule_that_every_browser_reads_shows(name: str) -> None:
    hiding = "@layer first{.x{display:none}}" if name == "layer" else ".x{display:none}"
    assert all("WORD" in body for body in bodies(CERTAIN[name], hiding))


def test_what_is_in_doubt_hides_as_ever() -> None:
    for css in (".x,.1y{display:none}", ".z{--d:none}.x{display:var(--d)}", ".q{a:(}.x{display:none}"):
        assert all("WORD" not in body for body in bodies(css, ""))
