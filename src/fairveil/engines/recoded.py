"""RecodedSource: a source on any engine with some columns recoded by a lookup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.memory import InMemorySource
from fairveil.engines.source import Order, Sink, Source, Spread
from fairveil.progress import Progress
from fairveil.recipes.change import Change

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class RecodedSource:
    """`lookups[name].codes[i]` is the new code of code i of a column; `lookups[name].values` are the new values."""

    source: Source
    lookups: Mapping[str, Column]

    @property
    def rows(self) -> int:
        return self.source.rows

    @property
    def dropped(self) -> int:
        return self.source.dropped

    @property
    def kind(self) -> str:
        return self.source.kind

    @property
    def inferred(self) -> frozenset[str]:
        return self.source.inferred - self.lookups.keys()

    @property
    def has_rows(self) -> bool:
        return self.source.has_rows

    @property
    def names(self) -> list[str]:
        return self.source.names

    def domain(self, name: str) -> Column:
        if name not in self.lookups:
            return self.source.domain(name)
        values = self.lookups[name].values
        return Column(name, np.arange(len(values)), values)

    def type_of(self, name: str) -> pa.DataType:
        return self.domain(name).values.type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        cells = self.source.count(names)
        return Cells.of(self._recode(cells.table()), names, levels, cells.counts)

    def _recode(self, table: Table) -> Table:
        return table.with_columns(
            Column(name, lookup.codes[table.column(name).codes], lookup.values)
            for name, lookup in self.lookups.items()
            if name in table
        )

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        return Spread.of(self, names, named)

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        return map(self._recode, self.source.blocks(names))

    @cached_property
    def _memory(self) -> InMemorySource:
        [rows] = self.blocks()
        return InMemorySource(rows)

    def watched(self, progress: Progress | None) -> RecodedSource:
        return self

    def at_levels(self, schema: Schema) -> Source:
        return self._memory.at_levels(schema)

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> np.ndarray | None:
        return self._memory.publish(change, sink, order=order)

    def fingerprint(self) -> str:
        return self._memory.fingerprint()
