"""The rows of an answer of `fetch`: what of each page is shown, under one budget for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..contract.error_texts import Explained
from ..contract.models import Page
from ..contract.results import FetchAnswer
from ..kit.dates import written
from ..kit.tokens import estimate_tokens
from ..marks import WARNING_TOKENS, MarkedText, marked_slice
from .arguments import FetchCall
from .budget import fitting_end, longest, shares
from .markdown_cuts import cut_dressed, cut_plainly, dressed, opening
from .page_views import PageView
from .render import PLAIN

Outcome = FetchAnswer | Explained
_WHOLE = FetchCall(requests=(), max_chars=0, offset=0, notes=())

ROW_TOKENS = 60
"""What a row costs besides its texts."""


def rows_of(
    call: FetchCall, outcomes: Mapping[str, Outcome], shown: Mapping[str, PageView], budget: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """A row for each address, in the order of the call, that together cost at most `budget` tokens; and notes."""
    several = len(call.requests) > 1
    said: dict[str, list[int]] = {}
    firsts = _firsts(call, outcomes, shown)
    ends = _ends(call, outcomes, {url: shown[url] for url in firsts.values()}, budget)
    urls = [request.url for request in call.requests]
    rows: list[dict[str, Any]] = []
    for number, request in enumerate(call.requests, 1):
        outcome = outcomes[request.url]
        if isinstance(outcome, Explained):
            rows.append(_failed(request.url, outcome))
            continue
        if (first := urls.index(firsts[request.url]) + 1) != number:
            rows.append({**_known(request.url, outcome), "same_as": first})
            continue
        end = ends[request.url]
        view = shown[request.url]
        rows.append(_completed(request.url, outcome, view, call, end))
        remarks = [*view.notes, *outcome.notes]
        if view.data is not None and (end < len(view.text) or view.next_offset == 0):
            remarks.append(f"too little room for output {call.view.form}; ask for more max_chars or fewer urls")
        if call.offset and call.offset >= len(view.text):
            remarks.append(f"offset: past the end; the text has {len(view.text)} characters")
        for remark in remarks:
            said.setdefault(remark, []).append(number)
    return rows, [*call.notes, *(_numbered(said) if several else said)]


def whole_data(urls: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The answer as data, in the tool's own words, with nothing cut: for a program at a terminal."""
    rows: list[dict[str, Any]] = []
    said: dict[str, list[int]] = {}
    for number, (url, outcome) in enumerate(zip(urls, outcomes, strict=True), 1):
        if isinstance(outcome, Explained):
            rows.append(_failed(url, outcome))
            continue
        rows.append(_completed(url, outcome, PageView(outcome.page.body), _WHOLE, len(outcome.page.body)))
        for note in outcome.notes:
            said.setdefault(note, []).append(number)
    data = {"results": rows, "notes": _numbered(said) if len(urls) > 1 else list(said)}
    return PLAIN.warned(data) if any("content" in row for row in rows) else data


def _numbered(said: Mapping[str, Sequence[int]]) -> list[str]:
    """Notes, each with the numbers of the pages that it is about."""
    return [f"[{', '.join(map(str, dict.fromkeys(numbers)))}] {remark}" for remark, numbers in said.items()]


def _firsts(call: FetchCall, outcomes: Mapping[str, Outcome], shown: Mapping[str, PageView]) -> Mapping[str, str]:
    """For each address that was read, the first of the call that shows the same of the same page."""
    firsts: dict[str, str] = {}
    pages: dict[tuple[str, str, str], list[str]] = {}
    for url in dict.fromkeys(request.url for request in call.requests):
        outcome, view = outcomes[url], shown[url]
        if isinstance(outcome, FetchAnswer):
            # a fragment may choose what a page's scripts show: then the texts differ
            same = pages.setdefault((outcome.page.reached.partition("#")[0], outcome.page.title, view.text), [])
            firsts[url] = next((one for one in same if shown[one].data == view.data), url)
            same.append(url)
    return firsts


def _ends(
    call: FetchCall, outcomes: Mapping[str, Outcome], shown: Mapping[str, PageView], budget: float
) -> Mapping[str, int]:
    """Where the text of each address that is shown ends: by `max_chars`, and by an even share of the budget."""
    pieces: list[tuple[str, int]] = []
    for view in shown.values():
        body = view.text
        # an output was told in tokens how long it may be
        most = longest(budget) if view.data is not None else min(call.max_chars, longest(budget))
        pieces.append((body, min(call.offset + most, len(body))))
    said = [note for answer in outcomes.values() if isinstance(answer, FetchAnswer) for note in answer.notes]
    notes = sum(estimate_tokens(note) + 4 for note in said)
    room = budget - ROW_TOKENS * len(call.requests) - notes - sum(estimate_tokens(note) for note in call.notes)
    is_markdown = call.view.form == "markdown"
    heads = [
        (estimate_tokens(opening(body, call.offset)) if is_markdown else 0.0)
        + (WARNING_TOKENS if MarkedText(body).passages else 0.0)
        for body, _ in pieces
    ]
    costs = [head + estimate_tokens(body[call.offset : end]) for head, (body, end) in zip(heads, pieces, strict=True)]
    given = shares(costs, max(room, 0.0))
    ends: list[int] = []
    for (body, end), head, cost, share in zip(pieces, heads, costs, given, strict=True):
        limit = end if share >= cost else fitting_end(body, call.offset, end, share - head)
        ends.append(
            cut_dressed(body, call.offset, limit, call.max_chars)
            if is_markdown
            else cut_plainly(body, call.offset, limit)
        )
    return dict(zip(shown, ends, strict=True))


def _known(url: str, answer: FetchAnswer) -> dict[str, Any]:
    """What every row of a page that was read begins with."""
    return {"url": url, "final_url": answer.page.reached, "status": "completed"}


def _completed(url: str, answer: FetchAnswer, view: PageView, call: FetchCall, end: int) -> dict[str, Any]:
    page, offset = answer.page, call.offset
    row = _known(url, answer)
    if page.title:
        row["title"] = page.title
    if page.author:
        row["author"] = page.author
    if page.published:
        row["published_date"] = written(page.published)
    if page.paywalled:
        row["paywalled"] = True
    if answer.cached:
        row["cached"] = True
        row["age_s"] = round(answer.age or 0)
    if view.data is not None:
        return row | _of_output(view, page, end) | {call.view.form: view.data}
    row["content"] = (
        dressed(view.text, offset, end) if call.view.form == "markdown" else marked_slice(view.text, offset, end)
    )
    row["tokens"] = round(estimate_tokens(view.text))
    if end < len(view.text) and offset < end:
        row["truncated"] = True
        row["next_offset"] = end
    elif page.truncated:
        row["truncated"] = True
    return row


def _of_output(view: PageView, page: Page, end: int) -> dict[str, Any]:
    """What a row says of an installed output's text: how large the page is, and where its rest begins."""
    row: dict[str, Any] = {"content": marked_slice(view.text, 0, end), "tokens": round(estimate_tokens(page.body))}
    if end < len(view.text) or view.next_offset is not None or page.truncated:
        row["truncated"] = True
    if view.next_offset and end == len(view.text):
        row["next_offset"] = view.next_offset
    return row


def _failed(url: str, failure: Explained) -> dict[str, Any]:
    url = failure.address(url)
    return {"url": url, "final_url": url, "status": "failed", "error": failure.text, "code": str(failure.code)}
