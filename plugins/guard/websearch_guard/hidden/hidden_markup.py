"""Comments, unseen elements and attributes that were left in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..deobfuscation.text_view import Piece
from .dangerous_urls import has_placeholder, is_active
from .hiding_styles import hides
from .markdown_code import Code

_SAID_APART = re.compile(r"^[ ]{0,3}\[(?://|comment|_|#)\]:[ \t]*\S[^\n]*$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"""(?<!\\)<(/?)([A-Za-z][A-Za-z0-9-]{0,20})((?:[\s/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)?)>""")
_DROPPED = frozenset({"script", "style", "template", "noscript", "object", "iframe", "svg", "applet", "canvas"})
_LONE = frozenset({"meta", "link", "base", "embed", "source", "track", "input", "param"})
_VOID = frozenset({*_LONE, "br", "hr", "img", "wbr", "area", "col"})
_SHOWN_TAGS = """
a abbr address area article aside audio b bdi bdo blockquote br button caption center cite code col colgroup
dd del details dfn dialog div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr
i img ins kbd label legend li main map mark marquee menu nav ol optgroup option p picture pre q s samp section
select small span strike strong sub summary sup table tbody td textarea tfoot th thead time tr tt u ul var
video wbr
"""
_SHOWN = frozenset(_SHOWN_TAGS.split())
_ATTRIBUTE = re.compile(r"""[\s/]([A-Za-z:@_][\w:.-]{0,60})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_LEADING = frozenset({"src", "href", "action", "formaction", "poster", "data"})
_STYLING = frozenset(
    {"class", "style", "rel", "sizes", "srcset", "media", "d", "points", "viewbox", "sandbox", "allow"}
)
_SENTENCE = 3
"""Blanks in an attribute that says something."""
_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


def unseen_markup(text: str) -> list[Piece]:
    """What to take out, in order: nothing that stands in code."""
    opened, bracket = "<" in text, "]" in text  # one character is found much sooner than several
    tagged = opened and bool(_TAG.search(text))
    if not tagged and not (opened and "<!--" in text) and not (bracket and "]:" in text and _SAID_APART.search(text)):
        return []
    code = Code(text)
    pieces = [piece for piece in _comments(text) if not code.holds(piece.start)]
    return _apart([*pieces, *_elements(text, code)] if tagged else pieces)


def _comments(text: str) -> Iterator[Piece]:
    """Comments of HTML, to the paragraph's end where they have none of their own; and those of Markdown."""
    start = text.find("<!--")
    closes = True
    while start >= 0:
        if text.endswith("\\", 0, start):
            start = text.find("<!--", start + 4)
            continue
        end = text.find("-->", start + 2) if closes else -1
        closes = end >= 0
        end = end + 3 if closes else text.find("\n\n", start)
        end = end if end >= 0 else len(text)
        yield Piece(start, end, "")
        start = text.find("<!--", end)
    for match in _SAID_APART.finditer(text):
        yield Piece(*match.span(), "")


def _elements(text: str, code: Code) -> Iterator[Piece]:
    """Unseen elements with what they hold; of others, the attributes that say something or do something."""
    tags = [match for match in _TAG.finditer(text) if not code.holds(match.start())]
    ends = _ends(tags)
    past = 0
    for match in tags:
        closing, name, attributes = match[1], match[2].lower(), match[3]
        if match.start() < past or closing or not (attributes or name in _DROPPED):
            continue
        hidden = name in _SHOWN and hides(attributes)
        end = match.end() if name in _VOID else ends.get(match.start(), -1)
        if (hidden or name in _DROPPED) and end < 0 and "style" in attributes.lower():
            end = text.find("\n\n", match.end())
            end = len(text) if end < 0 else end
        if (hidden or name in _DROPPED) and end >= 0:
            past = end
            yield Piece(match.start(), past, "")
        elif name in _SHOWN | _LONE | _DROPPED and _speaks(attributes):
            past = match.end()
            alt = _ALT.search(attributes) if name == "img" else None
            shown = (alt[1] or alt[2] or "") if alt else "" if name in _VOID | _DROPPED else f"<{name}>"
            yield Piece(match.start(), past, shown)


def _speaks(attributes: str) -> bool:
    """Whether an attribute says a sentence, runs something, or has an address that could carry data out."""
    for match in _ATTRIBUTE.finditer(attributes):
        name, value = match[1].lower(), match[2] or match[3] or match[4] or ""
        if name in _LEADING:
            if is_active(value) or has_placeholder(value, image=name == "src"):
                return True
        elif (name.startswith("on") and value[:1] != "{") or (name not in _STYLING and value.count(" ") >= _SENTENCE):
            return True
    return False


def _ends(tags: list[re.Match[str]]) -> dict[int, int]:
    """Where an element opens → where it ends, for those that do."""
    ends: dict[int, int] = {}
    opened: dict[str, list[int]] = {}
    for match in tags:
        name = match[2].lower()
        if not match[1] and not match[3].endswith("/"):
            opened.setdefault(name, []).append(match.start())
        elif match[1] and opened.get(name):
            ends[opened[name].pop()] = match.end()
    return ends


def _apart(pieces: list[Piece]) -> list[Piece]:
    """In order, each place once: a comment within an element goes with it."""
    apart: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        if not apart or piece.start >= apart[-1].end:
            apart.append(piece)
    return apart
