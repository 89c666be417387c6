"""Run as a program: becomes Chromium, as another user where told so. Needs nothing but the standard library.

    python -I launch.py FOLDER UID GID PROGRAM FLAG...

Playwright starts it as the browser's program, in a session of its own; `FOLDER/pid` names that session for as long as
it may be ended. `FOLDER/server` is locked for as long as the server lives. Only `FOLDER/home` is the browser's: what it
could change, nobody else may trust.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn


def main(folder: str, uid: str, gid: str, *command: str) -> None:
    """Give up what Chromium must not have, and become it."""
    leader = os.getpid()
    (Path(folder) / "pid").write_text(str(leader))
    if not os.fork():
        _guard(Path(folder), leader)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for flag in command:
        if flag.startswith("--user-data-dir="):  # made by Playwright, empty, and not used
            Path(flag.partition("=")[2]).rmdir()
    if uid:
        os.setgroups(())
        os.setresgid(int(gid), int(gid), int(gid))
        os.setresuid(int(uid), int(uid), int(uid))
    home = f"{folder}/home"
    os.chdir(home)
    # of two switches of one name the last counts, and the first user-data-dir belongs to whoever started this
    os.execv(command[0], (*command, f"--user-data-dir={home}/profile"))  # noqa: S606 - this is what it is for


def _guard(folder: Path, leader: int) -> NoReturn:
    """Outlive the server, however it ends, and see to it that nothing else does: a killed one cannot close its browser.

    The driver would ask a browser that hangs for an orderly end, and wait for it.
    """
    try:
        os.setsid()  # not one of the processes that are ended
        os.closerange(0, os.sysconf("SC_OPEN_MAX"))  # the browser's pipes, whose end its driver waits for
        with (folder / "server").open() as server:
            fcntl.flock(server, fcntl.LOCK_EX)
        if (folder / "pid").exists():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(leader, signal.SIGKILL)
        remove(folder)
    finally:
        os._exit(0)  # what follows is the browser's


def remove(folder: Path) -> None:
    """Crash handlers are of sessions of their own, and may write for a moment after the browser's end."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
