"""What HTML can say, and how it is written in Markdown: one row per feature."""

from __future__ import annotations

import re

import pytest

from websearch_web.html.page_reader import read_html

FILLER = "<p>" + "The quick brown fox jumps over the lazy dog near the river bank. " * 6 + "</p>"


def markdown(html: str, url: str = "https://site.example/folder/page", head: str = "") -> str:
    """The Markdown of a page that holds this besides a paragraph."""
    page = f"<!doctype html><html><head>{head}</head><body><main>{FILLER}{html}</main></body></html>"
    return read_html(page.encode(), url, "utf-8").body.split("river bank.")[-1].strip()


FEATURES = {
    "heading": ("<h2>Head <em>ing</em></h2>", "## Head *ing*"),
    "absolute link": ('<p><a href="../x">l</a></p>', "[l](https://site.example/x)"),
    "link with parentheses": ('<p><a href="/a_(b)">l</a></p>', "](https://site.example/a_(b))"),
    "link with a line break at its end": ('<p><a href="/x">l<br><br></a>m</p>', "[l](https://site.example/x)\n\nm"),
    "link with a blank line within": ('<p><a href="/x">l<br> <br>m</a></p>', "[l\nm](https://site.example/x)"),
    "reading of characters": ("<p><ruby>法律<rt>ほうりつ</rt></ruby>の</p>", "法律(ほうりつ)の"),
    "reading with parentheses of its own": ("<p><ruby>法<rp>(</rp><rt>ほう</rt><rp>)</rp></ruby>の</p>", "法(ほう)の"),
    "absolute image": ('<p><img src="i.png" alt="A cat"></p>', "![A cat](https://site.example/folder/i.png)"),
    "lazy image": (
        '<p><img src="data:image/gif;base64,R0" data-src="/l.png" alt="z"></p>',
        "![z](https://site.example/l.png)",
    ),
    "fence with language-": ('<pre><code class="language-rust">fn x() {}</code></pre>', "```rust\nfn x() {}\n```"),
    "fence with lang-": ('<pre class="lang-py"><code>x = 1</code></pre>', "```py\nx = 1\n```"),
    "fence with highlight-source-": (
        '<div class="highlight highlight-source-python"><pre>import x</pre></div>',
        "```python\n",
    ),
    "fence with brush": ('<pre class="brush: js; gutter: false">var x</pre>', "```js\nvar x"),
    "fence with data-lang": ('<pre><code data-lang="go">func</code></pre>', "```go\nfunc"),
    "fence with hljs": ('<pre><code class="hljs sql">select</code></pre>', "```sql\nselect"),
    "fence with sourceCode": ('<pre class="sourceCode haskell"><code>main</code></pre>', "```haskell\nmain"),
    "blanks in code are kept": ("<pre>a\n\n\n    b  c\n</pre>", "```\na\n\n\n    b  c\n```"),
    "a fence in code": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    "line numbers in code go": (
        (
            '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td>'
            "<td><pre>x = 1\ny = 2</pre></td></tr></table>"
        ),
        "```\nx = 1\ny = 2\n```",
    ),
    "table header": ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
    "pipe in a cell": ("<table><tr><th>A<th>B<tr><td>x|y<td>2</table>", "| x\\|y | 2 |"),
    "alignment": (
        '<table><tr><th align="right">A<th style="text-align:center">B<tr><td>1<td>2</table>',
        "| ---: | :---: |",
    ),
    "line break in a cell": ("<table><tr><th>A<th>B<tr><td>x<br>y<td>2</table>", "| x y | 2 |"),
    "list in a cell": ("<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td>2</table>", "| - x - y | 2 |"),
    "rowspan": ('<table><tr><th>A<th>B<tr><td rowspan="2">1<td>2<tr><td>3</table>', "| 1 | 2 |\n| 1 | 3 |"),
    "colspan": ('<table><tr><th>A<th>B<tr><td colspan="2">1</table>', "| 1 | 1 |"),
    "layout table": ("<table><tr><td><h2>Head</h2><p>Text.</p></table>", "## Head\n\nText."),
    "start of a list": ('<ol start="3"><li>c<li>d</ol>', "3. c\n4. d"),
    "nested list": ("<ul><li>a<ol><li>b</ol><li>c</ul>", "- a\n  1. b\n- c"),
    "code in a list": ("<ul><li>a<pre>x\ny</pre></ul>", "  ```\n  x\n  y\n  ```"),
    "task list": (
        '<ul><li><input type="checkbox" checked> done<li><input type="checkbox">todo</ul>',
        "- [x] done\n- [ ] todo",
    ),
    "definition list": ("<dl><dt>Term<dd>Meaning</dl>", "**Term**\n\n: Meaning"),
    "struck text": ("<p>a <del>b</del> c</p>", "a ~~b~~ c"),
    "a literal asterisk": ("<p>2 *3* 4</p>", r"2 \*3\* 4"),
    "a literal tag": ("<p>use &lt;b&gt; here</p>", r"\<b>"),
    "a backtick in code": ("<p>x <code>a`b</code></p>", "``a`b``"),
    "MathML with TeX": (
        '<p>so <math><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></math> holds</p>',
        "so $E=mc^2$ holds",
    ),
    "KaTeX once": (
        (
            '<p>so <span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi><annotation '
            'encoding="application/x-tex">a_b*c</annotation></semantics></math></span><span class="katex-html" '
            'aria-hidden="true">abc</span></span> holds</p>'
        ),
        "so $a_b*c$ holds",
    ),
    "MathJax script": ('<p>so <script type="math/tex">x^2</script> holds</p>', "so $x^2$ holds"),
    "superscript": ("<p>10<sup>2</sup></p>", "10^2^"),
    "subscript": ("<p>H<sub>2</sub>O</p>", "H~2~O"),
    "an ordinal stays a word": ("<p>the 5<sup>th</sup> day</p>", "the 5th day"),
    "quote": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    "figure": ('<figure><img src="/i.png" alt="x"><figcaption>Caption</figcaption></figure>', "Caption"),
    "details": ("<details><summary>More</summary><p>Inside.</p></details>", "Inside."),
    "emphasis": ("<p>a <b>b</b> <i>c</i></p>", "a **b** *c*"),
    "a version": (
        "<p>1.20, 3.11.2 and <b>-3</b></p><p>-3</p><ul><li>1.4 Part</ul>",
        "1.20, 3.11.2 and **-3**\n\n-3\n\n- 1.4 Part",
    ),
    "a line that looks like an item": ("<p>a<br>- b<br>1. c<br># d</p>", "a\n\\- b\n1\\. c\n\\# d"),
    "names with underscores": ("<p>snake_case and _private</p>", "snake_case and _private"),
    "underscores that would be emphasis": ("<p>__init__ and _x_</p>", r"\_\_init\_\_ and \_x\_"),
    "brackets": ("<p>as shown [94], see [x](y)</p>", r"as shown [94], see \[x\](y)"),
    "a marked reference": ("<p>so<sup>[94]</sup> it is</p>", "so[94] it is"),
    "a backslash": (r"<p>C:\new, \* and \</p>", "C:\\new, \\\\* and \\"),
    "breaks": ("<p>a<br><br>b<br></p><p><br></p><p>c</p>", "a\n\nb\n\nc"),
    "empty items": ("<ul><li></li><li>a</li><li><a href='#x'></a></li></ul><p>b</p>", "- a\n\nb"),
    "an item that is a list": ("<ul><li><ul><li>a</li></ul></li></ul>", "- a"),
    "an item that begins with code": ("<ol><li><pre>x\ny</pre><p>z</p></ol>", "1. ```\n   x\n   y\n   ```\n   z"),
    "code beside backticks": ("<p>`<code>vi</code>' or ``<code>$3</code>''</p>", "\\``vi`' or \\`\\``$3`''"),
    "spans of code in a row": ("<p><code>a</code><wbr><code>.b</code> <tt>c_d</tt></p>", "`a.b` `c_d`"),
    "a link in code": ('<p><code>int <a href="/x">f</a>(x)</code></p>', "`int` [`f`](https://site.example/x)`(x)`"),
    "prose with kept breaks": (
        '<h2 style="white-space:pre-wrap">Head</h2><p style="white-space:pre-wrap">One <a href="/x">l</a>\ntwo</p>',
        "## Head\n\nOne [l](https://site.example/x)\ntwo",
    ),
    "text around code in a block": ("<pre>x <code>y</code><code>z</code></pre>", "```\nx yz\n```"),
    "a formula with backslashes": (
        '<p>so <math alttext="\\frac{a}{b}\\_c"></math> and a_b</p>',
        r"so $\frac{a}{b}\_c$ and a_b",
    ),
    "code with backticks in a cell": (
        "<table><tr><th>A<th>B<tr><td><code>x``y</code><td>2</table>",
        "| ```x``y``` | 2 |",
    ),
    "code after a quotation with code": (
        "<blockquote><pre>x</pre></blockquote><p>a_b</p>",
        "> ```\n> x\n> ```\n\na_b",
    ),
    "footnote": (
        '<p>Claim<sup><a href="#fn1">1</a></sup>.</p><ol><li id="fn1">Proof. <a href="#fnref1">↩</a></li></ol>',
        "Claim[^1].",
    ),
}


