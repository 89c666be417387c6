"""The browser's processes: unprivileged, sandboxed, bounded, replaced when they die, gone at the end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from websearch_browser.chromium import running_browser
from websearch_browser.chromium.processes import session
from websearch_browser.fetcher import BrowserFetcher
from websearch_core import Download, FetchRequest
from websearch_core.kit import ServerFailed, TooLarge
from websearch_core.testing.misbehaviour import Hang
from websearch_core.testing.site import LoopbackSite

pytestmark = [pytest.mark.real, pytest.mark.slow]
GOOD = "<p>x"
EATING = "<script>kept = []; setInterval(() => kept.push(new Uint8Array(2e7).fill(1)), 10)</script>"


def status(pid: int, field: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(f"{field}:")), "")


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode()


def environ(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_bytes().decode()


def held(folder: Path) -> list[Path]:
    return [*folder.iterdir()]


def renderers(leader: int) -> list[int]:
    return [process.pid for process in session(leader) if "--type=renderer" in command(process.pid)]


class Life:
    """A browser of its own, a site, and a page of it that is being rendered until it is released."""

    def __init__(self, site: LoopbackSite, fetcher: BrowserFetcher) -> None:
        self.site = site
        self.fetcher = fetcher

    @property
    def leader(self) -> int:
        leader = self.fetcher.browser.leader
        assert leader is not None
        return leader

    async def read(self, path: str = "/") -> Download:
        return await self.fetcher.fetch(FetchRequest(url=f"{self.site.url}{path}"))

    async def reading(self) -> asyncio.Future[Download]:
        """The page under way."""
        reading = asyncio.ensure_future(self.read("/hang"))
        await self.site.asked.wait()
        return reading


@pytest.fixture
def alive(rig: Any) -> Any:
    async def made(**settings: Any) -> Life:
        hanging = "<p>slow<script src=/hang.js></script>"
        site = await rig.site({"/": GOOD, "/hang": hanging, "/eat": EATING + hanging})
        site.route("/hang.js", Hang())
        return Life(site, rig.fetcher(site, own=True, **settings))

    return made


async def test_renderers_are_sandboxed_and_not_root_and_know_nothing_of_ours(
    alive: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBSEARCH_EXA__API_KEY", "sk-canary")
    life = await alive()
    reading = await life.reading()
    processes = [process.pid for process in session(life.leader)]
    assert renderers(life.leader)
    for pid in renderers(life.leader):
        assert status(pid, "Seccomp") == "2"
        assert len(status(pid, "NSpid").split()) > 1  # a namespace of its own
    assert "0" not in {status(pid, "Uid").split()[1] for pid in processes}
    assert not any("--no-sandbox" in command(pid) for pid in processes)
    assert "canary" not in environ(life.leader)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def test_nothing_is_left_when_it_is_closed(alive: Any, folder: Path) -> None:
    life = await alive()
    await life.read()
    leader = life.leader
    assert session(leader)
    assert held(folder)
    await life.fetcher.aclose()
    assert session(leader) == []
    assert held(folder) == []
    assert life.fetcher.browser.leader is None


async def test_a_killed_browser_is_replaced(alive: Any) -> None:
    life = await alive()
    reading, first = await life.reading(), life.leader
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ServerFailed):
        await reading
    assert b"<p>x" in (await life.read()).body
    assert life.leader != first


async def test_a_killed_driver_is_replaced_with_its_browser(alive: Any) -> None:
    life = await alive()
    await life.read()
    first = life.leader
    loop = asyncio.get_running_loop()
    handler = loop.get_exception_handler()
    loop.set_exception_handler(lambda *_: None)  # Playwright leaves a future of its own unread
    os.kill(int(status(first, "PPid")), signal.SIGKILL)
    with pytest.raises(ServerFailed):
        await life.read()
    assert b"<p>x" in (await life.read()).body
    assert session(first) == []
    gc.collect()
    loop.set_exception_handler(handler)


async def test_a_page_whose_process_dies_costs_that_page(alive: Any) -> None:
    life = await alive()
    reading, leader = await life.reading(), life.leader
    for pid in renderers(leader):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(ServerFailed):
        await reading
    assert b"<p>x" in (await life.read()).body
    assert life.leader == leader


async def test_a_page_that_does_not_close_costs_no_other_page(alive: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    life = await alive(settle_s=60.0)
    reading, first = await life.reading(), life.leader

    async def hangs(closing: Any) -> bool:
        monkeypatch.undo()
        closing.close()
        return False

    monkeypatch.setattr(running_browser, "in_time", hangs)
    await life.read()
    await life.read()
    assert life.leader != first
    life.site.release()
    assert b"<p>slow" in (await reading).body
    assert session(first) == []


async def test_a_page_that_takes_too_much_memory_costs_that_page(alive: Any) -> None:
    life = await alive(memory_mb=500, settle_s=60.0)
    with pytest.raises(TooLarge):
        await life.read("/eat")
    assert b"<p>x" in (await life.read()).body


async def test_a_program_that_is_no_browser_is_a_failure_that_leaves_nothing(rig: Any, folder: Path) -> None:
    site = await rig.site()
    with pytest.raises(ServerFailed):
        await rig.fetcher(site, own=True, executable_path="/bin/true").fetch(FetchRequest(url=f"{site.url}/"))
    assert held(folder) == []
