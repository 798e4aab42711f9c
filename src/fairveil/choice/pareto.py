"""Which points no other point beats.

>>> pareto(np.array([[1, 5], [2, 2], [3, 3], [5, 1]])).tolist()
[True, True, False, True]
>>> dominators(np.array([[1, 5], [2, 2], [3, 3], [5, 1]]), 2).tolist()
[1]
"""

from __future__ import annotations

import numpy as np


def pareto(points: np.ndarray) -> np.ndarray:
    """Mask of the points (rows, lower is better in every column) that none dominates; equal points all stay."""
    distinct, back = np.unique(points, axis=0, return_inverse=True)
    best = np.ones(len(distinct), dtype=bool)
    # sorted by the first column, a point can only be dominated by one before it
    for i in range(1, len(distinct)):
        before = distinct[:i][best[:i]]
        best[i] = not (before <= distinct[i]).all(axis=1).any()
    return best[back.ravel()]


def dominators(points: np.ndarray, position: int) -> np.ndarray:
    """The points that dominate one: as good in every column and better in some; those of the frontier first."""
    point = points[position]
    beats = (points <= point).all(axis=1) & (points < point).any(axis=1)
    found = np.flatnonzero(beats)
    return found[np.argsort(~pareto(points)[found], kind="stable")]
