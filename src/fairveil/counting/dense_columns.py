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

from fairveil.counting.cells import group_firsts

if TYPE_CHECKING:
    from fairveil.counting.kernels.lattice_search import Columns, Packed

MAX_COLUMNS = 32
"""The maximum number of columns; with more, most of them are empty, and take longer than a hash table."""
MAX_NODES = 64
"""The maximum number of nodes of the attributes that become columns: all of them are computed at a time."""


@dataclass(frozen=True)
class DenseColumns:
    """`packed` has the first attributes only, `columns` the others; `lifts` are the lookups from one level below."""

    packed: Packed
    lifts: np.ndarray
    columns: Columns

    @classmethod
    def of(cls, packed: Packed, sizes: list[list[int]]) -> DenseColumns:
        """Split the attributes of packed cells; `sizes` has the number of codes of each on every level."""
        from fairveil.counting.kernels.lattice_search import Columns

        m = len(packed.tops)
        floors, tops = packed.floors.tolist(), packed.tops.tolist()
        few = int(packed.counts.sum()) < 1 << 31  # counts of columns have 32 bits
        first = next(split for split in range(1, m + 1) if split == m or (few and cls._fit(sizes, floors, tops, split)))
        rest = range(first, m)
        fields = (1 << packed.bits) - 1
        at_floor = [int(floor) for floor in floors[first:]]
        codes = [(packed.keys >> packed.shifts[a]) & fields[a] for a in rest]
        if not rest:
            keys, rows = packed.keys, packed.counts
            counts = np.zeros((len(keys), 0), dtype=np.int32)
        else:
            own = int(sum(int(fields[a]) << int(packed.shifts[a]) for a in range(first)))
            ids, firsts = group_firsts(packed.keys & own)
            keys = packed.keys[firsts] & own
            width = prod(sizes[a][floors[a]] for a in rest)
            dense = ids * width + _column(codes, [sizes[a][floors[a]] for a in rest])
            flat = np.bincount(dense, weights=packed.counts, minlength=len(keys) * width)
            counts = flat.astype(np.int32).reshape(len(keys), width)
            rows = counts.sum(axis=1, dtype=np.int64)
        nodes = list(product(*(range(floors[a], tops[a] + 1) for a in rest)))
        widths = {node: prod(sizes[a][level] for a, level in zip(rest, node, strict=True)) for node in nodes}
        sources = [min(_below(node, at_floor), key=widths.__getitem__, default=node) for node in nodes]
        target = np.zeros((len(nodes), max(widths.values())), dtype=np.int32)
        for row, node, source in zip(target, nodes, sources, strict=True):
            combined = np.indices([sizes[a][level] for a, level in zip(rest, source, strict=True)]).reshape(
                len(rest), widths[source]
            )
            lifted = [
                _lift(packed, sizes, a, low, high)[codes_of_source] if high > low else codes_of_source
                for a, low, high, codes_of_source in zip(rest, source, node, combined, strict=True)
            ]
            row[: widths[source]] = _column(lifted, [sizes[a][level] for a, level in zip(rest, node, strict=True)])
        width_of = np.array([widths[node] for node in nodes], dtype=np.int64)
        lifts = np.zeros_like(packed.lookups[:first])
        for a in range(first):
            for level in range(floors[a] + 1, tops[a] + 1):
                lift = _lift(packed, sizes, a, level - 1, level)
                lifts[a, level, : len(lift)] = lift
        return cls(
            packed._replace(
                keys=keys, counts=rows, shifts=packed.shifts[:first], bits=packed.bits[:first],
                lookups=packed.lookups[:first], floors=packed.floors[:first], tops=packed.tops[:first],
            ),
            lifts,
            Columns(
                counts, np.array(nodes, dtype=np.int64).reshape(len(nodes), len(rest)),
                np.array([nodes.index(source) for source in sources], dtype=np.int64),
                np.cumsum(width_of) - width_of, width_of, target,
            ),
        )  # fmt: skip

    @staticmethod
    def _fit(sizes: list[list[int]], floors: list[int], tops: list[int], first: int) -> bool:
        """Whether the attributes from `first` on can be columns."""
        rest = range(first, len(sizes))
        columns, nodes = prod(sizes[a][floors[a]] for a in rest), prod(tops[a] - floors[a] + 1 for a in rest)
        return columns <= MAX_COLUMNS and nodes <= MAX_NODES


def _lift(packed: Packed, sizes: list[list[int]], a: int, low: int, high: int) -> np.ndarray:
    """The lookup from codes of an attribute at one level to codes at a higher one."""
    at_low, at_high = packed.lookups[a, [low, high], : sizes[a][int(packed.floors[a])]]
    lookup = np.zeros(sizes[a][low], dtype=np.int64)
    lookup[at_low] = at_high
    return lookup


def _below(node: tuple[int, ...], floors: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the nodes one level below in one attribute."""
    for a, level in enumerate(node):
        if level > floors[a]:
            yield (*node[:a], level - 1, *node[a + 1 :])


def _column(codes: list[np.ndarray], sizes: list[int]) -> np.ndarray:
    """The number of the column of each combination of codes."""
    column = np.zeros(1, dtype=np.int64)
    for code, size in zip(codes, sizes, strict=True):
        column = column * size + code
    return column
