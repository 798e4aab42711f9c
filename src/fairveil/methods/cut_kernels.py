"""Cuts of Mondrian: a region is cut at the median of its widest column, or into the values of a name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.class_values import RowShares, RowValues, diverse_parts, similar_parts
from fairveil.counting.kernels.compiling import Int64s, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.rolling_up import widen
from fairveil.counting.kernels.sorting import merge_order, sort
from fairveil.methods.region_kernels import Axes, widths


@kernel
def first_cut(
    axes: Axes,
    rows: Int64s,
    level: Int64s,
    skip: int,
    k: int,
    relaxed: bool,
) -> tuple[int, int, Int64s, Int64s, Int64s]:
    """Return the first cut that leaves k rows in every part, widest column first, without the `skip` widest columns.

    Returns (column or -1, columns to skip for the next one, the rows part by part, the end of each part, and a
    description: the codes of names, or for numbers the median code, how many rows equal to it went left, and how many
    there are).
    """
    return _cut_of(axes, rows, level, _widest(axes, rows, level), skip, k, relaxed)


@helper
def _widest(axes, rows, level):
    """Return the columns that can be cut, the widest first."""
    wide = widths(axes, rows, level)
    order, spare = np.empty(len(wide), dtype=np.int64), np.empty(len(wide), dtype=np.int64)
    for a in range(len(wide)):
        wide[a] = -wide[a]
        order[a] = a
    merge_order(wide, order, spare, len(order))
    number = 0
    while number < len(order) and wide[order[number]] < 0:
        number += 1
    return order[:number].copy()


@helper
def _cut_of(axes, rows, level, order, skip, k, relaxed):
    """Return what `first_cut` does, given the columns that can be cut, the widest first."""
    for rank in range(skip, len(order)):
        a = order[rank]
        mine = np.empty(len(rows), dtype=np.int64)
        if axes.numeric[a]:
            for i in range(len(rows)):
                mine[i] = axes.codes[a, rows[i]]
            parts, ends, cut = _cut_numbers(rows, mine, axes.values.shape[1], k, relaxed)
        else:
            for i in range(len(rows)):
                mine[i] = axes.lookups[a, level[a] - 1, axes.codes[a, rows[i]]]
            parts, ends, cut = _cut_names(rows, mine, axes.lookups.shape[2], k)
        if len(ends) > 0:
            return a, rank + 1, parts, ends, cut
    return -1, len(order), rows, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


class TableCuts(NamedTuple):
    """The cuts of a whole table, in the order in which they were tried, the last part of each cut first."""

    column: Int64s  # of the cut; -1: no further cut
    level: Int64s  # at which names are cut
    sizes: Int64s  # the number of rows of each part, one cut after the other
    codes: Int64s  # what describes each cut, one after the other
    parts: Int64s  # the number of parts of each cut
    described: Int64s  # the number of codes of each cut
    rows: Int64s  # part by part


@kernel
def all_cuts(
    axes: Axes, values: RowValues, shares: RowShares, top: Int64s, k: int, relaxed: bool, stop: UInt8s
) -> TableCuts:
    """Cut the whole table by the first cut whose parts have enough values, in shares as those of the whole table, until
    no part can be cut; `top` is the level of each column of names."""
    n, m = axes.codes.shape[1], len(top)
    rows = np.arange(n)
    most = max(axes.lookups.shape[2], 3)  # parts or codes of one cut
    column, level = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    parts, described = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    sizes, codes = np.empty(n + most, dtype=np.int64), np.empty(n + most, dtype=np.int64)
    starts, ends = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)  # parts still to be cut
    levels = np.empty((n + 1, m), dtype=np.int64)
    own, cut_ends = np.empty(m, dtype=np.int64), np.empty(most, dtype=np.int64)
    counts = np.zeros(shares.whole.shape[1], dtype=np.int64)
    starts[0], ends[0] = 0, n
    for a in range(m):
        levels[0, a] = top[a]
    waiting, tried, made, noted = 1, 0, 0, 0
    while waiting > 0 and not stopped(stop):
        waiting -= 1
        start, end = starts[waiting], ends[waiting]
        for a in range(m):
            own[a] = levels[waiting, a]
        column, level = widen(column, tried, tried + 1), widen(level, tried, tried + 1)
        parts, described = widen(parts, tried, tried + 1), widen(described, tried, tried + 1)
        sizes, codes = widen(sizes, made, made + most), widen(codes, noted, noted + most)
        a, number, length = _cut_in_place(
            axes, values, shares, rows[start:end], own, k, relaxed, cut_ends, codes[noted:], counts
        )
        column[tried], parts[tried], described[tried] = a, number, length
        if a >= 0:
            if not axes.numeric[a]:
                own[a] -= 1
            level[tried] = own[a]
            before = 0
            for part in range(number):
                sizes[made + part] = cut_ends[part] - before
                starts[waiting], ends[waiting] = start + before, start + cut_ends[part]
                for other in range(m):
                    levels[waiting, other] = own[other]
                before = cut_ends[part]
                waiting += 1
            made += number
            noted += length
        else:
            level[tried] = 0
        tried += 1
    return TableCuts(
        column[:tried].copy(), level[:tried].copy(), sizes[:made].copy(), codes[:noted].copy(), parts[:tried].copy(),
        described[:tried].copy(), rows,
    )  # fmt: skip


@helper
def _cut_in_place(axes, values, shares, rows, level, k, relaxed, ends, codes, counts):
    """Put the rows part by part, and write the end of each part and the description; returns the column or -1, and the
    number of parts and of codes. What the cut needs is released here."""
    order = _widest(axes, rows, level)
    a, skip, ordered, cut_ends, cut = _cut_of(axes, rows, level, order, 0, k, relaxed)
    while a >= 0 and not (
        diverse_parts(values, ordered, cut_ends) and similar_parts(shares, ordered, cut_ends, counts)
    ):
        a, skip, ordered, cut_ends, cut = _cut_of(axes, rows, level, order, skip, k, relaxed)
    if a < 0:
        return -1, 0, 0
    for i in range(len(cut_ends)):
        ends[i] = cut_ends[i]
    for i in range(len(cut)):
        codes[i] = cut[i]
    for i in range(len(rows)):
        rows[i] = ordered[i]
    return a, len(cut_ends), len(cut)


@helper
def _cut_numbers(rows, mine, size, k, relaxed):
    """Divide rows at the median code; returns no parts if one would have fewer than k rows.

    Strict: the median itself goes left. Relaxed: rows equal to it go either way, so that both halves are even.
    """
    n = len(rows)
    middle = _median(mine, size)
    ties = 0
    below = 0
    for c in mine:
        ties += c == middle
        below += c < middle
    to_left = ties if not relaxed else min(max((n + 1) // 2 - below, 0), ties)
    left = below + to_left
    if left < k or n - left < k:
        return rows, np.zeros(0, dtype=np.int64), mine[:0]
    parts = np.empty(n, dtype=np.int64)
    x, y = 0, left
    ties_met = 0
    for i in range(n):
        goes = mine[i] < middle
        if mine[i] == middle:
            goes = ties_met < to_left
            ties_met += 1
        if goes:
            parts[x] = rows[i]
            x += 1
        else:
            parts[y] = rows[i]
            y += 1
    ends, cut = np.empty(2, dtype=np.int64), np.empty(3, dtype=np.int64)
    ends[0], ends[1] = left, n
    cut[0], cut[1], cut[2] = middle, to_left, ties
    return parts, ends, cut


@helper
def _median(mine, size):
    """Return the lower median of codes below `size`."""
    if len(mine) < size:
        ascending = mine.copy()
        sort(ascending, len(ascending))
        return ascending[(len(mine) - 1) // 2]
    counts = np.zeros(size, dtype=np.int64)
    for c in mine:
        counts[c] += 1
    code = 0
    seen = counts[0]
    while seen <= (len(mine) - 1) // 2:
        code += 1
        seen += counts[code]
    return code


@helper
def _cut_names(rows, mine, size, k):
    """Divide rows by their code, one of `size`; returns no parts if one would have fewer than k rows."""
    if len(rows) < size:
        return _cut_few(rows, mine, k)
    counts = np.zeros(size, dtype=np.int64)
    for c in mine:
        counts[c] += 1
    listed, number = np.empty(size, dtype=np.int64), 0
    for c in range(size):
        if counts[c] > 0:
            listed[number] = c
            number += 1
    present = listed[:number]
    start = np.zeros(size, dtype=np.int64)
    ends = np.empty(number, dtype=np.int64)
    total = 0
    for p in range(len(present)):
        start[present[p]] = total
        if counts[present[p]] < k:
            return rows, ends[:0], present
        total += counts[present[p]]
        ends[p] = total
    parts = np.empty(len(rows), dtype=np.int64)
    for i in range(len(rows)):
        parts[start[mine[i]]] = rows[i]
        start[mine[i]] += 1
    return parts, ends, present


@helper
def _cut_few(rows, mine, k):
    """`_cut_names` of fewer rows than there are codes."""
    n = len(rows)
    present, ends = mine.copy(), np.empty(n, dtype=np.int64)
    sort(present, n)
    number = 0
    for i in range(n):
        if i == n - 1 or present[i] != present[i + 1]:
            if i + 1 - (ends[number - 1] if number > 0 else 0) < k:
                return rows, ends[:0], present[:0]
            present[number], ends[number] = present[i], i + 1
            number += 1
    following, parts = np.empty(number, dtype=np.int64), np.empty(n, dtype=np.int64)
    for part in range(number):
        following[part] = ends[part - 1] if part > 0 else 0
    for i in range(n):
        low, high = 0, number - 1
        while low < high:
            middle = (low + high) // 2
            if present[middle] < mine[i]:
                low = middle + 1
            else:
                high = middle
        parts[following[low]] = rows[i]
        following[low] += 1
    return parts, ends[:number].copy(), present[:number].copy()
