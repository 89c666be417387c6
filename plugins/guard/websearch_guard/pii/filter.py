"""The request filter `guard-pii`: nothing personal and no secret leaves, in whatever part it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from websearch_core import Allow, Block, Finding, Outgoing, RequestFilter, Rewrite, Verdict
from websearch_core.kit import Part

from .kinds import DEFAULT_ACTIONS, KINDS, SAID, Action, Kind

if TYPE_CHECKING:
    from .text.prepared_text import Span

_ADDRESSES = ("url", "goggle")
_TOO_MUCH = "the request is too long to be checked for personal data; shorten it"
_MASKED = "personal data was left out of the request"


class PersonalData(RequestFilter):
    """Blocks or masks by class; the reason names classes and never what was found."""

    name = "guard-pii"
    family = "pii"
    priority = 10

    def __init__(self, actions: Mapping[Kind, Action] | None = None) -> None:
        """`actions`: what is done with a class where that is not to block it."""
        self._nothing_found = Allow()
        self._actions = {**DEFAULT_ACTIONS, **(actions or {})}

    def warm(self) -> None:
        """Load the detectors."""
        from .find import find

        find("")

    def warm_later(self) -> None:
        """Load and compile the tables that a request with a number or an address in it needs."""
        from .find import warm_up

        warm_up()

    async def check(self, request: Outgoing) -> Verdict:
        """Judge every part; what is masked in an address, or leaves nothing worth asking, is blocked."""
        from .find import TooMuchError

        parts = request.parts
        try:
            return self._judged(parts)
        except TooMuchError:
            return Block(reason=_TOO_MUCH)

    def _judged(self, parts: Sequence[Part]) -> Verdict:
        from .masking import masked

        found = [(part, spans) for part in parts if (spans := self._spans(part))]
        if not found:
            return self._nothing_found
        findings = tuple(Finding(s.kind, part.field, s.start, s.end, s.score) for part, spans in found for s in spans)
        kinds = {span.kind for _, spans in found for span in spans}
        if any(self._actions[kind] == "block" for kind in kinds):
            return Block(
                reason=_reason([k for k in KINDS if k in kinds and self._actions[k] == "block"]), findings=findings
            )
        texts: dict[str, str] = {}
        taken: list[Finding] = []
        for part, _ in found:
            result = (
                None
                if _is_address(part)
                else masked(part.text, lambda text, part=part: self._spans(Part(part.field, text)))
            )
            if result is None:
                return Block(reason=_reason([k for k in KINDS if k in kinds]), findings=findings)
            texts[part.field] = result[0]
            taken += [Finding(s.kind, part.field, s.start, s.end, s.score) for s in result[1]]
        rewritten = tuple(Part(part.field, texts.get(part.field, part.text)) for part in parts)
        return Rewrite(reason=_MASKED, parts=rewritten, findings=tuple(taken))

    def _spans(self, part: Part) -> Sequence[Span]:
        from .find import find

        is_hosts = part.field.endswith("_domains")
        found = _by_line(part.text) if is_hosts else find(part.text, url=_is_address(part))
        return [span for span in found if self._actions[span.kind] != "allow"]


def _is_address(part: Part) -> bool:
    if part.field in _ADDRESSES or part.field.endswith("_domains"):
        return True
    # words behind an address are words: only what is an address as a whole is read as one
    return part.text.startswith(("http://", "https://")) and not any(map(str.isspace, part.text))


def _by_line(text: str) -> list[Span]:
    """Each domain rule is a host."""
    from .find import find

    found: list[Span] = []
    start = 0
    for line in text.split("\n"):
        spans = find(f"//{line}", url=True)
        found += [s._replace(start=max(s.start - 2, 0) + start, end=s.end - 2 + start) for s in spans]
        start += len(line) + 1
    return found


def _reason(kinds: Sequence[Kind]) -> str:
    return f"the request contains {' and '.join(SAID[kind] for kind in kinds)}; leave it out and ask again"
