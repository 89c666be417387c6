"""Whether what a plugin brings fits this core: the version that its package asks for, and methods that are async."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

CORE = "websearch-core"
_REQUIREMENT = re.compile(r"websearch[-_.]+core\s*(?:\[[^\]]*\]\s*)?\(?((?:[<>=!~].*?)?)\)?\s*", re.IGNORECASE)
_AT_LEAST = re.compile(r"(>=|>|~=|===?)\s*v?(\d+(?:\.\d+)*)")


def newer_core(requirements: Iterable[str]) -> str:
    """What a package asks of the core's version ("websearch-core>=0.9"), where the installed one is older; else ""."""
    here = _numbers(installed_core())
    for text in requirements:
        requirement, _, marker = text.partition(";")
        match = _REQUIREMENT.fullmatch(requirement)
        if not here or not match or "extra" in marker:
            continue
        for sign, number in _AT_LEAST.findall(match[1]):
            if here < (least := _numbers(number)) or (sign == ">" and here == least):
                return f"{CORE}{match[1]}"
    return ""


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


def _is_async(method: Any) -> bool:
    """Also what a decorator or `partial` made of an async function, and any other object that can be called."""
    while isinstance(method, functools.partial):
        method = method.func
    if inspect.iscoroutinefunction(inspect.unwrap(method)):
        return True
    return callable(method) and not inspect.isroutine(method)


def _numbers(text: str) -> tuple[int, ...]:
    """0.9.0 → (0, 9): versions by their numbers alone, without zeros at the end."""
    numbers = [int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", text, maxsplit=1)[0])]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
