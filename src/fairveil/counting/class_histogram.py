"""ClassHistogram: how often each value of a column occurs in each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClassHistogram:
    """Triples (class, value, count); `rows` has the class sizes, and `size` is the number of values. Where persons are
    counted, `whole` returns the share of all persons with each value."""

    ids: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: np.ndarray
    rows: np.ndarray
    size: int
    whole: Callable[[], np.ndarray] | None = None

    def per_class(self, numbers: np.ndarray) -> np.ndarray:
        """Return the sum of one number per triple over each class."""
        return np.bincount(self.ids, weights=numbers, minlength=len(self.rows))

    def overall(self) -> np.ndarray:
        """Return the distribution of the values over the whole table."""
        if self.whole is not None:
            return self.whole()
        rows = np.bincount(self.values, weights=self.counts, minlength=self.size)
        shares: np.ndarray = rows / max(self.rows.sum(), 1)
        return shares

    def occupied(self) -> ClassHistogram:
        """Return the histogram of the classes that have any rows, numbered from 0."""
        inside = self.rows > 0
        ids = (np.cumsum(inside) - 1)[self.ids]
        return self if inside.all() else replace(self, ids=ids, rows=self.rows[inside])

    def shares(self, start: int, stop: int) -> np.ndarray:
        """Return the distributions of the classes start … stop-1 as a dense array."""
        inside = slice(*np.searchsorted(self.ids, [start, stop]))
        dense = np.zeros((stop - start, self.size))
        dense[self.ids[inside] - start, self.values[inside]] = self.counts[inside]
        dense /= np.maximum(self.rows[start:stop, None], 1)
        return dense
