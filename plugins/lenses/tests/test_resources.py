"""The lenses as people and models read them."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from websearch_core import Lens
from websearch_core.kit import NotFound
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_core.testing import FakeGateway
from websearch_lenses.resources import SHOWN, Catalog, OneLens

ALONE = entry_points(group="websearch", name="lenses")
MANY = tuple(f"site{number}.example" for number in range(SHOWN + 2))
LENSES = (
    Lens(name="few", description="Few | sites", domains=("a.example", "*.b.example")),
    Lens(name="fond", description="A goggle", goggle="https://g.example/g"),
    Lens(name="many", description="Many sites", domains=MANY),
)


async def test_the_catalogue_is_a_table_with_the_first_sites_of_each() -> None:
    text = await Catalog(LENSES).read("lenses://catalog", FakeGateway())
    assert text.splitlines()[4:] == [
        "| lens | for | sites |",
        "|---|---|---|",
        "| few | Few \\| sites | `a.example, *.b.example` |",
        "| fond | A goggle | those of its goggle |",
        f"| many | Many sites | `{', '.join(MANY[:SHOWN])}` and 2 more |",
    ]


async def test_the_catalogue_promises_no_more_than_every_engine_holds() -> None:
    use = (await Catalog(LENSES).read("lenses://catalog", FakeGateway())).splitlines()[2]
    assert "only pages of its sites are returned" in use
    assert "may find few" in use


async def test_one_lens_is_shown_whole() -> None:
    one = OneLens(LENSES)
    many = await one.read("lenses://many", FakeGateway())
    assert many == "# many\n\nMany sites\n\n" + "".join(f"- `{site}`\n" for site in MANY)
    assert "Goggle: <https://g.example/g>" in await one.read("lenses://fond", FakeGateway())


@pytest.mark.parametrize("uri", ["lenses://", "lenses://other", "lenses://few/more", "lenses://FEW"])
async def test_there_is_nothing_at_other_addresses(uri: str) -> None:
    with pytest.raises(NotFound):
        await OneLens(LENSES).read(uri, FakeGateway())


@pytest.mark.parametrize(("prefix", "names"), [("f", ["few", "fond"]), ("FO", ["fond"]), ("", ["few", "fond", "many"])])
async def test_names_are_completed(prefix: str, names: list[str]) -> None:
    assert list(await OneLens(LENSES).complete("name", prefix, FakeGateway())) == names


def test_the_catalogues_own_address_comes_before_the_template() -> None:
    resources = assemble(Configuration({}, {}, ""), installed=ALONE).resources
    ours = [resource.uri for resource in resources if resource.uri.startswith("lenses:")]
    assert ours == ["lenses://catalog", "lenses://{name}"]
