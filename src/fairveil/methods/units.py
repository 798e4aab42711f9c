"""What methods that form groups put together: records, or one record of each person and combination of quasi values.

Where people have several records, a group of k records may be about one person. So a person's equal records stay
together, as one unit, and groups have k units: people whose quasi values never change are grouped as if each had one
record. Somebody whose values change has several units, which may be in one group. Groups with too few persons for that
reason are merged with the nearest ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import first_rows, group_firsts

if TYPE_CHECKING:
    from fairveil.methods.task import Task
    from fairveil.recipes.record_space import Points

COMPARED = 4096
"""Maximum number of groups that one is compared with; of more, those of neighbouring numbers."""


@dataclass(frozen=True)
class Units:
    """`rows` has a row of the table for each unit, `of_row` the unit of each row, and `persons` the number of whom each
    unit is about, if any person has several records."""

    rows: np.ndarray
    of_row: np.ndarray
    persons: np.ndarray | None

    @classmethod
    def of(cls, task: Task, columns: Sequence[tuple[np.ndarray, int]] | None = None) -> Units:
        """Return the units of a task's table; `columns` are the codes of its quasi columns, if not as they are."""
        table, person = task.table, task.schema.person
        if person is None or not task.persons_repeat:
            return cls(np.arange(table.rows), np.arange(table.rows), None)
        quasi = [(c.codes, len(c.values)) for c in map(table.column, task.levels)] if columns is None else columns
        whose = table.column(person)
        of_row, rows = first_rows([*quasi, (whose.codes, len(whose.values))], table.rows)
        return cls(rows, of_row, whose.codes[rows].astype(np.int64))

    def __len__(self) -> int:
        return len(self.rows)

    def too_few(self, groups: np.ndarray, k: int) -> np.ndarray:
        """Return which groups of units, by number, have fewer than k persons."""
        total = int(groups.max(initial=-1)) + 1
        if self.persons is None:
            return np.bincount(groups, minlength=total) < k
        pairs = groups * (int(self.persons.max(initial=0)) + 1) + self.persons
        return np.bincount(groups[group_firsts(pairs)[1]], minlength=total) < k

    def joined(self, groups: np.ndarray, k: int, points: Points) -> np.ndarray:
        """Return the groups of units, numbered again, after each with fewer than k persons was merged with the nearest
        one, until none has or all are one; `points` are the units."""
        while self.persons is not None and groups.max(initial=0) > 0:
            few = np.flatnonzero(self.too_few(groups, k))
            if not len(few):
                break
            center, into = _centers(groups, points), np.arange(int(groups.max()) + 1)
            taken = np.zeros(len(into), dtype=bool)
            for group in few.tolist():
                if not taken[group]:  # else another one has joined it
                    into[group] = other = into[_nearest(center, group, points)]
                    taken[other] = True
            groups = np.unique(into[groups], return_inverse=True)[1]
        return groups


def _centers(groups: np.ndarray, points: Points) -> np.ndarray:
    """The means of the numbers of each group, and its most frequent categories, the first of equal ones."""
    sizes = np.bincount(groups)
    columns = []
    for number, values in enumerate(points.rows.T):
        if number < points.numeric:
            columns.append(np.bincount(groups, weights=values) / sizes)
            continue
        pairs, counts = np.unique(groups * (int(values.max()) + 1) + values, return_counts=True)
        of_pair, category = np.divmod(pairs, int(values.max()) + 1)
        order = np.lexsort((category, -counts, of_pair))
        columns.append(category[order][np.unique(of_pair[order], return_index=True)[1]].astype(float))
    return np.column_stack(columns)


def _nearest(center: np.ndarray, group: int, points: Points) -> int:
    """The number of the group whose center is nearest to that of another, the first of equal ones."""
    start = min(max(group - COMPARED // 2, 0), max(len(center) - COMPARED, 0))
    others = center[start : start + COMPARED]
    numbers = (np.abs(others[:, : points.numeric] - center[group, : points.numeric]) ** points.power).sum(axis=1)
    differing = others[:, points.numeric :] != center[group, points.numeric :]
    distance = numbers + differing @ points.costs
    distance[group - start] = np.inf
    return start + int(np.argmin(distance))
