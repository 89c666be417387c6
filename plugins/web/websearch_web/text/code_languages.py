"""The language of a code file, by its media type or its name; which names are of Markdown."""

from __future__ import annotations

from urllib.parse import urlsplit

_TYPES = {
    "application/javascript": "javascript", "text/javascript": "javascript", "application/x-javascript": "javascript",
    "application/ecmascript": "javascript", "application/typescript": "typescript", "text/typescript": "typescript",
    "application/yaml": "yaml", "application/x-yaml": "yaml", "text/yaml": "yaml", "text/x-yaml": "yaml",
    "application/toml": "toml", "application/x-sh": "sh", "text/x-sh": "sh", "text/x-shellscript": "sh",
    "application/sql": "sql", "application/graphql": "graphql", "application/x-tex": "tex", "text/x-tex": "tex",
    "text/css": "css", "text/x-python": "python", "text/x-script.python": "python", "text/x-c": "c", "text/x-csrc": "c",
    "text/x-chdr": "c", "text/x-c++src": "cpp", "text/x-java": "java", "text/x-java-source": "java",
    "text/x-go": "go", "text/x-rust": "rust", "text/x-ruby": "ruby", "text/x-perl": "perl", "text/x-php": "php",
    "text/x-lua": "lua", "text/x-diff": "diff", "text/x-patch": "diff", "text/x-makefile": "make",
}  # fmt: skip
_ENDINGS = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "jsx",
    "ts": "typescript", "tsx": "tsx", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp",
    "hh": "cpp", "cs": "csharp", "java": "java", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "go": "go",
    "rs": "rust", "rb": "ruby", "pl": "perl", "pm": "perl", "php": "php", "swift": "swift", "m": "objectivec",
    "lua": "lua", "r": "r", "jl": "julia", "hs": "haskell", "ml": "ocaml", "ex": "elixir", "exs": "elixir",
    "erl": "erlang", "clj": "clojure", "lisp": "lisp", "el": "elisp", "sh": "sh", "bash": "bash", "zsh": "zsh",
    "fish": "fish", "ps1": "powershell", "bat": "bat", "sql": "sql", "graphql": "graphql", "proto": "protobuf",
    "css": "css", "scss": "scss", "less": "less", "vue": "vue", "svelte": "svelte", "yaml": "yaml", "yml": "yaml",
    "toml": "toml", "ini": "ini", "cfg": "ini", "conf": "ini", "tex": "tex", "diff": "diff", "patch": "diff",
    "mk": "make", "cmake": "cmake", "gradle": "groovy", "tf": "hcl", "nix": "nix", "zig": "zig", "dart": "dart",
    "asm": "asm", "s": "asm", "vim": "vim", "f90": "fortran", "v": "verilog", "sol": "solidity", "wat": "wasm",
}  # fmt: skip
_MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd", "qmd", "rmd"})
_NAMES = {"makefile": "make", "dockerfile": "dockerfile", "cmakelists.txt": "cmake"}


def language_of(media_type: str, url: str) -> str:
    """The name that a fence gives the language; empty for prose."""
    if media_type in _TYPES:
        return _TYPES[media_type]
    try:
        name = urlsplit(url).path.rpartition("/")[2].lower()
    except ValueError:
        return ""
    return _NAMES.get(name, "") or (_ENDINGS.get(name.rpartition(".")[2], "") if "." in name else "")


def is_markdown(url: str) -> bool:
    """Whether the address names a file of Markdown, which many servers send as plain text."""
    try:
        name = urlsplit(url).path.rpartition("/")[2].lower()
    except ValueError:
        return False
    return name.rpartition(".")[2] in _MARKDOWN and "." in name
