"""GroupValues: the distinct values of one column in each group, with counts. This is all that a recipe of groups learns
from the column, and it can be counted where the rows are.

>>> import pyarrow as pa
>>> age = Column("age", np.array([0, 1, 1]), pa.array([31, 40]))
>>> pairs = GroupValues(age, np.array([0, 0, 1]), np.array([2, 1, 4]))
>>> pairs.starts.tolist(), pairs.rows_of_value.tolist()
([0, 2], [2, 5])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairveil.data.table import Column


@dataclass(frozen=True)
class GroupValues:
    """Pairs of a value (`column`) and a group (`groups`, ascending from 0 without gaps), and the number of rows with
    both (`counts`)."""

    column: Column
    groups: np.ndarray
    counts: np.ndarray

    @cached_property
    def starts(self) -> np.ndarray:
        """The index of the first pair of each group."""
        return np.flatnonzero(np.diff(self.groups, prepend=-1))

    @cached_property
    def rows_of_value(self) -> np.ndarray:
        """The number of rows with each value."""
        return _rows(self.column.codes, self.counts, len(self.column.values))

    @cached_property
    def rows_of_group(self) -> np.ndarray:
        return _rows(self.groups, self.counts, len(self.starts))

    @property
    def margin(self) -> Column:
        """The column with each value once."""
        return Column(self.column.name, np.arange(len(self.column.values)), self.column.values)


def _rows(numbers: np.ndarray, counts: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(numbers, weights=counts, minlength=size).astype(np.int64)
