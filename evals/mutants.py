"""Would a test notice? Small mistakes in the core and the guard, drawn by chance and made one at a time.

    uv pip install --python .venv/bin/python --constraints constraints.txt --group mutants
    python -m evals.mutants look                       # which test runs which lines: some minutes
    python -m evals.mutants draw --count 200 --seed 1  # goes on where it was stopped, and prints the table
    python -m evals.mutants look tests/net/test_x.py   # adds tests that were written since
    python -m evals.mutants draw --again               # tries the survivors again

The mistakes are cosmic-ray's: another operator or comparison, a number one off, a condition turned round, a decorator
or a loop removed, an exception of another class. Its own runner has one command for all of them; here a mistake meets
the tests that run its line: one case of each test, the quickest first, then the other cases. If none does, it meets
the tests that start processes, into which `look` does not see. It is caught when one fails, or takes far too long.

A place is drawn first, then a mistake for it, so that an operator with eleven replacements counts once. Annotations
are not drawn: pyright holds them. Mistakes that change nothing are listed, with their reasons, in
`evals/equivalent_mutants.toml`; the figure is printed with and without them. What `look` found lies in
`build/mutants/`, in a folder of its own for each state of the sources.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import gc
import hashlib
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")
TESTED_BY = ["tests", "plugins/guard", "--ignore=tests/system"]
"""Where `look` looks if it is told nothing: the tests of other rooms and of real servers would only catch more."""
FIRST = 40
"""So many tests are tried before the rest is collected."""
PRELOADED = (
    "anyio._backends._asyncio",
    "httpx2",
    "hypothesis",
    "mcp.server",
    "pydantic",
    "rich.table",
    "starlette.testclient",
    "stamina",
    "typer",
)
"""What takes long to import, and has no mistakes."""
_CACHE = re.compile(r"[-+]\s*(@(functools\.)?(lru_)?cache(\(.*\))?)?")
"""A decorator that only keeps answers, and blank lines."""
CPU_S = 20
"""A test may take three times as long as it did and this much more of the processor, and thrice that of the clock."""


def sources() -> list[Path]:
    """The modules in which mistakes are made, from the root."""
    found = [*ROOT.glob("websearch_core/**/*.py"), *ROOT.glob("plugins/guard/websearch_guard/**/*.py")]
    return sorted(path.relative_to(ROOT) for path in found if "testing" not in path.parts)


def folder() -> Path:
    """What is known of the sources as they are now."""
    state = hashlib.sha256(b"".join((ROOT / path).read_bytes() for path in sources())).hexdigest()
    found = ROOT / "build" / "mutants" / state[:12]
    found.mkdir(parents=True, exist_ok=True)
    return found


class Mutant(NamedTuple):
    path: str
    line: int
    operator: str
    occurrence: int
    """Which of the places in the file that this operator could change, counted from 0."""

    def code(self) -> str | None:
        """The module with the mistake."""
        from cosmic_ray import plugins
        from cosmic_ray.mutating import mutate_code

        return mutate_code((ROOT / self.path).read_text(), plugins.get_operator(self.operator)(), self.occurrence)

    def diff(self) -> list[str]:
        """The lines that go and come."""
        before, after = (ROOT / self.path).read_text().splitlines(), (self.code() or "").splitlines()
        lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


def annotations(tree: ast.AST) -> Iterator[range]:
    """The lines and columns of annotations, as one number for each place."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if part := getattr(node, name, None):
                yield range(part.lineno * 1000 + part.col_offset, part.end_lineno * 1000 + part.end_col_offset)


