"""Published rows in a database table: fetched as distinct rows with counts, and identified by a digest.

A database table has no order, so the digest covers the distinct rows sorted by value, each with its count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fairveil.counting.ordering import content_order
from fairveil.data.arrow import plain
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder, plain_piece
from fairveil.data.table import Table
from fairveil.engines.memory import MAX_TUPLES, InMemoryTable
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.progress import Progress


def counted_rows(
    pieces: Iterable[pa.Table], types: Mapping[str, pa.DataType], schema: Schema, progress: Progress | None = None
) -> InMemoryTable:
    """Return the distinct rows, sorted by value. The last column of each piece holds the counts."""
    coders = [Coder(name) for name in types]
    for coder, kind in zip(coders, types.values(), strict=True):
        coder.add(plain_piece(coder.name, pa.nulls(0, kind)))
    counts = [np.empty(0, dtype=np.int64)]
    rows = 0
    for piece in pieces:
        if progress is not None:
            progress.check("counting the table")
        rows += piece.num_rows
        if rows > MAX_TUPLES:
            raise BadInput(
                f"the table has more than {MAX_TUPLES:,} distinct rows, the maximum that can be checked: generalize "
                "them further, or publish them as Parquet files"
            )
        for coder, column in zip(coders, piece.columns, strict=False):
            coder.add(plain_piece(coder.name, column))
        counts.append(plain(piece.columns[-1].combine_chunks()).astype(np.int64))
    table = published_table(Table(tuple(coder.finish() for coder in coders)), schema)
    order = content_order(table)
    return InMemoryTable(table.take(order), np.concatenate(counts)[order])


def digest(table: InMemoryTable) -> str:
    """The SHA-256 of columns, types, distinct rows and counts."""
    checksum = hashlib.sha256()
    for column in table.distinct.columns:
        texts = [None if value is None else str(value) for value in column.domain]
        checksum.update(json.dumps([column.name, str(column.values.type), texts]).encode())
        checksum.update(np.ascontiguousarray(column.codes, dtype="<i8").tobytes())
    assert table.counts is not None
    checksum.update(np.ascontiguousarray(table.counts, dtype="<i8").tobytes())
    return checksum.hexdigest()