@pytest.mark.parametrize("feature", FEATURES)
def test_feature_is_written_in_markdown(feature: str) -> None:
    html, expected = FEATURES[feature]
    assert expected in markdown(html)


def test_footnote_text_carries_its_mark_and_no_way_back() -> None:
    written = markdown(FEATURES["footnote"][0])
    assert re.search(r"\[\^1\]: +Proof\.", written)
    assert "↩" not in written


ABSENT = {
    "data: images": ('<p><img src="data:image/png;base64,AAAA" alt="pic"> x</p>', "data:"),
    "javascript: links": ('<p><a href=" java\nscript:alert(1)">l</a></p>', "script:"),
    "vbscript: links": ('<p><a href="VBScript:x">l</a></p>', "cript:"),
    "empty links": ('<p>x<a href="/e"></a></p>', "/e"),
    "empty headings": ("<p>x</p><h2> </h2>", "#"),
    "heading anchors": ('<h2>Head <a href="#head">¶</a></h2>', "¶"),
    "scripts": ("<p>x</p><script>var secret</script>", "secret"),
    "styles": ("<p>x</p><style>.secret{}</style>", "secret"),
    "drawings": ("<p>x</p><svg><text>secret</text></svg>", "secret"),
    "hidden text": ("<p>x</p><p hidden>secret</p><p style='display:none'>secret</p>", "secret"),
    "templates and comments": ("<p>x</p><template><p>secret</p></template><!-- secret -->", "secret"),
    "form fields": ("<p>x</p><textarea>secret</textarea><select><option>secret</select>", "secret"),
}


