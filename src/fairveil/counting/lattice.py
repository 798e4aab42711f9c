"""Lattice: every full-domain generalization of the quasi columns, one node per combination of levels.

An attribute at its top level is absent, so every subset of the quasi columns is itself a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.dense_columns import DenseColumns
from fairveil.counting.threads import count, each_in_threads
from fairveil.counting.tuples import KEY_BITS, bits_for, group_firsts, group_of
from fairveil.data.hierarchy import Levels
from fairveil.errors import Infeasible
from fairveil.progress import Progress

if TYPE_CHECKING:
    from fairveil.counting.kernels.rolling_up import Packed
    from fairveil.counting.persons import PersonPairs
    from fairveil.counting.spellings import Labels

Node = tuple[int, ...]
BIG = 1 << 15
"""With at least this many cells, a search without suppression is distributed over threads: it takes milliseconds."""


@dataclass(frozen=True)
class Lattice:
    """The quasi columns with their levels, over the cells of a table. `progress` stops compiled searches. If it is not
    `nested`, a level of a column may separate what one below joins: it can be summarized, but not searched."""

    cells: Cells
    levels: dict[str, Levels]
    progress: Progress = field(default_factory=Progress, repr=False, compare=False)
    nested: bool = True
    _packings: dict[Any, Packing] = field(default_factory=dict, init=False, repr=False, compare=False)
    _floors: dict[tuple[int, int], np.ndarray] = field(default_factory=dict, init=False, repr=False, compare=False)
    _pairs: dict[str, PersonPairs] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def names(self) -> list[str]:
        return list(self.levels)

    @cached_property
    def tops(self) -> np.ndarray:
        return np.array([levels.height for levels in self.levels.values()], dtype=np.int64)

    @property
    def size(self) -> int:
        """The exact number of nodes, however large."""
        return prod(int(top) + 1 for top in self.tops)

    def part(self, columns: Sequence[str]) -> tuple[Lattice, list[int]]:
        """Return the lattice of some of the quasi columns only, and their places in the nodes of this one."""
        levels = {name: rule for name, rule in self.levels.items() if name in columns}
        return Lattice(self.cells, levels, self.progress), [self.names.index(name) for name in levels]

    def floors(self, k: int, budget: int) -> np.ndarray:
        """Return the lowest level of each attribute at which it passes alone."""
        if (k, budget) not in self._floors:
            floors = [floor_of(levels, self.leaf_rows[name], k, budget) for name, levels in self.levels.items()]
            self._floors[k, budget] = np.array(floors, dtype=np.int64)
        return self._floors[k, budget]

    @cached_property
    def leaf_rows(self) -> dict[str, np.ndarray]:
        """The rows of every leaf of each quasi column."""
        return {name: self.cells.rows_of(name, levels.leaves) for name, levels in self.levels.items()}

    def person_pairs(self, person: str) -> PersonPairs:
        """Return the persons of each cell, by the column that says who a cell is about."""
        from fairveil.counting.persons import PersonPairs

        if person not in self._pairs:
            self._pairs[person] = PersonPairs.of(self, person)
        return self._pairs[person]

    def packing(self, floors: np.ndarray, columns: Sequence[str] = ()) -> Packing:
        """Return the cells in the layout of the kernels. It is cached, because search and measures share it."""
        key = (floors.tobytes(), tuple(columns))
        if key not in self._packings:
            fewest = replace(self, cells=self.cells.having([*self.levels, *columns]))
            self._packings[key] = Packing.of(fewest, floors, columns)
        return self._packings[key]

    def classes(
        self, node: Sequence[int] | np.ndarray, columns: Sequence[str] = (), published: bool = False
    ) -> Classes:
        """Return the equivalence classes of one node, with the codes of `columns`; if `published`, also with the codes
        of the quasi columns as the node publishes them."""
        quasi = {
            name: levels.codes[level][self.cells.codes[name]]
            for level, (name, levels) in zip(node, self.levels.items(), strict=True)
            if published or level < levels.height
        }
        labels = self.labels_at(node)
        ids, total = group_of([(codes, len(labels[name])) for name, codes in quasi.items()], len(self.cells))
        codes = {name: self.cells.codes[name] for name in columns}
        classes = Classes.from_ids(ids, total, self.cells.counts, codes, self.cells)
        return classes.with_columns(quasi, labels) if published else classes

    def labels_at(self, node: Sequence[int] | np.ndarray) -> dict[str, Labels]:
        """Return the labels that each quasi column has at a node."""
        return {name: levels.labels[level] for level, (name, levels) in zip(node, self.levels.items(), strict=True)}

    def anonymous(self, k: int, budget: int = 0) -> np.ndarray:
        """Return all nodes whose classes below k have at most `budget` rows together, lowest first in search order."""
        boxes = self._boxes(k, budget)
        return self.packing(self.floors(k, budget)).nodes_in(boxes)

    def border(self, k: int, budget: int = 0) -> np.ndarray:
        """Return the lowest of these nodes: every other one is above one of them. Nothing else is enumerated, so the
        lattice may be of any size that a search can prune."""
        boxes = self._boxes(k, budget)
        return self.packing(self.floors(k, budget)).lowest_in(boxes)

    def _boxes(self, k: int, budget: int) -> np.ndarray:
        """Return these nodes as boxes of the compiled search."""
        from fairveil.counting.kernels.lattice_search import anonymous_boxes

        if self.cells.rows < k and self.cells.rows > budget:
            raise Infeasible(f"k={k} is more than the {self.cells.rows} rows of the table: at most k={self.cells.rows}")
        packing = self.packing(self.floors(k, budget))
        packed, columns = packing.dense.packed, packing.dense.columns

        def search_at(levels: tuple[int, int]) -> np.ndarray:
            room = 4096
            while True:
                boxes, number = anonymous_boxes(packed, columns, *levels, k, budget, room, self.progress.stop)
                if number >= 0:
                    return np.asarray(boxes[:number])
                room *= 8

        low, high = int(packed.floors[0]), int(packed.tops[0])
        shared = count() > 1 and (budget or len(packed.keys) > BIG)
        boxes = each_in_threads(search_at, [(n, n) for n in range(low, high + 1)] if shared else [(low, high)])
        self.progress.check()
        return np.concatenate(boxes)


def floor_of(levels: Levels, leaf_rows: np.ndarray, k: int, budget: int) -> int:
    """Return the lowest level at which an attribute passes alone; its top level if there is none."""
    for level in range(levels.height):
        rows = np.bincount(levels.codes[level], weights=leaf_rows)
        if rows[rows < k].sum() <= budget:
            return level
    return levels.height


@dataclass(frozen=True)
class Packing:
    """A lattice in the layout of the kernels, with its attributes in search order.

    The attribute with the most values comes first. The lowest bits belong to `columns` (a decision, sensitive columns),
    given as the shift and the number of bits of each. If `ordered`, keys that will merge are adjacent, which suits the
    processor's caches.
    """

    cells: Packed
    """A key per cell: they may repeat."""
    order: np.ndarray
    columns: dict[str, tuple[int, int]]
    sizes: list[list[int]]
    """The number of codes of each attribute, in search order, on every level."""
    ordered: bool = True

    @cached_property
    def packed(self) -> Packed:
        """The distinct keys."""
        from fairveil.counting.kernels.rolling_up import tally_keys

        keys, counts = tally_keys(self.cells.keys, self.cells.counts)
        if self.ordered:
            ascending = np.argsort(keys)
            keys, counts = keys[ascending], counts[ascending]
        return self.cells._replace(keys=keys, counts=counts)

    @cached_property
    def dense(self) -> DenseColumns:
        """The same with the last attributes as columns; only without `columns`."""
        return DenseColumns.of(self.cells, self.sizes)

    @staticmethod
    def width(lattice: Lattice, columns: Sequence[str] = ()) -> int:
        """Return the maximum number of bits that a packing needs; above KEY_BITS no packing exists."""
        quasi = sum(bits_for(lv.leaves) for lv in lattice.levels.values())
        return quasi + sum(bits_for(lattice.cells.sizes[name]) for name in columns)

    @classmethod
    def of(cls, lattice: Lattice, floors: np.ndarray, columns: Sequence[str] = (), ordered: bool = True) -> Packing:
        from fairveil.counting.kernels.rolling_up import Packed

        attributes = list(lattice.levels.items())
        domains = np.array([len(levels.labels[at]) for (_, levels), at in zip(attributes, floors, strict=True)])
        order = np.argsort(-domains, kind="stable")
        bits = np.array([bits_for(domains[a]) for a in order], dtype=np.int64)
        below: dict[str, tuple[int, int]] = {}
        shift = 0
        key = np.zeros(len(lattice.cells), dtype=np.int64)
        for name in columns:
            below[name] = (shift, bits_for(lattice.cells.sizes[name]))
            key |= lattice.cells.codes[name] << shift
            shift += below[name][1]
        shifts = shift + np.concatenate([[0], np.cumsum(bits[:-1])]).astype(np.int64)
        if shifts[-1] + bits[-1] > KEY_BITS:
            raise OverflowError("the cells do not fit into 64-bit keys")
        tops = lattice.tops[order]
        lookups = np.zeros((len(order), int(tops.max()) + 1, int(domains.max())), dtype=np.int64)
        for position, a in enumerate(order):
            name, levels = attributes[a]
            floor = int(floors[a])
            key |= (levels.codes[floor] << shifts[position])[lattice.cells.codes[name]]
            for level in range(floor, levels.height + 1):
                lookup = levels.between(floor, level)
                lookups[position, level, : len(lookup)] = lookup
        sizes = [[len(labels) for labels in attributes[a][1].labels] for a in order]
        counts = np.ascontiguousarray(lattice.cells.counts, dtype=np.int64)
        cells = Packed(key, counts, shifts, bits, lookups, floors[order], tops)
        return cls(cells, order, below, sizes, ordered)

    def sort(self, nodes: np.ndarray) -> NDArray[np.intp]:
        """Return the order in which the kernels take these nodes: by level of the first attribute, the second, …"""
        return np.lexsort(nodes[:, self.order[::-1]].T)

    def nodes_in(self, boxes: np.ndarray) -> np.ndarray:
        """Return the nodes in boxes of the search, sorted, as rows of levels in the lattice's column order."""
        levels, free = boxes[:, 1:].astype(np.int64), np.arange(len(self.order)) >= boxes[:, :1]
        for a in np.flatnonzero(free.any(axis=0)):
            above = np.where(free[:, a], self.cells.tops[a] - levels[:, a], 0) + 1  # the levels of each box
            levels, free = np.repeat(levels, above, axis=0), np.repeat(free, above, axis=0)
            levels[:, a] += np.arange(len(levels)) - np.repeat(np.cumsum(above) - above, above)
        nodes = np.take(levels, np.argsort(self.order), axis=1)
        return nodes[self.sort(nodes)]

    def lowest_in(self, boxes: np.ndarray) -> np.ndarray:
        """Return the nodes in boxes below which no other is, sorted, in the lattice's column order."""
        floors, m = self.cells.floors, len(self.order)
        fixed, lowest = boxes[:, 0], boxes[:, 1:].astype(np.int64)
        sizes = self.cells.tops + 2
        if prod(sizes.tolist()) >= 1 << 63:
            raise OverflowError("the nodes of the lattice do not fit into 64-bit numbers")
        by_depth = []
        for depth in range(1, m + 1):
            keys, own = _prefix_keys(lowest[fixed == depth, :depth], sizes), lowest[fixed == depth]
            order = np.argsort(keys)
            by_depth.append((keys[order], own[order]))
        minimal = np.ones(len(lowest), dtype=bool)
        for a in range(m):
            at = np.flatnonzero(minimal & (lowest[:, a] > floors[a]))
            below = lowest[at]
            below[:, a] -= 1
            for depth, (keys, own) in enumerate(by_depth, 1):
                if not len(keys):
                    continue
                wanted = _prefix_keys(below[:, :depth], sizes)
                place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
                inside = (keys[place] == wanted) & (below >= own[place]).all(axis=1)
                minimal[at[inside]] = False
                at, below = at[~inside], below[~inside]
        nodes = np.take(lowest[minimal], np.argsort(self.order), axis=1)
        return nodes[self.sort(nodes)]


