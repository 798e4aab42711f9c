"""The top N features by tree (Fung, Wang and Yu 2005): the quasi-identifier of the papers' experiments.

The most important feature is the one at the root of a C4.5 tree, the next one the root of the tree without it, and
so on. A root needs no tree: C4.5 takes the feature with the highest gain ratio among those with at least average gain;
a number is split in two where it gains most, less what naming the split point costs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.learning.discretization import NumberHistogram, best_cut, entropy


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
    size, rows = len(target.values), len(column)
    if is_number(column):
        histogram = NumberHistogram.of(numbers_per_value(column)[column.codes], target.codes.astype(np.int64))
        cut = best_cut(histogram)
        if cut is None:
            return 0.0, 0.0
        present = histogram.counts.sum()
        gain = cut.gain - np.log2(len(histogram.numbers) - 1) / present if len(histogram.numbers) > 2 else cut.gain
        sizes = np.array([histogram.counts[: cut.place].sum(), histogram.counts[cut.place :].sum()])
        gain *= present / rows
    else:
        counts = np.bincount(column.codes.astype(np.int64) * size + target.codes, minlength=len(column.values) * size)
        table = counts.reshape(-1, size).astype(float)
        sizes = table.sum(axis=1)
        gain = float(entropy(table.sum(axis=0)) - (sizes * entropy(table)).sum() / rows)
    spread = float(entropy(sizes))
    return max(float(gain), 0.0), max(float(gain), 0.0) / spread if spread > 0 else 0.0
