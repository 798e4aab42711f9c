"""The halves of Top-Down Greedy: two rows that are far apart attract the others."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Float64s, Int64s, UInt8s, helper, kernel, stopped
from fairveil.methods.region_kernels import Axes, box_around, box_of, cost_with, grow, room_for_boxes

LOOK = 1 << 16
"""Number of rows after which a pass checks whether it should stop."""


@helper
def _far_apart(axes, rows, first, box, stop):
    """Return two rows that are far apart, starting from one of them, in three rounds. `box` is working memory."""
    pair = np.empty(2, dtype=np.int64)
    pair[0] = pair[1] = first
    farthest = 0.0
    for turn in range(6):
        here = pair[turn % 2]
        box_around(axes, here, box)
        worst, there = -1.0, here
        for i in range(len(rows)):
            if i % LOOK == 0 and stopped(stop):
                return pair[0], pair[1]
            row = rows[i]
            if row != here:
                cost = cost_with(axes, row, box, here)
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
        box_around(axes, seed, half)
        box_around(axes, other_seed, other_half)
        left, right = 1, 1
        swap[start] = seed
        swap[end - 1] = other_seed
        for i in range(start, end):
            if i % LOOK == 0 and stopped(stop):
                return group, groups
            row = rows[i]
            if row in (seed, other_seed):
                continue
            cost, other_cost = cost_with(axes, row, half, seed), cost_with(axes, row, other_half, other_seed)
            if cost < other_cost or (cost == other_cost and left <= right):
                grow(axes, row, half, seed)
                swap[start + left] = row
                left += 1
            else:
                grow(axes, row, other_half, other_seed)
                swap[end - 1 - right] = row
                right += 1
        for i in range(start, end):
            rows[i] = swap[i]
        starts[waiting], ends[waiting] = start + left, end
        starts[waiting + 1], ends[waiting + 1] = start, start + left
        waiting += 2
    return group, groups
