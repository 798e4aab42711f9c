"""Relations: what can be read of a table wherever it is: names, types, domains, counts and rows in pieces.

Source data, published rows and written files are all relations, and rows may carry counts:

Source          the data that is to be published, in memory or on an engine; usually only counts leave the engine
PublishedTable  one published table, not yet written or read back, as guards, measures, attacks and the report see it

InMemoryTable (`memory.py`) and the Parquet files of a release (`published/parquet.py`) are both.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.kernels.sorted_runs import count_keys
from fairveil.counting.packed_keys import PackedKeys
from fairveil.counting.threads import by_column
from fairveil.counting.tuples import KEY_BITS, group_of
from fairveil.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.data.snapshot import Snapshot
    from fairveil.data.table import Column, Table
    from fairveil.data.writers import Format
    from fairveil.engines.lazy import LazySource
    from fairveil.progress import Progress
    from fairveil.recipes.change import Change

Order = Literal["sorted", "keep"]
"""Published rows sorted by value, or in the order of the source."""


class TooManyCells(BadInput):
    """More distinct tuples than may leave the engine."""


class Sizes(dict[int, int]):
    """The number of distinct tuples for each number of rows that a tuple occurs in.

    >>> sizes = Sizes.of(np.array([1, 3, 1]))
    >>> sizes, sizes.distinct, sizes.alone, sizes.largest, sizes.together, sizes.most(2)
    ({1: 2, 3: 1}, 3, 2, 3, 3, 4)
    """

    @classmethod
    def of(cls, counts: np.ndarray) -> Sizes:
        if counts.dtype.kind == "i" and len(counts) and counts.max() <= len(counts):  # a tally is quicker than sorting
            tally = np.bincount(counts)
            sizes, tuples = np.flatnonzero(tally), tally[tally > 0]
        else:
            sizes, tuples = np.unique(counts, return_counts=True)
        return cls(zip(sizes.tolist(), tuples.tolist(), strict=True))

    @property
    def distinct(self) -> int:
        """The number of distinct tuples."""
        return sum(self.values())

    @property
    def alone(self) -> int:
        """The number of unique rows."""
        return self.get(1, 0)

    @property
    def largest(self) -> int:
        """The number of rows with the most frequent tuple."""
        return max(self, default=0)

    @property
    def together(self) -> int:
        """The number of rows that are not unique."""
        return sum(rows * tuples for rows, tuples in self.items()) - self.alone

    def below(self, k: int) -> int:
        """The number of rows whose tuple occurs in fewer than `k` rows."""
        return sum(rows * tuples for rows, tuples in self.items() if rows < k)

    def most(self, tuples: int) -> int:
        """The number of rows of the most frequent `tuples` together."""
        rows = 0
        for size in sorted(self, reverse=True):
            taken = min(tuples, self[size])
            rows, tuples = rows + size * taken, tuples - taken
        return rows

    def threshold(self, wanted: int) -> int:
        """The number of rows that each of the `wanted` most frequent tuples has at least."""
        listed = 0
        for rows in sorted(self, reverse=True):
            listed += self[rows]
            if listed >= wanted:
                return rows
        return 1


class Relation(Protocol):
    """A table, wherever it is."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        ...

    @property
    def names(self) -> list[str]:
        """The columns."""
        ...

    @property
    def has_rows(self) -> bool:
        """Whether `table` returns the rows; without them, what needs rows raises BadInput."""
        ...

    @property
    def table(self) -> Table:
        """All rows, for what cannot be computed from counts; codes are those of `domain`. Raises BadInput if they are
        not in memory."""
        ...

    def type_of(self, name: str) -> pa.DataType:
        """The type of a column, without reading its values if the relation has types."""
        ...

    def domain(self, name: str) -> Column:
        """The distinct values of a column, each once, sorted; a missing value is the last."""
        ...

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        """The distinct tuples of these columns and how often each occurs; always in the same order."""
        ...

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        """How many distinct tuples of these columns occur how often; with `named`, rows with a missing value there are
        left out."""
        ...

    def frequent(self, name: str, max_values: int) -> tuple[list[Any], int]:
        """The `max_values` most frequent values of a column, ties in the order of their text, and the number of
        distinct values."""
        ...

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        """Yield all rows in order, in tables of `rows` rows, the last one shorter, to be written elsewhere."""
        ...


