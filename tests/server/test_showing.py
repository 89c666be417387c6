"""What of a page is shown: sections, passages, plain text, outline."""

from __future__ import annotations

import pytest

from websearch_core.contract.models import Page
from websearch_core.kit.markdown_blocks import blocks_of
from websearch_core.server.page_views import FOUND, ViewRequest, show

BODY = """# Guide

Intro with [a link](https://a.example/x) and **bold** words.

## Install

On most systems:

### Debian

Run `apt install owl` as root.

```sh
apt install owl  # as root
```

### Fedora

Use dnf.

## Usage

| flag | does |
|---|---|
| `-v` | says *more* |

### Debian

The owl hoots.
"""
PAGE = Page.from_markdown(BODY, url="https://a.example/")


def test_without_a_wish_the_page_is_shown_as_it_is() -> None:
    assert show(PAGE).text == BODY


@pytest.mark.parametrize("wanted", ["Install > Debian", "install>debian", "Guide > Install > Debian"])
def test_a_section_is_found_by_its_last_headings(wanted: str) -> None:
    shown = show(PAGE, ViewRequest(section=wanted))
    assert shown.text.startswith("### Debian\n\nRun")
    assert shown.text.rstrip().endswith("```")
    assert not shown.notes


def test_a_section_has_all_that_stands_under_it() -> None:
    assert "### Fedora" in show(PAGE, ViewRequest(section="Install")).text
    assert "## Usage" not in show(PAGE, ViewRequest(section="Install")).text


def test_of_several_sections_the_first_is_shown_and_that_is_said() -> None:
    shown = show(PAGE, ViewRequest(section="Debian"))
    assert shown.text.startswith("### Debian\n\nRun")
    assert shown.notes == ("section: 2 sections are called so; the first one is shown",)


@pytest.mark.parametrize("wish", [ViewRequest(section="Windows"), ViewRequest(find="zebra"), ViewRequest(section=">")])
def test_where_nothing_fits_the_outline_is_shown(wish: ViewRequest) -> None:
    shown = show(PAGE, wish)
    assert shown.text == show(PAGE, ViewRequest("outline")).text
    assert "its outline is shown" in shown.notes[0] or "the outline is shown" in shown.notes[0]


def test_the_outline_says_where_each_section_is_and_what_it_costs() -> None:
    lines = show(PAGE, ViewRequest("outline")).text.splitlines()
    assert [line.split(" (")[0] for line in lines] == [
        "- Guide",
        "  - Install",
        "    - Debian",
        "    - Fedora",
        "  - Usage",
        "    - Debian",
    ]
    offset = int(lines[3].split("offset ")[1].split(",")[0])
    assert BODY[offset:].startswith("### Fedora")
    sizes = [int(line.split(", ")[1].split()[0]) for line in lines]
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3]


def test_offsets_in_the_outline_of_a_section_count_in_the_page() -> None:
    line = show(PAGE, ViewRequest("outline", section="Usage")).text.splitlines()[0]
    assert BODY[int(line.split("offset ")[1].split(",")[0]) :].startswith("## Usage")


def test_the_outline_of_a_section_has_the_sections_inside_it() -> None:
    lines = show(PAGE, ViewRequest("outline", section="Install")).text.splitlines()
    assert [line.split(" (")[0].strip(" -") for line in lines] == ["Install", "Debian", "Fedora"]


def test_the_best_passages_are_shown_with_their_headings_and_places() -> None:
    text = show(PAGE, ViewRequest(find="how does it hoot")).text
    label, _, rest = text.partition("\n\n")
    path, _, offset = label.strip("[]").rpartition(" > offset ")
    assert path in ("Guide > Usage", "Guide > Usage > Debian")
    assert "The owl hoots." in rest
    assert BODY[int(offset) :].startswith(rest[:12])


@pytest.mark.parametrize(
    ("block", "head"),
    [
        (
            "```py\n"
            + "line = 1  # words of no use\n" * 100
            + "owl = 2\n"
            + "line = 3  # more of them\n" * 100
            + "```",
            "```py\n",
        ),
        (
            "| a | b |\n|---|---|\n" + "| words | of no use |\n" * 100 + "| owl | x |\n" + "| no | use |\n" * 200,
            "| a | b |\n|---|",
        ),
    ],
)
def test_passages_of_code_and_tables_are_dressed(block: str, head: str) -> None:
    page = Page.from_markdown(f"{block}\n\nThe last owl.", url="https://a.example/")
    shown = show(page, ViewRequest(find="owl")).text
    assert shown.partition("\n\n")[2].startswith(head)
    assert [one.kind for one in blocks_of(shown)] == [
        "paragraph",
        blocks_of(block)[0].kind,
        "paragraph",
        "paragraph",
    ]


