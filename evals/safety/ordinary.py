"""Sentences and links of ordinary texts as requests: none of them should be stopped, in any language."""

from __future__ import annotations

import gzip
import html
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import Path

from evals.safety.data import rows
from evals.safety.rows import Row
from websearch_core import Block, FetchRequest, Finding, Outgoing, RequestFilter, SearchRequest
from websearch_core.contract.clock import SystemClock
from websearch_guard.exfiltration import GuardExfiltration
from websearch_guard.pii.filter import PersonalData

GROUP = "Ordinary texts as requests"
CONTACTS = frozenset({"phone", "email"})
"""What a text that says how to reach somebody has, and rightly."""
_END = re.compile('(?<=[.!?\u3002\uff01\uff1f\u061f])["\u201d\u00bb\u2019)]*\\s+|(?<=[\u3002\uff01\uff1f])')
_LINK = re.compile(r"href\s*=\s*[\"'](https?://[^\"'\s<>]+)[\"']", re.IGNORECASE)
_TOO_LONG = Finding("too long", "url", 0, 0)
_LEAST, _MOST, _TOGETHER = 8, 2000, 3
_SEEN = 25
"""Of each page, so many sentences were looked at first."""
_LINKS_MOST, _QUERIES_MOST = 0.0005, 0.0003


async def measure(data: Path) -> AsyncIterator[Row]:
    """The data's languages, pages and links, where they are there; through the chain with the guard."""
    filters = (PersonalData(), GuardExfiltration(SystemClock(), different_values=0))
    everything: list[frozenset[str]] = []
    for file in sorted((data.parent / "languages").glob("*.jsonl.gz")):
        texts = [row["text"] for row in rows(file)]
        found = [await _kinds(filters, SearchRequest(query=query)) for query in _queries(texts)]
        everything += found
        yield _row(f"{file.name.partition('.')[0]}: sentences, and three together", found)
    if everything:
        yield _row("all these languages", everything, at_most=_QUERIES_MOST)
    pages = [row["text"] for row in rows(data / "pages-clean.jsonl.gz")]
    for name, part in (("first 25", slice(0, _SEEN)), ("the others", slice(_SEEN, None))):
        some = [sentence for page in pages for sentence in _sentences(page)[part]]
        found = [await _kinds(filters, SearchRequest(query=sentence)) for sentence in some]
        yield _row(f"sentences of pages of seven types, {name} of each", found, at_most=_QUERIES_MOST)
    for name, folder in (("development pages", "html"), ("validation pages", "validation/html")):
        if links := _links(data.parent / "extraction" / folder):
            found = [await _kinds(filters, request) for link in links if (request := _request(link))]
            yield _row(f"links in {name}", found, at_most=_LINKS_MOST)


def _row(name: str, found: Sequence[frozenset[str]], *, at_most: float | None = None) -> Row:
    """Phones and mail addresses that the texts truly have are told, and not counted as mistakes."""
    wrong = [kinds for kinds in found if kinds and not kinds <= CONTACTS]
    contacts = sum(bool(kinds) for kinds in found) - len(wrong)
    kinds = Counter(kind for kinds in wrong for kind in kinds - CONTACTS)
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    gate = name + (f" (and {contacts} with a phone or mail)" if contacts else "") + (f": {told}" if told else "")
    return Row(GROUP, gate, len(wrong), len(found), at_most=at_most)


async def _kinds(filters: Iterable[RequestFilter], request: Outgoing) -> frozenset[str]:
    """What the filters for personal data and smuggling take this to hold."""
    verdicts = [await each.check(request) for each in filters]
    blocked = [verdict for verdict in verdicts if isinstance(verdict, Block)]
    return frozenset(finding.kind for verdict in blocked for finding in verdict.findings or (_TOO_LONG,))


def _sentences(text: str) -> list[str]:
    split = (part.strip() for line in text.split("\n") for part in _END.split(line))
    return [sentence for sentence in split if _LEAST <= len(sentence) <= _MOST]


def _queries(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        some = _sentences(text)
        yield from some
        for at in range(0, len(some) - _TOGETHER + 1, _TOGETHER):
            yield " ".join(some[at : at + _TOGETHER])[:_MOST]


def _links(folder: Path) -> list[str]:
    """The links of all pages in the folder, each once."""
    found: dict[str, None] = {}
    for file in sorted(folder.glob("*.html.gz")):
        with gzip.open(file, "rt", errors="replace") as page:
            found |= dict.fromkeys(html.unescape(link) for link in _LINK.findall(page.read()))
    return [*found]


def _request(link: str) -> FetchRequest | None:
    try:
        return FetchRequest(url=link)
    except ValueError:  # no address that anybody may ask for
        return None
