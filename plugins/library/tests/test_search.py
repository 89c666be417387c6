"""What a search finds, through the backend."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest

from websearch_core import Answer, Hit, SearchRequest
from websearch_core.asking.search.searcher import Searcher
from websearch_core.asking.source.guarded_source import Guards
from websearch_core.kit import Unsupported
from websearch_core.settings.configuration import ChainSettings
from websearch_core.stores.memory import MemoryStore
from websearch_core.testing.fakes import FakeClock
from websearch_library.backend import LibraryBackend
from websearch_library.index.library import Library
from websearch_library.index.page_copy import PageCopy
from websearch_library.search import NO_FILE, ONLY_DOCS, SHORTENED, UNDATED

FILLER = "Nothing of interest stands in this sentence about plain weather. " * 60


async def put(library: Library, *copies: PageCopy) -> None:
    await library.write(lambda index: index.put(copies))
    await library.catch_up()


def copy(name: str, body: str, host: str = "site.example", **fields: Any) -> PageCopy:
    return PageCopy(**{"url": f"https://{host}/{name}", "title": name.capitalize(), "body": body, **fields})


@pytest.fixture
def backend(library: Library, clock: FakeClock) -> LibraryBackend:
    return LibraryBackend(library, clock)


async def ask(backend: LibraryBackend, query: str, /, **fields: Any) -> Answer:
    answer = await backend.search(SearchRequest(query=query, **fields))
    assert isinstance(answer, Answer)
    return answer


async def names(backend: LibraryBackend, query: str, /, **fields: Any) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in (await ask(backend, query, **fields)).hits]


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("how do I write a plugin", "plugins"),
        ("add a search backend searxng", "backends"),
        ("private addresses refused intranet", "private-addresses"),
        ("what does the error code needs_rendering mean", "errors"),
        ("make a bearer token", "tokens"),
        ("where do my queries go", "privacy"),
        ("websearch.toml settings file", "configuration"),
        ("library refresh remove list", "library"),
    ],
)
async def test_asked_by_name_a_bare_install_answers_from_its_documentation(
    backend: LibraryBackend, query: str, page: str
) -> None:
    answer = await ask(backend, query, backend="library")
    assert page in [hit.url.rpartition("/")[2] for hit in answer.hits[:3]]
    assert ONLY_DOCS in answer.notes
    assert backend.alone
    assert not backend.always_merged


async def test_asked_by_name_what_nobody_wrote_about_is_an_empty_answer(backend: LibraryBackend) -> None:
    answer = await ask(backend, "weather in Berlin tomorrow", backend="library")
    assert (answer.hits, answer.notes) == ((), (ONLY_DOCS,))


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("how do I write a plugin", "plugins"),
        ("write plugin", "plugins"),
        ("add search backends", "backends"),
        ("configure websearch", "configuration"),
        ("what is websearch", "websearch"),
    ],
)
async def test_without_an_engine_it_answers_questions_about_itself(
    backend: LibraryBackend, query: str, page: str
) -> None:
    answer = await ask(backend, query)
    assert page in [hit.url.rpartition("/")[2] for hit in answer.hits]
    assert answer.notes == (ONLY_DOCS,)


@pytest.mark.parametrize(
    "query",
    [
        "best plugin for wordpress",
        "write a plugin for wordpress",
        "weather in Berlin tomorrow",
        "how to install python",
        "cache",
        "privacy",
        "error",
        "server configuration file",
        "domain rules of football",
        "東京",
        "???",
    ],
)
async def test_without_an_engine_it_answers_nothing_for_the_web(backend: LibraryBackend, query: str) -> None:
    with pytest.raises(Unsupported) as refused:
        await ask(backend, query)
    assert "no search engine is configured" in refused.value.detail
    assert "websearch plugins" in refused.value.advice.next_step
    assert not refused.value.retry_helps


async def test_after_something_was_added_it_joins_and_the_documentation_steps_back(
    backend: LibraryBackend, library: Library
) -> None:
    await put(library, copy("zebra", "# Zebra\n\nConfigure the zebra plugin."))
    assert backend.always_merged
    answer = await ask(backend, "configure plugin")
    assert [hit.url for hit in answer.hits] == ["https://site.example/zebra"]
    assert answer.notes == ()
    assert not backend.alone
    assert "configuration" not in await names(backend, "configure websearch")
    assert "configuration" in await names(backend, "configure websearch", backend="library")
    assert "configuration" in await names(backend, "configure", allowed_domains=("docs.websearch.invalid",))


@pytest.fixture
async def shelf(library: Library) -> None:
    """Notes about gardening, among them single words that many queries hold."""
    pages = {
        "compost": "# Compost\n\nTurn the compost heap every other week. Best in spring.",
        "pruning": "# Pruning apple trees\n\nPrune apple trees in late winter, above an outward bud.",
        "tools": "# Tools\n\nThe price of a good watering can. A plugin for the pump. A new apple press.",
        "diary": "# Diary\n\nVisited Kowalski in Berlin, weather fine. Tomorrow: weeding.",
    }
    await put(library, *(copy(name, body) for name, body in pages.items()))
    await put(library, *(copy(f"day{n}", f"# Day {n}\n\nWatered the beds, turned the soil.") for n in range(20)))


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("when should I prune apple trees", "pruning"),
        ("how do I turn a compost heap", "compost"),
        ("Kowalski", "diary"),
        ("what is the best way to prune my apple trees", "pruning"),
    ],
)
async def test_what_answers_the_query_joins(backend: LibraryBackend, query: str, page: str) -> None:
    assert (await names(backend, query, joining=True))[:1] == [page]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    "query",
    [
        "best plugin for wordpress",
        "apple stock price",
        "weather in Chicago tomorrow",
        "new apple phone release date",
        "good restaurants in Berlin Mitte",
    ],
)
async def test_what_only_shares_words_with_the_query_does_not_join(backend: LibraryBackend, query: str) -> None:
    assert await names(backend, query, joining=True) == []


@pytest.mark.usefixtures("shelf")
async def test_asked_by_itself_the_library_is_more_generous(backend: LibraryBackend) -> None:
    query = "prune cherry and apple trees"
    assert await names(backend, query, joining=True) == []
    assert (await names(backend, query))[:1] == ["pruning"]


async def test_an_answer_kept_by_the_chain_is_not_used_after_a_change(
    backend: LibraryBackend, library: Library, clock: FakeClock
) -> None:
    store = MemoryStore(clock, 1_000_000)
    searching = Searcher([backend], Guards(ChainSettings(), clock, lambda _: None), store)
    request = SearchRequest(query="zebra")
    await put(library, copy("old", "zebra"))
    assert not (await searching.search(request)).cached
    assert (await searching.search(request)).cached
    await put(library, copy("new", "zebra"))
    assert {hit.title for hit in (await searching.search(request)).hits} == {"Old", "New"}
    await library.write(lambda index: index.remove("title = ?", ("New",)))
    await library.catch_up()
    assert [hit.title for hit in (await searching.search(request)).hits] == ["Old"]


async def test_the_snippet_is_the_part_where_the_words_stand_close(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("long", f"{FILLER[:900]} The quokka lives on Rottnest Island. {FILLER}"))
    (hit,) = (await ask(backend, "quokka Rottnest", max_content_chars=120)).hits
    assert "quokka lives on Rottnest" in hit.snippet
    assert len(hit.snippet) <= 120
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")


async def test_the_snippet_is_sentences_also_where_more_words_stand_in_code_and_headings(
    backend: LibraryBackend, library: Library
) -> None:
    code, table = '```toml\n[write]\nname = "quokka"\n```', "| write | x |\n|---|---|\n| quokka | y |"
    body = f"# Write a quokka\n\nA quokka is a package.\n\n{code}\n\n{table}\n\nInstall it with pip."
    await put(library, copy("long", body))
    (hit,) = (await ask(backend, "how to write a quokka")).hits
    assert hit.snippet == "A quokka is a package. Install it with pip."


@pytest.mark.parametrize("mark", ["```", "~~~~"])
async def test_a_passage_within_long_code_is_shown_as_lines(
    backend: LibraryBackend, library: Library, mark: str
) -> None:
    lines = [f"line_{n} = call({n})" for n in range(600)]
    lines[300] = "quokka = call(300)"
    code = "\n\n".join("\n".join(lines[n : n + 5]) for n in range(0, 600, 5))
    await put(library, copy("long", f"# Calls\n\nBefore.\n\n{mark}python\n{code}\n{mark}\n\nA wombat is no marmot."))
    (hit,) = (await ask(backend, "quokka", max_content_chars=200)).hits
    assert "\nquokka = call(300)\nline_301 = call(301)\n" in hit.snippet
    (hit,) = (await ask(backend, "wombat marmot")).hits
    assert hit.snippet == "A wombat is no marmot."


async def test_text_mode_gives_the_beginning_of_the_page(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("long", f"Begin here. {FILLER}quokka {FILLER}"))
    (hit,) = (await ask(backend, "quokka", content_mode="text", max_content_chars=5000)).hits
    assert hit.body.startswith("Begin here.")
    assert 4000 < len(hit.body) <= 5000


async def test_one_hit_for_each_page_with_its_best_passage(backend: LibraryBackend, library: Library) -> None:
    await put(
        library, copy("many", "\n\n".join(f"# Part {n}\n\nquokka {FILLER}" for n in range(9))), copy("one", "quokka")
    )
    assert sorted(await names(backend, "quokka")) == ["many", "one"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("configuration", "How to configure things"),
        ("cafe", "Das Café am Eck"),
        ("CAFÉ", "the cafe there"),
        ("東京都", "私は東京都に住んでいます"),
        ("京", "東京都の天気"),
        ("ภาษาไทย", "ฉันเรียนภาษาไทยทุกวัน"),
        ("검색", "한국어검색엔진"),
        ("sqlite3_open_v2", "call `sqlite3_open_v2()` first"),
        ("the who", "The Who are a band"),
        ("C++ templates", "templates in C++ are odd"),
        ("mañana, por-favor!", "hasta manana por favor"),
    ],
)
async def test_words_are_found_in_any_form_and_script(
    backend: LibraryBackend, library: Library, query: str, text: str
) -> None:
    await put(library, copy("here", text), copy("other", "Something else entirely."))
    assert await names(backend, query) == ["here"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "foo AND",
        "NOT",
        "NEAR(a b)",
        "title:zebra",
        "a* OR b*",
        "^x",
        "{a}:b",
        "-zebra",
        "(",
        "zebra\0null",
        "☃",
        "'; --",
    ],
)
async def test_no_operator_of_a_query_ever_acts(backend: LibraryBackend, library: Library, query: str) -> None:
    await put(library, copy("zebra", "zebra text"))
    answer = await ask(backend, query)
    assert [hit.title for hit in answer.hits] in ([], ["Zebra"])


async def test_minus_does_not_exclude(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("both", "zebra and quokka"))
    assert await names(backend, "zebra -quokka") == ["both"]


async def test_most_of_the_words_are_enough_but_a_few_are_not(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("three", "red zebra stripes"), copy("lone", "a zebra once"))
    assert await names(backend, "red zebra stripes photographs") == ["three"]


async def test_a_very_long_query_is_shortened_and_says_so(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("x", " ".join(f"word{n}" for n in range(60))))
    answer = await ask(backend, " ".join(f"word{n}" for n in range(60)))
    assert [hit.title for hit in answer.hits] == ["X"]
    assert SHORTENED in answer.notes


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, ["a", "b", "c"]),
        ({"allowed_domains": ("one.example",)}, ["a", "b"]),
        ({"allowed_domains": ("=one.example",)}, ["a"]),
        ({"excluded_domains": ("*.one.example",)}, ["a", "c"]),
        ({"allowed_domains": ("nowhere.example",)}, []),
        ({"start_published_date": datetime(2025, 1, 1, tzinfo=UTC)}, ["b"]),
        ({"end_published_date": datetime(2025, 1, 1, tzinfo=UTC)}, ["a"]),
        ({"time_range": "month"}, ["b"]),
    ],
)
async def test_domains_and_dates_are_pushed_down(
    backend: LibraryBackend, library: Library, clock: FakeClock, fields: dict[str, Any], found: list[str]
) -> None:
    await put(
        library,
        copy("a", "zebra", "one.example", published=datetime(2020, 1, 1, tzinfo=UTC).timestamp()),
        copy("b", "zebra", "sub.one.example", published=clock.now() - 3 * 86_400),
        copy("c", "zebra", "two.example"),
    )
    answer = await ask(backend, "zebra", **fields)
    assert sorted(hit.url[-1] for hit in answer.hits) == found
    assert (UNDATED in answer.notes) == any("date" in name or "range" in name for name in fields)


async def test_a_filter_reaches_beyond_the_first_candidates(backend: LibraryBackend, library: Library) -> None:
    await put(
        library, *(copy(f"p{n}", "zebra zebra", "common.example") for n in range(500)), copy("rare", f"zebra {FILLER}")
    )
    assert await names(backend, "zebra", allowed_domains=("site.example",)) == ["rare"]


async def test_a_changed_page_is_found_by_its_new_words_only(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("page", f"quokka [link](https://x.example/y) {FILLER}東京都"))
    await put(library, copy("page", "zebra"))
    assert await names(backend, "zebra") == ["page"]
    assert await names(backend, "quokka") == []
    assert await names(backend, "東京") == []


async def test_hits_carry_what_is_known_of_the_page(
    backend: LibraryBackend, library: Library, clock: FakeClock
) -> None:
    await put(
        library, copy("x", "zebra", author="Ann", site="Zoo", language="en", published=1e9, fetched_at=clock.now())
    )
    (hit,) = (await ask(backend, "zebra")).hits
    assert isinstance(hit, Hit)
    assert (hit.author, hit.site, hit.language) == ("Ann", "Zoo", "en")
    assert hit.published == datetime.fromtimestamp(1e9, UTC)
    assert hit.fetched_at == datetime.fromtimestamp(clock.now(), UTC)


async def test_links_are_no_words_and_not_shown(backend: LibraryBackend, library: Library) -> None:
    await put(library, copy("x", "see [the zebra](https://hidden.example/path) now"))
    assert await names(backend, "hidden.example") == []
    (hit,) = (await ask(backend, "zebra")).hits
    assert hit.snippet == "see the zebra now"


async def test_a_cancelled_search_is_interrupted_in_sqlite(library: Library) -> None:
    started = threading.Event()
    ended = threading.Event()

    def forever(index: Any) -> None:
        started.set()
        try:
            index.connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            ).fetchone()
        except sqlite3.OperationalError:
            ended.set()
            raise

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(library.read, forever)
        assert await anyio.to_thread.run_sync(started.wait, 5)
        tasks.cancel_scope.cancel()
    assert await anyio.to_thread.run_sync(ended.wait, 5)
    assert await library.read(lambda index: index.counts())


async def test_without_a_usable_file_the_documentation_is_searched(tmp_path: Any, clock: FakeClock) -> None:
    (tmp_path / "notafolder").write_text("")
    (tmp_path / "broken.db").write_bytes(b"this is no database, whatever its name says" * 100)
    for path in (tmp_path / "notafolder" / "library.db", tmp_path / "broken.db", tmp_path):
        backend = LibraryBackend(Library(path, clock), clock)
        await backend.start()
        answer = await ask(backend, "write a plugin")
        assert answer.hits
        assert answer.notes == (NO_FILE,)
        assert not backend.always_merged
        await backend.aclose()
