"""When the plugin is off, when it stops the start, and what the self-test demands."""

from __future__ import annotations

import pytest

from websearch_core import StartupError
from websearch_core.kit import MissingSetting
from websearch_core.testing import answer, context
from websearch_safeguard.local_judge import MISBEHAVIOURS, LocalJudge, completion, written
from websearch_safeguard.plugin import websearch_document_filters, websearch_request_filters
from websearch_safeguard.settings import SafeguardSettings

HOOKS = (websearch_request_filters, websearch_document_filters)


def made(settings=None, environ=None):
    ctx = context("safeguard", settings, environ=environ)
    return [each for hook in HOOKS for each in hook(ctx)]


def read(settings=None, environ=None):
    return context("safeguard", settings, environ=environ).settings(SafeguardSettings)


def test_left_alone_it_is_off():
    for hook in HOOKS:
        with pytest.raises(MissingSetting) as caught:
            list(hook(context("safeguard")))
        assert caught.value.left_alone


@pytest.mark.parametrize("settings", [{"model": "x"}, {"pii": True}, {"base_url": "https://api.example.com/v1"}])
def test_configured_but_without_a_key_it_stops_the_start(settings):
    for hook in HOOKS:
        with pytest.raises(MissingSetting, match="WEBSEARCH_SAFEGUARD__API_KEY") as caught:
            list(hook(context("safeguard", settings)))
        assert not caught.value.left_alone


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": "k"},
        {"base_url": "https://api.example.com/v1", "no_key": True},
        {"base_url": "http://127.0.0.1:8000/v1"},
        {"base_url": "http://[::1]:8000/v1"},
        {"base_url": "http://localhost:11434/v1"},
        {"base_url": "http://ollama:11434/v1"},
        {"base_url": "http://10.1.2.3/v1"},
    ],
)
def test_with_a_key_or_where_none_is_needed_it_brings_both_filters(settings):
    assert [each.name for each in made(settings)] == ["safeguard-pii", "safeguard-injection"]


def test_the_other_programs_variables_are_understood():
    settings = read(
        environ={
            "TINFOIL_API_KEY": "k",
            "SAFEGUARD_MODEL": "m",
            "ENABLE_PII_CHECK": "false",
            "ENABLE_FETCH_INJECTION_CHECK": "0",
            "ENABLE_SEARCH_INJECTION_CHECK": "F",
        }
    )
    assert [key.get_secret_value() for key in settings.api_key] == ["k"]
    assert (settings.model, settings.pii, settings.fetch_injection, settings.search_injection) == (
        "m",
        False,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base_url": "http://api.example.com/v1"}, "must be https"),
        ({"base_url": "ftp://127.0.0.1/"}, "http"),
        ({"escalate_from": 0.9, "escalate_to": 0.1}, "escalate_from"),
        ({"mode": "sometimes"}, "mode"),
        ({"surprise": 1}, "unknown setting"),
    ],
)
def test_a_wrong_setting_stops_the_start(settings, said):
    with pytest.raises(StartupError, match=said):
        made({"api_key": "k", **settings})


@pytest.mark.parametrize("make", ["pii", "injection"])
async def test_a_judge_that_works_passes_the_self_test(desk, make):
    judge = LocalJudge().route(desk.site)
    await getattr(desk, make)(self_test=True).start()
    assert len(judge.calls) == 1


@pytest.mark.parametrize("name", MISBEHAVIOURS)
@pytest.mark.parametrize("make", ["pii", "injection"])
async def test_one_that_misbehaves_stops_the_start_with_a_remedy(desk, make, name, monkeypatch):
    monkeypatch.setattr("websearch_safeguard.judge._SELF_TEST_S", 0.2)
    LocalJudge((), MISBEHAVIOURS[name]).route(desk.site)
    quick = {"timeout_s": 0.2} if name == "says nothing in time" else {}
    with pytest.raises(StartupError, match=r"plugin safeguard: safeguard-\w+ fails its self-test.*self_test = false"):
        await getattr(desk, make)(self_test=True, **quick).start()


async def test_one_that_blocks_everything_fails_it_too(desk):
    def grim(verdicts, request):
        bad = {"violation": True, "category": "override", "quote": "the"}
        return completion(written([{**verdict, **bad} for verdict in verdicts]))

    LocalJudge((), grim).route(desk.site)
    with pytest.raises(StartupError, match="judges a known text wrongly"):
        await desk.injection(self_test=True).start()


async def test_the_self_test_can_be_left_out(desk):
    desk.site.route("*", answer(500))
    await desk.pii(self_test=False).start()
    assert desk.site.requests == []
