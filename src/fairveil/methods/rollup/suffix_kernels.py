"""Suffix tables of the roll-up search: tuples of the free attributes as numbers, and floors that rise.

`codes` and `after`, from `offsets[d]` on, take a tuple of the attributes from d on apart: the code of attribute d, and
the tuple that is left. When one of the first attributes is fixed, no other can be finer than k allows for both
together; the tables are then rewritten with these higher floors, and the search continues with far fewer cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, Int64s2, Int64s3, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.group_by import number

RAISED = 3
"""The number of fixed attributes that raise the floors of the free ones to where k holds for both together."""

SPARSE = 64
"""Maximum number of slots per cell in a table of two attributes."""


class Layers(NamedTuple):
    """The initial suffix tables, and room for those after each of the first attributes is fixed (see RAISED)."""

    codes: Int64s2
    after: Int64s2
    offsets: Int64s2
    tuples: Int64s2  # how many there are, per first attribute
    floors: Int64s2


class Chain(NamedTuple):
    """The cells of a lattice with attributes in search order, as tuples of the free attributes."""

    order: Int64s  # the attributes' positions in the lattice
    counts: Int64s  # tuple of all attributes, decision: rows; flat
    kinds: int  # of decisions
    layers: Layers
    lookups: Int64s3  # attribute, level, code at the floor: the code at that level
    domains: Int64s2  # attribute, level: how many codes
    floors: Int64s
    tops: Int64s
    same: Int64s3  # attribute, level, code at the floor: the first code with the same value there
    pairs: Int64s3  # see `pair_floors`


class Scratch(NamedTuple):
    """Working memory for numbering the keys of one step; `classes` and `last` are the numbers of the previous step."""

    keys: Int64s
    firsts: Int64s
    ids: Int64s
    last: Int64s
    classes: Int64s
    after: Int64s  # see `next_after`
    slots: Int32s


@helper
def number_keys(keys, n, below, slots, firsts, ids):
    """Number equal keys, all less than `below`, in order of appearance; returns how many there are."""
    if below <= len(slots):  # few enough to look up by the key itself
        groups = 0
        for key in range(below):
            slots[key] = -1
        for i in range(n):
            group = slots[keys[i]]
            if group < 0:
                group = groups
                slots[keys[i]] = group
                groups += 1
            ids[i] = group
        return groups
    return number(keys, n, slots, firsts, ids)


@kernel
def pair_floors(
    codes: Int64s2,
    counts: Int64s,
    lookups: Int64s3,
    domains: Int64s2,
    floors: Int64s,
    tops: Int64s,
    k: int,
    stop: UInt8s,
) -> Int64s3:
    """Return, per first attribute, level of it, and later attribute, the lowest level at which both keep k.

    codes (attribute, cell) are those at the floors, counts the rows of each cell. With all other attributes absent k is
    highest, so nothing can be found below that level once the first attribute is fixed.
    """
    m = len(codes)
    pairs = np.empty((RAISED, lookups.shape[1], m), dtype=np.int64)
    for first in range(RAISED):
        for level in range(lookups.shape[1]):
            for other in range(m):
                pairs[first, level, other] = floors[other]
    if k < 2:
        return pairs
    for first in range(min(RAISED, m)):
        for other in range(first + 1, m):
            if stopped(stop):
                return pairs
            size, other_size = domains[first, floors[first]], domains[other, floors[other]]
            xs, ys, rows = _observed_pairs(codes[first], codes[other], counts, size, other_size)
            low = floors[other]
            for level in range(tops[first] - 1, floors[first] - 1, -1):  # the finer this one, the coarser the other
                if stopped(stop):
                    break
                mine, width = lookups[first, level], domains[first, level]
                while not _together(xs, ys, rows, mine, lookups[other, low], width, domains[other, low], k):
                    low += 1
                pairs[first, level, other] = low
    return pairs


@helper
def _observed_pairs(xs, ys, counts, size, other_size):
    """Return pairs of values with their rows; each pair once if a table of all pairs is small."""
    if size * other_size > 4 * len(xs):
        return xs, ys, counts
    table = np.zeros(size * other_size, dtype=np.int64)
    for i in range(len(xs)):
        table[xs[i] * other_size + ys[i]] += counts[i]
    x, y, rows = np.empty(len(table), np.int64), np.empty(len(table), np.int64), np.empty(len(table), np.int64)
    pairs = 0
    for i in range(len(table)):
        if table[i] > 0:
            x[pairs], y[pairs], rows[pairs] = i // other_size, i % other_size, table[i]
            pairs += 1
    return x[:pairs], y[:pairs], rows[:pairs]


@helper
def _together(xs, ys, rows, lookup, other_lookup, size, other_size, k):
    """Whether two attributes, rolled up to a level each, have k rows in every class; True where the test is expensive.

    A floor that is too low does no harm: the search itself checks k.
    """
    if size * other_size > SPARSE * len(xs):
        return True
    table = np.zeros(size * other_size, dtype=np.int64)
    for i in range(len(xs)):
        table[lookup[xs[i]] * other_size + other_lookup[ys[i]]] += rows[i]
    fewest = k
    for class_rows in table:
        if 0 < class_rows < fewest:
            fewest = class_rows
    return fewest >= k


@helper
def _raise(layers, layer, depth, same, scratch):
    """Write the tables of the next layer, from `depth` on, with its floors; those of this layer exist.

    A value is written as the first code (at the first floors) that is equal at that level. Returns the new number of
    every tuple that this layer has at `depth`.
    """
    m = layers.offsets.shape[1]
    codes, after = layers.codes[layer], layers.after[layer]
    offsets, tuples = layers.offsets[layer], layers.tuples[layer]
    higher = layer + 1
    higher_codes, higher_after = layers.codes[higher], layers.after[higher]
    keys, ids, last = scratch.keys, scratch.ids, scratch.last
    last[0] = 0
    layers.tuples[higher, m] = 1
    position = 0
    for d in range(m - 1, depth - 1, -1):
        n, tuples_after = tuples[d], layers.tuples[higher, d + 1]
        coarser = same[d, layers.floors[higher, d]]
        for t in range(n):
            keys[t] = coarser[codes[offsets[d] + t]] * tuples_after + last[after[offsets[d] + t]]
        groups = number_keys(keys, n, len(coarser) * tuples_after, scratch.slots, scratch.firsts, ids)
        for t in range(n):
            higher_codes[position + ids[t]] = keys[t] // tuples_after
            higher_after[position + ids[t]] = keys[t] % tuples_after
            last[t] = ids[t]
        layers.offsets[higher, d] = position
        layers.tuples[higher, d] = groups
        position += groups
    return last[: tuples[depth]]


@helper
def next_after(depth, level, chain, scratch):
    """Return what a suffix becomes when attribute `depth` is fixed: where floors rise, in the next layer."""
    layers, layer = chain.layers, min(depth, RAISED)
    start = layers.offsets[layer, depth]
    rest = layers.after[layer, start : start + layers.tuples[layer, depth]]
    if depth >= RAISED or depth + 1 >= len(level):
        return rest, layers.tuples[layer, depth + 1]
    for a in range(len(level)):
        layers.floors[layer + 1, a] = max(layers.floors[layer, a], chain.pairs[depth, level[depth], a])
    renumbered = _raise(layers, layer, depth + 1, chain.same, scratch)
    after = scratch.after[: len(rest)]
    for i in range(len(rest)):
        after[i] = renumbered[rest[i]]
    return after, layers.tuples[layer + 1, depth + 1]
