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
    ("head", "text", "runs"),
    [
        ("", "Some words. ", 0),
        ("<style>p{color:red}</style>", "Some words. ", 0),
        (f"<style>{'p{color:red}' * 30}</style>", "Some words. ", 1),
        ("", "Some words. " * 2000, 1),
    ],
)
async def test_long_pages_and_long_style_sheets_go_to_a_worker(head: str, text: str, runs: int) -> None:
    workers = Counted()
    body = f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode()
    url, now = "https://a.example/", datetime(2026, 1, 1, tzinfo=UTC)
    download = Download(url=url, final_url=url, media_type="text/html", body=body, fetched_at=now)
    page = await HtmlExtractor(workers).extract(download)
    assert page.body.startswith("Some words.")
    assert workers.runs == runs
