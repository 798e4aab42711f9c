"""Information gain: the cut points of a number that tell the classes apart, and the features that do so best.

>>> import numpy as np
>>> mdl_cuts(np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), np.array([0] * 6 + [1] * 6))
(6.5,)

Cut points (Fayyad and Irani 1993): the best binary cut is taken, and each side cut again, as long as the information
gained pays for describing the cut (minimum description length): gain > (log₂(N-1) + log₂(3^k - 2) - (k·E - k₁·E₁ -
k₂·E₂)) / N, with N rows, k classes and entropy E, and the same of the two sides.

Top N features by tree (Fung, Wang and Yu 2005), the quasi-identifier of the papers' experiments: the most important
feature is the one at the root of a C4.5 tree, the next one the root of the tree without it, and so on. A root needs no
tree: C4.5 takes the feature with the highest gain ratio among those with at least average gain; a number is split in
two where it gains most, less what naming the split point costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


@dataclass(frozen=True)
class NumberHistogram:
    """Distinct numbers in ascending order, and how often each occurs in each class."""

    numbers: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, classes: np.ndarray) -> NumberHistogram:
        """Return the histogram; missing numbers (NaN) are ignored."""
        present = ~np.isnan(numbers)
        distinct, index = np.unique(numbers[present], return_inverse=True)
        size = int(classes.max(initial=0)) + 1
        flat = np.bincount(index * size + classes[present], minlength=len(distinct) * size)
        return cls(distinct, flat.reshape(-1, size).astype(float))

    def part(self, low: int, high: int) -> NumberHistogram:
        return NumberHistogram(self.numbers[low:high], self.counts[low:high])


@dataclass(frozen=True)
class BinaryCut:
    """A cut between two neighbouring numbers: the first `below` numbers lie below it."""

    below: int
    edge: float
    gain: float


def entropy(counts: np.ndarray) -> np.ndarray:
    """Bits of the class distributions in the last axis; 0 for an empty one."""
    total = counts.sum(axis=-1, keepdims=True)
    share = np.divide(counts, total, out=np.zeros_like(counts, dtype=float), where=total > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-(share * logs).sum(axis=-1))


def best_cut(histogram: NumberHistogram, min_rows: int = 1) -> BinaryCut | None:
    """Return the lowest binary cut that tells most about the classes, with `min_rows` rows on either side, or None."""
    if len(histogram.numbers) < 2:
        return None
    below = np.cumsum(histogram.counts, axis=0)
    total, below = below[-1], below[:-1]
    n = total.sum()
    after = (below.sum(axis=1) * entropy(below) + (total - below).sum(axis=1) * entropy(total - below)) / n
    allowed = (below.sum(axis=1) >= min_rows) & ((total - below).sum(axis=1) >= min_rows)
    if not allowed.any():
        return None
    best = int(np.argmin(np.where(allowed, np.round(after, 12), np.inf)))
    low, high = histogram.numbers[best : best + 2]
    return BinaryCut(best + 1, float(low + (high - low) / 2), float(entropy(total) - after[best]))


def worth_it(histogram: NumberHistogram, cut: BinaryCut) -> bool:
    """Whether a cut passes Fayyad and Irani's criterion."""
    totals = histogram.counts.sum(axis=0)
    sides = histogram.counts[: cut.below].sum(axis=0), histogram.counts[cut.below :].sum(axis=0)
    n, k = totals.sum(), int((totals > 0).sum())
    spread = [int((side > 0).sum()) * float(entropy(side)) for side in sides]
    delta = np.log2(3.0**k - 2) - (k * float(entropy(totals)) - sum(spread))
    return bool(cut.gain > (np.log2(n - 1) + delta) / n)


def mdl_cuts(numbers: np.ndarray, classes: np.ndarray, *, min_rows: int = 1) -> tuple[float, ...]:
    """Return the cut points, ascending, with at least `min_rows` rows in every interval; none if no cut pays."""
    edges: list[float] = []
    open_parts = [NumberHistogram.of(np.asarray(numbers, dtype=float), np.asarray(classes))]
    while open_parts:
        part = open_parts.pop()
        cut = best_cut(part, min_rows)
        if cut is not None and worth_it(part, cut):
            edges.append(cut.edge)
            open_parts += [part.part(0, cut.below), part.part(cut.below, len(part.numbers))]
    return tuple(sorted(edges))


def top_features(table: Table, decision: str, count: int, *, among: Sequence[str] | None = None) -> list[str]:
    """Return the names of the most informative features, best first; those without information come last."""
    names = [name for name in (among or table.names) if name != decision]
    table.need([*names, decision])
    if not count >= 1:
        raise BadInput(f"the number of features must be at least 1, not {count}")
    target = table.column(decision)
    scored = {name: gain_and_ratio(table.column(name), target) for name in names}
    order: list[str] = []
    while scored and len(order) < count:
        mean = float(np.mean([gain for gain, _ in scored.values()]))
        root = max(scored, key=lambda name: (scored[name][0] >= mean - 1e-9, scored[name][1]))
        order.append(root)
        del scored[root]
    return order


def gain_and_ratio(column: Column, target: Column) -> tuple[float, float]:
    """Return the information gain of a C4.5 split at the root by this feature, and its gain ratio."""
    size, rows, classes = len(target.values), len(column), target.codes.astype(np.int64)
    if is_number(column):
        histogram = NumberHistogram.of(numbers_per_value(column)[column.codes], classes)
        cut = best_cut(histogram)
        if cut is None:
            return 0.0, 0.0
        present, numbers = histogram.counts.sum(), len(histogram.numbers)
        sizes = np.array([histogram.counts[: cut.below].sum(), histogram.counts[cut.below :].sum()])
        bits = (cut.gain - (np.log2(numbers - 1) / present if numbers > 2 else 0.0)) * (present / rows)
    else:
        keys = column.codes.astype(np.int64) * size + classes
        counts = np.bincount(keys, minlength=len(column.values) * size).reshape(-1, size)
        sizes = counts.sum(axis=1)
        bits = entropy(counts.sum(axis=0)) - (sizes * entropy(counts)).sum() / rows
    gain, spread = max(float(bits), 0.0), float(entropy(sizes))
    return gain, gain / spread if spread > 0 else 0.0
