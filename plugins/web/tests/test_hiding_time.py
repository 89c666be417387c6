"""Style sheets made to take long do not."""

from __future__ import annotations

import pytest

from websearch_core.testing.cpu_time import within_cpu
from websearch_web.html.hidden.hidden_text import OVERRUN_NOTE
from websearch_web.html.page_reader import read_html

ANIMATED = "".join(f"@keyframes k{n}{{to{{opacity:0}}}}.a{n}{{animation:k{n} 1s both}}" for n in range(20_000))
DISTINCT = ",".join(f".x:not(.n{n})" for n in range(20_000))


@pytest.mark.parametrize("style", ["<style>a{}!{{display:none}}</style>", "<p style='color:rgb(1{}x'>x</p>"])
def test_blanks_without_end_take_no_time(style: str) -> None:
    page = (style.format(" " * 10_000) + "<p>Seen.</p>").encode()
    within_cpu(2, read_html, page, "https://site.example/")


@pytest.mark.parametrize(
    "page",
    [
        f"<style>{'a{' * 100_000}b{{display:none}}{'}' * 100_000}</style><p>Seen.</p>",
        f"<style>{'@layer a{' * 20_000}b{{display:none}}{'}' * 20_000}</style><p>Seen.</p>",
        f"<style>.x{{display:none}}{'.x{display:block}' * 5_000}</style><p>Seen.</p>{'<b class=x>y</b>' * 5_000}",
        f"<style>.x{{display:none}}.y{',.x' * 20_000}{{display:block}}</style><p>Seen.</p>{'<b class=x>y</b>' * 1_000}",
        f"<style>.x{{display:none}}{DISTINCT}{{display:block}}</style><p>Seen.</p>{'<b class=x>y</b>' * 1_000}",
        f"<style>{'--x:{' * 20_000}{'[(' * 20_000}@media ({' ' * 50_000}{{.x{{display:block}}</style><p>Seen.</p>",
        f"<style>{'url(' * 50_000}{chr(34) * 50_000}{'/*' * 50_000}</style><p>Seen.</p>",
        f"<style>.x{{display:none}}.x{':is(.x' * 20_000}{{display:block}}</style><p>Seen.</p><b class=x>y</b>",
        f"<style>@keyframes k{{from{{x:y{',to' * 40_000}}}}}</style><p>Seen.</p>",
        f"<style>{ANIMATED}</style><p>Seen.</p>",
        "<p>Seen.</p>" + "<div style='font-size:0'>x" * 5_000 + "<i style='font-size:9px'>y</i>",
        "<p style='color:transparent'>x<b style='color:red'>y</b></p>" * 5_000 + "<p>Seen.</p>",
        f"<p style='width:calc({'(' * 10_000}1px{')' * 10_000});overflow:hidden'>x</p><p>Seen.</p>",
        f"<p style='transform:{'matrix(' * 20_000}'>x</p><p style='color:color-mix({' ' * 20_000}'>x</p><p>Seen.</p>",
    ],
    ids=[
        *("nested", "layers", "rules that show", "selectors that show", "different ones", "unbalanced", "marks"),
        *("brackets", "frames", "animations", "heirs", "many heirs", "sums", "functions"),
    ],
)
def test_style_sheets_without_end_take_little_time(page: str) -> None:
    assert "Seen." in within_cpu(4, read_html, page.encode(), "https://site.example/").body


@pytest.mark.parametrize("rule", ["b:c;", "a{b:c;}"])
def test_declarations_deep_in_groups_take_linear_time(rule: str) -> None:
    page = (
        f"<style>.x{{display:none}}{'@media all{' * 10_000}{rule * 10_000}.x{{display:block}}</style><p class=x>x</p>"
    )
    within_cpu(2, read_html, f"{page}<p>Seen.</p>".encode(), "https://site.example/")


@pytest.mark.parametrize(
    "rule",
    [
        ".x{{display:none}}",
        ".x:not(.a{0}){{display:none}}",
        "div ~ div ~ .x{{display:none}}",
        ".x *{{font-size:{0}px}}",
    ],
)
def test_a_page_with_too_many_rules_is_shown_and_noted(rule: str) -> None:
    rules = "".join(rule.format(number) for number in range(5_000))
    parts = "<div class='x y'><p>a</p></div>" * 1_000
    page = f"<style>.y{{font-size:0}}{rules}</style><p>Seen.</p>{parts}"
    reading = within_cpu(5, read_html, page.encode(), "https://site.example/")
    assert "Seen." in reading.body
    assert OVERRUN_NOTE in reading.notes


def test_rules_that_look_for_parts_of_all_that_stands_around_are_too_many_soon() -> None:
    rules = "".join(f"div:has(.b{number}) p{{display:none}}" for number in range(200))
    marks = "".join(f"<i class=b{number}></i>" for number in range(200))
    page = f"<style>{rules}</style><p>Seen.</p>{'<div>' * 60}{'<p>x</p>' * 1_000}{'</div>' * 60}{marks}"
    reading = within_cpu(4, read_html, page.encode(), "https://site.example/")
    assert "Seen." in reading.body
    assert OVERRUN_NOTE in reading.notes


def test_a_few_rules_that_look_for_parts_are_applied() -> None:
    rules = "".join(f".a:has(.b{number}) p{{display:none}}" for number in range(5))
    page = f"<style>{rules}</style>{'<p>Seen.</p>' * 300}<div class=a><i class=b4></i><p>SECRET</p></div>"
    reading = read_html(page.encode(), "https://site.example/")
    assert "Seen." in reading.body
    assert "SECRET" not in reading.body
    assert reading.notes == ()


def test_a_page_of_many_rules_and_elements_is_read_to_the_end() -> None:
    rules = "".join(f".a{number}{{display:none}}.a{number}.b{{display:block}}" for number in range(1_000))
    parts = "".join(f"<p class='a{number}{' b' * (number % 2)}'>WORD{number}.</p>" for number in range(1_000))
    reading = read_html(f"<style>{rules}</style><p>Seen.</p>{parts}".encode(), "https://site.example/")
    assert "WORD999." in reading.body
    assert "WORD998." not in reading.body
    assert reading.notes == ()
