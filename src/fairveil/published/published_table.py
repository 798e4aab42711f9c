"""PublishedTable: a published table as guards, measures, attacks and the report see it: by counts, never row by row.

>>> import pyarrow as pa
>>> table = InMemoryTable(Table.from_frame(pa.table({"sex": ["F", "M"], "age": [31, 40]})), np.array([3, 1]))
>>> table.rows, table.count(["sex"]).counts.tolist(), table.sizes(["age"])
(4, [3, 1], {1: 1, 3: 1})

InMemoryTable  rows in memory, each standing for as many published rows as its count says (one without counts)
CountedTable   rows that are not loaded (`parquet.py`). The columns that guards need are counted together, once; other
               columns only when requested, because a column of many values would make every row a distinct tuple
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.ordering import is_in_order, ranks_of
from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.table import Column, Table
from fairveil.data.writers import FORMATS, Format, pieces_of, write_table
from fairveil.errors import BadInput
from fairveil.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

LARGE = 1 << 22
"""A release with more rows is only counted, not loaded."""
Sizes = Mapping[int, int]
"""The number of distinct tuples for each number of rows that a tuple occurs in."""


class PublishedTable(Protocol):
    """One published table."""

    @property
    def rows(self) -> int: ...

    @property
    def names(self) -> list[str]: ...

    @property
    def types(self) -> Mapping[str, str]:
        """The type of each column."""
        ...

    @property
    def has_rows(self) -> bool:
        """Whether `table` can return the rows."""
        ...

    @property
    def table(self) -> Table:
        """All rows, for what cannot be told by counts; refused where they are only counted."""
        ...

    def domain(self, name: str) -> Column:
        """The distinct values of a column, each once, sorted; a missing value is the last."""
        ...

    def count(self, names: Sequence[str]) -> Cells:
        """The distinct tuples of these columns, sorted by value, and how often each occurs."""
        ...

    def sizes(self, names: Sequence[str]) -> Sizes:
        """For each number of occurrences, how many distinct tuples of these columns have it."""
        ...

    def frequent(self, name: str, most: int) -> tuple[list[Any], int]:
        """The `most` most frequent values of a column, ties in the order of their text, and the number of distinct
        values."""
        ...

    def in_order(self) -> bool:
        """Whether the rows are sorted by value."""
        ...

    @property
    def formats(self) -> Sequence[Format]:
        """The formats in which it can be written."""
        ...

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        """Write the rows into a folder."""
        ...

    def in_pieces(self) -> tuple[pa.Schema, Generator[pa.Table, None, None]]:
        """The schema, and the rows piece by piece, to be written elsewhere."""
        ...


@dataclass(frozen=True)
class InMemoryTable:
    """Rows in memory, with the number of rows that each stands for."""

    distinct: Table
    counts: np.ndarray | None = None

    @property
    def rows(self) -> int:
        return self.distinct.rows if self.counts is None else int(self.counts.sum())

    @property
    def names(self) -> list[str]:
        return self.distinct.names

    @property
    def types(self) -> Mapping[str, str]:
        return {column.name: str(column.values.type) for column in self.distinct.columns}

    @property
    def has_rows(self) -> bool:
        return self.counts is None or self.rows <= LARGE

    @cached_property
    def table(self) -> Table:
        if self.counts is None:
            return self.distinct
        if not self.has_rows:
            raise only_counted(self.rows)
        return self.distinct.take(np.repeat(np.arange(self.distinct.rows), self.counts))

    def domain(self, name: str) -> Column:
        column = self.distinct.column(name).compact()
        return Column(name, np.arange(len(column.values)), column.values)

    def count(self, names: Sequence[str]) -> Cells:
        return in_value_order(Cells.of(self.distinct, names, counts=self.counts))

    def sizes(self, names: Sequence[str]) -> Sizes:
        return sizes_of(Cells.of(self.distinct, names, counts=self.counts).counts)

    def frequent(self, name: str, most: int) -> tuple[list[Any], int]:
        column = self.distinct.column(name)
        counts = np.bincount(column.codes, weights=self.counts, minlength=len(column.values))
        pairs = ((value, n) for value, n in zip(column.domain, counts.tolist(), strict=True) if n)
        return most_frequent(pairs, most), int((counts > 0).sum())

    def in_order(self) -> bool:
        columns = self.distinct.columns
        return is_in_order((ranks_of(column.values)[column.codes] for column in columns), self.distinct.rows)

    @property
    def formats(self) -> Sequence[Format]:
        return FORMATS

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        write_table(self.distinct, folder, name, format, progress, self.counts)

    def in_pieces(self) -> tuple[pa.Schema, Generator[pa.Table, None, None]]:
        return pieces_of(self.distinct, self.counts)


class CountedTable:
    """Rows that are not loaded. `together` are the columns that are counted together, once."""

    rows: int
    names: list[str]
    types: Mapping[str, str]
    has_rows = False

    def __init__(self, together: Iterable[str]) -> None:
        self.together = tuple(together)
        self._apart: dict[tuple[str, ...], InMemoryTable] = {}

    def distinct(self, names: Sequence[str]) -> InMemoryTable:
        """The distinct tuples of these columns, loaded into memory."""
        raise NotImplementedError

    @property
    def table(self) -> Table:
        raise only_counted(self.rows)

    @cached_property
    def _together(self) -> InMemoryTable:
        return self.distinct(self.together)

    def is_here(self, names: Iterable[str]) -> bool:
        return set(names) <= set(self.together)

    def loaded(self, names: Sequence[str]) -> InMemoryTable:
        """The distinct tuples of at least these columns."""
        if self.is_here(names):
            return self._together
        key = tuple(names)
        if key not in self._apart:
            self._apart[key] = self.distinct(key)
        return self._apart[key]

    def domain(self, name: str) -> Column:
        return self.loaded([name]).domain(name)

    def count(self, names: Sequence[str]) -> Cells:
        return self.loaded(names).count(names)

    def sizes(self, names: Sequence[str]) -> Sizes:
        return self.loaded(names).sizes(names)

    def frequent(self, name: str, most: int) -> tuple[list[Any], int]:
        return self.loaded([name]).frequent(name, most)


def only_counted(rows: int) -> BadInput:
    return BadInput(f"this needs the rows of the release, and {rows:,} are too many to load: they are only counted")


def in_value_order(cells: Cells) -> Cells:
    """The same cells, sorted by value, so that results do not depend on the engine."""
    keys = PackedKeys.of({name: size for name, size in cells.sizes.items() if size > 1}).pack(cells.codes)
    order = np.lexsort(keys[::-1]) if keys else np.arange(len(cells))
    codes = {name: column[order] for name, column in cells.codes.items()}
    return replace(cells, codes=codes, counts=cells.counts[order])


def sizes_of(counts: np.ndarray) -> Sizes:
    sizes, groups = np.unique(counts, return_counts=True)
    return dict(zip(sizes.tolist(), groups.tolist(), strict=True))


def most_frequent(pairs: Iterable[tuple[Any, float]], most: int) -> list[Any]:
    """The most frequent of these (value, count) pairs; ties in the order of their text."""
    return [value for value, _ in nsmallest(most, pairs, key=lambda pair: (-pair[1], str(pair[0])))]
