"""Distance patterns of all pairs of rows, counted exactly.

A pattern is, per attribute, the lowest level at which two rows agree, which is the number of levels at which they
differ. So it is a sum: one term per attribute and level. Attributes are bundled until a bundle has a few thousand
distinct tuples; the terms of all levels of a bundle then come from one table, whose row for a fixed first record stays
in the fastest cache. Levels with more values than that are compared one by one. What comes out is a number in mixed
radix, and counts are indexed by it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.grouping import slot

BLOCK = 2048
TOGETHER = 5
"""Bundles whose terms are added in one go; where there are fewer, empty ones fill up."""


@njit(cache=True, nogil=True)
def bundle_table(codes, strides, table):
    """Terms of every pair of tuples of one bundle.

    codes (terms, tuples): the code of each tuple at each level of each attribute; a differing one adds its stride.
    """
    terms, n = codes.shape
    for i in range(n):
        for j in range(n):
            table[i, j] = 0
        for t in range(terms):
            mine = codes[t, i]
            for j in range(n):
                if codes[t, j] != mine:
                    table[i, j] += strides[t]


@njit(cache=True, nogil=True, inline="always")
def _terms(tables, offsets, sizes, bundles, b, i):
    """The terms of row i with every tuple of bundle b."""
    at = offsets[b] + bundles[b, i] * sizes[b]
    return tables[at : at + sizes[b]]


@njit(cache=True, nogil=True)
def count_patterns(tables, offsets, sizes, bundles, fine, fine_strides, first, last, dense, counts, heads):
    """Add the pairs (i, j), first ≤ i < last, i < j, to `counts`, which is indexed by key if `dense`.

    Else `heads` and `counts` are a hash table (a count of 0 is a free slot); both are returned, larger where needed.

    tables: all bundle tables, flat; bundle b starts at offsets[b] and has sizes[b] columns
    bundles (bundles, rows): the tuple of each row, at least TOGETHER of them
    fine (levels, rows): codes to compare one by one
    """
    number, n = bundles.shape
    keys = np.empty(BLOCK, dtype=np.uint32)
    held = 0
    if not dense:
        for place in range(len(counts)):
            held += counts[place] > 0
    for i in range(first, last):
        t0 = _terms(tables, offsets, sizes, bundles, 0, i)
        t1 = _terms(tables, offsets, sizes, bundles, 1, i)
        t2 = _terms(tables, offsets, sizes, bundles, 2, i)
        t3 = _terms(tables, offsets, sizes, bundles, 3, i)
        t4 = _terms(tables, offsets, sizes, bundles, 4, i)
        for start in range(i + 1, n, BLOCK):
            m = min(BLOCK, n - start)
            c0, c1, c2, c3, c4 = (
                bundles[0, start : start + m],
                bundles[1, start : start + m],
                bundles[2, start : start + m],
                bundles[3, start : start + m],
                bundles[4, start : start + m],
            )
            for j in range(m):
                keys[j] = t0[c0[j]] + t1[c1[j]] + t2[c2[j]] + t3[c3[j]] + t4[c4[j]]
            for b in range(TOGETHER, number):
                more = _terms(tables, offsets, sizes, bundles, b, i)
                ids = bundles[b, start : start + m]
                for j in range(m):
                    keys[j] += more[ids[j]]
            for f in range(len(fine)):
                mine = fine[f, i]
                theirs = fine[f, start : start + m]
                stride = fine_strides[f]
                for j in range(m):
                    keys[j] += stride if theirs[j] != mine else np.uint32(0)
            if dense:
                for j in range(m):
                    counts[keys[j]] += 1
            else:
                while 2 * (held + m) > len(counts):
                    counts, heads = _larger(counts, heads)
                for j in range(m):
                    held += _add(counts, heads, keys[j], np.uint32(1))
    return counts, heads


@njit(cache=True, nogil=True, inline="always")
def _add(counts, heads, key, number):
    """Add to a key's count in the hash table; 1 if the key is new."""
    last = len(counts) - 1
    place = slot(key, 40) & last
    while counts[place] > 0 and heads[place] != key:
        place = (place + 1) & last
    new = counts[place] == 0
    heads[place] = key
    counts[place] += number
    return np.int64(new)


@njit(cache=True, nogil=True)
def _larger(counts, heads):
    """The same hash table with four times the slots."""
    wider, wider_heads = np.zeros(4 * len(counts), dtype=counts.dtype), np.zeros(4 * len(counts), dtype=heads.dtype)
    for place in range(len(counts)):
        if counts[place] > 0:
            _add(wider, wider_heads, heads[place], counts[place])
    return wider, wider_heads


@njit(cache=True, nogil=True)
def merge(counts, other):
    """Add `other` to `counts`."""
    for key in range(len(counts)):
        counts[key] += other[key]


@njit(cache=True, nogil=True)
def add_digits(keys, stride, columns, patterns, levels):
    """Add what one digit of every key stands for to its columns of `levels`."""
    for i in range(len(keys)):
        digit = keys[i] // stride % len(patterns)
        for position in range(len(columns)):
            levels[i, columns[position]] += patterns[digit, position]
