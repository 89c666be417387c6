"""One started Chromium: its processes, its folder, and their end."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import shlex
import sys
import tempfile
from collections.abc import Awaitable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Self

from websearch_core.kit import ServerFailed

from . import launch
from .flags import TAKEN_BACK, flags
from .processes import end, end_session, session

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

    from .installation import Chromium

_log = logging.getLogger(__name__)
_START_S = 30.0
_CLOSE_S = 5.0
_LOOK_S = 0.2
"""How often the memory is looked at."""


class BrowserProcess:
    """A browser that runs, until it dies or is ended."""

    browser: Browser

    def __init__(self, folder: Path, memory_bytes: int) -> None:
        self._folder = folder
        self._lock: int | None = _locked(folder / "server")
        self._memory_bytes = memory_bytes
        self._playwright: Playwright | None = None
        self._watch: asyncio.Task[None] | None = None
        self.pages = 0
        """How many are open in it."""
        self.ended_for_memory = 0
        """How many processes were ended because together they took too much memory."""

    @classmethod
    async def start(cls, chromium: Chromium, proxy: str, memory_bytes: int, extra: Sequence[str]) -> Self:
        """Start it behind this proxy. Raises `ServerFailed`, and leaves nothing behind then."""
        await asyncio.to_thread(import_module, "playwright.async_api")  # it takes its time
        from playwright.async_api import Error, async_playwright

        started = cls(_made_folder(chromium), memory_bytes)
        try:
            started._playwright = await async_playwright().start()
            started.browser = await started._playwright.chromium.launch(
                executable_path=str(started._folder / "start"),
                args=[*flags(proxy), *extra],
                ignore_default_args=list(TAKEN_BACK),
                chromium_sandbox=chromium.sandbox,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_START_S * 1000,
                env=_environ(started._folder),
                artifacts_dir=started._folder,
            )
        except Error as error:
            await started.end()
            raise ServerFailed(_why(error.message)) from None
        except BaseException:
            await started.end()
            raise
        started._watch = asyncio.create_task(started._watched())
        return started

    @property
    def alive(self) -> bool:
        """Whether it answers as far as anybody knows."""
        return self.browser.is_connected()

    @property
    def leader(self) -> int | None:
        """Process id of the browser, whose session all its processes are in; None: there are none."""
        try:
            return int((self._folder / "pid").read_text())
        except (OSError, ValueError):
            return None

    async def end(self) -> None:
        """End every process and remove every file."""
        if self._watch is not None:
            self._watch.cancel()
        await self._end_processes()
        if self._playwright is not None:
            await in_time(self._playwright.stop())
        await asyncio.to_thread(launch.remove, self._folder)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def _end_processes(self) -> None:
        """From the outside: a browser that hangs would not end itself, and nothing in it is worth an orderly end."""
        if (leader := self.leader) is not None:
            await end_session(leader)
            if not session(leader):  # the system may give the number to a stranger's processes now
                (self._folder / "pid").unlink(missing_ok=True)

    async def _watched(self) -> None:
        """End the largest process while all together take too much; and all that a browser leaves that died."""
        while self.alive and (leader := self.leader) is not None:
            await asyncio.sleep(_LOOK_S)
            if not self.browser.contexts:
                continue
            processes = await asyncio.to_thread(session, leader)
            if sum(process.private for process in processes) > self._memory_bytes:
                self.ended_for_memory += 1
                _log.warning("the browser took too much memory; its largest process was ended")
                end(max(processes, key=lambda process: process.private).pid)
        await self._end_processes()


async def in_time(closing: Awaitable[object]) -> bool:
    """Whether it came to its end, well or not, within the time that closing may take."""
    ending = asyncio.ensure_future(closing)
    done, _ = await asyncio.wait({ending}, timeout=_CLOSE_S)
    if not done:
        ending.cancel()
        return False
    with contextlib.suppress(Exception):
        ending.result()
    return True


def _made_folder(chromium: Chromium) -> Path:
    """Profile, home and temporary files of one browser, and the program that Playwright starts."""
    folder = Path(tempfile.mkdtemp(prefix="websearch-browser-"))
    ids = ("", "") if chromium.uid is None else (str(chromium.uid), str(chromium.gid))
    command = [sys.executable, "-I", str(launch.__file__), str(folder), *ids, chromium.program]
    start = folder / "start"
    start.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    start.chmod(0o700)
    home = folder / "home"
    home.mkdir(mode=0o700)
    if chromium.uid is not None and chromium.gid is not None:
        os.chown(home, chromium.uid, chromium.gid)
        folder.chmod(0o711)  # to be walked through, not to be changed
    return folder


def _locked(file: Path) -> int:
    """A lock that is free when this process is gone, however it went."""
    held = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    return held


def _environ(folder: Path) -> dict[str, str | float | bool]:
    """Nothing of ours: the server's environment holds keys."""
    home = str(folder / "home")
    kept = {name: value for name in ("PATH", "LANG", "TZ", "FONTCONFIG_PATH") if (value := os.environ.get(name))}
    return {**kept, "HOME": home, "TMPDIR": home, "XDG_RUNTIME_DIR": home, "DBUS_SESSION_BUS_ADDRESS": "disabled:"}


def _why(message: str) -> str:
    """Constant text for what Playwright says of a start."""
    if "No usable sandbox" in message:
        return "the browser did not start: its sandbox needs user namespaces, which this machine forbids (see README)"
    return "the browser did not start"
