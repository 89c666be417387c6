"""Nothing reaches a forbidden listener: a canary counts connections."""

from __future__ import annotations

from typing import Any

import pytest

from websearch_core import BackendError, FetchRequest
from websearch_core.kit import NetworkFailed, Refused

PUBLIC = "93.184.215.14"

FORBIDDEN = [
    *("http://127.0.0.1:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/", "http://0177.0.0.1:{port}/"),
    *("http://127.1:{port}/", "http://0:{port}/", "http://localhost:{port}/", "http://x.localhost:{port}/"),
    *("http://[::1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "http://[::127.0.0.1]:{port}/"),
    *("http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]:{port}/", "http://127.0.0.1.:{port}/"),
    *("http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.0.1/", "http://169.254.169.254/latest/meta-data/"),
    *("http://100.64.0.1/", "http://224.0.0.1/", "http://192.0.2.1/", "http://198.18.0.1/", "http://240.0.0.1/"),
    *(
        "http://255.255.255.255/",
        "http://[fd12::1]/",
        "http://[fe80::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
    ),
    *("http://metadata.google.internal/", "http://printer.local/", "http://canary.example.com:{port}/"),
    *("http://user@127.0.0.1:{port}/", "ftp://127.0.0.1:{port}/", "file:///etc/passwd", "//127.0.0.1:{port}/"),
    *("\\\\127.0.0.1:{port}\\", "http://127。0。0。1:{port}/", "https://127.0.0.1:{port}/"),
]


@pytest.mark.parametrize("address", FORBIDDEN)
async def test_a_forbidden_address_is_not_connected_to(bench: Any, address: str) -> None:
    canary = await bench.serve()
    bench.names.table["canary.example.com"] = ["127.0.0.1"]
    with pytest.raises(BackendError):
        await bench.web().download(FetchRequest(url=address.format(port=canary.port)))
    assert canary.connections == 0


@pytest.mark.parametrize("address", FORBIDDEN)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_a_forbidden_address_is_not_followed(bench: Any, address: str, status: int) -> None:
    canary = await bench.serve()
    bench.names.table["canary.example.com"] = ["127.0.0.1"]
    location = address.format(port=canary.port)
    # a header line is bytes: beyond Latin-1 a site can only send UTF-8
    raw = location.encode().decode("latin-1")
    site = await bench.serve(bench.answer("", status, f"Location: {raw}"))
    with pytest.raises(BackendError):
        await bench.web_to(site).download(bench.ask(site))
    assert (site.connections, canary.connections) == (1, 0)


async def test_a_rebinding_resolver_has_no_second_look_up_to_attack(bench: Any) -> None:
    canary = await bench.serve()
    site = await bench.serve(bench.answer("ok", 200, "Connection: close"), host="127.0.0.2", port=canary.port)
    bench.names.turns["rebind.example.com"] = [["127.0.0.2"], ["127.0.0.1"]]
    request = FetchRequest(url=f"http://rebind.example.com:{canary.port}/")
    door = bench.web(f"127.0.0.2:{site.port}")
    assert (await door.download(request)).body == b"ok"
    assert bench.names.asked == ["rebind.example.com"]
    with pytest.raises(Refused):
        await door.download(request)
    assert canary.connections == 0


async def test_a_connection_that_is_kept_goes_on_to_the_address_that_was_judged(bench: Any) -> None:
    canary = await bench.serve()
    site = await bench.serve(host="127.0.0.2", port=canary.port)
    bench.names.turns["rebind.example.com"] = [["127.0.0.2"], ["127.0.0.1"]]
    request = FetchRequest(url=f"http://rebind.example.com:{canary.port}/")
    door = bench.web(f"127.0.0.2:{site.port}", f"127.0.0.1:{site.port}")
    await door.download(request)
    await door.download(request)
    assert (site.connections, canary.connections) == (1, 0)


async def test_one_private_answer_among_public_ones_refuses_the_name(bench: Any) -> None:
    canary = await bench.serve()
    bench.names.table["mixed.example.com"] = [PUBLIC, "127.0.0.1"]
    with pytest.raises(Refused, match="not public"):
        await bench.web().download(FetchRequest(url=f"http://mixed.example.com:{canary.port}/"))
    assert canary.connections == 0


async def test_an_exception_of_one_port_opens_no_other(bench: Any) -> None:
    site, canary = await bench.serve(), await bench.serve()
    door = bench.web_to(site)
    assert (await door.download(bench.ask(site))).body == b"ok"
    with pytest.raises(Refused):
        await door.download(bench.ask(canary))
    assert canary.connections == 0


async def test_a_name_that_resolves_to_an_excepted_address_is_fetched_with_its_name_as_host(bench: Any) -> None:
    site = await bench.serve()
    bench.names.table["www.example.com"] = ["127.0.0.1"]
    got = await bench.web_to(site).download(FetchRequest(url=f"http://www.example.com:{site.port}/a?b"))
    assert got.body == b"ok"
    assert site.heads[0].startswith("GET /a?b HTTP/1.1\r\n")
    assert f"Host: www.example.com:{site.port}\r\n" in site.heads[0]


async def test_the_next_address_is_tried_when_one_does_not_answer(bench: Any) -> None:
    site = await bench.serve()
    bench.names.table["www.example.com"] = ["127.0.0.2", "127.0.0.1"]
    door = bench.web(f"127.0.0.1:{site.port}", f"127.0.0.2:{site.port}")
    assert (await door.download(FetchRequest(url=f"http://www.example.com:{site.port}/"))).body == b"ok"


async def test_no_listener_is_a_network_failure(bench: Any) -> None:
    with pytest.raises(NetworkFailed, match="no connection"):
        await bench.web("127.0.0.1:9").download(FetchRequest(url="http://127.0.0.1:9/"))


async def test_an_unknown_name_is_a_network_failure_with_a_next_step(bench: Any) -> None:
    from websearch_core.net.resolve import SystemResolver

    with pytest.raises(NetworkFailed, match="does not resolve"):
        await SystemResolver().resolve("a" * 64, 80)
    assert await SystemResolver().resolve("127.0.0.1", 80) == ["127.0.0.1"]


async def test_an_ipv6_literal_is_connected_to_and_named_in_brackets(bench: Any) -> None:
    try:
        site = await bench.serve(host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    door = bench.web(f"[::1]:{site.port}")
    assert (await door.download(FetchRequest(url=f"http://[::1]:{site.port}/"))).body == b"ok"
    assert f"Host: [::1]:{site.port}\r\n" in site.heads[0]


async def test_every_connection_is_judged_even_when_the_policy_was_asked_before(bench: Any) -> None:
    from websearch_core.net.urls import parse

    canary = await bench.serve()
    transport = bench.web()._connections.transport()
    with pytest.raises(Refused):
        await transport.send("GET", parse(bench.url(canary)), [])
    assert canary.connections == 0
