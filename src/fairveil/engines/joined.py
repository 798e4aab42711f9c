"""JoinedTable: a source in memory whose rows are also in classes of earlier releases: one more column, never published.

>>> import pyarrow as pa
>>> people = Table.from_frame(pa.table({"sex": ["F", "M", "F"]}))
>>> source = JoinedTable(people, earlier=np.array([0, 1, 1]))
>>> source.names, len(source.count(["sex"])), len(source.count(["sex", EARLIER]))
(['sex'], 2, 3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.memory import InMemoryTable, fingerprint
from fairveil.guards.together import EARLIER


@dataclass(frozen=True)
class JoinedTable(InMemoryTable):
    """Rows in memory; `earlier` has the number of each row's combination of earlier classes."""

    earlier: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)

    @cached_property
    def judged_table(self) -> Table:
        """The rows with the hidden column: to be judged, not published."""
        size = int(self.earlier.max(initial=-1)) + 1
        column = Column(EARLIER, self.earlier.astype(np.int64), pa.array(range(size), pa.int64()))
        return replace(self.table, columns=(*self.table.columns, column))

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        if EARLIER not in names:
            return super().count(names, levels)
        cells = self._with_earlier.count(names)
        return replace(cells, levels=levels) if levels else cells

    @cached_property
    def _with_earlier(self) -> InMemoryTable:
        return InMemoryTable(self.judged_table)

    def at_levels(self, schema: Schema) -> InMemoryTable:
        recoded = schema.at_levels(self.distinct)
        return self if recoded is self.distinct else JoinedTable(recoded, earlier=self.earlier)

    def cell_by_cell(self) -> InMemoryTable:
        by_cell = self.distinct.cell_by_cell
        return self if by_cell is self.distinct else JoinedTable(by_cell, earlier=self.earlier)

    def fingerprint(self) -> str:
        return fingerprint([column for column in self.judged_table.columns if not column.unreadable])
