"""The operator's lenses: what they may be, and what stops the start."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core import Lens, StartupError
from websearch_core.settings.configuration import Configuration
from websearch_core.startup.assemble import assemble
from websearch_lenses.collection import collected
from websearch_lenses.files import read_lens

GOOD = 'description = "Tea"\ndomains = ["tea.example"]\n'
ALONE = entry_points(group="websearch", name="lenses")
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "lenses"
    made.mkdir()
    return made


def test_a_file_is_a_lens(folder: Path) -> None:
    (folder / "tea.toml").write_text(
        'description = "Tea"\n'
        'domains = ["Tea.example.", " =shop.example", "*.docs.example", "tea-*.example", "tée.example", "192.0.2.7"]\n'
        'goggle = "https://g.example/tea.goggle"\n'
    )
    assert read_lens(folder / "tea.toml") == Lens(
        name="tea",
        description="Tea",
        domains=("tea.example", "=shop.example", "*.docs.example", "tea-*.example", "tée.example", "192.0.2.7"),
        goggle="https://g.example/tea.goggle",
    )


def test_the_file_that_the_page_shows_is_a_lens(folder: Path) -> None:
    [shown] = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (folder / "handbook.toml").write_text(shown)
    assert read_lens(folder / "handbook.toml").name == "handbook"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD + 'cx = "1"\n', "cx: unknown key; known: name, description, domains, goggle"),
        ('domains = ["tea.example"]\n', "description: must be one line"),
        ('description = ""\ndomains = ["tea.example"]\n', "description: must be one line"),
        ('description = " "\ndomains = ["tea.example"]\n', "description: must be one line"),
        ('description = "a\\nb"\ndomains = ["tea.example"]\n', "description: must be one line"),
        ('description = "\\u001b[2J"\ndomains = ["tea.example"]\n', "description: must be one line"),
        (f'description = "{"x" * 301}"\ndomains = ["tea.example"]\n', "description: must be one line"),
        ("description = 1\n", "description: must be one line"),
        ('description = "Tea"\n', "domains: must name at least one, unless there is a goggle"),
        ('description = "Tea"\ndomains = []\n', "domains: must name at least one, unless there is a goggle"),
        ('description = "Tea"\ndomains = "tea.example"\n', "domains: must be a list of at most 100"),
        ('description = "Tea"\ndomains = [1]\n', "domains: must be a list of at most 100"),
        (f'description = "Tea"\ndomains = {[f"{n}.example" for n in range(101)]}\n', "domains: must be a list of at"),
        (
            'description = "Tea"\ndomains = ["https://tea.example/"]\n',
            "domains: 'https://tea.example/' is not a domain",
        ),
        ('description = "Tea"\ndomains = ["a.example", "A.example."]\n', "domains: a.example is there twice"),
        ('description = "Tea"\ngoggle = "http://g.example/"\n', "goggle: must be an https address"),
        (GOOD + 'name = "My Tea"\n', "name: must be 1 to 64 characters"),
        (GOOD + 'name = ""\n', "name: must be 1 to 64 characters"),
        (GOOD + 'name = "catalog"\n', "name: must be 1 to 64 characters"),
        ("description = Tea", "not valid TOML"),
        ("a=" + "[" * 100_000, "not valid TOML"),
        ("\udcff", "not valid TOML"),
    ],
)
def test_a_file_that_is_wrong_stops_the_start_with_its_name_and_the_rule(folder: Path, text: str, problem: str) -> None:
    file = folder / "tea.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    configuration = Configuration({"plugin": {"lenses": {"folder": str(folder)}}}, {}, "websearch.toml")
    with pytest.raises(StartupError) as stopped:
        assemble(configuration, installed=ALONE)
    assert f"{file}: {problem}" in str(stopped.value)
    assert "websearch-lenses" in str(stopped.value)


def test_a_files_name_must_be_a_lenss(folder: Path) -> None:
    (folder / "My Tea.toml").write_text(GOOD)
    with pytest.raises(StartupError, match=r"My Tea\.toml: name: must be"):
        collected(str(folder))


def test_what_cannot_be_read_stops_the_start(folder: Path) -> None:
    (folder / "tea.toml").mkdir()
    with pytest.raises(StartupError, match=r"tea\.toml: cannot be read"):
        collected(str(folder))


def test_other_files_and_hidden_ones_are_no_lenses(folder: Path) -> None:
    for name in ("README.md", ".tea.toml.swp", ".#tea.toml", "tea.toml.bak"):
        (folder / name).write_text("what?")
    assert collected(str(folder)) == collected()


@pytest.mark.parametrize("missing", ["nowhere", "file"])
def test_a_folder_that_is_none_stops_the_start(tmp_path: Path, missing: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartupError, match=r"\[plugin.lenses\] folder: .* is not a folder"):
        collected(str(tmp_path / missing))


def test_the_operators_replaces_ours_of_the_same_name(folder: Path) -> None:
    (folder / "mine.toml").write_text(GOOD + 'name = "docs"\n')
    found = {lens.name: lens for lens in collected(str(folder))}
    assert found["docs"].domains == ("tea.example",)
    assert found.keys() == {lens.name for lens in collected()}


def test_two_files_cannot_be_one_lens(folder: Path) -> None:
    (folder / "a.toml").write_text(GOOD + 'name = "tea"\n')
    (folder / "tea.toml").write_text(GOOD)
    with pytest.raises(StartupError, match=r"tea\.toml: name: tea is taken by .*a\.toml"):
        collected(str(folder))


def test_lenses_can_be_left_out(folder: Path) -> None:
    (folder / "tea.toml").write_text(GOOD)
    assert [lens.name for lens in collected(str(folder), ours=False)] == ["tea"]
    assert collected(ours=False) == ()
    names = [lens.name for lens in collected(str(folder), disable=["finance", "tea"])]
    assert "finance" not in names
    assert "tea" not in names
    assert "docs" in names
    with pytest.raises(StartupError, match=r"disable: there is no lens named finanse; there are: academic, "):
        collected(disable=["finanse"])


def test_the_settings_say_which_there_are(folder: Path) -> None:
    (folder / "tea.toml").write_text(GOOD)
    table = {"folder": str(folder), "disable": ["finance"]}
    environ = {"WEBSEARCH_LENSES__OURS": "true"}
    assembly = assemble(Configuration({"plugin": {"lenses": table}}, environ, "websearch.toml"), installed=ALONE)
    names = [lens.name for lens in assembly.lenses]
    assert "tea" in names
    assert "docs" in names
    assert "finance" not in names


@given(st.binary(max_size=200))
def test_no_bytes_end_in_anything_but_a_lens_or_a_message(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(data)
    with pytest.raises(StartupError):
        read_lens(file)
