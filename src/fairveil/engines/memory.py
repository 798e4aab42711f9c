"""InMemoryTable: rows in memory, as a source and as a published table.

>>> import pyarrow as pa
>>> table = InMemoryTable(Table.from_frame(pa.table({"sex": ["F", "M"], "age": [31, 40]})), np.array([3, 1]))
>>> table.rows, table.count(["sex"]).counts.tolist(), table.sizes(["age"])
(4, [3, 1], {1: 1, 3: 1})
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.ordering import content_order, is_in_order, ranked
from fairveil.counting.tuples import group_of
from fairveil.data.canonical import published_table
from fairveil.data.snapshot import Snapshot
from fairveil.data.table import Column, Table
from fairveil.data.writers import FORMATS, Format, pieces_of, write_table
from fairveil.engines.relation import Order, PublishedTable, Sizes, frequent_of, rolled_up, sizes_of
from fairveil.errors import BadInput
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    import pyarrow as pa

    from fairveil.data.dialect import Dialect
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.engines.lazy import LazySource
    from fairveil.progress import Progress
    from fairveil.recipes.change import Change

LARGE = 1 << 22
"""A release with more rows is only counted, not loaded."""
LARGE_COUNTS = 1 << 18
"""Counts of a table with more rows are not kept beside it: they take more memory than its codes."""
MAX_TUPLES = 1 << 23
"""Maximum number of distinct tuples of a release that are loaded into memory."""


def only_counted(rows: int) -> BadInput:
    return BadInput(f"this needs the rows of the release, and {rows:,} are too many to load: they are only counted")


@dataclass(frozen=True)
class InMemoryTable:
    """A table each of whose rows stands for as many rows as `counts` says; without counts, for one. `whole`: there is
    memory for all of these rows, however many. `fetched_from` is the source on an engine that the rows come from, if a
    method needed them here."""

    distinct: Table
    counts: np.ndarray | None = None
    whole: bool = False
    fetched_from: LazySource | None = field(default=None, repr=False, compare=False)

    engine = None
    formats = FORMATS

    @property
    def rows(self) -> int:
        return self.distinct.rows if self.counts is None else int(self.counts.sum())

    @property
    def kind(self) -> str:
        return self.distinct.kind

    @property
    def dropped(self) -> int:
        return self.distinct.dropped

    @property
    def dialect(self) -> Dialect | None:
        """The dialect by which the table's file was read; None if there was no file."""
        return self.distinct.dialect

    @property
    def read_as(self) -> Mapping[str, str]:
        """What was inferred about that file."""
        return self.distinct.read_as

    @property
    def snapshot(self) -> Snapshot:
        """The state of the rows, which are in memory: that of their file or table when it was read."""
        if self.fetched_from is not None:
            return Snapshot(name=str(self.fetched_from.snapshot))
        origin = self.distinct.origin
        if origin is None:
            return Snapshot(name="the rows in memory")
        return Snapshot(name=str(origin[3]), notes=origin[3].notes)

    @property
    def inferred(self) -> frozenset[str]:
        return self.distinct.inferred

    @property
    def by_cell(self) -> bool:
        return self.distinct.by_cell

    @property
    def decimal(self) -> str | None:
        return self.distinct.decimal

    @property
    def names(self) -> list[str]:
        return self.distinct.names

    @property
    def has_rows(self) -> bool:
        return self.counts is None or self.whole or self.rows <= LARGE

    @property
    def ordered(self) -> bool:
        return self.fetched_from is None

    @cached_property
    def table(self) -> Table:
        if self.counts is None:
            return self.distinct
        if not self.has_rows:
            raise only_counted(self.rows)
        return self.distinct.take(np.repeat(np.arange(self.distinct.rows), self.counts))

    @property
    def judged_table(self) -> Table:
        """The rows with all columns that guards may look at: those of the table, and more in `JoinedTable`."""
        return self.table

    def need(self, names: Sequence[str]) -> None:
        for name in names:
            self.distinct.column(name)

    def type_of(self, name: str) -> pa.DataType:
        return self.distinct.column(name).values.type

    def domain(self, name: str) -> Column:
        column = self.distinct.column(name)
        values = Column(name, np.arange(len(column.values)), column.values)
        vars(values)["domain"] = column.domain  # the conversion to Python objects may already be done
        return values

    @cached_property
    def _counted(self) -> dict[tuple[str, ...], Cells]:
        """Cached counts: searches in a table and the release of a result count the same columns. Those of a large table
        are kept only as long as this source."""
        if self.counts is not None or self.distinct.rows > LARGE_COUNTS:
            return {}
        counted: dict[tuple[str, ...], Cells] = vars(self.distinct).setdefault("_counted", {})
        return counted

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        key = tuple(dict.fromkeys(names))
        if key not in self._counted:
            finer = rolled_up(self._counted, key)
            self._counted[key] = finer or Cells.of(self.distinct, key, counts=self.counts)
        cells = self._counted[key]
        return replace(cells, levels=levels) if levels else cells

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        """Without the cells, unless they are counted: there may be nearly as many as rows."""
        if named or any({*names} <= {*key} for key in self._counted):
            return sizes_of(self.count(names), named=named)
        columns = [self.distinct.column(name) for name in names]
        groups, total = group_of([(column.codes, len(column.values)) for column in columns], self.distinct.rows)
        return Sizes.of(np.bincount(groups, weights=self.counts, minlength=total).astype(np.int64))

    def frequent(self, name: str, max_values: int) -> tuple[list[Any], int]:
        return frequent_of(self.count([name]), max_values)

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        return pieces_of(self.distinct, rows, self.counts)

    def in_order(self) -> bool:
        return is_in_order(map(ranked, self.distinct.columns), self.distinct.rows)

    def equals(self, other: InMemoryTable) -> bool:
        """Whether the other table has the same values of the same types in the same rows, repeated in the same way."""
        if self.names != other.names or self.has_rows != other.has_rows or self.rows != other.rows:
            return False
        if self.counts is not None and other.counts is not None:
            if not np.array_equal(self.counts, other.counts):
                return False
        elif self.counts is not None or other.counts is not None:
            return InMemoryTable(self.table).equals(InMemoryTable(other.table))
        columns = zip(self.distinct.columns, other.distinct.columns, strict=True)
        return all(own.values.equals(its.values) and np.array_equal(own.codes, its.codes) for own, its in columns)

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        write_table(self.distinct, folder, name, format, progress, self.counts)

    def watched(self, progress: Progress | None) -> InMemoryTable:
        return self

    def only(self, names: Sequence[str]) -> InMemoryTable:
        return InMemoryTable(self.distinct.select(names), self.counts)

    def cell_by_cell(self) -> InMemoryTable:
        by_cell = self.distinct.cell_by_cell
        return self if by_cell is self.distinct else InMemoryTable(by_cell)

    def at_levels(self, schema: Schema) -> InMemoryTable:
        recoded = schema.at_levels(self.distinct)
        return self if recoded is self.distinct else InMemoryTable(recoded, self.counts)

    def publish(
        self, change: Change, *, order: Order = "sorted"
    ) -> tuple[dict[str, PublishedTable], np.ndarray | None]:
        kept = np.arange(self.rows) if change.groups is None else np.flatnonzero(change.groups >= 0)
        if change.suppressed is not None:
            _, cell_of_row = Cells.numbered(self.judged_table, change.columns)
            kept = np.flatnonzero(~change.suppressed[cell_of_row])
        outcome, schema = change.of_rows(self.table, kept), change.recipe.schema
        as_read = [name for name in self.inferred if change.recipe.publishes_as_read(name)]
        tables = {name: published_table(table, schema, as_read) for name, table in outcome.tables.items()}
        if change.recipe.splits:  # sorted separately, so that rows cannot be linked by position
            return {name: InMemoryTable(table.take(content_order(table))) for name, table in tables.items()}, None
        table, rows = tables[ONLY], outcome.source_rows
        rows = np.arange(table.rows) if rows is None else rows
        if order == "sorted":
            ordered = content_order(table)
            table, rows = table.take(ordered), rows[ordered]
        return {ONLY: InMemoryTable(table.compact())}, rows

    def fingerprint(self) -> str:
        return fingerprint([column for column in self.table.columns if not column.unreadable])


def fingerprint(columns: Sequence[Column], counts: np.ndarray | None = None) -> str:
    """The SHA-256 of columns, with their types and values, and of the counts of their rows."""
    digest = hashlib.sha256()
    for column in columns:
        digest.update(json.dumps([column.name, [str(value) for value in column.domain]]).encode())
        digest.update(str(column.values.type).encode())
        digest.update(np.ascontiguousarray(column.codes, dtype=np.int64).tobytes())
    if counts is not None:
        digest.update(np.ascontiguousarray(counts, dtype=np.int64).tobytes())
    return digest.hexdigest()
