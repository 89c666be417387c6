"""Which Chromium runs and as whom, and what an operator reads where none may."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_browser.chromium import installation
from websearch_browser.chromium.installation import found
from websearch_browser.settings import BrowserSettings
from websearch_core import StartupError
from websearch_core.kit import MissingSetting


def test_without_chromium_it_is_off_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.shutil, "which", lambda name: None)
    with pytest.raises(MissingSetting, match=r"EXECUTABLE_PATH not set: .*apt-get install chromium"):
        found(BrowserSettings())


@pytest.mark.parametrize("program", ["", "chromium"], ids=["a folder", "nothing"])
def test_a_program_that_is_not_there_stops_the_start(tmp_path: Path, program: str) -> None:
    with pytest.raises(StartupError, match="executable_path"):
        found(BrowserSettings(executable_path=str(tmp_path / program)))


@pytest.mark.parametrize(
    ("run_as", "remedy"), [("", "sandbox = false"), ("no-such-user", "no such user"), ("root", "root")]
)
def test_root_runs_it_as_somebody_else_or_not_at_all(monkeypatch: pytest.MonkeyPatch, run_as: str, remedy: str) -> None:
    monkeypatch.setattr(installation.os, "geteuid", lambda: 0)
    with pytest.raises(StartupError, match=remedy):
        found(BrowserSettings(executable_path="/bin/true", run_as=run_as))
    unconfined = found(BrowserSettings(executable_path="/bin/true", run_as=run_as, sandbox=False))
    assert (unconfined.sandbox, unconfined.uid) == (False, None)


def test_whoever_is_not_root_stays_who_he_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.os, "geteuid", lambda: 1000)
    chromium = found(BrowserSettings(executable_path="/bin/true"))
    assert (chromium.sandbox, chromium.uid) == (True, None)
