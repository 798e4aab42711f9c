"""The depth-first search for all k-anonymous nodes, with two bounds, on packed keys.

Attributes are fixed one after the other, each from its top level down to its floor (the lowest level at which
it passes alone). With the attributes still free *absent* the prefix must pass, else it and all lower levels of
the same attribute are out (k-anonymity is monotone, also with a suppression budget). With the free attributes
*at their floor* it passes, then so does every node above: one box of solutions, found by one test.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import slot, table_bits


@njit(cache=True, nogil=True)
def small_rows(counts, n, k):
    """The rows in groups of fewer than k."""
    rows = 0
    for i in range(n):
        if counts[i] < k:
            rows += counts[i]
    return rows


@njit(cache=True, nogil=True)
def regroup(keys, counts, start, end, keep, shift, bits, lookup, out_keys, out_counts, slots):
    """Group keys[start:end] & keep with the field at `shift` sent through `lookup`; returns the groups.

    The same as `group_sum`, with the roll-up on the way; the output must lie apart from the input.
    """
    field = (np.int64(1) << bits) - 1
    rest = keep & ~(field << shift)
    table = table_bits(end - start)
    last = (1 << table) - 1
    slots[: last + 1] = -1
    groups = 0
    for i in range(start, end):
        key = keys[i]
        key = (key & rest) | (lookup[(key >> shift) & field] << shift)
        place = slot(key, table)
        while True:
            held = slots[place]
            if held < 0:
                slots[place] = groups
                out_keys[groups] = key
                out_counts[groups] = counts[i]
                groups += 1
                break
            if out_keys[held] == key:
                out_counts[held] += counts[i]
                break
            place = (place + 1) & last
    return groups


@njit(cache=True, nogil=True)
def widen(array, used, need):
    """The array, or a larger copy of its first `used` entries when it has no room for `need`."""
    if need <= len(array):
        return array
    wider = np.empty(2 * need, dtype=array.dtype)
    wider[:used] = array[:used]
    return wider


@njit(cache=True, nogil=True)
def anonymous_boxes(keys, counts, shifts, bits, lookups, floors, tops, low, high, k, budget, room):
    """All nodes whose groups below k hold at most `budget` rows, as boxes.

    keys, counts: the cells with every attribute at its floor, packed in search order
    lookups[a, l]: codes of attribute a from its floor to level l
    low, high: the levels of the first attribute to search at, so that threads can share the work
    Returns (boxes, their number, tests made): a box is [depth, levels…]; attributes from `depth` on take any
    level from floor to top. The number is -1 when `room` was too small.

    Two stacks grow with the depth: `cells`, with the fixed attributes at their level and the free ones at their
    floor, and `heads`, the same without the free attributes: small, and all that the first bound needs.
    """
    m = len(shifts)
    n = len(keys)
    boxes = np.empty((room, m + 1), dtype=np.int16)
    found = 0
    tests = 0
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells, cell_rows = np.empty(2 * n, dtype=np.int64), np.empty(2 * n, dtype=np.int64)
    heads, head_rows = np.empty(2 * n, dtype=np.int64), np.empty(2 * n, dtype=np.int64)
    probe, probe_rows = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    cells[:n] = keys
    cell_rows[:n] = counts
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    head_start, head_end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    prefix = np.zeros(m + 1, dtype=np.int64)
    for a in range(m):
        prefix[a + 1] = prefix[a] | (((np.int64(1) << bits[a]) - 1) << shifts[a])
    level = np.zeros(m, dtype=np.int64)
    depth = 0
    entering = True
    while depth >= 0:
        if entering:
            level[depth] = tops[depth] if depth > 0 else high
            begin = head_end[depth - 1] if depth > 0 else 0
            need = begin + end[depth] - start[depth]
            heads, head_rows = widen(heads, begin, need), widen(head_rows, begin, need)
            head_start[depth] = begin
            head_end[depth] = begin + regroup(
                cells, cell_rows, start[depth], end[depth], prefix[depth + 1], shifts[depth], bits[depth],
                lookups[depth, floors[depth]], heads[begin:], head_rows[begin:], slots,
            )  # fmt: skip
            entering = False
        if level[depth] < (floors[depth] if depth > 0 else low):
            depth -= 1
            if depth >= 0:
                level[depth] -= 1
            continue
        lookup = lookups[depth, level[depth]]
        at_floor = level[depth] == floors[depth]
        # first bound: the free attributes absent. At its top this one is absent, too: the parent passed so already
        if depth == 0 or level[depth] < tops[depth]:
            tests += 1
            if at_floor:
                small = small_rows(head_rows[head_start[depth] :], head_end[depth] - head_start[depth], k)
            else:
                groups = regroup(
                    heads, head_rows, head_start[depth], head_end[depth], prefix[depth + 1], shifts[depth],
                    bits[depth], lookup, probe, probe_rows, slots,
                )  # fmt: skip
                small = small_rows(probe_rows, groups, k)
            if small > budget:
                level[depth] = -1
                continue
        passes = depth == m - 1
        begin, groups = start[depth], end[depth] - start[depth]
        if not passes:
            if not at_floor:
                begin = end[depth]
                need = begin + end[depth] - start[depth]
                cells, cell_rows = widen(cells, begin, need), widen(cell_rows, begin, need)
                groups = regroup(
                    cells, cell_rows, start[depth], end[depth], prefix[m], shifts[depth], bits[depth],
                    lookup, cells[begin:], cell_rows[begin:], slots,
                )  # fmt: skip
            # second bound: the free attributes at their floor
            tests += 1
            passes = small_rows(cell_rows[begin:], groups, k) <= budget
        if passes:
            if found == room:
                return boxes, np.int64(-1), tests
            boxes[found, 0] = depth + 1
            for a in range(m):
                boxes[found, a + 1] = level[a] if a <= depth else -1
            found += 1
            level[depth] -= 1
        else:
            depth += 1
            start[depth] = begin
            end[depth] = begin + groups
            entering = True
    return boxes, found, tests
