"""Which elements the page's own `<style>` elements hide."""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from .cascade import ALL, Rule, layer_of, may_match, may_undo, names_of, ways_left
from .certain import doubted_from
from .css import applies, by_variables, custom_properties, declarations, resolved, structured, unescaped, varied
from .hiding import may_hide, ways_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from turbohtml import Document, Element

MAX_CHARS = 500_000
MAX_RULES = 300
FEW_RULES = 6
"""To look for so many costs less than to learn every name first."""
MAX_NESTED = 12
"""Rules and at-rules around a rule that is read."""
MAX_SELECTOR = 2_000
"""Characters of all selectors of a nested rule: `&` and lists multiply."""
_STATE = re.compile(
    r"\bjs\b|no-?js|load(?:ing|ed)|ready|hydrat|:has\((?![> ]*[\w.#-]+\))|"
    r":(?!(?:is|where|not|has|lang|dir)\(|nth-|(?:first|last|only)-(?:child|of-type)|(?:root|scope|empty|link|any-link)\b)"
)
"""What scripts take away, or a reader's doing brings; what is no element; and relations that take long to look for."""
_ESCAPED = re.compile(r"\\.")
_AT = re.compile(r"@([a-z-]+)\s*(.*)", re.DOTALL | re.IGNORECASE)
_LAYERS = re.compile(r"@layer\s([^;]+)", re.IGNORECASE)
_PARTING = re.compile(r"[(),]")
_NONE: frozenset[str] = frozenset()
_BETWEEN = " \t\r\n\f<"
"""What may stand before a rule; see `structured` for the last one."""
COLOURED_CHARS = 30_000
"""Of style sheets in which colours are looked at: larger ones are a program's, and colour thousands of elements."""


class Sheets(NamedTuple):
    """The page's `<style>` elements for an ordinary screen."""

    rules: list[Rule]
    variables: dict[str, str]
    """The custom properties that any rule sets, each as it was set last."""
    chars: int


def sheets_of(document: Document) -> Sheets:
    """Those whose own media query holds, and that count where scripts run."""
    styles = [style for style in document.select("style") if applies(style.attr("media") or "")]
    unread = set(document.select("noscript style, template style") if styles else ())
    read = [style for style in styles if style not in unread]
    texts = list(map(structured, _cut([style.text for style in read])))
    lower = "\n".join(texts).lower()
    is_varied = "--" in lower and varied(unescaped(lower))
    used = is_varied or ("--" in lower and document.select_one("[style*='var(']") is not None)
    variables = custom_properties(lower) if used else {}
    order, layers = count(), dict[str, int]() if "@layer" in lower else None
    rules: list[Rule] = []
    for style, text in zip(read, texts, strict=False):
        media = style.attr("media")
        reading = _Reading(variables if is_varied else None, order, layers, (f"@media {media}",) if media else ())
        rules += reading.rules(text, doubted_from(text) if _is_plain(style) else 0)
    return Sheets(rules, variables, len(lower))


def _is_plain(style: Element) -> bool:
    """Whether every browser reads it, and for the whole page: none of another type, nor one of several to choose."""
    return (style.attr("type") or "text/css").lower() == "text/css" and not style.attr("title")


def _cut(texts: Sequence[str]) -> Iterator[str]:
    left = MAX_CHARS
    for text in texts:
        if left > 0:
            yield text[:left]
        left -= len(text)


def hidden_by_rules(document: Document, sheets: Sheets) -> dict[Element, frozenset[str]]:
    """Elements that a rule keeps unseen on an ordinary screen, and in what ways (`hiding.ways_of`).

    Selectors that depend on a state are not read, nor are linked style sheets.
    """
    judged: dict[str, bool] = {}

    def hiding() -> Iterator[tuple[str, Rule]]:
        for rule in sheets.rules:
            if (known := judged.get(rule.text)) is None:
                known = judged[rule.text] = may_hide(rule.text) and bool(ways_of(declarations(rule.text)))
            if known:
                yield from ((selector, rule) for selector in selectors_of(rule.around))

    found: dict[Element, list[tuple[str, Rule]]] = {}
    selected: dict[str, list[Element]] = {}
    pairs = list(islice(hiding(), MAX_RULES))
    names = names_of(document.select("[class], [id]")) if len(pairs) > FEW_RULES else None
    for selector, rule in pairs:
        if selector not in selected:
            near = names is None or may_match(selector, names)
            selected[selector] = _select(document, selector) if near else []
        for element in selected[selector]:
            found.setdefault(element, []).append((selector, rule))
    found = {element: matched for element, matched in found.items() if not _is_formula(element)}
    return {element: ways for element, ways in ways_left(found, sheets.rules, selectors_of).items() if ways}


