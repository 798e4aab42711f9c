"""Distances between coded records, exact: integers in, integers out, whatever the order of summation.

A record is a row of `points`: `numeric` coordinates on a grid, then one code per categorical column. Two records
differ by the sum of |gap|^power over the coordinates, plus `costs[a]` for every categorical column a in which they
differ. A record and the mean of N records differ, up to a constant and times N, by

    power 2:  N·Σx² - 2·Σx·S - Σ costs[a]·count[a, code]      (Euclidean, squared, on one-hot columns)
    power 1:  Σ|N·x - S|     - Σ costs[a]·count[a, code]      (Manhattan and Gower)

with S the sums of the coordinates and count how many of the N hold the code: one term per attribute, not per dummy.
"""

from __future__ import annotations

import numpy as np
from numba import njit

MASK = 63
"""Codes are folded into 64-bit sets; folding can only make a bound looser."""


@njit(cache=True, nogil=True, inline="always")
def between(record, other, numeric, costs, power, limit):
    """The distance of two records; any number above `limit` once it is clear that it lies above."""
    total = np.int64(0)
    if power == 2:
        for a in range(numeric):
            gap = np.int64(record[a]) - np.int64(other[a])
            total += gap * gap
    else:
        for a in range(numeric):
            total += abs(np.int64(record[a]) - np.int64(other[a]))
    if total > limit:
        return total
    for a in range(numeric, len(record)):
        if record[a] != other[a]:
            total += costs[a - numeric]
            if total > limit:
                return total
    return total


@njit(cache=True, nogil=True, inline="always")
def from_mean(record, rows, sums, counts, offsets, numeric, costs, power):
    """How far a record is from the mean of `rows` records, up to a constant, times `rows`."""
    total = np.int64(0)
    if power == 2:
        for a in range(numeric):
            x = np.int64(record[a])
            total += x * (rows * x - 2 * sums[a])
    else:
        for a in range(numeric):
            total += abs(rows * np.int64(record[a]) - sums[a])
    for a in range(len(costs)):
        total -= costs[a] * counts[offsets[a] + record[numeric + a]]
    return total


@njit(cache=True, nogil=True)
def from_center(record, center, shares, squares, offsets, numeric, costs, power):
    """The distance of a record from a mean as a floating-point number; with power 2 its root. For bounds only."""
    total = 0.0
    for a in range(numeric):
        gap = record[a] - center[a]
        total += gap * gap if power == 2 else abs(gap)
    for a in range(len(costs)):
        share = shares[offsets[a] + record[numeric + a]]
        total += costs[a] * (0.5 * (1.0 + squares[a]) - share if power == 2 else 1.0 - share)
    return np.sqrt(max(total, 0.0)) if power == 2 else total


@njit(cache=True, nogil=True)
def between_centers(center, shares, old_center, old_shares, offsets, costs, power):
    """How much any record's distance can change when the mean moves (triangle inequality)."""
    total = 0.0
    for a in range(len(center)):
        gap = center[a] - old_center[a]
        total += gap * gap if power == 2 else abs(gap)
    for a in range(len(costs)):
        moved = 0.0
        for j in range(offsets[a], offsets[a + 1]):
            gap = shares[j] - old_shares[j]
            moved = moved + gap * gap if power == 2 else max(moved, abs(gap))
        total += costs[a] * (0.5 * moved if power == 2 else moved)
    return np.sqrt(total) if power == 2 else total


@njit(cache=True, nogil=True, inline="always")
def box_nearest(low, high, sets, record, numeric, costs, power):
    """No record in the box is nearer than this."""
    total = np.int64(0)
    for a in range(numeric):
        x = np.int64(record[a])
        gap = max(np.int64(low[a]) - x, x - np.int64(high[a]), np.int64(0))
        total += gap * gap if power == 2 else gap
    for a in range(len(costs)):
        if not (sets[a] >> np.uint64(record[numeric + a] & MASK)) & np.uint64(1):
            total += costs[a]
    return total


@njit(cache=True, nogil=True, inline="always")
def box_farthest(low, high, sets, record, numeric, costs, power, offsets):
    """No record in the box is farther than this."""
    total = np.int64(0)
    for a in range(numeric):
        x = np.int64(record[a])
        gap = max(np.int64(high[a]) - x, x - np.int64(low[a]))
        total += gap * gap if power == 2 else gap
    for a in range(len(costs)):
        code = record[numeric + a]
        alone = offsets[a + 1] - offsets[a] <= MASK + 1 and sets[a] == np.uint64(1) << np.uint64(code)
        if not alone:
            total += costs[a]
    return total


@njit(cache=True, nogil=True)
def nearest_center(points, centers, numeric, costs, power):
    """For every record the nearest of the centers; of several equally near ones the first."""
    chosen = np.empty(len(points), dtype=np.int64)
    for i in range(len(points)):
        best, at = np.int64(np.iinfo(np.int64).max), 0
        for j in range(len(centers)):
            distance = between(points[i], centers[j], numeric, costs, power, best)
            if distance < best:
                best, at = distance, j
        chosen[i] = at
    return chosen