def places() -> list[list[Mutant]]:
    """For each place that an operator may change, the mistakes that may be made there."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    operators = {name: plugins.get_operator(name) for name in sorted(plugins.operator_names())}
    found: defaultdict[tuple[str, str, tuple[int, int]], list[Mutant]] = defaultdict(list)
    for path in map(str, sources()):
        text = (ROOT / path).read_text()
        annotated = list(annotations(ast.parse(text)))
        nodes = list(ast_nodes(get_ast(text)))
        for name, operator in operators.items():
            if operator.arguments():
                continue
            positions = (start for node in nodes for start, _ in operator().mutation_positions(node))
            for occurrence, (line, column) in enumerate(positions):
                if not any(line * 1000 + column in part for part in annotated):
                    kind = name.partition("_")[0]
                    found[path, kind, (line, column)].append(Mutant(path, line, name, occurrence))
    return list(found.values())


def drawn(count: int, seed: int) -> list[Mutant]:
    """So many mistakes that compile and are not the same program."""
    kept = folder() / f"drawn-{seed}-{count}.json"
    if kept.exists():
        return [Mutant(*mutant) for mutant in json.loads(kept.read_text())]
    dice = random.Random(seed)
    candidates = places()
    dice.shuffle(candidates)
    found: list[Mutant] = []
    for choices in candidates:
        mutant = dice.choice(choices)
        try:
            changed = ast.dump(ast.parse(mutant.code() or ""))
        except (SyntaxError, AttributeError):  # the latter: cosmic-ray stumbles over `except module.Error`
            continue
        if changed != ast.dump(ast.parse((ROOT / mutant.path).read_text())):
            found.append(mutant)
        if len(found) == count:
            break
    kept.write_text(json.dumps(found))
    return found


class Looking:
    """A pytest plugin that notes which lines each test runs, how long it takes, and whether it starts processes."""

    def __init__(self, measured: Any) -> None:
        self._measured = measured
        self._running = ""
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.starters: set[str] = set()
        sys.addaudithook(self._look)

    def _look(self, event: str, _: tuple[Any, ...]) -> None:
        if self._running and event in ("subprocess.Popen", "os.posix_spawn", "os.fork"):
            self.starters.add(self._running)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._running = item.nodeid
        if "commands" in getattr(item, "fixturenames", ()):  # asks a process that an earlier test has started
            self.starters.add(item.nodeid)
        self._measured.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._running = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)


def look(words: list[str]) -> None:
    """Run these tests once and keep what each of them sees."""
    import coverage

    found = folder()
    parts = [str(ROOT / name) for name in ("websearch_core", "plugins/guard/websearch_guard")]
    measured = coverage.Coverage(data_file=found / "coverage", source=parts, config_file=False)
    measured.load()
    measured.start()
    looking = Looking(measured)
    pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *words], plugins=[looking])
    measured.stop()
    measured.save()
    kept = found / "tests.json"
    before = json.loads(kept.read_text()) if kept.exists() else {"seconds": {}, "failed": [], "starters": []}
    told = {
        "seconds": before["seconds"] | looking.seconds,
        "failed": sorted({*before["failed"], *looking.failed} - (set(looking.seconds) - looking.failed)),
        "starters": sorted({*before["starters"], *looking.starters}),
    }
    kept.write_text(json.dumps(told))


class Known:
    """What `look` found."""

    def __init__(self) -> None:
        import coverage

        found = folder()
        told = json.loads((found / "tests.json").read_text())
        self.seconds: dict[str, float] = told["seconds"]
        self.unfit = set(told["failed"])
        """They fail without a mistake too, here and now."""
        self._starters = set(told["starters"])
        self._lines = coverage.CoverageData(str(found / "coverage"))
        self._lines.read()

    def tests_for(self, mutant: Mutant) -> list[str]:
        """Who could notice it, in the order of asking."""
        by_line = self._lines.contexts_by_lineno(str(ROOT / mutant.path))
        body = body_around((ROOT / mutant.path).read_text(), mutant.line)
        if body is None:  # runs when the module is imported
            seen = {test for tests in by_line.values() for test in tests if test}
            return self._ordered(seen or set(self.seconds))
        seen = next((by_line[line] for line in range(mutant.line, body.start - 1, -1) if line in by_line), [])
        return self._ordered(set(seen) or self._starters)

    def _ordered(self, tests: set[str]) -> list[str]:
        """One case of each test, the quickest first, then the other cases."""
        fit = sorted(tests & set(self.seconds) - self.unfit, key=lambda test: (self.seconds[test], test))
        ones = {test.partition("[")[0]: test for test in reversed(fit)}
        return sorted(fit, key=lambda test: ones[test.partition("[")[0]] != test)


def body_around(text: str, line: int) -> range | None:
    """The lines of the innermost function's body that has this line."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [range(node.body[0].lineno, (node.end_lineno or 0) + 1) for node in functions]
    return min((body for body in bodies if line in body), key=len, default=None)


