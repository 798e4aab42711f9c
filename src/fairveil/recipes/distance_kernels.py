"""Distances between coded records, exact: integers in, integers out, whatever the order of summation.

A record is a row of points: `numeric` coordinates on a grid, then one code per categorical column. Two records
differ by the sum of |gap|^power over the coordinates, plus `costs[a]` for every categorical column a in which they
differ. A record and the mean of N records differ, up to a constant and times N, by

    power 2:  N·Σx² - 2·Σx·S - Σ costs[a]·count[a, code]      (Euclidean, squared, on one-hot columns)
    power 1:  Σ|N·x - S|     - Σ costs[a]·count[a, code]      (Manhattan and Gower)

with S the sums of the coordinates and count how many of the N hold the code: one term per attribute, not per dummy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Float64s, Int32s2, Int64s, UInt8s, helper, inlined, kernel, stopped

FARTHEST = np.int64(np.iinfo(np.int64).max)
MASK = 63
"""Codes are folded into 64-bit sets; folding can only make a bound looser."""


class Metric(NamedTuple):
    """How distances are computed; `offsets` has the index of each categorical column's first code in a list of all."""

    numeric: int
    costs: Int64s
    offsets: Int64s
    power: int


class Mean(NamedTuple):
    """The mean of some records: exact sums and code counts; center, shares and their squares for bounds."""

    sums: Int64s
    counts: Int64s
    center: Float64s
    shares: Float64s
    squares: Float64s


@inlined
def between(metric, record, other, limit):
    """Return the distance of two records; once it exceeds `limit`, any number above `limit`."""
    numeric = metric.numeric
    total = np.int64(0)
    if metric.power == 2:
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
            total += metric.costs[a - numeric]
            if total > limit:
                return total
    return total


@inlined
def from_mean(metric, record, rows, mean):
    """Return the distance of a record from the mean of `rows` records, up to a constant, times `rows`."""
    numeric = metric.numeric
    total = np.int64(0)
    if metric.power == 2:
        for a in range(numeric):
            x = np.int64(record[a])
            total += x * (rows * x - 2 * mean.sums[a])
    else:
        for a in range(numeric):
            total += abs(rows * np.int64(record[a]) - mean.sums[a])
    for a in range(len(metric.costs)):
        total -= metric.costs[a] * mean.counts[metric.offsets[a] + record[numeric + a]]
    return total


@helper
def from_center(metric, record, mean):
    """Return the distance of a record from a mean as a float; with power 2 its root. For bounds only."""
    total = 0.0
    for a in range(metric.numeric):
        gap = record[a] - mean.center[a]
        total += gap * gap if metric.power == 2 else abs(gap)
    for a in range(len(metric.costs)):
        share = mean.shares[metric.offsets[a] + record[metric.numeric + a]]
        total += metric.costs[a] * (0.5 * (1.0 + mean.squares[a]) - share if metric.power == 2 else 1.0 - share)
    return np.sqrt(max(total, 0.0)) if metric.power == 2 else total


@helper
def between_means(metric, mean, old):
    """Return the maximum change of any record's distance when the mean moves (triangle inequality)."""
    total = 0.0
    for a in range(len(mean.center)):
        gap = mean.center[a] - old.center[a]
        total += gap * gap if metric.power == 2 else abs(gap)
    for a in range(len(metric.costs)):
        moved = 0.0
        for j in range(metric.offsets[a], metric.offsets[a + 1]):
            gap = mean.shares[j] - old.shares[j]
            moved = moved + gap * gap if metric.power == 2 else max(moved, abs(gap))
        total += metric.costs[a] * (0.5 * moved if metric.power == 2 else moved)
    return np.sqrt(total) if metric.power == 2 else total


@kernel
def nearest_center(metric: Metric, points: Int32s2, centers: Int32s2, stop: UInt8s) -> Int64s:
    """Return the nearest center of every record; the first of equally near ones."""
    chosen = np.empty(len(points), dtype=np.int64)
    for i in range(len(points)):
        if stopped(stop):
            break
        best, at = FARTHEST, 0
        for j in range(len(centers)):
            distance = between(metric, points[i], centers[j], best)
            if distance < best:
                best, at = distance, j
        chosen[i] = at
    return chosen
