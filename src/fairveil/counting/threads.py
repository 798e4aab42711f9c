"""Compiled work distributed over threads: kernels release the interpreter lock, so plain threads use every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import Context, copy_context
from functools import cache
from threading import local
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
R = TypeVar("R")
WORTH_SHARING = 32
"""Below this many pieces of work handing them to threads costs more than it saves."""
MANY_ROWS = 1 << 18
"""From this many rows on, each column is worth a thread."""
_thread = local()


def count() -> int:
    """Return the number of threads to use: the available cores, or FAIRVEIL_THREADS. Results never depend on it."""
    setting = os.environ.get("FAIRVEIL_THREADS", "")
    if setting.isdecimal():
        return max(int(setting), 1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(size: int, process: int) -> ThreadPoolExecutor:
    """Return the pool of a process. It is kept because starting threads takes as long as a small search."""
    return ThreadPoolExecutor(size, thread_name_prefix="fairveil")


def in_threads(work: Callable[[np.ndarray], R], rows: np.ndarray) -> list[R]:
    """Return the results of `work` on consecutive parts of an array, in order; a small array is one part."""
    parts = 1 if len(rows) < WORTH_SHARING else count()
    return each_in_threads(work, np.array_split(rows, parts))


def side_by_side(*work: Callable[[], Any]) -> list[Any]:
    """Return the results of several pieces of work, such as reading files, done at the same time; of their exceptions
    the first one in this order is raised."""

    def attempt(piece: tuple[Context, Callable[[], Any]]) -> tuple[Any, Exception | None]:
        context, call = piece
        try:
            return context.run(call), None
        except Exception as problem:
            return None, problem

    attempts = each_in_threads(attempt, [(copy_context(), call) for call in work])
    for _, problem in attempts:
        if problem is not None:
            raise problem
    return [result for result, _ in attempts]


def by_column(work: Callable[[T], R], columns: Sequence[T], rows: int) -> list[R]:
    """Return the results of `work` on every column of a table, in order; in threads if it has many rows."""
    return each_in_threads(work, columns) if rows >= MANY_ROWS else [work(column) for column in columns]


def each_in_threads(work: Callable[[T], R], pieces: Sequence[T]) -> list[R]:
    """Return the results of `work` on every piece, in order; the calling thread works, too. Work inside a thread starts
    no further threads."""
    if len(pieces) < 2 or count() < 2 or getattr(_thread, "busy", False):
        return [work(piece) for piece in pieces]
    results: list[Any] = [None] * len(pieces)
    waiting = iter(range(len(pieces)))

    def share() -> None:
        _thread.busy = True
        try:
            for index in waiting:
                results[index] = work(pieces[index])
        finally:
            _thread.busy = False

    helpers = [_pool(count(), os.getpid()).submit(share) for _ in range(min(count(), len(pieces)) - 1)]
    try:
        share()
    finally:
        wait(helpers)
    for helper in helpers:
        helper.result()
    return results


def ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield the same items, each taken from its source in a thread while the one before is used."""
    source, end = iter(items), object()

    def following() -> Any:
        return next(source, end)

    with ThreadPoolExecutor(1, "fairveil-ahead") as thread:
        coming = thread.submit(copy_context().run, following)
        while (item := coming.result()) is not end:
            coming = thread.submit(copy_context().run, following)
            yield item
