"""Compiled work shared by threads: kernels let go of the interpreter, so plain threads use every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

T = TypeVar("T")
R = TypeVar("R")
WORTH_SHARING = 512
"""Below this many pieces of work starting threads costs more than it saves."""


def count() -> int:
    """How many threads to use: the cores we may run on, or FAIRVEIL_THREADS. Results never depend on it."""
    asked = os.environ.get("FAIRVEIL_THREADS", "")
    return (
        max(int(asked), 1)
        if asked.isdigit()
        else len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1
    )


def in_threads(work: Callable[[np.ndarray], R], rows: np.ndarray) -> list[R]:
    """`work` on consecutive parts of an array, in order; a small array is one part."""
    parts = 1 if len(rows) < WORTH_SHARING else count()
    return each_in_threads(work, np.array_split(rows, parts))


def each_in_threads(work: Callable[[T], R], pieces: Sequence[T]) -> list[R]:
    """`work` on every piece; results in the order of the pieces."""
    if len(pieces) < 2 or count() < 2:
        return [work(piece) for piece in pieces]
    with ThreadPoolExecutor(count()) as pool:
        return list(pool.map(work, pieces))
