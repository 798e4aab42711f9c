"""Counted: the distinct rows of a table and how often each occurs, counted in one pass over pieces of it.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"sex": ["F", "M", "F"], "age": [31, 40, 31]}))
>>> counted = Counted.of(table, ["sex"])
>>> counted.table.to_arrow()["sex"].to_pylist(), counted.counts.tolist()
(['F', 'M'], [2, 1])

Memory follows the distinct rows and the size of a piece, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairveil.counting.cells import keys_of
from fairveil.data.coding import Coder
from fairveil.data.reading import open_file
from fairveil.data.table import Table

PIECE = 1 << 17
"""Rows of a table in memory that are counted at a time."""
LEAST = 1 << 14
"""Distinct rows that may wait before they are merged with those held."""


@dataclass(frozen=True)
class Counted:
    """Distinct rows, in the order of first appearance, and the number of times each occurs."""

    table: Table
    counts: np.ndarray

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> Counted:
        """Of a table in memory, over these columns."""
        columns = table.select(names).columns
        counter = Counter([len(column.values) for column in columns])
        for start in range(0, table.rows, PIECE):
            counter.add([column.codes[start : start + PIECE] for column in columns])
        codes, counts = counter.finish()
        return cls(Table(tuple(replace(c, codes=held) for c, held in zip(columns, codes, strict=True))), counts)

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        missing_values: Sequence[str] = (),
        columns: Sequence[str] | None = None,
        text: Sequence[str] = (),
        separator: str | None = None,
    ) -> Counted:
        """Of a file that need not fit into memory; options as for `Table.read`."""
        source = open_file(Path(path), missing_values, columns, text, separator)
        coders = [Coder(name) for name in source.wanted]
        counter = Counter([coder.size for coder in coders])
        for piece in source:
            codes = [coder.encode(piece[coder.name]) for coder in coders]
            counter.sizes = [coder.size for coder in coders]
            counter.add(codes)
        distinct, counts = counter.finish()
        for coder, held in zip(coders, distinct, strict=True):
            coder.pieces = [held]
        return cls(Table(tuple(source.finish(coder, counts) for coder in coders)), counts)

    @property
    def rows(self) -> int:
        return int(self.counts.sum())


class Counter:
    """Distinct tuples of codes and their counts, piece by piece; `sizes` (codes per column) may grow between pieces.

    What a piece adds waits until it is as much as what is held, so that merging costs no more than counting did.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = list(sizes)
        self.held: tuple[list[np.ndarray], np.ndarray] | None = None
        self.waiting: list[tuple[list[np.ndarray], np.ndarray]] = []

    def add(self, codes: Sequence[np.ndarray]) -> None:
        self.waiting.append(self._distinct(codes, None))
        waits = sum(len(counts) for _, counts in self.waiting)
        if waits > max(LEAST, 0 if self.held is None else len(self.held[1])):
            self.held = self.finish()

    def finish(self) -> tuple[list[np.ndarray], np.ndarray]:
        """The distinct tuples, as one array of codes per column, and the count of each."""
        parts = [*([] if self.held is None else [self.held]), *self.waiting]
        self.waiting = []
        if len(parts) == 1:
            return parts[0]
        codes = [np.concatenate(column) for column in zip(*(codes for codes, _ in parts), strict=True)]
        return self._distinct(codes, np.concatenate([counts for _, counts in parts]))

    def _distinct(self, codes: Sequence[np.ndarray], counts: np.ndarray | None) -> tuple[list[np.ndarray], np.ndarray]:
        from fairveil.counting.kernels.grouping import group_firsts

        groups, firsts = group_firsts(keys_of(list(zip(codes, self.sizes, strict=True)), len(codes[0])))
        # counts stay below 2^53, so that the float sums of bincount are exact
        return [column[firsts] for column in codes], np.bincount(groups, weights=counts).astype(np.int64)
