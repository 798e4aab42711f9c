"""Supervised discretization: cut points of a number that tell the classes apart (Fayyad and Irani 1993).

>>> import numpy as np
>>> mdl_cuts(np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), np.array([0] * 6 + [1] * 6))
(6.5,)

The best binary cut is taken, and each side cut again, as long as the information gained pays for describing the cut
(minimum description length): gain > (log₂(N-1) + log₂(3^k - 2) - (k·E - k₁·E₁ - k₂·E₂)) / N, with N rows, k classes and
entropy E, and the same of the two sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NumberHistogram:
    """Distinct numbers in ascending order, and how often each occurs in each class."""

    numbers: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, classes: np.ndarray, weights: np.ndarray | None = None) -> NumberHistogram:
        """Return the histogram; missing numbers (NaN) are ignored."""
        present = ~np.isnan(numbers)
        distinct, place = np.unique(numbers[present], return_inverse=True)
        size = int(classes.max(initial=0)) + 1
        present_weights = None if weights is None else weights[present]
        flat = np.bincount(place * size + classes[present], weights=present_weights, minlength=len(distinct) * size)
        return cls(distinct, flat.reshape(-1, size).astype(float))

    def part(self, low: int, high: int) -> NumberHistogram:
        return NumberHistogram(self.numbers[low:high], self.counts[low:high])


@dataclass(frozen=True)
class BinaryCut:
    """A cut between two neighbouring numbers: the first `place` numbers lie below it."""

    place: int
    edge: float
    gain: float


def entropy(counts: np.ndarray) -> np.ndarray:
    """Bits of the class distributions in the last axis; 0 for an empty one."""
    total = counts.sum(axis=-1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts, dtype=float), where=total > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-(share * logs).sum(axis=-1))


def best_cut(histogram: NumberHistogram, min_rows: int = 1) -> BinaryCut | None:
    """Return the binary cut that tells most about the classes, with at least `min_rows` rows on either side; None if
    there is none.

    The lowest of equal cuts wins.
    """
    if len(histogram.numbers) < 2:
        return None
    below = np.cumsum(histogram.counts, axis=0)
    total, below = below[-1], below[:-1]
    n = total.sum()
    after = (below.sum(axis=1) * entropy(below) + (total - below).sum(axis=1) * entropy(total - below)) / n
    allowed = (below.sum(axis=1) >= min_rows) & ((total - below).sum(axis=1) >= min_rows)
    if not allowed.any():
        return None
    place = int(np.argmin(np.where(allowed, np.round(after, 12), np.inf)))
    low, high = histogram.numbers[place : place + 2]
    return BinaryCut(place + 1, float(low + (high - low) / 2), float(entropy(total) - after[place]))


def worth_it(histogram: NumberHistogram, cut: BinaryCut) -> bool:
    """Whether a cut passes Fayyad and Irani's criterion."""
    totals = histogram.counts.sum(axis=0)
    sides = histogram.counts[: cut.place].sum(axis=0), histogram.counts[cut.place :].sum(axis=0)
    n, k = totals.sum(), int((totals > 0).sum())
    spread = [int((side > 0).sum()) * float(entropy(side)) for side in sides]
    delta = np.log2(3.0**k - 2) - (k * float(entropy(totals)) - sum(spread))
    return bool(cut.gain > (np.log2(n - 1) + delta) / n)


def mdl_cuts(numbers: np.ndarray, classes: np.ndarray, *, min_rows: int = 1) -> tuple[float, ...]:
    """Return the cut points, ascending, with at least `min_rows` rows in every interval; none if the number says
    nothing about the class."""
    edges: list[float] = []
    open_parts = [NumberHistogram.of(np.asarray(numbers, dtype=float), np.asarray(classes))]
    while open_parts:
        part = open_parts.pop()
        cut = best_cut(part, min_rows)
        if cut is not None and worth_it(part, cut):
            edges.append(cut.edge)
            open_parts += [part.part(0, cut.place), part.part(cut.place, len(part.numbers))]
    return tuple(sorted(edges))
