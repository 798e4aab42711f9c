"""Cuts of Mondrian and Top-Down Greedy, on codes.

Columns are of two kinds: numbers, whose codes ascend with their values, and names, which have levels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Bools,
    Float64s,
    Float64s2,
    Float64s3,
    Int64s,
    Int64s2,
    Int64s3,
    UInt8s,
    helper,
    inlined,
    kernel,
    stopped,
)
from fairveil.counting.kernels.lattice_search import widen
from fairveil.counting.kernels.sorting import merge_order, sort

LOOK = 1 << 16
"""Number of rows after which a pass checks whether it should stop."""


BUNCH = 16
"""Number of groups that are ruled out together, and of such bunches."""


class Axes(NamedTuple):
    """The quasi columns of a table, in the layout of the kernels."""

    codes: Int64s2  # column, row; of numbers with edges, the cell of their grid
    numeric: Bools
    values: Float64s2  # column, code: the number, or the first of the cell; a missing one counts as the largest
    spans: Float64s  # column: the range of its numbers
    leaves: Float64s3  # column, level, code: share of the leaves under it
    lookups: Int64s3  # column, level, leaf: the code at that level


class Box(NamedTuple):
    """What a group of rows takes up: per column the range of its numbers, or the level at which its names agree."""

    low: Float64s
    high: Float64s
    level: Int64s


class GroupBoxes(NamedTuple):
    """The boxes of many groups, one a line."""

    low: Float64s2
    high: Float64s2
    level: Int64s2


@helper
def room_for_boxes(groups, columns):
    """Return uninitialized boxes."""
    lows, highs = np.empty((groups, columns)), np.empty((groups, columns))
    return GroupBoxes(lows, highs, np.empty((groups, columns), dtype=np.int64))


@inlined
def box_of(boxes, group):
    """Return one of many boxes."""
    return Box(boxes.low[group], boxes.high[group], boxes.level[group])


@helper
def widths(axes, rows, level):
    """Return the normalized width of every column in a region: range of numbers, or share of the node's leaves."""
    m = len(axes.numeric)
    wide = np.zeros(m)
    for a in range(m):
        codes = axes.codes[a]
        if axes.numeric[a]:
            values = axes.values[a]
            low = high = values[codes[rows[0]]]
            for r in rows:
                number = values[codes[r]]
                low = min(low, number)
                high = max(high, number)
            wide[a] = (high - low) / axes.spans[a] if axes.spans[a] > 0 else 0.0
        elif level[a] > 0:
            wide[a] = axes.leaves[a, level[a], axes.lookups[a, level[a], codes[rows[0]]]]
    return wide


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
    wide = widths(axes, rows, level)
    order, spare = np.empty(len(wide), dtype=np.int64), np.empty(len(wide), dtype=np.int64)
    for a in range(len(wide)):
        wide[a] = -wide[a]  # the widest first
        order[a] = a
    merge_order(wide, order, spare, len(order))
    for rank in range(skip, len(order)):
        a = order[rank]
        if wide[a] >= 0:
            break
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
def all_cuts(axes: Axes, top: Int64s, k: int, relaxed: bool, stop: UInt8s) -> TableCuts:
    """Cut the whole table by `first_cut` until no part can be cut; `top` is the level of each column of names."""
    n, m = axes.codes.shape[1], len(top)
    rows = np.arange(n)
    most = max(axes.lookups.shape[2], 3)  # parts or codes of one cut
    column, level = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    parts, described = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    sizes, codes = np.empty(n + most, dtype=np.int64), np.empty(n + most, dtype=np.int64)
    starts, ends = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)  # parts still to be cut
    levels = np.empty((n + 1, m), dtype=np.int64)
    own, cut_ends = np.empty(m, dtype=np.int64), np.empty(most, dtype=np.int64)
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
        a, number, length = _cut_in_place(axes, rows[start:end], own, k, relaxed, cut_ends, codes[noted:])
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
def _cut_in_place(axes, rows, level, k, relaxed, ends, codes):
    """Put the rows part by part, and write the end of each part and the description; returns the column or -1, and the
    number of parts and of codes. What the cut needs is released here."""
    a, _, ordered, cut_ends, cut = first_cut(axes, rows, level, 0, k, relaxed)
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
    """Divide rows by their code; returns no parts if one would have fewer than k rows."""
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
def _cost_with(axes, row, box, example):
    """Return the NCP of a group's box after adding `row`; `example` is any row of the group."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                number = axes.values[a, axes.codes[a, row]]
                cost += (max(box.high[a], number) - min(box.low[a], number)) / axes.spans[a]
        else:
            at = box.level[a]
            while axes.lookups[a, at, axes.codes[a, row]] != axes.lookups[a, at, axes.codes[a, example]]:
                at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, axes.codes[a, row]]]
    return cost


@helper
def _grow(axes, row, box, example):
    """Extend the box so that it contains `row`."""
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            number = axes.values[a, axes.codes[a, row]]
            box.low[a] = min(box.low[a], number)
            box.high[a] = max(box.high[a], number)
        else:
            mine, theirs = axes.codes[a, row], axes.codes[a, example]
            while axes.lookups[a, box.level[a], mine] != axes.lookups[a, box.level[a], theirs]:
                box.level[a] += 1


@helper
def _around(axes, row, box):
    """Write the box of a single row into `box`."""
    for a in range(len(axes.numeric)):
        box.low[a] = box.high[a] = axes.values[a, axes.codes[a, row]] if axes.numeric[a] else 0.0
        box.level[a] = 0


@helper
def _copy(box, other):
    """Copy a box."""
    for a in range(len(box.low)):
        box.low[a], box.high[a], box.level[a] = other.low[a], other.high[a], other.level[a]


@helper
def _joined_cost(axes, box, codes, other, other_codes, rows, limit):
    """Return the NCP of the box of two groups, given the codes of any row of each; if it is above the limit for these
    rows together, some number that is as well."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                cost += (max(box.high[a], other.high[a]) - min(box.low[a], other.low[a])) / axes.spans[a]
        else:
            mine, theirs = codes[a], other_codes[a]
            at = max(box.level[a], other.level[a])
            while axes.lookups[a, at, mine] != axes.lookups[a, at, theirs]:
                at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, mine]]
        if cost * rows > limit:
            break
    return cost


