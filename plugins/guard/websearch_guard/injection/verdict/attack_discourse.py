"""Whether a text writes about attacks on models, and what it then quotes: who explains attacks has to show them."""

# ruff: noqa: RUF001 — quotation marks of many languages are what it looks for

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_left

import numpy as np

from ..model.linear import Floats
from ..text.tokens import Ints

ABOUT, NEAR = 4, 1500
"""So many different words of the trade count, so many characters round a place."""
_TRADE = re.compile(
    r"prompt[\s-]injections?|jailbreak|red[\s-]?team|attackers?\b(?!\.\w)|adversarial|guardrails?|untrusted|mitigations?\b"
    r"|vulnerabilit|exploits?\b|researchers?\b|payloads?\b|malicious|owasp|threat model"
)
_THREAT = re.compile(
    r"\b(?:attack|inject|jailbreak|malicious|adversar|exploit|filter|trick|poison|untrusted|payload|manipulat|defen[cds]"
    r"|delimiter|bait|red.?team|guardrail|threat|false positive|vulnerab|mitigat|smuggl|impersonat"
    r"|angr[ei]f|angriff|bösartig|ata[kqc]|attaq|attacc|malicios|malévol|malveil|aanval|angrep|angreb|skadlig|hyökkä"
    r"|haitalli|útok|útoč|škodliv|złośliw|атак|злоумышлен|зловмис|вредонос|saldırı|επίθεσ|κακόβουλ|هجوم|هجمات|خبيث|حمله|حملات"
    r"|התקפ|זדוני|seranga|penyerang|tấn công|हमल)|攻击|攻擊|攻撃|恶意|惡意|悪意|공격|악성",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:assistant|chatbot|bots?\b|language model|models?\b|agents?\b|llm|prompt|instruction|command|sentence|phrase"
    r"|the line\b|hidden|obey|quotes?\b|summar|system prompt|tool description"
    r"|sprachmodell|assistent|anweisung|asistente|instru[cçk]|modelos?\b|modèles?\b|consigne|modell[oi]\b|istruzion|taalmodel"
    r"|språkmodel|sprogmodel|kielimall|ohjei?\b|model język|polece|pokyn|jazykov|модел|инструк|ассистент|інструк|мовн"
    r"|dil model|talimat|γλωσσικ|οδηγί|نموذج|نماذج|تعليمات|مدل|دستور|מודל|הורא|model bahasa|mô hình|hướng dẫn"
    r"|मॉडल|निर्देश)|模型|指令|提示词|モデル|指示|모델|지시",
    re.IGNORECASE,
)
_THREATS, _TOGETHER, _PLACES = 1, 3, 3
"""So many different words of threats, of both kinds, in so many lines or sentences: then a text explains."""
_LICENCE = re.compile(
    r"copyright\s+notice|permission\s+notice|hereby\s+granted|free\s+of\s+charge|without\s+fee|warrant(?:y|ies)|"
    r"merchantability|substantial\s+portions|following\s+conditions|free\s+software|redistribut|sublicen[cs]e|written\s+agreement"
    r"|all\s+copies|general\s+public\s+license|obtaining\s+a\s+copy|liable|apache license"
)
_TERMS = 2
"""So many different phrases in a stretch: then it is part of a licence, whose orders are to people."""
_LONGEST = 60
"""No such phrase is longer."""
QUOTED = 0.4
"""This share of a passage has to stand between quotation marks: its first and last sentence may hold other words."""
_NARRATION = re.compile(
    r"\b(?:the|an?) (?:assistant|agent|model|chatbot|llm) (?:then |also |now |first )?"
    r"(?:uses|returns|calls|receives|sees|generates|produces|decides|takes|gets)\b"
)
_QUOTED = re.compile(
    r"^[ ]{0,3}```[^\n]*\n[\s\S]{1,3000}?^[ ]{0,3}```|^[ \t]{0,3}>[^\n]{1,1000}|``?[^`\n]{4,400}``?"
    r"|\"[^\"\n]{4,400}\"|[“„”][^“”„\n]{4,400}[“”]|«[^«»\n]{4,400}»|»[^«»\n]{4,400}«|[「『][^「」『』\n]{4,400}[」』]"
    r"|(?<!\w)['‘](?=\w)(?:[^'‘’\n]|(?<=\w)['’](?=\w)){4,400}['’](?!\w)",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"[.!?。！？]\s|\n")


