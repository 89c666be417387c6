"""What filters say, and the trail and receipts that explain an answer."""

from __future__ import annotations

from typing import Literal

from .errors import BlockedByFilter, Unjudged
from .fields import Finding, Part, Value

ADDRESS_RULES = "[net]"
"""Takes out results at addresses that may not be read here: the operator's settings, not a filter."""


class Allow(Value):
    """Go on unchanged."""

    kind: Literal["allow"] = "allow"
    findings: tuple[Finding, ...] = ()
    """Of a document filter, each is a mark: a warning stands at its span in every answer, and the text stays. One in
    the field `hidden` marks nothing; one in an address, or outside its part, is shown at the document's main text."""
    note: str = ""
    """What the reader of the answer must know all the same; constant text by the filter's author."""
    leads: tuple[Finding, ...] = ()
    """Where a later filter should look first (`Document.leads`); in no trail and no answer."""


class Rewrite(Value):
    """Go on with another text: `parts` for all of them, or `text` for the main part alone."""

    kind: Literal["rewrite"] = "rewrite"
    reason: str
    """Constant text by the filter's author; never a piece of what was judged."""
    text: str | None = None
    parts: tuple[Part, ...] | None = None
    findings: tuple[Finding, ...] = ()
    """What was found and removed; their offsets are in the text that was judged."""
    marks: tuple[Finding, ...] = ()
    """What was found and left: marks as those of `Allow`; their offsets are in the text that this verdict makes."""
    leads: tuple[Finding, ...] = ()
    """As in `Allow`; their offsets are in the text that this verdict makes."""


class Block(Value):
    """Stop: nothing leaves, or the document is dropped."""

    kind: Literal["block"] = "block"
    reason: str
    """Constant text by the filter's author; never a piece of what was judged."""
    findings: tuple[Finding, ...] = ()
    unjudged: Unjudged | None = None
    """Nothing was found, for the filter failed: what helps then. Set by the core."""


Verdict = Allow | Rewrite | Block


class Decision(Value):
    """One step of the trail that explains an answer."""

    stage: Literal["screen", "ask", "inspect"]
    by: str
    """Name of the component."""
    family: str = ""
    """Of a filter."""
    outcome: Literal["allow", "rewrite", "block", "fail", "trust", "skip", "answer", "empty"]
    about: str = ""
    """What was decided on: a host for documents, empty for requests. Never a query or a whole address."""
    reason: str = ""
    findings: tuple[Finding, ...] = ()


class Dropped(Value):
    """The receipt for a document that a filter, or the operator's rules for addresses, took out."""

    host: str
    by: str
    reason: str
    unjudged: Unjudged | None = None
    """As in `Block`."""

    def error(self) -> BlockedByFilter:
        """The same where it was the only document."""
        return BlockedByFilter(self.reason, by=self.by, unjudged=self.unjudged)
