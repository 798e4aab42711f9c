"""Cells as packed keys, rolled up attribute by attribute: what searches and summaries of lattice nodes share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, Int64s3, helper, kernel
from fairveil.counting.kernels.group_by import KeyCounts, clear, group_sum, slot, table_bits


class Packed(NamedTuple):
    """The cells of a lattice with every attribute at its floor: a field of one 64-bit key each, in search order.

    If the lookups give the first of all codes that a level joins, keys of any level can be rolled up by them.
    """

    keys: Int64s
    counts: Int64s
    shifts: Int64s
    bits: Int64s
    lookups: Int64s3  # attribute, level, code at the floor: what stands for it at that level
    floors: Int64s
    tops: Int64s


@helper
def changes(packed, now, levels, first, which):
    """Return a mask of the fields that stay when the attributes from `first` on go from some levels to others, and in
    how many of the others codes are looked up: `which` are these; at its top an attribute is absent."""
    keep, number = np.int64(-1), 0
    for a in range(first, len(packed.floors)):
        if levels[a] != now[a]:
            keep &= ~(((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
            if levels[a] < packed.tops[a]:
                which[number] = a
                number += 1
    return keep, number


@helper
def regroup(cells, parts, width, start, end, packed, levels, keep, which, changed, out, out_parts, at, slots):
    """Group the keys from start to end, masked by `keep`, with the attributes in `which` rolled up to their levels; sum
    their rows and their parts, of which each key has `width`. Groups are appended to `out` from position `at` on, in
    order of first appearance; returns where they end. Output may be the same arrays, but must not overlap the input."""
    rows, out_keys, out_rows = cells.rows, out.keys, out.rows
    before, after = cells.keys[start:end], out.keys[at:]  # of groups, there are never more than keys read
    for i in range(end - start):
        after[i] = before[i] & keep
    for c in range(changed):
        a = which[c]
        lookup, shift, field = packed.lookups[a, levels[a]], packed.shifts[a], (np.int64(1) << packed.bits[a]) - 1
        for i in range(end - start):
            after[i] |= lookup[(before[i] >> shift) & field] << shift
    bits = table_bits(end - start)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = at
    for i in range(start, end):
        key = after[i - start]
        position = slot(key, bits)
        while True:  # written out, as in `group_sum`
            group = slots[position]
            if group < 0:
                slots[position] = groups
                out_keys[groups] = key
                out_rows[groups] = rows[i]
                for c in range(width):
                    out_parts[groups * width + c] = parts[i * width + c]
                groups += 1
                break
            if out_keys[group] == key:
                out_rows[group] += rows[i]
                for c in range(width):
                    out_parts[group * width + c] += parts[i * width + c]
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
def widened(tally, used, need):
    """`widen` for key counts."""
    return KeyCounts(widen(tally.keys, used, need), widen(tally.rows, used, need))


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
def roll_up(cells, start, end, packed, levels, first, slots):
    """Roll a stack of cells up to these levels, attribute by attribute, from the `first` one on; returns the stack.

    Positions start[a] to end[a] hold the cells with the attributes before a at their level and the others at their
    floor. Both arrays are filled in, and the stack is widened where it is too short.
    """
    none, which = np.empty(0, dtype=np.int32), np.empty(1, dtype=np.int64)
    for a in range(first, len(levels)):
        if levels[a] == packed.floors[a]:
            start[a + 1], end[a + 1] = start[a], end[a]
            continue
        begin = end[a]
        cells = widened(cells, begin, begin + end[a] - start[a])
        start[a + 1] = begin
        keep = ~(((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
        which[0] = a
        end[a + 1] = regroup(
            cells, none, 0, start[a], end[a], packed, levels, keep, which, 1, cells, none, begin, slots
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
def tally_keys(keys: Int64s, counts: Int64s) -> KeyCounts:
    """Return the distinct keys, in order of first appearance, and the sum of the counts of each."""
    n = len(keys)
    tally = room_for(n)
    groups = group_sum(keys, counts, tally.keys, tally.rows, np.empty(1 << table_bits(n), dtype=np.int32))
    return KeyCounts(tally.keys[:groups], tally.rows[:groups])
