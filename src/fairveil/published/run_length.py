"""Runs: published rows as they stand in files, equal neighbours once and with their number.

Rows are in the order of their values, so equal ones are neighbours: what is read once, piece by piece, can be held
where the rows themselves could not. Should they be in another order, the same rows come several times, and every count
is right all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from fairveil.data.arrow import filled, numbers
from fairveil.data.coding import Coder
from fairveil.data.readers import plain_piece
from fairveil.data.table import Table

MOST_VALUES = 1 << 28
"""Values of runs that are held."""


def runs_of(pieces: Iterable[pa.RecordBatch], names: Sequence[str]) -> tuple[Table, np.ndarray] | None:
    """One row for each run, and its length; None where they are too many."""
    coders = [Coder(name) for name in names]
    lengths: list[np.ndarray] = []
    left = MOST_VALUES
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
    """The rows that differ from the one before."""
    fresh = np.zeros(rows, dtype=bool)
    fresh[:1] = True
    for column in columns:
        codes = filled(column.indices, len(column.dictionary))
        fresh[1:] |= codes[1:] != codes[:-1]
    return np.flatnonzero(fresh)


def as_dictionary(name: str, column: pa.Array) -> pa.DictionaryArray:
    """Each value once, and of each row the place of its own."""
    return column if pa.types.is_dictionary(column.type) else plain_piece(name, column).dictionary_encode()
