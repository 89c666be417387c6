"""A chapter's XHTML to Markdown."""

from __future__ import annotations

import re

from turbohtml import Element, Markdown, Text, parse

_NOT_SHOWN = "head, script, style, template, noscript, svg, math annotation, iframe, audio, video, object, embed, form"
_HIDDEN = "[hidden], [aria-hidden=true], [style]"
_COMMENT = re.compile(r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/")
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?%?\s*(?:[;!]|$)"
    r"|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt)?\s*(?:[;!]|$)"
    r"|(?<!-)(?:left|right|top|bottom|text-indent)\s*:\s*-(?:\d{3}|\d{2}r?em)|margin-(?:left|top)\s*:\s*-\d{4}"
    r"|translate[XY]?\(\s*-\d{3}"
    r"|clip\s*:\s*rect\((?:\s*[01](?:px)?\s*,?){4}\)|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)",
    re.IGNORECASE,
)
_FLAT = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*(?:0(?:\.0+)?[a-z%]{0,4}|1px)\s*(?:[;!]|$)", re.IGNORECASE
)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_WHITE = re.compile(r"(?<!-)color\s*:\s*(?:white|#fff(?:fff)?|transparent)\s*(?:[;!]|$)", re.IGNORECASE)
_GROUND = re.compile(r"background(?:-color|-image)?\s*:\s*+(?!white|#fff|transparent|none|inherit)", re.IGNORECASE)
_WEB = ("http://", "https://", "mailto:")
_TOO_DEEP = f"{'blockquote ' * 9}, {'li ' * 12} ul, {'li ' * 12} ol, {'dd ' * 9} dd"
"""Each level indents every line again: nested markup could grow without bound."""
_BLANKS = re.compile(r"\n{3,}")


def chapter(content: bytes, hidden: list[str]) -> str:
    """The Markdown of what a reader sees; what is not shown is added to `hidden`."""
    document = parse(content.decode(_encoding(content), "replace"), positions=False)
    body = document.select_one("body")
    if body is None:
        return ""
    for element in body.select(_HIDDEN):
        if "style" not in element.attrs or _is_unseen(_COMMENT.sub("", element.attr("style") or "")):
            hidden.append(" ".join(element.text.split()))
            element.decompose()
    body.remove(_NOT_SHOWN)
    for picture in body.select("img"):
        described = " ".join((picture.attr("alt") or "").split())
        picture.replace_with(Text(f"[picture: {described}]" if described else ""))
    for anchor in body.select("a"):
        if not (anchor.attr("href") or "").strip().lower().startswith(_WEB):  # within the book, or a script
            anchor.tag = "span"
    for element in body.select(_TOO_DEEP):
        element.tag = "div"
    return _BLANKS.sub("\n\n", _markdown(body)).strip()


def _is_unseen(style: str) -> bool:
    if _UNSEEN_STYLE.search(style) or (_FLAT.search(style) and _CLIPPED.search(style)):
        return True
    return bool(_WHITE.search(style) and not _GROUND.search(style))


def _encoding(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    match = re.match(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{2,20})""", content[:300])
    name = match[1].decode("ascii").lower() if match else "utf-8"
    return {"iso-8859-1": "cp1252", "windows-1252": "cp1252", "us-ascii": "cp1252"}.get(name, "utf-8-sig")


def _markdown(body: Element) -> str:
    return body.to_markdown(Markdown(tables=Markdown.Tables(cell_blocks="text"), links=Markdown.Links(autolink=False)))
