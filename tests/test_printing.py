"""What a person sees at a terminal."""

from __future__ import annotations

import pytest

from websearch_core import Hit, SearchAnswer
from websearch_core.answers import FetchAnswer
from websearch_core.models import Page
from websearch_core.printing import pages, search
from websearch_core.verdicts import Dropped

STEERING = "\x1b]0;title\x07\x1b[2J\x9b31m\x00"


def test_a_page_cannot_steer_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    hit = Hit(url="https://a.example/", title=f"t{STEERING}", snippet=f"[bold]s[/bold]{STEERING}", source="x")
    dropped = (Dropped(host="a.example", by="judge", reason=f"r{STEERING}"),)
    search(SearchAnswer(hits=(hit,), notes=(f"n{STEERING}",), dropped=dropped), as_json=False)
    page = Page.from_markdown(f"body{STEERING}\n\tkept", url="https://a.example/", title=STEERING)
    pages(["https://a.example/"], [FetchAnswer(page=page)], as_json=False)
    out, err = capfd.readouterr()
    assert not {"\x1b", "\x07", "\x9b", "\x00"} & set(out + err)
    assert "[bold]s[/bold]" in out
    assert "\n\tkept" in out


def test_hidden_text_is_in_no_output(capfd: pytest.CaptureFixture[str]) -> None:
    hit = Hit(url="https://a.example/", snippet="seen", hidden="unseen")
    for as_json in (True, False):
        search(SearchAnswer(hits=(hit,)), as_json=as_json)
        page = Page.from_markdown("seen", url="https://a.example/", hidden="unseen")
        pages(["https://a.example/"], [FetchAnswer(page=page)], as_json=as_json)
    assert "unseen" not in "".join(capfd.readouterr())
