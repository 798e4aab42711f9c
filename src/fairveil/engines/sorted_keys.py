"""Keys of published rows, sorted in this process: an engine in it hands integers over faster than it sorts them.

>>> batches = [np.array([7, 3, 7]), np.array([3, 5])]
>>> keys, counts = sorted_keys(batches, max_keys=10)
>>> keys.tolist(), counts.tolist()
([3, 5, 7], [2, 1, 2])
>>> sorted_keys(batches, max_keys=2) is None
True

Batches are sorted and counted one by one, and merged when there are as many new keys as before, so memory follows the
number of distinct keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise

import numpy as np

from fairveil.counting.kernels.sorted_runs import count_keys, merge_counts
from fairveil.counting.threads import count, each_in_threads

KEY_BYTES = 64
"""Peak memory for each distinct key: the keys and counts of both sides of a merge, and its result."""
WAITING = 1 << 24
"""Maximum number of keys that are sorted at once."""
Runs = tuple[np.ndarray, np.ndarray]
"""Distinct keys, sorted, and the count of each."""


def sorted_keys(batches: Iterable[np.ndarray], max_keys: int) -> Runs | None:
    """Return the distinct keys of all batches, sorted, and how often each occurs; None if they are more than
    `max_keys`."""
    merged: list[Runs] = []
    waiting: list[np.ndarray] = []

    def settle() -> bool:
        if waiting:
            merged.append(counted_keys(waiting))
            waiting.clear()
        while len(merged) > 1 and len(merged[-1][0]) * 2 > len(merged[-2][0]):
            merged[-2:] = [_merged(*merged[-2:])]
        return sum(len(keys) for keys, _ in merged) <= max_keys

    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= min(WAITING, max_keys) and not settle():
            return None
    settle()
    while len(merged) > 1:
        merged[-2:] = [_merged(*merged[-2:])]
    keys, counts = merged[0] if merged else (np.empty(0, np.int64), np.empty(0, np.int64))
    return (keys, counts) if len(keys) <= max_keys else None


def counted_keys(batches: Sequence[np.ndarray]) -> Runs:
    """Return the distinct keys of at least one batch, sorted, and how often each occurs; parts of them in threads."""
    threads = min(count(), len(batches))
    ends = np.cumsum([len(batch) for batch in batches])
    cuts = np.searchsorted(ends, ends[-1] * np.arange(1, threads) / threads).tolist()
    parts = [batches[start:end] for start, end in pairwise([0, *cuts, len(batches)]) if start < end]
    return reduce(_merged, each_in_threads(_counted, parts))


def _counted(batches: Sequence[np.ndarray]) -> Runs:
    keys = np.concatenate(batches)  # a copy, which is overwritten
    counts = np.empty_like(keys)
    distinct = count_keys(keys, counts)
    return keys[:distinct].copy(), counts[:distinct].copy()


def _merged(left: Runs, right: Runs) -> Runs:
    keys, counts = (np.empty(len(left[0]) + len(right[0]), dtype=np.int64) for _ in range(2))
    distinct = merge_counts(*left, *right, keys, counts)
    return keys[:distinct].copy(), counts[:distinct].copy()