@pytest.mark.parametrize("thing", ABSENT)
def test_is_left_out(thing: str) -> None:
    html, absent = ABSENT[thing]
    assert absent not in markdown(html)


def test_relative_addresses_follow_the_base_element() -> None:
    assert "(https://cdn.example/d/x)" in markdown('<p><a href="x">l</a></p>', head='<base href="//cdn.example/d/">')


def test_no_html_is_left_over() -> None:
    page = "".join(html for html, _ in FEATURES.values() if "```" not in html and "&lt;" not in html)
    outside_code = re.sub(r"(`{3,})[^\n]*\n.*?\n\s*\1|`[^`\n]+`", "", markdown(page), flags=re.DOTALL)
    assert not re.search(r"(?<!\\)</?[a-zA-Z][^>]*>", re.sub(r"<https?://[^>]*>", "", outside_code))


def test_a_huge_span_is_bounded() -> None:
    table = '<table><tr><th>A<th>B<tr><td colspan="999999" rowspan="999999">x<td>y</table>'
    assert len(markdown(table)) < 10_000


@pytest.mark.parametrize("tag", ["<blockquote>", "<ul><li>", "<dl><dd>"])
def test_deep_nesting_does_not_grow_the_text(tag: str) -> None:
    html = (tag + "x") * 400
    assert len(markdown(html)) < 30 * len(html)


def test_long_text_in_a_spanning_cell_stands_once() -> None:
    table = f"<table><tr><th>A<th>B<tr><td rowspan=90 colspan=90>{'word ' * 500}</table>"
    assert len(markdown(table)) < 50_000
