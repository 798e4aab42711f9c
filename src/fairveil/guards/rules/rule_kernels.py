"""Discrimination rules A,B → denied on packed keys, and which nodes of an up-set have none.

A count packs two numbers: the rows of a group in the low 32 bits, the denied ones among them in the high bits, so that
the grouping kernels add up both at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Bools, Int32s, Int64s, Int64s2, Int64s3, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.group_by import KeyCounts, find, group_sum, table_bits
from fairveil.counting.kernels.rolling_up import Packed, room_for

SLIFT, ELIFT, CLIFT, OLIFT = range(4)
RARE, CALM, ALARM = range(3)
ROWS = (1 << 32) - 1


class Limit(NamedTuple):
    """When a rule is discriminatory: it is frequent, and its measure is not below the limit."""

    measure: int
    limit: float
    min_denied: int  # the minimum support of A,B → denied
    never: Int64s2 = np.empty((0, 2), dtype=np.int64)  # mask of a column, key of its merged rare values


class Contexts(NamedTuple):
    """Room for the contexts B of a set of rules: their keys, rows, most favoured groups, and the hash table."""

    keys: Int64s
    totals: Int64s
    best: Int64s
    slots: Int32s


@helper
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


@helper
def nameless(key, never):
    """Whether a key holds merged rare values, which no rule can name."""
    for i in range(len(never)):  # noqa: SIM110 - a plain loop, for the compiler
        if key & never[i, 0] == never[i, 1]:
            return True
    return False


@helper
def room_for_contexts(n):
    """Room for the contexts of up to n groups."""
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    return Contexts(np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), slots)


@helper
def alarm(groups, n, context, limit, contexts):
    """ALARM where a frequent rule over exactly these groups is discriminatory, RARE where no rule is frequent.

    groups: one entry per combination of A and B, the first n count; `context` masks what belongs to B.
    """
    keys, counts, totals, best = groups.keys, groups.rows, contexts.totals, contexts.best
    frequent = False
    for i in range(n):
        if counts[i] >> 32 >= limit.min_denied and not nameless(keys[i], limit.never):
            frequent = True
            break
    if not frequent:
        return RARE
    for i in range(n):
        contexts.keys[i] = keys[i] & context
        totals[i] = counts[i]
    number = group_sum(contexts.keys[:n], totals[:n], contexts.keys, totals, contexts.slots)
    bits = table_bits(n)
    if limit.measure == CLIFT:
        for b in range(number):
            best[b] = -1
        for i in range(n):
            _, b = find(keys[i] & context, contexts.keys, contexts.slots, bits)
            j = best[b]
            if j < 0 or (counts[i] >> 32) * (counts[j] & ROWS) < (counts[j] >> 32) * (counts[i] & ROWS):
                best[b] = i
    for i in range(n):
        a1, n1 = counts[i] >> 32, counts[i] & ROWS
        if a1 < limit.min_denied or nameless(keys[i], limit.never):
            continue
        _, b = find(keys[i] & context, contexts.keys, contexts.slots, bits)
        if limit.measure == CLIFT:
            other = counts[best[b]]
        elif limit.measure == ELIFT:
            other = totals[b]
        else:
            other = totals[b] - counts[i]
        if exceeds(limit.measure, limit.limit, a1, n1, other >> 32, other & ROWS):
            return ALARM
    return CALM


@kernel
def any_alarm(
    cells: KeyCounts,
    fields: Int64s,
    protected: Bools,
    max_attributes: int,
    limit: Limit,
    stop: UInt8s,
) -> bool:
    """Definition 4 on one table: whether any set of at most `max_attributes` has a discriminatory rule.

    fields[a] masks attribute a in a key. Smaller sets come first; supersets of a set without a frequent group are
    skipped.
    """
    n, m = len(cells.keys), len(fields)
    part, contexts = room_for(n), room_for_contexts(n)
    rare = np.zeros(1 << m, dtype=np.bool_)
    for size in range(1, min(m, max_attributes) + 1):
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
            if stopped(stop):
                return False
            for i in range(n):
                part.keys[i] = cells.keys[i] & mask
                part.rows[i] = cells.rows[i]
            groups = group_sum(part.keys, part.rows, part.keys, part.rows, contexts.slots)
            answer = alarm(part, groups, context, limit, contexts)
            rare[chosen] = answer == RARE
            if answer == ALARM:
                return True
    return False


def representatives(lookups: np.ndarray) -> np.ndarray:
    """Per attribute, level and code at the floor: the first floor code that has the same value at that level."""
    attributes, levels, codes = lookups.shape
    values = lookups + codes * np.arange(attributes * levels).reshape(attributes, levels, 1)
    first = np.empty(lookups.size, dtype=np.int64)
    first[values.ravel()[::-1]] = np.arange(lookups.size - 1, -1, -1) % codes
    firsts: np.ndarray = first[values]
    return firsts


@helper
def rolled(cells, n, levels, packed, same, out, slots):
    """Group the first n cells with every attribute at its level; one at its top is absent. Returns the groups."""
    for i in range(n):
        out.keys[i] = 0
        out.rows[i] = cells.rows[i]
    for a in range(len(levels)):
        if levels[a] < packed.tops[a]:
            field, shift, lookup = (np.int64(1) << packed.bits[a]) - 1, packed.shifts[a], same[a, levels[a]]
            for i in range(n):
                out.keys[i] |= lookup[(cells.keys[i] >> shift) & field] << shift
    return group_sum(out.keys[:n], out.rows[:n], out.keys, out.rows, slots)


@kernel
def protective(
    packed: Packed,
    same: Int64s3,
    nodes: Int64s2,
    below: Int64s,
    protected: Bools,
    max_attributes: int,
    limit: Limit,
    stop: UInt8s,
) -> Bools:
    """Which nodes of an up-set are α-protective; `same` are the `representatives` of the lookups.

    protective(v) = check(v) and every v with one attribute lifted to its top is protective, where check(v) looks
    at the rules over exactly the attributes below their top (and is true beyond `max_attributes` of them).

    nodes come sorted by the number, then by the set `below` (bits), of attributes below their top: lifted nodes
    come first, and nodes over the same attributes side by side share one small table that they are rolled up from.
    """
    floors, tops = packed.floors, packed.tops
    n, m, total = len(packed.keys), len(tops), len(nodes)
    stride = np.zeros(m, dtype=np.int64)
    stride[m - 1] = 1
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
    base, base_size = KeyCounts(packed.keys, packed.counts), n
    shared, own, contexts = room_for(n), room_for(n), room_for_contexts(n)
    live = np.empty(total, dtype=np.int64)
    low = np.empty(m, dtype=np.int64)
    start = 0
    shrunk = False
    while start < total and not stopped(stop):
        end = start
        while end < total and below[end] == below[start]:
            end += 1
        size = 0
        context = np.int64(-1)
        for a in range(m):
            if below[start] >> a & 1:
                size += 1
                if protected[a]:
                    context &= ~(((np.int64(1) << packed.bits[a]) - 1) << packed.shifts[a])
        if size > 1 and not shrunk:
            # nodes that fail alone are gone: the rest needs far fewer cells
            shrunk = True
            if _lowest(nodes, below, stride, start, guarded, max_attributes, status, packed, protected, low):
                fewer = room_for(n)
                base_size = rolled(base, n, low, packed, same, fewer, contexts.slots)
                base = fewer
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
                if passes and size <= max_attributes and not rare[ids[i]]:
                    live[alive] = i
                    alive += 1
            status[ids[i]] = passes
        if alive > 0:
            for a in range(m):
                low[a] = tops[a]
                for j in range(alive):
                    low[a] = min(low[a], nodes[live[j], a])
            groups = rolled(base, base_size, low, packed, same, shared, contexts.slots)
            for i in live[:alive]:
                if stopped(stop):
                    break
                number = rolled(shared, groups, nodes[i], packed, same, own, contexts.slots)
                answer = alarm(own, number, context, limit, contexts)
                status[ids[i]] = answer != ALARM
                rare[ids[i]] = answer == RARE
        start = end
    passing = np.empty(total, dtype=np.bool_)
    for i in range(total):
        passing[i] = status[ids[i]]
    return passing


@helper
def _lowest(nodes, below, stride, start, guarded, max_attributes, status, packed, protected, low):
    """The lowest levels among nodes from `start` on whose protected attributes each pass alone; whether any does."""
    tops = packed.tops
    m = len(tops)
    top = np.int64(0)
    for a in range(m):
        top += (tops[a] - packed.floors[a]) * stride[a]
        low[a] = tops[a]
    any_passes = False
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
        if passes and size <= max_attributes:
            any_passes = True
            for a in range(m):
                low[a] = min(low[a], nodes[i, a])
    return any_passes
