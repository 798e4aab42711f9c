"""A tree of boxes per group of records: where the nearest and the farthest can be, and where they cannot.

Records of a group are split at the column that spreads most, until few are left; every node knows the box around
its records, how many of them are still there, and how far the farthest of them was from a mean seen earlier.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Int32s,
    Int32s2,
    Int64s,
    Int64s2,
    UInt8s,
    UInt64s2,
    helper,
    inlined,
    kernel,
    stopped,
)
from fairveil.counting.kernels.sorting import sort
from fairveil.recipes.distance_kernels import MASK, Metric


class Forest(NamedTuple):
    """Records in the order of the trees, each node a range of them, roots first, and the box of every node."""

    points: Int32s2
    rows: Int64s  # the row number of each record
    ranges: Int64s2
    children: Int32s2
    parents: Int32s
    low: Int32s2
    high: Int32s2
    sets: UInt64s2  # per categorical column the codes in the box, as bits
    leaf_of: Int32s  # per record


@helper
def widest(metric, points, order, start, end, counts):
    """Return the column with the largest sum of squares among these records; -1 if all are equal."""
    numeric, costs, offsets = metric.numeric, metric.costs, metric.offsets
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
        if metric.power == 1:
            spread = np.sqrt(max(spread, 0.0) * rows)
        if low < high and (spread > best or column < 0):
            best, column = spread, a
    for a in range(len(costs)):
        size = offsets[a + 1] - offsets[a]
        for code in range(size):
            counts[code] = 0
        for i in range(start, end):
            counts[points[order[i], numeric + a]] += 1
        same = 0.0
        for code in range(size):
            same += float(counts[code]) * counts[code]
        spread = 0.5 * costs[a] * (rows - same / rows)
        if same < float(rows) * rows and (spread > best or column < 0):
            best, column = spread, numeric + a
    return column


@helper
def pivot(metric, points, order, start, end, column, counts, numbers):
    """Return (kind, value): records below the value go left (kind 0), or those equal to it do (kind 1).

    `counts` and `numbers` are working memory.
    """
    if column >= metric.numeric:
        a = column - metric.numeric
        size = metric.offsets[a + 1] - metric.offsets[a]
        for code in range(size):
            counts[code] = 0
        for i in range(start, end):
            counts[points[order[i], column]] += 1
        mode = 0
        for code in range(1, size):
            if counts[code] > counts[mode]:
                mode = code
        return 1, np.int32(mode)
    rows = end - start
    for i in range(rows):
        numbers[i] = points[order[start + i], column]
    sort(numbers, rows)
    middle = rows // 2
    while numbers[middle] == numbers[0]:
        middle += 1
    return 0, numbers[middle]


@kernel
def split(
    metric: Metric,
    points: Int32s2,
    starts: Int64s,
    order: Int64s,
    leaf: int,
    stop: UInt8s,
) -> tuple[Int64s2, Int32s2, Int32s]:
    """Sort `order` in place so that every node is a range of it; returns (ranges, children, parents), roots first.

    `starts` has the start of each group in `order`. A parent precedes its children.
    """
    rows = len(order)
    groups = len(starts) - 1
    ranges = np.empty((2 * rows + groups, 2), dtype=np.int64)
    children = np.empty((2 * rows + groups, 2), dtype=np.int32)
    parents = np.empty(2 * rows + groups, dtype=np.int32)
    for node in range(len(parents)):
        children[node, 0] = children[node, 1] = parents[node] = -1
    max_codes = 1
    for a in range(len(metric.costs)):
        max_codes = max(max_codes, metric.offsets[a + 1] - metric.offsets[a])
    counts, numbers = np.empty(max_codes, dtype=np.int64), np.empty(rows, dtype=np.int32)
    spare = np.empty(rows, dtype=np.int64)
    for g in range(groups):
        ranges[g, 0], ranges[g, 1] = starts[g], starts[g + 1]
    nodes, node = groups, 0
    while node < nodes and not stopped(stop):
        start, end = ranges[node, 0], ranges[node, 1]
        column = -1
        if end - start > leaf:
            column = widest(metric, points, order, start, end, counts)
        if column >= 0:
            kind, value = pivot(metric, points, order, start, end, column, counts, numbers)
            left, right = start, 0
            for i in range(start, end):
                x = points[order[i], column]
                if (x < value) if kind == 0 else (x == value):
                    order[left] = order[i]
                    left += 1
                else:
                    spare[right] = order[i]
                    right += 1
            for i in range(right):
                order[left + i] = spare[i]
            for side in range(2):
                children[node, side] = nodes
                parents[nodes] = node
                ranges[nodes, 0] = start if side == 0 else left
                ranges[nodes, 1] = left if side == 0 else end
                nodes += 1
        node += 1
    return ranges[:nodes].copy(), children[:nodes].copy(), parents[:nodes].copy()


@kernel
def with_boxes(
    metric: Metric,
    points: Int32s2,
    rows: Int64s,
    ranges: Int64s2,
    children: Int32s2,
    parents: Int32s,
) -> Forest:
    """Return the forest of these nodes: each gets its box, children before parents."""
    numeric, categorical, nodes = metric.numeric, len(metric.costs), len(ranges)
    low = np.zeros((nodes, numeric), dtype=np.int32)
    high = np.zeros((nodes, numeric), dtype=np.int32)
    sets = np.zeros((nodes, categorical), dtype=np.uint64)
    leaf_of = np.empty(len(points), dtype=np.int32)
    for node in range(nodes - 1, -1, -1):
        left, right = children[node, 0], children[node, 1]
        start, end = ranges[node, 0], ranges[node, 1]
        if start == end:
            continue
        if left < 0:
            for a in range(numeric):
                low[node, a] = high[node, a] = points[start, a]
            for i in range(start, end):
                leaf_of[i] = node
                for a in range(numeric):
                    low[node, a] = min(low[node, a], points[i, a])
                    high[node, a] = max(high[node, a], points[i, a])
                for a in range(categorical):
                    sets[node, a] |= np.uint64(1) << np.uint64(points[i, numeric + a] & MASK)
        else:
            for a in range(numeric):
                low[node, a] = min(low[left, a], low[right, a])
                high[node, a] = max(high[left, a], high[right, a])
            for a in range(categorical):
                sets[node, a] = sets[left, a] | sets[right, a]
    return Forest(points, rows, ranges, children, parents, low, high, sets, leaf_of)


@inlined
def box_nearest(metric, forest, node, record):
    """Return a lower bound of the distances of the records in a node's box."""
    total = np.int64(0)
    for a in range(metric.numeric):
        x = np.int64(record[a])
        gap = max(np.int64(forest.low[node, a]) - x, x - np.int64(forest.high[node, a]), np.int64(0))
        total += gap * gap if metric.power == 2 else gap
    for a in range(len(metric.costs)):
        if not (forest.sets[node, a] >> np.uint64(record[metric.numeric + a] & MASK)) & np.uint64(1):
            total += metric.costs[a]
    return total


@inlined
def box_farthest(metric, forest, node, record):
    """Return an upper bound of the distances of the records in a node's box."""
    total = np.int64(0)
    for a in range(metric.numeric):
        x = np.int64(record[a])
        gap = max(np.int64(forest.high[node, a]) - x, x - np.int64(forest.low[node, a]))
        total += gap * gap if metric.power == 2 else gap
    for a in range(len(metric.costs)):
        code = record[metric.numeric + a]
        few = metric.offsets[a + 1] - metric.offsets[a] <= MASK + 1
        if not (few and forest.sets[node, a] == np.uint64(1) << np.uint64(code)):
            total += metric.costs[a]
    return total
