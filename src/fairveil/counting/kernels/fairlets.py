"""MDAV and MakeFairlets (Domingo-Ferrer and Torra 2005; González-Zelaya et al., Algorithm 2), exact and pruned.

Both repeat: find the record farthest from the mean of what is left, gather the nearest ones around it. Distances
are exact integers (see `distance.py`), ties go to the lowest row number, so the answer is the plain algorithm's, row
for row. What makes it quick is only where it need not look:

- the nearest: a box that is farther away than the worst of those found so far is skipped (`forest.py`);
- the farthest from the mean: the mean moves little from round to round, so a distance to an earlier mean plus the
  way the mean has gone since bounds the distance now; a node whose bound is below the best is skipped.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fairveil.counting.kernels.distance import (
    between,
    between_centers,
    box_farthest,
    box_nearest,
    from_center,
    from_mean,
)

SLACK = 1e-9
"""What rounding may do to the floating-point bounds, as a share of them."""


@njit(cache=True, nogil=True)
def gather(
    points, rows, low, high, sets, leaf_of, ranges, children, parents, seats, pairs, rounds,
    numeric, costs, power, offsets,
):  # fmt: skip
    """Form groups until a seat stays empty, `rounds` are over, or half of the records are gone.

    `points` and `rows` (row numbers) are in the order of the forest, whose first nodes are one root per group of
    records; `seats[g]` records of group g are taken at a time. With `pairs` (MDAV) a second group is formed around
    the record farthest from the first one's, and at least three groups' worth of records must be left.
    Returns the members, one group a line, as positions, and which positions are left.
    """
    total = len(points)
    groups = len(seats)
    size = int(seats.sum())
    nodes = len(ranges)
    members = np.empty((total // size + 2, size), dtype=np.int64)
    formed = 0
    here = np.ones(total, dtype=np.bool_)
    alive = ranges[:, 1] - ranges[:, 0]
    left = total
    sums = np.zeros(numeric, dtype=np.int64)
    counts = np.zeros(offsets[-1], dtype=np.int64)
    for i in range(total):
        _count(points[i], 1, sums, counts, numeric, offsets)
    center, shares, squares = np.zeros(numeric), np.zeros(offsets[-1]), np.zeros(len(costs))
    old_center, old_shares = np.zeros(numeric), np.zeros(offsets[-1])
    way = np.zeros(total)  # from the old center
    longest = np.zeros(nodes)
    looked = np.int64(total) + 1
    stack = np.empty(nodes + 1, dtype=np.int32)
    bounds = np.empty(nodes + 1, dtype=np.int64)
    while left > 0 and formed + 1 < len(members) and 2 * left >= total and rounds > 0:
        enough = not pairs or left >= 3 * size
        for g in range(groups):
            enough = enough and alive[g] >= seats[g]
        if not enough:
            break
        rounds -= 1
        _mean(left, sums, counts, offsets, center, shares, squares)
        if looked > left:
            old_center[:], old_shares[:] = center, shares
            _measure(
                points, here, ranges, children, center, shares, squares, offsets, numeric, costs, power, way, longest
            )
            looked = 0
        drift = between_centers(center, shares, old_center, old_shares, offsets, costs, power)
        first, seen = _farthest_from_mean(
            points, rows, here, ranges, children, alive, groups, left, sums, counts, center, shares, squares,
            offsets, numeric, costs, power, way, longest, drift, stack,
        )  # fmt: skip
        looked += seen
        second = first
        if pairs:
            second = _farthest(
                points, rows, here, low, high, sets, ranges, children, alive, points[first],
                offsets, numeric, costs, power, stack, bounds,
            )  # fmt: skip
        for turn in range(2 if pairs else 1):
            around = points[first if turn == 0 else second]
            at = 0
            for g in range(groups):
                if seats[g] > 0:
                    _nearest(
                        points, rows, here, low, high, sets, ranges, children, alive, g, around,
                        numeric, costs, power, members[formed, at : at + seats[g]], stack, bounds,
                    )  # fmt: skip
                at += seats[g]
            for place in members[formed]:
                here[place] = False
                _count(points[place], -1, sums, counts, numeric, offsets)
                _forget(place, here, leaf_of, ranges, children, parents, alive, way, longest)
            left -= size
            formed += 1
    return members[:formed].copy(), np.flatnonzero(here)


@njit(cache=True, nogil=True, inline="always")
def _count(record, sign, sums, counts, numeric, offsets):
    for a in range(numeric):
        sums[a] += sign * np.int64(record[a])
    for a in range(len(offsets) - 1):
        counts[offsets[a] + record[numeric + a]] += sign


@njit(cache=True, nogil=True)
def _mean(rows, sums, counts, offsets, center, shares, squares):
    for a in range(len(sums)):
        center[a] = sums[a] / rows
    for a in range(len(offsets) - 1):
        squares[a] = 0.0
        for j in range(offsets[a], offsets[a + 1]):
            shares[j] = counts[j] / rows
            squares[a] += shares[j] * shares[j]


@njit(cache=True, nogil=True)
def _measure(points, here, ranges, children, center, shares, squares, offsets, numeric, costs, power, way, longest):
    """Every record's way from this center, and the longest one below each node."""
    for node in range(len(ranges) - 1, -1, -1):
        one, other = children[node]
        if one >= 0:
            longest[node] = max(longest[one], longest[other])
            continue
        longest[node] = -1.0
        for i in range(ranges[node, 0], ranges[node, 1]):
            if here[i]:
                way[i] = from_center(points[i], center, shares, squares, offsets, numeric, costs, power)
                longest[node] = max(longest[node], way[i])