@helper
def _touching_cost(axes, box, codes, other, other_codes, limit):
    """Return a lower bound of the NCP of the first box after adding any row of the second; if it is above the limit,
    some number above the limit."""
    cost = 0.0
    for a in range(len(axes.numeric)):
        if axes.numeric[a]:
            if axes.spans[a] > 0:
                cost += (max(box.high[a], other.low[a]) - min(box.low[a], other.high[a])) / axes.spans[a]
        else:
            mine, theirs = codes[a], other_codes[a]
            at = max(box.level[a], other.level[a])
            if axes.lookups[a, at, mine] == axes.lookups[a, at, theirs]:
                at = box.level[a]
            else:
                while axes.lookups[a, at, mine] != axes.lookups[a, at, theirs]:
                    at += 1
            if at > 0:
                cost += axes.leaves[a, at, axes.lookups[a, at, mine]]
        if cost > limit:
            break
    return cost


@helper
def _far_apart(axes, rows, first, box, stop):
    """Return two rows that are far apart, starting from one of them, in three rounds. `box` is working memory."""
    pair = np.empty(2, dtype=np.int64)
    pair[0] = pair[1] = first
    farthest = 0.0
    for turn in range(6):
        here = pair[turn % 2]
        _around(axes, here, box)
        worst, there = -1.0, here
        for i in range(len(rows)):
            if i % LOOK == 0 and stopped(stop):
                return pair[0], pair[1]
            row = rows[i]
            if row != here:
                cost = _cost_with(axes, row, box, here)
                if cost > worst:
                    worst, there = cost, row
        pair[1 - turn % 2] = there
        if turn > 1 and worst <= farthest:
            break
        farthest = worst
    return pair[0], pair[1]


@kernel
def top_down(axes: Axes, order: Int64s, seeds: Float64s, k: int, stop: UInt8s) -> tuple[Int64s, int]:
    """Partition as Xu et al. do, without the adjustment: returns the group of each row. Groups of at most k rows are
    final.

    `order` is a random order of the rows; `seeds` are random numbers from 0 to 1, one per partitioning.
    """
    n = len(order)
    rows = order.copy()
    swap = np.empty(n, dtype=rows.dtype)
    group = np.zeros(n, dtype=np.int64)
    starts, ends = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)  # parts still to be halved
    starts[0], ends[0] = 0, n
    waiting = 1
    groups = 0
    halved = 0
    halves = room_for_boxes(2, len(axes.numeric))
    half, other_half = box_of(halves, 0), box_of(halves, 1)
    while waiting > 0 and not stopped(stop):
        waiting -= 1
        start, end = starts[waiting], ends[waiting]
        size = end - start
        if size <= k:
            for i in range(start, end):
                group[rows[i]] = groups
            groups += 1
            continue
        first = rows[start + int(seeds[halved % len(seeds)] * size)]
        halved += 1
        seed, other_seed = _far_apart(axes, rows[start:end], first, half, stop)
        _around(axes, seed, half)
        _around(axes, other_seed, other_half)
        left, right = 1, 1
        swap[start] = seed
        swap[end - 1] = other_seed
        for i in range(start, end):
            if i % LOOK == 0 and stopped(stop):
                return group, groups
            row = rows[i]
            if row in (seed, other_seed):
                continue
            cost, other_cost = _cost_with(axes, row, half, seed), _cost_with(axes, row, other_half, other_seed)
            if cost < other_cost or (cost == other_cost and left <= right):
                _grow(axes, row, half, seed)
                swap[start + left] = row
                left += 1
            else:
                _grow(axes, row, other_half, other_seed)
                swap[end - 1 - right] = row
                right += 1
        for i in range(start, end):
            rows[i] = swap[i]
        starts[waiting], ends[waiting] = start + left, end
        starts[waiting + 1], ends[waiting + 1] = start, start + left
        waiting += 2
    return group, groups


