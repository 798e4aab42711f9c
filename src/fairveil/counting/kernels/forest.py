"""A tree of boxes per group of records: where the nearest and the farthest can be, and where they cannot.

Records of a group are split at the column that spreads most, until few are left; every node knows the box around
its records, how many of them are still there, and how far the farthest of them was from a mean seen earlier.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.distance import MASK


@njit(cache=True, nogil=True)
def widest(points, order, start, end, numeric, costs, power, offsets, counts):
    """The column with the largest sum of squares among these records, or -1 where all are equal."""
    rows = end - start
    best, column = 0.0, -1
    for a in range(numeric):
        low = high = points[order[start], a]
        total = squares = 0.0
        for i in range(start, end):
            x = points[order[i], a]
            low, high = min(low, x), max(high, x)
            total += x
            squares += float(x) * x
        spread = squares - total / rows * total
        if power == 1:
            spread = np.sqrt(max(spread, 0.0) * rows)
        if low < high and (spread > best or column < 0):
            best, column = spread, a
    for a in range(len(costs)):
        size = offsets[a + 1] - offsets[a]
        counts[:size] = 0
        for i in range(start, end):
            counts[points[order[i], numeric + a]] += 1
        same = 0.0
        for code in range(size):
            same += float(counts[code]) * counts[code]
        spread = 0.5 * costs[a] * (rows - same / rows)
        if same < float(rows) * rows and (spread > best or column < 0):
            best, column = spread, numeric + a
    return column


@njit(cache=True, nogil=True)
def pivot(points, order, start, end, column, numeric, offsets, counts):
    """(kind, value): records below the value go left (kind 0), or those that hold it do (kind 1)."""
    if column >= numeric:
        size = offsets[column - numeric + 1] - offsets[column - numeric]
        counts[:size] = 0
        for i in range(start, end):
            counts[points[order[i], column]] += 1
        return 1, np.int32(np.argmax(counts[:size]))
    held = np.empty(end - start, dtype=np.int32)
    for i in range(start, end):
        held[i - start] = points[order[i], column]
    held.sort()
    middle = held[len(held) // 2]
    if middle > held[0]:
        return 0, middle
    return 0, held[np.searchsorted(held, middle, side="right")]


@njit(cache=True, nogil=True)
def split(points, starts, order, numeric, costs, power, offsets, leaf):
    """Sort `order` in place so that every node is a range of it: (ranges, children, parents), roots first.

    `starts` are where each group begins in `order`. A parent stands before its children.
    """
    rows = len(order)
    groups = len(starts) - 1
    ranges = np.empty((2 * rows + groups, 2), dtype=np.int64)
    children = np.full((2 * rows + groups, 2), -1, dtype=np.int32)
    parents = np.full(2 * rows + groups, -1, dtype=np.int32)
    counts = np.zeros(1 if len(costs) == 0 else np.max(np.diff(offsets)), dtype=np.int64)
    spare = np.empty(rows, dtype=order.dtype)
    for g in range(groups):
        ranges[g, 0], ranges[g, 1] = starts[g], starts[g + 1]
    nodes, node = groups, 0
    while node < nodes:
        start, end = ranges[node]
        column = -1
        if end - start > leaf:
            column = widest(points, order, start, end, numeric, costs, power, offsets, counts)
        if column >= 0:
            kind, value = pivot(points, order, start, end, column, numeric, offsets, counts)
            left, right = start, 0
            for i in range(start, end):
                x = points[order[i], column]
                if (x < value) if kind == 0 else (x == value):
                    order[left] = order[i]
                    left += 1
                else:
                    spare[right] = order[i]
                    right += 1
            order[left:end] = spare[:right]
            for side in range(2):
                children[node, side] = nodes
                parents[nodes] = node
                ranges[nodes, 0] = start if side == 0 else left
                ranges[nodes, 1] = left if side == 0 else end
                nodes += 1
        node += 1
    return ranges[:nodes].copy(), children[:nodes].copy(), parents[:nodes].copy()


@njit(cache=True, nogil=True)
def boxes(points, ranges, children, numeric, categorical):
    """The box of every node, children before parents: lowest and highest coordinates, and sets of codes."""
    nodes = len(ranges)
    low = np.zeros((nodes, numeric), dtype=np.int32)
    high = np.zeros((nodes, numeric), dtype=np.int32)
    sets = np.zeros((nodes, categorical), dtype=np.uint64)
    leaf_of = np.empty(len(points), dtype=np.int32)
    for node in range(nodes - 1, -1, -1):
        one, other = children[node]
        start, end = ranges[node]
        if start == end:
            continue
        if one < 0:
            low[node] = high[node] = points[start, :numeric]
            for i in range(start, end):
                leaf_of[i] = node
                for a in range(numeric):
                    low[node, a] = min(low[node, a], points[i, a])
                    high[node, a] = max(high[node, a], points[i, a])
                for a in range(categorical):
                    sets[node, a] |= np.uint64(1) << np.uint64(points[i, numeric + a] & MASK)
        else:
            for a in range(numeric):
                low[node, a] = min(low[one, a], low[other, a])
                high[node, a] = max(high[one, a], high[other, a])
            for a in range(categorical):
                sets[node, a] = sets[one, a] | sets[other, a]
    return low, high, sets, leaf_of
