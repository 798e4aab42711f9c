"""How many records share their values, class by class: all that the anonymity of projections needs."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int64s, kernel
from fairveil.counting.kernels.group_by import group_sum, table_bits


@kernel
def class_minima(keys: Int64s, classes: Int64s, counts: Int64s, class_bits: int, n_classes: int) -> tuple[int, Int64s]:
    """(rows of the smallest group of equal keys, per class the rows of the smallest group with that class).

    `keys` leave room for `class_bits` more bits; a class that no row has counts 0. Two passes over one hash table:
    keys with their class, then the few distinct ones without it.
    """
    n = len(keys)
    joint = np.empty(n, dtype=np.int64)
    rows = np.empty(n, dtype=np.int64)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    for i in range(n):
        joint[i] = (np.int64(keys[i]) << class_bits) | np.int64(classes[i])
        rows[i] = counts[i]
    groups = group_sum(joint, rows, joint, rows, slots)
    minima = np.zeros(n_classes, dtype=np.int64)
    mask = (np.int64(1) << class_bits) - 1
    for g in range(groups):
        c = joint[g] & mask
        if minima[c] == 0 or rows[g] < minima[c]:
            minima[c] = rows[g]
        joint[g] >>= class_bits
    groups = group_sum(joint[:groups], rows[:groups], joint, rows, slots)
    smallest = np.int64(0)
    for g in range(groups):
        if g == 0 or rows[g] < smallest:
            smallest = rows[g]
    return smallest, minima
