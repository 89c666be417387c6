"""No plugin and no library beneath it asks anybody whom the operator did not name: at start, warm-up, or a call."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

ALONE = Path(__file__).parent / "alone.py"
REFUSED = 77
SECONDS = 300


def alone(home: Path, *arguments: str) -> Any:
    """What every plugin did in a network of its own, with this home."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, str(ALONE), *arguments],
        env={**environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode == REFUSED:
        pytest.skip(f"the kernel gives no network namespace ({done.stdout.strip()}): native code was NOT watched")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_nobody_is_asked_and_nothing_is_kept(tmp_path: Path) -> None:
    seen = alone(tmp_path)
    assert seen["asked"] == []
    assert not any(seen["native"].values()), "a library asked, past Python"
    assert seen["written"] == [], "an id of this machine, or what is to be sent later"
    silent = {name for name, calls in seen["called"].items() if not calls}
    assert {entry.name for entry in entry_points(group="websearch")} - {*seen["called"]} - {"browser"} == set(), (
        "each was there"
    )
    assert silent <= {"lenses", "packet"}, "these work on what others have brought"


@pytest.mark.parametrize(("way", "where"), [("resolve", "native"), ("write", "written")])
def test_it_would_be_seen(way: str, where: str, tmp_path: Path) -> None:
    seen = alone(tmp_path, way)
    assert any(seen[where].values() if isinstance(seen[where], dict) else seen[where])
