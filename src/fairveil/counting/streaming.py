"""Streaming counts: distinct tuples of codes and how often each occurs, in one pass over any number of rows.

>>> counter = Counter([2, 3])
>>> counter.add([np.array([0, 1, 0]), np.array([2, 0, 2])], 3)
>>> counter.add([np.array([1, 0]), np.array([1, 2])], 2)
>>> codes, counts = counter.finish()
>>> [column.tolist() for column in codes], counts.tolist()
([[0, 1, 1], [2, 0, 1]], [3, 1, 1])

Memory depends on the number of distinct tuples and the size of a piece, not on the number of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil.counting.cells import keys_of

PIECE = 1 << 17
"""Rows of a table in memory that are counted at a time."""
MIN_WAITING = 1 << 14
"""Distinct tuples that may wait before they are merged with those counted before."""
Distinct = tuple[list[np.ndarray], np.ndarray]
"""Distinct tuples, as one array of codes per column, and the count of each."""


class Counter:
    """Distinct tuples in the order of first appearance; `sizes` (codes per column) may grow between pieces.

    The tuples of new pieces are merged only when there are as many of them as were counted before, so merging costs no
    more than counting.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = list(sizes)
        self.counted: Distinct | None = None
        self.waiting: list[Distinct] = []

    def add(self, codes: Sequence[np.ndarray], rows: int, weights: np.ndarray | None = None) -> None:
        """Count a piece with this many rows; `weights` has how many rows each of them stands for."""
        self.waiting.append(self._distinct(codes, rows, weights))
        waiting = sum(len(counts) for _, counts in self.waiting)
        if waiting > max(MIN_WAITING, 0 if self.counted is None else len(self.counted[1])):
            self.counted = self.finish()

    def join(self, later: Counter) -> None:
        """Add the counts of another counter, whose rows come after these."""
        self.waiting += later.parts()

    def parts(self) -> list[Distinct]:
        """Return the counts so far, in the order of the rows; the same tuple may be in several of them."""
        return [*([] if self.counted is None else [self.counted]), *self.waiting]

    def finish(self) -> Distinct:
        parts = self.parts()
        self.waiting = []
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return [np.empty(0, dtype=np.int64) for _ in self.sizes], np.empty(0, dtype=np.int64)
        codes = [np.concatenate(column) for column in zip(*(codes for codes, _ in parts), strict=True)]
        counts = np.concatenate([counts for _, counts in parts])
        return self._distinct(codes, len(counts), counts)

    def _distinct(self, codes: Sequence[np.ndarray], rows: int, weights: np.ndarray | None) -> Distinct:
        from fairveil.counting.kernels.group_by import group_firsts

        groups, firsts = group_firsts(keys_of(list(zip(codes, self.sizes, strict=True)), rows))
        # counts stay below 2^53, so that the float sums of bincount are exact
        counts = np.bincount(groups, weights=weights, minlength=len(firsts)).astype(np.int64)
        return [column[firsts] for column in codes], counts
