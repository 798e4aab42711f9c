"""Error messages for files and columns that cannot be used."""

from __future__ import annotations

import difflib
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from fairveil.errors import BadInput

UNREADABLE = (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, OverflowError, zlib.error)
"""Exceptions that libraries raise for a damaged file: a truncated gzip member, a broken page, impossible sizes."""


def refuse_absent(path: Path) -> None:
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it")
    if not path.exists():
        neighbours = [p.name for p in path.parent.iterdir() if p.is_file()] if path.parent.is_dir() else []
        close = difflib.get_close_matches(path.name, neighbours, n=1)
        raise BadInput(f"{path} does not exist" + (f": did you mean {close[0]!r}?" if close else ""))


def refuse_repeated(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        repeated = min(name for name, times in Counter(names).items() if times > 1)
        raise BadInput(f"two columns are called {repeated!r}: column names must be distinct")
    if any(not str(name).strip() for name in names):
        raise BadInput("a column has no name: every column needs one in the header")


def first_sentence(problem: BaseException) -> str:
    """A library's error message, without the data that it may quote."""
    message = getattr(problem, "strerror", None) or str(problem)
    return re.split(r"[\n]|: [^ ]*,", message)[0].strip().rstrip(".")[:160]
