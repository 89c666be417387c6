"""The rows of an answer of `fetch`: what of each page is shown, under one budget for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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

_WHOLE = FetchCall(requests=(), max_chars=0, offset=0, notes=())

ROW_TOKENS = 60
"""What a row costs besides its texts."""


class ReadPage(NamedTuple):
    """A page that was read, and what the call shows of it."""

    answer: FetchAnswer
    view: PageView


Outcome = ReadPage | Explained


def rows_of(call: FetchCall, outcomes: Mapping[str, Outcome], budget: float) -> tuple[list[dict[str, Any]], list[str]]:
    """A row for each address, in the order of the call, that together cost at most `budget` tokens; and notes."""
    urls = [request.url for request in call.requests]
    read = {url: page for url, page in outcomes.items() if isinstance(page, ReadPage)}
    firsts = _firsts(read)
    tokens = {url: estimate_tokens(read[url].view.text) for url in dict.fromkeys(firsts.values())}
    ends = _ends(call, {url: read[url] for url in tokens}, tokens, budget)
    said: dict[str, list[int]] = {}
    rows: list[dict[str, Any]] = []
    for number, url in enumerate(urls, 1):
        outcome = outcomes[url]
        first = urls.index(firsts.get(url, url)) + 1
        if isinstance(outcome, Explained):
            rows.append(_failed(url, outcome) if first == number else {**_not_read(url, outcome), "same_as": first})
            continue
        if first != number:
            rows.append({**_known(url, outcome.answer), "same_as": first})
            continue
        view, end = outcome.view, ends[url]
        rows.append(_completed(url, outcome, call, end, tokens[url]))
        remarks = [*view.notes, *outcome.answer.notes]
        if view.data is not None and (end < len(view.text) or view.next_offset == 0):
            remarks.append(f"too little room for output {call.view.form}; ask for more max_chars or fewer urls")
        if call.offset and call.offset >= len(view.text):
            remarks.append(f"offset: past the end; the text has {len(view.text)} characters")
        for remark in remarks:
            said.setdefault(remark, []).append(number)
    return rows, [*call.notes, *_numbered(said, len(urls))]


def whole_data(urls: Sequence[str], outcomes: Sequence[FetchAnswer | Explained]) -> dict[str, Any]:
    """The answer as data, in the tool's own words, with nothing cut: for a program at a terminal."""
    rows: list[dict[str, Any]] = []
    said: dict[str, list[int]] = {}
    for number, (url, outcome) in enumerate(zip(urls, outcomes, strict=True), 1):
        if isinstance(outcome, Explained):
            rows.append(_failed(url, outcome))
            continue
        body = outcome.page.body
        rows.append(_completed(url, ReadPage(outcome, PageView(body)), _WHOLE, len(body), estimate_tokens(body)))
        for note in outcome.notes:
            said.setdefault(note, []).append(number)
    data = {"results": rows, "notes": _numbered(said, len(urls))}
    return PLAIN.warned(data) if any("content" in row for row in rows) else data


def _numbered(said: Mapping[str, Sequence[int]], count: int) -> list[str]:
    """Notes, each with the numbers of the pages that it is about where there are several."""
    if count == 1:
        return list(said)
    return [f"[{', '.join(map(str, dict.fromkeys(numbers)))}] {remark}" for remark, numbers in said.items()]


def _firsts(read: Mapping[str, ReadPage]) -> Mapping[str, str]:
    """For each address that was read, the first of the call that shows the same of the same page."""
    firsts: dict[str, str] = {}
    pages: dict[tuple[str, str, str], list[str]] = {}
    for url, (answer, view) in read.items():
        # a fragment may choose what a page's scripts show: then the texts differ
        same = pages.setdefault((answer.page.reached.partition("#")[0], answer.page.title, view.text), [])
        firsts[url] = next((one for one in same if read[one].view.data == view.data), url)
        same.append(url)
    return firsts


def _ends(call: FetchCall, read: Mapping[str, ReadPage], tokens: Mapping[str, float], budget: float) -> dict[str, int]:
    """Where the text of each address that is shown ends: by `max_chars`, and by an even share of the budget.

    `tokens` are what the whole texts cost.
    """
    is_markdown = call.view.form == "markdown"
    limits: list[int] = []
    heads: list[float] = []
    costs: list[float] = []
    for url, (_, view) in read.items():
        # an output was told in tokens how long it may be
        most = longest(budget) if view.data is not None else min(call.max_chars, longest(budget))
        limits.append(min(call.offset + most, len(view.text)))
        heads.append(
            (estimate_tokens(opening(view.text, call.offset)) if is_markdown else 0.0)
            + (WARNING_TOKENS if MarkedText(view.text).passages else 0.0)
        )
        part = view.text[call.offset : limits[-1]]
        costs.append(heads[-1] + (tokens[url] if part == view.text else estimate_tokens(part)))
    said = [*call.notes, *(note for page in read.values() for note in page.answer.notes)]
    room = budget - ROW_TOKENS * len(call.requests) - sum(estimate_tokens(note) + 4 for note in said)
    ends: dict[str, int] = {}
    for (url, page), limit, head, cost, share in zip(
        read.items(), limits, heads, costs, shares(costs, max(room, 0.0)), strict=True
    ):
        text = page.view.text
        end = limit if share >= cost else fitting_end(text, call.offset, limit, share - head)
        ends[url] = (
            cut_dressed(text, call.offset, end, call.max_chars) if is_markdown else cut_plainly(text, call.offset, end)
        )
    return ends


def _known(url: str, answer: FetchAnswer) -> dict[str, Any]:
    """What every row of a page that was read begins with."""
    return {"url": url, "final_url": answer.page.reached, "status": "completed"}


def _completed(url: str, read: ReadPage, call: FetchCall, end: int, tokens: float) -> dict[str, Any]:
    (answer, view), offset = read, call.offset
    page = answer.page
    optional = {
        "title": page.title,
        "author": page.author,
        "published_date": written(page.published) if page.published else "",
        "paywalled": page.paywalled,
        "cached": answer.cached,
    }
    row = _known(url, answer) | {name: value for name, value in optional.items() if value}
    if answer.cached:
        row["age_s"] = round(answer.age or 0)
    if view.data is not None:
        return row | _of_output(view, page, end) | {call.view.form: view.data}
    row["content"] = (
        dressed(view.text, offset, end) if call.view.form == "markdown" else marked_slice(view.text, offset, end)
    )
    row["tokens"] = round(tokens)
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
    return {**_not_read(url, failure), "error": failure.text}


def _not_read(url: str, failure: Explained) -> dict[str, Any]:
    """What every row of an address that was not read begins with."""
    url = failure.address(url)
    return {"url": url, "final_url": url, "status": "failed", "code": str(failure.code)}
