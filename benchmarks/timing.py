"""Times that mean something on a shared machine: the best of several runs, candidates interleaved, as ratios."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Mapping
from typing import Any


def best_of(
    runs: int, work: Mapping[str, Callable[[], Any]], clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """The best time of each piece of work in seconds; all take turns, so that a busy moment hits them alike."""
    for function in work.values():
        function()  # compiled and cached from here on
    best = dict.fromkeys(work, float("inf"))
    for _ in range(runs):
        for name, function in work.items():
            start = clock()
            function()
            best[name] = min(best[name], clock() - start)
    return best


def at_most(seconds: float, work: Callable[..., Any], *args: Any) -> tuple[float, bool]:
    """The time of one run in a process of its own, and whether it finished; stopped after `seconds`."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=work, args=args)
    start = time.perf_counter()
    process.start()
    process.join(seconds)
    spent = time.perf_counter() - start
    finished = not process.is_alive()
    if not finished:
        process.kill()
        process.join()
    elif process.exitcode:
        raise RuntimeError(f"{work.__name__} failed")
    return spent, finished


def show(title: str, rows: Mapping[str, str]) -> None:
    print(f"\n{title}")
    width = max(len(name) for name in rows)
    for name, value in rows.items():
        print(f"  {name:<{width}}  {value}")
