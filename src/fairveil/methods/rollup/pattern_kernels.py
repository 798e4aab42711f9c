"""Distance patterns of all pairs of rows, counted exactly.

A pattern is, per attribute, the lowest level at which two rows agree, which is the number of levels at which they
differ. So it is a sum: one term per attribute and level. Attributes are bundled until a bundle has a few thousand
distinct tuples; the terms of all levels of a bundle then come from one table, whose row for a fixed first record stays
in the fastest cache. Levels with more values than that are compared one by one. What comes out is a number in mixed
radix, and counts are indexed by it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Int32s2,
    Int64s,
    UInt8s,
    UInt16s2,
    UInt32s,
    UInt32s2,
    helper,
    inlined,
    kernel,
    stopped,
)
from fairveil.counting.kernels.group_by import slot

BLOCK = 2048
TOGETHER = 5
"""Bundles whose terms are added at once; if there are fewer, empty ones are added."""


class Bundles(NamedTuple):
    """The rows as the terms of their pairs: bundles of attributes, and levels that are compared one by one."""

    tables: UInt32s  # all bundles' tables of terms, flat
    offsets: Int64s  # bundle: where its table starts
    sizes: Int64s  # bundle: the columns of its table
    ids: UInt16s2  # bundle, row: its tuple; at least TOGETHER bundles
    fine: Int32s2  # level, row: its code
    fine_strides: UInt32s  # level: its term


@kernel
def bundle_table(codes: Int32s2, strides: UInt32s, table: UInt32s2) -> None:
    """Compute the terms of every pair of tuples of one bundle.

    codes (terms, tuples): the code of each tuple at each level of each attribute; codes that differ add their stride.
    """
    terms, n = codes.shape
    for i in range(n):
        for j in range(n):
            table[i, j] = 0
        for t in range(terms):
            mine, stride = codes[t, i], strides[t]
            for j in range(n):
                table[i, j] += stride if codes[t, j] != mine else np.uint32(0)


@inlined
def _terms(bundles, b, i):
    """Return the terms of row i with every tuple of bundle b."""
    at = bundles.offsets[b] + bundles.ids[b, i] * bundles.sizes[b]
    return bundles.tables[at : at + bundles.sizes[b]]


@kernel
def count_patterns(
    bundles: Bundles,
    first: int,
    last: int,
    dense: bool,
    counts: UInt32s,
    heads: UInt32s,
    stop: UInt8s,
) -> tuple[UInt32s, UInt32s]:
    """Add the pairs (i, j), first ≤ i < last, i < j, to `counts`, which is indexed by key if `dense`.

    Otherwise `heads` and `counts` are a hash table (a count of 0 is a free slot); both are returned, larger if needed.
    """
    ids, fine = bundles.ids, bundles.fine
    number, n = ids.shape
    keys = np.empty(BLOCK, dtype=np.uint32)
    used = 0
    if not dense:
        for position in range(len(counts)):
            used += counts[position] > 0
    for i in range(first, last):
        if stopped(stop):
            break
        t0 = _terms(bundles, 0, i)
        t1 = _terms(bundles, 1, i)
        t2 = _terms(bundles, 2, i)
        t3 = _terms(bundles, 3, i)
        t4 = _terms(bundles, 4, i)
        for start in range(i + 1, n, BLOCK):
            m = min(BLOCK, n - start)
            c0, c1, c2, c3, c4 = (
                ids[0, start : start + m],
                ids[1, start : start + m],
                ids[2, start : start + m],
                ids[3, start : start + m],
                ids[4, start : start + m],
            )
            for j in range(m):
                keys[j] = t0[c0[j]] + t1[c1[j]] + t2[c2[j]] + t3[c3[j]] + t4[c4[j]]
            for b in range(TOGETHER, number):
                more = _terms(bundles, b, i)
                theirs = ids[b, start : start + m]
                for j in range(m):
                    keys[j] += more[theirs[j]]
            for f in range(len(fine)):
                mine = fine[f, i]
                codes = fine[f, start : start + m]
                stride = bundles.fine_strides[f]
                for j in range(m):
                    keys[j] += stride if codes[j] != mine else np.uint32(0)
            if dense:
                for j in range(m):
                    counts[keys[j]] += 1
            else:
                while 2 * (used + m) > len(counts):
                    counts, heads = _larger(counts, heads)
                for j in range(m):
                    used += _add(counts, heads, keys[j], np.uint32(1))
    return counts, heads


@inlined
def _add(counts, heads, key, number):
    """Add to a key's count in the hash table, whose slots contain the keys themselves; returns 1 if the key is new."""
    last = len(counts) - 1
    position = slot(key, 40) & last
    while counts[position] > 0 and heads[position] != key:
        position = (position + 1) & last
    new = counts[position] == 0
    heads[position] = key
    counts[position] += number
    return np.int64(new)


@helper
def _larger(counts, heads):
    """Return the same hash table with four times the slots."""
    wider, wider_heads = np.zeros(4 * len(counts), dtype=counts.dtype), np.zeros(4 * len(counts), dtype=heads.dtype)
    for position in range(len(counts)):
        if counts[position] > 0:
            _add(wider, wider_heads, heads[position], counts[position])
    return wider, wider_heads


@kernel
def add_digits(keys: Int64s, stride: int, columns: Int64s, patterns: UInt16s2, levels: UInt16s2) -> None:
    """Add the levels of one digit of every key to its columns of `levels`."""
    for i in range(len(keys)):
        digit = keys[i] // stride % len(patterns)
        for position in range(len(columns)):
            levels[i, columns[position]] += patterns[digit, position]
