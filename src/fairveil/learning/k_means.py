"""Clusters by k-means, and how far two clusterings agree.

The algorithm and its random numbers are those of scikit-learn's `KMeans` (k-means++ with a few candidates for each
centre, Lloyd's steps); it is here because loading scikit-learn takes longer than that. Clusters differ only where a row
is equally near to two centres, as rows of categories often are at the first step: here the first centre gets it, there
rounding decides, because the mean is subtracted first.
"""

from __future__ import annotations

import numpy as np

MAX_STEPS, TOLERANCE = 300, 1e-4


def k_means(inputs: np.ndarray, count: int, *, runs: int, seed: int) -> np.ndarray:
    """Return the cluster (0, 1, …) of each row, of the best of several runs; there are at least `count` rows."""
    squares = np.einsum("ij,ij->i", inputs, inputs)
    tolerance = float(inputs.var(axis=0).mean()) * TOLERANCE
    random = np.random.RandomState(seed)
    best: tuple[float, np.ndarray] | None = None
    for _ in range(runs):
        labels, inertia = _run(inputs, _first_centres(inputs, squares, count, random), tolerance)
        if best is None or (inertia < best[0] and not _same(labels, best[1])):
            best = inertia, labels
    assert best is not None, "there is at least one run"
    return best[1]


def _first_centres(points: np.ndarray, squares: np.ndarray, count: int, random: np.random.RandomState) -> np.ndarray:
    """k-means++: of a few candidates, drawn by their squared distance, the one that leaves the least is a centre."""
    rows, candidates = len(points), 2 + int(np.log(count))
    centres = [int(random.choice(rows, p=np.full(rows, 1.0) / rows))]
    nearest = _distances(points[centres], points, squares)[0]
    left = nearest.sum()
    for _ in range(1, count):
        drawn = np.searchsorted(np.cumsum(nearest), random.uniform(size=candidates) * left)
        drawn = np.minimum(drawn, rows - 1)
        distances = np.minimum(nearest, _distances(points[drawn], points, squares))
        leaving = distances.sum(axis=1)
        best = int(leaving.argmin())
        left, nearest = leaving[best], distances[best]
        centres.append(int(drawn[best]))
    return points[centres]


def _distances(centres: np.ndarray, points: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return the squared distance of each centre to each point."""
    own = np.einsum("ij,ij->i", centres, centres)
    return np.asarray(np.maximum(own[:, None] - 2 * (centres @ points.T) + squares[None, :], 0))


def _run(points: np.ndarray, centres: np.ndarray, tolerance: float) -> tuple[np.ndarray, float]:
    """Return the clusters that Lloyd's steps reach, and the sum of squared distances to their centres."""
    labels, before = np.full(len(points), -1), np.empty(0)
    for _ in range(MAX_STEPS):
        before, labels = labels, _nearest(points, centres)
        moved = _means(points, labels, centres)
        shift, centres = float(((moved - centres) ** 2).sum()), moved
        if np.array_equal(labels, before):
            break
        if shift <= tolerance:
            labels = _nearest(points, centres)
            break
    else:
        labels = _nearest(points, centres)
    return labels, float(((points - centres[labels]) ** 2).sum())


def _nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    nearest: np.ndarray = (np.einsum("ij,ij->i", centres, centres) - 2 * (points @ centres.T)).argmin(axis=1)
    return nearest


def _means(points: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the means of the clusters; an empty one gets the point that is farthest from its centre."""
    sums = np.stack([points[labels == cluster].sum(axis=0) for cluster in range(len(centres))])
    sizes = np.bincount(labels, minlength=len(centres))
    empty = np.flatnonzero(sizes == 0)
    if len(empty):
        far = ((points - centres[labels]) ** 2).sum(axis=1)
        farthest = np.argpartition(far, -len(empty))[: -len(empty) - 1 : -1]
        for cluster, point in zip(empty.tolist(), farthest.tolist(), strict=True):
            sums[labels[point]] -= points[point]
            sizes[labels[point]] -= 1
            sums[cluster], sizes[cluster] = points[point], 1
    largest = int(sizes.argmax())
    means: np.ndarray = sums * (1 / np.maximum(sizes, 1))[:, None]
    means[sizes == 0] = means[largest]
    return means


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two clusterings are the same but for the numbers of the clusters."""
    pairs = {*zip(one.tolist(), other.tolist(), strict=True)}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def adjusted_rand(one: np.ndarray, other: np.ndarray) -> float:
    """Return the adjusted Rand index of two clusterings: 1 if they are the same, about 0 if they have little in common.

    >>> adjusted_rand(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    table = np.zeros((int(one.max()) + 1, int(other.max()) + 1), dtype=np.int64)
    np.add.at(table, (one, other), 1)
    rows, together = len(one), int((table**2).sum())
    first, second = (int((table.sum(axis=axis) ** 2).sum()) for axis in (0, 1))
    both, only_first, only_second = together - rows, first - together, second - together
    neither = rows**2 - only_first - only_second - together
    if not only_first and not only_second:
        return 1.0
    return (
        2.0 * (both * neither - only_first * only_second)
        / ((both + only_first) * (only_first + neither) + (both + only_second) * (only_second + neither))
    )  # fmt: skip