class PublishedTable(Relation, Protocol):
    """One published table, whose rows have an order."""

    @property
    def formats(self) -> Sequence[Format]:
        """The formats in which it can be written."""
        ...

    def in_order(self) -> bool:
        """Whether the rows are sorted by value."""
        ...

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        """Write the rows into a folder."""
        ...


class Source(Relation, Protocol):
    """Data that is to be published."""

    def need(self, names: Sequence[str]) -> None:
        """Raise BadInput for columns that do not exist or have values that cannot be published."""
        ...

    @property
    def dropped(self) -> int:
        """The number of rows left out on reading because of missing values."""
        ...

    @property
    def snapshot(self) -> Snapshot:
        """The one state of the data that is counted, judged and published."""
        ...

    @property
    def kind(self) -> str:
        """The kind of frame that was given, and that a user gets back."""
        ...

    @property
    def inferred(self) -> frozenset[str]:
        """The columns that were read as text, and whose type is inferred from their values."""
        ...

    @property
    def decimal(self) -> str | None:
        """The decimal separator of numbers that were read as text; None: inferred per column."""
        ...

    @property
    def by_cell(self) -> bool:
        """Whether each cell was read by itself, so that no record decided how others are read."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether its rows are in the order in which they were given; those of an engine have none."""
        ...

    @property
    def engine(self) -> LazySource | None:
        """This source, if it is on an engine that merges values, works block by block and writes tables; else None."""
        ...

    def watched(self, progress: Progress | None) -> Source:
        """The same source, whose queries stop when this progress is cancelled."""
        ...

    def cell_by_cell(self) -> Source:
        """The same data, each cell read by itself (`CellDialect`)."""
        ...

    def only(self, names: Sequence[str]) -> Source:
        """Only these columns, in this order."""
        ...

    def at_levels(self, schema: Schema) -> Source:
        """The same data with the columns of `schema.levels` generalized."""
        ...

    def publish(
        self, change: Change, *, order: Order = "sorted"
    ) -> tuple[dict[str, PublishedTable], np.ndarray | None]:
        """Return the published tables, and the source row behind each published row if the source is in memory and one
        table is published, else None."""
        ...

    def fingerprint(self) -> str:
        """A checksum of columns, values and rows, in order: the same for the same data."""
        ...


def types_of(relation: Relation) -> dict[str, str]:
    """The name of each column's type."""
    return {name: str(relation.type_of(name)) for name in relation.names}


def arrow_schema(relation: Relation) -> pa.Schema:
    """The columns and their types."""
    import pyarrow as pa

    return pa.schema([(name, relation.type_of(name)) for name in relation.names])


def in_value_order(cells: Cells) -> Cells:
    """The same cells, sorted by value, so that results do not depend on the engine."""
    codes, counts = distinct_in_order(cells.codes, cells.sizes, cells.counts)
    return replace(cells, codes=codes, counts=counts)


