"""Where the generators of documentation keep a page's main content: the truth that a reading is held to."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

TABLE_OF_CONTENTS = ".toc, .contents, .shortcontents, #toc, #table-of-contents, nav, .minitoc, .menu, .tocindex"
"""May be there or not: a list of links to what follows."""
PERMALINKS = ".headerlink, .mark, .selflink, .copiable-anchor, .permalink, .heading-anchor, a.anchor"
NO_PROSE = re.compile(
    r"(?:^|/)(?:genindex|py-modindex|search|doc-index|globals|namespacemembers|functions_|classes|hierarchy|annotated|"
    r"files|index-all|all(?:classes|packages)|overview-|package-(?:tree|use|summary)|class-use|deprecated-list|"
    r"help-doc|constant-values|serialized-form|_index|class_list|file_list|method_list|type_|index_|undoccedSummary|"
    r"(?:Concept|Function|Variable|Program|Keyword|Key|Operator|Command)[-_\w]*-Index|moduleIndex|classIndex|nameIndex|"
    r"bookindex|doc-site|src|implementors|_modules|theindex|genindex)|_source|-members|sitemap|print\.html|[-_]index\.",
    re.IGNORECASE,
)
"""Pages that are only links: indexes, lists of members, search forms."""


class Generator(NamedTuple):
    """One package's pages, made by one generator."""

    name: str
    package: str
    """Debian's."""
    main: str
    """Selector of what the page is about; several elements count together."""
    around: str = ""
    """Within it: navigation and marks of the generator, which do not belong there."""
    optional: str = ""
    """Within it: what may be read or left out, beside tables of contents and permalinks."""
    title: str = "h1, h2, h3, h4, h5"
    """The page's own title: the first that has text."""
    site: str = ""
    """What no title may hold: the name that all pages share."""
    folder: str = ""
    """Only pages whose path contains this."""
    apart: Literal["", "package", "generator"] = ""
    """What nobody looked at while the reader was made: this package, or any of its generator; empty: developed with."""


_DOCBOOK = (
    "body > div:not([class^=nav]):not(.footer), body > section, body > article, body > dl, "
    "body > table:not(.navigation)"
)
_TEXINFO_AROUND = "div.header, div.nav-panel, a[accesskey]"
_DOXYGEN = ".title, .contents, .textblock"

