"""Rewrites queries so that the engines' commands in them are plain words; trusts no backend to do so."""

from __future__ import annotations

from collections.abc import Sequence

from websearch_core import Allow, Finding, Outgoing, RequestFilter, Rewrite, SearchRequest, Verdict
from websearch_core.kit import Part, ToolRequest

from .commands import Command, Commands

REASON = "operators that leave the search engine were taken as plain words"
_QUERIES = frozenset({"query", "q", "search"})
_ROUNDS = 4
"""One command may be behind another; nobody nests them deeper by accident."""


class GuardOperators(RequestFilter):
    """Queries only: of addresses and domain rules nothing is changed; of a tool's arguments what is named a query."""

    name = "guard-operators"
    family = "operators"
    priority = 15

    def __init__(self, engines: Sequence[str] = ()) -> None:
        """For these engines; none: for all that have a list. Raises ValueError for one that has none."""
        self._commands = Commands(engines)

    def warm(self) -> None:
        """Load what reads."""
        from ..deobfuscation import canonical

        canonical("élections")

    async def check(self, request: Outgoing) -> Verdict:
        """Allow, or Rewrite with every word kept."""
        parts = request.parts
        findings: list[Finding] = []
        written: list[Part] = []
        for part in parts:
            text = part.text
            if _is_query(request, part.field) and (self._commands.possible(text) or not text.isascii()):
                text = self._plain(part, findings)
            written.append(Part(part.field, text))
        if not findings:
            return Allow()
        return Rewrite(reason=REASON, parts=tuple(written), findings=tuple(findings))

    def _plain(self, part: Part, findings: list[Finding]) -> str:
        from ..deobfuscation import canonical

        text = part.text
        for round_ in range(_ROUNDS):
            view = canonical(text)
            commands = self._commands.of(view.text)
            if not commands:
                return text
            places = [Command(c.kind, *view.span(c.start, c.end), c.instead) for c in commands]
            if not round_:
                findings += (Finding(c.kind, part.field, c.start, c.end) for c in places)
            text = _without(text, places)
        # still not plain: nothing that could be a sigil stays
        return self._commands.bare(canonical(text).text)


def _is_query(request: Outgoing, field: str) -> bool:
    if isinstance(request, SearchRequest):
        return field == "query"
    names = [name for name in field.lower().split(".") if not name.isdigit()]
    return isinstance(request, ToolRequest) and bool(names) and names[-1] in _QUERIES


def _without(text: str, commands: Sequence[Command]) -> str:
    out: list[str] = []
    place = 0
    for command in commands:
        if command.start < place:  # one character that is read as two
            continue
        out += (text[place : command.start], command.instead)
        place = command.end
    plain = "".join((*out, text[place:]))
    # an empty query is none: engines take the quoted sign for a text
    return plain if plain.strip() else '"!"'
