"""Records that fill no fairlet may join the nearest one instead of being dropped (beyond the paper)."""

from __future__ import annotations

import numpy as np

from fairveil.methods.microaggregation.clusters import Clusters
from fairveil.recipes.record_space import Points

_CELLS = 1 << 22  # distances in memory at a time


def join_nearest(points: Points, clusters: Clusters) -> Clusters:
    """Return clusters with every record in a fairlet: left-over records join the fairlet with the nearest mean, the
    first formed of equally near ones."""
    leftover = clusters.left_over
    if not len(leftover) or not clusters.count:
        return clusters
    of_row, ranks = clusters.of_row.copy(), clusters.ranks.copy()
    means, shares = _means(points, clusters)
    step = max(_CELLS // clusters.count, 1)
    for start in range(0, len(leftover), step):
        block = leftover[start : start + step]
        of_row[block] = np.argmin(_distances(points, points.rows[block], means, shares), axis=1)
    ranks[leftover] = len(points) + leftover  # ranked after the fairlet's own records
    return Clusters(of_row, ranks, clusters.count)


def _means(points: Points, clusters: Clusters) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean coordinates and the shares of each code, per cluster."""
    inside = clusters.of_row >= 0
    of_row, rows = clusters.of_row[inside], points.rows[inside]
    means = np.zeros((clusters.count, points.numeric))
    shares = np.zeros((clusters.count, int(points.offsets[-1])))
    np.add.at(means, of_row, rows[:, : points.numeric])
    for a in range(len(points.costs)):
        np.add.at(shares, (of_row, points.offsets[a] + rows[:, points.numeric + a]), 1.0)
    sizes = clusters.sizes[:, None]
    return means / sizes, shares / sizes


def _distances(points: Points, rows: np.ndarray, means: np.ndarray, shares: np.ndarray) -> np.ndarray:
    total = np.zeros((len(rows), len(means)))
    for a in range(points.numeric):
        gap = rows[:, a, None] - means[None, :, a]
        total += gap * gap if points.power == 2 else np.abs(gap)
    for a, cost in enumerate(points.costs):
        code_shares = shares[:, points.offsets[a] : points.offsets[a + 1]]
        match = code_shares[:, rows[:, points.numeric + a]].T
        whole = (code_shares**2).sum(axis=1)[None, :]
        total += cost * (0.5 * (1 + whole) - match if points.power == 2 else 1 - match)
    return total
