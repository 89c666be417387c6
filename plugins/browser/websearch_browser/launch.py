"""Run as a program: becomes Chromium, as another user where told so. Needs nothing but the standard library.

    python -I launch.py FOLDER UID GID PROGRAM FLAG...

Playwright starts it as the browser's program, in a session of its own; `FOLDER/pid` then names that session. Only
`FOLDER/home` is the browser's: what it could change, nobody else may trust.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path


def main(folder: str, uid: str, gid: str, *command: str) -> None:
    """Give up what Chromium must not have, and become it."""
    (Path(folder) / "pid").write_text(str(os.getpid()))
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


if __name__ == "__main__":
    main(*sys.argv[1:])