class Bunches(NamedTuple):
    """Groups of consecutive numbers together: a box around all their rows, and how many rows a group may have."""

    around: GroupBoxes
    codes: Int64s2  # of one row
    example: Int64s  # that row
    largest: Int64s


class Nearest(NamedTuple):
    """The rows of a group that are nearest to another, nearest first, and how near each is."""

    rows: Int64s
    near: Float64s


@inlined
def _about(limit):
    """Return a limit with room for rounding: what is above it is above the limit however it is summed up."""
    return limit + 1e-9 * abs(limit) + 1e-9


@kernel
def adjust(axes: Axes, group: Int64s, groups: int, k: int, stop: UInt8s) -> Int64s:
    """Groups below k take the nearest rows of a large group, or merge with the nearest group, whichever costs less.

    Groups are compared with those of nearby numbers first, which are near because halving numbers them in order. Most
    others are then ruled out, several at a time: the box around all groups of a bunch is too far away.
    """
    n, m = len(group), len(axes.numeric)
    if n == 0:
        return group
    size = np.zeros(groups, dtype=np.int64)
    first, link = np.empty(groups, dtype=np.int64), np.empty(n, dtype=np.int64)  # the rows of a group are a chain
    for g in range(groups):
        first[g] = -1
    boxes, trials = room_for_boxes(groups, m), room_for_boxes(1, m)
    trial = box_of(trials, 0)
    codes = np.empty((groups, m), dtype=np.int64)  # of one row of each group
    cost = np.zeros(groups)
    for r in range(n):
        g = group[r]
        if first[g] < 0:
            _around(axes, r, box_of(boxes, g))
        else:
            _grow(axes, r, box_of(boxes, g), first[g])
        link[r] = first[g]
        first[g] = r
        size[g] += 1
    for g in range(groups):
        _example(axes, first[g], codes[g])
        cost[g] = _cost_with(axes, first[g], box_of(boxes, g), first[g])
    chosen, trying = _room_for_rows(k), _room_for_rows(k)
    small, large = _bunched(axes, group, size, first, BUNCH), _bunched(axes, group, size, first, BUNCH * BUNCH)
    for g in range(groups):
        box = box_of(boxes, g)
        while 0 < size[g] < k:
            if size[g] == n or stopped(stop):
                return group
            need, own = k - size[g], size[g] * cost[g]
            best, mate = np.inf, -1  # merging: the group whose box grows least
            least, donor = np.inf, -1  # taking: the group whose nearest rows are nearest in sum
            near = g // BUNCH  # its own bunch first, then those in bunches around it
            for step in range(2 * len(large.example)):
                outer = g // (BUNCH * BUNCH) + (step // 2 if step % 2 == 0 else -(step // 2))
                start, end = outer * BUNCH, min(outer * BUNCH + BUNCH, len(small.example))
                if step == 0:
                    start, end = near, near + 1
                if outer < 0 or outer >= len(large.example):
                    continue
                merging, taking = _about(best + own) / size[g], _about(least / need)
                if _too_far(axes, box, codes[g], large, outer, merging, taking, k + need):
                    continue
                for b in range(start, end):
                    merging, taking = _about(best + own) / size[g], _about(least / need)
                    if (step > 0 and b == near) or _too_far(axes, box, codes[g], small, b, merging, taking, k + need):
                        continue
                    for h in range(b * BUNCH, min(b * BUNCH + BUNCH, groups)):
                        if h == g or size[h] == 0:
                            continue
                        other, rows = box_of(boxes, h), size[g] + size[h]
                        limit = _about(best + own + size[h] * cost[h])
                        both = _joined_cost(axes, other, codes[h], box, codes[g], rows, limit)
                        if both * rows <= limit:
                            rise = rows * both - own - size[h] * cost[h]
                            if rise < best or (rise == best and h < mate):
                                best, mate = rise, h
                        if size[h] < k + need:
                            continue
                        limit = _about(least / need)
                        if _touching_cost(axes, box, codes[g], other, codes[h], limit) <= limit:
                            total = _nearest(axes, box, first[g], first[h], link, need, trying)
                            if total < least or (total == least and _sooner(trying, chosen, need)):
                                least, donor = total, h
                                for i in range(need):
                                    chosen.rows[i], chosen.near[i] = trying.rows[i], trying.near[i]
            if donor >= 0:
                _copy(trial, box)
                for r in chosen.rows[:need]:
                    _grow(axes, r, trial, first[g])
                both = _cost_with(axes, first[g], trial, first[g])
                if k * both - size[g] * cost[g] - need * cost[donor] < best:
                    for r in chosen.rows[:need]:
                        group[r] = g
                    _unchain(group, donor, first, link)
                    for r in chosen.rows[:need]:
                        link[r] = first[g]
                        first[g] = r
                        _join_bunch(axes, r, small, g // BUNCH, k)
                        _join_bunch(axes, r, large, g // (BUNCH * BUNCH), k)
                    size[g], size[donor] = k, size[donor] - need
                    _copy(box, trial)
                    cost[g] = both
                    _example(axes, first[donor], codes[donor])
                    continue
            mate_box, together = box_of(boxes, mate), size[g] + size[mate]
            r = first[g]
            while r >= 0:
                after = link[r]
                group[r] = mate
                _grow(axes, r, mate_box, first[mate])
                _join_bunch(axes, r, small, mate // BUNCH, together)
                _join_bunch(axes, r, large, mate // (BUNCH * BUNCH), together)
                link[r] = link[first[mate]]
                link[first[mate]] = r
                r = after
            cost[mate] = _cost_with(axes, first[mate], mate_box, first[mate])
            size[mate], size[g] = together, 0
    return group


@helper
def _bunched(axes, group, size, first, of):
    """Return the bunches of so many groups each."""
    bunches, m = (len(size) + of - 1) // of, len(axes.numeric)
    bunch = Bunches(
        room_for_boxes(bunches, m), np.empty((bunches, m), dtype=np.int64), np.empty(bunches, dtype=np.int64),
        np.zeros(bunches, dtype=np.int64),
    )  # fmt: skip
    for b in range(bunches):
        bunch.example[b] = first[b * of]
        _around(axes, bunch.example[b], box_of(bunch.around, b))
        _example(axes, bunch.example[b], bunch.codes[b])
    for r in range(len(group)):
        _join_bunch(axes, r, bunch, group[r] // of, size[group[r]])
    return bunch


@helper
def _join_bunch(axes, row, bunch, b, size):
    """Note that a group of a bunch has a row, and so many rows in all."""
    _grow(axes, row, box_of(bunch.around, b), bunch.example[b])
    bunch.largest[b] = max(bunch.largest[b], size)


@helper
def _too_far(axes, box, codes, bunch, b, merging, taking, enough):
    """Whether no group of a bunch is near enough: for merging, or for taking rows of one that has enough of them."""
    limit = max(merging, taking) if bunch.largest[b] >= enough else merging
    return _touching_cost(axes, box, codes, box_of(bunch.around, b), bunch.codes[b], limit) > limit


@helper
def _room_for_rows(k):
    """Return uninitialized room for k rows."""
    return Nearest(np.empty(k, dtype=np.int64), np.empty(k))


@helper
def _example(axes, row, codes):
    """Write the codes of a row into `codes`."""
    for a in range(len(codes)):
        codes[a] = axes.codes[a, row]


@helper
def _unchain(group, donor, first, link):
    """Take the rows that are no longer in a group out of its chain."""
    r = first[donor]
    first[donor] = -1
    while r >= 0:
        after = link[r]
        if group[r] == donor:
            link[r] = first[donor]
            first[donor] = r
        r = after


@helper
def _nearest(axes, box, example, row, link, need, out):
    """Find the rows nearest to a box in the chain that starts with `row`, as many as needed, those of equal cost in
    order; returns the sum of their costs."""
    number = 0
    while row >= 0:
        near = _cost_with(axes, row, box, example)
        at = number
        while at > 0 and (near < out.near[at - 1] or (near == out.near[at - 1] and row < out.rows[at - 1])):
            if at < need:
                out.near[at], out.rows[at] = out.near[at - 1], out.rows[at - 1]
            at -= 1
        if at < need:
            out.near[at], out.rows[at] = near, row
            number = min(number + 1, need)
        row = link[row]
    total = 0.0
    for i in range(need):
        total += out.near[i]
    return total


@helper
def _sooner(rows, others, need):
    """Whether the farthest of these rows is nearer than that of others; of equal ones, the first."""
    near, row = rows.near[need - 1], rows.rows[need - 1]
    return near < others.near[need - 1] or (near == others.near[need - 1] and row < others.rows[need - 1])
