"""The depth-first search for all k-anonymous nodes, with two bounds, on packed keys.

Attributes are fixed one after the other, each from its top level down to its floor (the lowest level at which
it passes alone). With the attributes still free *absent* the prefix must pass, else it and all lower levels of
the same attribute are out (k-anonymity is monotone, also with a suppression budget). With the free attributes
*at their floor* it passes, then so does every node above: one box of solutions, found by one test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int16s2, Int32s, Int64s, Int64s3, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.group_by import KeyCounts, clear, slot, table_bits


class Packed(NamedTuple):
    """The cells of a lattice with every attribute at its floor: a field of one 64-bit key each, in search order."""

    keys: Int64s
    counts: Int64s
    shifts: Int64s
    bits: Int64s
    lookups: Int64s3  # attribute, level, code at the floor: the code at that level
    floors: Int64s
    tops: Int64s


@helper
def small_rows(counts, n, k):
    """Return the rows in groups of fewer than k."""
    rows = 0
    for i in range(n):
        if counts[i] < k:
            rows += counts[i]
    return rows


@helper
def regroup(cells, start, end, keep, packed, attribute, level, out, slots):
    """Like `group_sum`, for the keys from start to end, masked by `keep`, with one attribute rolled up to a level. The
    output must not overlap the input."""
    keys, counts, out_keys, out_counts = cells.keys, cells.rows, out.keys, out.rows
    lookup, shift = packed.lookups[attribute, level], packed.shifts[attribute]
    field = (np.int64(1) << packed.bits[attribute]) - 1
    rest = keep & ~(field << shift)
    bits = table_bits(end - start)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = 0
    for i in range(start, end):
        key = keys[i]
        key = (key & rest) | (lookup[(key >> shift) & field] << shift)
        position = slot(key, bits)
        while True:  # written out, as in `group_sum`
            group = slots[position]
            if group < 0:
                slots[position] = groups
                out_keys[groups] = key
                out_counts[groups] = counts[i]
                groups += 1
                break
            if out_keys[group] == key:
                out_counts[group] += counts[i]
                break
            position = (position + 1) & last
    return groups


@helper
def widen(array, used, need):
    """Return the array, or a larger copy of its first `used` entries if it has no room for `need`."""
    if need <= len(array):
        return array
    wider = np.empty(2 * need, dtype=array.dtype)
    for i in range(used):
        wider[i] = array[i]
    return wider


@helper
def room_for(n):
    """Return uninitialized key counts for n keys."""
    return KeyCounts(np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64))


@helper
def stack_on(packed):
    """Return key counts that start with the packed cells and have room for as many groups again."""
    n = len(packed.keys)
    cells = room_for(2 * n)
    for i in range(n):
        cells.keys[i] = packed.keys[i]
        cells.rows[i] = packed.counts[i]
    return cells


@helper
def widened(tally, used, need):
    """`widen` for key counts."""
    return KeyCounts(widen(tally.keys, used, need), widen(tally.rows, used, need))


@helper
def tail(tally, begin):
    """Return the key counts from `begin` on."""
    return KeyCounts(tally.keys[begin:], tally.rows[begin:])


@helper
def roll_up(cells, start, end, packed, levels, first, slots):
    """Roll a stack of cells up to these levels, attribute by attribute, from the `first` one on; returns the stack.

    Positions start[a] to end[a] hold the cells with the attributes before a at their level and the others at their
    floor. Both arrays are filled in, and the stack is widened where it is too short.
    """
    for a in range(first, len(levels)):
        if levels[a] == packed.floors[a]:
            start[a + 1], end[a + 1] = start[a], end[a]
            continue
        begin = end[a]
        cells = widened(cells, begin, begin + end[a] - start[a])
        start[a + 1] = begin
        end[a + 1] = begin + regroup(
            cells, start[a], end[a], np.int64(-1), packed, a, levels[a], tail(cells, begin), slots
        )
    return cells


@kernel
def roll_up_stack(
    cells: KeyCounts,
    start: Int64s,
    end: Int64s,
    packed: Packed,
    levels: Int64s,
    first: int,
    slots: Int32s,
) -> KeyCounts:
    """`roll_up`, callable from Python."""
    return roll_up(cells, start, end, packed, levels, first, slots)


@kernel
def anonymous_boxes(
    packed: Packed,
    low: int,
    high: int,
    k: int,
    budget: int,
    room: int,
    stop: UInt8s,
) -> tuple[Int16s2, int]:
    """Return all nodes whose groups below k have at most `budget` rows together, as boxes, and the number of boxes; it
    is -1 if `room` was too small. A box is [depth, levels…]; attributes from `depth` on take any level from floor on.

    low, high: the levels of the first attribute to search at, so that threads can share the work

    Two stacks grow with the depth: `cells`, with the fixed attributes at their level and the free ones at their
    floor, and `heads`, the same without the free attributes: small, and all that the first bound needs.
    """
    floors, tops = packed.floors, packed.tops
    m = len(floors)
    n = len(packed.keys)
    boxes = np.empty((room, m + 1), dtype=np.int16)
    number = 0
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells, heads, probe = stack_on(packed), room_for(2 * n), room_for(n)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    head_start, head_end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    prefix = np.zeros(m + 1, dtype=np.int64)
    for a in range(m):
        prefix[a + 1] = prefix[a] | (((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
    levels = np.zeros(m, dtype=np.int64)
    depth = 0
    entering = True
    while depth >= 0 and not stopped(stop):
        if entering:
            levels[depth] = tops[depth] if depth > 0 else high
            begin = head_end[depth - 1] if depth > 0 else 0
            heads = widened(heads, begin, begin + end[depth] - start[depth])
            head_start[depth] = begin
            head_end[depth] = begin + regroup(
                cells, start[depth], end[depth], prefix[depth + 1], packed, depth, floors[depth],
                tail(heads, begin), slots,
            )  # fmt: skip
            entering = False
        level = levels[depth]
        if level < (floors[depth] if depth > 0 else low):
            depth -= 1
            if depth >= 0:
                levels[depth] -= 1
            continue
        at_floor = level == floors[depth]
        # first bound: the free attributes absent. At its top this one is absent, too, and the parent has passed already
        if depth == 0 or level < tops[depth]:
            first, last = head_start[depth], head_end[depth]
            if at_floor:
                small = small_rows(heads.rows[first:], last - first, k)
            else:
                groups = regroup(heads, first, last, prefix[depth + 1], packed, depth, level, probe, slots)
                small = small_rows(probe.rows, groups, k)
            if small > budget:
                levels[depth] = -1
                continue
        passes = depth == m - 1
        begin, groups = start[depth], end[depth] - start[depth]
        if not passes:
            if not at_floor:
                begin = end[depth]
                cells = widened(cells, begin, begin + end[depth] - start[depth])
                groups = regroup(
                    cells, start[depth], end[depth], prefix[m], packed, depth, level, tail(cells, begin), slots
                )
            # second bound: the free attributes at their floor
            passes = small_rows(cells.rows[begin:], groups, k) <= budget
        if passes:
            if number == room:
                return boxes[:0], -1
            boxes[number, 0] = depth + 1
            for a in range(m):
                boxes[number, a + 1] = levels[a] if a <= depth else -1
            number += 1
            levels[depth] -= 1
        else:
            depth += 1
            start[depth] = begin
            end[depth] = begin + groups
            entering = True
    return boxes[:number], number
