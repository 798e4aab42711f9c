"""Which files are kernels, and a fingerprint of them. Building fairveil runs this file alone, so it imports nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
LIBRARY = Path(__file__).with_name("compiled.so")
"""The compiled kernels; the name is the same on every platform."""
NO_KERNELS = ("__init__.py", "compiling.py", "sources.py")


def kernel_files(package: Path = PACKAGE) -> list[Path]:
    """Return the modules with kernels: those that several rooms share, and the `…_kernels.py` beside their users."""
    shared = [file for file in package.glob("counting/kernels/*.py") if file.name not in NO_KERNELS]
    return sorted([*shared, *package.rglob("*_kernels.py")])


def fingerprint(package: Path = PACKAGE) -> str:
    """Return a hash of the kernels' sources."""
    texts = [file.read_bytes() for file in kernel_files(package)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()