def about(text: str, places: Ints) -> Floats:
    """How many words of the trade stand near each place, up to ABOUT."""
    if not len(places):
        return np.zeros(0)
    begin, end = max(0, int(places.min()) - NEAR), int(places.max()) + NEAR + _LONGEST
    found = [(hit.start(), hit[0]) for hit in _TRADE.finditer(_lowered(text), begin, end)]
    near: list[int] = []
    for place in places.tolist():
        first, last = (bisect_left(found, (at, "")) for at in (place - NEAR, place + NEAR))
        words: set[str] = set()
        for _, word in found[first:last]:
            words.add(word)
            if len(words) == ABOUT:
                break
        near.append(len(words))
    return np.minimum(np.array(near, np.float64), ABOUT)


def unaddressed(text: str, starts: Ints, ends: Ints) -> Floats:
    """1 for each stretch that holds the terms of a licence or tells what an assistant does, else 0.

    Only its own words count: what stands elsewhere may be an attacker's.
    """
    if not len(starts):
        return np.zeros(0)
    begin, end = int(starts.min()), int(ends.max()) + _LONGEST
    lowered = _lowered(text)
    terms = [(hit.start(), hit[0][:9]) for hit in _LICENCE.finditer(lowered, begin, end)]
    narrated = [hit.start() for hit in _NARRATION.finditer(lowered, begin, end)]

    def excused(start: int, end: int) -> bool:
        if bisect_left(narrated, start) < bisect_left(narrated, end):
            return True
        first, last = bisect_left(terms, (start, "")), bisect_left(terms, (end, ""))
        return len({term for _, term in terms[first:last]}) >= _TERMS

    return np.array([excused(*place) for place in zip(starts.tolist(), ends.tolist(), strict=True)], np.float64)


def _lowered(text: str) -> str:
    """The same length. An expression that begins with small letters is found much sooner than one that ignores case."""
    return text.replace("İ", "i").lower().replace("ı", "i").replace("ſ", "s")


class Explained:
    """Where a text explains attacks, and what it then quotes: such a passage is marked and never removed.

    Only what stands outside of the quotes tells, several different words in several sentences: an attacker would have
    to write such a text, and to quote his instruction in it.
    """

    def __init__(self, text: str) -> None:
        """Quotes are looked for when first asked."""
        self._text = text

    @functools.cached_property
    def _quotes(self) -> list[tuple[int, int]]:
        return [quote.span() for quote in _QUOTED.finditer(self._text)]

    @functools.cached_property
    def _outside(self) -> str:
        return _QUOTED.sub(lambda quote: " " * len(quote[0]), self._text)

    def excuses(self, start: int, end: int, *, named: bool) -> bool:
        """Whether a passage is mostly quoted, or no rule names it, in a text that explains attacks round it."""
        first = max(0, bisect_left(self._quotes, (start, 0)) - 1)
        quoted = 0
        for begin, stop in itertools.takewhile(lambda quote: quote[0] < end, self._quotes[first:]):
            quoted += max(0, min(end, stop) - max(start, begin))
        own = named and quoted < QUOTED * (end - start)
        return not own and _explains(self._outside[max(0, start - NEAR) : end + NEAR])


def _explains(text: str) -> bool:
    threats = {hit[0].lower() for hit in _THREAT.finditer(text)}
    talk = {hit[0].lower() for hit in _TALK.finditer(text)}
    if len(threats) < _THREATS or len(threats) + len(talk) < _TOGETHER:
        return False
    return sum(bool(_THREAT.search(part) or _TALK.search(part)) for part in _SENTENCE.split(text)) >= _PLACES
