"""One call to each backend, to say what is wrong and how to mend it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .answers import Answer
from .assemble import Assembly
from .errors import ADVICE, BackendError
from .interfaces import SearchBackend
from .models import SearchRequest

QUESTION = "example domain"
"""What backends are asked: harmless, and every engine has an answer."""


@dataclass(frozen=True, slots=True)
class CheckedBackend:
    """How one backend answered."""

    backend: str
    ok: bool
    code: str
    detail: str
    remedy: str
    took_ms: int


async def check(assembly: Assembly) -> list[CheckedBackend]:
    """Ask every backend once, all at once, past cache and breaker; the ones that are off are listed with the reason."""
    seconds = assembly.configuration.chain.backend_timeout_s

    async def asked(backend: SearchBackend) -> CheckedBackend:
        began = assembly.clock.monotonic()
        vertical = "web" if "web" in backend.verticals else next(iter(backend.verticals))
        request = SearchRequest.model_validate({"query": QUESTION, "max_results": 1, "vertical": vertical})
        code, detail, remedy = "", "", ""
        try:
            async with asyncio.timeout(seconds):
                found = await backend.search(request)
            hits = found.hits if isinstance(found, Answer) else tuple(found)
            detail = f"{len(hits)} hit" if hits else "answered, but found nothing"
        except TimeoutError:
            code, detail, remedy = "timeout", "no answer in time", "check the address and the network, then try again"
        except BackendError as error:
            code, detail, remedy = str(error.code), error.detail, ADVICE[error.code].next_step
        except Exception as error:  # noqa: BLE001 - a plugin's bug is told with its type, never with its text
            code, detail, remedy = "server", f"the plugin failed ({type(error).__name__})", "report it to its author"
        took_ms = round((assembly.clock.monotonic() - began) * 1000)
        return CheckedBackend(backend.name, not code, code, detail, remedy, took_ms)

    findings = list(await asyncio.gather(*(asked(backend) for backend in assembly.every_backend)))
    findings += [
        CheckedBackend(
            off.plugin.name, ok=True, code="off", detail=off.reason, remedy="set it to use this backend", took_ms=0
        )
        for off in assembly.registry.off
        if off.kind == "SearchBackend"
    ]
    return findings
