"""The layout of a lattice search: the last attributes, which have few values, become columns of a dense table.

Grouping takes a hash table per row of the table; adding up columns takes none, and processors do it several at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
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
        hashable = tuple(map(tuple, sizes[first:])), tuple(at_floor), tuple(tops[first:])
        steps = _steps(*hashable, packed.lookups[first:].tobytes(), packed.lookups.shape[1:])
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
            Columns(counts, *steps),
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


@lru_cache(maxsize=64)
def _steps(
    sizes: tuple[tuple[int, ...], ...], floors: tuple[int, ...], tops: tuple[int, ...], table: bytes,
    shape: tuple[int, ...],
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Return what `Columns` has besides counts, for attributes with these numbers of codes on each level and these
    lookups: a search takes no longer than to compute it."""
    lookups = np.frombuffer(table, dtype=np.int64).reshape(len(sizes), *shape)
    nodes = list(product(*(range(low, top + 1) for low, top in zip(floors, tops, strict=True))))
    widths = {node: prod(own[level] for own, level in zip(sizes, node, strict=True)) for node in nodes}
    sources = [min(_below(node, floors), key=widths.__getitem__, default=node) for node in nodes]
    at_floor = [own[low] for own, low in zip(sizes, floors, strict=True)]
    codes = np.indices(at_floor).reshape(len(sizes), prod(at_floor))  # of each column at the floor
    column_of = {node: _column(lookups, sizes, codes, node) for node in nodes}
    target = np.zeros((len(nodes), max(widths.values())), dtype=np.int32)
    for row, node, source in zip(target, nodes, sources, strict=True):
        row[column_of[source]] = column_of[node]
    width_of = np.array([widths[node] for node in nodes], dtype=np.int64)
    steps = (
        np.array(nodes, dtype=np.int64).reshape(len(nodes), len(sizes)),
        np.array([nodes.index(source) for source in sources], dtype=np.int64),
        np.cumsum(width_of) - width_of, width_of, target,
    )  # fmt: skip
    for part in steps:  # shared by searches
        part.flags.writeable = False
    return steps


def _below(node: tuple[int, ...], floors: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the nodes one level below in one attribute."""
    for a, level in enumerate(node):
        if level > floors[a]:
            yield (*node[:a], level - 1, *node[a + 1 :])


def _column(
    lookups: np.ndarray, sizes: tuple[tuple[int, ...], ...], codes: np.ndarray, node: tuple[int, ...]
) -> np.ndarray:
    """The column that each combination of codes of the attributes at their floor is in at a node."""
    column = np.zeros(codes.shape[1], dtype=np.int64)
    for lookup, of_level, own, level in zip(lookups, sizes, codes, node, strict=True):
        column = column * of_level[level] + lookup[level, own]
    return column
