"""Debian's real searx on loopback, with engines that reach no further."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest


@dataclass
class RealSearx:
    """A running searx, and what its JSON engine was asked."""

    url: str
    queries: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def searx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealSearx]:
    """searx with a SQLite index (general, news, images), a JSON engine and one whose server is down."""
    program = shutil.which("searx-run")
    if program is None:
        reason = "REAL SERVER MISSING: searx is not installed (apt-get install searx): only recordings were tested"
        if os.environ.get("WEBSEARCH_REQUIRE_REAL") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("searx")
    running = RealSearx(f"http://127.0.0.1:{_free_port()}")
    engine = ThreadingHTTPServer(("127.0.0.1", 0), _json_engine(running.queries))
    serving = threading.Thread(target=engine.serve_forever, daemon=True)
    serving.start()
    settings = folder / "settings.yml"
    settings.write_text(json.dumps(_settings(running.url, engine.server_port, _index(folder))))  # JSON is YAML
    environ = {"PATH": os.environ["PATH"], "SEARX_SETTINGS_PATH": str(settings), "NO_PROXY": "127.0.0.1"}
    process = subprocess.Popen([program], env=environ, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _wait_until_it_listens(process)
        yield running
    finally:
        process.terminate()
        process.communicate()
        engine.shutdown()
        engine.server_close()
        serving.join()


def _wait_until_it_listens(process: subprocess.Popen[bytes]) -> None:
    """Read its log until it says so; then go on reading, so that it never waits for us."""
    assert process.stderr is not None
    said = b""
    for line in process.stderr:
        said += line
        if b"Running on" in line:
            threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
            return
    pytest.fail(f"searx did not start:\n{said.decode(errors='replace')}")


def _drain(stream: Any) -> None:
    try:
        while stream.read(65536):
            pass
    except ValueError:  # closed at the end
        pass


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _index(folder: Path) -> Path:
    """25 documents about asyncio, 3 about rebase."""
    path = folder / "index.db"
    with sqlite3.connect(path) as index:
        index.execute("CREATE VIRTUAL TABLE page USING fts5(url UNINDEXED, title, content, img_src UNINDEXED)")
        rows = [(f"https://docs.example/asyncio/{n}", f"Asyncio {n}", f"asyncio chapter {n}") for n in range(25)]
        rows += [(f"https://docs.example/rebase/{n}", f"Rebase {n}", f"rebase chapter {n}") for n in range(3)]
        index.executemany("INSERT INTO page VALUES (?, ?, ?, '//img.example/' || ?)", [(*row, row[1]) for row in rows])
    index.close()
    return path


def _settings(url: str, engine_port: int, index: Path) -> dict[str, Any]:
    select = "SELECT url, title, content {} FROM page WHERE content MATCH :query ORDER BY rank"
    sqlite = {"engine": "sqlite", "limit": 10, "database": str(index), "query_str": select.format("")}
    over_http = {
        "engine": "json_engine",
        "enable_http": True,
        "results_query": "results",
        "url_query": "url",
        "title_query": "title",
        "content_query": "content",
    }
    engines = [
        {**sqlite, "name": "docs", "shortcut": "dd", "categories": "general", "result_template": "default.html"},
        {**sqlite, "name": "papers", "shortcut": "pa", "categories": "news", "result_template": "default.html"},
        {
            **sqlite,
            "name": "pictures",
            "shortcut": "pi",
            "categories": "images",
            "result_template": "images.html",
            "query_str": select.format(", replace(img_src, ' ', '') AS img_src"),
        },
        {
            **over_http,
            "name": "live",
            "shortcut": "li",
            "categories": "general",
            "search_url": f"http://127.0.0.1:{engine_port}/api?q={{query}}",
        },
        {
            **over_http,
            "name": "dead",
            "shortcut": "xx",
            "categories": "news",
            "search_url": f"http://127.0.0.1:{_free_port()}/api?q={{query}}",
        },
    ]
    nowhere = ("git_url", "git_branch", "issue_url", "docs_url", "public_instances", "wiki_url", "twitter_url")
    return {
        "general": {"debug": False, "instance_name": "test", "contact_url": False, "enable_stats": False},
        "brand": dict.fromkeys(nowhere, ""),
        "search": {
            "safe_search": 0,
            "autocomplete": "",
            "default_lang": "",
            "ban_time_on_fail": 0,
            "max_ban_time_on_fail": 0,
        },
        "server": {
            "port": urlsplit(url).port,
            "bind_address": "127.0.0.1",
            "secret_key": "test",
            "base_url": False,
            "image_proxy": False,
            "http_protocol_version": "1.0",
            "method": "POST",
            "default_http_headers": {},
        },
        "ui": {
            "static_path": "/usr/share/python3-searx/static",
            "templates_path": "/usr/share/python3-searx/templates",
            "default_theme": "oscar",
            "default_locale": "",
            "theme_args": {"oscar_style": "logicodev"},
        },
        "outgoing": {"request_timeout": 5.0, "useragent_suffix": "", "pool_connections": 10, "pool_maxsize": 10},
        "enabled_plugins": [],
        "checker": {"off_when_debug": True},
        "locales": {"en": "English", "de": "Deutsch"},
        "doi_resolvers": {"doi.org": "https://doi.org/"},
        "default_doi_resolver": "doi.org",
        "engines": engines,
    }


def _json_engine(queries: list[str]) -> type[BaseHTTPRequestHandler]:
    class JsonEngine(BaseHTTPRequestHandler):
        """Writes down each query and finds one page for it."""

        def do_GET(self) -> None:
            queries.append(parse_qs(urlsplit(self.path).query)["q"][0])
            found = {"results": [{"url": "https://live.example/", "title": "Live", "content": "Found."}]}
            body = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Nothing on stderr."""

    return JsonEngine