@njit(cache=True, nogil=True)
def _forget(place, here, leaf_of, ranges, children, parents, alive, way, longest):
    """One record fewer: counts and longest ways up to the root."""
    node = leaf_of[place]
    alive[node] -= 1
    longest[node] = -1.0
    for i in range(ranges[node, 0], ranges[node, 1]):
        if here[i]:
            longest[node] = max(longest[node], way[i])
    node = parents[node]
    while node >= 0:
        alive[node] -= 1
        longest[node] = max(longest[children[node, 0]], longest[children[node, 1]])
        node = parents[node]


@njit(cache=True, nogil=True)
def _farthest_from_mean(
    points, rows, here, ranges, children, alive, groups, left, sums, counts, center, shares, squares,
    offsets, numeric, costs, power, way, longest, drift, stack,
):  # fmt: skip
    """The position of the farthest record, and how many records were looked at."""
    best, place = np.int64(0), -1
    reach = -1.0  # a record whose old way is shorter than this cannot be it
    looked = 0
    for g in range(groups):
        stack[0] = g
        depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if alive[node] == 0 or longest[node] < reach:
                continue
            one, other = children[node]
            if one >= 0:
                nearer, farther = (one, other) if longest[one] < longest[other] else (other, one)
                stack[depth], stack[depth + 1] = nearer, farther
                depth += 2
                continue
            for i in range(ranges[node, 0], ranges[node, 1]):
                if not here[i] or way[i] < reach:
                    continue
                looked += 1
                distance = from_mean(points[i], left, sums, counts, offsets, numeric, costs, power)
                if place < 0 or distance > best or (distance == best and rows[i] < rows[place]):
                    if place < 0 or distance > best:
                        now = from_center(points[i], center, shares, squares, offsets, numeric, costs, power)
                        reach = now - drift - SLACK * (now + drift + 1.0)
                    best, place = distance, i
    return place, looked


@njit(cache=True, nogil=True)
def _farthest(
    points, rows, here, low, high, sets, ranges, children, alive, record, offsets, numeric, costs, power, stack, bounds
):  # fmt: skip
    """The position of the record farthest from another one, over the first root's records."""
    best, place = np.int64(-1), -1
    top = np.int64(np.iinfo(np.int64).max)
    stack[0], bounds[0] = 0, top
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if alive[node] == 0 or bounds[depth] < best:
            continue
        one, other = children[node]
        if one >= 0:
            a = box_farthest(low[one], high[one], sets[one], record, numeric, costs, power, offsets)
            b = box_farthest(low[other], high[other], sets[other], record, numeric, costs, power, offsets)
            if a > b:
                one, other, a, b = other, one, b, a
            stack[depth], bounds[depth] = one, a
            stack[depth + 1], bounds[depth + 1] = other, b
            depth += 2
            continue
        for i in range(ranges[node, 0], ranges[node, 1]):
            if here[i]:
                distance = between(points[i], record, numeric, costs, power, top)
                if distance > best or (distance == best and rows[i] < rows[place]):
                    best, place = distance, i
    return place


@njit(cache=True, nogil=True)
def _nearest(
    points, rows, here, low, high, sets, ranges, children, alive, root, record, numeric, costs, power,
    found, stack, bounds,
):  # fmt: skip
    """The len(found) nearest records below a root, nearest first, written into `found`."""
    wanted, held = len(found), 0
    ways = np.empty(wanted, dtype=np.int64)
    top = np.int64(np.iinfo(np.int64).max)
    worst = top
    stack[0], bounds[0] = root, 0
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if alive[node] == 0 or bounds[depth] > worst:
            continue
        one, other = children[node]
        if one >= 0:
            a = b = top
            if alive[one] > 0:
                a = box_nearest(low[one], high[one], sets[one], record, numeric, costs, power)
            if alive[other] > 0:
                b = box_nearest(low[other], high[other], sets[other], record, numeric, costs, power)
            if a < b:
                one, other, a, b = other, one, b, a
            if a <= worst:
                stack[depth], bounds[depth] = one, a
                depth += 1
            if b <= worst:
                stack[depth], bounds[depth] = other, b
                depth += 1
            continue
        for i in range(ranges[node, 0], ranges[node, 1]):
            if not here[i]:
                continue
            distance = between(points[i], record, numeric, costs, power, worst)
            if distance > worst or (held == wanted and distance == worst and rows[i] > rows[found[held - 1]]):
                continue
            held = min(held + 1, wanted)
            j = held - 1
            while j > 0 and (ways[j - 1] > distance or (ways[j - 1] == distance and rows[found[j - 1]] > rows[i])):
                ways[j], found[j] = ways[j - 1], found[j - 1]
                j -= 1
            ways[j], found[j] = distance, i
            if held == wanted:
                worst = ways[held - 1]