def distinct_in_order(
    codes: Mapping[str, np.ndarray], sizes: Mapping[str, int], counts: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The distinct tuples of coded columns, sorted by value, and the sum of their counts."""
    keys = PackedKeys.of({name: size for name, size in sizes.items() if size > 1})
    wide = by_column(lambda name: codes[name].astype(np.int64), list(keys.sizes), len(counts))
    packed = keys.pack(dict(zip(keys.sizes, wide, strict=True))) or [np.zeros(len(counts), np.int64)]
    ordered, summed = _summed(packed, counts)
    unpacked = keys.unpack(ordered) if keys.sizes else {}
    absent = np.zeros(len(summed), dtype=np.int64)
    ordered_codes = by_column(lambda name: unpacked.get(name, absent).astype(np.int64), list(sizes), len(summed))
    return dict(zip(sizes, ordered_codes, strict=True)), summed


def _summed(keys: Sequence[np.ndarray], counts: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """The distinct keys, sorted, and the sum of the counts of each."""
    bits = int(counts.max()).bit_length() if len(counts) and counts.dtype.kind == "i" else KEY_BITS
    if len(keys) == 1 and len(counts) and int(keys[0].max()).bit_length() + bits <= KEY_BITS:
        together = keys[0] << bits | counts  # sorted with their counts as last digits
        times = np.empty_like(together)
        distinct = count_keys(together, times)
        packed, counts = [together[:distinct] >> bits], (together[:distinct] & ((1 << bits) - 1)) * times[:distinct]
    else:
        order = np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])
        packed, counts = [key[order] for key in keys], counts[order]
    is_first = np.ones(len(counts), dtype=bool)
    is_first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in packed])
    firsts = np.flatnonzero(is_first)
    if len(firsts) == len(counts):
        return packed, counts
    return [key[firsts] for key in packed], np.add.reduceat(counts, firsts)


def rolled_up(counted: Mapping[tuple[str, ...], Cells], names: Sequence[str]) -> Cells | None:
    """The cells of these columns, aggregated from cells of these or more columns; None if there are none."""
    finer = [cells for key, cells in counted.items() if set(names) <= set(key)]
    if not finer:
        return None
    cells = min(finer, key=len)
    chosen = replace(cells, codes={name: cells.codes[name] for name in names})
    return Cells.of(chosen.table(), names, counts=cells.counts)


def sizes_of(cells: Cells, *, named: bool = False) -> Sizes:
    """The sizes of cells; with `named`, without those that have a missing value."""
    kept = np.ones(len(cells), dtype=bool)
    for column in cells.table().columns if named else ():
        if column.has_missing:
            kept &= column.codes != len(column.values) - 1
    return Sizes.of(cells.counts[kept])


def frequent_of(cells: Cells, max_values: int) -> tuple[list[Any], int]:
    """The most frequent values of the cells of one column, and the number of distinct values."""
    [column] = cells.table().columns
    often = np.arange(len(cells))
    if 0 < max_values < len(cells):
        often = np.flatnonzero(cells.counts >= np.partition(cells.counts, -max_values)[-max_values])
    values = (column.domain[code] for code in column.codes[often])
    return most_frequent(zip(values, cells.counts[often].tolist(), strict=True), max_values), len(cells)


def most_frequent(pairs: Iterable[tuple[Any, float]], max_values: int) -> list[Any]:
    """The most frequent of these (value, count) pairs; ties in the order of their text."""
    return [value for value, _ in nsmallest(max_values, pairs, key=lambda pair: (-pair[1], str(pair[0])))]


def suppressed_cells(source: Source, change: Change, cells: Cells) -> np.ndarray:
    """Which cells are suppressed; they may have more columns than those the change suppresses by."""
    if change.suppressed is None:
        return np.zeros(len(cells), dtype=bool)
    judged = source.count(change.columns)
    if cells.codes is judged.codes:
        return change.suppressed.copy()
    both = [(np.concatenate([judged.codes[n], cells.codes[n]]), judged.sizes[n]) for n in change.columns]
    groups, total = group_of(both, len(judged) + len(cells))
    left_out = np.zeros(total, dtype=bool)
    left_out[groups[: len(judged)]] = change.suppressed
    return left_out[groups[len(judged) :]]


def without_suppressed(source: Source, change: Change, cells: Cells) -> Cells:
    """The cells that are not suppressed; they may have more columns than those the change suppresses by."""
    if change.suppressed is None:
        return cells
    kept = ~suppressed_cells(source, change, cells)
    return replace(cells, codes={name: codes[kept] for name, codes in cells.codes.items()}, counts=cells.counts[kept])
