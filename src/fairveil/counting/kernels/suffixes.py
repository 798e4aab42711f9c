"""Suffix tables of the roll-up search: tuples of the free attributes as numbers, and floors that rise.

`codes` and `after`, from `offsets[d]` on, take a tuple of the attributes from d on apart: the code of attribute d, and
the tuple that is left. When one of the first attributes is fixed, no other can be finer than k allows for both
together; the tables are then written anew with these higher floors, and the search goes on with far fewer cells.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import number

RAISED = 3
"""So many attributes, when fixed, raise the floors of the free ones to where k holds for both together."""

SPARSE = 64
"""A table of two attributes may have so many places per cell."""


@njit(cache=True, nogil=True)
def number_keys(keys, n, below, slots, firsts, ids):
    """Number equal keys, all less than `below`, in order of appearance; returns how many there are."""
    if below <= len(slots):  # few enough to look up by the key itself
        groups = 0
        slots[:below] = -1
        for i in range(n):
            held = slots[keys[i]]
            if held < 0:
                held = groups
                slots[keys[i]] = held
                groups += 1
            ids[i] = held
        return groups
    return number(keys, n, slots, firsts, ids)


@njit(cache=True, nogil=True)
def pair_floors(codes, counts, lookups, domains, floors, tops, k):
    """Per one of the first attributes, level of it, and later attribute: the lowest level at which both keep k.

    codes (attribute, cell) are those at the floors. With all other attributes absent k is highest, so below that level
    there is nothing to find once the first attribute is fixed.
    """
    m = len(codes)
    pairs = np.empty((RAISED, lookups.shape[1], m), dtype=np.int64)
    pairs[:, :] = floors
    if k < 2:
        return pairs
    for first in range(min(RAISED, m)):
        for other in range(first + 1, m):
            size, many = domains[first, floors[first]], domains[other, floors[other]]
            xs, ys, rows = _met(codes[first], codes[other], counts, size, many)
            low = floors[other]
            for level in range(tops[first] - 1, floors[first] - 1, -1):  # the finer this one, the coarser the other
                mine, width = lookups[first, level], domains[first, level]
                while not _together(xs, ys, rows, mine, lookups[other, low], width, domains[other, low], k):
                    low += 1
                pairs[first, level, other] = low
    return pairs


@njit(cache=True, nogil=True)
def _met(xs, ys, counts, size, many):
    """Pairs of values with their rows; each once where a table of all pairs is small."""
    if size * many > 4 * len(xs):
        return xs, ys, counts
    table = np.zeros(size * many, dtype=np.int64)
    for i in range(len(xs)):
        table[xs[i] * many + ys[i]] += counts[i]
    found = np.flatnonzero(table)
    return found // many, found % many, table[found]


@njit(cache=True, nogil=True)
def _together(xs, ys, rows, lookup, other_lookup, size, many, k):
    """Whether two attributes, rolled up to a level each, have k rows in every class; not asked where it would cost.

    A floor that is too low is no mistake: the search itself looks at k.
    """
    if size * many > SPARSE * len(xs):
        return True
    table = np.zeros(size * many, dtype=np.int64)
    for i in range(len(xs)):
        table[lookup[xs[i]] * many + other_lookup[ys[i]]] += rows[i]
    fewest = k
    for held in table:
        if 0 < held < fewest:
            fewest = held
    return fewest >= k


@njit(cache=True, nogil=True)
def _raise(depth, lower, codes, after, offsets, tuples, same, new_codes, new_after, new_offsets, new_tuples, scratch,
           slots):  # fmt: skip
    """The tables of the attributes from `depth` on, none finer than its level in `lower`.

    A value is written as the first code (at the first floors) that is the same at that level. Returns the new number
    of every tuple that the old tables had at `depth`.
    """
    m = len(offsets)
    keys, firsts, ids, last = scratch[0], scratch[1], scratch[2], scratch[3]
    last[0] = 0
    new_tuples[m] = 1
    place = 0
    for d in range(m - 1, depth - 1, -1):
        n, most = tuples[d], new_tuples[d + 1]
        coarser = same[d, lower[d]]
        for t in range(n):
            keys[t] = coarser[codes[offsets[d] + t]] * most + last[after[offsets[d] + t]]
        groups = number_keys(keys, n, len(coarser) * most, slots, firsts, ids)
        for t in range(n):
            new_codes[place + ids[t]] = keys[t] // most
            new_after[place + ids[t]] = keys[t] % most
        new_offsets[d] = place
        new_tuples[d] = groups
        place += groups
        last[:n] = ids[:n]
    return last[: tuples[depth]]


@njit(cache=True, nogil=True)
def layered(codes, after, offsets, tuples, floors):
    """Room for the tables as they are and as they get when the first attributes are fixed (see RAISED)."""
    m = len(offsets)
    layers = RAISED + 1
    all_codes, all_after = np.empty((layers, len(codes)), np.int64), np.empty((layers, len(codes)), np.int64)
    all_offsets, all_tuples = np.zeros((layers, m), np.int64), np.ones((layers, m + 1), np.int64)
    all_floors = np.zeros((layers, m), np.int64)
    all_codes[0], all_after[0], all_offsets[0], all_tuples[0], all_floors[0] = codes, after, offsets, tuples, floors
    return all_codes, all_after, all_offsets, all_tuples, all_floors


@njit(cache=True, nogil=True)
def next_after(depth, level, pairs, same, codes, after, offsets, tuples, floors, scratch, slots):
    """What a suffix becomes when attribute `depth` is fixed: where floors rise, in the tables of the next layer."""
    layer = min(depth, RAISED)
    rest = after[layer, offsets[layer, depth] : offsets[layer, depth] + tuples[layer, depth]]
    if depth >= RAISED or depth + 1 >= len(level):
        return rest, tuples[layer, depth + 1]
    floors[layer + 1] = np.maximum(floors[layer], pairs[depth, level[depth]])
    renumbered = _raise(
        depth + 1, floors[layer + 1], codes[layer], after[layer], offsets[layer], tuples[layer], same,
        codes[layer + 1], after[layer + 1], offsets[layer + 1], tuples[layer + 1], scratch, slots,
    )  # fmt: skip
    return renumbered[rest], tuples[layer + 1, depth + 1]
