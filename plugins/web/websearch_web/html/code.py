"""Code blocks in one form: `pre > code.language-x`, without line numbers and buttons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element, Node

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s*|sourceCode\s+|hljs\s+(?:language-)?|code-|"
    r"prettyprint\s+lang-|syntax-|wp-block-code\s+language-)([A-Za-z][\w+#.-]{0,29})(?=$|[\s;])"
)
_NOT_LANGUAGES = frozenset(
    {
        "block",
        "blocks",
        "wrapper",
        "toolbar",
        "snippet",
        "container",
        "box",
        "copy",
        "none",
        "plaintext",
        "text",
        "plain",
    }
    | {"nohighlight", "highlight", "hljs", "numbersource", "example", "listing", "inline", "line", "lines", "content"}
)
_GUTTERS = (
    ".gutter, .line-numbers-rows, .linenos, .lineno, .lnt, .blob-num, .rouge-gutter, .line-number, .hljs-ln-numbers, "
    "td.linenodiv, .linenodiv, .copy-button, .clipboard-copy, button"
)


def write_code(root: Node) -> None:
    """Rewrite every code block of the tree in place."""
    from turbohtml import Element, Text

    for table in root.select("table.highlighttable, table.rouge-table, table.lntable, .highlight table, .crayon-table"):
        bodies = [
            pre for pre in table.select("pre") if not pre.matches(_GUTTERS) and not pre.closest(".gutter, .linenos")
        ]
        if bodies and table.parent is not None:
            table.replace_with(bodies[-1].extract())
    for pre in root.select("pre"):
        if pre.parent is None:  # inside another one
            continue
        language = _language(pre)
        pre.remove(_GUTTERS)
        for line_break in pre.select("br"):
            line_break.replace_with(Text("\n"))
        lines = pre.select("code > .line, code > .code-line, code > div, code + code")
        text = pre.text
        if lines and "\n" not in text.strip():
            text = "\n".join(
                line.text.rstrip("\n") for line in (pre.select("code") if pre.select("code + code") else lines)
            )
        text = _without_numbers(text)
        code = Element("code", {"class": f"language-{language}"} if language else None, [Text(text.strip("\n"))])
        pre.replace_with(Element("pre", None, [code]))


def _without_numbers(text: str) -> str:
    """Code without the line numbers that some pages put into each line."""
    lines = text.strip("\n").split("\n")
    numbered = [re.match(r"\s{0,6}(\d{1,6})", line) for line in lines]
    if len(lines) < 2 or not all(m and int(m[1]) == n for n, m in enumerate(numbered, 1)):
        return text
    return "\n".join(line[m.end() :] for line, m in zip(lines, numbered, strict=True) if m)


def _language(pre: Element) -> str:
    """From the nearest of: the code inside, the element, its wrappers."""
    from turbohtml import Element

    around = [node for node, _ in zip(pre.ancestors, range(3), strict=False)]
    for element in (pre.select_one("code"), pre, *around):
        if not isinstance(element, Element):
            continue
        for name in ("data-lang", "data-language", "data-code-language"):
            value = element.attr(name) or ""
            if re.fullmatch(r"[A-Za-z][\w+#.-]{0,29}", value):
                return "" if value.lower() in _NOT_LANGUAGES else value.lower()
        classes = element.attr("class") or ""
        for match in _LANGUAGE.finditer(classes):
            if match[1].lower() not in _NOT_LANGUAGES:
                return match[1].lower().strip(".-")
    return ""
