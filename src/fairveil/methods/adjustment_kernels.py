"""The adjustment of Top-Down Greedy: groups that are too small take rows of others, or merge with one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Float64s, Int64s, Int64s2, UInt8s, helper, inlined, kernel, stopped
from fairveil.methods.region_kernels import (
    Axes,
    GroupBoxes,
    box_around,
    box_of,
    copy_box,
    cost_with,
    grow,
    joined_cost,
    room_for_boxes,
    touching_cost,
)

BUNCH = 16
"""Number of groups that are ruled out together, and of such bunches."""


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
            box_around(axes, r, box_of(boxes, g))
        else:
            grow(axes, r, box_of(boxes, g), first[g])
        link[r] = first[g]
        first[g] = r
        size[g] += 1
    for g in range(groups):
        _example(axes, first[g], codes[g])
        cost[g] = cost_with(axes, first[g], box_of(boxes, g), first[g])
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
                        both = joined_cost(axes, other, codes[h], box, codes[g], rows, limit)
                        if both * rows <= limit:
                            rise = rows * both - own - size[h] * cost[h]
                            if rise < best or (rise == best and h < mate):
                                best, mate = rise, h
                        if size[h] < k + need:
                            continue
                        limit = _about(least / need)
                        if touching_cost(axes, box, codes[g], other, codes[h], limit) <= limit:
                            total = _nearest(axes, box, first[g], first[h], link, need, trying)
                            if total < least or (total == least and _sooner(trying, chosen, need)):
                                least, donor = total, h
                                for i in range(need):
                                    chosen.rows[i], chosen.near[i] = trying.rows[i], trying.near[i]
            if donor >= 0:
                copy_box(trial, box)
                for r in chosen.rows[:need]:
                    grow(axes, r, trial, first[g])
                both = cost_with(axes, first[g], trial, first[g])
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
                    copy_box(box, trial)
                    cost[g] = both
                    _example(axes, first[donor], codes[donor])
                    continue
            mate_box, together = box_of(boxes, mate), size[g] + size[mate]
            r = first[g]
            while r >= 0:
                after = link[r]
                group[r] = mate
                grow(axes, r, mate_box, first[mate])
                _join_bunch(axes, r, small, mate // BUNCH, together)
                _join_bunch(axes, r, large, mate // (BUNCH * BUNCH), together)
                link[r] = link[first[mate]]
                link[first[mate]] = r
                r = after
            cost[mate] = cost_with(axes, first[mate], mate_box, first[mate])
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
        box_around(axes, bunch.example[b], box_of(bunch.around, b))
        _example(axes, bunch.example[b], bunch.codes[b])
    for r in range(len(group)):
        _join_bunch(axes, r, bunch, group[r] // of, size[group[r]])
    return bunch


@helper
def _join_bunch(axes, row, bunch, b, size):
    """Note that a group of a bunch has a row, and so many rows in all."""
    grow(axes, row, box_of(bunch.around, b), bunch.example[b])
    bunch.largest[b] = max(bunch.largest[b], size)


@helper
def _too_far(axes, box, codes, bunch, b, merging, taking, enough):
    """Whether no group of a bunch is near enough: for merging, or for taking rows of one that has enough of them."""
    limit = max(merging, taking) if bunch.largest[b] >= enough else merging
    return touching_cost(axes, box, codes, box_of(bunch.around, b), bunch.codes[b], limit) > limit


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
        near = cost_with(axes, row, box, example)
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
