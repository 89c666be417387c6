"""Whether guard-model costs clean text: the same pages through guard alone, and through both.

Of each source and language of `evals.safety.clean` the same pages, drawn by chance. What guard alone removes and marks
there is the bar: with the model no more may be lost.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from .clean import Effect, effect, sources
from .production import running
from .rows import Row

GROUP = "Clean text, {}, with the model: {}"
EACH = 100
"""Pages of one language."""


async def measure(data: Path) -> AsyncIterator[Row]:
    """For each source all languages together, then each language in which the model changes a page."""
    for source, texts in sources(data).items():
        drawn = sample(texts)
        alone = await _effects(drawn, "guard")
        both = await _effects(drawn, "guard", "guard-model")
        async for row in _rows(source, alone, both):
            yield row


def sample(texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The same ones in every run."""
    return {
        language: random.Random(language).sample(list(of), min(EACH, len(of))) for language, of in sorted(texts.items())
    }


async def _effects(texts: Mapping[str, Sequence[str]], *plugins: str) -> dict[str, list[Effect]]:
    async with running(*plugins) as chain:
        return {language: [await effect(chain, text) for text in of] for language, of in texts.items()}


async def _rows(
    source: str, alone: Mapping[str, Sequence[Effect]], both: Mapping[str, Sequence[Effect]]
) -> AsyncIterator[Row]:
    before = [one for of in alone.values() for one in of]
    after = [one for of in both.values() for one in of]
    name = GROUP.format(source, "all languages")
    yield Row(name, "characters removed", value=_lost(after), unit="of 10,000", at_most=_lost(before))
    count = len(after)
    yield Row(name, "pages with anything removed", _cut(after), count, at_most=_cut(before) / count)
    yield Row(name, "pages with anything marked", _marked(after), count, at_most=_marked(before) / count)
    name = GROUP.format(source, "pages that it changes")
    for language, of in both.items():
        changed = sum(one != other for one, other in zip(of, alone[language], strict=True))
        if changed:
            yield Row(name, language, changed, len(of))


def _lost(found: Sequence[Effect]) -> float:
    return 10_000 * sum(one.removed for one in found) / max(sum(one.characters for one in found), 1)


def _cut(found: Sequence[Effect]) -> int:
    return sum(one.removed > 0 for one in found)


def _marked(found: Sequence[Effect]) -> int:
    return sum(one.marked for one in found)
