"""Which lenses there are: ours, the operator's instead of them, less those that are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from websearch_core import Lens, StartupError

from .files import read_lens

OURS = Path(__file__).with_name("lenses")
"""The files in this package."""


def collected(folder: str = "", *, ours: bool = True, disable: Sequence[str] = ()) -> tuple[Lens, ...]:
    """The lenses, by name. Raises StartupError naming the file or setting."""
    found = dict(_shipped()) if ours else {}
    if folder:
        found |= _in_folder(_operators(folder))
    if unknown := [name for name in disable if name not in found]:
        known = ", ".join(sorted(found)) or "none"
        raise StartupError(f"[plugin.lenses] disable: there is no lens named {unknown[0]}; there are: {known}")
    return tuple(found[name] for name in sorted(found) if name not in disable)


@cache
def _shipped() -> Mapping[str, Lens]:
    """Read once: they do not change."""
    return _in_folder(OURS)


def _operators(folder: str) -> Path:
    try:
        path = Path(folder).expanduser()
    except RuntimeError:
        raise StartupError(f"[plugin.lenses] folder: there is no home folder for {folder}") from None
    if not path.is_dir():
        raise StartupError(f"[plugin.lenses] folder: {path} is not a folder")
    return path


def _in_folder(folder: Path) -> dict[str, Lens]:
    """Its lenses by name; hidden files, such as an editor's, are none."""
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml" and not file.name.startswith("."))
    except OSError as error:
        raise StartupError(f"[plugin.lenses] folder: {folder} cannot be read ({error.strerror})") from None
    found: dict[str, Lens] = {}
    origins: dict[str, Path] = {}
    for file in files:
        lens = read_lens(file)
        if lens.name in found:
            raise StartupError(f"{file}: name: {lens.name} is taken by {origins[lens.name]}; rename one of the two")
        found[lens.name], origins[lens.name] = lens, file
    return found
