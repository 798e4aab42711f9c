"""The sensitive values of cells, as many as guards ask for, in the layout of the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairveil.counting.tuples import group_firsts

if TYPE_CHECKING:
    from fairveil.counting.kernels.class_values import ValueSets
    from fairveil.counting.lattice import Lattice

MAX_LEAST, MAX_CODES = 16, 1 << 24
"""Up to these, the values of each class, and of all cells, are remembered."""


class AskedValues(NamedTuple):
    """What guards ask of the values of every class; negative codes do not count, and a class may have none at all."""

    least: Sequence[tuple[np.ndarray, int]] = ()
    """The codes of the cells in some columns, and how many different ones every class must have of each."""
    most: Sequence[tuple[np.ndarray, int, float]] = ()
    """The codes of the cells in some columns, how many codes there are, and by how much the shares of those that are
    more frequent in a class than in the whole may exceed it together."""

    @classmethod
    def together(cls, of_guards: Iterable[AskedValues | None]) -> AskedValues | None:
        """What several guards ask for together; None if one asks for anything else."""
        asked = list(of_guards)
        parts = [of_guard for of_guard in asked if of_guard is not None]
        if len(parts) < len(asked):
            return None
        return cls(*(tuple(chain.from_iterable(lists)) for lists in zip(cls(), *parts, strict=True)))

    def few(self, cells: int) -> bool:
        """Whether the values of so many cells can be remembered."""
        least, sizes = [number for _, number in self.least], [size for _, size, _ in self.most]
        return max(least, default=0) <= MAX_LEAST and cells * sum(least + sizes) <= MAX_CODES


NOTHING_ASKED = AskedValues()


def value_sets(lattice: Lattice, floors: np.ndarray, columns: Sequence[str], asked: AskedValues) -> ValueSets:
    """Return the different values of the cells with every attribute at its floor. Keys are those of the lattice's
    packing with these columns, which are 0."""
    from fairveil.counting.kernels.class_values import ValueSets, add_values
    from fairveil.counting.lattice import Packing

    ends = np.cumsum([0, *(least for _, least in asked.least)], dtype=np.int64)
    starts = np.cumsum([0, *(size for _, size, _ in asked.most)], dtype=np.int64)
    most, width, nothing = np.array([most for *_, most in asked.most], float), int(ends[-1]), np.empty(0, np.int64)
    if asked == NOTHING_ASKED:
        short = nothing.astype(np.int32)
        return ValueSets(nothing, nothing, short, short, ends, nothing, starts, most)
    cells = Packing.of(lattice, floors, columns).cells
    low_bits = int(cells.shifts[0])
    order = np.argsort(cells.keys, kind="stable")
    groups, firsts = group_firsts(cells.keys[order] >> low_bits)
    ids = np.empty_like(groups)
    ids[order] = groups
    codes = np.full(len(firsts) * width, -1, dtype=np.int32)
    for (of_column, least), first in zip(asked.least, ends.tolist(), strict=False):
        add_values(ids, np.ascontiguousarray(of_column, dtype=np.int64), least, codes, first, width)
    lacking = (codes.reshape(len(firsts), width)[:, ends[1:] - 1] < 0).sum(axis=1).astype(np.int32)
    tallies = np.zeros((len(firsts), int(starts[-1])), dtype=np.int64)
    for (of_column, *_), first in zip(asked.most, starts.tolist(), strict=False):
        known = of_column >= 0
        np.add.at(tallies, (ids[known], first + of_column[known]), cells.counts[known])
    rows = np.bincount(ids, weights=cells.counts).astype(np.int64)
    keys = cells.keys[order][firsts] >> low_bits << low_bits
    return ValueSets(keys, rows, codes, lacking, ends, tallies.reshape(-1), starts, most)
