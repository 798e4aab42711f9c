"""Discrimination rules A,B → denied on packed keys, and which nodes of an up-set have none.

A count is two numbers in one: the rows of a group in the low 32 bits, the denied ones among them in the high
bits, so that the grouping kernels add up both at once.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import group_sum, slot, table_bits

SLIFT, ELIFT, CLIFT, OLIFT = range(4)
RARE, CALM, ALARM = range(3)
ROWS = (1 << 32) - 1


@njit(cache=True, nogil=True)
def exceeds(measure, limit, a1, n1, a2, n2):
    """Whether a rule's measure is at least `limit`; a2 of n2 is the contrast group (for elift all of the context).

    Fractions are multiplied out, so that a contrast group without a denial counts as infinitely better off.
    """
    if n2 == 0:
        return False
    if measure == OLIFT:
        left, right = float(a1) * (n2 - a2), float(a2) * (n1 - a1)
        return left > 0.0 if right == 0.0 else left >= limit * right
    return float(a1) * n2 >= limit * float(n1) * a2


@njit(cache=True, nogil=True)
def alarm(keys, counts, n, context, measure, limit, least, groups, totals, best, slots):
    """ALARM where a frequent rule over exactly these groups is discriminatory, RARE where no rule is frequent.

    keys, counts: one entry per combination of A and B; `context` masks what belongs to B. `least` is the minimum
    support of A,B → denied. The other arrays are scratch.
    """
    frequent = False
    for i in range(n):
        if counts[i] >> 32 >= least:
            frequent = True
            break
    if not frequent:
        return RARE
    for i in range(n):
        groups[i] = keys[i] & context
        totals[i] = counts[i]
    contexts = group_sum(groups[:n], totals[:n], groups, totals, slots)
    bits = table_bits(n)
    last = (1 << bits) - 1
    if measure == CLIFT:
        best[:contexts] = -1
        for i in range(n):
            b = _group_of(keys[i] & context, groups, slots, bits, last)
            j = best[b]
            if j < 0 or (counts[i] >> 32) * (counts[j] & ROWS) < (counts[j] >> 32) * (counts[i] & ROWS):
                best[b] = i
    for i in range(n):
        a1, n1 = counts[i] >> 32, counts[i] & ROWS
        if a1 < least:
            continue
        b = _group_of(keys[i] & context, groups, slots, bits, last)
        if measure == CLIFT:
            other = counts[best[b]]
        elif measure == ELIFT:
            other = totals[b]
        else:
            other = totals[b] - counts[i]
        if exceeds(measure, limit, a1, n1, other >> 32, other & ROWS):
            return ALARM
    return CALM


@njit(cache=True, nogil=True)
def _group_of(key, groups, slots, bits, last):
    """The group of a key in the table that `group_sum` has just filled."""
    place = slot(key, bits)
    while groups[slots[place]] != key:
        place = (place + 1) & last
    return slots[place]


@njit(cache=True, nogil=True)
def any_alarm(keys, counts, fields, protected, most, measure, limit, least):
    """Definition 4 on one table: whether any set of at most `most` attributes has a discriminatory rule.

    fields[a] masks attribute a in a key. Smaller sets come first; a set without a frequent group spares its
    supersets.
    """
    n, m = len(keys), len(fields)
    part, rows = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    groups, totals, best = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    rare = np.zeros(1 << m, dtype=np.bool_)
    for size in range(1, min(m, most) + 1):
        for chosen in range(1, 1 << m):
            width = 0
            guarded = False
            spared = False
            mask = np.int64(0)
            context = np.int64(-1)
            for a in range(m):
                if chosen >> a & 1:
                    width += 1
                    mask |= fields[a]
                    spared |= rare[chosen ^ (1 << a)]
                    if protected[a]:
                        guarded = True
                        context &= ~fields[a]
            if width != size or not guarded:
                continue
            if spared:
                rare[chosen] = True
                continue
            for i in range(n):
                part[i] = keys[i] & mask
                rows[i] = counts[i]
            found = group_sum(part, rows, part, rows, slots)
            said = alarm(part, rows, found, context, measure, limit, least, groups, totals, best, slots)
            rare[chosen] = said == RARE
            if said == ALARM:
                return True
    return False


@njit(cache=True, nogil=True)
def representatives(lookups):
    """Per attribute, level and code at the floor: the first floor code that has the same value at that level."""
    m, levels, codes = lookups.shape
    same = np.zeros((m, levels, codes), dtype=np.int64)
    first = np.empty(codes, dtype=np.int64)
    for a in range(m):
        for level in range(levels):
            first[:] = -1
            for code in range(codes):
                value = lookups[a, level, code]
                if first[value] < 0:
                    first[value] = code
                same[a, level, code] = first[value]
    return same


@njit(cache=True, nogil=True)
def rolled(keys, counts, n, levels, tops, shifts, bits, same, out_keys, out_counts, slots):
    """Group the first n keys with every attribute at its level; one at its top is absent. Returns the groups."""
    for i in range(n):
        out_keys[i] = 0
        out_counts[i] = counts[i]
    for a in range(len(shifts)):
        if levels[a] < tops[a]:
            field, shift, lookup = (np.int64(1) << bits[a]) - 1, shifts[a], same[a, levels[a]]
            for i in range(n):
                out_keys[i] |= lookup[(keys[i] >> shift) & field] << shift
    return group_sum(out_keys[:n], out_counts[:n], out_keys, out_counts, slots)


@njit(cache=True, nogil=True)
def protective(keys, counts, shifts, bits, lookups, floors, tops, nodes, below, protected, most, measure, limit, least):
    """Which nodes of an up-set are α-protective.

    protective(v) = check(v) and every v with one attribute lifted to its top is protective, where check(v) looks
    at the rules over exactly the attributes below their top (and is true beyond `most` of them).

    nodes come sorted by the number, then by the set `below` (bits), of attributes below their top: lifted nodes
    come first, and nodes over the same attributes side by side share one small table that they are rolled up from.
    """
    n, m, total = len(keys), len(shifts), len(nodes)
    stride = np.ones(m, dtype=np.int64)
    for a in range(m - 1, 0, -1):
        stride[a - 1] = stride[a] * (tops[a] - floors[a] + 1)
    status = np.zeros(stride[0] * (tops[0] - floors[0] + 1), dtype=np.bool_)
    rare = np.zeros(len(status), dtype=np.bool_)  # no rule is frequent, so none is below either
    ids = np.zeros(total, dtype=np.int64)
    for i in range(total):
        for a in range(m):
            ids[i] += (nodes[i, a] - floors[a]) * stride[a]
    guarded = np.int64(0)
    for a in range(m):
        if protected[a]:
            guarded |= np.int64(1) << a
    same = representatives(lookups)
    base, base_rows = keys, counts
    shared, shared_rows = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    own, own_rows = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    groups, totals, best = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    live = np.empty(total, dtype=np.int64)
    low = np.empty(m, dtype=np.int64)
    start = 0
    shrunk = False
    while start < total:
        end = start
        while end < total and below[end] == below[start]:
            end += 1
        size = 0
        context = np.int64(-1)
        for a in range(m):
            if below[start] >> a & 1:
                size += 1
                if protected[a]:
                    context &= ~(((np.int64(1) << bits[a]) - 1) << shifts[a])
        if size > 1 and not shrunk:
            # what fails alone is gone: the rest needs far fewer cells
            shrunk = True
            if _lowest(nodes, start, below, guarded, most, status, ids, stride, tops, floors, protected, low):
                room, room_rows = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
                left = rolled(keys, counts, n, low, tops, shifts, bits, same, room, room_rows, slots)
                base, base_rows = room[:left], room_rows[:left]
        alive = 0
        for i in range(start, end):
            passes = True
            if below[start] & guarded:
                for a in range(m):
                    if below[start] >> a & 1:
                        lifted = ids[i] + (tops[a] - nodes[i, a]) * stride[a]
                        rare[ids[i]] |= rare[lifted]
                        if not status[lifted]:
                            passes = False
                            break
                if passes and size <= most and not rare[ids[i]]:
                    live[alive] = i
                    alive += 1
            status[ids[i]] = passes
        if alive > 0:
            low[:] = tops
            for j in range(alive):
                low = np.minimum(low, nodes[live[j]])
            found = rolled(base, base_rows, len(base), low, tops, shifts, bits, same, shared, shared_rows, slots)
            for j in range(alive):
                i = live[j]
                count = rolled(
                    shared, shared_rows, found, nodes[i], tops, shifts, bits, same, own, own_rows, slots
                )  # fmt: skip
                said = alarm(own, own_rows, count, context, measure, limit, least, groups, totals, best, slots)
                status[ids[i]] = said != ALARM
                rare[ids[i]] = said == RARE
        start = end
    passing = np.empty(total, dtype=np.bool_)
    for i in range(total):
        passing[i] = status[ids[i]]
    return passing


@njit(cache=True, nogil=True)
def _lowest(nodes, start, below, guarded, most, status, ids, stride, tops, floors, protected, low):
    """The lowest levels among nodes from `start` on whose protected attributes each pass alone; whether any does."""
    m = len(tops)
    top = np.int64(0)
    for a in range(m):
        top += (tops[a] - floors[a]) * stride[a]
    low[:] = tops
    some = False
    for i in range(start, len(nodes)):
        if not below[i] & guarded:
            continue
        passes = True
        size = 0
        for a in range(m):
            if nodes[i, a] < tops[a]:
                size += 1
                if protected[a] and not status[top - (tops[a] - nodes[i, a]) * stride[a]]:
                    passes = False
                    break
        if passes and size <= most:
            some = True
            low[:] = np.minimum(low, nodes[i])
    return some
