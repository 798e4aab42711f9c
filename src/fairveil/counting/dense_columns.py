"""The layout of a lattice search: the last attributes, which have few values, become columns of a dense table.

Grouping takes a hash table per row of the table; adding up columns takes none, and processors do it several at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fairveil.counting.kernels.column_counts import Columns
    from fairveil.counting.kernels.rolling_up import Packed

MAX_COLUMNS = 32
"""The maximum number of columns; with more, most of them are empty, and take longer than a hash table."""
MAX_NODES = 64
"""The maximum number of nodes of the attributes that become columns: all of them are computed at a time."""
MANY = 1 << 16
"""More keys than this do not fit into the processor's caches: they are sorted, so that keys that merge are adjacent."""


@dataclass(frozen=True)
class DenseColumns:
    """`packed` has the first attributes only, with the first of the codes that a level joins, `columns` the others."""

    packed: Packed
    columns: Columns

    @classmethod
    def of(cls, packed: Packed, sizes: list[list[int]]) -> DenseColumns:
        """Split the attributes of packed cells, whose keys may repeat; `sizes` has the number of codes of each on every
        level."""
        from fairveil.counting.kernels.column_counts import Columns, tally_columns
        from fairveil.counting.kernels.rolling_up import tally_keys

        m = len(packed.tops)
        floors, tops = packed.floors.tolist(), packed.tops.tolist()
        few = int(packed.counts.sum()) < 1 << 31  # counts of columns have 32 bits
        first = next(split for split in range(1, m + 1) if split == m or (few and cls._fit(sizes, floors, tops, split)))
        rest = range(first, m)
        at_floor, shape = floors[first:], [sizes[a][floors[a]] for a in rest]
        if rest:
            (keys, rows), counts = tally_columns(packed, first, np.array(shape, dtype=np.int64))
        else:
            keys, rows = tally_keys(packed.keys, packed.counts)
            counts = np.zeros((len(keys), 0), dtype=np.int32)
        if len(keys) > MANY:
            ascending = np.argsort(keys)
            keys, rows, counts = keys[ascending], rows[ascending], counts[ascending]
        nodes = list(product(*(range(floors[a], tops[a] + 1) for a in rest)))
        widths = {node: prod(sizes[a][level] for a, level in zip(rest, node, strict=True)) for node in nodes}
        sources = [min(_below(node, at_floor), key=widths.__getitem__, default=node) for node in nodes]
        codes = np.indices(shape).reshape(len(rest), prod(shape))  # of each column at the floor
        column_of = {node: _column(packed, sizes, rest, codes, node) for node in nodes}
        target = np.zeros((len(nodes), max(widths.values())), dtype=np.int32)
        for row, node, source in zip(target, nodes, sources, strict=True):
            row[column_of[source]] = column_of[node]
        width_of = np.array([widths[node] for node in nodes], dtype=np.int64)
        lookups = packed.lookups[:first].copy()
        for a in range(first):
            size = sizes[a][floors[a]]
            for level in range(floors[a], tops[a] + 1):
                codes = lookups[a, level, :size]
                firsts = np.empty(sizes[a][level], dtype=np.int64)
                firsts[codes[::-1]] = np.arange(size)[::-1]
                lookups[a, level, :size] = firsts[codes]
        return cls(
            packed._replace(
                keys=keys, counts=rows, shifts=packed.shifts[:first], bits=packed.bits[:first],
                lookups=lookups, floors=packed.floors[:first], tops=packed.tops[:first],
            ),
            Columns(
                counts, np.array(nodes, dtype=np.int64).reshape(len(nodes), len(rest)),
                np.array([nodes.index(source) for source in sources], dtype=np.int64),
                np.cumsum(width_of) - width_of, width_of, target,
            ),
        )  # fmt: skip

    def node_numbers(self, nodes: np.ndarray) -> np.ndarray:
        """Return which of the `columns`' nodes each node, in search order, contains."""
        levels = self.columns.levels
        lowest, shape = levels[0], levels[-1] - levels[0] + 1
        numbers: np.ndarray = np.ravel_multi_index(
            tuple((nodes[:, len(self.packed.tops) :] - lowest).T), tuple(shape)
        ).astype(np.int64)
        return numbers

    @staticmethod
    def _fit(sizes: list[list[int]], floors: list[int], tops: list[int], first: int) -> bool:
        """Whether the attributes from `first` on can be columns."""
        rest = range(first, len(sizes))
        columns, nodes = prod(sizes[a][floors[a]] for a in rest), prod(tops[a] - floors[a] + 1 for a in rest)
        return columns <= MAX_COLUMNS and nodes <= MAX_NODES


def _below(node: tuple[int, ...], floors: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the nodes one level below in one attribute."""
    for a, level in enumerate(node):
        if level > floors[a]:
            yield (*node[:a], level - 1, *node[a + 1 :])


def _column(
    packed: Packed, sizes: list[list[int]], rest: range, codes: np.ndarray, node: tuple[int, ...]
) -> np.ndarray:
    """The column that each combination of codes of the attributes in `rest` at their floor is in at a node."""
    column = np.zeros(codes.shape[1], dtype=np.int64)
    for a, own, level in zip(rest, codes, node, strict=True):
        column = column * sizes[a][level] + packed.lookups[a, level, own]
    return column
