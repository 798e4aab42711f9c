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
below k alone: at most k - 1 in each, however many records there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.cells import Classes, first_rows, group_firsts, group_of, keys_of
from fairveil.counting.lattice import Lattice
from fairveil.counting.threads import in_threads


@dataclass(frozen=True)
class PersonPairs:
    """The distinct pairs of a person and a cell of the quasi columns, person by person.

    `codes` has the code of each cell per quasi column; `cells` the cell of each pair; the pairs of person p are those
    from `starts[p]` to `starts[p + 1]`.
    """

    lattice: Lattice
    person: str
    codes: dict[str, NDArray[np.int64]]
    cells: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, lattice: Lattice, person: str) -> PersonPairs:
        """Return the pairs of a lattice whose cells also say who they are about."""
        source = lattice.cells
        quasi = [(source.codes[name], source.sizes[name]) for name in lattice.levels]
        ids, firsts = group_firsts(keys_of(quasi, len(source)))
        pairs = group_firsts(keys_of([(ids, len(firsts)), (source.codes[person], source.sizes[person])], len(ids)))[1]
        persons = source.codes[person][pairs]
        order = np.argsort(persons.astype(np.int32), kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(persons, minlength=source.sizes[person]))])
        codes = {name: source.codes[name][firsts] for name in lattice.levels}
        return cls(lattice, person, codes, ids[pairs][order].astype(np.int32), starts.astype(np.int64))

    @property
    def persons(self) -> int:
        """The number of persons."""
        return int((np.diff(self.starts) > 0).sum())

    def shared(self, lattice: Lattice, decision: str | None) -> Lattice:
        """Return the lattice with cells of the quasi columns and the decision alone, which count the shares of persons
        whose records they are; classes are numbered as by `people`."""
        cells = lattice.cells
        names = [*lattice.levels, *([] if decision is None else [decision])]
        groups, firsts = first_rows([(cells.codes[name], cells.sizes[name]) for name in names], len(cells))
        whole = Classes.from_ids(groups, len(firsts), cells.counts, cells.codes, cells)
        counts = np.bincount(groups, weights=whole.shares(self.person), minlength=len(firsts))
        codes = {name: cells.codes[name][firsts] for name in names}
        return replace(lattice, cells=replace(cells, codes=codes, counts=counts))

    @cached_property
    def of_cell(self) -> NDArray[np.int64]:
        """The number of persons of each cell."""
        return np.bincount(self.cells, minlength=len(next(iter(self.codes.values()))))

    def classes(self, node: np.ndarray) -> tuple[NDArray[np.int64], int]:
        """Return the class of each cell at a node, and the number of classes."""
        levels = [
            (lv.codes[int(at)][self.codes[name]], len(lv.labels[int(at)]))
            for at, (name, lv) in zip(node, self.lattice.levels.items(), strict=True)
        ]
        return group_of(levels, len(self.of_cell))

    def people(self, node: np.ndarray) -> NDArray[np.int64]:
        """Return the number of persons of each class at a node."""
        from fairveil.counting.kernels.person_counts import people_of_classes

        ids, total = self.classes(node)
        counts: NDArray[np.int64] = people_of_classes(self.cells, self.starts, ids.astype(np.int32), total)
        return counts

    def at_least(self, k: int, nodes: np.ndarray) -> np.ndarray:
        """Return which nodes have at least k persons in every class."""
        from fairveil.counting.kernels.person_counts import people_of_classes

        few = self.of_cell < k
        if not few.any():
            return np.ones(len(nodes), dtype=bool)
        inside = few[self.cells]
        before = np.concatenate([[0], np.cumsum(inside)])  # each pair, of those in small cells
        cells, starts = self.cells[inside], before[self.starts]

        def check(part: np.ndarray) -> np.ndarray:
            holds = np.zeros(len(part), dtype=bool)
            for i, node in enumerate(part):
                self.lattice.progress.check()
                ids, total = self.classes(node)
                enough = np.zeros(total, dtype=bool)
                enough[ids[~few]] = True
                people = people_of_classes(cells, starts, ids.astype(np.int32), total)
                holds[i] = (enough | (people >= k)).all()
            return holds

        return np.concatenate(in_threads(check, nodes)) if len(nodes) else np.ones(0, dtype=bool)
