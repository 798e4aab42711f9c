"""The order of rows by their values: the order of the source could reveal whose row is whose."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from fairveil.counting.cells import group_of
from fairveil.data.arrow import plain
from fairveil.data.table import Table


def content_order(table: Table) -> np.ndarray:
    """The rows in the order of their values, column after column."""
    order = np.arange(table.rows)
    keys = []
    for column in table.columns:
        ranks = plain(pc.rank(column.values, sort_keys="ascending", tiebreaker="dense"))
        keys.append(ranks[column.codes])
    groups, total = group_of([(c.codes, len(c.values)) for c in table.columns], table.rows)
    first_row = np.zeros(total, dtype=np.int64)
    first_row[groups[::-1]] = order[::-1]
    distinct = np.lexsort([key[first_row] for key in reversed(keys)])  # sort each distinct row once
    place = np.empty(total, dtype=np.int64)
    place[distinct] = np.arange(total)
    return np.argsort(place[groups], kind="stable")
