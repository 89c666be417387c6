"""Personal data and secrets: what is stopped by class, spelling and place, what is not, and how long it takes."""

from __future__ import annotations

import base64
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, quantiles
from typing import Any
from urllib.parse import quote

from evals.safety.data import OWN, rows
from evals.safety.production import running
from evals.safety.rows import Row
from websearch_core.chain.chain import Chain
from websearch_core.contract.errors import BlockedByFilter
from websearch_core.contract.models import FetchRequest, Outgoing, SearchRequest

GROUP = "Personal data and secrets"
FILTER = "guard-pii"
SEED = 20
OF_EACH = 40
"""Queries of a class for each spelling and place."""
SPELT = ("ssn", "credit_card", "phone", "email_personal")
_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ASKED = (
    "passport {}", "Reisepass {} verloren", "is passport {} valid", "pasaporte número {}", "паспорт {}", "护照 {}"
)  # fmt: skip
_OF_GERMANS = "CFGHJKLMNPRTVWXYZ0123456789"
_PASSPORTS: Mapping[str, Callable[[random.Random], str]] = {
    "German": lambda r: f"{r.choice('CFGHJK')}{''.join(r.choices(_OF_GERMANS, k=7))}{r.randrange(10)}",
    "Dutch": lambda r: "".join(r.choices("BCDFGHJKLMNPRSTVWXZ", k=2) + r.choices("BCDFGHJKLMN123456789", k=6)) + "7",
    "French": lambda r: f"{r.randrange(100):02d}{''.join(r.choices('ABCDEFGH', k=2))}{r.randrange(10**5):05d}",
    "Korean": lambda r: f"M{r.randrange(1000):03d}A{r.randrange(10**4):04d}",
    "American": lambda r: f"{r.choice('ABCY')}{r.randrange(10**8):08d}",
}
"""As these countries number them."""
_LOOK_ALIKES = str.maketrans(
    "aeocpxiyABEHKMOPCTX",
    "\u0430\u0435\u043e\u0441\u0440\u0445\u0456\u0443\u0410\u0412\u0415\u041d\u041a\u041c\u041e\u0420\u0421\u0422\u0425",
)


_SPELT_IN = {
    "Polish": "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
    "Russian": "ноль один два три четыре пять шесть семь восемь девять",
    "Swedish": "noll ett två tre fyra fem sex sju åtta nio",
    "Turkish": "s\u0131f\u0131r bir iki üç dört beş alt\u0131 yedi sekiz dokuz",
    "Korean": "영 일 이 삼 사 오 육 칠 팔 구",
    "Arabic": "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة",
}


def _said(value: str, words: str) -> str:
    return " ".join(words.split()[int(digit)] for digit in _digits(value))


def _digits(value: str) -> str:
    return "".join(filter(str.isdigit, value))


def _in_script(value: str, zero: int) -> str:
    return "".join(chr(zero + int(c)) if c.isdigit() else c for c in value)


SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "zero-width characters": "\u200b".join,
    "full-width characters": lambda v: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in v),
    "percent-encoding": lambda v: "".join(f"%{byte:02X}" for byte in v.encode()),
    "base64": lambda v: base64.b64encode(v.encode()).decode(),
}
OF_NUMBERS: Mapping[str, Callable[[str], str]] = {
    "digits of another script": lambda v: _in_script(v, 0x0660),
    "digits spaced one by one": lambda v: " ".join(_digits(v)),
    "dots and dashes between digits": lambda v: "".join(c + ".-"[n % 2] for n, c in enumerate(_digits(v))).rstrip(".-"),
    "digits spelled out": lambda v: " ".join(_NAMES[int(c)] for c in _digits(v)),
    "keys of a telephone": lambda v: "".join(f"{c}\ufe0f\u20e3" for c in _digits(v)),
    **{f"digits spelled out in {name}": lambda v, w=words: _said(v, w) for name, words in _SPELT_IN.items()},
}
OF_MAIL: Mapping[str, Callable[[str], str]] = {
    "'at' and 'dot'": lambda v: v.replace("@", " at ").replace(".", " dot "),
    "look-alike letters": lambda v: v.translate(_LOOK_ALIKES),
}
PLACES: Mapping[str, Callable[[str], str]] = {
    "path": lambda q: f"https://site.example/{quote(q, safe='')}",
    "query": lambda q: f"https://site.example/s?hl=en&q={quote(q)}&page=2",
    "fragment": lambda q: f"https://site.example/page#{quote(q)}",
    "percent-encoded twice": lambda q: f"https://site.example/s?q={quote(quote(q, safe=''), safe='')}",
    "base64": lambda q: f"https://site.example/c?d={base64.b64encode(q.encode()).decode()}",
}