def _prefix_keys(levels: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return one number per row of levels, equal for equal rows; the lattice has fewer than 2^63 nodes."""
    keys = np.zeros(len(levels), dtype=np.int64)
    for a in range(levels.shape[1]):
        keys = keys * sizes[a] + levels[:, a]
    return keys


def minimal(nodes: np.ndarray) -> np.ndarray:
    """Return which of these nodes have none of the others below them: the lower border of an up-set."""
    rows = {row.tobytes() for row in nodes}
    border = np.ones(len(nodes), dtype=bool)
    for a in range(nodes.shape[1]):
        lower = nodes.copy()
        lower[:, a] -= 1
        border &= np.fromiter((row.tobytes() not in rows for row in lower), dtype=bool, count=len(lower))
    return border


class Walker:
    """The classes of one node after the other, each rolled up from the longest prefix shared with the previous node.

    It is fast if the nodes are sorted by `Packing.sort` or its reverse, and correct in any order. If the cells do not
    fit into 64-bit keys, every node is grouped from the cells. `published` as for `Lattice.classes`.
    """

    def __init__(
        self, lattice: Lattice, columns: Sequence[str], floors: np.ndarray | None = None, published: bool = False
    ) -> None:
        self.lattice, self.columns, self.published = lattice, list(columns), published
        self.packing: Packing | None = None
        start = np.zeros_like(lattice.tops) if floors is None else floors
        try:
            self.packing = lattice.packing(start, self.columns)
        except OverflowError:
            return
        from fairveil.counting.kernels.group_by import KeyCounts, table_bits

        packed = self.packing.packed
        spare = np.empty_like(packed.keys)
        self.stack = KeyCounts(np.concatenate([packed.keys, spare]), np.concatenate([packed.counts, spare]))
        self.start, self.end = np.zeros((2, len(packed.tops) + 1), dtype=np.int64)
        self.end[0] = len(packed.keys)
        self.slots = np.empty(1 << table_bits(len(packed.keys)), dtype=np.int32)
        self.path: list[int] = []

    def classes(self, node: Sequence[int]) -> Classes:
        if self.packing is None:
            return self.lattice.classes(node, self.columns, self.published)
        from fairveil.counting.kernels.rolling_up import roll_up_stack

        packed = self.packing.packed
        levels = [int(node[a]) for a in self.packing.order]
        pairs = enumerate(zip(self.path, levels, strict=False))
        shared = next((depth for depth, (before, now) in pairs if before != now), len(self.path))
        self.path = levels
        self.stack = roll_up_stack(
            self.stack, self.start, self.end, packed, np.array(levels, dtype=np.int64), shared, self.slots
        )
        top = slice(self.start[-1], self.end[-1])
        keys, counts = self.stack.keys[top], self.stack.rows[top].copy()  # the next node overwrites them
        ids, firsts = group_firsts(keys >> int(packed.shifts[0]))
        codes = {name: (keys >> shift) & ((1 << bits) - 1) for name, (shift, bits) in self.packing.columns.items()}
        classes = Classes.from_ids(ids, len(firsts), counts, codes, self.lattice.cells)
        if not self.published:
            return classes
        names = self.lattice.names
        quasi = {
            names[a]: (keys >> shift) & ((1 << bits) - 1)
            for a, shift, bits in zip(self.packing.order, packed.shifts, packed.bits, strict=True)
        }
        return classes.with_columns(quasi, self.lattice.labels_at(node))
