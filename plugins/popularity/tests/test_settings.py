"""What the operator may set, and what stops the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from websearch_core import StartupError
from websearch_core.kit import MissingSetting
from websearch_core.testing import context
from websearch_popularity.plugin import PopularitySettings, websearch_commands, websearch_trust_policies


def test_without_a_list_there_is_a_command_and_no_policy() -> None:
    ctx = context("popularity")
    with pytest.raises(MissingSetting) as caught:
        list(websearch_trust_policies(ctx))
    assert caught.value.left_alone
    assert [command.name for command in websearch_commands(ctx)] == ["popularity"]


@pytest.mark.parametrize(
    ("settings", "used"),
    [
        ({"api_token": "t"}, ("radar",)),
        ({"list_file": "x"}, ("file",)),
        ({"api_token": "t", "list_file": "x"}, ("radar", "file")),
        ({"api_token": "t", "list_file": "x", "sources": ["file"]}, ("file",)),
    ],
)
def test_the_lists_that_count_are_those_named_or_configured(
    settings: dict[str, object], used: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x").write_text("a.example\n")
    ctx = context("popularity", settings)
    assert ctx.settings(PopularitySettings).used == used
    assert len(list(websearch_trust_policies(ctx))) == 1


def test_cloudflares_own_variable_is_understood() -> None:
    ctx = context("popularity", environ={"CLOUDFLARE_API_TOKEN": "secret-of-theirs"})
    assert ctx.settings(PopularitySettings).used == ("radar",)
    assert ctx.settings(PopularitySettings).bucket == 500_000


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"sources": ["radar"]}, "api_token"),
        ({"sources": ["file"]}, "list_file"),
        ({"sources": ["tranco"]}, "sources"),
        ({"bucket": 1234}, "bucket"),
        ({"audit_sample": 1.5}, "audit_sample"),
        ({"max_age_days": 0}, "max_age_days"),
        ({"max_age_days": 0.5}, "max_age_days is less than refresh_hours"),
        ({"refresh_hours": 0}, "refresh_hours"),
        ({"api_tokn": "t"}, "api_tokn"),
    ],
)
def test_a_wrong_setting_stops_the_start_and_is_named(settings: dict[str, object], named: str) -> None:
    with pytest.raises(StartupError, match=named):
        list(websearch_trust_policies(context("popularity", settings)))


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"a.example\nnot a domain\n", "line 2"), (b"\xff\xfe", "UTF-8"), (None, "cannot be read")],
)
def test_an_operators_file_that_cannot_be_believed_is_told_with_the_settings(tmp_path, content, problem: str) -> None:
    file = tmp_path / "own.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(StartupError, match=problem):
        list(websearch_trust_policies(context("popularity", {"list_file": str(file)})))
