"""A web site in a process of its own, on loopback: every address has the same page but for its number."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

NUMBER = "NUMBER"
"""Where this stands in a page, the last part of the address is put."""

_PROGRAM = r"""
import asyncio, sys

BODY = open(sys.argv[1], encoding="utf-8").read()
HEAD = "\r\n".join(["HTTP/1.1 200 OK", *sys.argv[3:], "Content-Length: "])

async def serve(reader, writer):
    try:
        while True:
            path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
            body = BODY.replace(sys.argv[2], path.rpartition("/")[2]).encode()
            writer.write(f"{HEAD}{len(body)}\r\n\r\n".encode() + body)
    except (asyncio.IncompleteReadError, OSError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@contextlib.contextmanager
def site(folder: Path, body: str, headers: Sequence[str]) -> Generator[str]:
    """Host and port of a site with this page, which is written into `folder`; `headers` are whole lines."""
    file = folder / "page"
    file.write_text(body, encoding="utf-8")
    command = [sys.executable, "-c", _PROGRAM, str(file), NUMBER, *headers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()
