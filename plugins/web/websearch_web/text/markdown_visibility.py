"""What a reader of rendered Markdown would not see, and where its links lead."""

from __future__ import annotations

import re

from ..html.hidden.hidden_text import is_unseen
from ..kit.links import LinkResolver

_FENCE = re.compile(r"^[ ]{0,3}(?:[>*+-] {0,3}|\d{1,9}[.)] {1,3}){0,4}(`{3,}|~{3,})")
_SPAN = re.compile(r"`[^`\n]{1,500}`")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_SAID_APART = re.compile(r"^[ ]{0,3}\[(?://|comment|_|#)\]:[ \t]*(\S[^\n]*)$", re.MULTILINE | re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]{0,20})((?:\s[^<>]{0,2000})?)>")
_NEVER_SHOWN = frozenset({"script", "style", "template", "noscript", "object", "iframe", "svg", "head", "title"})
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "source", "area", "col", "embed", "track"})
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_HIDDEN = re.compile(r"""\s(?:hidden(?=[\s=/]|$)|aria-hidden\s*=\s*["']?true)""", re.IGNORECASE)
_TARGET = re.compile(
    r"""\]\([ \t]{0,4}(?:<([^<>\n]{0,2000})>|([^()\s<>]{1,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?))"""
    r"""([ \t]{1,4}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t]{0,4}\)"""
)
_DEFINED = re.compile(r"^([ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*)<?(\S{1,2000}?)>?(?=[ \t]|$)", re.MULTILINE)


class MarkdownVisibility:
    """A Markdown text without what its rendering would not show, with absolute links."""

    def __init__(self, text: str, base: str) -> None:
        self.hidden: list[str] = []
        self.links: dict[str, None] = {}
        self._addresses = LinkResolver(base)
        self.text = "".join(part if is_code else self._prose(part) for is_code, part in _parts(text))

    def _prose(self, text: str) -> str:
        text = _COMMENT.sub(self._take, text)
        text = _SAID_APART.sub(self._take, text)
        text = self._without_hidden_elements(text)
        text = _TARGET.sub(self._target, text)
        return _DEFINED.sub(self._definition, text)

    def _take(self, match: re.Match[str]) -> str:
        self.hidden.append(match[1].strip())
        return ""

    def _without_hidden_elements(self, text: str) -> str:
        """Tags go, their text stays, unless the element is never shown or styled not to be."""
        kept: list[str] = []
        place = depth = 0
        hiding = ""
        for match in _TAG.finditer(text):
            closing, tag, attributes = match[1], match[2].lower(), match[3]
            piece = text[place : match.start()]
            place = match.end()
            (self.hidden if hiding else kept).append(piece)
            if hiding:
                depth += (-1 if closing else 1) if tag == hiding and not attributes.endswith("/") else 0
                hiding = hiding if depth else ""
            elif not closing and tag not in _VOID and not attributes.endswith("/") and _is_hidden(tag, attributes):
                hiding, depth = tag, 1
            elif tag not in _NEVER_SHOWN:
                kept.append(_in_place_of(tag))
        (self.hidden if hiding else kept).append(text[place:])
        return "".join(kept)

    def _target(self, match: re.Match[str]) -> str:
        target = match[1] or match[2] or ""
        if target.startswith("#"):
            return match[0]
        found = self._addresses(target)
        if not found:
            return "]"
        self._keep(found)
        return f"]({_bracketed(found)}{match[3] or ''})"

    def _definition(self, match: re.Match[str]) -> str:
        if match[1].lstrip().startswith("[^"):
            return match[0]
        found = self._addresses(match[2])
        self._keep(found)
        return match[1] + (found or "#")

    def _keep(self, address: str) -> None:
        if address.startswith(("http://", "https://")):
            self.links[address.partition("#")[0]] = None


def _parts(text: str) -> list[tuple[bool, str]]:
    """The text in order, cut into code (fenced blocks, spans) and the rest."""
    parts: list[tuple[bool, str]] = []
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if fence:
            code.append(line)
            if match and match[1].startswith(fence) and line.strip().endswith(match[1]):
                parts.append((True, "".join(code)))
                code, fence = [], ""
        elif match:
            parts += _spans("".join(prose))
            prose, code, fence = [], [line], match[1]
        else:
            prose.append(line)
    return [*parts, *_spans("".join(prose)), (True, "".join(code))]


def _spans(text: str) -> list[tuple[bool, str]]:
    """Code spans apart; where there is a comment, whatever is in it belongs to it."""
    parts: list[tuple[bool, str]] = []
    place = 0
    for match in () if "<!--" in text else _SPAN.finditer(text):
        parts += [(False, text[place : match.start()]), (True, match[0])]
        place = match.end()
    return [*parts, (False, text[place:])]


def _is_hidden(tag: str, attributes: str) -> bool:
    if tag in _NEVER_SHOWN or _HIDDEN.search(attributes):
        return True
    match = _STYLE.search(attributes)
    return bool(match and is_unseen(match[1] or match[2] or match[3] or ""))


def _in_place_of(tag: str) -> str:
    return "\n" if tag in {"br", "p", "div", "tr", "li", "h1", "h2", "h3", "details", "summary", "table"} else ""


def _bracketed(address: str) -> str:
    return f"<{address}>" if "(" in address or ")" in address else address