async def measure(data: Path) -> AsyncIterator[Row]:
    """On the chain as a server has it, with the guard alone."""
    by_class: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(data / "queries-pii.jsonl.gz"):
        by_class[row["entity"]].append(row)
    async with running("guard") as chain:
        recalls: list[float] = []
        for name, samples in sorted(by_class.items()):
            hits = await _hits(chain, [row["text"] for row in samples])
            recalls.append(hits / len(samples))
            yield Row(GROUP, f"recall: {name}", hits, len(samples), at_least=0.9)
        yield Row(GROUP, f"recall: macro over {len(recalls)} classes", value=mean(recalls), at_least=0.97)
        for gate, file, most in (("ordinary queries", "ordinary", 0.0003), ("hard negatives", "not-pii", 0.02)):
            texts = [row["text"] for row in rows(data / f"queries-{file}.jsonl.gz")]
            yield Row(GROUP, f"flagged: {gate}", await _hits(chain, texts), len(texts), at_most=most)
        addresses = [row["url"] for row in rows(data / "pages-clean.jsonl.gz") if row["url"]]
        yield Row(
            GROUP,
            "flagged: addresses of ordinary pages",
            await _fetches(chain, addresses),
            len(addresses),
            at_most=0.001,
        )
        async for row in _by_another_author(chain):
            yield row
        async for row in _respelt(chain, by_class):
            yield row
        async for row in _placed(chain, by_class):
            yield row
        async for row in _made(chain):
            yield row
    for row in await times([row["text"] for row in rows(data / "queries-ordinary.jsonl.gz")]):
        yield row


async def _by_another_author(chain: Chain) -> AsyncIterator[Row]:
    """Queries that nobody who wrote the filter has read."""
    group = f"{GROUP}: queries by another author"
    by_class: dict[str, list[str]] = defaultdict(list)
    for row in rows(OWN / "heldout" / "pii_queries.jsonl.gz"):
        by_class[row["entity"]].append(row["text"])
    recalls: list[float] = []
    for name, texts in sorted(by_class.items()):
        hits = await _hits(chain, texts)
        recalls.append(hits / len(texts))
        yield Row(group, f"recall: {name}", hits, len(texts), at_least=0.9)
    yield Row(group, f"recall: macro over {len(recalls)} classes", value=mean(recalls), at_least=0.97)
    clean = [row["text"] for row in rows(OWN / "heldout" / "pii_clean.jsonl")]
    yield Row(group, "flagged: nothing personal in them", await _hits(chain, clean), len(clean), at_most=0.02)


async def _respelt(chain: Chain, by_class: Mapping[str, Sequence[dict[str, Any]]]) -> AsyncIterator[Row]:
    dice = random.Random(SEED)
    all_hits = all_count = 0
    for name, spell in {**SPELLINGS, **OF_NUMBERS, **OF_MAIL}.items():
        classes = [c for c in SPELT if name in SPELLINGS or (c == "email_personal") == (name in OF_MAIL)]
        samples = [row for c in classes for row in _some(dice, by_class.get(c, ()))]
        texts = [
            row["text"].replace(row["value"], spell(row["value"])) for row in samples if row["value"] in row["text"]
        ]
        hits = await _hits(chain, texts)
        all_hits, all_count = all_hits + hits, all_count + len(texts)
        yield Row(GROUP, f"obfuscated: {name}", hits, len(texts))
    yield Row(GROUP, "obfuscated: all", all_hits, all_count, at_least=0.9)


