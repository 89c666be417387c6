"""The browser's processes, as Linux shows them: how much memory they take, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a session."""

    pid: int
    private: int
    """Bytes of memory that are its own."""


def session(leader: int) -> list[Process]:
    """Every living process of the session that `leader` began."""
    found: list[Process] = []
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # the name in parentheses may hold anything; of what follows, state is the first and session the fourth
            state, _, _, owner, *_ = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(owner) != leader or state == "Z":
                continue
            _, resident, shared, *_ = map(int, (entry / "statm").read_text().split())
        except (OSError, ValueError):  # it has gone
            continue
        found.append(Process(int(entry.name), max(0, resident - shared) * _PAGE))
    return found


def end(pid: int) -> None:
    """Kill one process; nothing happens where it has gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


async def end_session(leader: int) -> None:
    """Kill every process of the session, and wait until they are gone; at most two seconds."""
    for _ in range(40):
        left = session(leader)
        if not left:
            return
        for process in left:
            end(process.pid)
        await asyncio.sleep(0.05)
