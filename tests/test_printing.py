"""What a person sees at a terminal."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from websearch_core import Hit
from websearch_core.cli.printing import findings, pages, search
from websearch_core.contract.models import Page
from websearch_core.contract.results import FetchAnswer
from websearch_core.contract.verdicts import Dropped
from websearch_core.kit import SearchAnswer, TimedOut
from websearch_core.startup.doctor import CheckedBackend

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


def test_lines_are_folded_for_a_terminal_alone(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    words = " ".join(["word :smile:"] * 40)
    answer = SearchAnswer(hits=(Hit(url="https://a.example/", title=words, snippet=words),), notes=(words,))
    read = FetchAnswer(page=Page.from_markdown("Text.", url="https://a.example/", title=words), notes=(words,))
    search(answer, as_json=False)
    pages(["https://a.example/"], [read], as_json=False)
    out, err = (text.splitlines() for text in capfd.readouterr())
    assert out == [f"1. {words}", "   https://a.example/  ", f"   {words}", "", "Text."]
    assert err == [f"note: {words}", f"{words}  https://a.example/", f"note: {words}"]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    search(answer, as_json=False)
    assert all(len(line) < 100 for line in capfd.readouterr().out.splitlines())  # 80, and what makes them bold


def test_hidden_text_is_in_no_output(capfd: pytest.CaptureFixture[str]) -> None:
    hit = Hit(url="https://a.example/", snippet="seen", hidden="unseen")
    for as_json in (True, False):
        search(SearchAnswer(hits=(hit,)), as_json=as_json)
        page = Page.from_markdown("seen", url="https://a.example/", hidden="unseen")
        pages(["https://a.example/"], [FetchAnswer(page=page)], as_json=as_json)
    assert "unseen" not in "".join(capfd.readouterr())


def test_json_is_in_the_words_of_the_mcp_tools(capfd: pytest.CaptureFixture[str]) -> None:
    hits = (Hit(url="https://a.example/", title="A", snippet="seen", author="Ann", source="x"),)
    search(SearchAnswer(hits=hits, notes=("n", "n"), backends=("x",)), as_json=True)
    found = json.loads(capfd.readouterr().out)
    assert list(found) == ["untrusted", "results", "meta", "notes", "dropped"]
    (row,) = found["results"]
    assert list(row) == ["title", "url", "content", "author", "source", "id"]
    assert (row["content"], found["notes"], found["meta"]["backends"]) == ("seen", ["n (2 times)"], ["x"])
    page = Page.from_markdown(
        "# A\n\nseen", url="https://a.example/", title="A", published=datetime(2026, 1, 2, tzinfo=UTC)
    )
    pages(
        ["https://a.example/", "https://b.example/"], [FetchAnswer(page=page, notes=("m",)), TimedOut()], as_json=True
    )
    read = json.loads(capfd.readouterr().out)
    done, failed = read["results"]
    assert list(done) == ["url", "final_url", "status", "title", "published_date", "content", "tokens"]
    assert list(failed) == ["url", "final_url", "status", "code", "error"]
    assert (done["content"], failed["code"], read["notes"]) == ("# A\n\nseen", "timeout", ["[1] m"])


@pytest.mark.parametrize("columns", ["80", "40", "200"])
def test_nothing_of_a_check_is_cut_however_narrow_the_terminal_is(
    columns: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    detail = "SearXNG does not answer in JSON: add json to search.formats in SearXNG's settings.yml"
    remedy = "the operator must add json to search.formats in SearXNG's settings.yml, or check base_url [here]"
    off = "WEBSEARCH_" + "X" * 60 + "__API_KEY not set"
    rows = [
        CheckedBackend("searxng", False, "auth", detail, remedy, 12, 0.01, 1, "request", rests=("auth, 34 s",)),
        CheckedBackend("brave", True, "off", off, "set it to use this backend"),
    ]
    findings(rows, [], as_json=False)
    out = " ".join(capfd.readouterr().out.split())
    for text in (detail, remedy, off, "1 request, $0.0100", "searxng: auth, 34 s", "12 ms"):
        assert text in out
    assert "…" not in out
