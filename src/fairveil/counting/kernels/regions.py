"""Cuts of Mondrian and Top-Down Greedy, on codes.

Columns are of two kinds: numbers, whose codes ascend with their values, and names, whose levels are in `lookups`
(column, level, leaf). `leaves[column, level, code]` is the share of the domain under a value.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def widths(rows, codes, numeric, values, spans, leaves, lookups, level):
    """The normalized width of every column in a region: range of its numbers, or share of the leaves of its node."""
    m = len(numeric)
    wide = np.zeros(m)
    for a in range(m):
        if numeric[a]:
            low = high = values[a, codes[a, rows[0]]]
            for r in rows:
                number = values[a, codes[a, r]]
                low = min(low, number)
                high = max(high, number)
            wide[a] = (high - low) / spans[a] if spans[a] > 0 else 0.0
        elif level[a] > 0:
            wide[a] = leaves[a, level[a], lookups[a, level[a], codes[a, rows[0]]]]
    return wide


@njit(cache=True, nogil=True)
def first_cut(rows, level, skip, k, relaxed, codes, numeric, values, spans, leaves, lookups):
    """The first cut that leaves k rows in every part, widest column first, without the `skip` widest columns.

    Returns (column or -1, columns to skip for the next one, the rows part by part, where each part ends, and what they
    are: the codes of names, or of numbers the median code, how many rows that equal it went left, and how many do).
    """
    wide = widths(rows, codes, numeric, values, spans, leaves, lookups, level)
    order = np.argsort(-wide, kind="mergesort")
    for rank in range(skip, len(order)):
        a = order[rank]
        if wide[a] <= 0:
            break
        mine = np.empty(len(rows), dtype=np.int64)
        if numeric[a]:
            for i in range(len(rows)):
                mine[i] = codes[a, rows[i]]
            parts, ends, what = _cut_numbers(rows, mine, values.shape[1], k, relaxed)
        else:
            for i in range(len(rows)):
                mine[i] = lookups[a, level[a] - 1, codes[a, rows[i]]]
            parts, ends, what = _cut_names(rows, mine, lookups.shape[2], k)
        if len(ends) > 0:
            return a, rank + 1, parts, ends, what
    return -1, len(order), rows, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


@njit(cache=True, nogil=True)
def _cut_numbers(rows, mine, size, k, relaxed):
    """Rows to the left and right of the median code; no parts where one would have fewer than k rows.

    Strict: the median itself goes left. Relaxed: rows that equal it go either way, so that both halves are even.
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
    parts = np.empty_like(rows)
    x, y = 0, left
    met = 0
    for i in range(n):
        goes = mine[i] < middle
        if mine[i] == middle:
            goes = met < to_left
            met += 1
        if goes:
            parts[x] = rows[i]
            x += 1
        else:
            parts[y] = rows[i]
            y += 1
    return parts, np.array([left, n]), np.array([middle, to_left, ties])


