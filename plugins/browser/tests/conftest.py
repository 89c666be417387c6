"""A real Chromium on pages of loopback: what each test may reach is an exception of its own."""

from __future__ import annotations

import os
import signal
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from websearch_browser.chromium.installation import found
from websearch_browser.chromium.running_browser import RunningBrowser
from websearch_browser.fetcher import BrowserFetcher
from websearch_browser.settings import BrowserSettings
from websearch_core import Download, FetchRequest
from websearch_core.kit import MissingSetting
from websearch_core.net.guarded_client import GuardedHttpClient
from websearch_core.net.policy import AddressPolicy
from websearch_core.settings.configuration import NetSettings
from websearch_core.testing.fakes import FakeClock, context
from websearch_core.testing.site import LoopbackSite, Response, answer

LIMIT_S = 300
PATIENCE_S = 100.0
"""For a page on a machine that has much else to do: nothing here takes so long for itself."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all tests of a module, for they share a browser."""
    return "asyncio"


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """No test hangs, whatever it waits for."""

    def over(*_: object) -> None:
        raise TimeoutError(f"the test took more than {LIMIT_S} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(LIMIT_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def chromium() -> None:
    """A real Chromium is there. Skips loudly, or fails where WEBSEARCH_REQUIRE_REAL=1."""
    try:
        found(BrowserSettings())
    except MissingSetting as missing:
        if os.environ.get("WEBSEARCH_REQUIRE_REAL") == "1":
            pytest.fail(f"{missing} (WEBSEARCH_REQUIRE_REAL=1: a missing program is a failure)")
        pytest.skip(f"{missing}: this real test did NOT run")


class Lent(RunningBrowser):
    """A browser that outlives the fetchers that use it: starting one takes most of a test's time."""

    async def aclose(self) -> None:
        """Nothing: it is another's."""


@pytest.fixture(scope="module")
async def lent(chromium: None, anyio_backend: str) -> AsyncIterator[Lent]:
    """A browser for all tests of a module. Those of its life have their own."""
    browser = Lent(found(BrowserSettings()), memory_bytes=1_500_000_000)
    yield browser
    await RunningBrowser.aclose(browser)


class Names:
    """Every name is this machine."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        del port
        self.asked.append(host)
        return ["127.0.0.1"]


def html(text: str, **headers: str) -> Response:
    """A page."""
    return answer(200, text, content_type="text/html; charset=utf-8", headers=headers)


class Rig:
    """Sites, and browsers that may reach some of them."""

    def __init__(self, stack: AsyncExitStack, lent: Lent) -> None:
        self._stack = stack
        self._lent = lent
        self.names = Names()
        self.clock = FakeClock()

    async def site(self, pages: Mapping[str, str | Response] | None = None) -> LoopbackSite:
        """A site with these pages."""
        site = await self._stack.enter_async_context(LoopbackSite())
        for path, page in (pages or {}).items():
            site.route(path, html(page) if isinstance(page, str) else page)
        return site

    def fetcher(
        self,
        *reachable: LoopbackSite | str,
        net: Mapping[str, Any] | None = None,
        extra: Sequence[str] = (),
        own: bool = False,
        **settings: Any,
    ) -> BrowserFetcher:
        """A fetcher that may reach these sites and nothing else; `own`: in a browser of its own."""
        settings = {"timeout_s": PATIENCE_S, **settings}
        private = tuple(f"127.0.0.1:{one.port}" if isinstance(one, LoopbackSite) else one for one in reachable)
        ctx = context("browser", settings, clock=self.clock, private=private)
        rules = NetSettings(private=private, **(net or {}))
        ctx.web = GuardedHttpClient(AddressPolicy(rules), rules, self.clock, resolve=self.names, environ={})
        chosen = ctx.settings(BrowserSettings)
        fetcher = BrowserFetcher(ctx, chosen, found(chosen), extra=extra)
        if not own:
            fetcher.browser = self._lent
        self._stack.push_async_callback(ctx.web.aclose)
        self._stack.push_async_callback(fetcher.aclose)
        return fetcher

    async def rendered(self, page: str | Response, **fields: Any) -> Download:
        """What a page becomes in a browser that may reach its site alone."""
        site = await self.site({"/": page})
        return await self.fetcher(site).fetch(FetchRequest(url=f"{site.url}/", **fields))


@pytest.fixture
async def rig(lent: Lent) -> AsyncIterator[Rig]:
    async with AsyncExitStack() as stack:
        yield Rig(stack, lent)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """For temporary files, a test's own; pytest's are closed to the browser's user."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o711)
        monkeypatch.setattr(tempfile, "tempdir", made)
        yield Path(made)


@pytest.fixture
def untrusted(tmp_path: Path) -> LoopbackSite:
    """A site whose certificate nobody has signed."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
    signed = made.not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    file = tmp_path / "site.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + secret)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    return LoopbackSite(tls=tls)
