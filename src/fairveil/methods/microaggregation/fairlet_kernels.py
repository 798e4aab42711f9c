"""MDAV and MakeFairlets (Domingo-Ferrer and Torra 2005; González-Zelaya et al., Algorithm 2), exact and pruned.

Both repeat: find the record farthest from the mean of what is left, gather the nearest ones around it. Distances
are exact integers (`distance_kernels.py`), ties go to the lowest row number, so the result is that of the plain
algorithm, row for row. It is fast because of what it can skip:

- the nearest: a box that is farther away than the worst of those found so far is skipped (`forest_kernels.py`);
- the farthest from the mean: the mean moves little from round to round, so a distance to an earlier mean plus the
  distance that the mean has moved since bounds the distance now; a node whose bound is below the best is skipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import (
    Bools,
    Float64s,
    Int32s,
    Int64s,
    Int64s2,
    UInt8s,
    helper,
    inlined,
    kernel,
    stopped,
)
from fairveil.methods.microaggregation.forest_kernels import Forest, box_farthest, box_nearest
from fairveil.recipes.distance_kernels import FARTHEST, Mean, Metric, between, between_means, from_center, from_mean

SLACK = 1e-9
"""The maximum effect of rounding on the floating-point bounds, as a share of them."""


class Remaining(NamedTuple):
    """What is left of a forest: the records, their number below each node, and their distances from an earlier mean."""

    present: Bools
    alive: Int64s
    earlier: Float64s
    longest: Float64s  # of these distances, below each node


class Stack(NamedTuple):
    """Nodes still to visit, and bounds of the distances below them."""

    nodes: Int32s
    bounds: Int64s


@kernel
def gather(
    metric: Metric,
    forest: Forest,
    seats: Int64s,
    pairs: bool,
    rounds: int,
    stop: UInt8s,
) -> tuple[Int64s2, Bools]:
    """Form groups until a seat stays empty, `rounds` are over, or half of the records are gone.

    The first nodes of the forest are one root per group of records; `seats[g]` records of group g are taken at a time.
    With `pairs` (MDAV) a second group is formed around the record farthest from the first one's, and records for at
    least three groups must be left. Returns the members as positions, one group per row, and which positions are left
    (a mask).
    """
    points = forest.points
    total = len(points)
    groups = len(seats)
    size = np.int64(0)
    for g in range(groups):
        size += seats[g]
    nodes = len(forest.ranges)
    members = np.empty((total // size + 2, size), dtype=np.int64)
    formed = 0
    left = total
    remaining = Remaining(
        np.empty(total, dtype=np.bool_), np.empty(nodes, dtype=np.int64), np.empty(total), np.empty(nodes)
    )
    for node in range(nodes):
        remaining.alive[node] = forest.ranges[node, 1] - forest.ranges[node, 0]
    mean, old = _no_mean(metric), _no_mean(metric)
    for i in range(total):
        remaining.present[i] = True
        _count(metric, points[i], 1, mean)
    examined = np.int64(total) + 1
    stack = Stack(np.empty(nodes + 1, dtype=np.int32), np.empty(nodes + 1, dtype=np.int64))
    while left > 0 and formed + 1 < len(members) and 2 * left >= total and rounds > 0 and not stopped(stop):
        enough = not pairs or left >= 3 * size
        for g in range(groups):
            enough = enough and remaining.alive[g] >= seats[g]
        if not enough:
            break
        rounds -= 1
        _update(metric, left, mean)
        if examined > left:
            for a in range(len(mean.center)):
                old.center[a] = mean.center[a]
            for j in range(len(mean.shares)):
                old.shares[j] = mean.shares[j]
            _measure(metric, forest, mean, remaining)
            examined = 0
        drift = between_means(metric, mean, old)
        first, measured = _farthest_from_mean(metric, forest, remaining, groups, left, mean, drift, stack)
        examined += measured
        second = _farthest(metric, forest, remaining, points[first], stack) if pairs else first
        for turn in range(2 if pairs else 1):
            around = points[first if turn == 0 else second]
            at = 0
            for g in range(groups):
                _nearest(metric, forest, remaining, g, around, members[formed, at : at + seats[g]], stack)
                at += seats[g]
            for position in members[formed]:
                remaining.present[position] = False
                _count(metric, points[position], -1, mean)
                _forget(forest, remaining, position)
            left -= size
            formed += 1
    return members[:formed].copy(), remaining.present


@helper
def _no_mean(metric):
    """Return the mean of no records."""
    codes = metric.offsets[-1]
    return Mean(
        np.zeros(metric.numeric, dtype=np.int64), np.zeros(codes, dtype=np.int64), np.zeros(metric.numeric),
        np.zeros(codes), np.zeros(len(metric.costs)),
    )  # fmt: skip


@inlined
def _count(metric, record, sign, mean):
    """Add a record to the sums and counts of a mean, or remove it."""
    for a in range(metric.numeric):
        mean.sums[a] += sign * np.int64(record[a])
    for a in range(len(metric.offsets) - 1):
        mean.counts[metric.offsets[a] + record[metric.numeric + a]] += sign


@helper
def _update(metric, rows, mean):
    """Compute center, shares and squares from the sums and counts of this many rows."""
    offsets = metric.offsets
    for a in range(len(mean.sums)):
        mean.center[a] = mean.sums[a] / rows
    for a in range(len(offsets) - 1):
        mean.squares[a] = 0.0
        for j in range(offsets[a], offsets[a + 1]):
            mean.shares[j] = mean.counts[j] / rows
            mean.squares[a] += mean.shares[j] * mean.shares[j]


@helper
def _measure(metric, forest, mean, remaining):
    """Compute every record's distance from this mean, and the longest one below each node."""
    longest = remaining.longest
    for node in range(len(forest.ranges) - 1, -1, -1):
        child, sibling = forest.children[node, 0], forest.children[node, 1]
        if child >= 0:
            longest[node] = max(longest[child], longest[sibling])
            continue
        longest[node] = -1.0
        for i in range(forest.ranges[node, 0], forest.ranges[node, 1]):
            if remaining.present[i]:
                remaining.earlier[i] = from_center(metric, forest.points[i], mean)
                longest[node] = max(longest[node], remaining.earlier[i])


