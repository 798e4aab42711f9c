"""Published rows that are a table of a database: brought here as distinct rows with counts, which a digest stands for.

A table has no order, so the digest is over the distinct rows in the order of their values, each with its count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa

from fairveil.counting.ordering import content_order
from fairveil.data.arrow import plain
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder
from fairveil.data.readers import plain_piece
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.published.parquet import MOST_TUPLES
from fairveil.published.published_table import InMemoryTable


def held_of(
    pieces: Iterable[pa.Table], types: Mapping[str, pa.DataType], schema: Schema, progress: Progress | None = None
) -> InMemoryTable:
    """Distinct rows, their counts in the last column, in the order of their values."""
    coders = [Coder(name) for name in types]
    for coder, kind in zip(coders, types.values(), strict=True):
        coder.add(plain_piece(coder.name, pa.nulls(0, kind)))
    counts = [np.empty(0, dtype=np.int64)]
    rows = 0
    for piece in pieces:
        if progress is not None:
            progress.check("counting the table")
        rows += piece.num_rows
        if rows > MOST_TUPLES:
            raise BadInput(
                f"the table has more than {MOST_TUPLES:,} different rows, too many to be looked at: publish them "
                "coarser, or as Parquet files"
            )
        for coder, column in zip(coders, piece.columns, strict=False):
            coder.add(plain_piece(coder.name, column))
        counts.append(plain(piece.columns[-1].combine_chunks()).astype(np.int64))
    table = published_table(Table(tuple(coder.finish() for coder in coders)), schema)
    order = content_order(table)
    return InMemoryTable(table.take(order), np.concatenate(counts)[order])


def digest(held: InMemoryTable) -> str:
    """The SHA-256 of columns, types, distinct rows and counts."""
    found = hashlib.sha256()
    for column in held.distinct.columns:
        texts = [None if value is None else str(value) for value in column.domain]
        found.update(json.dumps([column.name, str(column.values.type), texts]).encode())
        found.update(np.ascontiguousarray(column.codes, dtype="<i8").tobytes())
    assert held.counts is not None
    found.update(np.ascontiguousarray(held.counts, dtype="<i8").tobytes())
    return found.hexdigest()
