"""`websearch library` in a terminal, with a chain that serves fixed pages."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from websearch_core import FetchRequest, Gateway, Page, PluginContext
from websearch_core.kit import FetchAnswer, NetworkFailed
from websearch_core.testing.components import FakeGateway
from websearch_core.testing.fakes import FakeClock, context
from websearch_library.adding import local_files
from websearch_library.commands.command import LibraryCommand
from websearch_library.index import schema
from websearch_library.index.index import Index
from websearch_library.settings import LibrarySettings

# These tests are no coroutines: the command brings its own event loop.
Run = Callable[..., Result]


class Gate(FakeGateway):
    """Serves pages from a table; can stop a crawl like Ctrl-C."""

    stop_at = ""

    async def fetch(self, request: FetchRequest) -> FetchAnswer:
        if self.stop_at and request.url.endswith(self.stop_at):
            raise KeyboardInterrupt
        return await super().fetch(request)


@pytest.fixture
def ctx(tmp_path: Path) -> PluginContext:
    return context("library", {"path": str(tmp_path / "library.db")}, clock=FakeClock(), data_dir=tmp_path)


@pytest.fixture
def site(ctx: PluginContext, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Raw documents by address (robots.txt, sitemaps); what is not there is not found."""
    from websearch_core.kit import NotFound
    from websearch_core.testing.components import download

    raw: dict[str, bytes] = {}

    async def served(request: FetchRequest, **_: Any) -> Any:
        if request.url not in raw:
            raise NotFound
        return download(request.url, raw[request.url])

    monkeypatch.setattr(type(ctx.web), "download", lambda _, request, **options: served(request, **options))
    return raw


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def run(ctx: PluginContext, gate: Gate) -> Run:
    @asynccontextmanager
    async def gateway() -> AsyncIterator[Gateway]:
        yield gate

    app: typer.Typer = LibraryCommand(ctx, ctx.settings(LibrarySettings)).app(gateway)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def web(path: str, body: str = "", links: tuple[str, ...] = (), **fields: Any) -> tuple[str, Page]:
    url = f"https://site.example/{path}"
    absolute = tuple(f"https://site.example/{link}" if "://" not in link else link for link in links)
    return url, Page.from_markdown(body or f"# {path}\n\ntext of {path}", url=url, title=path, links=absolute, **fields)


def counts(result: Result) -> tuple[int, int, int, int]:
    facts = json.loads(result.stdout)
    return facts["added"], facts["changed"], facts["unchanged"], len(facts["failures"])


def addresses(result: Result) -> list[str]:
    return sorted(row["url"].removeprefix("https://site.example/") for row in json.loads(result.stdout))


