"""The depth-first search for all k-anonymous nodes, with two bounds, on packed keys.

Attributes are fixed one after the other, each from its top level down to its floor: the lowest level at which it passes
together with those fixed before. With the attributes still free *absent* the prefix must pass, else it and all lower
levels of the same attribute are out (k-anonymity is monotone, also with a suppression budget). With the free attributes
*at their floor* it passes, then so does every node above: one box of solutions, found by one test.

The last attributes have few values together. Their combinations are the columns of a dense table with one row per
combination of the others, so that a search groups rows by a hash table and adds columns with vector instructions.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.column_counts import (
    BLOCK,
    Columns,
    copied_parts,
    small_by_node,
    small_parts,
    working_columns,
)
from fairveil.counting.kernels.compiling import Int16s2, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.group_by import table_bits
from fairveil.counting.kernels.pair_floors import MAX_PAIRS, count_pairs, number_heads, pairs_of, raise_floors
from fairveil.counting.kernels.rolling_up import Packed, changes, regroup, room_for, stack_on, widen, widened


@helper
def small_rows(counts, begin, end, k):
    """Return the rows in the groups from begin to end that have fewer than k."""
    rows = 0
    for i in range(begin, end):
        if counts[i] < k:
            rows += counts[i]
    return rows


@kernel
def anonymous_boxes(
    packed: Packed,
    columns: Columns,
    low: int,
    high: int,
    k: int,
    budget: int,
    room: int,
    stop: UInt8s,
) -> tuple[Int16s2, int]:
    """Return all nodes whose groups below k have at most `budget` rows together, as boxes, and the number of boxes; it
    is -1 if `room` was too small. A box is [depth, levels…]; attributes from `depth` on take any level from theirs on.

    low, high: the levels of the first attribute to search at, so that threads can share the work

    A stack of cells grows with the depth, with the fixed attributes at their level and the free ones at their floor:
    `lows` has both, `exact` says whether floors are those beside the fixed attributes. Without the free attributes they
    are `heads`: all that the first bound and the floors of the next depth need. Levels are visited from the lowest that
    passes the first bound; the next is rolled up from it where the floors are the same.
    """
    floors, tops = packed.floors, packed.tops
    m, width = len(floors), columns.counts.shape[1]
    free = columns.levels.shape[1]
    nodes = len(columns.source)
    n = len(packed.keys)
    boxes = np.empty((room, m + free + 1), dtype=np.int16)
    number = 0
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells, heads, rolled_heads = stack_on(packed), room_for(n), room_for(n)
    ids, rolled_ids = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    pairs, rolled = np.empty(MAX_PAIRS, dtype=np.int64), np.empty(MAX_PAIRS, dtype=np.int64)
    parts, work, needed = copied_parts(columns), working_columns(columns), np.ones(nodes, dtype=np.uint8)
    sums, small = np.zeros(BLOCK, dtype=np.int32), np.zeros(nodes, dtype=np.int64)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)  # of the cells at a depth
    at, after = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)  # with the attribute at its level
    lows, level_of = np.zeros((m + 1, m), dtype=np.int64), np.zeros((m, m), dtype=np.int64)  # of these
    beside = np.zeros((m, packed.lookups.shape[1], m), dtype=np.int64)  # the floors at each level
    exact, passed = np.ones(m + 1, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
    which = np.empty(m, dtype=np.int64)
    end[0] = n
    prefix = np.zeros(m + 1, dtype=np.int64)
    for a in range(m):
        prefix[a + 1] = prefix[a] | (((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
        lows[0, a] = floors[a]
    levels, counted = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
    depth = 0
    entering = True
    while depth >= 0 and not stopped(stop):
        top = tops[depth] if depth > 0 else high
        if entering:
            entering = False
            groups = 0
            if depth < m - 1 or not exact[depth]:
                groups = number_heads(
                    cells, start[depth], end[depth], prefix[depth + 1], packed, depth, lows[depth, depth], heads, slots,
                    ids,
                )  # fmt: skip
            level = lows[depth, depth]
            if depth == 0:
                level = max(level, low)
            if not exact[depth]:  # first bound: the free attributes absent. At its top this one is, too
                while level < tops[depth]:
                    wider = number_heads(
                        heads, 0, groups, np.int64(-1), packed, depth, level, rolled_heads, slots, rolled_ids
                    )
                    if small_rows(rolled_heads.rows, 0, wider, k) <= budget:
                        break
                    level += 1
            levels[depth], passed[depth] = level, 0
            at[depth], after[depth] = start[depth], end[depth]
            counted[depth] = depth < m - 1 and pairs_of(packed, depth, groups) <= MAX_PAIRS
            if counted[depth] and level < tops[depth]:
                count_pairs(cells, start[depth], end[depth], packed, depth, ids, groups, pairs)
            for higher in range(level, top + 1):
                for a in range(m):
                    beside[depth, higher, a] = lows[depth, a]
                if counted[depth] and higher < tops[depth]:
                    wider = number_heads(
                        heads, 0, groups, np.int64(-1), packed, depth, higher, rolled_heads, slots, rolled_ids
                    )
                    raise_floors(
                        packed, depth, lows[depth], rolled_ids, groups, wider, pairs, rolled, k, budget,
                        beside[depth, higher],
                    )  # fmt: skip
            for a in range(m):
                level_of[depth, a] = lows[depth, a]
        else:
            levels[depth] += 1
        level = levels[depth]
        if level > top:
            depth -= 1
            continue
        same = True  # as beside the level below, or as the cells have them
        for a in range(m):
            lows[depth + 1, a] = beside[depth, level, a]
            same = same and (a <= depth or beside[depth, level, a] == level_of[depth, a])
        lows[depth + 1, depth] = level
        exact[depth + 1] = counted[depth] if level < tops[depth] else exact[depth]
        passes = (depth == m - 1 and free == 0) or (passed[depth] and same)
        if not passes:
            if not same:
                at[depth], after[depth] = start[depth], end[depth]
                for a in range(m):
                    level_of[depth, a] = lows[depth, a]
            keep, changed = changes(packed, level_of[depth], lows[depth + 1], depth, which)
            begin = after[depth]
            if keep != -1:
                need = begin + begin - at[depth]
                cells, parts = widened(cells, begin, need), widen(parts, begin * width, need * width)
                after[depth] = regroup(
                    cells, parts, width, at[depth], begin, packed, lows[depth + 1], keep, which, changed, cells, parts,
                    begin, slots,
                )  # fmt: skip
                at[depth] = begin
            for a in range(m):
                level_of[depth, a] = lows[depth + 1, a]
            # second bound: the free attributes at their floor
            begin, groups = at[depth], after[depth] - at[depth]
            if width > 0:
                passes = small_parts(parts, begin, groups, width, k, budget) <= budget
            else:
                passes = small_rows(cells.rows, begin, after[depth], k) <= budget
        passed[depth] = passes
        if passes:
            if number >= room:
                return boxes[:0], -1
            boxes[number, 0] = depth + 1
            for a in range(m):
                boxes[number, a + 1] = lows[depth + 1, a]
            for a in range(free):
                boxes[number, m + a + 1] = columns.levels[0, a]
            number += 1
        elif depth < m - 1:
            depth += 1
            start[depth], end[depth] = at[depth - 1], after[depth - 1]
            entering = True
        else:
            small_by_node(
                parts, at[depth], after[depth] - at[depth], width, columns, k, budget, needed, work, sums, small
            )
            if number + nodes > room:
                return boxes[:0], -1
            for t in range(nodes):
                if small[t] <= budget:
                    boxes[number, 0] = m + free
                    for a in range(m):
                        boxes[number, a + 1] = lows[depth + 1, a]
                    for a in range(free):
                        boxes[number, m + a + 1] = columns.levels[t, a]
                    number += 1
    return boxes[:number], number
