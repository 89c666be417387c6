"""A real nginx on loopback with a configuration and files of its own, and what it was asked."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .conftest import RequireReal

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
SECONDS = 20

LOG = """escape=json '{"path": "$request_uri", "status": $status, "etag": "$http_if_none_match", \
"since": "$http_if_modified_since", "encodings": "$http_accept_encoding", "range": "$http_range", \
"connection": $connection, "sent": $bytes_sent, "packed": "$sent_http_content_encoding"}'"""

CONFIGURATION = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr notice;
{user}
events {{ worker_connections 256; }}
http {{
  access_log off;
  log_format asked {log};
  types {{ text/html html; text/markdown md; text/plain txt; application/pdf pdf; image/png png; }}
  default_type application/octet-stream;
  log_not_found off;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/pages;
    access_log {folder}/asked.log asked;
    absolute_redirect off;
{locations}
  }}
}}
"""


@dataclass
class Nginx:
    """A running nginx; its pages are the files of `folder`/pages."""

    url: str
    folder: Path
    process: subprocess.Popen[str]

    def asked(self, path: str) -> list[dict[str, Any]]:
        """What it was asked for this path, in order."""
        # its one worker has written all earlier lines when it takes the next request
        with urllib.request.urlopen(f"{self.url}/asked", timeout=SECONDS):
            pass
        lines = map(json.loads, (self.folder / "asked.log").read_text().splitlines())
        return [line for line in lines if line["path"] == path]

    def stop(self) -> None:
        """No connection is accepted from now on."""
        self.process.terminate()
        self.process.communicate(timeout=SECONDS)


@contextlib.contextmanager
def serving(folder: Path, require_real: RequireReal, locations: str, pages: Mapping[str, bytes]) -> Generator[Nginx]:
    """nginx with these locations and files."""
    program = shutil.which("nginx", path=PATH)
    if program is None:
        require_real("nginx is not installed (apt-get install nginx)")
    (folder / "pages").mkdir()
    for name, content in {**pages, "asked": b"yes"}.items():
        (folder / "pages" / name).write_bytes(content)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    values = {"folder": folder, "port": port, "log": LOG, "user": "user root;" if os.geteuid() == 0 else ""}
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(locations=locations.replace("{port}", str(port)), **values))
    command = [program, "-p", str(folder), "-c", str(file), "-e", "stderr"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        said = ""
        for line in process.stderr:
            said += line
            if "start worker process" in line:
                break
        else:
            pytest.fail(f"nginx did not start:\n{said}")
        running = Nginx(f"http://127.0.0.1:{port}", folder, process)
        try:
            yield running
        finally:
            if process.poll() is None:
                running.stop()
