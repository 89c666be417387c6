"""A challenge is told as one, whatever its status means otherwise, and whichever engine shows it."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core import BackendError
from websearch_core.kit import AuthFailed, BlockedBySite, PlanMismatch
from websearch_core.net.challenges import is_challenge

PAGES = {
    "cloudflare": "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}"
    '</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>',
    "turnstile": '<html><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script></html>',
    "datadome": '<html><body><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
    "perimeterx": '<html><div id="px-captcha"></div><script>window._pxAppId = "PX1";</script></html>',
    "akamai": "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY>Reference #18.1 "
    "https://errors.edgesuite.net/18.1</BODY></HTML>",
    "anubis": '<!doctype html><title>Making sure you&#39;re not a bot!</title><script id="anubis_challenge"></script>',
    "hcaptcha": '<html><div class="h-captcha"></div><script src="https://js.hcaptcha.com/1/api.js"></script></html>',
    "recaptcha": '<html><div class="g-recaptcha" data-sitekey="x"></div></html>',
    "imperva": '<html><iframe src="/_Incapsula_Resource?CWUDNSAI=9"></iframe></html>',
}
HTML = "text/html; charset=utf-8"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_pages_of_challenges_are_known(name: str, status: int) -> None:
    assert is_challenge(status, {"content-type": HTML}, PAGES[name].encode())
    assert is_challenge(status, {}, PAGES[name].encode())


@pytest.mark.parametrize(
    "headers",
    [
        {"cf-mitigated": "challenge"},
        {"x-datadome": "protected"},
        {"server": "DataDome"},
        {"x-amzn-waf-action": "captcha"},
    ],
)
def test_so_are_their_headers(headers: dict[str, str]) -> None:
    assert is_challenge(403, headers, b"")


def test_and_their_data() -> None:
    json = {"content-type": "application/json"}
    assert is_challenge(403, json, b'{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=x"}')
    assert is_challenge(403, json, b'{"appId":"PX1","blockScript":"/x/captcha.js"}')


@pytest.mark.parametrize(
    ("status", "headers", "content"),
    [
        (403, {"content-type": "application/json"}, b'{"error": "invalid key", "hint": "see hcaptcha.com"}'),
        (403, {"content-type": HTML, "server": "cloudflare"}, b"<html>403 Forbidden</html>"),
        (403, {"content-type": HTML}, b""),
        (200, {"content-type": HTML}, PAGES["hcaptcha"].encode()),
        (404, {"content-type": HTML}, PAGES["cloudflare"].encode()),
    ],
)
def test_what_says_no_such_thing_is_none(status: int, headers: dict[str, str], content: bytes) -> None:
    assert not is_challenge(status, headers, content)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("explained", [None, AuthFailed("bad key"), PlanMismatch("other plan")])
async def test_a_challenge_is_nobodys_key_or_plan(bench: Any, name: str, explained: BackendError | None) -> None:
    site = await bench.serve(bench.answer(PAGES[name], 403, f"Content-Type: {HTML}"))
    door = bench.api(site, explain=lambda response: explained)
    with pytest.raises(BlockedBySite) as error:
        await door.get("/search")
    assert len(site.heads) == 1
    assert error.value.advice.next_step == "use another source"
