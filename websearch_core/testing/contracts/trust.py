"""The contracts of those who vouch: trust policies for documents, token verifiers for callers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar
from urllib.parse import urlsplit

import pytest

from websearch_core.contract.context import PluginContext
from websearch_core.contract.interfaces import TokenVerifier, TrustPolicy
from websearch_core.contract.models import Caller, Document, Hit, Page

from .contract import Contract
from .probes import longest_hold_ms, told_by

STRANGER = "stranger.invalid"


class TrustPolicyContract(Contract[TrustPolicy]):
    """For a trust policy: addresses that it trusts, and addresses that it does not."""

    trusted: ClassVar[Sequence[str]]
    untrusted: ClassVar[Sequence[str]]

    @abstractmethod
    def policy(self, ctx: PluginContext) -> TrustPolicy:
        """The policy, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> TrustPolicy:
        """The policy."""
        return self.policy(ctx)

    async def test_trusted_addresses_are_trusted(self, made: TrustPolicy) -> None:
        """As hits and as pages; the answer is True itself."""
        for url in self.trusted:
            for document in (Hit(url=url), Page(url=url, final_url=url)):
                assert await made.trusts(document) is True, f"not trusted: {url}"

    async def test_untrusted_addresses_are_not_trusted(self, made: TrustPolicy) -> None:
        """The answer is False itself."""
        for url in self.untrusted:
            assert await made.trusts(Hit(url=url)) is False, f"trusted: {url}"

    async def test_lookalikes_are_not_trusted(self, made: TrustPolicy) -> None:
        """A trusted name in the user part, in the path, or in front of another domain."""
        for url in self.trusted:
            host = urlsplit(url).hostname or ""
            for lookalike in (
                f"https://{host}@{STRANGER}/",
                f"https://{host}.{STRANGER}/",
                f"https://{STRANGER}/{host}",
                f"https://{STRANGER}/?u=https://{host}/",
                f"https://{STRANGER}#@{host}/",
                f"https://{STRANGER}\\@{host}/",
            ):
                assert await made.trusts(Hit(url=lookalike)) is False, f"trusted: {lookalike}"

    async def test_a_redirect_away_loses_trust(self, made: TrustPolicy) -> None:
        """The address that the text came from counts."""
        for url in self.trusted:
            assert await made.trusts(Page(url=url, final_url=f"https://{STRANGER}/")) is False

    @pytest.mark.parametrize("url", ["no address", "http://[", "https://", "ftp://example.com", "🦊", "//example.com"])
    async def test_what_is_no_web_address_is_not_trusted(self, made: TrustPolicy, url: str) -> None:
        """And is no error."""
        assert await made.trusts(Document(url=url)) is False

    async def test_nothing_is_printed_and_the_loop_is_not_held(
        self, made: TrustPolicy, ctx: PluginContext, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """One line on stdout breaks the stdio transport."""
        held = await longest_hold_ms(lambda: made.trusts(Hit(url=self.trusted[0])), ctx.workers)
        assert held < 50, f"the event loop was held for {held:.0f} ms"
        assert capfd.readouterr().out == ""


class TokenVerifierContract(Contract[TokenVerifier]):
    """For a token verifier: good tokens and the tenants that they stand for."""

    tokens: ClassVar[Mapping[str, str]]

    @abstractmethod
    def verifier(self, ctx: PluginContext) -> TokenVerifier:
        """The verifier, as the plugin's hook makes it."""

    def make(self, ctx: PluginContext) -> TokenVerifier:
        """The verifier."""
        return self.verifier(ctx)

    async def test_a_good_token_gives_its_tenant(self, made: TokenVerifier) -> None:
        """And each its own."""
        for token, tenant in self.tokens.items():
            assert tenant, "a caller without a tenant is nobody"
            caller = await made.verify(token)
            assert isinstance(caller, Caller)
            assert caller.tenant == tenant

    async def test_any_other_token_is_nobodys(
        self, made: TokenVerifier, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """None, without a word in log or on stdout."""
        for token in self.tokens:
            for other in (
                "",
                token[:-1],
                token + "x",
                token.swapcase() + "x",
                f" {token}x",
                "x" * 100_000,
                "🦊",
                "\x00",
            ):
                assert await made.verify(other) is None
            assert token not in told_by(Exception(), caplog)
        assert capfd.readouterr().out == ""
