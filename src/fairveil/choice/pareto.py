"""Pareto frontiers: the points that no other point dominates.

>>> pareto(np.array([[1, 5], [2, 2], [3, 3], [5, 1]])).tolist()
[True, True, False, True]
>>> dominators(np.array([[1, 5], [2, 2], [3, 3], [5, 1]]), 2).tolist()
[1]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairveil.data.numeric import significant


def pareto(points: np.ndarray) -> NDArray[np.bool_]:
    """Return the mask of the nondominated points (rows, lower is better in every column), duplicates included."""
    distinct, back = np.unique(significant(points), axis=0, return_inverse=True)
    best = np.ones(len(distinct), dtype=bool)
    if distinct.shape[1] == 2:
        # sorted by the first column, a point must be below all earlier ones in the second
        best[1:] = distinct[1:, 1] < np.minimum.accumulate(distinct[:-1, 1])
        return best[back.ravel()]
    # in lexicographic order a point can only be dominated by an earlier one: the first that is left is never dominated
    left, position = np.arange(len(distinct)), 0
    while position < len(left):
        later = left[position + 1 :]
        stay = (distinct[later] < distinct[left[position]]).any(axis=1)
        best[later[~stay]] = False
        left, position = np.concatenate([left[: position + 1], later[stay]]), position + 1
    return best[back.ravel()]


def dominators(points: np.ndarray, position: int) -> np.ndarray:
    """Return the points that dominate one: as good in every column, better in some; those of the frontier first."""
    points = significant(points)
    point = points[position]
    beats = (points <= point).all(axis=1) & (points < point).any(axis=1)
    better = np.flatnonzero(beats)
    return better[np.argsort(~pareto(points)[better], kind="stable")]
