"""The order of rows by their values: the order of the source could reveal whose record is whose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.cells import group_of
from fairveil.data.arrow import plain
from fairveil.data.table import Table


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


def content_order(table: Table) -> np.ndarray:
    """Return the rows in the order of their values, column by column."""
    order = np.arange(table.rows)
    keys = [ranks_of(column.values)[column.codes] for column in table.columns]
    groups, total = group_of([(c.codes, len(c.values)) for c in table.columns], table.rows)
    first_row = np.zeros(total, dtype=np.int64)
    first_row[groups[::-1]] = order[::-1]
    distinct = np.lexsort([key[first_row] for key in reversed(keys)])  # sort each distinct row once
    place = np.empty(total, dtype=np.int64)
    place[distinct] = np.arange(total)
    return np.argsort(place[groups], kind="stable")
