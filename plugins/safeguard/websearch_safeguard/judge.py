"""Asks the policy model about excerpts, several in a call, and believes only verdicts that hold."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from websearch_core import BackendError, Caller, Clock, StartupError

from .datamarking import fenced, message
from .endpoint import Endpoint, Malformed, NoVerdict
from .excerpts import Excerpt, Segment, Span
from .policies import Controls, Policy
from .verdict_cache import VerdictCache
from .verdict_parser import CheckedVerdict, schema, verdicts

if TYPE_CHECKING:
    from .settings import SafeguardSettings

log = logging.getLogger(__name__)

_BATCH = 10
_BATCH_CHARS = 10_000
_SELF_TEST_S = 30.0
_DEADLINE_SHARE = 0.95
"""Of a caller's time: what is left is for handing the verdicts over."""


class Judgement(NamedTuple):
    """What a policy model decided about one excerpt, verified."""

    violation: bool
    category: str
    confidence: float
    spans: tuple[Span, ...]


class Judge:
    """One policy model. A text without a verdict that holds has none: what that means is the filter's to say."""

    def __init__(self, endpoint: Endpoint, kept: VerdictCache, clock: Clock, settings: SafeguardSettings) -> None:
        self._endpoint = endpoint
        self._kept = kept
        self._clock = clock
        self._settings = settings
        self._turns = asyncio.Semaphore(settings.parallel)

    def ends(self, caller: Caller) -> float:
        """When a check that begins now has to have ended, on `Clock.monotonic`."""
        now = self._clock.monotonic()
        ends = now + self._settings.timeout_s
        return ends if caller.deadline is None else min(ends, now + (caller.deadline - now) * _DEADLINE_SHARE)

    async def judged(
        self, policies: Sequence[Policy], excerpts: Sequence[Excerpt], caller: Caller, ends: float
    ) -> list[Judgement | NoVerdict]:
        """For each excerpt a violation of any policy, or no violation of all of them, or why it was not judged."""
        by_policy = await asyncio.gather(*(self._by(policy, excerpts, caller, ends) for policy in policies))
        return [_worst(several) for several in zip(*by_policy, strict=True)]

    async def test(self, policies: Sequence[Policy], name: str) -> None:
        """Each policy's known texts are judged rightly. Raises StartupError."""
        ends = self._clock.monotonic() + max(_SELF_TEST_S, self._settings.timeout_s)
        for policy in policies:
            known = [(text, True) for text in policy.controls.bad[:1]] + [
                (text, False) for text in policy.controls.good[:1]
            ]
            excerpts = [Excerpt((Segment("text", 0, text),)) for text, _ in known]
            if not known:
                continue
            try:
                said = await self._twice(policy, excerpts, ends)
            except NoVerdict as error:
                raise _failed(name, policy, error.detail) from None
            if [judgement.violation for judgement in said] != [bad for _, bad in known]:
                raise _failed(name, policy, "the model judges a known text wrongly")

    async def _twice(self, policy: Policy, excerpts: Sequence[Excerpt], ends: float) -> list[CheckedVerdict]:
        try:
            return await self._asked(policy, excerpts, ends, control=False)
        except Malformed:
            return await self._asked(policy, excerpts, ends, control=False)

    async def _by(
        self, policy: Policy, excerpts: Sequence[Excerpt], caller: Caller, ends: float
    ) -> list[Judgement | NoVerdict]:
        known: dict[str, CheckedVerdict | NoVerdict] = {}
        new: list[Excerpt] = []
        for text, excerpt in {excerpt.text: excerpt for excerpt in excerpts}.items():
            kept = await self._kept.get(caller, self._about(policy, excerpt))
            if kept is None:
                new.append(excerpt)
            else:
                known[text] = kept
        batches = _batches(new)
        answers = await asyncio.gather(*(self._batch(policy, batch, ends) for batch in batches))
        for batch, those in zip(batches, answers, strict=True):
            for excerpt, checked in zip(batch, those, strict=True):
                known[excerpt.text] = checked
                if isinstance(checked, CheckedVerdict):
                    await self._kept.put(caller, self._about(policy, excerpt), checked)
        return [_judgement(excerpt, known[excerpt.text]) for excerpt in excerpts]

    def _about(self, policy: Policy, excerpt: Excerpt) -> tuple[str, ...]:
        return (policy.id, policy.hash, self._endpoint.model, self._endpoint.origin, excerpt.text)

    async def _batch(
        self, policy: Policy, excerpts: Sequence[Excerpt], ends: float
    ) -> list[CheckedVerdict | NoVerdict]:
        """Asked once, and after a verdict that does not hold once more, each by itself: one spoils no other."""
        try:
            return list(await self._asked(policy, excerpts, ends, control=self._settings.control))
        except Malformed:
            alone = (self._once(policy, excerpt, ends) for excerpt in excerpts)
            return list(await asyncio.gather(*alone))
        except NoVerdict as error:
            log.warning("policy %s: not judged: %s", policy.id, error.detail)
            return [error] * len(excerpts)

    async def _once(self, policy: Policy, excerpt: Excerpt, ends: float) -> CheckedVerdict | NoVerdict:
        try:
            return (await self._asked(policy, [excerpt], ends, control=self._settings.control))[0]
        except NoVerdict as error:
            log.warning("policy %s: not judged: %s", policy.id, error.detail)
            return error

    async def _asked(
        self, policy: Policy, excerpts: Sequence[Excerpt], ends: float, *, control: bool
    ) -> list[CheckedVerdict]:
        """One call. Raises `Malformed` where another may help, else `NoVerdict`."""
        texts = [excerpt.text for excerpt in excerpts]
        place = -1
        if control and policy.controls.bad:
            # dressed like the others, anywhere among them: whoever talks the judge into passing all is found out
            place = secrets.randbelow(len(texts) + 1)
            texts.insert(place, _dressed(policy.controls, secrets.choice(excerpts)))
        fences = fenced(texts)
        user = message(fences, datamark=self._settings.datamark)
        categories = [*policy.categories]
        try:
            async with asyncio.timeout(max(ends - self._clock.monotonic(), 0.0)) as waiting, self._turns:
                waiting.reschedule(None)  # from here on the endpoint looks to the time
                answer = await self._endpoint.complete(policy.prompt, user, schema(categories, len(texts)), ends)
        except TimeoutError:
            raise NoVerdict("its model had no turn in time") from None
        except NoVerdict:
            raise
        except BackendError as error:
            what = f"its model's endpoint failed ({error})"
            raise NoVerdict(what, retry_helps=error.retry_helps, retry_after=error.retry_after) from None
        checked = verdicts(answer, fences, categories)
        if place >= 0 and not checked.pop(place).violation:
            raise Malformed("the model passes a text that is known to be bad")
        if any(one.violation and not _spans(excerpt, one) for excerpt, one in zip(excerpts, checked, strict=True)):
            raise Malformed("the model quotes what is not in the text")
        return checked