def test_passages_come_from_the_section_that_was_named() -> None:
    assert "hoots" not in show(PAGE, ViewRequest(section="Install", find="debian owl")).text


def test_plain_text_has_no_marks_but_all_words() -> None:
    text = show(PAGE, ViewRequest("text")).text
    assert "Intro with a link and bold words." in text
    assert "apt install owl  # as root" in text
    assert "-v\tsays more" in text
    assert not {"**", "](", "```", "|---|", "## "} & {
        mark for mark in ("**", "](", "```", "|---|", "## ") if mark in text
    }


def test_a_page_without_headings_says_so() -> None:
    assert show(Page.from_markdown("words", url="https://a.example/"), ViewRequest("outline")).text == "(no headings)"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("[a](https://b.example/x_(y)) c", "a c"),
        (r"\[a](b) [c\]d](e)", "[a](b) c]d"),
        ("![pic](<a b>)", "pic"),
        ("[![build](https://b.example/x.svg)](https://b.example) runs", "build runs"),
        ("`` a`b `` and `c*d*`", "a`b and c*d*"),
        ("`unclosed *words*", "`unclosed words"),
        ("| a\u2028c | b |\n|---|---|\n| 1 | 2 |", "a\u2028c\tb\n1\t2"),
    ],
)
def test_marks_are_left_out(markdown: str, text: str) -> None:
    assert show(Page.from_markdown(markdown, url="https://a.example/"), ViewRequest("text")).text == text


@pytest.mark.parametrize(
    ("wanted", "begins"),
    [
        ("Settings -> Privacy", "## Settings"),
        ("Guide > Settings -> Privacy", "## Settings"),
        ("vector<T>", "## vector"),
        ("vector<T> > Size", "### Size"),
        ("In > Out", "## In > Out"),
        ("Guide > In > Out", "## In > Out"),
        ("Settings -> Privacy > Privacy", "### Privacy"),
    ],
)
def test_a_heading_may_hold_the_sign_that_stands_between_headings(wanted: str, begins: str) -> None:
    body = (
        "# Guide\n\n## Settings -> Privacy\n\na\n\n### Privacy\n\nb\n\n"
        "## vector\\<T>\n\nc\n\n### Size\n\nd\n\n## In > Out\n\ne\n"
    )
    shown = show(Page.from_markdown(body, url="https://a.example/"), ViewRequest(section=wanted))
    assert shown.text.startswith(begins)
    assert not shown.notes


@pytest.mark.parametrize(
    "wanted", ["## Install", "# Guide > ## Install", "### Debian", "Re\u0301sume\u0301 中文 SSTRASSE"]
)
def test_a_section_is_found_as_it_is_written_elsewhere(wanted: str) -> None:
    page = Page.from_markdown(f"{BODY}\n## Résumé 中文 ßtraße\n\nLife.\n", url="https://a.example/")
    assert not any("no heading" in note for note in show(page, ViewRequest(section=wanted)).notes)
    assert show(page, ViewRequest(section=wanted)).text.startswith("##")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("Fedo", "no heading is called just so"),
        ("Inst > Deb", "no heading is called just so"),
        ("Deb", "2 sections have these words in their heading"),
    ],
)
def test_a_section_that_was_only_meant_is_shown_with_a_note(wanted: str, said: str) -> None:
    shown = show(PAGE, ViewRequest(section=wanted))
    assert shown.text.startswith("### ")
    assert said in shown.notes[0]


def test_the_outline_of_passages_says_that_it_shows_all() -> None:
    shown = show(PAGE, ViewRequest("outline", find="owl"))
    assert "Guide" in shown.text
    assert shown.notes == ("find: left out, because output is outline",)


def test_passages_with_their_labels_stay_within_what_was_promised() -> None:
    body = "# A long heading of a guide\n\n" + "".join(
        f"## Chapter {n} with a heading of some length\n\nThe owl {n} sat in the barn. {'Words. ' * 5}\n\n"
        for n in range(200)
    )
    text = show(Page.from_markdown(body, url="https://a.example/"), ViewRequest(find="owl barn")).text
    assert FOUND / 2 < len(text) <= FOUND