def hidden_against_rules(styled: Mapping[Element, str], sheets: Sheets) -> dict[Element, frozenset[str]]:
    """In what ways elements that their own style hides stay hidden where important rules may show them."""
    if not styled or not (important := [rule for rule in sheets.rules if "!" in rule.text and may_undo(rule)]):
        return {}
    found = {element: [("", Rule((), style, 0))] for element, style in styled.items()}
    return ways_left(found, important, selectors_of)


def _is_formula(element: Element) -> bool:
    """MathML for screen readers, hidden beside the formula's picture."""
    formula = element if element.tag == "math" else element.select_one("math")
    return formula is not None and formula.text.strip() == element.text.strip()


def coloured_by_rules(document: Document, sheets: Sheets) -> Iterator[tuple[list[Element], str]]:
    """Elements, rule by rule, with the declarations of rules that give them a colour or a ground."""
    if sheets.chars > COLOURED_CHARS:
        return
    coloured = (
        (selector, rule.text)
        for rule in sheets.rules
        if "color" in rule.text or "background" in rule.text
        for selector in selectors_of(rule.around)
    )
    for selector, text in islice(coloured, MAX_RULES):
        yield _select(document, selector), text


def _select(document: Document, selector: str) -> list[Element]:
    from turbohtml import SelectorSyntaxError

    try:
        return document.select(selector)
    except SelectorSyntaxError:
        return []


class _Reading:
    """Of one sheet; the order and the layers go on from sheet to sheet."""

    def __init__(
        self,
        variables: Mapping[str, str] | None,
        order: Iterator[int],
        layers: dict[str, int] | None,
        outer: tuple[str, ...],
    ) -> None:
        self._variables, self._order, self._layers, self._outer = variables, order, layers, outer
        self._around: list[str] = []

    def rules(self, text: str, sure: int) -> Iterator[Rule]:
        """Every run of plain declarations, with what stands around it; up to `sure`, browsers read it alike."""
        around, layers = self._around, self._layers
        end = -1
        for chunk in text.split("}"):
            end += len(chunk) + 1
            *preludes, last = chunk.split("{")
            for prelude in preludes:
                before, parted, selectors = prelude.rpartition(";")
                if parted and around:
                    if len(around) <= MAX_NESTED:
                        yield self._rule(before.lower(), is_sure=end <= sure)
                elif parted and layers is not None:
                    for names in _LAYERS.findall(before):
                        for name in names.split(","):
                            layer_of([f"@layer {name}"], layers)
                around.append(selectors.strip() if around else selectors.lstrip(_BETWEEN).rstrip())
                if layers is not None and around[-1].lower() == "@layer":
                    around[-1] = f"@layer \0{len(layers)}"  # one of its own
            if around:
                if len(around) <= MAX_NESTED:
                    yield self._rule(last.lower(), is_sure=end <= sure)
                around.pop()

    def _rule(self, declared: str, *, is_sure: bool) -> Rule:
        declared = unescaped(declared)
        doubted = by_variables(declared) if "var(" in declared else _NONE
        if self._variables is not None and "var(" in declared:
            declared = resolved(declared, self._variables)
        around = (*self._outer, *self._around)
        layer = layer_of(around, self._layers) if self._layers is not None else ()
        return Rule(around, declared, next(self._order), layer, doubted if is_sure else ALL)


def selectors_of(around: Sequence[str]) -> list[str]:
    """What a rule inside of these selects, each an at-rule or the selectors of a rule; empty where none applies."""
    selectors: list[str] = []
    for prelude in around:
        if at := _AT.match(prelude):
            name, condition = at[1].lower(), at[2]
            if name == "scope":
                selectors = [_bracketed(condition)]
            elif not _counts(name, condition):
                return []
            continue
        inner = _parted(prelude)
        if selectors:
            outer = selectors[0] if len(selectors) == 1 else f":is({', '.join(selectors)})"
            inner = [part.replace("&", outer) if "&" in part else f"{outer} {part}" for part in inner]
            if sum(map(len, inner)) > MAX_SELECTOR:
                return []
        selectors = inner
    return [selector for selector in selectors if not _STATE.search(_ESCAPED.sub("x", selector))]


def _bracketed(condition: str) -> str:
    depth = 0
    for mark in _PARTING.finditer(condition):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth <= 0:
            return condition[: mark.start()].strip(" ").removeprefix("(")
    return ""


def _parted(selectors: str) -> list[str]:
    """A list at its commas outside of brackets."""
    parts: list[str] = []
    begun = depth = 0
    for mark in _PARTING.finditer(selectors) if "(" in selectors else ():
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "," and depth <= 0:
            parts.append(selectors[begun : mark.start()])
            begun = mark.end()
    rest = selectors[begun:]
    parts += [rest] if "(" in selectors else rest.split(",")
    return [part.strip() for part in parts if part.strip()]


def _counts(name: str, condition: str) -> bool:
    if name in {"media", "container"}:
        return applies(condition if name == "media" else condition[max(0, condition.find("(")) :])
    return name == "layer" or (name == "supports" and not condition.lower().startswith("not"))
