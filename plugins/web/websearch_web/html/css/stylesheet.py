"""What the page's own `<style>` elements say: read once, and looked into only where something may be hidden."""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

from .declarations import applies, by_variables, custom_properties, declarations, resolved, structured, unescaped
from .hiding import at_their_end, hiding_among, ways_of
from .selectors import HAS, cost_of, holds, is_valid, may_match, names_of, selectors_of
from .unambiguous import doubted_from, is_certain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from turbohtml import Document, Element

MAX_CHARS = 500_000
MAX_NESTED = 12
"""Rules and at-rules around a rule that is read."""
MAX_WORK = 20_000_000
"""Steps of looking for what rules select, about a second on one page."""
ASK_STEPS = 8
"""Of asking one element for one selector."""
MATCH_STEPS = 20
"""Of what is done in Python for one element."""
FEW = 24
"""Selectors: to look for so many costs less than to learn every name first."""
WEIGHED = frozenset({"display", "visibility", "opacity", "font-size", "color"})
"""Properties of which one rule may undo what another says."""
_ALL = WEIGHED | {"background", "background-color"}
_LAYERS = re.compile(r"@layer\s([^;]+)", re.IGNORECASE)
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)
_CUSTOM = re.compile(r"(?<![\w.#-])--[\w-]*\s*:")
_KEYFRAMES = re.compile(r"@(?:-[a-z]+-)?keyframes\s+([\w-]+)\s*\{((?:[^{}]*+\{[^{}]*+\})*+)")
_FRAME = re.compile(r"([^{}]*+)\{([^{}]*+)\}")
_LAST = frozenset({"to", "100%"})
_BETWEEN = " \t\r\n\f<"
"""What may stand before a rule; see `structured` for the last one."""


