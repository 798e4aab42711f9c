"""The depth-first search for all k-anonymous nodes, with two bounds, on packed keys.

Attributes are fixed one after the other, each from its top level down to its floor (the lowest level at which
it passes alone). With the attributes still free *absent* the prefix must pass, else it and all lower levels of
the same attribute are out (k-anonymity is monotone, also with a suppression budget). With the free attributes
*at their floor* it passes, then so does every node above: one box of solutions, found by one test.

The last attributes have few values together. Their combinations are the columns of a dense table with one row per
combination of the others, so that a search groups rows by a hash table and adds columns with vector instructions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Int16s2,
    Int32s,
    Int32s2,
    Int64s,
    Int64s2,
    Int64s3,
    UInt8s,
    helper,
    kernel,
    stopped,
)
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


class Columns(NamedTuple):
    """The last attributes of a lattice as columns, one per combination of their values.

    The nodes of these attributes alone (`levels`) are sorted so that the first has all at their floor and each is
    rolled up from one before it (`source`); `start` and `width` say which columns of the working memory it takes.
    """

    counts: Int32s2  # packed key, column: the rows with both
    levels: Int64s2  # node, attribute: its level
    source: Int64s
    start: Int64s
    width: Int64s
    target: Int32s2  # node, column of its source: its column


BLOCK = 128
"""Rows whose columns are added at a time: the columns of all nodes should fit into the processor's first cache."""


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


@helper
def small_parts(parts, begin, groups, width, k, budget):
    """Return the rows in classes of fewer than k, given `width` classes per group; any number above the budget may
    stand for all above it."""
    least = np.int32(min(k, 2147483647))
    small = 0
    for i in range(begin, begin + groups):
        for c in range(i * width, (i + 1) * width):
            small += parts[c] if parts[c] < least else 0
        if small > budget:
            break
    return small


@helper
def regroup_parts(cells, parts, width, begin, end, packed, attribute, lookup, out, slots):
    """Roll one attribute of the keys from begin to end up by a lookup, with their parts; they are appended from
    position `out` on. Returns the number of groups."""
    keys, rows = cells.keys, cells.rows
    shift = packed.shifts[attribute]
    field = (np.int64(1) << packed.bits[attribute]) - 1
    rest = ~(field << shift)
    bits = table_bits(end - begin)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = out
    for i in range(begin, end):
        key = keys[i]
        key = (key & rest) | (lookup[(key >> shift) & field] << shift)
        position = slot(key, bits)
        while True:  # written out, as in `group_sum`
            group = slots[position]
            if group < 0:
                slots[position] = groups
                keys[groups] = key
                rows[groups] = rows[i]
                for c in range(width):
                    parts[groups * width + c] = parts[i * width + c]
                groups += 1
                break
            if keys[group] == key:
                rows[group] += rows[i]
                for c in range(width):
                    parts[group * width + c] += parts[i * width + c]
                break
            position = (position + 1) & last
    return groups - out


@helper
def fill_columns(parts, begin, number, width, columns, work):
    """Compute the columns of every node of the last attributes for some groups."""
    for c in range(width):
        for i in range(number):
            work[c, i] = parts[(begin + i) * width + c]
    for t in range(1, len(columns.source)):
        start, source = columns.start[t], columns.source[t]
        for c in range(start, start + columns.width[t]):
            into = work[c]
            for i in range(number):
                into[i] = 0
        for c in range(columns.width[source]):
            into, origin = work[start + columns.target[t, c]], work[columns.start[source] + c]
            for i in range(number):
                into[i] += origin[i]


@helper
def small_by_node(parts, begin, groups, width, columns, k, budget, work, sums, small):
    """Count the rows in classes of fewer than k for every node of the last attributes; exact unless above the
    budget."""
    least = np.int32(min(k, 2147483647))
    nodes = len(columns.source)
    for t in range(nodes):
        small[t] = 0
    for first in range(0, groups, BLOCK):
        number = min(BLOCK, groups - first)
        fill_columns(parts, begin + first, number, width, columns, work)
        undecided = False
        for t in range(nodes):
            if small[t] > budget:
                continue
            for i in range(number):
                sums[i] = 0
            for c in range(columns.start[t], columns.start[t] + columns.width[t]):
                column = work[c]
                for i in range(number):
                    sums[i] += column[i] if column[i] < least else 0
            for i in range(number):
                small[t] += sums[i]
            undecided = undecided or small[t] <= budget
        if not undecided:
            break