def _dressed(controls: Controls, like: Excerpt) -> str:
    """A bad text in one of the places that the other excerpt has, good ones in the others."""
    bad = secrets.choice(like.segments)
    return "\n".join(
        f"{segment.field}: {secrets.choice(controls.bad if segment is bad else controls.good)}"
        for segment in like.segments
    )


def _spans(excerpt: Excerpt, checked: CheckedVerdict) -> tuple[Span, ...]:
    return excerpt.spans(*checked.place) if checked.place else ()


def _judgement(excerpt: Excerpt, checked: CheckedVerdict | NoVerdict) -> Judgement | NoVerdict:
    """Two excerpts of one text stand at places of their own."""
    if isinstance(checked, NoVerdict):
        return checked
    return Judgement(checked.violation, checked.category, checked.confidence, _spans(excerpt, checked))


def sorted_out(several: Sequence[Judgement | NoVerdict]) -> tuple[list[Judgement], list[NoVerdict]]:
    """The violations, and why others were not judged."""
    bad = [one for one in several if isinstance(one, Judgement) and one.violation]
    return bad, [one for one in several if isinstance(one, NoVerdict)]


def _worst(several: Sequence[Judgement | NoVerdict]) -> Judgement | NoVerdict:
    bad, unjudged = sorted_out(several)
    return [*bad, *unjudged, *several][0]


def _batches(excerpts: Sequence[Excerpt]) -> list[list[Excerpt]]:
    batches: list[list[Excerpt]] = []
    chars = 0
    for excerpt in excerpts:
        chars += len(excerpt.text)
        if not batches or len(batches[-1]) == _BATCH or chars > _BATCH_CHARS:
            batches.append([])
            chars = len(excerpt.text)
        batches[-1].append(excerpt)
    return batches


def _failed(name: str, policy: Policy, why: str) -> StartupError:
    return StartupError(
        f"plugin safeguard: {name} fails its self-test with the policy {policy.id}: {why}. "
        "Check base_url, api_key and model in [plugin.safeguard], or set self_test = false."
    )
