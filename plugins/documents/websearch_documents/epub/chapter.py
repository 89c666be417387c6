"""A chapter's XHTML to Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from turbohtml import Document, Element, Markdown, Text, parse

from .hidden_text import TooManyRules, unseen

_NOT_SHOWN = "head, script, style, template, noscript, svg, math annotation, iframe, audio, video, object, embed, form"
_HIDDEN = "[hidden], [aria-hidden=true]"
_STYLED = "link[rel~=stylesheet][href]:not([rel~=alternate]), style"
_MEDIA = frozenset({"all", "screen", "only screen", "all, screen", "screen, print", "print, screen"})
_SHEETS_MOST = 20
_WEB = ("http://", "https://", "mailto:")
_TOO_DEEP = f"{'blockquote ' * 9}, {'li ' * 12} ul, {'li ' * 12} ol, {'dd ' * 9} dd"
"""Each level indents every line again: nested markup could grow without bound."""
_SUPER = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_SUB = str.maketrans("0123456789+-=()n", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ")
_CODE = re.compile(r"(^ {0,12}```.*?^ {0,12}```|(?<!`)`[^`\n]+`(?!`))", re.MULTILINE | re.DOTALL)
_NEEDLESS = re.compile(
    r"(?<=[^\W_])\\(?=_[^\W_])|^\\(?=[-+][^\s\\+-])|(?<= )\\(?=\* )|(?<![~\\])\\(?=~\d)", re.MULTILINE
)
"""A backslash before a mark that between these neighbours is none."""
_BLANKS = re.compile(r"\n{3,}")


def chapter(content: bytes, hidden: list[str], sheet: Callable[[str], str] = lambda _: "") -> str | None:
    """The Markdown of what a reader sees; what is not shown is added to `hidden`.

    `sheet` gives the text of the style sheet at an address. None: its styles say too much to follow, and all of its
    text may be hidden.
    """
    source = content.decode(_encoding(content), "replace")
    document = parse(source, positions=False)
    body = document.select_one("body")
    if body is None:
        return ""
    try:
        unstyled = unseen(document, _sheets(document, sheet))
    except TooManyRules:
        hidden.append(" ".join(body.text.split()))
        return None
    for element in (*body.select(_HIDDEN), *unstyled):
        if element.parent is not None and element != body:
            hidden.append(" ".join(element.text.split()))
            element.extract()
    body.remove(_NOT_SHOWN)
    for picture in body.select("img"):
        described = " ".join((picture.attr("alt") or "").split())
        picture.replace_with(Text(f"[picture: {described}]" if described else ""))
    for anchor in body.select("a"):
        if not (anchor.attr("href") or "").strip().lower().startswith(_WEB):  # within the book, or a script
            anchor.tag = "span"
    for script in body.select("sup, sub"):
        said, table = script.text.strip(), _SUPER if script.tag == "sup" else _SUB
        if said and table.keys() >= set(map(ord, said)) and script.select_one("a") is None:
            script.replace_with(Text(said.translate(table)))
    for element in body.select(_TOO_DEEP):
        element.tag = "div"
    return _without_needless_escapes(_BLANKS.sub("\n\n", _markdown(body)).strip())


def _sheets(document: Document, sheet: Callable[[str], str]) -> list[str]:
    """Those that every reader applies, in their order."""
    given = [one for one in document.select(_STYLED) if (one.attr("media") or "all").strip().lower() in _MEDIA]
    if len(given) > _SHEETS_MOST:
        raise TooManyRules
    return [one.text if one.tag == "style" else sheet(one.attr("href") or "") for one in given]


def _encoding(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    match = re.match(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{2,20})""", content[:300])
    name = match[1].decode("ascii").lower() if match else "utf-8"
    return {"iso-8859-1": "cp1252", "windows-1252": "cp1252", "us-ascii": "cp1252"}.get(name, "utf-8-sig")


def _without_needless_escapes(markdown: str) -> str:
    """The renderer escapes single characters, whatever stands beside them; code stays as it is."""
    if "\\" not in markdown:
        return markdown
    parts = _CODE.split(markdown)
    return "".join(part if number % 2 else _NEEDLESS.sub("", part) for number, part in enumerate(parts))


def _markdown(body: Element) -> str:
    return body.to_markdown(Markdown(tables=Markdown.Tables(cell_blocks="text"), links=Markdown.Links(autolink=False)))