def test_a_full_disk_is_told_with_its_file_and_what_was_added_is_still_found(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "a.md"
    note.write_text("# Zebra\n\nStripes.")
    assert counts(run("add", note, "--json")) == (1, 0, 0, 0)
    opened = schema.open_writer

    def without_room(path: Path) -> Any:
        connection = opened(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(schema, "open_writer", without_room)
    large = tmp_path / "b.md"
    large.write_text("# Quokka\n\n" + " ".join(f"word{number}" for number in range(50_000)))
    done = run("add", large)
    assert done.exit_code == 2
    assert f"{tmp_path / 'library.db'}: the disk is full; make room there" in done.stderr
    monkeypatch.undo()
    assert [row["title"] for row in json.loads(run("list", "--json").stdout)] == ["Zebra"]


def test_files_and_folders_are_added_once(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep" / ".hidden").mkdir(parents=True)
    (folder / "a.md").write_text("# Zebra\n\nStripes.")
    html = "<html lang=en><title>Quokka</title><body><h2>Island</h2><p>Happy<pre>x\n y</pre>"
    (folder / "deep" / "b.html").write_text(html)
    (folder / "deep" / ".hidden" / "c.md").write_text("no")
    (folder / "d.bin").write_bytes(b"\0\1")
    (folder / "e.txt").write_bytes("Grüße".encode("cp1252"))
    (folder / "link.md").symlink_to("/etc/hostname")
    assert counts(run("add", folder, "--json")) == (3, 0, 0, 0)
    assert counts(run("add", folder, "--json")) == (0, 0, 3, 0)
    (folder / "a.md").write_text("# Zebra\n\nSpots now.")
    assert counts(run("refresh", folder, "--json")) == (0, 1, 2, 0)
    listed = json.loads(run("list", "--json").stdout)
    assert {row["title"] for row in listed} == {"Zebra", "Quokka", "e.txt"}
    assert all(row["url"].startswith("https://files.websearch.invalid/") for row in listed)
    assert not any("notes" in row["url"] for row in listed)
    assert "Removed 3 pages" in run("remove", folder).output
    assert json.loads(run("stats", "--json").stdout)["local_files"] == 0


def test_files_that_did_not_change_are_neither_read_nor_indexed_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "notes" / "a.md"
    note.parent.mkdir()
    note.write_text("# Zebra\n\nStripes.")
    happened: list[str] = []
    read, index = local_files.read, Index._index
    monkeypatch.setattr(local_files, "read", lambda *given: (happened.append("read"), read(*given))[1])
    monkeypatch.setattr(Index, "_index", lambda *given: (happened.append(f"index {given[2]}"), index(*given))[1])
    assert counts(run("add", note.parent, "--json")) == (1, 0, 0, 0)
    happened.remove("read")
    happened.remove("index Zebra")
    happened.clear()  # the documentation
    for words in (("add", note.parent), ("refresh", note.parent), ("add", note)):
        assert counts(run(*words, "--json")) == (0, 0, 1, 0)
        assert happened == []
    os.utime(note, (1, 1))
    assert counts(run("add", note, "--json")) == (0, 0, 1, 0)
    assert happened == ["read"]


def test_a_crawl_stays_in_its_folder_within_depth(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict(
        [
            web("docs/", links=("docs/a", "docs/b#part", "blog/x", "https://other.example/docs/y")),
            web("docs/a", links=("docs/deep", "docs/")),
            web("docs/b"),
            web("docs/deep"),
        ]
    )
    result = run("add", "https://site.example/docs/", "--depth", 1, "--json")
    assert (result.exit_code, counts(result)) == (0, (3, 0, 0, 0))
    assert addresses(run("list", "--json")) == ["docs/", "docs/a", "docs/b"]
    assert all(request.max_age_hours == 0 for request in gate.requests)
    assert counts(run("add", "https://site.example/docs/", "--depth", 2, "--json")) == (1, 0, 3, 0)


def test_robots_txt_is_obeyed(run: Run, gate: Gate, site: dict[str, bytes], ctx: PluginContext) -> None:
    site["https://site.example/robots.txt"] = b"User-agent: websearch\nDisallow: /no\nCrawl-delay: 60\n"
    gate.pages = dict([web("yes", links=("no/1", "also")), web("no/1"), web("also")])
    result = run("add", "https://site.example/yes", "--depth", 1, "--json")
    assert [failure["code"] for failure in json.loads(result.stdout)["failures"]] == ["robots"]
    assert [request.url for request in gate.requests] == ["https://site.example/yes", "https://site.example/also"]
    assert isinstance(ctx.clock, FakeClock)
    assert ctx.clock.slept == [10.0]


@pytest.mark.parametrize("target", ["https://site.example/secret/x", "https://other.example/x"])
def test_a_redirect_does_not_lead_around_robots_txt(run: Run, gate: Gate, site: dict[str, bytes], target: str) -> None:
    site["https://site.example/robots.txt"] = b"User-agent: *\nDisallow: /secret/\n"
    site["https://other.example/robots.txt"] = b"User-agent: *\nDisallow: /\n"
    gate.pages = dict([web("docs/", links=("docs/r",)), web("docs/r", final_url=target)])
    result = run("add", "https://site.example/docs/", "https://site.example/docs/r", "--depth", 1, "--json")
    failures = [tuple(failure.values()) for failure in json.loads(result.stdout)["failures"]]
    why = ("robots", "it redirects, and there the site's robots.txt forbids it")
    assert failures == [("https://site.example/docs/r", *why)] * 2
    assert addresses(run("list", "--json")) == ["docs/"]


def test_a_page_whose_address_the_filters_withheld_is_not_kept(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict([web("docs/r", final_url="(withheld)")])
    result = run("add", "https://site.example/docs/r", "--json")
    why = ("blocked_by_filter", "the filters withheld where it leads")
    assert [tuple(one.values()) for one in json.loads(result.stdout)["failures"]] == [
        ("https://site.example/docs/r", *why)
    ]


@pytest.mark.parametrize("target", ["https://site.example/blog/x", "https://other.example/docs/x"])
def test_a_crawl_does_not_follow_a_redirect_out_of_its_folder(
    run: Run, gate: Gate, site: dict[str, bytes], target: str
) -> None:
    gate.pages = dict(
        [
            web("docs/", links=("docs/r", "docs/a")),
            web("docs/r", final_url=target, links=("docs/beyond",)),
            web("docs/a"),
            web("docs/beyond"),
        ]
    )
    result = run("add", "https://site.example/docs/", "--depth", 2, "--json")
    failures = [(failure["where"], failure["code"]) for failure in json.loads(result.stdout)["failures"]]
    assert failures == [("https://site.example/docs/r", "outside")]
    assert addresses(run("list", "--json")) == ["docs/", "docs/a"]


def test_a_site_that_cannot_be_reached_is_not_said_to_forbid(
    run: Run, gate: Gate, site: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, ctx: PluginContext
) -> None:
    async def unreachable(*_: Any, **__: Any) -> Any:
        raise NetworkFailed

    gate.pages = dict([web("a")])
    run("add", "https://site.example/a")
    monkeypatch.setattr(type(ctx.web), "download", unreachable)
    ctx.clock.advance(7200)  # what a robots.txt said is believed for an hour
    for words in (("add", "https://site.example/a"), ("refresh",)):
        result = run(*words)
        assert "network: https://site.example/a (robots.txt could not be read" in result.output
        assert "forbids" not in result.output


def test_an_interrupted_crawl_goes_on_where_it_stopped(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict([web("d/", links=tuple(f"d/{n}" for n in range(5))), *(web(f"d/{n}") for n in range(5))])
    gate.stop_at = "d/3"
    stopped = run("add", "https://site.example/d/", "--depth", 1)
    assert stopped.exit_code == 130
    assert "repeat the command" in stopped.output
    assert len(addresses(run("list", "--json"))) == 4
    gate.stop_at = ""
    gate.requests.clear()
    assert counts(run("add", "https://site.example/d/", "--depth", 1, "--json")) == (2, 0, 0, 0)
    assert len(gate.requests) == 2


def test_max_pages_leaves_the_rest_for_the_next_time(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict([web("d/", links=tuple(f"d/{n}" for n in range(5))), *(web(f"d/{n}") for n in range(5))])
    first = run("add", "https://site.example/d/", "--depth", 1, "--max-pages", 2)
    assert "4 addresses wait" in first.output
    assert counts(run("add", "https://site.example/d/", "--depth", 1, "--max-pages", 1, "--json")) == (1, 0, 0, 0)
    assert counts(run("add", "https://site.example/d/", "--depth", 1, "--json")) == (3, 0, 0, 0)


def test_a_sitemap_adds_its_pages_of_its_own_site(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    site["https://site.example/sitemap.xml"] = (
        b'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        b"<sitemap><loc>https://site.example/one.xml</loc></sitemap>"
        b"<sitemap><loc>https://other.example/two.xml</loc></sitemap></sitemapindex>"
    )
    site["https://site.example/one.xml"] = (
        b"<urlset><url><loc>https://site.example/a</loc><lastmod>2001-01-01</lastmod></url>"
        b"<url><loc> https://site.example/b </loc></url><url><loc>https://other.example/c</loc></url></urlset>"
    )
    gate.pages = dict([web("a"), web("b")])
    assert counts(run("add", "https://site.example/sitemap.xml", "--json")) == (2, 0, 0, 0)
    gate.requests.clear()
    assert counts(run("add", "https://site.example/sitemap.xml", "--json")) == (0, 0, 2, 0)
    assert [request.url for request in gate.requests] == ["https://site.example/b"]


def test_failures_are_named_with_their_code_and_the_exit_says_so(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict([web("blank", body="  ")])
    for name, code in (("gone", "not_found"), ("blank", "empty")):
        result = run("add", f"https://site.example/{name}")
        assert result.exit_code == 1
        assert code in result.output
        assert "nothing was added" in result.output


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("nofile.md", "no such file or folder"),
        ("ftp://site.example/", "only http:// and https://"),
        ("https://", "not a web address"),
        ("https://user@site.example/", "not a web address"),
    ],
)
def test_a_word_that_cannot_be_added_is_explained(run: Run, word: str, says: str) -> None:
    result = run("add", word)
    assert result.exit_code == 2
    assert says in result.output


def test_a_redirected_page_is_kept_under_its_real_address(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    old, page = web("old", final_url="https://site.example/new")
    gate.pages = {old: page}
    run("add", old)
    assert addresses(run("list", "--json")) == ["new"]
    assert counts(run("refresh", "--json")) == (0, 0, 1, 0)
    assert "Removed 1 page." in run("remove", old).output


def test_remove_and_refresh_say_when_nothing_is_meant(run: Run, tmp_path: Path) -> None:
    assert run("remove", "https://site.example/").exit_code == 1
    assert run("refresh", "https://site.example/").exit_code == 1
    assert "library add" in run("list").output


def test_a_page_that_is_gone_stays_until_it_is_removed(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    gate.pages = dict([web("a")])
    run("add", "https://site.example/a")
    gate.pages = {}
    result = run("refresh", "--json")
    assert (result.exit_code, counts(result)) == (1, (0, 0, 0, 1))
    assert addresses(run("list", "--json")) == ["a"]


def test_what_was_refreshed_is_not_old_any_more_even_if_nothing_changed(
    run: Run, gate: Gate, site: dict[str, bytes], ctx: PluginContext, tmp_path: Path
) -> None:
    gate.pages = dict([web("a")])
    note = tmp_path / "note.md"
    note.write_text("# Zebra")
    run("add", "https://site.example/a", note)
    assert isinstance(ctx.clock, FakeClock)
    for _ in range(2):
        ctx.clock.advance(2 * 3600)
        assert counts(run("refresh", "--older-than", 1, "--json")) == (0, 0, 2, 0)
        gate.requests.clear()
        assert run("refresh", "--older-than", 1).exit_code == 1
        assert gate.requests == []


def test_control_characters_of_a_title_do_not_reach_the_terminal(run: Run, gate: Gate, site: dict[str, bytes]) -> None:
    url, page = web("a", body="text")
    gate.pages = {url: page.model_copy(update={"title": "\x1b[31mred[/]"})}
    run("add", url)
    assert "\x1b" not in run("list").output
    assert "red[/]" in run("list").output


def test_a_library_that_cannot_be_written_is_explained(tmp_path: Path, gate: Gate) -> None:
    (tmp_path / "file").write_text("")
    ctx = context("library", {"path": str(tmp_path / "file" / "library.db")}, data_dir=tmp_path)

    @asynccontextmanager
    async def gateway() -> AsyncIterator[Gateway]:
        yield gate

    result = CliRunner().invoke(LibraryCommand(ctx, ctx.settings(LibrarySettings)).app(gateway), ["add", str(tmp_path)])
    assert result.exit_code == 2
    assert "cannot be written" in result.output
