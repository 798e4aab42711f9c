"""Times that mean something on a shared machine: the best of several runs, candidates interleaved, as ratios."""

from __future__ import annotations

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


def show(title: str, rows: Mapping[str, str]) -> None:
    print(f"\n{title}")
    width = max(len(name) for name in rows)
    for name, value in rows.items():
        print(f"  {name:<{width}}  {value}")


RATIOS: dict[str, float] = {}
"""Named ratios of this run: times of another way over ours, so that more is better."""
SERIES: dict[str, dict[str, list[tuple[float, float]]]] = {}
"""Named curves of this run: the title of a plot -> its lines -> points."""


def ratio(name: str, value: float) -> float:
    """Note a ratio under its name, for the page of results."""
    RATIOS[name] = value
    return value
