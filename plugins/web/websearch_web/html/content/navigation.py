"""Lines like "Previous, Up, Next"; lists of a page's own headings, of its translations, of all pages of its work."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from turbohtml import Element

from .navigation_words import points_back, points_on, says_step, says_tool, says_top
from .section_labels import says_around

if TYPE_CHECKING:
    from turbohtml import Node

    from ...kit.links import LinkResolver

_LETTERS = frozenset("npuht")
"""The keys that DocBook and Texinfo give to next, previous, up, home and top."""
_RELATIONS = frozenset({"next", "prev", "previous", "up", "start", "contents", "index"})
_MOST_CHARS = 300
_CONTENT = "p, pre, h1, h2, h3, h4, h5, h6, li, dd, figure"
_PROSE = frozenset({"pre", "h1", "h2", "h3", "h4", "h5", "h6", "dd", "figure"})
_TABLE = frozenset({"table", "tbody", "tr"})
_CELLS = frozenset({"td", "th", "tr"})
_LINES = frozenset({"div", "p", "li"})
_BLANKS = 20
"""Nodes without text that may stand between a part and its neighbours."""
_LISTS = frozenset({"ul", "ol"})
_LINE_CHARS = 120
"""Of an item in a list of steps: the title of a neighbour, or of the work."""
_ENTRIES = 3
"""Links that make a table of contents."""
_TREE = 8
"""Links that make a tree of the pages of a work or site."""
_LABEL_CHARS = 60
"""What may stand beside links: "Contents", "Available languages"."""
_LINK_AND_PICTURE = 2
_STEP_CHARS = 30
_MOST_STEPS = 6
_MOST_LINKS = 12
_ROUTES = frozenset("/!")
"""How the addresses of pages begin that a script shows in place of this one."""
_LEAST_STEPS = 2
_UNDER = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_MORE = "img, pre, li, p + p, a[href]:not([href^='#'])"
"""What is more than a label."""


def drop_navigation(container: Element, addresses: LinkResolver) -> None:
    """Take out lines that lead to the neighbours of a page, and lists that only repeat its own headings."""
    _drop_translations(container, addresses)
    _drop_tools(container)
    headings = {_line(heading) for heading in container.select(_HEADINGS)}
    places = _places(container)
    for contents in container.select("ul, ol, dl, table"):
        if contents.parent is None or not _is_contents(contents, addresses, headings):
            continue
        if _leads_here(contents, places, headings):
            _extract_with_label(contents, container)
    gone: set[Node] = set()
    solid: set[Node] = {container}
    lines: dict[Node, bool] = {}
    tables: dict[Node, bool] = {}
    for anchor in container.select("a"):
        if not (_is_step(anchor) or points_back(_line(anchor))) or not gone.isdisjoint(anchor.ancestors):
            continue
        if (line := _line_of(anchor, solid, lines, tables)) is not None:
            gone.add(line)
            line.extract()
    _drop_trees(container, addresses)


def _drop_translations(container: Element, addresses: LinkResolver) -> None:
    """Lists of links to the same page in other languages, as their markup or addresses say."""
    known: dict[Node, bool] = {}
    solid: set[Node] = {container}
    gone: set[Node] = set()

    def translates(anchor: Element) -> bool:
        if anchor not in known:
            href = anchor.attr("href") or ""
            known[anchor] = bool(anchor.attr("hreflang")) or (href[:1] != "#" and addresses.is_translation(href))
        return known[anchor]

    for anchor in container.select("a[href]"):
        if not translates(anchor) or not gone.isdisjoint(anchor.ancestors):
            continue
        found: Element | None = None
        node = anchor
        while isinstance(parent := node.parent, Element) and parent not in solid and parent.tag not in _CELLS:
            anchors = parent.select("a[href]")
            beside = len(parent.text.strip()) - sum(len(other.text.strip()) + 3 for other in anchors)
            told = sum(map(translates, anchors))
            # One may lead to the original, or say what the list is.
            if beside > _LABEL_CHARS or told < len(anchors) - 1 or parent.select_one(_HEADINGS) is not None:
                solid.add(parent)
                break
            node = parent
            if told >= _ENTRIES or all(other.attr("hreflang") for other in anchors[1:]):
                found = node
        solid.update(node.ancestors)
        if found is not None and not _is_whole_section(found):
            gone.add(found)
            found.extract()


def _is_whole_section(part: Element) -> bool:
    """Whether it is all that stands under a heading."""
    before = next((node for node in islice(part.previous_siblings, _BLANKS) if node.text.strip()), None)
    if not isinstance(before, Element) or before.tag not in _UNDER or says_around(_line(before)):
        return False
    after = next((node for node in islice(part.next_siblings, _BLANKS) if node.text.strip()), None)
    return after is None or (isinstance(after, Element) and after.tag in _UNDER)


def _drop_tools(container: Element) -> None:
    """Links that stand alone and lead to the top of the page, by an arrow or the words for it, or edit or print it."""
    seen: set[Node] = {container}
    for anchor in container.select("a[href]"):
        holder = anchor.parent
        if not isinstance(holder, Element) or holder in seen or holder.tag not in _LINES:
            continue
        seen.add(holder)
        text = anchor.text
        up = (anchor.attr("href") or "")[:1] == "#" and says_top(text)
        if up and not text.strip():
            up = anchor.select_one("img, svg") is not None
        if not up and not (len(text) < _LABEL_CHARS and says_tool(text)):
            continue
        if holder.text.strip() == text.strip() and len(holder.select("a, img")) <= _LINK_AND_PICTURE:
            holder.extract()


def _is_contents(contents: Element, addresses: LinkResolver, headings: set[str]) -> bool:
    """Whether all its entries are links to places of this page, and say no more.

    A table of such links is an index, unless what it names are headings.
    """
    anchors = contents.select("a[href]")
    if len(anchors) < _ENTRIES or not all(addresses.is_place(anchor.attr("href") or "") for anchor in anchors):
        return False
    return _is_linked(contents, anchors) and (contents.tag != "table" or _names_headings(anchors, headings))


def _places(container: Element) -> set[str]:
    """What the addresses of places of its page may name."""
    top = next((node for node in reversed(list(container.ancestors)) if isinstance(node, Element)), container)
    named = top.select("[id], a[name]")
    return {element.attr(name) or "" for element in named for name in ("id", "name") if name in element.attrs}


def _leads_here(contents: Element, places: set[str], headings: set[str]) -> bool:
    """Whether what a list of contents names is in the page: half of its targets, or of their headings."""
    anchors = contents.select("a[href]")
    targets = [(anchor.attr("href") or "").partition("#")[2] for anchor in anchors]
    if any(target[:1] in _ROUTES for target in targets if target):
        return False
    return 2 * sum(unquote(target) in places for target in targets) >= len(anchors) or _names_headings(
        anchors, headings
    )


def _names_headings(anchors: list[Element], headings: set[str]) -> bool:
    return 2 * sum(_line(anchor) in headings for anchor in anchors) > len(anchors)


def _line(element: Element) -> str:
    return " ".join(element.text.split())


def _is_linked(element: Element, anchors: list[Element]) -> bool:
    """Whether it says next to nothing outside of its links."""
    linked = sum(_words(anchor) for anchor in anchors)
    return linked > 0 and linked >= _words(element) * 0.9


def _words(element: Element) -> int:
    return sum(any(map(str.isalnum, word)) for word in element.text.split())


def _extract_with_label(element: Element, container: Element) -> None:
    """Take it out, and with it what held nothing but it and a label like "Contents"."""
    holder = element.parent
    element.extract()
    if not isinstance(holder, Element) or holder == container or holder.tag != "div":
        return
    label = _line(holder)
    if len(label) > _LABEL_CHARS or holder.select_one(_MORE) is not None:
        return
    if holder.select_one(_HEADINGS) is None or says_around(label):
        holder.extract()


def _drop_trees(container: Element, addresses: LinkResolver) -> None:
    """Lists of the pages of a work or site, which name the page that they stand on among the others."""
    if not container.select_one("p, pre, dd"):
        return
    gone: set[Node] = set()
    for tree in container.select("ul, ol, dl"):
        if not gone.isdisjoint(tree.ancestors):
            continue
        anchors = tree.select("a[href]")
        if len(anchors) < _TREE or not _is_linked(tree, anchors):
            continue
        targets = [anchor.attr("href") or "" for anchor in anchors]
        others = sum(not addresses.is_here(target) for target in targets)
        if others < len(targets) and others >= _TREE and any(map(addresses.is_page, targets)):
            gone.add(tree)
            _extract_with_links(tree, container)


def _extract_with_links(tree: Element, container: Element) -> None:
    """Take it out, and with it what holds nothing else but links."""
    node = tree
    while isinstance(parent := node.parent, Element) and parent != container:
        if parent.select_one("h1") or not _is_linked(parent, parent.select("a[href]")):
            break
        node = parent
    node.extract()


def _is_step(anchor: Element) -> bool:
    if _is_marked_step(anchor):
        return True
    text = anchor.text.strip()
    if not text and (image := anchor.select_one("img")) is not None:
        text = image.attr("alt") or ""
    return 0 < len(text) < _STEP_CHARS and says_step(text)


def _lead_both_ways(anchors: list[Element]) -> bool:
    """Whether two of them are steps, or one points back to a page by its name and another one on."""
    if sum(map(_is_step, anchors)) >= _LEAST_STEPS:
        return True
    lines = [_line(anchor) for anchor in anchors]
    return any(map(points_back, lines)) and any(map(points_on, lines))


def _is_marked_step(anchor: Element) -> bool:
    """Whether its markup says that it leads to a neighbour."""
    if (anchor.attr("accesskey") or "") in _LETTERS and "accesskey" in anchor.attrs:
        return True
    return not _RELATIONS.isdisjoint((anchor.attr("rel") or "").split())


def _line_of(anchor: Element, solid: set[Node], lines: dict[Node, bool], tables: dict[Node, bool]) -> Element | None:
    """The largest part around a step that holds nothing but its line: two steps at least, and no text of its own.

    A table of navigation names the page in a cell that is no link, a list in an item. `solid` remembers what holds more
    than a line, `lines` and `tables` whether a part is one.
    """
    found, node = None, anchor
    while isinstance(parent := node.parent, Element) and parent not in solid:
        if parent not in lines:
            if not _may_be_line(parent):
                solid.add(parent)
                break
            lines[parent] = _is_line(parent, tables)
        node = parent
        if lines[node]:
            found = node
    return found


def _may_be_line(part: Element) -> bool:
    if len(part.select("a")) > _MOST_LINKS:
        return False
    if part.tag in _LISTS and _are_steps(part):
        return True
    if len(_line(part)) > _MOST_CHARS or part.tag in _PROSE:
        return False
    return part.tag == "li" or part.select_one(_CONTENT) is None


def _is_line(part: Element, tables: dict[Node, bool]) -> bool:
    if part.tag in _LISTS and _are_steps(part):
        return True
    anchors = part.select("a")
    if not _lead_both_ways(anchors):
        return False
    marked = any(map(_is_marked_step, anchors))
    if part.tag in _TABLE:
        return marked or _leads_on(part.closest("table") or part, tables)
    if not marked and (
        _own_words(part, anchors) or not all(_leads_on(table, tables) for table in part.select("table"))
    ):
        return False
    return 2 * sum(len(other.text.split()) for other in anchors) >= len(part.text.split())


def _leads_on(table: Element, tables: dict[Node, bool]) -> bool:
    """Whether a table is a line and no data: it has no header, and few rows, of which one holds two steps."""
    if table not in tables:
        rows = table.select("tr")
        plain = len(rows) <= _MOST_STEPS and table.select_one("th") is None
        tables[table] = plain and any(_lead_both_ways(row.select("a")) for row in rows)
    return tables[table]


def _own_words(part: Element, anchors: list[Element]) -> bool:
    """Whether it says a word outside of its links."""
    return _letters(part) > sum(map(_letters, anchors))


def _letters(element: Element) -> int:
    return sum(map(str.isalnum, element.text))


def _are_steps(steps: Element) -> bool:
    """Whether a list leads to the neighbours of a page: each item is a step or names the work, and one is marked so."""
    items = steps.select("li")
    links = steps.select("a[href]")
    if len(items) > _MOST_STEPS or not links or any(len(item.text.strip()) > _LINE_CHARS for item in items):
        return False
    marked = sum(map(_is_marked_step, links))
    return all(map(_is_step, links)) and (marked > 0 or len(links) > 1)