class Rule:
    """Plain declarations in lower case, with the rules and at-rules around them, the outermost first."""

    def __init__(
        self,
        around: tuple[str, ...],
        text: str,
        order: int = 0,
        layer: tuple[float, ...] = (),
        doubts: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self.around, self.text, self.order = around, text, order
        self.layer = layer
        """Its place among the cascade's layers; empty where the page has none."""
        self._doubts = doubts
        self._sure: bool | None = None

    @cached_property
    def doubted(self) -> frozenset[str]:
        """Properties by which it shows nothing: what a variable says, since another element's may be meant, or all."""
        return self._doubts()

    @cached_property
    def selectors(self) -> list[str]:
        """What it selects on an ordinary screen, in no state."""
        return selectors_of(self.around)

    def is_sure(self, probe: Element) -> bool:
        """Whether every browser applies it: in doubt, a rule may hide, but shows nothing."""
        if self._sure is None:
            self._sure = is_certain(self.around) and is_valid(self.selectors, probe)
        return self._sure


class StyleSheets:
    """The page's `<style>` elements for an ordinary screen, as far as they count where scripts run."""

    def __init__(self, document: Document) -> None:
        styles = [style for style in document.select("style") if applies(style.attr("media") or "")]
        unread = set(document.select("noscript style, template style") if styles else ())
        styles = [style for style in styles if style not in unread]
        texts = list(map(structured, _cut([style.text for style in styles])))
        lowers = [text.lower() for text in texts]
        lower = "\n".join(lowers)
        self._document = document
        used = "--" in lower and ("var(" in lower or document.select_one("[style*='var(']") is not None)
        self.variables = custom_properties(lower) if used else {}
        """The custom properties that any rule sets, each as it was set last."""
        self.ends = _hidden_ends(lower) if "keyframes" in lower else {}
        """What animations leave behind that end unseen, by their names."""
        self.chars = len(lower)
        self._layers = dict[str, int]() if "@layer" in lower else None
        self._runs: list[tuple[tuple[str, ...], str, int, int]] = []
        """Of plain declarations, in lower case: what is around them, they, their sheet, where they end."""
        self._places: list[tuple[float, ...]] = []
        """Of each the place among the layers, where there are any."""
        self._texts = [(text, _is_plain(style)) for style, text in zip(styles, texts, strict=False)]
        self._held: dict[str, bool] = {}
        self._odd: dict[int, int] = {}
        """Of a sheet, before what stands something that is no rule."""
        self._sound: dict[int, int] = {}
        self._rules: dict[int, Rule] = {}
        self._selected: dict[str, list[Element]] = {}
        self._work = 0
        for sheet, (style, text, low) in enumerate(zip(styles, texts, lowers, strict=False)):
            media = style.attr("media")
            self._read(sheet, text, low, (f"@media {media}",) if media else ())
        self._said = {text for _, text, _, _ in self._runs}

    @property
    def overrun(self) -> bool:
        """Whether looking for what the rules select took too long, so that not all of them were applied."""
        return self._work > MAX_WORK

    @cached_property
    def _size(self) -> int:
        return len(self._document.select("*"))

    @cached_property
    def _depth(self) -> int:
        depths: dict[Element | None, int] = {}
        for element in self._document.select("*"):
            depths[element] = depths.get(cast("Element | None", element.parent), 0) + 1
        return max(depths.values(), default=0)

    @cached_property
    def names(self) -> set[str]:
        """Classes and ids of the whole page."""
        return names_of(self._document.select("[class], [id]"))

    def hiding(self) -> Iterator[Rule]:
        """Rules that keep something unseen."""
        return self._saying(hiding_among(self._said, self.variables))

    def with_opacity(self) -> Iterator[Rule]:
        """Rules that say how much of something is seen."""
        return self.rules({"opacity"})

    def rules(self, words: Collection[str], counts: Callable[[str], bool] | None = None) -> Iterator[Rule]:
        """Those whose declarations hold one of these words and count."""
        found = {text for word in words for text in self._said if word in text}
        return self._saying(set(filter(counts, found)) if counts else found)

    def _saying(self, texts: Collection[str]) -> Iterator[Rule]:
        if not texts:
            return iter(())
        return map(self._rule, [number for number, (_, text, _, _) in enumerate(self._runs) if text in texts])

    def select(self, selector: str) -> list[Element]:
        """The elements that a selector speaks of."""
        if selector not in self._selected:
            near = len(self._selected) < FEW or may_match(selector, self.names, self.names)
            self._selected[selector] = self._found(selector) if near else []
        found = self._selected[selector]
        return found if self._affords(len(found) * MATCH_STEPS) else []

    def among(self, elements: Collection[Element], selector: str) -> list[Element]:
        """Those of the elements that a selector speaks of: all are asked, or the page is, whatever is less."""
        from turbohtml import SelectorSyntaxError

        if len(elements) * ASK_STEPS > self._size:
            return [element for element in self.select(selector) if element in elements]
        if not self._affords(len(elements) * (MATCH_STEPS + self._cost(selector))):
            return []
        try:
            return [element for element in elements if element.matches(selector)]
        except SelectorSyntaxError:
            return []

    def _found(self, selector: str) -> list[Element]:
        from turbohtml import SelectorSyntaxError

        try:
            return self._document.select(selector) if self._affords(self._size * self._cost(selector)) else []
        except SelectorSyntaxError:
            return []

    def _cost(self, selector: str) -> int:
        return cost_of(selector, self._size, self._depth if HAS in selector else 0)

    def _affords(self, steps: int) -> bool:
        self._work += steps
        return not self.overrun

    def _rule(self, number: int) -> Rule:
        if (rule := self._rules.get(number)) is None:
            around, text, _, _ = self._runs[number]
            layer = self._places[number] if self._places else ()
            text = resolved(text, self.variables)
            rule = self._rules[number] = Rule(around, text, number, layer, partial(self._doubts, number))
        return rule

    def _doubts(self, number: int) -> frozenset[str]:
        _, text, sheet, end = self._runs[number]
        read, is_plain = self._texts[sheet]
        if sheet not in self._sound:
            self._sound[sheet] = doubted_from(read) if is_plain else 0
        alike = min(self._sound[sheet], self._odd.get(sheet, end))
        return by_variables(text) if end <= alike else _ALL

    def _read(self, sheet: int, text: str, lower: str, outer: tuple[str, ...]) -> None:
        """Every run of plain declarations, and where something stands that is no rule."""
        layers, runs, rules, begin = self._layers, self._runs, 0, 0
        unheld = 0  # how deep the outermost at-rule stands that does not hold; 0: all do
        around: list[str] = []
        within = outer
        plain = layers is None and not self.ends and "\\" not in lower
        for chunk, low in zip(text.split("}"), lower.split("}"), strict=True):
            end = begin + len(chunk)
            head, brace, said = low.partition("{")
            if brace and "{" not in said and ";" not in head and "--" not in head:
                prelude = chunk.partition("{")[0].strip()
                if prelude[:1] not in "@<":  # a rule like most
                    if len(around) < MAX_NESTED and not (unheld and layers is None):
                        if plain:
                            runs.append(((*within, prelude), said, sheet, end))
                        else:
                            self._add((*within, prelude), said, sheet, end, counts=not unheld)
                    begin = end + 1
                    continue
            *preludes, last = chunk.split("{")
            lows = low.split("{")
            for prelude, lowered in zip(preludes, lows, strict=False):
                before, parted, selectors = prelude.rpartition(";")
                if parted:
                    if around:
                        self._add(within, lowered.rpartition(";")[0], sheet, end, counts=not unheld)
                    elif layers is not None:
                        for names in _LAYERS.findall(before):
                            for name in names.split(","):
                                _layer_of([f"@layer {name}"], layers)
                    if not rules and not all(part.lstrip().startswith("@") for part in before.split(";")):
                        self._odd.setdefault(sheet, begin)
                selectors = selectors.strip() if around else selectors.lstrip(_BETWEEN).rstrip()
                if layers is not None and selectors.lower() == "@layer":
                    selectors = f"@layer \0{len(layers)}"  # one of its own
                around.append(selectors)
                within = (*within, selectors) if len(around) <= MAX_NESTED else within
                if selectors[:1] == "@" and not unheld:
                    if selectors not in self._held:
                        self._held[selectors] = holds(selectors)
                    unheld = 0 if self._held[selectors] else len(around)
                rules += _is_rule(selectors)
                if "--" in selectors and _CUSTOM.search(selectors):
                    self._odd.setdefault(sheet, begin)
            if not around or (not rules and ";" in last):
                self._odd.setdefault(sheet, begin)
            if around:
                if len(around) <= MAX_NESTED:
                    self._add(within, lows[-1], sheet, end, counts=not unheld)
                    within = within[:-1]
                rules -= _is_rule(around.pop())
                if len(around) < unheld:
                    unheld = 0
            begin = end + 1

    def _add(self, around: tuple[str, ...], text: str, sheet: int, end: int, *, counts: bool) -> None:
        """Keep declarations that may count for some part of the page; layers stand in the order of all of them."""
        place = _layer_of(around, self._layers) if self._layers is not None else None
        if not counts:
            return
        if place is not None:
            self._places.append(place)
        if "\\" in text:
            text = unescaped(text)
        if self.ends:
            text = at_their_end(text, self.ends)
        self._runs.append((around, text, sheet, end))


def _hidden_ends(lower: str) -> dict[str, str]:
    """The last frames that hide."""
    ends: dict[str, str] = {}
    for name, frames in _KEYFRAMES.findall(lower):
        last = [
            said for places, said in _FRAME.findall(frames) if not _LAST.isdisjoint(map(str.strip, places.split(",")))
        ]
        if ways_of(declarations(end := unescaped(";".join(last)))):
            ends[name] = end
    return ends


def _layer_of(around: Iterable[str], known: dict[str, int]) -> tuple[float, ...]:
    """Where a rule's layer stands: later layers count more, and what is in none counts most. `known` grows."""
    path, places = "", list[float]()
    for prelude in around:
        if prelude[:6].lower() == "@layer":
            for name in prelude[6:].strip().split("."):
                path = f"{path}.{name}"
                places.append(known.setdefault(path, len(known)))
    return (*places, float("inf"))


def _is_rule(prelude: str) -> bool:
    return prelude[:1] != "@" or _GROUP.match(prelude) is None


def _is_plain(style: Element) -> bool:
    """Whether every browser reads it, and for the whole page: none of another type, nor one of several to choose."""
    return (style.attr("type") or "text/css").lower() == "text/css" and not style.attr("title")


def _cut(texts: Sequence[str]) -> Iterator[str]:
    left = MAX_CHARS
    for text in texts:
        if left > 0:
            yield text[:left]
        left -= len(text)
