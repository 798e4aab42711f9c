"""Summary attainment surfaces (Knowles 2005): what several runs of a search with two objectives reach together.

>>> runs = [np.array([[0.8, 10], [0.7, 50]]), np.array([[0.9, 5], [0.6, 60]])]
>>> surface(runs, 0.0)
(array([ 5., 10., 50., 60.]), array([0.8, 0.6, 0.6, nan]))

Points are (accuracy, level), higher is better for both. A surface gives for each level the accuracy that a share of the
runs has attained at that level or above it: all of them (0.0, the worst surface), half of them (0.5, the median), or
one (1.0, the best).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def attained(points: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the best accuracy that a run attains at each level or above; minus infinity where there is none."""
    reaches = points[None, :, 1] >= levels[:, None]
    return np.where(reaches, points[None, :, 0], -np.inf).max(axis=1)


def surface(runs: Sequence[np.ndarray], share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (levels, accuracies) of a summary surface; NaN where too few runs reach the level."""
    levels = np.unique(np.concatenate([np.asarray(run, dtype=float)[:, 1] for run in runs]))
    accuracies = np.sort(np.array([attained(np.asarray(run, dtype=float), levels) for run in runs]), axis=0)
    place = min(int(share * len(runs)), len(runs) - 1) if share < 1 else len(runs) - 1
    reached = accuracies[place]
    return levels, np.where(np.isfinite(reached), reached, np.nan)
