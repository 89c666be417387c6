"""The MCP conformance suite: our server where it needs no fixtures, and the fixtures behind our edge."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest

from .conftest import HERE, Node, clean_environ, listening

pytestmark = pytest.mark.real

SUITE = "@modelcontextprotocol/conformance/dist/index.js"

FIXTURE_FREE = {
    "2026-07-28": {
        "completion-complete",
        "tools-list",
        "resources-list",
        "prompts-list",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
        "server-sse-multiple-streams",
        "input-required-result-unsupported-methods",
    },
    "2025-11-25": {
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "completion-complete",
        "dns-rebinding-protection",
        "server-session-lifecycle",
    },
}
"""What a server can pass with tools of its own."""

STATELESS = {
    "2026-07-28": set[str](),
    "2025-11-25": {
        # these ask the client something in the middle of a call, which a stateless server cannot
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
    },
}
"""The required scenarios that a stateless server fails, and no others."""

DIAGNOSTIC_CHECKS = 4
"""Checks of server-stateless that need tools made for the suite."""


class Outcome:
    """What the suite printed: scenario → (passed, failed), and which scenarios it does not score."""

    def __init__(self, text: str) -> None:
        self.text = text
        summary = text.partition("=== SUMMARY ===")[2]
        scored, _, unscored = summary.partition("Not scored")
        self.counts = {
            name: (int(passed), int(failed))
            for name, passed, failed in re.findall(r"^[✓✗] (\S+): (\d+) passed, (\d+) failed", scored, re.MULTILINE)
        }
        self.unscored = set(re.findall(r"^\s+[✓✗] (\S+) \(", unscored, re.MULTILINE))

    @property
    def failing(self) -> set[str]:
        """The scenarios that count and failed."""
        return {name for name, (_, failed) in self.counts.items() if failed} - self.unscored


def run(node: Node, address: str, revision: str) -> Outcome:
    done = node.run(SUITE, "server", "--url", address, "--requirements", revision)
    outcome = Outcome(done.stdout)
    assert len(outcome.counts) >= 30, done.stdout + done.stderr
    return outcome


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The suite's fixtures behind our edge and our uvicorn arguments."""
    command = [sys.executable, str(HERE / "conformance_fixture.py"), "0"]
    folder = tmp_path_factory.mktemp("fixtures")
    with listening(command, clean_environ(XDG_DATA_HOME=str(folder)), folder) as address:
        yield address


@pytest.mark.parametrize("revision", sorted(FIXTURE_FREE))
def test_our_server_passes_every_scenario_that_needs_no_fixture(revision: str, node: Node, server: str) -> None:
    outcome = run(node, server, revision)
    missing = FIXTURE_FREE[revision] - set(outcome.counts)
    failed = {name for name in FIXTURE_FREE[revision] if outcome.counts.get(name, (0, 0))[1]}
    assert (missing, failed) == (set(), set()), outcome.text
    if revision == "2026-07-28":
        passed, needing_fixtures = outcome.counts["server-stateless"]
        assert passed >= 21
        assert needing_fixtures <= DIAGNOSTIC_CHECKS, outcome.text


@pytest.mark.parametrize("revision", sorted(STATELESS))
def test_the_fixtures_pass_all_that_is_required_behind_our_edge(revision: str, node: Node, fixtures: str) -> None:
    outcome = run(node, fixtures, revision)
    assert outcome.failing == STATELESS[revision], outcome.text
