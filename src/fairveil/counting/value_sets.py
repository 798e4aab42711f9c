"""The sensitive values of cells, as many as guards ask for, in the layout of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import group_firsts

if TYPE_CHECKING:
    from fairveil.counting.kernels.class_values import ValueSets
    from fairveil.counting.lattice import Lattice

LeastValues = Sequence[tuple[np.ndarray, int]]
"""The codes of the cells in some columns, and how many different ones every class must have of each; negative codes do
not count, and a class may have none at all."""
MostSurplus = Sequence[tuple[np.ndarray, int, float]]
"""The codes of the cells in some columns, how many codes there are, and by how much the shares of those that are more
frequent in a class than in the whole may exceed it together; negative codes do not count."""
MAX_LEAST, MAX_CODES = 16, 1 << 24
"""Up to these, the values of each class, and of all cells, are remembered."""


def few(asked: LeastValues, cells: int) -> bool:
    """Whether the values of so many cells can be remembered."""
    least = [number for _, number in asked]
    return max(least, default=0) <= MAX_LEAST and cells * sum(least) <= MAX_CODES


def value_sets(lattice: Lattice, floors: np.ndarray, columns: Sequence[str], asked: LeastValues) -> ValueSets:
    """Return the different values of the cells with every attribute at its floor. Keys are those of the lattice's
    packing with these columns, which are 0."""
    from fairveil.counting.kernels.class_values import ValueSets, add_values
    from fairveil.counting.lattice import Packing

    ends = np.concatenate([[0], np.cumsum([least for _, least in asked])]).astype(np.int64)
    width, nothing = int(ends[-1]), np.empty(0, dtype=np.int64)
    if not asked:
        return ValueSets(nothing, nothing, nothing.astype(np.int32), nothing.astype(np.int32), ends)
    cells = Packing.of(lattice, floors, columns).cells
    low_bits = int(cells.shifts[0])
    order = np.argsort(cells.keys, kind="stable")
    groups, firsts = group_firsts(cells.keys[order] >> low_bits)
    ids = np.empty_like(groups)
    ids[order] = groups
    codes = np.full(len(firsts) * width, -1, dtype=np.int32)
    for (of_column, least), first in zip(asked, ends.tolist(), strict=False):
        add_values(ids, np.ascontiguousarray(of_column, dtype=np.int64), least, codes, first, width)
    lacking = (codes.reshape(-1, width)[:, ends[1:] - 1] < 0).sum(axis=1).astype(np.int32)
    rows = np.bincount(ids, weights=cells.counts).astype(np.int64)
    return ValueSets(cells.keys[order][firsts] >> low_bits << low_bits, rows, codes, lacking, ends)