async def _made(chain: Chain) -> AsyncIterator[Row]:
    """Passports of letters and digits, accounts in words, cards over parameters: made for this, values at random."""
    dice = random.Random(SEED)
    passports = [asked.format(make(dice)) for asked in _ASKED for make in _PASSPORTS.values() for _ in range(2)]
    yield Row(GROUP, "passports of letters and digits", await _hits(chain, passports), len(passports), at_least=0.9)
    accounts = [_iban(dice) for _ in range(OF_EACH)]
    spelt = [" ".join(_NAMES[int(c)] if c.isdigit() else c for c in account) for account in accounts]
    yield Row(GROUP, "accounts in words", await _hits(chain, spelt), len(spelt), at_least=0.9)
    card = "4929728155304419"
    rows_of = [
        f"https://site.example/p?{'&'.join(f'{name}={card[4 * n : 4 * n + 4]}' for n, name in enumerate(names))}"
        for names in ("abcd", "pqrs", ("k1", "k2", "k3", "k4"), ("id", "id", "id", "id"))
    ]
    yield Row(GROUP, "cards over parameters", await _fetches(chain, rows_of), len(rows_of), at_least=0.9)


def _iban(dice: random.Random) -> str:
    account = "".join(dice.choices("0123456789", k=18))
    return f"DE{98 - int(account + '131400') % 97:02d}{account}"


async def _placed(chain: Chain, by_class: Mapping[str, Sequence[dict[str, Any]]]) -> AsyncIterator[Row]:
    dice = random.Random(SEED)
    all_hits = all_count = 0
    for name, place in PLACES.items():
        addresses = [place(row["text"]) for samples in by_class.values() for row in _some(dice, samples)]
        hits = await _fetches(chain, addresses)
        all_hits, all_count = all_hits + hits, all_count + len(addresses)
        yield Row(GROUP, f"inside addresses: {name}", hits, len(addresses))
    yield Row(GROUP, "inside addresses: all", all_hits, all_count, at_least=0.95)


async def times(queries: Sequence[str]) -> list[Row]:
    """CPU time of the filter itself, without the chain around it."""
    from websearch_guard.pii.filter import PersonalData

    judge = PersonalData()
    await judge.start()
    took: list[float] = []
    for query in queries:
        request = SearchRequest(query=query)
        began = time.process_time_ns()
        await judge.check(request)
        took.append((time.process_time_ns() - began) / 1e6)
    cuts = quantiles(took, n=100)
    return [
        Row(GROUP, "time of an ordinary query, median", value=cuts[49], unit="ms", at_most=0.05),
        Row(GROUP, "time of an ordinary query, 99th percentile", value=cuts[98], unit="ms", at_most=2),
    ]


async def _hits(chain: Chain, texts: Sequence[str]) -> int:
    return sum([await _stopped(chain, SearchRequest(query=text[:2000])) for text in texts])


async def _fetches(chain: Chain, addresses: Sequence[str]) -> int:
    return sum([await _stopped(chain, FetchRequest(url=address)) for address in addresses])


async def _stopped(chain: Chain, request: Outgoing) -> bool:
    """By the filter for personal data and no other; fragments never leave, filter or not."""
    try:
        after, trail = await chain.screening.screen(request)
    except BlockedByFilter as error:
        return error.by == FILTER
    if isinstance(after, FetchRequest) and isinstance(request, FetchRequest) and "#" in request.url:
        return "#" not in after.url
    return any(step.by == FILTER and step.outcome == "rewrite" for step in trail)


def _some(dice: random.Random, samples: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return dice.sample(list(samples), min(OF_EACH, len(samples)))
