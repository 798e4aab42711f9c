"""InMemorySource: a table in memory as a source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.ordering import content_order
from fairveil.data.canonical import published_table
from fairveil.data.dialect import Dialect
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.source import Order, Sink, Spread
from fairveil.progress import Progress
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class InMemorySource:
    """A table."""

    table: Table

    @property
    def rows(self) -> int:
        return self.table.rows

    @property
    def kind(self) -> str:
        return self.table.kind

    @property
    def dropped(self) -> int:
        return self.table.dropped

    @property
    def dialect(self) -> Dialect | None:
        """The dialect by which the table's file was read; None if there was no file."""
        return self.table.dialect

    @property
    def read_as(self) -> Mapping[str, str]:
        """What was inferred about that file."""
        return self.table.read_as

    @cached_property
    def _counted(self) -> dict[tuple[str, ...], Cells]:
        """Cached counts: a search and the release of its result count the same columns."""
        return {}

    @property
    def inferred(self) -> frozenset[str]:
        return self.table.inferred

    @property
    def has_rows(self) -> bool:
        return True

    @property
    def names(self) -> list[str]:
        return self.table.names

    def domain(self, name: str) -> Column:
        column = self.table.column(name)
        values = Column(name, np.arange(len(column.values)), column.values)
        vars(values)["domain"] = column.domain  # the conversion to Python objects may already be done
        return values

    def type_of(self, name: str) -> pa.DataType:
        return self.domain(name).values.type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        key = tuple(dict.fromkeys(names))
        if key not in self._counted:
            self._counted[key] = Cells.of(self.table, key)
        cells = self._counted[key]
        return replace(cells, levels=levels) if levels else cells

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        return Spread.of(self, names, named)

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        yield self.table if names is None else self.table.select(names)

    def watched(self, progress: Progress | None) -> InMemorySource:
        return self

    def at_levels(self, schema: Schema) -> InMemorySource:
        recoded = schema.at_levels(self.table)
        return self if recoded is self.table else InMemorySource(recoded)

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> np.ndarray | None:
        kept = np.arange(self.rows) if change.groups is None else np.flatnonzero(change.groups >= 0)
        if change.suppressed is not None:
            _, cell_of_row = Cells.numbered(self.table, change.columns)
            kept = np.flatnonzero(~change.suppressed[cell_of_row])
        outcome, schema = change.of_rows(self.table, kept), change.recipe.schema
        as_read = [name for name in self.table.inferred if change.recipe.publishes_as_read(name)]
        tables = {name: published_table(table, schema, as_read) for name, table in outcome.tables.items()}
        if change.recipe.splits:  # sorted separately, so that rows cannot be linked by position
            for name, table in tables.items():
                sink.put(name, table.take(content_order(table)))
            return None
        table, rows = tables[ONLY], outcome.source_rows
        rows = np.arange(table.rows) if rows is None else rows
        if order == "sorted":
            ordered = content_order(table)
            table, rows = table.take(ordered), rows[ordered]
        sink.put(ONLY, table.compact())
        return rows

    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for column in self.table.columns:
            digest.update(json.dumps([column.name, [str(value) for value in column.domain]]).encode())
            digest.update(str(column.values.type).encode())
            digest.update(np.ascontiguousarray(column.codes, dtype=np.int64).tobytes())
        return digest.hexdigest()
