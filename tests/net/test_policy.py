"""What is judged before any name is looked up, and what of the answers."""

from __future__ import annotations

import pytest

from websearch_core import StartupError
from websearch_core.kit import InvalidRequest, NetworkFailed, Refused
from websearch_core.net.policy import AddressPolicy
from websearch_core.net.urls import parse
from websearch_core.settings.configuration import NetSettings


def policy(**settings: tuple[str, ...]) -> AddressPolicy:
    return AddressPolicy(NetSettings(**settings))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST.", "a.localhost", "printer.local", "x.internal", "nas.home.arpa", "ⓛocalhost"),
        *("metadata.google.internal", "metadata", "instance-data", "metadata.goog", "router", "wiki.corp", "nas.lan"),
        *("127.0.0.1", "2130706433", "0x7f000001", "017700000001", "127.1", "0", "169.254.169.254", "100.100.100.200"),
        *(
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]",
            "[fd12::1]",
        ),
        *(
            "[fd00:ec2::254]",
            "[fe80::1]",
            "[::127.0.0.1]",
            "168.63.129.16",
            "192.168.1.1",
            "\uff11\uff12\uff17.0.0.1",
            "kubernetes.svc",
        ),
    ],
)
def test_internal_names_and_private_literals_are_refused_without_a_look_up(host: str) -> None:
    with pytest.raises(Refused):
        policy().check(f"http://{host}/")


@pytest.mark.parametrize(
    ("private", "url"),
    [
        ("127.0.0.1:8099", "http://127.0.0.1:8099/"),
        ("127.0.0.1:8099", "http://0x7f.1:8099/"),
        ("10.1.0.0/16", "http://10.1.2.3/"),
        ("[::1]:8099", "http://[::1]:8099/"),
        ("localhost:8099", "http://localhost:8099/"),
        ("wiki.corp", "https://wiki.corp/"),
        ("wiki", "https://wiki/"),
    ],
)
def test_an_exception_allows_exactly_what_it_names(private: str, url: str) -> None:
    assert policy(private=(private,)).check(url)
    with pytest.raises(Refused):
        policy(private=("127.0.0.1:1",)).check(url)


@pytest.mark.parametrize(
    ("allow", "deny", "caller", "host", "allowed"),
    [
        ((), (), (), "example.com", True),
        (("example.com",), (), (), "www.example.com", True),
        (("example.com",), (), (), "example.org", False),
        ((), ("example.com",), (), "www.example.com", False),
        (("example.com",), ("=evil.example.com",), (), "evil.example.com", False),
        (("example.com",), (), ("docs.example.com",), "docs.example.com", True),
        (("example.com",), (), ("docs.example.com",), "www.example.com", False),
        (("example.com",), (), ("example.org", "*"), "example.org", False),
        ((), (), ("example.org",), "example.com", False),
        ((), (), ("8.8.8.8",), "8.8.8.8", True),
    ],
)
def test_the_caller_narrows_what_the_operator_allows(
    allow: tuple[str, ...], deny: tuple[str, ...], caller: tuple[str, ...], host: str, allowed: bool
) -> None:
    judge = policy(allow=allow, deny=deny)
    if allowed:
        assert judge.check(f"https://{host}/", caller).host == host
        return
    with pytest.raises(Refused, match="not in allowlist"):
        judge.check(f"https://{host}/", caller)


def test_allow_rules_do_not_open_private_addresses() -> None:
    with pytest.raises(Refused, match="not public"):
        policy(allow=("127.0.0.1",)).check("http://127.0.0.1/")


@pytest.mark.parametrize("setting", ["allow", "deny", "private"])
def test_a_malformed_rule_of_the_operator_stops_the_start(setting: str) -> None:
    with pytest.raises(StartupError, match=rf"\[net\] {setting}: 'http://x'"):
        policy(**{setting: ("http://x",)})


def test_a_malformed_rule_of_the_caller_is_an_invalid_request() -> None:
    with pytest.raises(InvalidRequest, match="allowed_domains"):
        policy().check("https://example.com/", ["https://example.com"])


@pytest.mark.parametrize(
    ("answers", "refused"),
    [
        (["93.184.215.14"], False),
        (["93.184.215.14", "2606:4700::1111"], False),
        (["93.184.215.14", "10.0.0.1"], True),
        (["10.0.0.1", "93.184.215.14"], True),
        (["::1"], True),
        (["fe80::1%eth0"], True),
        (["::ffff:169.254.169.254"], True),
    ],
)
def test_one_private_answer_refuses_the_host(answers: list[str], refused: bool) -> None:
    target = parse("https://example.com/")
    if refused:
        with pytest.raises(Refused):
            policy().judge(answers, target)
    else:
        assert [str(ip) for ip in policy().judge(answers, target)] == answers


@pytest.mark.parametrize("answers", [[], ["not an address"]])
def test_no_usable_answer_is_a_network_failure(answers: list[str]) -> None:
    with pytest.raises(NetworkFailed):
        policy().judge(answers, parse("https://example.com/"))


def test_a_refusal_repeats_nothing_of_the_address() -> None:
    for url in ("http://10.0.0.1/secret-path?token=secret", "http://secret.local/", "http://secret:secret@x.com/"):
        with pytest.raises(Refused) as error:
            policy().check(url)
        assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("url", "at_home"),
    [
        ("http://wiki.corp/x", True),
        ("http://intranet/x", True),
        ("http://10.1.2.3/x", True),
        ("http://[::1]:80/x", True),
        ("http://wiki.example.com:8080/x", True),
        ("http://wiki.example.com/x", False),
        ("https://example.com/x", False),
        ("http://8.8.8.8/x", False),
    ],
)
def test_which_addresses_are_nobody_elses_business(url: str, at_home: bool) -> None:
    policy = AddressPolicy(NetSettings(private=("wiki.example.com:8080", "10.1.0.0/16")))
    assert policy.is_at_home(url) is at_home
