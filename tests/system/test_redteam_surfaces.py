"""Each disguise on each surface, through a real server: the attack is gone, the text around it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

import pytest

from websearch_core.testing.site import LoopbackSite, RecordedRequest, Response, answer

from ..forked import ForkServer
from .redteam.hostile import (
    AFTER,
    BEFORE,
    CUT,
    DISGUISES,
    HITS,
    MORE,
    SEEN,
    TAKEN_WHOLE,
    UNSEEN,
    UNWRITTEN,
    hit,
    left_of,
)
from .redteam.server import Said, Served, call, serving, settings, site_in_a_thread

NUMBERED = list(enumerate(DISGUISES.items(), 1))
BATCHES = [NUMBERED[:12], NUMBERED[12:]]

ADDRESSES = ("url-path", "url-slug", "url-query", "url-fragment")
ENTITIES = "21d HTML entities"
REVERSED = "16 bidi override, reversed"

Batch = Sequence[tuple[int, tuple[str, str]]]


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with site_in_a_thread() as opened:
        yield opened


@pytest.fixture(scope="module")
def server(servers: ForkServer, site: LoopbackSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    with serving(servers, settings(site, folder), folder) as served:
        yield served


def fenced(said: Said) -> str:
    """What stands between the marks; the marks are those that the answer's first line names, and none is left open."""
    found = re.search(r"Between <web-([0-9a-f]{8})> and </web-\1>", said.text)
    assert found, said.text[:300]
    body = said.text[found.end() :].split("\n", 1)[1]
    pieces = re.split(rf"</?web-{found[1]}>", body)
    signs = re.findall(rf"</?web-{found[1]}>", body)
    assert signs == [f"<web-{found[1]}>", f"</web-{found[1]}>"] * (len(signs) // 2), signs
    outside = "\n".join(pieces[0::2])
    assert BEFORE not in outside
    assert AFTER not in outside
    return "\n".join(pieces[1::2])


async def read(server: Served, site: LoopbackSite, kind: str, pages: Mapping[int, Response]) -> Said:
    def serve(request: RecordedRequest) -> Response:
        return pages[int(request.path.rsplit("/", 1)[1])]

    site.route(f"/{kind}/*", serve)
    return await call(server, "fetch", urls=[f"{site.url}/{kind}/{number}" for number in pages])


def receipts(said: Said, count: int) -> set[int]:
    """The rows that a note tells of, or that failed."""
    notes = [found[1] for note in said.data["notes"] if (found := re.match(r"\[([\d, ]+)\] .*guard-", note))]
    told = {int(number) for numbers in notes for number in numbers.split(",")}
    return told | {n for n, row in enumerate(said.results, 1) if row["status"] == "failed"} & {*range(1, count + 1)}


def nothing(**problems: Sequence[object]) -> None:
    found = {what: cases for what, cases in problems.items() if cases}
    assert not found, found


def leaks(batch: Batch, rows: Sequence[Mapping[str, object]]) -> list[str]:
    return [name for (_, (name, _)), row in zip(batch, rows, strict=True) if left_of(name, str(row))]


async def pages_of(
    server: Served, site: LoopbackSite, kind: str, batch: Batch, table: Mapping[str, object]
) -> tuple[Said, list[str]]:
    made = {number: table[kind](worn) for number, (_, worn) in batch}
    pages = {
        number: answer(200, text, content_type=f"{media}; charset=utf-8") for number, (media, text) in made.items()
    }
    said = await read(server, site, kind, pages)
    return said, leaks(batch, texts_of(said))


def texts_of(said: Said) -> list[dict[str, object]]:
    """For each address its data, and its text for the model."""
    blocks = re.split(r"\n\[(?=\d+/\d+\] (?:http|\())", said.text)[1:]
    return [{"row": row, "text": block} for row, block in zip(said.results, blocks, strict=True)]


@pytest.mark.parametrize("kind", SEEN)
async def test_a_page(kind: str, server: Served, site: LoopbackSite) -> None:
    leaked, quiet, lost = [], [], []
    for batch in BATCHES:
        said, found = await pages_of(server, site, kind, batch, SEEN)
        leaked += found
        told = receipts(said, len(batch))
        quiet += [
            name
            for place, (_, (name, _)) in enumerate(batch, 1)
            if place not in told and not name.startswith(UNWRITTEN)
        ]
        kept = [
            (row["status"], BEFORE in row.get("content", ""), AFTER in row.get("content", "")) for row in said.results
        ]
        lost += [
            (name, how) for (_, (name, _)), how in zip(batch, kept, strict=True) if how != ("completed", True, True)
        ]
        assert BEFORE in fenced(said)
    nothing(left=leaked, without_a_receipt=quiet, benign_text_lost=lost)


@pytest.mark.parametrize("kind", UNSEEN)
async def test_a_page_that_hides_it(kind: str, server: Served, site: LoopbackSite) -> None:
    for batch in BATCHES:
        said, found = await pages_of(server, site, kind, batch, UNSEEN)
        nothing(left=found)
        assert all(BEFORE in row["content"] and AFTER in row["content"] for row in said.results)
        assert BEFORE in fenced(said)


@pytest.mark.parametrize("kind", HITS)
async def test_a_hit(kind: str, server: Served, site: LoopbackSite) -> None:
    leaked, quiet, lost = [], [], []
    for batch in BATCHES:
        cases = [(n, (name, worn)) for n, (name, worn) in batch if not (kind in ADDRESSES and name == ENTITIES)]
        for name, row, text, told in await found(server, site, kind, cases):
            if row is None:
                lost.append(name)
                continue
            leaked += [name] if left_of(name, f"{row}\n{text}") else []
            quiet += [] if told or name.startswith(CUT.get(kind, ())) else [name]
            kept = BEFORE in row["content"] and AFTER in row["content"]
            lost += [] if kept or name.startswith(TAKEN_WHOLE.get(kind, ())) else [name]
    nothing(left=leaked, without_a_receipt=quiet, benign_text_lost=lost)


@pytest.mark.parametrize("kind", ADDRESSES)
async def test_entities_in_an_address(kind: str, server: Served, site: LoopbackSite) -> None:
    for name, row, text, _ in await found(server, site, kind, [(1, (ENTITIES, DISGUISES[ENTITIES]))]):
        assert not left_of(name, f"{row}\n{text}")


async def found(
    server: Served, site: LoopbackSite, kind: str, cases: Batch
) -> list[tuple[str, dict[str, str] | None, str, bool]]:
    """A search for hits with the attack: disguise, row, its text for the model, and whether a receipt tells of it."""
    rows = [hit(kind, number, worn) for number, (_, worn) in cases]
    site.route("/search", answer(200, json={"results": rows, "unresponsive_engines": []}))
    said = await call(server, "search", query=f"owls {kind} {cases[0][0]} {len(cases)}", max_results=20)
    assert AFTER in fenced(said)
    blocks = re.split(r"\n\n(?=\[\d+\] )", said.text)
    remarks = [*said.data["notes"], *map(str, said.data["dropped"])]
    out = []
    for number, (name, _) in cases:
        host = f"h{number:02}.example"
        row = next((row for row in said.results if f"//{host}" in row["url"]), None)
        out.append((name, row, "\n".join(b for b in blocks if host in b), any(host in remark for remark in remarks)))
    return out


@pytest.mark.parametrize("part", range(3))
async def test_200_kb_in(part: int, server: Served, site: LoopbackSite) -> None:
    filler = " ".join(f"The mill at kilometre {n} has stood since the year of the flood." for n in range(3_300))
    assert len(filler) > 200_000
    batch = NUMBERED[part::3]
    attacks = "\n\n".join(f"{worn}\n\n{MORE}" for _, (_, worn) in batch)
    site.route(f"/long/{part}", answer(200, f"{BEFORE}\n\n{filler}\n\n{attacks}\n\n{AFTER}"))
    said = await call(server, "fetch", urls=[f"{site.url}/long/{part}"], offset=len(filler) - 1_000, max_chars=20_000)
    assert AFTER in said.results[0]["content"]
    assert said.results[0]["content"].count(MORE) > len(batch) / 2
    nothing(left=[name for _, (name, _) in batch if left_of(name, said.everything)])
    assert any("guard-injection" in note for note in said.data["notes"])


async def test_reversed_text_wherever_it_stands(server: Served, site: LoopbackSite) -> None:
    filler = "The mill has stood here since the year of the flood. " * 500
    leaked = []
    for start in range(0, 400, 50):
        text = f"{BEFORE}\n\n{filler[start:]}\n\n{DISGUISES[REVERSED]}\n\n{AFTER}"
        site.route("/reversed", answer(200, text))
        said = await call(
            server, "fetch", urls=[f"{site.url}/reversed"], offset=len(filler) - start - 500, max_age_hours=0
        )
        leaked += [start] if left_of(REVERSED, said.everything) else []
    nothing(left=leaked)


async def test_where_a_redirect_led(server: Served, site: LoopbackSite) -> None:
    cases = [case for case in NUMBERED if case[1][0] != ENTITIES]
    leaked = []
    for number, (_, worn) in cases:
        site.route(f"/go/{number}", answer(302, headers={"location": f"/to/{number}/{quote(worn, safe='')}"}))
        site.route(f"/to/{number}/*", answer(200, f"{BEFORE} {AFTER}"))
    for batch in (cases[:12], cases[12:]):
        said = await call(server, "fetch", urls=[f"{site.url}/go/{number}" for number, _ in batch])
        leaked += leaks(batch, texts_of(said))
    nothing(left=leaked)