@njit(cache=True, nogil=True)
def _median(mine, size):
    """The lower median of codes below `size`."""
    if len(mine) < size:
        return np.sort(mine)[(len(mine) - 1) // 2]
    counts = np.zeros(size, dtype=np.int64)
    for c in mine:
        counts[c] += 1
    code = 0
    seen = counts[0]
    while seen <= (len(mine) - 1) // 2:
        code += 1
        seen += counts[code]
    return code


@njit(cache=True, nogil=True)
def _cut_names(rows, mine, size, k):
    """Rows by their code, of those that occur; no parts where one would have fewer than k rows."""
    counts = np.zeros(size, dtype=np.int64)
    for c in mine:
        counts[c] += 1
    present = np.flatnonzero(counts)
    place = np.zeros(size, dtype=np.int64)
    ends = np.empty(len(present), dtype=np.int64)
    total = 0
    for p in range(len(present)):
        place[present[p]] = total
        if counts[present[p]] < k:
            return rows, ends[:0], present
        total += counts[present[p]]
        ends[p] = total
    parts = np.empty_like(rows)
    for i in range(len(rows)):
        parts[place[mine[i]]] = rows[i]
        place[mine[i]] += 1
    return parts, ends, present


@njit(cache=True, nogil=True)
def _cost_with(row, low, high, level, codes, numeric, values, spans, leaves, lookups, example):
    """NCP of a group's box once it holds `row` as well; `example` is any row of the group."""
    cost = 0.0
    for a in range(len(numeric)):
        if numeric[a]:
            if spans[a] > 0:
                number = values[a, codes[a, row]]
                cost += (max(high[a], number) - min(low[a], number)) / spans[a]
        else:
            at = level[a]
            while lookups[a, at, codes[a, row]] != lookups[a, at, codes[a, example]]:
                at += 1
            if at > 0:
                cost += leaves[a, at, lookups[a, at, codes[a, row]]]
    return cost


@njit(cache=True, nogil=True)
def _grow(row, low, high, level, codes, numeric, values, lookups, example):
    for a in range(len(numeric)):
        if numeric[a]:
            number = values[a, codes[a, row]]
            low[a] = min(low[a], number)
            high[a] = max(high[a], number)
        else:
            while lookups[a, level[a], codes[a, row]] != lookups[a, level[a], codes[a, example]]:
                level[a] += 1


@njit(cache=True, nogil=True)
def _box(rows, codes, numeric, values, lookups, low, high, level):
    """The box of some rows, into low, high and level."""
    for a in range(len(numeric)):
        low[a] = high[a] = values[a, codes[a, rows[0]]] if numeric[a] else 0.0
        level[a] = 0
    for r in rows:
        _grow(r, low, high, level, codes, numeric, values, lookups, rows[0])


@njit(cache=True, nogil=True)
def top_down(order, seeds, k, codes, numeric, values, spans, leaves, lookups):
    """Partition by Xu et al., without the adjustment: the group of each row; groups of k rows or fewer are final.

    `order` is a random order of the rows; `seeds` are random numbers from 0 to 1, one per partitioning.
    """
    n, m = len(order), len(numeric)
    rows = order.copy()
    swap = np.empty(n, dtype=rows.dtype)
    group = np.zeros(n, dtype=np.int64)
    stack = [(0, n)]
    groups = 0
    done = 0
    lows, highs = np.zeros((2, m)), np.zeros((2, m))
    levels = np.zeros((2, m), dtype=np.int64)
    while len(stack) > 0:
        start, end = stack.pop()
        size = end - start
        if size <= k:
            for i in range(start, end):
                group[rows[i]] = groups
            groups += 1
            continue
        pair = np.zeros(2, dtype=np.int64)
        pair[0] = rows[start + int(seeds[done % len(seeds)] * size)]
        done += 1
        farthest = 0.0
        for turn in range(6):  # three rounds there and back
            one = pair[turn % 2]
            _box(np.array([one]), codes, numeric, values, lookups, lows[0], highs[0], levels[0])
            worst, other = -1.0, one
            for i in range(start, end):
                if rows[i] != one:
                    cost = _cost_with(
                        rows[i], lows[0], highs[0], levels[0], codes, numeric, values, spans, leaves, lookups, one
                    )
                    if cost > worst:
                        worst, other = cost, rows[i]
            pair[1 - turn % 2] = other
            if turn > 1 and worst <= farthest:
                break
            farthest = worst
        for side in range(2):
            _box(pair[side : side + 1], codes, numeric, values, lookups, lows[side], highs[side], levels[side])
        left, right = 1, 1
        swap[start] = pair[0]
        swap[end - 1] = pair[1]
        for i in range(start, end):
            row = rows[i]
            if row == pair[0] or row == pair[1]:
                continue
            costs = np.zeros(2)
            for side in range(2):
                costs[side] = _cost_with(
                    row, lows[side], highs[side], levels[side], codes, numeric, values, spans, leaves, lookups,
                    pair[side],
                )  # fmt: skip
            side = 0 if costs[0] < costs[1] or (costs[0] == costs[1] and left <= right) else 1
            _grow(row, lows[side], highs[side], levels[side], codes, numeric, values, lookups, pair[side])
            if side == 0:
                swap[start + left] = row
                left += 1
            else:
                swap[end - 1 - right] = row
                right += 1
        rows[start:end] = swap[start:end]
        stack.append((start + left, end))
        stack.append((start, start + left))
    return group, groups


@njit(cache=True, nogil=True)
def adjust(group, groups, k, codes, numeric, values, spans, leaves, lookups):
    """Groups below k take the nearest rows of a large group, or merge with the nearest one, whichever costs less."""
    n, m = len(group), len(numeric)
    size = np.zeros(groups, dtype=np.int64)
    first = np.full(groups, -1, dtype=np.int64)
    low, high = np.zeros((groups, m)), np.zeros((groups, m))
    level = np.zeros((groups, m), dtype=np.int64)
    cost = np.zeros(groups)
    for r in range(n):
        g = group[r]
        if first[g] < 0:
            first[g] = r
            _box(np.array([r]), codes, numeric, values, lookups, low[g], high[g], level[g])
        else:
            _grow(r, low[g], high[g], level[g], codes, numeric, values, lookups, first[g])
        size[g] += 1
    for g in range(groups):
        cost[g] = _cost_with(
            first[g], low[g], high[g], level[g], codes, numeric, values, spans, leaves, lookups, first[g]
        )
    near = np.zeros(n)
    lo, hi, lv = np.zeros(m), np.zeros(m), np.zeros(m, dtype=np.int64)
    for g in range(groups):
        while 0 < size[g] < k:
            if size[g] == n:
                return group
            # merging: the group whose box grows least
            best, mate = np.inf, -1
            for h in range(groups):
                if h == g or size[h] == 0:
                    continue
                lo[:], hi[:], lv[:] = low[h], high[h], level[h]
                _join(lo, hi, lv, low[g], high[g], level[g], numeric, codes, lookups, first[h], first[g])
                both = _cost_with(first[h], lo, hi, lv, codes, numeric, values, spans, leaves, lookups, first[h])
                rise = (size[g] + size[h]) * both - size[g] * cost[g] - size[h] * cost[h]
                if rise < best:
                    best, mate = rise, h
            need = k - size[g]
            for r in range(n):
                near[r] = np.inf
                if group[r] != g and size[group[r]] >= k + need:
                    near[r] = _cost_with(
                        r, low[g], high[g], level[g], codes, numeric, values, spans, leaves, lookups, first[g]
                    )
            donor, taken = _best_donor(group, groups, near, need)
            if donor >= 0:
                lo[:], hi[:], lv[:] = low[g], high[g], level[g]
                for r in taken:
                    _grow(r, lo, hi, lv, codes, numeric, values, lookups, first[g])
                both = _cost_with(first[g], lo, hi, lv, codes, numeric, values, spans, leaves, lookups, first[g])
                if k * both - size[g] * cost[g] - need * cost[donor] < best:
                    for r in taken:
                        group[r] = g
                    size[g], size[donor] = k, size[donor] - need
                    low[g], high[g], level[g], cost[g] = lo, hi, lv, both
                    for r in range(n):
                        if group[r] == donor:
                            first[donor] = r
                            break
                    continue
            _join(
                low[mate], high[mate], level[mate], low[g], high[g], level[g], numeric, codes, lookups, first[mate],
                first[g],
            )  # fmt: skip
            cost[mate] = _cost_with(
                first[mate], low[mate], high[mate], level[mate], codes, numeric, values, spans, leaves, lookups,
                first[mate],
            )  # fmt: skip
            for r in range(n):
                if group[r] == g:
                    group[r] = mate
            size[mate] += size[g]
            size[g] = 0
    return group


@njit(cache=True, nogil=True)
def _join(low, high, level, other_low, other_high, other_level, numeric, codes, lookups, mine, theirs):
    """The box of two groups, into the first one's."""
    for a in range(len(numeric)):
        if numeric[a]:
            low[a] = min(low[a], other_low[a])
            high[a] = max(high[a], other_high[a])
        else:
            level[a] = max(level[a], other_level[a])
            while lookups[a, level[a], codes[a, mine]] != lookups[a, level[a], codes[a, theirs]]:
                level[a] += 1


@njit(cache=True, nogil=True)
def _best_donor(group, groups, near, need):
    """The group whose `need` nearest rows are nearest in sum, and those rows; -1 where no group is large enough."""
    able = np.flatnonzero(near < np.inf)  # few: groups start with at most k rows, and only grown ones may give
    order = able[np.argsort(near[able], kind="mergesort")]
    taken = np.zeros(groups, dtype=np.int64)
    total = np.zeros(groups)
    donor = -1
    best = np.inf
    for r in order:
        g = group[r]
        if taken[g] < need:
            taken[g] += 1
            total[g] += near[r]
            if taken[g] == need and total[g] < best:
                best, donor = total[g], g
    rows = np.empty(need if donor >= 0 else 0, dtype=np.int64)
    found = 0
    for r in order:
        if found < len(rows) and group[r] == donor:
            rows[found] = r
            found += 1
    return donor, rows
