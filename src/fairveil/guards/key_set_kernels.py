"""Which classes are too small by any of many key sets, in one call: a search asks it of every generalization.

codes[c, i] < 2^bits[c] is the value of class i in column c. The columns of set s are members[starts[s]:starts[s + 1]],
and have at most 62 bits together.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Bools, Int64s, Int64s2, helper, kernel
from fairveil.counting.kernels.group_by import number, table_bits


@helper
def grouped(codes, bits, members, start, end, n, keys, slots, firsts, ids):  # type: ignore[no-untyped-def]
    """Number the values of the n classes in the columns of one set, into `ids`; returns how many there are."""
    for i in range(n):
        keys[i] = 0
    for member in range(start, end):
        c = members[member]
        for i in range(n):
            keys[i] = (keys[i] << bits[c]) | codes[c, i]
    return number(keys, n, slots, firsts, ids)


@kernel
def small_by_sets(codes: Int64s2, bits: Int64s, members: Int64s, starts: Int64s, least: Int64s, rows: Int64s) -> Bools:
    """Return which classes agree with fewer than `least` rows, their own included, in the columns of any set."""
    n = len(rows)
    small = np.zeros(n, dtype=np.bool_)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    firsts = np.empty(n, dtype=np.int64)
    ids = np.empty(n, dtype=np.int64)
    sums = np.empty(n, dtype=np.int64)
    keys = np.empty(n, dtype=np.int64)
    for s in range(len(least)):
        groups = grouped(codes, bits, members, starts[s], starts[s + 1], n, keys, slots, firsts, ids)
        for group in range(groups):
            sums[group] = 0
        for i in range(n):
            sums[ids[i]] += rows[i]
        for i in range(n):
            if sums[ids[i]] < least[s]:
                small[i] = True
    return small


@kernel
def few_by_sets(
    codes: Int64s2, bits: Int64s, members: Int64s, starts: Int64s, least: Int64s, of_class: Int64s, values: Int64s
) -> Bools:
    """Return which classes agree, in the columns of any set, with cells of fewer than `least` different values, their
    own included, but at least one. Cell j is in class of_class[j]; the values of cells are not negative and ascend."""
    n = codes.shape[1]
    small = np.zeros(n, dtype=np.bool_)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    firsts = np.empty(n, dtype=np.int64)
    ids = np.empty(n, dtype=np.int64)
    different = np.empty(n, dtype=np.int64)
    last = np.empty(n, dtype=np.int64)
    keys = np.empty(n, dtype=np.int64)
    for s in range(len(least)):
        groups = grouped(codes, bits, members, starts[s], starts[s + 1], n, keys, slots, firsts, ids)
        for group in range(groups):
            different[group] = 0
            last[group] = -1
        for j in range(len(values)):
            group = ids[of_class[j]]
            if last[group] != values[j]:
                last[group] = values[j]
                different[group] += 1
        for i in range(n):
            if 0 < different[ids[i]] < least[s]:
                small[i] = True
    return small
