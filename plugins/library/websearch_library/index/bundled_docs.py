"""websearch's own documentation, as pages of the library: what a bare install can answer from."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from . import passages
from .index import Index
from .page_copy import PageCopy
from .page_keys import DOCS_HOST


def pages(now: float) -> list[PageCopy]:
    """The documentation's pages."""
    found: list[PageCopy] = []
    for file in sorted(files("websearch_library").joinpath("corpus").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            body = file.read_text("utf-8")
            title = body.partition("\n")[0].removeprefix("# ").strip()
            url = f"https://{DOCS_HOST}/{file.name.removesuffix('.md')}"
            found.append(
                PageCopy(
                    url=url, source="docs", title=title, site="websearch", language="en", body=body, fetched_at=now
                )
            )
    return found


def install(index: Index, now: float) -> None:
    """Put the documentation in, in one transaction, unless this very text is there already."""
    current = pages(now)
    text = "\0".join(f"{passages.LIMIT}\0{copy.url}\0{copy.body}" for copy in current)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if index.meta("docs") == digest:
        return
    with index.transaction():
        if index.meta("docs") != digest:
            index.remove("source = ?", ("docs",))
            index.put(current)
            index.set_meta("docs", digest)
