"""Persons per class, for many nodes of a lattice: the cells of each person are listed once, and each node is one pass.

>>> import pyarrow as pa
>>> from fairveil.counting.cells import Cells
>>> from fairveil.counting.lattice import Lattice
>>> from fairveil.data.hierarchy import suppress
>>> from fairveil.data.table import Table
>>> table = Table.from_frame(pa.table({"who": ["a", "a", "b", "c"], "age": [31, 32, 32, 40]}))
>>> levels = {"age": suppress().bind([31, 32, 40])}
>>> pairs = PersonPairs.of(Lattice(Cells.of(table, ["who", "age"]), levels), "who")
>>> pairs.people(np.array([0])).tolist(), pairs.people(np.array([1])).tolist()
([1, 2, 1], [3])

A class has at least as many persons as any cell in it, so whether all classes have k is decided by the persons of cells
below k alone: at most k - 1 in each, however many records there are. Somebody whose cells are in one class at a node is
in one class at every node above it: from there on they are counted with a cell, and their pairs are not read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.lattice import Lattice
from fairveil.counting.threads import in_threads
from fairveil.counting.tuples import first_rows, group_firsts, group_of, keys_of
from fairveil.data.table import narrow

MAX_COUNTED = 64
"""Nodes whose persons are kept."""
MAX_COPIES = 4
"""How many times the pairs of all persons are kept, at most, without those of persons who are in one class."""


@dataclass(frozen=True)
class PersonPairs:
    """The distinct pairs of a person and a cell of the quasi columns, person by person.

    `codes` has the code of each cell per quasi column; `cells` the cell of each pair; the pairs of person p are those
    from `starts[p]` to `starts[p + 1]`. `alone` has for each cell the number of persons who are in its class only, and
    have no pairs.
    """

    lattice: Lattice
    person: str
    codes: dict[str, NDArray[np.int64]]
    cells: NDArray[np.int32]
    starts: NDArray[np.int64]
    alone: NDArray[np.int64]

    @classmethod
    def of(cls, lattice: Lattice, person: str) -> PersonPairs:
        """Return the pairs of a lattice whose cells also say who they are about."""
        part = lattice.cells.without(person)
        fewer = part.cells
        quasi = [(fewer.codes[name], fewer.sizes[name]) for name in lattice.levels]
        ids, firsts = group_firsts(keys_of(quasi, len(fewer)))
        cells, starts = part.by_value
        cells = ids.astype(np.int32)[cells]
        if len(fewer.codes) > len(quasi):  # other columns tell cells apart, too: each pair counts once
            persons = np.repeat(np.arange(part.size), np.diff(starts))
            pairs = np.sort(group_firsts(keys_of([(persons, part.size), (cells, len(firsts))], len(cells)))[1])
            cells, starts = cells[pairs], np.searchsorted(pairs, starts)
        codes = {name: fewer.codes[name][firsts] for name in lattice.levels}
        starts = np.concatenate([starts[:-1][np.diff(starts) > 0], starts[-1:]])
        return cls(lattice, person, codes, cells, starts, np.zeros(len(firsts), dtype=np.int64))

    @property
    def persons(self) -> int:
        """The number of persons."""
        return len(self.starts) - 1 + int(self.alone.sum())

    def shared(self, lattice: Lattice, decision: str | None) -> Lattice:
        """Return the lattice with cells of the quasi columns and the decision alone, which count the shares of persons
        whose records they are; classes are numbered as by `people`."""
        part = lattice.cells.without(self.person)
        fewer, names = part.cells, [*lattice.levels, *([] if decision is None else [decision])]
        groups, firsts = first_rows([(fewer.codes[name], fewer.sizes[name]) for name in names], len(fewer))
        counts = np.bincount(groups, weights=part.shares, minlength=len(firsts))
        codes = {name: fewer.codes[name][firsts] for name in names}
        return replace(lattice, cells=replace(fewer, codes=codes, counts=counts))

    @cached_property
    def of_cell(self) -> NDArray[np.int64]:
        """The number of persons of each cell."""
        return np.bincount(self.cells, minlength=len(self.alone)) + self.alone

    @cached_property
    def _at_level(self) -> dict[tuple[str, int], NDArray[Any]]:
        """Earlier results of `_published`."""
        return {}

    def _published(self, name: str, level: int) -> tuple[NDArray[Any], int]:
        """Return the code that a quasi column of each cell has at a level, and the number of codes."""
        levels = self.lattice.levels[name]
        size = len(levels.labels[level])
        if (name, level) not in self._at_level:
            self._at_level[name, level] = narrow(levels.codes[level], size)[self.codes[name]]
        return self._at_level[name, level], size

    def classes(self, node: np.ndarray) -> tuple[NDArray[np.int64], int]:
        """Return the class of each cell at a node, and the number of classes."""
        return group_of(list(map(self._published, self.lattice.levels, map(int, node))), len(self.alone))

    def people(self, node: np.ndarray, classes: tuple[NDArray[np.int64], int] | None = None) -> NDArray[np.int64]:
        """Return the number of persons of each class at a node; `classes` are those of the node, if known."""
        ids, total = classes or self.classes(node)
        return np.bincount(ids, weights=self._people_of_cells(node), minlength=total).astype(np.int64)

    def _people_of_cells(self, node: np.ndarray) -> NDArray[np.int64]:
        """Return the persons of each class at a node, at the first cell of each. Columns in which nobody differs are at
        level 0: generalizing them joins no two classes of a person, so the sum over a larger class counts each once."""
        from fairveil.counting.kernels.person_counts import people_of_classes

        at = tuple(np.where(self._varying, node, 0).tolist())
        people = self._counted.get(at)
        if people is None:
            ids, total = self.classes(np.array(at))
            below = self._reduced(at)
            counts = people_of_classes(below.cells, below.starts, ids.astype(np.int32), total)
            first = np.empty(total, dtype=np.int64)
            first[ids[::-1]] = np.arange(len(ids))[::-1]
            people = np.zeros(len(ids), dtype=np.int64)
            people[first] = counts + np.bincount(ids, weights=below.alone, minlength=total).astype(np.int64)
            if len(self._counted) >= MAX_COUNTED:
                self._counted.clear()
            self._counted[at] = people
        return people

    @cached_property
    def _counted(self) -> dict[tuple[int, ...], NDArray[np.int64]]:
        """Earlier results of `_people_of_cells`; several threads use it, each step on it is atomic."""
        return {}

    @cached_property
    def _varying(self) -> NDArray[np.bool_]:
        """Which quasi columns differ between the cells of any person."""
        return np.array([bool(self._differ(narrow(c, int(c.max(initial=0)) + 1)).any()) for c in self.codes.values()])

    def _differ(self, of_cell: np.ndarray) -> NDArray[np.bool_]:
        """Return which pairs have another number than the first one of their person."""
        numbers = of_cell[self.cells]
        different: NDArray[np.bool_] = numbers != np.repeat(numbers[self.starts[:-1]], np.diff(self.starts))
        return different

    @cached_property
    def _known(self) -> dict[tuple[int, ...], PersonPairs]:
        """Earlier results of `_reduced`; together they have a few times as many pairs as there are."""
        return {}

    def _reduced(self, at: tuple[int, ...]) -> PersonPairs:
        """Return the same persons, without the pairs of those who are in one class at a node, and so at all above."""
        if not any(at) or not len(self.cells):
            return self
        known = self._known  # as above
        reduced = known.get(at)
        if reduced is None:
            below = [pairs for other, pairs in list(known.items()) if all(map(int.__le__, other, at))]
            reduced = min(below, key=lambda pairs: len(pairs.cells), default=self)._without_single(np.array(at))
            if sum(len(pairs.cells) for pairs in list(known.values())) > MAX_COPIES * len(self.cells):
                known.clear()
            known[at] = reduced
        return reduced

    def _without_single(self, node: np.ndarray) -> PersonPairs:
        """Return the persons at a node, with pairs only of those who are in several classes."""
        if not len(self.cells):
            return self
        differ, lengths = self._differ(self.classes(node)[0].astype(np.int32)), np.diff(self.starts)
        several = np.logical_or.reduceat(differ, self.starts[:-1])
        alone = self.alone + np.bincount(self.cells[self.starts[:-1][~several]], minlength=len(self.alone))
        starts = np.concatenate([[0], np.cumsum(lengths[several])])
        return replace(self, cells=self.cells[np.repeat(several, lengths)], starts=starts, alone=alone)

    def at_least(self, k: int, nodes: np.ndarray) -> np.ndarray:
        """Return which nodes have at least k persons in every class."""
        few = self.of_cell < k
        if not few.any():
            return np.ones(len(nodes), dtype=bool)
        inside = few[self.cells]
        rows = np.add.reduceat(inside, self.starts[:-1], dtype=np.int64) if len(inside) else np.zeros(0, np.int64)
        small = replace(
            self, cells=self.cells[inside], starts=np.concatenate([[0], np.cumsum(rows[rows > 0])]),
            alone=np.where(few, self.alone, 0),
        )  # fmt: skip

        def check(part: np.ndarray) -> np.ndarray:
            holds = np.zeros(len(part), dtype=bool)
            for i, node in enumerate(part):
                self.lattice.progress.check()
                ids, total = classes = self.classes(node)
                enough = np.zeros(total, dtype=bool)
                enough[ids[~few]] = True
                holds[i] = (enough | (small.people(node, classes) >= k)).all()
            return holds

        return _upwards(check, nodes)


def _upwards(check: Callable[[np.ndarray], np.ndarray], nodes: np.ndarray) -> np.ndarray:
    """Return which nodes hold, where a node holds if one directly below it does: only the others are checked."""
    heights, holds = nodes.sum(axis=1), np.zeros(len(nodes), dtype=bool)
    held: set[tuple[int, ...]] = set()
    for height in np.unique(heights):
        here = np.flatnonzero(heights == height)
        follows = np.array([not held.isdisjoint(_directly_below(node)) for node in nodes[here].tolist()])
        holds[here[follows]] = True
        if not follows.all():
            holds[here[~follows]] = np.concatenate(in_threads(check, nodes[here[~follows]]))
        held = {tuple(node) for node in nodes[here[holds[here]]].tolist()}
    return holds


def _directly_below(node: list[int]) -> Iterator[tuple[int, ...]]:
    return ((*node[:place], level - 1, *node[place + 1 :]) for place, level in enumerate(node) if level)
