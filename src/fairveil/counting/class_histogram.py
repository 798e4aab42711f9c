"""ClassHistogram: how often each value of a column occurs in each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClassHistogram:
    """Triples (class, value, count); `rows` has the class sizes, and `size` is the number of values. Where persons are
    counted, `whole` returns the share of all persons with each value, and `members` are the class, the person and the
    rows of each cell: a person may be in several classes."""

    ids: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: np.ndarray
    rows: np.ndarray
    size: int
    whole: Callable[[], np.ndarray] | None = None
    members: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

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

    def people(self, classes: np.ndarray) -> int:
        """Return the number of rows in the classes where the mask is true, or of different persons."""
        if self.members is None:
            return int(self.rows[classes].sum())
        ids, persons, _ = self.members
        return len(np.unique(persons[classes[ids]]))

    def average(self, numbers: np.ndarray) -> float:
        """Return the mean of one number per class over rows, or over persons, each by the mean of their rows."""
        if self.members is None:
            return float((numbers * self.rows).sum() / self.rows.sum())
        ids, persons, counts = self.members
        shares = counts / np.bincount(persons, weights=counts)[persons]
        return float((numbers[ids] * shares).sum() / shares.sum())

    def occupied(self) -> ClassHistogram:
        """Return the histogram of the classes that have any rows, numbered from 0."""
        inside = self.rows > 0
        if inside.all():
            return self
        number = np.cumsum(inside) - 1
        members = None if self.members is None else (number[self.members[0]], *self.members[1:])
        return replace(self, ids=number[self.ids], rows=self.rows[inside], members=members)

    def shares(self, start: int, stop: int) -> np.ndarray:
        """Return the distributions of the classes start … stop-1 as a dense array."""
        inside = slice(*np.searchsorted(self.ids, [start, stop]))
        dense = np.zeros((stop - start, self.size))
        dense[self.ids[inside] - start, self.values[inside]] = self.counts[inside]
        dense /= np.maximum(self.rows[start:stop, None], 1)
        return dense
