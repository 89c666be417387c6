"""The browser's processes: unprivileged, sandboxed, bounded, replaced when they die, gone at the end."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from websearch_browser import browser, installed
from websearch_browser.installed import found
from websearch_browser.plugin import BrowserSettings
from websearch_browser.processes import session
from websearch_core import FetchRequest, MissingSetting, ServerFailed, StartupError, TooLarge
from websearch_core.testing.misbehaviour import Hang
from websearch_core.testing.site import answer


def status(pid: int, field: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(f"{field}:")), "")


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode()


def environ(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_bytes().decode()


def folders() -> set[str]:
    return {path.name for path in Path("/tmp").glob("websearch-browser-*")}


@pytest.mark.real
async def test_renderers_are_sandboxed_and_not_root(rig: Any) -> None:
    site = await rig.site({"/": "<p>x"})
    fetcher = rig.fetcher(site, own=True)
    site.route("/hang.js", Hang())
    site.route("/", answer(200, "<script src=/hang.js></script>", content_type="text/html"))
    rendering = asyncio.ensure_future(fetcher.fetch(FetchRequest(url=f"{site.url}/")))
    await site.asked.wait()
    processes = session(fetcher.browser.leader)
    commands = {one.pid: command(one.pid) for one in processes}
    renderers = [pid for pid, line in commands.items() if "--type=renderer" in line]
    assert renderers
    for pid in renderers:
        assert status(pid, "Seccomp") == "2"
        assert len(status(pid, "NSpid").split()) > 1  # a namespace of its own
    assert "0" not in {status(one.pid, "Uid").split()[1] for one in processes}
    assert not any("--no-sandbox" in line for line in commands.values())
    rendering.cancel()
    await asyncio.gather(rendering, return_exceptions=True)


@pytest.mark.real
async def test_nothing_of_our_environment_is_handed_on(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBSEARCH_EXA__API_KEY", "sk-canary")
    site = await rig.site({"/": "<p>x"})
    fetcher = rig.fetcher(site, own=True)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
    assert "canary" not in environ(fetcher.browser.leader)


@pytest.mark.real
async def test_nothing_is_left_when_it_is_closed(rig: Any) -> None:
    before = folders()
    site = await rig.site({"/": "<p>x"})
    fetcher = rig.fetcher(site, own=True)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
    leader = fetcher.browser.leader
    assert session(leader)
    await fetcher.aclose()
    assert session(leader) == []
    assert folders() - before == set()
    assert fetcher.browser.leader is None


@pytest.mark.real
async def test_a_killed_browser_is_replaced(rig: Any) -> None:
    site = await rig.site({"/": "<p>x", "/hang": "<script src=/hang.js></script>"})
    site.route("/hang.js", Hang())
    fetcher = rig.fetcher(site, own=True)
    rendering = asyncio.ensure_future(fetcher.fetch(FetchRequest(url=f"{site.url}/hang")))
    await site.asked.wait()
    first = fetcher.browser.leader
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ServerFailed):
        await rendering
    assert b"<p>x" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/"))).body
    assert fetcher.browser.leader != first


@pytest.mark.real
async def test_a_page_whose_process_dies_costs_that_page(rig: Any) -> None:
    site = await rig.site({"/": "<p>x", "/hang": "<script src=/hang.js></script>"})
    site.route("/hang.js", Hang())
    fetcher = rig.fetcher(site, own=True)
    rendering = asyncio.ensure_future(fetcher.fetch(FetchRequest(url=f"{site.url}/hang")))
    await site.asked.wait()
    leader = fetcher.browser.leader
    for process in session(leader):
        if "--type=renderer" in command(process.pid):
            os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(ServerFailed):
        await rendering
    assert b"<p>x" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/"))).body
    assert fetcher.browser.leader == leader


@pytest.mark.real
async def test_a_page_that_does_not_close_costs_no_other_page(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    site = await rig.site({"/": "<p>x", "/slow": "<p>slow<script src=/hang.js></script>"})
    site.route("/hang.js", Hang())
    fetcher = rig.fetcher(site, own=True)
    slow = asyncio.ensure_future(fetcher.fetch(FetchRequest(url=f"{site.url}/slow")))
    await site.asked.wait()
    first = fetcher.browser.leader

    async def hangs(closing: Any) -> bool:
        monkeypatch.undo()
        closing.close()
        return False

    monkeypatch.setattr(browser, "in_time", hangs)
    await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
    await fetcher.fetch(FetchRequest(url=f"{site.url}/"))
    assert fetcher.browser.leader != first
    site.release()
    assert b"<p>slow" in (await slow).body
    assert session(first) == []


@pytest.mark.real
async def test_a_page_that_takes_too_much_memory_costs_that_page(rig: Any) -> None:
    eating = "<script>kept = []; setInterval(() => kept.push(new Uint8Array(2e7).fill(1)), 10)</script>"
    site = await rig.site({"/": "<p>x", "/eat": eating})
    fetcher = rig.fetcher(site, own=True, memory_mb=500, timeout_s=60.0, settle_s=30.0)
    site.route("/eat", answer(200, eating + "<script src=/hang.js></script>", content_type="text/html"))
    site.route("/hang.js", Hang())
    with pytest.raises(TooLarge):
        await fetcher.fetch(FetchRequest(url=f"{site.url}/eat"))
    assert b"<p>x" in (await fetcher.fetch(FetchRequest(url=f"{site.url}/"))).body


@pytest.mark.real
async def test_a_program_that_is_no_browser_is_a_failure_that_leaves_nothing(rig: Any) -> None:
    before = folders()
    site = await rig.site({"/": "<p>x"})
    with pytest.raises(ServerFailed):
        await rig.fetcher(site, own=True, executable_path="/bin/true").fetch(FetchRequest(url=f"{site.url}/"))
    assert folders() - before == set()


def test_without_chromium_it_is_off_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed.shutil, "which", lambda name: None)
    with pytest.raises(MissingSetting, match=r"EXECUTABLE_PATH not set: .*apt-get install chromium"):
        found(BrowserSettings())


def test_a_program_that_is_not_there_stops_the_start() -> None:
    with pytest.raises(StartupError, match="executable_path"):
        found(BrowserSettings(executable_path="/nonexistent"))


@pytest.mark.parametrize(
    ("run_as", "remedy"), [("", "sandbox = false"), ("no-such-user", "no such user"), ("root", "root")]
)
def test_root_runs_it_as_somebody_else_or_not_at_all(monkeypatch: pytest.MonkeyPatch, run_as: str, remedy: str) -> None:
    monkeypatch.setattr(installed.os, "geteuid", lambda: 0)
    with pytest.raises(StartupError, match=remedy):
        found(BrowserSettings(executable_path="/bin/true", run_as=run_as))
    unconfined = found(BrowserSettings(executable_path="/bin/true", run_as=run_as, sandbox=False))
    assert (unconfined.sandbox, unconfined.uid) == (False, None)


def test_whoever_is_not_root_stays_who_he_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed.os, "geteuid", lambda: 1000)
    chromium = found(BrowserSettings(executable_path="/bin/true"))
    assert (chromium.sandbox, chromium.uid) == (True, None)
