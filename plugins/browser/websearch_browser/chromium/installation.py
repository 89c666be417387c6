"""Which Chromium runs, and as whom: decided at the start, so that an operator learns of it then."""

from __future__ import annotations

import os
import pwd
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from websearch_core import StartupError
from websearch_core.kit import MissingSetting

if TYPE_CHECKING:
    from ..settings import BrowserSettings

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass(frozen=True, slots=True)
class Chromium:
    """A program and the user that it runs as."""

    program: str
    sandbox: bool
    uid: int | None = None
    """None: as whoever we are."""
    gid: int | None = None


def found(settings: BrowserSettings) -> Chromium:
    """The Chromium to use. Raises `MissingSetting` where there is none, `StartupError` where it may not run so."""
    program = settings.executable_path or next(filter(None, map(shutil.which, _NAMES)), "")
    if not program:
        raise MissingSetting(
            "browser",
            ("WEBSEARCH_BROWSER__EXECUTABLE_PATH",),
            "there is no Chromium in PATH; install one (Debian: apt-get install chromium)",
        )
    if shutil.which(program) is None:  # a folder is none, either
        raise StartupError("[plugin.browser] executable_path: no such program; write for example /usr/bin/chromium")
    if os.geteuid() != 0 or not settings.sandbox:
        return Chromium(program, settings.sandbox)
    if not settings.run_as:
        raise StartupError(
            "[plugin.browser] run_as: Chromium's sandbox is not for root; name a user, or set sandbox = false"
        )
    try:
        user = pwd.getpwnam(settings.run_as)
    except KeyError:
        raise StartupError("[plugin.browser] run_as: there is no such user") from None
    if user.pw_uid == 0:
        raise StartupError("[plugin.browser] run_as: must not be root, for which Chromium has no sandbox")
    return Chromium(program, settings.sandbox, user.pw_uid, user.pw_gid)
