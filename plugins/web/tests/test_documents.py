"""The extractors of Markdown, JSON and plain text."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websearch_core import Download, Extractor, Page
from websearch_core.contract.outline import MAX_HEADINGS, content_hash, outline_of
from websearch_core.kit import Unsupported, Workers
from websearch_core.startup.worker_processes import ProcessWorkers
from websearch_core.testing.fakes import InProcessWorkers
from websearch_web.data.json_extractor import WHOLE_BYTES, JsonExtractor, describe
from websearch_web.html.extractor import HtmlExtractor
from websearch_web.kit.extraction import MAX_LINKS
from websearch_web.kit.invisible_characters import visible
from websearch_web.text.markdown_extractor import MarkdownExtractor
from websearch_web.text.text_extractor import RawTextExtractor, TextExtractor


def download(body: str | bytes, media_type: str, **fields: Any) -> Download:
    """These bytes as that type."""
    raw = body.encode() if isinstance(body, str) else body
    known: dict[str, Any] = {
        "url": "https://site.example/d/f",
        "final_url": "https://site.example/d/f",
        "charset": "utf-8",
    }
    known |= {"media_type": media_type, "body": raw, "fetched_at": datetime(2026, 1, 1, tzinfo=UTC)}
    return Download(**(known | fields))


async def markdown(text: str) -> Page:
    """The page of this Markdown."""
    return await MarkdownExtractor(InProcessWorkers()).extract(download(text, "text/markdown"))


FRONT = {
    "YAML": '---\ntitle: "Rivers: a guide"\nauthor: Ann Lee\ndate: 2025-03-04\ntags: [a, b]\n---\n# Head\n',
    "YAML with a list": "---\ntitle: 'Rivers: a guide'\nauthors:\n  - Ann Lee\ndate: 2025-03-04 # day\n---\n# Head\n",
    "TOML": '+++\ntitle = "Rivers: a guide"\nauthors = ["Ann Lee"]\ndate = 2025-03-04\n+++\n# Head\n',
}


@pytest.mark.parametrize("form", FRONT)
async def test_front_matter_becomes_metadata(form: str) -> None:
    page = await markdown(FRONT[form])
    assert (page.title, page.author, page.body) == ("Rivers: a guide", "Ann Lee", "# Head")
    assert page.published == datetime(2025, 3, 4, tzinfo=UTC)


async def test_a_thematic_break_is_no_front_matter() -> None:
    text = "---\n\nJust words here.\n\n---\n\nMore."
    page = await markdown(text)
    assert page.body == text


async def test_the_first_heading_is_the_title() -> None:
    page = await markdown("Intro\n\n# Rivers #\n\n## Part\n")
    assert page.title == "Rivers"
    assert [heading.level for heading in page.outline] == [1, 2]


HIDDEN = {
    "comment": "a <!-- SECRET\nmore --> b",
    "comment that never ends": "a\n\n<!-- SECRET",
    "comment as a reference": "a\n\n[//]: # (SECRET)\n\nb",
    "script": "a <script>SECRET</script> b",
    "hidden element": "a <span hidden>SECRET <span>SECRET</span></span> b",
    "styled element": 'a <p style="display:none">SECRET</p> b',
    "element that never ends": "a <div hidden>SECRET",
    "tag characters": "a " + "".join(chr(0xE0000 + ord(c)) for c in "SECRET") + " b",
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_what_rendered_markdown_would_not_show_is_kept_for_filters(way: str) -> None:
    page = await markdown(HIDDEN[way])
    assert page.body.startswith("a")
    assert "SECRET" not in page.body
    assert "SECRET" in page.hidden


async def test_code_is_left_as_it_stands() -> None:
    code = "```html\n<!-- kept --><div hidden>kept</div> [a](b)\n```"
    page = await markdown(f"{code}\n\nand `<b>`")
    assert page.body == f"{code}\n\nand `<b>`"
    assert page.hidden == ""


async def test_links_become_absolute_and_scripts_lose_theirs() -> None:
    page = await markdown('[a](../x "T") ![i](/i.png) [s](javascript:alert(1)) [top](#top)\n\n[r]: y\n')
    assert (
        page.body
        == '[a](https://site.example/x "T") ![i](https://site.example/i.png) [s] [top](#top)\n\n[r]: https://site.example/d/y'
    )
    assert page.links == ("https://site.example/x", "https://site.example/i.png", "https://site.example/d/y")


async def test_raw_html_in_markdown_becomes_its_text() -> None:
    assert (await markdown('<p align="center">Hello <b>you</b></p>')).body == "Hello you"


async def test_small_json_is_shown_whole() -> None:
    long = "x" * 80
    page = await JsonExtractor(InProcessWorkers()).extract(
        download(f'{{"b":[1,2],"ü":{{"c":null}},"d":["{long}",{{}}]}}', "application/json")
    )
    assert page.body == (
        f'```json\n{{\n  "b": [1, 2],\n  "ü": {{"c": null}},\n  "d": [\n    "{long}",\n    {{}}\n  ]\n}}\n```'
    )


@pytest.mark.parametrize("lines", [False, True])
def test_json_in_lines_is_shown_as_it_stands(lines: bool) -> None:
    text = '{"a":\t1.0,  "a": [1,\n2]}\n' if not lines else '{"a":1,"b": 2}\n\n{"c":[]}\n'
    assert describe(text, lines) == f"```json\n{text.strip()}\n```"


def test_json_that_spells_its_characters_is_written_anew() -> None:
    assert "ignore" in describe('{\n"a": "\\u0069gnore"}', False)
    assert "https://a.example" in describe('{\n"a": "https:\\/\\/a.example"}', False)


@pytest.mark.parametrize("blanks", ["\n" * 1000, (" " * 900 + "\n") * 20])
def test_json_that_is_mostly_blank_is_written_anew(blanks: str) -> None:
    assert describe(f"[{blanks}1,{blanks}2]", False) == "```json\n[1, 2]\n```"


def test_json_in_lines_beyond_reading_is_written_anew() -> None:
    items = '{"a":1,"b":2},' * 100
    assert '\n  {"a": 1, "b": 2},\n' in describe(f"[\n{items}{{}}]", False)


@pytest.mark.parametrize(
    "pair",
    [
        '"a": 0.10000000000000000000001',
        '"a": 1e400',
        '"a": 1E5',
        '"a": -0',
        f'"a": {"9" * 5000}',
        '"a": 1,\n  "a": 2',
        '"a": [],\n  "b": {}',
        r'"a": "\ud83d"',
        r'"a\n\"": "{,:}"',
    ],
)
@pytest.mark.parametrize("lines", [False, True])
def test_json_keeps_every_key_and_digit(pair: str, lines: bool) -> None:
    in_line = f"{{{pair.replace(chr(10) + '  ', ' ')}}}"
    wanted = in_line if lines or len(in_line) <= 80 else f"{{\n  {pair}\n}}"
    assert describe("{" + pair.replace("\n", "") + "}", lines) == f"```json\n{wanted}\n```"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_json_says_the_same_when_it_is_laid_out(value: object) -> None:
    shown = describe(json.dumps(value), False).split("\n", 1)[1].rpartition("\n")[0]
    assert json.loads(shown) == value
    assert len(shown.split("\n")) <= len(json.dumps(value, indent=2).split("\n"))


def test_a_line_that_is_no_json_stays_as_it_is() -> None:
    line = '{"a": ' + "x" * 400
    assert line in describe(f'{{"a": 1}}\n{line}\n{{"a": 2}}', True)


def test_a_sample_of_long_json_keeps_its_digits() -> None:
    shown = describe(json.dumps({"a": 1}).replace("1", "1.10") + " " * WHOLE_BYTES, False)
    assert '{"a": 1.10}\n' in shown
    assert "`a`: number" in shown


async def test_json_lines_are_shown_line_by_line() -> None:
    page = await JsonExtractor(InProcessWorkers()).extract(
        download('{"a":1}\n\n{"a":"\u2028"}\n', "application/x-ndjson")
    )
    assert page.body.startswith('```json\n{"a":1}\n\n{"a":"')


async def test_large_json_is_shown_as_shape_and_sample_by_a_worker() -> None:
    items = [{"name": f"n{n}", "text": "x" * 500} for n in range(WHOLE_BYTES // 500)]
    workers = InProcessWorkers()
    page = await JsonExtractor(workers).extract(download(json.dumps({"items": items}), "application/json"))
    assert len(workers.calls) == 1
    assert f"list of {len(items)}" in page.body
    assert f"… {len(items) - 3} more" in page.body
    assert len(page.body) < 5_000


@pytest.mark.parametrize("text", ["{", "[" * 50_000, "9" * 5000, '{"a": NaN', "plain words", "[1] note"])
def test_what_is_no_json_is_shown_as_text(text: str) -> None:
    assert text[:10] in describe(text, False)


def test_deep_json_does_not_grow_by_indentation() -> None:
    text = "[" * 500 + ",".join("1" * 1 for _ in range(5000)) + "]" * 500
    assert len(describe(text, False)) < len(text) + 100


def test_backticks_in_json_do_not_end_the_block() -> None:
    assert describe('"```"', False).startswith("````json\n")


async def test_text_stays_as_it_is() -> None:
    text = "def f():\n\treturn 1  # é\n\na,b\n1,2"
    assert (await TextExtractor(InProcessWorkers()).extract(download(text, "text/plain"))).body == text


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://site.example/robots", "# Crawlers\nUser-agent: *\n\n# All\n# others\nDisallow: /a"),
        ("https://site.example/run", "#!/bin/sh\n\n# go\n\necho"),
    ],
)
async def test_comments_are_no_headings(url: str, text: str) -> None:
    page = await TextExtractor(InProcessWorkers()).extract(download(text, "text/plain", final_url=url))
    assert page.body == f"```\n{text}\n```"
    assert not page.outline


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://site.example/a/README.md", "# Title\nWords.\n## Part\nMore."),
        ("https://site.example/readme", "# Title\n\nWords.\n\n## Part\n\nMore."),
    ],
)
async def test_headings_in_plain_text_stay_headings(url: str, text: str) -> None:
    page = await TextExtractor(InProcessWorkers()).extract(download(text, "text/plain", final_url=url))
    assert page.body == text
    assert [heading.text for heading in page.outline] == ["Title", "Part"]


@pytest.mark.parametrize("media_type", ["text/html", "text/markdown"])
async def test_text_with_an_extractor_of_its_own_is_not_shown_raw(media_type: str) -> None:
    with pytest.raises(Unsupported):
        await TextExtractor(InProcessWorkers()).extract(download("<p hidden>x", media_type))


async def test_binary_data_is_not_text() -> None:
    with pytest.raises(Unsupported):
        await TextExtractor(InProcessWorkers()).extract(download(b"\x7fELF\x00\x01\x02", "text/plain"))


LARGE: dict[str, tuple[Callable[[Workers], Extractor], str]] = {
    "text/html": (HtmlExtractor, "<p>{}</p>"),
    "text/markdown": (MarkdownExtractor, "{}"),
    "application/json": (JsonExtractor, '["{}"]'),
    "text/plain": (TextExtractor, "{}"),
}


@pytest.mark.parametrize("media_type", LARGE)
async def test_a_large_document_is_read_whole_by_a_worker(media_type: str) -> None:
    make, form = LARGE[media_type]
    workers = InProcessWorkers()
    await make(workers).extract(download(form.format("Rivers find their way. "), media_type))
    assert workers.calls == []
    page = await make(workers).extract(download(form.format("Rivers find their way. " * 3000), media_type))
    assert len(workers.calls) == 1
    assert page.body.count("Rivers") > 2000
    assert (page.content_hash, page.outline) == (content_hash(page.body), outline_of(page.body))


async def test_a_page_comes_back_from_another_process() -> None:
    text = "# Rivers\n\n" + "They find their way to the [sea](/sea).\n" * 2000
    page = await MarkdownExtractor(ProcessWorkers()).extract(download(text, "text/markdown"))
    assert page == await markdown(text)
    with pytest.raises(Unsupported):
        await TextExtractor(ProcessWorkers()).extract(download(b"\0" * 40_000, "text/plain"))


async def test_a_document_that_is_all_links_or_headings_stays_bounded() -> None:
    page = await markdown("".join(f"# [{number}](/{number})\n" for number in range(12_000)))
    assert (len(page.links), len(page.outline)) == (MAX_LINKS, MAX_HEADINGS)


@pytest.mark.parametrize(
    ("text", "shown", "spelt"),
    [
        ("a\x00b\tc\r\nd\re\x7f", "ab\tc\nd\ne", ""),
        ("é\u200b\x00\u202eb\ud800", "éb", ""),
        ("❤\ufe0f a\ufe00\ufe0fb x\ufe00\u200b\ufe01y", "❤\ufe0f ab xy", ""),
        (
            "a\u200db \u0645\u200c\u0646 \U0001f468\u200d\U0001f469",
            "ab \u0645\u200c\u0646 \U0001f468\u200d\U0001f469",
            "",
        ),
        ("a" + "".join(chr(0xE0000 + ord(letter)) for letter in "hi you") + "b", "ab", "hi you"),
    ],
)
def test_characters_that_nobody_sees_are_taken_out(text: str, shown: str, spelt: str) -> None:
    assert visible(text) == (shown, spelt)


@settings(max_examples=50)
@given(st.text(alphabet="ab\n`~<>!-[](){}:\"'#=/ \t\\*_é\u200b\U000e0041", max_size=300))
async def test_any_text_is_read(text: str) -> None:
    for page in (
        await markdown(text),
        await TextExtractor(InProcessWorkers()).extract(download(text, "text/plain")),
        await JsonExtractor(InProcessWorkers()).extract(download(text, "application/json")),
    ):
        assert "\u200b" not in page.body
        page.body.encode("utf-8")


async def test_raw_text_keeps_the_markup_and_refuses_binary_data() -> None:
    raw = RawTextExtractor(InProcessWorkers())
    source = "<style>p { color: red }</style><p>seen</p><script>run()</script><!-- said -->"
    assert (await raw.extract(download(source, "text/html"))).body == source
    with pytest.raises(Unsupported):
        await raw.extract(download(b"%PDF-1.7\n\0\0", "application/pdf"))
