"""Counting the distinct persons of classes, in one pass over the cells of each person."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, kernel


@kernel
def people_of_classes(cells: Int32s, starts: Int64s, ids: Int32s, total: int) -> Int64s:
    """Return the number of persons of each of `total` classes, given the class of each cell.

    The cells of person p are those from starts[p] to starts[p + 1]; a person may have several in a class.
    """
    people = np.zeros(total, dtype=np.int64)
    latest = np.full(total, -1, dtype=np.int32)  # the person who was counted last
    for person in range(len(starts) - 1):
        for at in range(starts[person], starts[person + 1]):
            group = ids[cells[at]]
            if latest[group] != person:
                latest[group] = person
                people[group] += 1
    return people
