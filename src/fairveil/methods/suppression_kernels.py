"""Kernels of local suppression: which columns each row shows, improved pattern by pattern.

Rows are numbered by content, and rows of one tuple are neighbours. A pattern is the set of columns that a class shows,
and a class is a pattern with values: all its rows have these values. The state is the class of each row, with each
class's rows (`sizes`), the weight of the columns that it shows (`worth`), its pattern, and the numbers of classes that
are `free`. A class is empty, or has at least k rows.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Float64s, Int32s, Int32s2, Int64s, UInt64s, UInt64s2, helper, kernel
from fairveil.counting.kernels.group_by import clear, slot, table_bits

SPREAD = np.uint64(0xD6E8FEB86659FD93)
"""An odd number that mixes the words of a tuple."""


@helper
def alike(packed, one, other, mask):
    """Whether two tuples have the same values in the columns of a pattern."""
    for word in range(len(mask)):  # noqa: SIM110 - compiled
        if (packed[one, word] ^ packed[other, word]) & mask[word]:
            return False
    return True


@helper
def group_tuples(packed, mask, slots, firsts, group):
    """Number the values that tuples have in the columns of a pattern, into `group`; return how many there are.

    `packed` has the codes of each tuple in as few words as hold them, `mask` the bits of the pattern's columns; `slots`
    and `firsts` are working memory.
    """
    tuples = len(packed)
    bits = table_bits(tuples)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = 0
    for t in range(tuples):
        mark = np.uint64(0)
        for word in range(len(mask)):
            mark = mark * SPREAD + (packed[t, word] & mask[word])
        at = slot(mark, bits)
        while True:
            known = slots[at]
            if known < 0:
                slots[at] = groups
                firsts[groups] = t
                group[t] = groups
                groups += 1
                break
            if alike(packed, firsts[known], t, mask):
                group[t] = known
                break
            at = (at + 1) & last
    return groups


@kernel
def rows_alike(packed: UInt64s2, counts: Int64s, mask: UInt64s) -> Int64s:
    """Return for each tuple how many rows have its values in the columns of a pattern."""
    tuples = len(packed)
    group, firsts = np.empty(tuples, dtype=np.int64), np.empty(tuples, dtype=np.int64)
    slots = np.empty(1 << table_bits(tuples), dtype=np.int32)
    groups = group_tuples(packed, mask, slots, firsts, group)
    rows = np.zeros(groups, dtype=np.int64)
    for t in range(tuples):
        rows[group[t]] += counts[t]
    for t in range(tuples):
        firsts[t] = rows[group[t]]
    return firsts


@helper
def bucket(group, groups, tuple_of, weight, k, class_of, worth, chosen, starts, order):
    """Put the rows of groups that can change into the order of these groups: groups of k rows or more, some of which
    would show more. `starts` has where each group begins, and one entry more; the other groups are empty."""
    for g in range(groups):
        starts[g] = chosen[g] = 0
    starts[groups] = 0
    for r in range(len(tuple_of)):
        g = group[tuple_of[r]]
        starts[g + 1] += 1
        if worth[class_of[r]] < weight:
            chosen[g] = 1
    for g in range(groups):
        if starts[g + 1] < k:  # it has no class of this pattern, and cannot make one
            chosen[g] = 0
        starts[g + 1] = starts[g] + chosen[g] * starts[g + 1]
    for r in range(len(tuple_of)):
        g = group[tuple_of[r]]
        if chosen[g]:
            order[starts[g]] = r
            starts[g] += 1
    for g in range(groups, 0, -1):
        starts[g] = starts[g - 1]
    starts[0] = 0


@kernel
def visit(
    packed: UInt64s2,
    tuple_of: Int64s,
    mask: UInt64s,
    number: int,
    weight: float,
    k: int,
    state: tuple[Int64s, Int64s, Float64s, Int64s, Int64s, Int64s],
    scratch: tuple[Int64s, Int64s, Int32s, Int64s, Int64s, Int64s, Int64s, Int64s, Int64s],
    commit: bool,
) -> tuple[int, float]:
    """Move rows into classes of one pattern where that hides less; return how many, and what they gain. Without
    `commit`, nothing moves; with it, the call before must have been the same without.

    A class that exists takes every row that gains by it. A new one needs k rows: those that gain, then those that lose
    least. Rows leave a class above k only, or all together.
    """
    class_of, sizes, worth, pattern_of, free, unused = state
    group, firsts, slots, starts, order, inside, taken, listed, known = scratch
    if not commit:
        known[0] = group_tuples(packed, mask, slots, firsts, group)
        bucket(group, known[0], tuple_of, weight, k, class_of, worth, firsts, starts, order)
    moved, gained = 0, 0.0
    for g in range(known[0]):
        start, end = starts[g], starts[g + 1]
        if start == end:
            continue
        own, found = -1, 0
        for i in range(start, end):
            c = class_of[order[i]]
            if pattern_of[c] == number:
                own = c
            elif inside[c] == 0:
                listed[found] = c
                found += 1
            inside[c] += 1
        if own >= 0:
            inside[own] = 0
        joining, gain = 0, 0.0
        for j in range(found):
            c = listed[j]
            if worth[c] < weight:
                part = inside[c] if inside[c] == sizes[c] else min(inside[c], sizes[c] - k)
                taken[c] = part
                joining += part
                gain += part * (weight - worth[c])
        while own < 0 and joining < k and gain > 0:
            best = -1
            for j in range(found):
                c = listed[j]
                if worth[c] >= weight and taken[c] == 0 and sizes[c] > k and (best < 0 or worth[c] < worth[best]):
                    best = c
            if best < 0:
                break
            part = min(inside[best], sizes[best] - k, k - joining)
            taken[best] = part
            joining += part
            gain -= part * (worth[best] - weight)
        if gain > 0 and joining > 0 and (own >= 0 or joining >= k):
            moved += joining
            gained += gain
            if commit:
                if own < 0:
                    unused[0] -= 1
                    own = free[unused[0]]
                    worth[own], pattern_of[own], sizes[own] = weight, number, 0
                for i in range(start, end):
                    r = order[i]
                    c = class_of[r]
                    if c != own and taken[c] > 0:
                        taken[c] -= 1
                        sizes[c] -= 1
                        sizes[own] += 1
                        class_of[r] = own
                        if sizes[c] == 0:
                            pattern_of[c] = -1
                            free[unused[0]] = c
                            unused[0] += 1
        for j in range(found):
            inside[listed[j]] = 0
            taken[listed[j]] = 0
    return moved, gained


@kernel
def nearest_class(shown: Int32s2, worth: Float64s, weights: Float64s, sizes: Int64s, one: int, common: Float64s) -> int:
    """Return the class whose rows, merged with those of the class `one`, hide least; the first of several.

    `shown` has a row per column: the value that each class shows, or 0 if it is hidden. `worth` is the weight of what a
    class shows, `common` is working memory.
    """
    for c in range(len(sizes)):
        common[c] = 0.0
    for a in range(len(weights)):
        value, weight = shown[a, one], weights[a]
        if value > 0:
            for c in range(len(sizes)):
                common[c] += weight if shown[a, c] == value else 0.0
    best, lowest = -1, 0.0
    for c in range(len(sizes)):
        price = sizes[c] * (worth[c] - common[c]) + sizes[one] * (worth[one] - common[c])
        if c != one and (best < 0 or price < lowest):
            best, lowest = c, price
    return best
