"""Whether what a plugin brings fits this core: the version that its package asks for, and methods that are async."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

CORE = "websearch-core"
_REQUIREMENT = re.compile(r"websearch[-_.]+core\s*(?:\[[^\]]*\])?\s*\(?([\s<>=!~].*?)?\)?\s*", re.IGNORECASE)
_AT_LEAST = re.compile(r"(>=|>|~=|===?)\s*v?(\d+(?:\.\d+)*)")


def newer_core(requirements: Iterable[str]) -> str:
    """What a package asks of the core's version ("websearch-core>=0.9"), where the installed one is older; else ""."""
    parted = (text.partition(";") for text in requirements)
    found = (_REQUIREMENT.fullmatch(text) for text, _, marker in parted if "extra" not in marker)
    asked = [match[1].strip() for match in found if match and match[1]]
    lowest = [(sign, _numbers(number)) for text in asked for sign, number in _AT_LEAST.findall(text)]
    if not lowest or not (installed := installed_core()):
        return ""
    here = _numbers(installed)
    too_old = any(here <= least if sign == ">" else here < least for sign, least in lowest)
    return f"{CORE}{','.join(asked)}" if too_old else ""


@functools.cache
def installed_core() -> str:
    """The core's version; empty where it was not installed as a package."""
    try:
        return version(CORE)
    except PackageNotFoundError:
        return ""


def not_async(component: object, kind: type) -> str:
    """The first method that is async in its kind but not in the component; "" where all are."""
    for name, method in vars(kind).items():
        if inspect.iscoroutinefunction(method) and not _is_async(getattr(component, name, None)):
            return name
    return ""


def _is_async(method: object) -> bool:
    """Also what a decorator or `partial` made of an async function; and objects that are called, whatever they do."""
    while isinstance(method, functools.partial):
        method = method.func
    if not inspect.isroutine(method):
        return callable(method)
    return inspect.iscoroutinefunction(inspect.unwrap(method))


def _numbers(text: str) -> tuple[int, ...]:
    """0.9.0 → (0, 9): versions by their numbers alone, without zeros at the end."""
    numbers = [int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", text, maxsplit=1)[0])]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
