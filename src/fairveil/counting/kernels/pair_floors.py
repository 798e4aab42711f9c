"""Floors of attributes beside others: the lowest level at which an attribute passes together with a prefix of others.

Below them no node can pass, so that the cells of a branch are rolled up to them at once: they are few from then on.
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import helper
from fairveil.counting.kernels.group_by import clear, slot, table_bits

MAX_PAIRS = 1 << 16
"""Pairs of a prefix and a code that are counted; with more, floors stay as they are."""


@helper
def number_heads(cells, start, end, keep, packed, attribute, level, heads, slots, ids):
    """Group the cells from start to end by their keys masked by `keep`, with one attribute rolled up to a level, into
    `heads`; `ids` receives the group of each cell. Returns the number of groups."""
    lookup, shift = packed.lookups[attribute, level], packed.shifts[attribute]
    field = (np.int64(1) << packed.bits[attribute]) - 1
    rest = keep & ~(field << shift)
    bits = table_bits(end - start)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = 0
    for i in range(start, end):
        key = (cells.keys[i] & rest) | (lookup[(cells.keys[i] >> shift) & field] << shift)
        position = slot(key, bits)
        while True:  # written out, as in `group_sum`
            group = slots[position]
            if group < 0:
                slots[position] = groups
                heads.keys[groups] = key
                heads.rows[groups] = cells.rows[i]
                ids[i - start] = groups
                groups += 1
                break
            if heads.keys[group] == key:
                heads.rows[group] += cells.rows[i]
                ids[i - start] = group
                break
            position = (position + 1) & last
    return groups


@helper
def pairs_of(packed, depth, groups):
    """Return how many pairs there are of a group and a code of an attribute after `depth`."""
    codes = 0
    for a in range(depth + 1, len(packed.floors)):
        codes += 1 << packed.bits[a]
    return codes * groups


@helper
def count_pairs(cells, start, end, packed, depth, ids, groups, pairs):
    """Count the rows of each pair of a group and a code of an attribute after `depth`: one table after the other."""
    for i in range(pairs_of(packed, depth, groups)):
        pairs[i] = 0
    table = 0
    for a in range(depth + 1, len(packed.floors)):
        bits, shift = packed.bits[a], packed.shifts[a]
        field = (np.int64(1) << bits) - 1
        for i in range(start, end):
            pairs[table + (np.int64(ids[i - start]) << bits) + ((cells.keys[i] >> shift) & field)] += cells.rows[i]
        table += groups << bits


@helper
def raise_floors(packed, depth, lows, ids, groups, wider, pairs, rolled, k, budget, out):
    """Write into `out` the lowest level of each attribute after `depth`, from `lows` on, at which it passes together
    with the prefixes that `ids` makes of the groups of `count_pairs`, `wider` in number."""
    table = 0
    for a in range(depth + 1, len(packed.floors)):
        bits = packed.bits[a]
        size = 1 << bits
        for i in range(wider << bits):
            rolled[i] = 0
        for group in range(groups):
            into, origin = np.int64(ids[group]) << bits, table + (group << bits)
            for code in range(size):
                rolled[into + code] += pairs[origin + code]
        table += groups << bits
        level = lows[a]
        while level < packed.tops[a]:
            if level > lows[a]:
                join_codes(packed.lookups[a, level], rolled, wider, bits)
            below = 0
            for i in range(wider << bits):
                below += rolled[i] if rolled[i] < k else 0
            if below <= budget:
                break
            level += 1
        out[a] = level


@helper
def join_codes(lookup, rolled, groups, bits):
    """Add the counts of each code to those of the code that stands for it, which is never after it."""
    for code in range(min(1 << bits, len(lookup))):
        joined = lookup[code]
        if joined != code:
            for group in range(groups):
                rolled[(group << bits) + joined] += rolled[(group << bits) + code]
                rolled[(group << bits) + code] = 0
