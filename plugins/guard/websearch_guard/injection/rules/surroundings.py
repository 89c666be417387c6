"""Whether a text speaks to its reader or about such speech: how much of a match's weight its surroundings leave."""

# ruff: noqa: RUF001 — quotation marks of many languages are what it looks for

import re
from bisect import bisect_left
from collections.abc import Sequence

TOPIC = frozenset(
    [
        "injection*",
        "jailbreak*",
        "vulnerabilit*",
        "mitigat*",
        "researcher*",
        "adversarial*",
        "exploit*",
        "malicious*",
        "attack*",
        "payload*",
        "owasp",
        "untrusted",
        "guardrail*",
        "security",
        "poisoning",
        "detection*",
        "detector*",
        "defence*",
        "defense*",
        "angriff*",
        "ataque*",
        "attaque*",
        "attacco*",
        "атак*",
        "уязвим*",
        "攻击",
        "攻撃",
        "공격",
    ]
)
"""Words of the trade: pages about attacks are dense with them. A word that ends in `*` begins words."""
_INTRODUCING = (
    *("such as", "for example", "for instance", "e.g", "e.g.", "like", "including", "phrase", "phrases", "example"),
    *("examples", "say", "says", "saying", "said", "write", "writes", "written", "called", "known as", "contain"),
    *("contains", "containing", "contained", "read", "reads", "reading", "string", "wie", "zum beispiel", "z.b."),
    *("z. b.", "z.\xa0b.", "par exemple", "comme", "por ejemplo", "como", "por exemplo", "ad esempio", "come"),
    *("bijvoorbeeld", "zoals", "na przykład", "np.", "например", "вроде", "фраза", "наприклад", "örneğin", "gibi"),
    *("مثل", "例如", "比如", "例えば", "たとえば", "예를 들어", "जैसे"),
)
"""What ends just before a phrase that is spoken of."""
_MAY = re.compile(r"attackers? (?:may|might|can|could|would)[^.\n]{0,40}$")
_SIGNS = " \t\n:,\"'“”‘’«»„「『`*_([>-"
_OWN_WORLD = re.compile(
    r"\b(?:dosage|dosing|cooking|baking|washing|laundry|assembly|installation|delivery|shipping|planting|feeding"
    r"|knitting|boarding|evacuation|voting|wiring|mounting|brewing)\s(?:instruction|order|rule|guideline)"
    r"|\b(?:on|inside) (?:the |its |your )?(?:back of the )?"
    r"(?:packet|packag|box|label|bottle|tin|leaflet|carton|card)"
    r"|\b(?:in|of|under) (?:the )?(?:section|chapter|clause|paragraph|article|appendix|figure|table) [\divx]"
    r"|\bin (?:my|our) (?:last|previous|earlier|first) (?:e-?mail|letter|ticket|message|post|comment)"
    r"|\breceived (?:on|over|via|through|from) (?:the|a|an|that|this) (?:\w+ )?"
    r"(?:channel|connection|socket|port|stream|link|server|client|peer|bus|interface)"
    r"|\b(?:if|unless) (?:you(?:['’]ve| have)?|this|it|payment) (?:has |was |is )?(?:already|since)\b"
    r"|\b(?:understandings|negotiations|representations|warranties|agreements?,|proposals)\b"
)
"""Instructions that belong to something else than an AI: a packet, a section, a contract, a bill that may be paid."""
_SPEAKER = re.compile(
    r"[^.!?\n\"“”]{0,60}[,.!?…][\"”»’'] ?(?:(?:he|she|they|i|the \w+|\w+) )?"
    r"(?:said|says|asked|shouted|whispered|replied|ordered|barked|cried|muttered|snapped)\b"
)
"""What follows the speech of somebody in a story."""
_SPECIFIED = re.compile(
    r"\b(?:server|client|implementation|receiver|sender|recipient|parser|decoder|encoder|peer|endpoint|node|host|router"
    r"|proxy|compiler|processor|device|controller)s? (?:must|shall|should|may|can|will)(?: not)?(?: \w+ly)? $"
)
"""What a specification says of its machines, before the verb."""
_NOUN = re.compile(r"\b(?:an?|the|this|each|every) $")
"""After it, a store is no order."""
_WARNED = re.compile(r"\b(?:never|not|n['’]t)\b[^.!?\n]{0,60}\b(?:asks?|asking) (?:you|them|users) to $")
"""Advice against whoever asks for something."""
_BEFORE = {"override": _SPECIFIED, "memory": _NOUN, "exfiltration": _WARNED}
_STORY, _ELSEWHERE = 0.35, 0.1
_OPENING = re.compile(r"[\"“”„«「『`]|(?<!\w)['‘]")
_CLOSING = re.compile(r"[\"”“»」』`]|['’](?!\w)")
_FENCE = re.compile("```")
_QUOTED_LINE = re.compile(r"[ \t]*(?:>|\|)")
_END = re.compile(r"[.!?:]|\n\s{0,3}\n")
_AFTER = 60
_NEAR = 200
_MANY = 40  # matches nearby that are looked at: enough to see three families
_ABOUT_NEAR = 1500
_DIRECT = frozenset({"addressed", "secrecy", "exfiltration", "tool", "turn", "system_tag"})
_BY_TOPIC = (1.0, 1.0, 0.75, 0.5, 0.35)
"""What different words of the trade nearby leave: none, one, two, three, more."""
_FLOOR = 0.25
"""No talk of attacks takes all the weight of a match: an attacker chooses the surroundings too."""


