"""What could hold the event loop is read in a worker."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from websearch_core import Download
from websearch_web.html.extractor import HtmlExtractor


class Counted:
    """Stands for the workers."""

    def __init__(self) -> None:
        self.runs = 0

    async def run(self, work: Any, *given: Any, **_limits: Any) -> Any:
        self.runs += 1
        return work(*given)


@pytest.mark.parametrize(
    ("head", "text", "charset", "runs"),
    [
        ("", "Some words. ", "utf-8", 0),
        ("", "Some words. <b>" * 600, "utf-8", 0),
        ("<style>p{color:red}</style>", "Some words. ", "utf-8", 0),
        ("<style>p{color:red}</style>", "Some words. <b>" * 600, "utf-8", 1),
        (f"<style>{','.join(['p'] * 600)}{{color:red}}</style>", "Some words. ", "utf-8", 1),
        (f"<STYLE>{'p{color:red}' * 100}", "Some words. ", "utf-16", 1),
        ("", "Some words. " * 2000, "utf-8", 1),
    ],
)
async def test_long_pages_and_long_style_sheets_go_to_a_worker(head: str, text: str, charset: str, runs: int) -> None:
    workers = Counted()
    body = f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(charset)
    url, now = "https://a.example/", datetime(2026, 1, 1, tzinfo=UTC)
    download = Download(url=url, final_url=url, media_type="text/html", body=body, fetched_at=now)
    page = await HtmlExtractor(workers).extract(download)
    assert charset == "utf-16" or "Some words." in page.body
    assert workers.runs == runs
