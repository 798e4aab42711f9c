"""Kernels of local suppression: which columns each row shows, improved pattern by pattern.

Rows are numbered by content, and rows of one tuple are neighbours. A pattern is the set of columns that a class shows,
and a class is a pattern with values: all its rows have these values. The state is the class of each row, with each
class's rows (`sizes`), the weight of the columns that it shows (`worth`), its pattern, and the numbers of classes that
are `free`. A class is empty, or has at least k rows.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import helper, kernel
from fairveil.counting.kernels.group_by import clear, slot, table_bits


@helper
def alike(codes, one, other, pattern):
    """Whether two tuples have the same values in the columns of a pattern."""
    for a in range(len(pattern)):  # noqa: SIM110 - compiled
        if pattern[a] and codes[a, one] != codes[a, other]:
            return False
    return True


@helper
def group_tuples(codes, pattern, marks, slots, firsts, group):
    """Number the values that tuples have in the columns of a pattern, into `group`; return how many there are.

    `marks` are random numbers per column and code, `slots` and `firsts` are working memory.
    """
    tuples = codes.shape[1]
    bits = table_bits(tuples)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = 0
    for t in range(tuples):
        mark = np.uint64(0)
        for a in range(len(pattern)):
            if pattern[a]:
                mark += marks[a, codes[a, t]]
        at = slot(mark, bits)
        while True:
            known = slots[at]
            if known < 0:
                slots[at] = groups
                firsts[groups] = t
                group[t] = groups
                groups += 1
                break
            if alike(codes, firsts[known], t, pattern):
                group[t] = known
                break
            at = (at + 1) & last
    return groups


@kernel
def rows_alike(codes, counts, pattern, marks):
    """Return for each tuple how many rows have its values in the columns of a pattern."""
    tuples = codes.shape[1]
    group, firsts = np.empty(tuples, dtype=np.int64), np.empty(tuples, dtype=np.int64)
    slots = np.empty(1 << table_bits(tuples), dtype=np.int32)
    groups = group_tuples(codes, pattern, marks, slots, firsts, group)
    rows = np.zeros(groups, dtype=np.int64)
    for t in range(tuples):
        rows[group[t]] += counts[t]
    for t in range(tuples):
        firsts[t] = rows[group[t]]
    return firsts


@helper
def bucket(group, groups, tuple_of, starts, order):
    """Put the rows into the order of their groups; `starts` has where each group begins, and one entry more."""
    for g in range(groups + 1):
        starts[g] = 0
    for r in range(len(tuple_of)):
        starts[group[tuple_of[r]] + 1] += 1
    for g in range(groups):
        starts[g + 1] += starts[g]
    for r in range(len(tuple_of)):
        g = group[tuple_of[r]]
        order[starts[g]] = r
        starts[g] += 1
    for g in range(groups, 0, -1):
        starts[g] = starts[g - 1]
    starts[0] = 0


@kernel
def visit(codes, tuple_of, marks, pattern, number, weight, k, state, scratch, commit):
    """Move rows into classes of one pattern where that hides less; return how many, and what they gain. Without
    `commit`, nothing moves.

    A class that exists takes every row that gains by it. A new one needs k rows: those that gain, then those that lose
    least. Rows leave a class above k only, or all together.
    """
    class_of, sizes, worth, pattern_of, free, unused = state
    group, firsts, slots, starts, order, inside, taken, listed = scratch
    groups = group_tuples(codes, pattern, marks, slots, firsts, group)
    bucket(group, groups, tuple_of, starts, order)
    moved, gained = 0, 0.0
    for g in range(groups):
        start, end = starts[g], starts[g + 1]
        gains = False
        for i in range(start, end):
            if worth[class_of[order[i]]] < weight:
                gains = True
                break
        if not gains:
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
