"""File: a CSV or Parquet file that need not fit into memory, counted in one pass over its pieces.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "people.csv"
>>> _ = path.write_text("sex,age\\nF,31\\nM,40\\nF,31\\n")
>>> cells = File(path).count(["sex"])
>>> cells.table().to_arrow()["sex"].to_pylist(), cells.counts.tolist()
(['F', 'M'], [2, 1])

It can be counted, for checks; what is published is read whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.pieces import Counter
from fairveil.data.coding import Coder
from fairveil.data.hierarchy import Levels
from fairveil.data.reading import column_names, open_file
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.base import Order, Sink, Spread
from fairveil.engines.memory import Memory
from fairveil.progress import Progress
from fairveil.recipes.base import Change

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class File:
    """A file and how to read it; options as for `Table.read`.

    `wanted` columns are counted together, once; those `apart` (identifiers, which would make every row a cell of its
    own) in a pass of their own.
    """

    path: Path
    missing_values: Sequence[str] = ()
    text: Sequence[str] = ()
    separator: str | None = None
    wanted: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    progress: Progress | None = None

    @cached_property
    def counted(self) -> tuple[Table, np.ndarray]:
        """The distinct rows of the wanted columns, in the order of first appearance, and how often each occurs."""
        pieces = open_file(self.path, self.missing_values, self.wanted or None, self.text, self.separator)
        coders = [Coder(name) for name in pieces.wanted]
        counter = Counter([coder.size for coder in coders])
        for piece in pieces:
            if self.progress is not None:
                self.progress.check(f"reading {self.path.name}")
            codes = [coder.encode(piece[coder.name]) for coder in coders]
            counter.sizes = [coder.size for coder in coders]
            counter.add(codes, len(piece[coders[0].name]) if coders else 0)
        distinct, counts = counter.finish()
        for coder, codes_of_column in zip(coders, distinct, strict=True):
            coder.pieces = [codes_of_column]
        return Table(tuple(pieces.finish(coder, counts) for coder in coders)), counts

    @cached_property
    def memory(self) -> Memory:
        """The whole file in memory."""
        return Memory(
            Table.read(self.path, missing_values=self.missing_values, text=self.text, separator=self.separator)
        )

    @property
    def rows(self) -> int:
        return int(self.counted[1].sum())

    @property
    def kind(self) -> str:
        return "pyarrow"

    @property
    def dropped(self) -> int:
        return 0

    @property
    def inferred(self) -> frozenset[str]:
        return self.memory.inferred

    @property
    def has_rows(self) -> bool:
        return True

    @property
    def names(self) -> list[str]:
        return [*self.wanted, *self.apart] or column_names(self.path, self.separator)

    @cached_property
    def _counted_apart(self) -> File:
        return replace(self, wanted=self.apart, apart=())

    def domain(self, name: str) -> Column:
        if name in self.apart:
            return self._counted_apart.domain(name)
        column = self.counted[0].column(name)
        return Column(name, np.arange(len(column.values)), column.values)

    def type_of(self, name: str) -> pa.DataType:
        return self.domain(name).values.type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        if names and all(name in self.apart for name in names):
            return self._counted_apart.count(names, levels)
        table, counts = self.counted
        return Cells.of(table, names, levels, counts)

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        return Spread.of(self, names, named)

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        return self.memory.blocks(names)

    def watched(self, progress: Progress | None) -> File:
        return self

    def at_levels(self, schema: Schema) -> Memory | File:
        return self.memory.at_levels(schema) if schema.levels else self

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> np.ndarray | None:
        return self.memory.publish(change, sink, order=order)

    def fingerprint(self) -> str:
        return self.memory.fingerprint()
