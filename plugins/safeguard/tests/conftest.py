"""A local judge, and the filters as the plugin makes them."""

from __future__ import annotations

import pytest

from websearch_core.testing import FakeClock, LoopbackSite, context
from websearch_safeguard.plugin import websearch_document_filters, websearch_request_filters


class Desk:
    """A site, a judge on it, and both filters."""

    def __init__(self, site, tmp_path):
        self.site = site
        self.tmp_path = tmp_path
        self.clock = FakeClock()
        self.contexts = []

    def ctx(self, **settings):
        table = {"base_url": f"{self.site.url}/v1", "self_test": False, "timeout_s": 5.0, **settings}
        ctx = context("safeguard", table, clock=self.clock, data_dir=self.tmp_path)
        self.contexts.append(ctx)
        return ctx

    def pii(self, **settings):
        [judge] = websearch_request_filters(self.ctx(**settings))
        return judge

    def injection(self, **settings):
        [judge] = websearch_document_filters(self.ctx(**settings))
        return judge


@pytest.fixture
async def desk(tmp_path):
    async with LoopbackSite() as site:
        made = Desk(site, tmp_path)
        yield made
        for ctx in made.contexts:
            await ctx.aclose()
            await ctx.web.aclose()