@kernel
def anonymous_boxes(
    packed: Packed,
    lifts: Int64s3,
    columns: Columns,
    low: int,
    high: int,
    k: int,
    budget: int,
    room: int,
    stop: UInt8s,
) -> tuple[Int16s2, int]:
    """Return all nodes whose groups below k have at most `budget` rows together, as boxes, and the number of boxes; it
    is -1 if `room` was too small. A box is [depth, levels…]; attributes from `depth` on take any level from floor on.

    lifts: like the lookups, from the code one level below
    low, high: the levels of the first attribute to search at, so that threads can share the work

    Two stacks grow with the depth: `cells`, with the fixed attributes at their level and the free ones at their
    floor, and `heads`, the same without the free attributes: small, and all that the first bound needs. The lowest
    level that passes the first bound is visited first: the next is rolled up from it, and if it passes the second
    bound, all above do.
    """
    floors, tops = packed.floors, packed.tops
    m, width = len(floors), columns.counts.shape[1]
    free = columns.levels.shape[1]
    nodes = len(columns.source)
    n = len(packed.keys)
    boxes = np.empty((room, m + free + 1), dtype=np.int16)
    number = 0
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    cells, heads, probe = stack_on(packed), room_for(2 * n), room_for(n)
    parts = np.empty(2 * n * width, dtype=np.int32)
    for i in range(n):
        for c in range(width):
            parts[i * width + c] = columns.counts[i, c]
    work = np.empty((columns.start[nodes - 1] + columns.width[nodes - 1], BLOCK), dtype=np.int32)
    sums, small = np.zeros(BLOCK, dtype=np.int32), np.zeros(nodes, dtype=np.int64)
    start, end = np.zeros(m + 1, dtype=np.int64), np.zeros(m + 1, dtype=np.int64)  # of the cells at a depth
    at, after = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)  # with the attribute at its level
    head_end = np.zeros(m + 1, dtype=np.int64)
    end[0] = n
    prefix = np.zeros(m + 1, dtype=np.int64)
    for a in range(m):
        prefix[a + 1] = prefix[a] | (((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
    levels = np.zeros(m, dtype=np.int64)
    depth = 0
    entering = True
    while depth >= 0 and not stopped(stop):
        top = tops[depth] if depth > 0 else high
        if entering:
            entering = False
            begin = head_end[depth]
            heads = widened(heads, begin, begin + end[depth] - start[depth])
            last = begin + regroup(
                cells, start[depth], end[depth], prefix[depth + 1], packed, depth, floors[depth],
                tail(heads, begin), slots,
            )  # fmt: skip
            head_end[depth + 1] = last
            # first bound: the free attributes absent. At its top this one is absent, too, and the parent has passed
            level = top
            while level >= (floors[depth] if depth > 0 else low):
                if depth == 0 or level < top:
                    if level == floors[depth]:
                        below = small_rows(heads.rows[begin:], last - begin, k)
                    else:
                        groups = regroup(heads, begin, last, prefix[depth + 1], packed, depth, level, probe, slots)
                        below = small_rows(probe.rows, groups, k)
                    if below > budget:
                        break
                level -= 1
            levels[depth] = level + 1
            at[depth], after[depth] = start[depth], end[depth]
            lookup = packed.lookups[depth, level + 1 if level < top else top]
        else:
            levels[depth] += 1
            lookup = lifts[depth, levels[depth] if levels[depth] < top else top]
        level = levels[depth]
        if level > top:
            depth -= 1
            continue
        passes = depth == m - 1 and free == 0
        if not passes:
            if level > floors[depth]:
                begin = after[depth]
                need = begin + begin - at[depth]
                cells = widened(cells, begin, need)
                parts = widen(parts, begin * width, need * width)
                groups = regroup_parts(cells, parts, width, at[depth], begin, packed, depth, lookup, begin, slots)
                at[depth], after[depth] = begin, begin + groups
            # second bound: the free attributes at their floor
            begin, groups = at[depth], after[depth] - at[depth]
            if width > 0:
                passes = small_parts(parts, begin, groups, width, k, budget) <= budget
            else:
                passes = small_rows(cells.rows[begin:], groups, k) <= budget
        if passes:
            if number + top - level >= room:
                return boxes[:0], -1
            for higher in range(level, top + 1):
                boxes[number, 0] = depth + 1
                for a in range(m + free):
                    boxes[number, a + 1] = levels[a] if a < depth else -1
                boxes[number, depth + 1] = higher
                number += 1
            depth -= 1
        elif depth < m - 1:
            depth += 1
            start[depth], end[depth] = at[depth - 1], after[depth - 1]
            entering = True
        else:
            small_by_node(parts, at[depth], after[depth] - at[depth], width, columns, k, budget, work, sums, small)
            if number + nodes > room:
                return boxes[:0], -1
            for t in range(nodes):
                if small[t] <= budget:
                    boxes[number, 0] = m + free
                    for a in range(m):
                        boxes[number, a + 1] = levels[a]
                    for a in range(free):
                        boxes[number, m + a + 1] = columns.levels[t, a]
                    number += 1
    return boxes[:number], number