class Surroundings:
    """The surroundings of one text's matches."""

    def __init__(self, lowered: str, found: Sequence[tuple[int, int, str]], topic: Sequence[int]) -> None:
        self._text = lowered
        self._found = found
        self._starts = [start for start, _, _ in found]
        self._fences = [hit.start() for hit in _FENCE.finditer(lowered)]
        self._about = topic

    def factors(self, at: int) -> tuple[float, float]:
        """What part of its weight the match numbered `at` keeps: amid such talk, and as an order to an AI at all.

        The first is 1 in ordinary text, never less than a quarter.
        """
        start, end, family = self._found[at]
        quoted, introduced = self._quoted(start, end), self._introduced(start)
        factor = (0.9 if quoted else 1.0) * (0.6 if introduced else 1.0) * (0.5 if quoted and introduced else 1.0)
        if self._named(start, end):
            factor *= 0.6
        factor *= _BY_TOPIC[min(self._topic(start), len(_BY_TOPIC) - 1)]
        first, last = bisect_left(self._starts, start - _NEAR), bisect_left(self._starts, end + _NEAR)
        families = {family for _, _, family in self._found[first : min(last, first + _MANY)]}
        if len(families) >= 3 and families & _DIRECT:
            factor **= 0.5  # speaks to the reader and asks for something: quoting it does not undo that
        return max(factor, _FLOOR), self._owned(start, end, family)

    def _owned(self, start: int, end: int, family: str) -> float:
        """Less than 1 where it is no order, or one about somebody else's instructions than an AI's."""
        before = _BEFORE.get(family)
        if before and before.search(self._text[max(0, start - 100) : start]):
            return _ELSEWHERE
        if family != "override":
            return 1.0
        if _OWN_WORLD.search(_END.split(self._text[start : end + _AFTER], maxsplit=1)[0]):
            return _ELSEWHERE
        return _STORY if _SPEAKER.match(self._text, end) else 1.0

    def _quoted(self, start: int, end: int) -> bool:
        line = self._text.rfind("\n", 0, start) + 1
        if _QUOTED_LINE.match(self._text, line) or bisect_left(self._fences, start) % 2:
            return True
        before = self._text[max(line, start - _NEAR) : start]
        after = self._text[end : end + _NEAR].split("\n", 1)[0]
        return len(_OPENING.findall(before)) % 2 == 1 and bool(_CLOSING.search(after))

    def _named(self, start: int, end: int) -> bool:
        """Whether hardly more than the match stands between quotation marks: a phrase that is spoken of."""
        return bool(
            _OPENING.search(self._text[max(0, start - 4) : start]) and _CLOSING.search(self._text[end : end + 24])
        )

    def _introduced(self, start: int) -> bool:
        before = self._text[max(0, start - 80) : start]
        said = before[-11:].rstrip(_SIGNS)  # so many signs at most stand between
        ends = before[: len(before) - len(before[-11:]) + len(said)].endswith(_INTRODUCING)
        return ends or ("attacker" in before and bool(_MAY.search(before.rstrip(_SIGNS))))

    def _topic(self, start: int) -> int:
        """How many different words of the trade stand near."""
        first, last = bisect_left(self._about, start - _ABOUT_NEAR), bisect_left(self._about, start + _ABOUT_NEAR)
        return len({self._text[at : at + 6] for at in self._about[first:last]})
