"""A text in so many tokens by choosing among its own sentences: nothing is said that it does not say."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from websearch_core.kit import MarkedText, estimate_tokens, marked_slice, outline_of, passages, telling_words, unmarked

from ..choices import Mode
from .chunks import chunks_of
from .quotes import quotes_of
from .salience import salience
from .sentences import Sentence, plainly, sentences_of

_SUMMARY = 0.7
"""Of the tokens, for the summary; key points and quotes share the rest."""
_CITED = 4.0
"""What the name of a block costs after each sentence."""
_MAPPED = 1000
"""Tokens of a piece of `map_reduce`."""
_KEY, _POINTS, _QUOTES, _OMITTED = 3, 10, 5, 5
_NO_POINTS = frozenset(("heading", "code", "table"))
_NAMED = 8
"""Words of a question that are named as missing."""
_WORTH = 40
"""So many tokens must be left for a section to be shortened instead of left out."""


class ExtractiveSummary(NamedTuple):
    """The chosen sentences, in order, and what is to be said of the choice."""

    chosen: list[Sentence]
    omissions: list[str]
    warnings: list[str]


class _Text:
    """A text with its sentences, what each says and costs."""

    def __init__(self, content: str, preserve: Collection[str]) -> None:
        self.content = content
        self.marked = MarkedText(content)
        self.sentences = [one for one in sentences_of(content) if self.words(one).strip()]
        self._scores = {one: salience(unmarked(self.words(one)), one.kind, preserve) for one in self.sentences}
        self._costs = {one: estimate_tokens(self.words(one)) + _CITED for one in self.sentences}

    def words(self, one: Sentence) -> str:
        return self.marked.cut(one.start, one.end)

    def score(self, one: Sentence) -> float:
        return self._scores[one]

    def cost(self, one: Sentence) -> float:
        return self._costs[one]

    def prose(self, start: int, end: int) -> list[Sentence]:
        """The sentences that lie in this part, or reach into it; no headings."""
        first = max(bisect_left(self.sentences, start, key=lambda one: one.start) - 1, 0)
        last = bisect_left(self.sentences, end, key=lambda one: one.start)
        return [one for one in self.sentences[first:last] if one.end > start and one.kind != "heading"]


def compacted(
    content: str,
    max_tokens: int,
    mode: Mode,
    question: str = "",
    preserve: Collection[str] = ("numbers", "dates", "names"),
    parts: Sequence[int] = (),
) -> dict[str, Any]:
    """Summary, key points and quotes, each with the block that it is from, in at most `max_tokens`.

    `parts` is where the second and later of the parts begin that `map_reduce` hears; without them it makes its own.
    """
    text = _Text(content, preserve)
    room = max_tokens * _SUMMARY
    if sum(text.cost(one) for one in text.sentences) <= room:
        unanswered = _unanswered(content, question) if mode == "question_focused" else ""
        made = ExtractiveSummary(text.sentences, [], [unanswered] if unanswered else [])
    elif mode == "structural":
        made = _structural(text, room)
    elif mode == "map_reduce":
        made = _map_reduce(text, room, parts)
    elif mode == "question_focused":
        made = _focused(text, room, question)
    else:
        made = _salient(text, text.sentences, room)
    sentences = [_said(text.marked, one) for one in made.chosen]
    return finished(text.marked, sentences, made, max_tokens, text.score)


def finished(
    marked: MarkedText,
    sentences: list[dict[str, Any]],
    made: ExtractiveSummary,
    max_tokens: int,
    score: Callable[[Sentence], float],
) -> dict[str, Any]:
    """The whole result round a summary of these sentences: points and quotes as long as there is room."""
    summary = "\n".join(f"{one['text']} [{one['citation']}]" for one in sentences)
    left = max_tokens - estimate_tokens(summary)
    prose = (one for one in made.chosen if one.kind not in _NO_POINTS and score(one) >= _KEY)
    points, left = _fitting(marked, sorted(prose, key=score, reverse=True), _POINTS, left)
    quotes, left = _fitting(marked, quotes_of(marked.text), _QUOTES, left)
    return {
        "summary": summary,
        "sentences": sentences,
        "key_points": sorted(points, key=lambda point: point["start"]),
        "important_quotes": quotes,
        "omissions": made.omissions[:_OMITTED],
        "warnings": made.warnings,
        "est_tokens": round(max_tokens - left),
    }


def _fitting(
    marked: MarkedText, among: Sequence[Sentence], most: int, room: float
) -> tuple[list[dict[str, Any]], float]:
    """The first of these that there is room for, each text once; and the room that is left."""
    said: dict[str, dict[str, Any]] = {}
    for one in among:
        words = marked.cut(one.start, one.end)
        cost = estimate_tokens(words) + _CITED
        if cost <= room and len(said) < most and (key := plainly(words).casefold()) not in said:
            said[key] = _said(marked, one)
            room -= cost
    return list(said.values()), room


def _said(marked: MarkedText, one: Sentence) -> dict[str, Any]:
    words = marked.cut(one.start, one.end)
    text = words if one.kind in ("code", "table", "heading") else plainly(words)
    return {"text": text, "citation": f"b{one.block}", "start": one.start, "end": one.end}


def _best(text: _Text, among: Sequence[Sentence], room: float, extra: Callable[[Sentence], float]) -> list[Sentence]:
    """Those that say most and fit together, each text once, in order."""
    chosen: list[Sentence] = []
    seen: set[str] = set()
    among = [one for one in among if text.cost(one) <= room]
    for one in sorted(among, key=lambda one: (-text.score(one) - extra(one), one.start)):
        words = plainly(text.words(one)).casefold()
        cost = text.cost(one)
        if words in seen or cost > room:
            continue
        seen.add(words)
        room -= cost
        chosen.append(one)
    return sorted(chosen)


def _nothing(_one: Sentence) -> float:
    return 0.0


def _salient(text: _Text, among: Sequence[Sentence], room: float) -> ExtractiveSummary:
    prose = [one for one in among if one.kind != "heading"]
    chosen = _best(text, prose, room, _nothing)
    if chosen:
        return ExtractiveSummary(chosen, [f"{len(prose) - len(chosen)} of {len(prose)} sentences are left out"], [])
    return ExtractiveSummary([], [f"all {len(prose)} sentences are left out"], ["no sentence fits into so few tokens"])


def _structural(text: _Text, room: float) -> ExtractiveSummary:
    """Whole sections, the ones that say most first; one that does not fit is shortened."""
    sections: list[list[Sentence]] = [[]]
    for one in text.sentences:
        if one.kind == "heading" and sections[-1]:
            sections.append([])
        sections[-1].append(one)
    scored = sorted(sections, key=lambda section: (-_worth(text, section), section[0].start if section else 0))
    chosen: list[Sentence] = []
    omissions: list[str] = []
    for section in scored:
        cost = sum(text.cost(one) for one in section)
        if cost <= room:
            chosen += section
            room -= cost
            continue
        head = section[:1] if section and section[0].kind == "heading" else []
        name = f'"{marked_slice(plainly(text.words(head[0])), 0, 80)}"' if head else "the beginning"
        spent = sum(text.cost(one) for one in head)
        inner = _best(text, section[len(head) :], room - spent, _nothing) if room >= _WORTH + spent else []
        if inner:
            chosen += [*head, *inner]
            room -= spent + sum(text.cost(one) for one in inner)
            omissions.append(f"{name} is shortened")
        else:
            omissions.append(f"{name} is left out")
    warnings = [] if chosen else ["no sentence fits into so few tokens"]
    return ExtractiveSummary(sorted(chosen), omissions, warnings)


def _worth(text: _Text, section: Sequence[Sentence]) -> float:
    """Of a section: what its sentences say on average, and a little for a heading of the upper levels."""
    inner = [one for one in section if one.kind != "heading"]
    top = bool(section) and section[0].kind == "heading" and text.words(section[0]).startswith(("# ", "## ", "### "))
    return (sum(text.score(one) for one in inner) / len(inner) if inner else -1.0) + 2 * top


def _map_reduce(text: _Text, room: float, parts: Sequence[int]) -> ExtractiveSummary:
    """Each part of the text has its say: its shortest sentence at least, and an even share of the tokens."""
    starts = (
        [0, *parts]
        if parts
        else [chunk.start for chunk in chunks_of(text.content, _MAPPED, margin=0.0, strategy="balanced")]
    )
    spans = list(zip(starts, [*starts[1:], len(text.content)], strict=True))
    heard = [[one for one in text.prose(start, end) if start <= one.start < end] for start, end in spans]
    least = [min((text.cost(one) for one in among), default=0.0) for among in heard]
    chosen: list[Sentence] = []
    silent: list[int] = []
    left = room
    for number, among in enumerate(heard):
        first = {one.start for one in among[:1]}
        share = max(left / (len(heard) - number), min(least[number], left - sum(least[number + 1 :])))
        inner = _best(text, among, share, lambda one, first=first: 2.0 * (one.start in first))
        if among and not inner:
            silent.append(number + 1)
        left -= sum(text.cost(one) for one in inner)
        chosen += inner
    warnings = (
        [f"parts {', '.join(map(str, silent))} of {len(heard)} are left out: none of their sentences fits"]
        if silent
        else []
    )
    return ExtractiveSummary(chosen, [f"{len(chosen)} sentences of {len(heard)} parts are kept"], warnings)


def _focused(text: _Text, room: float, question: str) -> ExtractiveSummary:
    """The passages that answer best (BM25), whole as long as they fit."""
    unanswered = _unanswered(text.content, question)
    found = passages(text.content, question, outline_of(text.content)) if question.strip() else []
    if not found:
        rest = _salient(text, text.sentences, room)
        why = f"{unanswered}: what says most was chosen instead"
        return ExtractiveSummary(rest.chosen, rest.omissions, [why, *rest.warnings])
    chosen: set[Sentence] = set()
    best = found[0].score
    for passage in found:
        if passage.score < best / 4:
            break
        inner = [one for one in text.prose(passage.start, passage.end) if one not in chosen]
        fitting = _best(text, inner, room, _nothing)
        chosen |= {*fitting}
        room -= sum(text.cost(one) for one in fitting)
    prose = sum(one.kind != "heading" for one in text.sentences)
    warnings = [] if chosen else ["no sentence that answers fits into so few tokens"]
    warnings += [unanswered] if unanswered else []
    return ExtractiveSummary(sorted(chosen), [f"{len(chosen)} of {prose} sentences are about the question"], warnings)


def _unanswered(content: str, question: str) -> str:
    """Why the text hardly answers the question; empty where it may."""
    if not question.strip():
        return "there is no question"
    outline = outline_of(content)
    if not passages(content, question, outline):
        return "no word of the question is in the text"
    words = telling_words(question)
    missing = [word for word in words if not passages(content, word, outline)]
    if missing and 2 * len(missing) >= len(words):
        return f"the text may not answer the question: it does not have the words {', '.join(missing[:_NAMED])}"
    return ""