GENERATORS = (
    Generator("Sphinx", "python-django-doc", main="#yui-main .yui-b", site="Django 3"),
    Generator("Sphinx", "python3.11-doc", main="[role=main]", site="documentation"),
    Generator(
        "DocBook XSL",
        "postgresql-doc-15",
        main=_DOCBOOK,
        around=".navheader, .navfooter",
        optional=".titlepage hr",
    ),
    Generator("Node", "nodejs-doc", main="#apicontent", site="Node.js v"),
    Generator("Texinfo", "r-doc-html", main="body", around=_TEXINFO_AROUND),
    Generator(
        "Doxygen",
        "libsdl2-doc",
        main=_DOXYGEN,
        optional=".mlabels, .summary, .dynheader",
        title="h1, .title",
    ),
    Generator("Javadoc", "libcommons-lang3-java-doc", main="main", optional=".sub-title", site="API"),
    Generator(
        "rustdoc",
        "rust-doc",
        main="#main-content",
        optional=(
            ".sidebar, .notable-traits, .rustdoc-toggle summary span, .src, .since, .copy-path, "
            ".srclink, #copy-path, .out-of-band"
        ),
        folder="html/std/",
    ),
    Generator(
        "mdBook",
        "rust-doc",
        main="main",
        optional=".buttons",
        site="Rust Programming Language",
        folder="html/book/",
    ),
    Generator("erl_docgen", "erlang-doc", main="#content", optional=".footer, .footer-logo", folder="/doc/"),
    Generator("AsciiDoc", "git-doc", main="#header h1, #content"),
    Generator(
        "gtk-doc",
        "libglib2.0-doc",
        main=_DOCBOOK,
        around=".navigation",
        optional=".gallery-float, .listing_lines",
    ),
    Generator(
        "pydoctor",
        "twisted-doc",
        main="#main",
        around="#search-results-container, .breadcrumb, #current-docs-container",
        optional=".extrasDocstring",
        folder="/api/",
    ),
    Generator("MkDocs", "mkdocs-doc", main="[role=main]"),
    Generator(
        "YARD",
        "yard-doc",
        main="#content",
        optional=(
            ".inheritName, .showSource, table.source_code, .toggleSource, .summary_toggle, "
            ".constants_summary_toggle, .summary.toggle, .defines"
        ),
    ),
    Generator(
        "gi-docgen",
        "libgtk-4-doc",
        main="#main",
        optional=".anchor, .srclink, .view-source, .toggle-wrapper.ancestors",
    ),
    Generator("odoc", "libjs-of-ocaml-doc", main=".odoc-preamble, .odoc-content", optional=".anchor"),
    Generator(
        "PlDoc",
        "swi-prolog-doc",
        main="body",
        around=".navigate, .doc_nav, .header, .footer",
        optional=".toc-h2, .jump, .fn-text",
    ),
    Generator(
        "Haddock",
        "libghc-aeson-doc",
        main="#module-header .caption, #description, #synopsis, #interface, #content > h1",
        optional="#synopsis, .link, .selflink, .caption",
        folder="html/",
        apart="generator",
    ),
    Generator("Asciidoctor", "weechat-doc", main="#header h1, #content", optional=".details", apart="generator"),
    Generator(
        "RDoc", "asciidoctor-doc", main="main", optional=".method-source-code, .method-click-advice", apart="generator"
    ),
    Generator("OCamldoc", "libjsonm-ocaml-doc", main="body", around=".navbar", apart="generator"),
    Generator("Nim", "nim-doc", main="h1.title, #content", optional=".search-groupby", apart="generator"),
    Generator(
        "Scribble",
        "racket-doc",
        main=".main",
        around=".navsettop, .navsetbottom, .versionbox",
        optional=".SAuthorList",
    ),
    Generator(
        "QDoc",
        "qtbase5-doc-html",
        main=".content .context, .content .line",
        around=".naviNextPrevious, .breadcrumb",
        optional=".sidebar",
        apart="generator",
    ),
    Generator("Docutils", "docutils-doc", main=".document", optional=".docinfo", apart="generator"),
    Generator(
        "Apache XSLT",
        "apache2-doc",
        main="#page-content",
        optional=".top, #quickview, .langavail, .comments_area, .warning, .toplang, .retired",
        folder="manual/en/",
    ),
    Generator(
        "SQLite",
        "sqlite3-doc",
        main="body",
        around=".nosearch, .menu, .searchmenu, .fancy_toc, .toc",
        optional=".codeblock a",
        apart="generator",
    ),
    Generator("LDoc", "awesome-doc", main="#content", optional=".function_list"),
    Generator("FPDoc", "fp-docs-3.2.2", main="body", around="table.bar", folder="/3.2.2/rtl/", apart="generator"),
    Generator("Sphinx, RTD theme", "bind9-doc", main="[role=main]", site="documentation", apart="package"),
    Generator("CMake", "cmake-doc", main="[role=main]", site="CMake 3", apart="package"),
    Generator("DocBook XSL", "gtkmm-documentation", main=_DOCBOOK, around=".navheader, .navfooter", apart="package"),
    Generator("DocBook refentry", "docbook-xsl-doc-html", main=_DOCBOOK, around=".navheader, .navfooter"),
    Generator(
        "Doxygen, treeview",
        "libassimp-doc",
        main=_DOXYGEN,
        optional=".mlabels, .summary, .dynheader, .permalink",
        title="h1, .title",
    ),
    Generator("Texinfo 6.8", "octave-doc", main="body", around=_TEXINFO_AROUND, apart="package"),
    Generator("AsciiDoc", "ntpsec-doc", main="#header h1, #content", apart="package"),
    Generator("hand-made", "ruby-rmagick-doc", main="body", around="#header, .nav"),
    Generator(
        "texi2html",
        "zsh-doc",
        main="body",
        around="table.header, table.menu, hr + ul",
        optional="font",
        apart="generator",
    ),
    Generator(
        "DocBook XSL, 14 languages", "debian-faq", main=_DOCBOOK, around=".navheader, .navfooter", apart="package"
    ),
    Generator(
        "Doxygen",
        "dbus-1-doc",
        main=_DOXYGEN,
        optional=".mlabels, .summary, .dynheader, .permalink, .ingroups",
        title="h1, .title",
    ),
    Generator("Javadoc 11", "junit4-doc", main="main", optional=".subTitle", apart="package"),
)