class Trying:
    """A pytest plugin that runs chosen tests in their order, and ends the process if one takes far too long."""

    def __init__(self, tests: list[str], seconds: dict[str, float], told: Path) -> None:
        self._tests = {test: place for place, test in enumerate(tests)}
        self._seconds = seconds
        self._told = told
        self._limit("collecting", 0.0)

    def _limit(self, name: str, seconds: float) -> None:
        self._told.write_text(name)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S + 3 * seconds)
        signal.setitimer(signal.ITIMER_REAL, 3 * CPU_S + 9 * seconds)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._tests]
        items[:] = sorted(chosen, key=lambda item: self._tests[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self._limit(item.nodeid, self._seconds[item.nodeid])


class Copy:
    """The tree with one mistake at a time."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._root = folder() / "copy"
        self._told = folder() / "running"
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for name in listed.stdout.splitlines():
            (self._root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self._root / name)
        self._clock = 1_000_000_000
        for name in PRELOADED:
            importlib.import_module(name)
        gc.freeze()

    def catches(self, mutant: Mutant, tests: list[str]) -> str:
        """Which test fails; empty if none does."""
        place = self._root / mutant.path
        original = place.read_text()
        self._clock += 1  # bytecode is known by its source's size and second
        try:
            place.write_text(mutant.code() or "")
            os.utime(place, (self._clock, self._clock))
            return next(filter(None, (self.fails(part) for part in (tests[:FIRST], tests[FIRST:]) if part)), "")
        finally:
            place.write_text(original)
            os.utime(place, (self._clock - 500_000_000, self._clock - 500_000_000))

    def fails(self, tests: list[str]) -> str:
        """Which of these fails first, in a process of its own."""
        process = os.fork()
        if not process:
            os.setsid()
            try:
                os._exit(self._run(tests))
            finally:
                os._exit(3)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        if status == pytest.ExitCode.OK:
            return ""
        how = "too long" if status in (-signal.SIGALRM, -signal.SIGVTALRM) else f"status {status}"
        return f"{self._told.read_text()}" + ("" if status == pytest.ExitCode.TESTS_FAILED else f" ({how})")

    def failing(self, tests: set[str]) -> Iterator[str]:
        """Those of these that fail as the tree is."""
        while tests and (failed := self.fails(sorted(tests))):
            tests = tests - {failed.partition(" (")[0]}
            yield failed.partition(" (")[0]

    def _run(self, tests: list[str]) -> int:
        paths = [str(self._root), str(self._root / "plugins" / "guard")]
        sys.path[:] = [*paths, *(path for path in sys.path if path not in ("", str(ROOT)))]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        os.chdir(self._root)
        with (folder() / "output").open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        files = sorted({test.partition("::")[0] for test in tests})
        words = ["-x", "-q", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider"]
        return pytest.main([*words, *files], plugins=[Trying(tests, self._known.seconds, self._told)])


def draw(count: int, seed: int, most_s: float, *, rooms: str, again: bool) -> None:
    """Try the mistakes of these rooms that have not been tried, and print the table."""
    known = Known()
    kept = folder() / "results.jsonl"
    lines = kept.read_text().splitlines() if kept.exists() else []
    results = {Mutant(*mutant): test for mutant, test in map(json.loads, lines)}
    chosen = [mutant for mutant in drawn(count, seed) if room(mutant).startswith(rooms)]
    left = [mutant for mutant in chosen if mutant not in results or (again and not results[mutant])]
    left = [mutant for mutant in left if not reason(mutant)] if again else left
    copy = Copy(known)
    while left:
        for number, mutant in enumerate(left, 1):
            began = time.monotonic()
            tests = known.tests_for(mutant)
            upto = accumulate(known.seconds[test] for test in tests)
            enough = [test for test, seconds in zip(tests, upto, strict=True) if seconds <= most_s]
            results[mutant] = copy.catches(mutant, enough or tests[:1])
            with kept.open("a") as file:
                file.write(json.dumps([mutant, results[mutant]]) + "\n")
            took = time.monotonic() - began
            print(f"{number} {took:.0f} s {mutant.path}:{mutant.line} {results[mutant] or 'SURVIVED'}", flush=True)
        # who failed must pass without a mistake: on a busy machine, or in a copy, some do not
        known.unfit |= set(copy.failing({results[mutant] for mutant in chosen} & set(known.seconds)))
        left = [mutant for mutant in chosen if results[mutant] in known.unfit]
    report({mutant: results[mutant] for mutant in chosen})


def report(results: dict[Mutant, str]) -> None:
    """Caught and survived, by room, and what survived."""
    survived = [mutant for mutant, test in results.items() if not test]
    for mutant in survived:
        print(f"\n{mutant.path}:{mutant.line} {mutant.operator} {reason(mutant)}", *mutant.diff(), sep="\n")
    rooms = Counter(room(mutant) for mutant in results)
    lost = Counter(room(mutant) for mutant in survived)
    print("\n| room | drawn | caught |\n|---|---|---|")
    for name, count in sorted(rooms.items()):
        print(f"| {name} | {count} | {count - lost[name]} |")
    caught, same = len(results) - len(survived), sum(bool(reason(mutant)) for mutant in survived)
    print(f"\n{caught} of {len(results)} caught ({caught / len(results):.1%})", end="; ")
    print(f"without {same} that change nothing: {caught / (len(results) - same):.1%}")


def reason(mutant: Mutant) -> str:
    """Why it changes nothing; empty if nobody has said so."""
    known = tomllib.loads(EQUIVALENT.read_text()).get("mutant", [])
    lines = [line.strip() for line in mutant.diff()]
    if all(_CACHE.fullmatch(line) for line in lines):
        return "a cache alone: the answers are the same"
    return next((one["why"] for one in known if (one["path"], one["diff"]) == (mutant.path, lines)), "")


def room(mutant: Mutant) -> str:
    """`core/net`, `guard/pii`."""
    parts = Path(mutant.path).parts
    return f"core/{parts[1]}" if parts[0] == "websearch_core" else f"guard/{parts[3]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("look").add_argument("words", nargs=argparse.REMAINDER, help="as for pytest")
    drawing = commands.add_parser("draw")
    drawing.add_argument("--count", type=int, default=200)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument(
        "--seconds", type=float, default=120.0, help="of tests that a mistake meets, as `look` took them"
    )
    drawing.add_argument("--rooms", default="", help="of these drawn, only those here: `guard`, `core/net`")
    drawing.add_argument("--again", action="store_true", help="try the survivors again")
    options = parser.parse_args()
    if options.command == "look":
        look(options.words or TESTED_BY)
    else:
        draw(options.count, options.seed, options.seconds, rooms=options.rooms, again=options.again)


if __name__ == "__main__":
    main()
