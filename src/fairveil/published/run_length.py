"""Run-length encoding of the rows of published files: consecutive equal rows become one row with a count.

Files are sorted by value, so equal rows are adjacent, and the runs fit into memory where the rows themselves would
not. In an unsorted file the same row occurs in several runs; every count is still correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from fairveil.data.arrow import filled, numbers
from fairveil.data.coding import Coder
from fairveil.data.readers import plain_piece
from fairveil.data.table import Table

MAX_VALUES = 1 << 28
"""Maximum number of values (runs × columns) held in memory."""


def runs_of(pieces: Iterable[pa.RecordBatch], names: Sequence[str]) -> tuple[Table, np.ndarray] | None:
    """Return a table with one row per run, and the lengths of the runs; None if there are too many runs, or no rows."""
    coders = [Coder(name) for name in names]
    lengths: list[np.ndarray] = []
    left = MAX_VALUES
    for piece in pieces:
        columns = [as_dictionary(name, column) for name, column in zip(names, piece.columns, strict=True)]
        starts = _starts(columns, piece.num_rows)
        left -= len(starts) * len(names)
        if left < 0:
            return None
        for coder, column in zip(coders, columns, strict=True):
            coder.add(column.take(numbers(starts)))
        lengths.append(np.diff(starts, append=piece.num_rows))
    if not lengths:
        return None
    return Table(tuple(coder.finish() for coder in coders)), np.concatenate(lengths)


def _starts(columns: Sequence[pa.DictionaryArray], rows: int) -> np.ndarray:
    """The indices of the rows that differ from the row before them."""
    is_start = np.zeros(rows, dtype=bool)
    is_start[:1] = True
    for column in columns:
        codes = filled(column.indices, len(column.dictionary))
        is_start[1:] |= codes[1:] != codes[:-1]
    return np.flatnonzero(is_start)


def as_dictionary(name: str, column: pa.Array) -> pa.DictionaryArray:
    """The column, dictionary-encoded."""
    return column if pa.types.is_dictionary(column.type) else plain_piece(name, column).dictionary_encode()
