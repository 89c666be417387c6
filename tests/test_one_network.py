"""Only `net` opens connections: no other file of ours imports what could."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CLIENTS = {
    *("httpx", "httpx2", "httpcore", "httpcore2", "h11", "h2", "requests", "niquests", "aiohttp", "urllib3", "pycurl"),
    *("curl_cffi", "websockets", "wsproto", "http.client", "urllib.request", "xmlrpc", "ftplib", "smtplib", "socket"),
}
OPENERS = {"open_connection", "create_connection", "connect_tcp", "connect_unix", "connect_tls_stream", "urlopen"}
ALLOWED = {
    "websearch_core/net/connector.py": {"httpcore2", "socket", "connect_tcp"},
    "websearch_core/net/http_client.py": {"httpx2"},
    "websearch_core/net/engine_client.py": {"httpx2"},
    "websearch_core/net/resolve.py": {"socket"},
    "websearch_core/net/transport.py": {"httpcore2", "connect_tcp"},
    # servers: they listen
    "websearch_core/server/http.py": {"socket"},
    "websearch_core/server/supervisor.py": {"socket"},
    "websearch_core/server/uvicorn_limits.py": {"socket"},
}


def ours() -> list[Path]:
    files = [*ROOT.glob("websearch_core/**/*.py"), *ROOT.glob("plugins/*/websearch_*/**/*.py")]
    return [*files, *ROOT.glob("examples/*/*.py")]


def imported(tree: ast.AST) -> Iterator[str]:
    """Also inside functions; not what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and node.attr in OPENERS:
            yield node.attr
        yield from imported(node)


def opened(source: str) -> set[str]:
    names = set(imported(ast.parse(source)))
    return {
        client for client in CLIENTS | OPENERS if any(name == client or name.startswith(f"{client}.") for name in names)
    }


def test_nothing_but_the_guarded_network_opens_connections() -> None:
    files = ours()
    assert len(files) > 300
    found = {str(file.relative_to(ROOT)): opened(file.read_text()) for file in files}
    assert {name: what for name, what in found.items() if what} == ALLOWED


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import httpx2", {"httpx2"}),
        ("def f():\n    from urllib import request", {"urllib.request"}),
        ("from http.client import HTTPConnection", {"http.client"}),
        ("import asyncio\nasync def f(): await asyncio.open_connection('a', 1)", {"open_connection"}),
        ("import socket as s", {"socket"}),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import httpx2", set()),
        ("from urllib.parse import urljoin", set()),
    ],
)
def test_every_way_of_importing_is_seen(source: str, what: set[str]) -> None:
    assert opened(source) == what
