"""One call to each backend, to say what is wrong and how to mend it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil

from ..asking.ledger.budgets import CapReached, PlannedCall
from ..asking.ledger.ledger import Ledger
from ..asking.source.guarded_source import kind_of
from ..contract.errors import BackendError, Code
from ..contract.interfaces import SearchBackend
from ..contract.models import SearchRequest
from ..contract.results import Answer
from .assemble import Assembly

QUESTION = "example domain"
"""What backends are asked: harmless, and every engine has an answer."""

REMEDIES: Mapping[Code, str] = {
    Code.RATE_LIMITED: "wait, then ask again; if it stays so, ask for a higher limit",
    Code.QUOTA: "add credit, or wait for the next period",
    Code.AUTH: "set a valid key",
    Code.PLAN: "change the plan, or take the engine out of [chain] backends",
    Code.INVALID_REQUEST: "check the engine's settings, then update its plugin",
    Code.REFUSED: "check the engine's base address",
    Code.BLOCKED_BY_SITE: "wait some hours, ask from another address, or use an engine with an account",
    Code.NOT_FOUND: "check the engine's base address",
    Code.DRIFT: "check the engine's base address, then update its plugin",
    Code.TIMEOUT: "check the engine's address and the network, then try again",
    Code.NETWORK: "check the engine's address, that it runs, and the network",
    Code.SERVER: "look into the engine's own log, or try again later",
    Code.TOO_LARGE: "check the engine's base address",
    Code.UNSUPPORTED: "check the engine's settings",
}
"""What an operator can do, where the failure itself does not say."""
_OF_THE_ACCOUNT = frozenset((Code.AUTH, Code.QUOTA, Code.PLAN))


@dataclass(frozen=True, slots=True)
class CheckedBackend:
    """How one backend answered, and what is known of it in the shared store."""

    backend: str
    ok: bool
    code: str
    detail: str
    remedy: str
    took_ms: int = 0
    cost: float | None = None
    """US dollars for this call, where the backend says it."""
    units: float | None = None
    unit: str = ""
    rests: tuple[str, ...] = ()
    """Why and for how long the server does not ask it: "rate_limited, 34 s"."""
    ended: tuple[str, ...] = ()
    """The same, for rests that were ended because it answers."""
    keys: tuple[str, ...] = ()
    """Which of its keys are not used now."""


def names(assembly: Assembly) -> list[str]:
    """What can be checked: every backend, and the plugins whose backend is off."""
    off = (off.plugin.name for off in assembly.registry.off if off.kind == "SearchBackend")
    return list(dict.fromkeys((*(backend.name for backend in assembly.every_backend), *off)))


async def check(assembly: Assembly, only: Collection[str] = ()) -> list[CheckedBackend]:
    """Ask every backend once, all at once, past cache and breaker; those that are off are listed with the reason.

    A backend that answers is asked again by the server, too. The calls are in the ledger, and the operator's caps hold
    for them. `only` names the backends to ask and list; empty: all.
    """
    asked = [backend for backend in assembly.every_backend if not only or backend.name in only]
    findings = list(await asyncio.gather(*(_checked(backend, assembly) for backend in asked)))
    return findings + [
        CheckedBackend(off.plugin.name, ok=True, code="off", detail=off.reason, remedy="set it to use this backend")
        for off in assembly.registry.off
        if off.kind == "SearchBackend" and (not only or off.plugin.name in only)
    ]


async def _checked(backend: SearchBackend, assembly: Assembly) -> CheckedBackend:
    found = await _asked(backend, assembly)
    source = assembly.chain.searching.sources[backend.name]
    await source.refresh()
    resting = tuple(str(rest) for rest in source.rests())
    if found.ok:
        await source.close()
        await _readers_asked_again(backend, assembly)
    rests, ended = ((), resting) if found.ok else (resting, ())
    return replace(found, rests=rests, ended=ended, keys=await _keys(backend, assembly))


async def _asked(backend: SearchBackend, assembly: Assembly) -> CheckedBackend:
    began = assembly.clock.monotonic()
    vertical = "web" if "web" in backend.verticals else next(iter(backend.verticals))
    asked = {"query": QUESTION, "max_results": 1, "vertical": vertical, "backend": backend.name}
    request = SearchRequest.model_validate(asked)
    code, detail, remedy = "", "", ""
    answer = Answer()
    try:
        answer = await _booked(backend, request, assembly.configuration.chain.backend_timeout_s, assembly.ledger)
        detail = f"{len(answer.hits)} hit" if answer.hits else "answered, but found nothing"
    except CapReached as error:
        raised = f"raise it in [ledger.caps.{backend.name}], or wait"
        code, detail, remedy = str(error.code), error.detail, _remedy(error) if error.next_step else raised
    except BackendError as error:
        code, detail, remedy = str(error.code), error.detail, _remedy(error)
    except TimeoutError:
        code, detail, remedy = "timeout", "no answer in time", REMEDIES[Code.TIMEOUT]
    except Exception as error:  # noqa: BLE001 - a plugin's bug is told with its type, never with its text
        code, detail, remedy = "server", f"the plugin failed ({type(error).__name__})", "report it to its author"
    took_ms = round((assembly.clock.monotonic() - began) * 1000)
    return CheckedBackend(
        backend.name, not code, code, detail, remedy, took_ms, answer.cost, answer.units, backend.unit
    )


def _remedy(error: BackendError) -> str:
    """What the failure itself says, else what its code says; in words to the operator, who asked this very engine."""
    usual = error.code.advice
    if error.advice == usual:
        return REMEDIES.get(error.code, usual.next_step)
    step = error.advice.next_step.removeprefix("use another backend; ").removeprefix("use another source; ")
    return step.removeprefix("the operator must ")


async def _booked(backend: SearchBackend, request: SearchRequest, seconds: float, ledger: Ledger) -> Answer:
    booking = await ledger.book(PlannedCall(backend.name, "", kind_of(request), backend.paid, backend.unit))
    try:
        async with asyncio.timeout(seconds):
            found = await backend.search(request)
    except BackendError as error:
        await booking.failed(error)
        raise
    except BaseException:
        await booking.left()
        raise
    answer = found if isinstance(found, Answer) else Answer(hits=tuple(found))
    await booking.answered(answer.units, answer.cost)
    return answer


async def _readers_asked_again(backend: SearchBackend, assembly: Assembly) -> None:
    """The plugin's account is in order when its backend answers, so its fetchers need not rest for that either."""
    plugin_of = assembly.registry.plugin_of
    for fetcher in assembly.fetchers:
        if plugin_of(fetcher) == plugin_of(backend):
            reader = assembly.chain.reading.sources[fetcher.name]
            await reader.refresh()
            if any(rest.code in _OF_THE_ACCOUNT for rest in reader.rests()):
                await reader.close()


async def _keys(backend: SearchBackend, assembly: Assembly) -> tuple[str, ...]:
    """The resting keys of the plugin's clients, by their position in the setting: no key is told."""
    plugin = assembly.registry.plugin_of(backend)
    clients = assembly.registry.contexts[plugin.name].doors if plugin else ()
    # clients of one plugin to one origin share their keys' rests
    resting = {
        (state.origin, state.keys, key.position, key.code): ceil(key.seconds)
        for state in [await client.state() for client in clients]
        for key in state.resting
        if state.keys
    }
    return tuple(
        f"number {position} of {keys} rests: {code}, {seconds} s"
        for (_, keys, position, code), seconds in resting.items()
    )
