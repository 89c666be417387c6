"""Code in one form: blocks as `pre > code.language-x` without line numbers and buttons, spans that hold only text."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING

from ...kit.code_fences import code_span
from .raw import raw

if TYPE_CHECKING:
    from turbohtml import Element, Node, Text

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
_SPANS = ("code", "kbd", "samp")
_BLOCKS = "p, div, ul, ol, dl, pre, table, h1, h2, h3, h4, h5, h6, blockquote"
_TYPED = frozenset({"code", "kbd", "samp", "tt", "br"})
_BROKEN = ":is(code, kbd, samp, tt) br, :is(code, kbd, samp, tt) + br"
_HOLDERS = "p, div, li, dd"
"""What may be a block of code that is written as spans with line breaks."""
_GUTTERS = (
    ".gutter, .line-numbers-rows, .linenos, .lineno, .lnt, .blob-num, .rouge-gutter, .line-number, .hljs-ln-numbers, "
    "td.linenodiv, .linenodiv, .copy-button, .clipboard-copy, "
    ".viewcode-back, .headerlink, button"
)


def write_code(root: Node) -> None:
    """Rewrite every code block of the tree in place."""
    from turbohtml import Element, Text

    for table in root.select(
        "table.highlighttable, table.rouge-table, table.lntable, .highlight table, table.crayon-table"
    ):
        bodies = [
            pre for pre in table.select("pre") if not pre.matches(_GUTTERS) and not pre.closest(".gutter, .linenos")
        ]
        if bodies and table.parent is not None:
            table.replace_with(bodies[-1].extract())
    write_broken_lines(root)
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
            written = [line.text.rstrip("\n") for line in (pre.select("code") if pre.select("code + code") else lines)]
            if "".join(written).split() == text.split():
                text = "\n".join(written)
        text = _without_numbers(text)
        code = Element("code", {"class": f"language-{language}"} if language else None, [Text(text.strip("\n"))])
        pre.replace_with(Element("pre", None, [code]))


def write_broken_lines(root: Node) -> None:
    """Make code that is all of a paragraph or cell, and has line breaks of its own, a block of code."""
    from turbohtml import Element, Text

    holders = [found for line in root.select(_BROKEN) if (found := line.closest(_HOLDERS)) is not None]
    for holder in dict.fromkeys(holders):
        parts = [node for node in holder.children if node.text.strip() or getattr(node, "tag", "") == "br"]
        tags = [getattr(part, "tag", "") for part in parts]
        if holder.closest("pre, table") is not None or not _TYPED.issuperset(tags) or holder.select_one("img"):
            continue
        spans = [part for part, tag in zip(parts, tags, strict=True) if tag != "br"]
        if any(_is_linked(part) for part in spans):
            continue
        for line_break in holder.select("br"):
            line_break.replace_with(Text("\0"))
        lines = [line.strip("\n").replace("\n", " ").rstrip() for line in holder.text.split("\0")]
        code = Element("code", None, [Text(dedent("\n".join(lines)).strip("\n"))])
        if holder.tag == "p":
            holder.replace_with(Element("pre", None, [code]))
        else:
            holder.clear()
            holder.append(Element("pre", None, [code]))


def _is_linked(part: Node) -> bool:
    from turbohtml import Element

    return isinstance(part, Element) and part.select_one("a[href]") is not None


def write_code_spans(root: Node) -> None:
    """Rewrite code within lines: one span for each run of code, links around it, no block in it.

    The renderer (turbohtml 1.15) drops links in a code span, and writes HTML for one that stands beside a backtick
    or another span: of "`<code>vi</code>'" it makes a backslash, a backtick and `<code>vi</code>'`, tags included.
    """
    from turbohtml import Element

    spans = [span for name in (*_SPANS, "tt") for span in root.select(name)]
    for span in root.select("p > code:only-child"):
        text = span.text
        alone = span.parent is not None and span.parent.text.strip() == text.strip()
        if alone and text != text.strip() and span.select_one("*") is None:
            span.set_text(text.strip())
    if all(span.parent is not None and getattr(span.parent, "tag", "") == "pre" for span in spans):
        return
    root.remove("wbr")
    for typewriter in spans:
        if typewriter.tag == "tt":
            typewriter.tag = "code"
    for inner in root.select(":is(code, kbd, samp) :is(code, kbd, samp)"):
        if not inner.closest("pre"):
            inner.unwrap()
    for wrapper in root.select(", ".join(f"span:has(> {span}:only-child)" for span in _SPANS)):
        if len(wrapper.children) == 1:
            wrapper.unwrap()
    for block in root.select(", ".join(f"{span} :is({_BLOCKS})" for span in _SPANS)):
        if (holder := block.closest("code, kbd, samp")) is not None and not holder.closest("pre"):
            holder.unwrap()
    for inner in root.select(", ".join(f"{outer} {inner}" for outer in _SPANS for inner in _SPANS)):
        inner.unwrap()
    for anchor in root.select(", ".join(f"{span} a[href]" for span in _SPANS)):
        span = anchor.closest("code, kbd, samp")
        # The span of a link without a target has been replaced when a second one comes.
        if span is not None and span.parent is not None and not span.closest("pre"):
            _link_parts(span)
    for span in root.select(", ".join(f"{first} + {second}" for first in _SPANS for second in _SPANS)):
        before = span.previous_sibling
        if isinstance(before, Element) and before.tag in _SPANS and span.parent is not None:
            before.extend(span.children)
            span.extract()
    if "`" in root.text:
        for span in root.select("code, kbd, samp"):
            if _is_beside_backtick(span) and not span.closest("pre"):
                span.replace_with(raw(code_span(span.text)))


def _link_parts(span: Element) -> None:
    """Instead of one span with links in it, a span for each part, the links around theirs."""
    from turbohtml import Element, Text

    for inner in span.select(":not(a, img)"):
        inner.unwrap()
    parts: list[Element | Text] = []
    words: list[str] = []

    def write_words() -> None:
        text = "".join(words)
        words.clear()
        if text[:1].isspace():
            parts.append(Text(" "))
        if code := text.strip():
            parts.append(Element("code", None, [Text(code)]))
            if text[-1].isspace():
                parts.append(Text(" "))

    for child in list(span.children):
        if isinstance(child, Element) and child.tag == "a" and child.attr("href"):
            write_words()
            label = child.text
            child.clear()
            child.append(Element("code", None, [Text(label)]))
            parts.append(child)
        else:
            words.append(child.text)
    write_words()
    span.replace_with(*parts)


def _is_beside_backtick(span: Element) -> bool:
    before, after = span.previous_sibling, span.next_sibling
    return (before is not None and before.text.endswith("`")) or (after is not None and after.text.startswith("`"))


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
