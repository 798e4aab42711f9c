"""Group by a 64-bit key with a hash table: the one operation behind every search.

Groups are numbered in the order of first appearance, so results never depend on the hash function.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int64s, helper, inlined, kernel

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: neighbouring keys land far apart


class KeyCounts(NamedTuple):
    """Keys, and the number of rows of each."""

    keys: Int64s
    rows: Int64s


@inlined
def slot(key, bits):
    """Return the first slot to probe for a key in a table of 2^bits slots."""
    mixed = np.uint64(key) * _SPREAD
    return np.int64(mixed >> np.uint64(64 - bits))


@helper
def table_bits(n):
    """Return the size of a hash table, as a power of two, that stays at most half full with n keys."""
    bits = 4
    while (1 << bits) < 2 * n:
        bits += 1
    return bits


@inlined
def find(key, keys, slots, bits):
    """Return the slot of a key and the index of the key in `keys`; -1 if it is new, and the slot is free."""
    last = (1 << bits) - 1
    position = slot(key, bits)
    while True:
        at = slots[position]
        if at < 0:
            break
        if keys[at] == key:
            break
        position = (position + 1) & last
    return position, at


@helper
def clear(slots, bits):
    """Empty a hash table of 2^bits slots."""
    for position in range(1 << bits):
        slots[position] = -1


@helper
def group_sum(keys, counts, out_keys, out_counts, slots):
    """Sum counts per key into the front of `out_keys` and `out_counts`; returns the number of groups.

    `slots` is working memory of at least 2^table_bits(len(keys)) entries. Input and output may be the same arrays.
    """
    n = len(keys)
    bits = table_bits(n)
    last = (1 << bits) - 1
    clear(slots, bits)
    groups = 0
    for i in range(n):
        key = keys[i]
        count = counts[i]
        position = slot(key, bits)
        while True:  # not by `find`: knowing from the loop whether the key is new saves up to a tenth
            group = slots[position]
            if group < 0:
                slots[position] = groups
                out_keys[groups] = key
                out_counts[groups] = count
                groups += 1
                break
            if out_keys[group] == key:
                out_counts[group] += count
                break
            position = (position + 1) & last
    return groups


@helper
def number(keys, n, slots, firsts, ids):
    """Number the first n keys, in order of first appearance, into `ids`; returns the number of groups.

    `firsts` receives the position where each group appears first; `slots` is working memory as for `group_sum`.
    """
    bits = table_bits(n)
    clear(slots, bits)
    groups = 0
    for i in range(n):
        position, first = find(keys[i], keys, slots, bits)
        if first < 0:
            slots[position] = i
            firsts[groups] = i
            ids[i] = groups
            groups += 1
        else:
            ids[i] = ids[first]
    return groups


@helper
def _first_of_small(keys, ids, largest):
    """`first_of_each` for keys from 0 to `largest`: each has a slot of its own."""
    slots = np.full(largest + 1, -1, dtype=np.int32)
    firsts = np.empty(min(len(keys), largest + 1), dtype=np.int64)
    groups = 0
    for i in range(len(keys)):
        group = slots[keys[i]]
        if group < 0:
            group = groups
            slots[keys[i]] = groups
            firsts[groups] = i
            groups += 1
        ids[i] = group
    return firsts[:groups].copy()


@helper
def first_of_each(keys, ids):
    """Write the group number of every key, in order of first appearance, into `ids`; returns the first position of each
    group."""
    n = len(keys)
    smallest, largest = 0, 0
    for i in range(n):
        smallest, largest = min(smallest, keys[i]), max(largest, keys[i])
    if smallest == 0 and largest < 2 * n:
        return _first_of_small(keys, ids, largest)
    slots = np.empty(1 << table_bits(n), dtype=np.int32)
    firsts = np.empty(n, dtype=np.int64)
    groups = number(keys, n, slots, firsts, ids)
    return firsts[:groups].copy()


@kernel
def group_firsts(keys: Int64s, ids: Int64s) -> Int64s:
    """`first_of_each`, callable from Python."""
    return first_of_each(keys, ids)
