"""Both resources keep the contract."""

from __future__ import annotations

from websearch_core.testing import ResourceContract
from websearch_lenses.plugin import websearch_resources
from websearch_lenses.resources import Catalog, OneLens


class TestCatalog(ResourceContract):
    component = Catalog
    plugin = "lenses"

    def resource(self, ctx):
        catalog, _ = websearch_resources(ctx)
        return catalog


class TestOneLens(ResourceContract):
    component = OneLens
    plugin = "lenses"
    address = "lenses://docs"
    unknown = "lenses://nothing"

    def resource(self, ctx):
        _, one = websearch_resources(ctx)
        return one
