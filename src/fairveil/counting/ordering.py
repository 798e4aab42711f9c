"""The order of rows by their values: the order of the source could reveal whose record is whose."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.tuples import first_rows
from fairveil.data.arrow import plain

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


def is_in_order(ranks: Iterable[np.ndarray], rows: int) -> bool:
    """Whether rows are sorted, given the ranks of the values of each column."""
    equal = np.ones(max(rows - 1, 0), dtype=bool)  # pairs of neighbours that are equal so far
    for column in ranks:
        if (equal & (column[1:] < column[:-1])).any():
            return False
        equal &= column[1:] == column[:-1]
        if not equal.any():
            break
    return True


def ranks_of(values: pa.Array) -> np.ndarray:
    """Return the rank of each value in the order of values; equal values share a rank, missing values have the last."""
    return plain(pc.rank(values, sort_keys="ascending", tiebreaker="dense"))


def ranked(column: Column) -> np.ndarray:
    """Return the rank of the value of each row; codes of sorted values are ranks."""
    ranks = ranks_of(column.values)
    is_sorted = not column.values.null_count and bool((ranks[1:] > ranks[:-1]).all())
    return column.codes if is_sorted else ranks[column.codes]


def content_order(table: Table) -> np.ndarray:
    """Return the rows in the order of their values, column by column."""
    groups, firsts = first_rows([(column.codes, len(column.values)) for column in table.columns], table.rows)
    keys = [ranks_of(column.values)[column.codes[firsts]] for column in table.columns]
    order = np.lexsort(keys[::-1])  # each distinct row is sorted once
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    return np.argsort(position[groups], kind="stable")


def checksums(table: Table) -> np.ndarray:
    """Return a 64-bit checksum of the values of each row, which depends on that row only."""
    total = np.zeros(table.rows, dtype=np.uint64)
    for column in table.columns:
        texts = (f"{column.name}\0{type(value).__name__}\0{value}" for value in column.domain)
        of_value = [
            int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()) for text in texts
        ]
        total = (total ^ np.array(of_value, dtype=np.uint64)[column.codes]) * np.uint64(0x9E3779B97F4A7C15)
        total ^= total >> np.uint64(29)
    return total