@helper
def _forget(forest, remaining, position):
    """Remove one record: update counts and longest distances up to the root."""
    children, longest = forest.children, remaining.longest
    node = forest.leaf_of[position]
    remaining.alive[node] -= 1
    longest[node] = -1.0
    for i in range(forest.ranges[node, 0], forest.ranges[node, 1]):
        if remaining.present[i]:
            longest[node] = max(longest[node], remaining.earlier[i])
    node = forest.parents[node]
    while node >= 0:
        remaining.alive[node] -= 1
        longest[node] = max(longest[children[node, 0]], longest[children[node, 1]])
        node = forest.parents[node]


@helper
def _farthest_from_mean(metric, forest, remaining, groups, left, mean, drift, stack):
    """Return the position of the farthest of `left` records, and how many records were examined."""
    points, rows, ranges, longest, waiting = forest.points, forest.rows, forest.ranges, remaining.longest, stack.nodes
    best, position = np.int64(0), -1
    reach = -1.0  # a record whose earlier distance is below this cannot be the farthest
    examined = 0
    for g in range(groups):
        waiting[0] = g
        depth = 1
        while depth > 0:
            depth -= 1
            node = waiting[depth]
            if remaining.alive[node] == 0 or longest[node] < reach:
                continue
            child, sibling = forest.children[node, 0], forest.children[node, 1]
            if child >= 0:
                nearer, farther = (child, sibling) if longest[child] < longest[sibling] else (sibling, child)
                waiting[depth], waiting[depth + 1] = nearer, farther
                depth += 2
                continue
            for i in range(ranges[node, 0], ranges[node, 1]):
                if not remaining.present[i] or remaining.earlier[i] < reach:
                    continue
                examined += 1
                distance = from_mean(metric, points[i], left, mean)
                if position < 0 or distance > best or (distance == best and rows[i] < rows[position]):
                    if position < 0 or distance > best:
                        now = from_center(metric, points[i], mean)
                        reach = now - drift - SLACK * (now + drift + 1.0)
                    best, position = distance, i
    return position, examined


@helper
def _farthest(metric, forest, remaining, record, stack):
    """Return the position of the record farthest from another one, among the first root's records."""
    rows, ranges, waiting, bounds = forest.rows, forest.ranges, stack.nodes, stack.bounds
    best, position = np.int64(-1), -1
    waiting[0], bounds[0] = 0, FARTHEST
    depth = 1
    while depth > 0:
        depth -= 1
        node = waiting[depth]
        if remaining.alive[node] == 0 or bounds[depth] < best:
            continue
        child, sibling = forest.children[node, 0], forest.children[node, 1]
        if child >= 0:
            a, b = box_farthest(metric, forest, child, record), box_farthest(metric, forest, sibling, record)
            if a > b:
                child, sibling, a, b = sibling, child, b, a
            waiting[depth], bounds[depth] = child, a
            waiting[depth + 1], bounds[depth + 1] = sibling, b
            depth += 2
            continue
        for i in range(ranges[node, 0], ranges[node, 1]):
            if remaining.present[i]:
                distance = between(metric, forest.points[i], record, FARTHEST)
                if distance > best or (distance == best and rows[i] < rows[position]):
                    best, position = distance, i
    return position


@helper
def _nearest(metric, forest, remaining, root, record, nearest, stack):
    """Fill `nearest` with the nearest records below a root, nearest first."""
    rows, ranges, waiting, bounds = forest.rows, forest.ranges, stack.nodes, stack.bounds
    wanted, filled = len(nearest), 0
    distances = np.empty(wanted, dtype=np.int64)
    worst = FARTHEST
    waiting[0], bounds[0] = root, 0
    depth = 1
    while depth > 0:
        depth -= 1
        node = waiting[depth]
        if remaining.alive[node] == 0 or bounds[depth] > worst:
            continue
        child, sibling = forest.children[node, 0], forest.children[node, 1]
        if child >= 0:
            a = b = FARTHEST
            if remaining.alive[child] > 0:
                a = box_nearest(metric, forest, child, record)
            if remaining.alive[sibling] > 0:
                b = box_nearest(metric, forest, sibling, record)
            if a < b:
                child, sibling, a, b = sibling, child, b, a
            if a <= worst:
                waiting[depth], bounds[depth] = child, a
                depth += 1
            if b <= worst:
                waiting[depth], bounds[depth] = sibling, b
                depth += 1
            continue
        for i in range(ranges[node, 0], ranges[node, 1]):
            if not remaining.present[i]:
                continue
            distance = between(metric, forest.points[i], record, worst)
            if distance > worst or (filled == wanted and distance == worst and rows[i] > rows[nearest[filled - 1]]):
                continue
            filled = min(filled + 1, wanted)
            j = filled - 1
            while j > 0 and (
                distances[j - 1] > distance or (distances[j - 1] == distance and rows[nearest[j - 1]] > rows[i])
            ):
                distances[j], nearest[j] = distances[j - 1], nearest[j - 1]
                j -= 1
            distances[j], nearest[j] = distance, i
            if filled == wanted:
                worst = distances[filled - 1]
