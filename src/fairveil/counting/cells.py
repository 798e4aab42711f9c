"""Cells: the distinct tuples of a table with their counts. Every search sees only these.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"sex": ["F", "M", "F"], "age": [31, 40, 31]}))
>>> cells = Cells.of(table, ["sex", "age"])
>>> cells.counts.tolist(), cells.codes["age"].tolist()
([2, 1], [0, 1])
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.class_histogram import ClassHistogram
from fairveil.counting.fewer_cells import PartOf
from fairveil.counting.spellings import Labels, SpeltAlike, spellings
from fairveil.counting.tuples import distinct_tuples, first_rows, group_firsts, group_of, keys_of, tallied
from fairveil.data.hierarchy import Levels
from fairveil.data.table import Column, Table, narrow
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.schema import Schema

LevelsOf = Mapping[str, Levels]
MAX_FLAGS = 128
"""A flag for every possible number is quicker than grouping those that occur, up to this many for each."""


@dataclass(frozen=True)
class Cells:
    """The distinct tuples over some columns, in the order of first appearance: a code per column, and a count.

    `levels` has the hierarchies of columns that a guard may need (hierarchical distance), `labels` the values that the
    codes stand for, and `margins` the rows of each value of columns whose values were merged.
    """

    codes: Mapping[str, NDArray[np.int64]]
    sizes: Mapping[str, int]
    counts: np.ndarray
    levels: LevelsOf = field(default_factory=dict)
    labels: Mapping[str, Labels] = field(default_factory=dict)
    margins: Mapping[str, np.ndarray] = field(default_factory=dict)
    spelt: SpeltAlike = field(default_factory=dict, repr=False, compare=False)
    apart: dict[str, PartOf] = field(default_factory=dict, repr=False, compare=False)
    """Earlier results of `without`, by column."""
    domains: dict[str, list[Any]] = field(default_factory=dict, repr=False, compare=False)
    """Values that have been converted to Python objects, by column: hierarchies remember what they found for these."""
    _rows_of: dict[tuple[str, int], np.ndarray] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls, table: Table, names: Sequence[str], levels: LevelsOf | None = None, counts: np.ndarray | None = None
    ) -> Cells:
        """Return the cells of a table, whose rows may stand for `counts` rows each."""
        columns = [table.column(name) for name in dict.fromkeys(names)]
        codes, totals = distinct_tuples([(c.codes, len(c.values)) for c in columns], table.rows, counts)
        return cls._of_columns(columns, codes, totals, levels)

    @classmethod
    def numbered(cls, table: Table, names: Sequence[str], levels: LevelsOf | None = None) -> tuple[Cells, np.ndarray]:
        """Return the cells of a table, and the cell of each row."""
        columns = [table.column(name) for name in dict.fromkeys(names)]
        cell_of_row, firsts = first_rows([(c.codes, len(c.values)) for c in columns], table.rows)
        totals = np.bincount(cell_of_row, minlength=len(firsts)).astype(np.int64)
        cells = cls._of_columns(columns, [c.codes[firsts] for c in columns], totals, levels)
        return cells, narrow(cell_of_row, len(firsts))

    @classmethod
    def _of_columns(
        cls, columns: Sequence[Column], codes: Sequence[np.ndarray], counts: np.ndarray, levels: LevelsOf | None
    ) -> Cells:
        cells = cls(
            {column.name: column_codes.astype(np.int64) for column, column_codes in zip(columns, codes, strict=True)},
            {column.name: len(column.values) for column in columns},
            counts,
            levels or {},
            {column.name: column.values for column in columns},
        )
        cells.domains.update({column.name: column.domain for column in columns if "domain" in vars(column)})
        return cells

    def table(self) -> Table:
        """Return the distinct tuples as the rows of a table."""
        codes = {name: narrow(column, self.sizes[name]) for name, column in self.codes.items()}
        columns = tuple(Column(name, column, self.labels[name]) for name, column in codes.items())
        for column in columns:
            if column.name in self.domains:
                vars(column)["domain"] = self.domains[column.name]
        return Table(columns)

    @cached_property
    def rows(self) -> int:
        return int(self.counts.sum())

    def rows_of(self, name: str, size: int) -> np.ndarray:
        """Return the rows of each of `size` codes of a column, as floats; computed once for all searches of these
        cells."""
        if name in self.margins:
            return self.margins[name]
        if (name, size) not in self._rows_of:
            cells = self.having([name])
            self._rows_of[name, size] = np.bincount(cells.codes[name], weights=cells.counts, minlength=size)
        return self._rows_of[name, size]

    def having(self, names: Collection[str]) -> Cells:
        """Return the fewest cells with these columns that are known: these, or those `without` another column."""
        known = (part for part in self.apart.values() if part.of(self) and part.cells.codes.keys() >= {*names})
        return min((part.cells for part in known), key=len, default=self)

    def without(self, name: str) -> PartOf:
        """Return the cells of all columns but one, such as who a cell is about, and the one that each of these is part
        of; computed once."""
        part = self.apart.get(name)
        if part is None or not part.of(self):
            codes = {other: column for other, column in self.codes.items() if other != name}
            groups, firsts = first_rows([(column, self.sizes[other]) for other, column in codes.items()], len(self))
            counts = np.bincount(groups, weights=self.counts, minlength=len(firsts)).astype(self.counts.dtype)
            sizes = {other: self.sizes[other] for other in codes}
            fewer = Cells({other: column[firsts] for other, column in codes.items()}, sizes, counts)
            part = self.apart[name] = PartOf(fewer, groups, self.codes, self.counts, name, self.sizes[name])
        fewer = replace(part.cells, levels=self.levels, labels=self.labels, margins=self.margins, spelt=self.spelt)
        return part.described(fewer)

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class Classes:
    """Cells grouped into equivalence classes: everything that guards look at.

    `ids` is the class of each cell, `counts` the rows of each cell, `rows` the rows of each class; `codes`, `sizes`,
    `levels` and `labels` describe the columns that a guard needs (sensitive, decision, published quasi columns). Where
    `persons` has the persons of each class, they are counted, and the counts of cells are `shares` of them.
    """

    ids: NDArray[np.int64]
    counts: np.ndarray
    rows: np.ndarray
    codes: Mapping[str, NDArray[np.int64]]
    sizes: Mapping[str, int]
    levels: LevelsOf
    labels: Mapping[str, Labels] = field(default_factory=dict)
    spelt: SpeltAlike = field(default_factory=dict, repr=False, compare=False)
    persons: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, cells: Cells, quasi: Sequence[str]) -> Classes:
        ids, total = group_of([(cells.codes[name], cells.sizes[name]) for name in quasi], len(cells))
        return cls.from_ids(ids, total, cells.counts, cells.codes, cells)

    @classmethod
    def from_ids(
        cls, ids: np.ndarray, total: int, counts: np.ndarray, codes: Mapping[str, np.ndarray], cells: Cells
    ) -> Classes:
        rows = np.bincount(ids, weights=counts, minlength=total).astype(np.int64)
        return cls(ids, counts, rows, codes, cells.sizes, cells.levels, cells.labels, cells.spelt)

    def __len__(self) -> int:
        return len(self.rows)

    def keep(self, cells: np.ndarray) -> Classes:
        """Return only the cells where the mask is true, and the classes that have any."""
        ids, counts = self.ids[cells], self.counts[cells]
        rows = np.bincount(ids, weights=counts, minlength=len(self)).astype(np.int64)
        codes = {name: column[cells] for name, column in self.codes.items()}
        return replace(self, ids=(np.cumsum(rows > 0) - 1)[ids], counts=counts, rows=rows[rows > 0], codes=codes)

    def people(self, person: str | None) -> NDArray[np.int64]:
        """Return the number of persons of each class, by the column that says who a row is about; of rows if None."""
        if person is None:
            return self.rows
        if self.persons is not None:
            return self.persons
        return np.bincount(self.ids[self._once(person, self.ids, len(self))], minlength=len(self))

    def by_person(self, person: str | None) -> Classes:
        """Return the same classes with one cell of each person in them, by which all that counts rows counts persons;
        where a person has several cells in a class, the first one remains."""
        if person is None:
            return self
        firsts = self._once(person, self.ids, len(self))
        ids, codes = self.ids[firsts], {name: column[firsts] for name, column in self.codes.items()}
        rows = np.bincount(ids, minlength=len(self))
        return replace(self, ids=ids, codes=codes, counts=np.ones(len(ids), dtype=np.int64), rows=rows)

    def shares(self, person: str | None) -> np.ndarray:
        """Return how much each cell counts: its rows, or their share in all rows of their person, so that every person
        counts once."""
        if person is None or self.persons is not None:
            return self.counts
        codes = self.codes[person]
        return self.counts / np.bincount(codes, weights=self.counts, minlength=self.sizes[person])[codes]

    def with_persons_of(self, cells: np.ndarray, person: str | None) -> np.ndarray:
        """Return the mask of cells, and of all others of the persons who have one of them."""
        if person is None:
            return cells
        persons = np.zeros(self.sizes[person], dtype=bool)
        persons[self.codes[person][cells]] = True
        return persons[self.codes[person]]

    def units(self, cells: np.ndarray, person: str | None) -> int:
        """Return the number of records of a mask of cells, or of the persons who have one of them."""
        if person is None:
            return int(self.counts[cells].sum())
        return int(np.count_nonzero(np.bincount(self.codes[person][cells])))

    def linked(self, person: str) -> Classes:
        """Return the classes of persons whose rows are known to be theirs: people with the same set of classes."""
        pairs = self._once(person, self.ids, len(self))
        order = pairs[np.lexsort((self.ids[pairs], self.codes[person][pairs]))]
        persons, ids = self.codes[person][order], self.ids[order]
        starts = np.flatnonzero(np.diff(persons, prepend=-1))
        sets = [ids[start:end].tobytes() for start, end in pairwise([*starts.tolist(), len(ids)])]
        number_of: dict[bytes, int] = {}
        of_person = np.zeros(self.sizes[person], dtype=np.int64)
        of_person[persons[starts]] = [number_of.setdefault(key, len(number_of)) for key in sets]
        groups = of_person[self.codes[person]]
        rows = np.bincount(groups, weights=self.counts, minlength=len(number_of)).astype(np.int64)
        return replace(self, ids=groups, rows=rows)

    def _once(self, person: str, ids: np.ndarray, total: int) -> NDArray[np.int64]:
        """Return one cell of each pair of a number below `total` and a person."""
        if person not in self.codes:
            raise BadInput(f"persons cannot be counted without column {person!r}")
        return group_firsts(keys_of([(ids, total), (self.codes[person], self.sizes[person])], len(ids)))[1]

    def by(self, names: Sequence[str]) -> tuple[Classes, np.ndarray]:
        """Return the classes by some of the published quasi columns only, and the one that each of these is in."""
        first = self.first_cells()
        of_class, total = group_of([(self.codes[name][first], self.sizes[name]) for name in names], len(self))
        rows = np.bincount(of_class, weights=self.rows, minlength=total).astype(np.int64)
        return replace(self, ids=of_class[self.ids], rows=rows, persons=None), of_class

    def by_each(self, sets: Sequence[Sequence[str]], columns: Sequence[str]) -> tuple[Classes, np.ndarray]:
        """Return the classes by each of these sets of published quasi columns, of as many copies of the cells as there
        are sets, with the codes of `columns`; and, for each set, the one that each of these is in."""
        first = self.first_cells()
        of_class = np.empty((len(sets), len(self)), dtype=np.int64)
        total = 0
        for place, names in enumerate(sets):
            groups, more = group_of([(self.codes[name][first], self.sizes[name]) for name in names], len(self))
            of_class[place] = groups + total
            total += more
        ids, counts = of_class[:, self.ids].reshape(-1), np.tile(self.counts, len(sets))
        rows = np.bincount(of_class.reshape(-1), weights=np.tile(self.rows, len(sets)), minlength=total)
        codes = {name: np.tile(self.codes[name], len(sets)) for name in columns}
        copies = replace(self, ids=ids, counts=counts, rows=rows.astype(np.int64), codes=codes, persons=None)
        return copies, of_class

    def first_cells(self) -> NDArray[np.int64]:
        """Return the first cell of each class."""
        first = np.empty(len(self), dtype=np.int64)
        first[self.ids[::-1]] = np.arange(len(self.ids))[::-1]
        return first

    def with_columns(self, codes: Mapping[str, np.ndarray], labels: Mapping[str, Labels]) -> Classes:
        """Return the same classes, described by additional columns."""
        sizes = {**self.sizes, **{name: len(values) for name, values in labels.items()}}
        return replace(self, codes={**self.codes, **codes}, sizes=sizes, labels={**self.labels, **labels})

    def values(self, column: str) -> list[Any]:
        """Return the values that the codes of a column stand for, as Python objects."""
        labels = self.labels[column]
        return list(labels.to_pylist()) if hasattr(labels, "to_pylist") else list(labels)

    def histogram(self, column: str, known: bool = False, person: str | None = None) -> ClassHistogram:
        """Return how often each value of a column occurs in each class, without zeros, sorted by class.

        If only `known` values count, missing and blank ones do not, and those that differ in case or outer blanks are
        one; `rows` has then the rows of each class with a value, possibly none. If a column says which `person` a row
        is about, persons are counted: each with every value of theirs, so that shares may sum to more than 1.
        """
        size, ids, codes, weights, rows = self.sizes[column], self.ids, self.codes[column], self.counts, self.rows
        same = spelt_alike(self, column) if known else None
        if same is not None:
            codes = same[codes]
        if person is not None:
            return self._people_with(codes, size, person)
        if same is not None:
            inside = codes >= 0
            ids, codes, weights = ids[inside], codes[inside], weights[inside]
            rows = np.bincount(ids, weights=weights, minlength=len(rows)).astype(np.int64)
        distinct, counts = tallied(ids * size + codes, weights, len(rows) * size)
        return ClassHistogram(distinct // size, distinct % size, counts, rows, size)

    def different(self, column: str, known: bool = False) -> np.ndarray:
        """Return the number of different values of a column in each class; see `histogram` for `known`."""
        ids, codes, size = self.ids, self.codes[column], self.sizes[column]
        same = spelt_alike(self, column) if known else None
        if same is not None:
            codes = same[codes]
            inside = codes >= 0
            ids, codes = ids[inside], codes[inside]
        pairs, total = ids * size + codes, len(self) * size
        if total > MAX_FLAGS * len(pairs):
            of_pair = pairs[group_firsts(pairs)[1]]
        else:
            flags = np.zeros(total, dtype=bool)
            flags[pairs] = True
            of_pair = np.flatnonzero(flags)
        return np.bincount(of_pair // size, minlength=len(self))

    def values_of_people(self, column: str, known: bool, person: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the class, the person and the value of each different triple; see `histogram` for `known`."""
        codes, same = self.codes[column], spelt_alike(self, column) if known else None
        ids, persons = self.ids, self.codes[person]
        if same is not None:
            codes = same[codes]
            inside = codes >= 0
            ids, persons, codes = ids[inside], persons[inside], codes[inside]
        columns = [(ids, len(self)), (persons, self.sizes[person]), (codes, self.sizes[column])]
        triples = group_firsts(keys_of(columns, len(ids)))[1]
        return ids[triples], persons[triples], codes[triples]

    def _people_with(self, codes: np.ndarray, size: int, person: str) -> ClassHistogram:
        """Return the histogram of codes by persons; a code of -1 is no value."""
        inside = np.flatnonzero(codes >= 0)
        known = replace(
            self, ids=self.ids[inside], codes={person: self.codes[person][inside]}, sizes={person: self.sizes[person]}
        )
        pairs = known.ids * size + codes[inside]
        one_each = known._once(person, pairs, len(self) * size)
        distinct, counts = tallied(pairs[one_each], np.ones(len(one_each)), len(self) * size)

        def whole() -> np.ndarray:
            in_whole = known._once(person, codes[inside], size)
            persons = int((np.bincount(known.codes[person]) > 0).sum())
            shares: np.ndarray = np.bincount(codes[inside][in_whole], minlength=size) / max(persons, 1)
            return shares

        members = known.ids, known.codes[person], self.counts[inside]
        return ClassHistogram(distinct // size, distinct % size, counts, known.people(person), size, whole, members)


def spelt_alike(cells: Cells | Classes, column: str) -> NDArray[np.int64] | None:
    """Return the `spellings` of a column, computed once for all classes of the same cells."""
    labels = cells.labels[column]
    computed = cells.spelt.get(column)
    if computed is None or computed[0] is not labels:
        computed = cells.spelt[column] = (labels, spellings(labels))
    return computed[1]


def several(persons: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether any person has several different numbers."""
    first = np.zeros(int(persons.max(initial=-1)) + 1, dtype=np.int64)
    first[persons] = numbers
    return bool((first[persons] != numbers).any())


def class_columns(schema: Schema, present: Collection[str], columns: Sequence[str] | None = None) -> list[str]:
    """Return the columns that describe equivalence classes: the quasi columns, and the sensitive, protected, decision,
    weight, plain and person columns that are present; of the plain ones only those in `columns`, unless it is None."""
    plain = schema.plain if columns is None else columns
    others = (*schema.sensitive, *schema.protected, schema.decision, schema.weight, *plain, schema.person)
    return list(dict.fromkeys([*schema.quasi, *(name for name in others if name in present and name is not None)]))


def classes_of(
    table: Table, schema: Schema, counts: np.ndarray | None = None, columns: Sequence[str] | None = None
) -> tuple[Classes, np.ndarray]:
    """Return the equivalence classes of a table as it is, described by `class_columns`, and the class of each row.

    `counts`: how many rows each row stands for. `columns`: the plain columns that guards look at; None: all of them.
    """
    classes, cell_of_row = numbered_classes(table, schema, counts, columns)
    return classes, narrow(classes.ids, len(classes))[cell_of_row]


def numbered_classes(
    table: Table, schema: Schema, counts: np.ndarray | None = None, columns: Sequence[str] | None = None
) -> tuple[Classes, np.ndarray]:
    """Return the equivalence classes as `classes_of` does, and the cell of each row."""
    table.need(schema.quasi)
    names = class_columns(schema, table.names, columns)
    levels = {
        name: rule.bind(table.column(name).domain, name)
        for name, rule in schema.hierarchies.items()
        if name in names and name not in (*schema.quasi, *schema.levels)
    }
    cells, cell_of_row = Cells.numbered(table, names, levels)
    if counts is not None:
        totals = np.bincount(cell_of_row, weights=counts, minlength=len(cells)).astype(np.int64)
        cells = replace(cells, counts=totals)
    return Classes.of(cells, schema.quasi), cell_of_row
