"""Refuse what must not be in the tree: a lock file of uv, and the address of a package registry in any file.

Each machine reaches its registries through its own clients' configuration; an address in a file would break the others.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

# Dots in brackets, so that this file does not hold what it looks for.
REGISTRY = re.compile(rb"(?i)files[.]pythonhosted[.]org|pypi[.]org/simple|registry[.]npmjs[.]org|deb[.]debian[.]org")


def files() -> list[Path]:
    """What git has or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    return [path for name in listed.split("\0") if name and (path := Path(name)).is_file()]


def problem(path: Path) -> str:
    """What is wrong with one file and how to mend it, or nothing."""
    if path.name == "uv.lock":
        return "keep it out of git; versions are pinned in constraints.txt"
    if REGISTRY.search(path.read_bytes()):
        return "names a package registry's address; remove it"
    return ""


def main() -> int:
    """Print the problems; 1 when there are any."""
    found = [f"{path}: {text}" for path in files() if (text := problem(path))]
    print("\n".join(found) or "No lock file and no registry address in the tree.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
