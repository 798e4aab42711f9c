"""Rows to be written, in pieces, from sorted keys and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fairveil.data.writers import piece_of, repeated
from fairveil.engines.value_dictionary import found

if TYPE_CHECKING:
    from fairveil.counting.packed_keys import PackedKeys

Codes = Mapping[str, np.ndarray]


def pieces_of_keys(
    batches: Iterable[pa.Table | pa.RecordBatch], keys: PackedKeys, values: Mapping[str, pa.Array], rows: int
) -> Iterator[pa.Table]:
    """Yield pieces of rows to be written, from sorted keys and their counts; `values` are those of each column."""
    for codes in cut((_unpacked(keys, batch) for batch in batches), rows):
        yield pa.table({name: piece_of(values[name], ranks) for name, ranks in codes.items()})


def _unpacked(keys: PackedKeys, batch: pa.Table | pa.RecordBatch) -> tuple[dict[str, np.ndarray], np.ndarray]:
    codes = keys.unpack([found(batch).column(name).to_numpy() for name in keys.names])
    counted = "rows" in batch.schema.names
    return codes, batch.column("rows").to_numpy() if counted else np.ones(batch.num_rows, dtype=np.int64)


def cut(distinct: Iterable[tuple[Codes, np.ndarray]], rows: int) -> Iterator[Codes]:
    """Yield blocks of `rows` rows, the last one shorter, from pieces of distinct rows and their counts."""
    left: Codes | None = None
    counts = np.empty(0, dtype=np.int64)
    for codes, more in distinct:
        left = codes if left is None else {name: np.concatenate([left[name], codes[name]]) for name in codes}
        counts = np.concatenate([counts, more])
        ends = np.cumsum(counts)
        done = int(ends[-1]) // rows * rows if len(ends) else 0
        for start in range(0, done, rows):
            yield _taken(left, repeated(ends, slice(start, start + rows)))
        first = int(np.searchsorted(ends, done, side="right"))
        left = {name: column[first:] for name, column in left.items()}
        counts = np.diff(ends[first:], prepend=done)
    if left is not None and len(counts):
        yield _taken(left, np.repeat(np.arange(len(counts)), counts))


def _taken(codes: Codes, rows: np.ndarray) -> Codes:
    return {name: column[rows] for name, column in codes.items()}
