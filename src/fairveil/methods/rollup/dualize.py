"""From the patterns that a rule must distinguish to the most general rules that do.

>>> most_general(np.array([[2, 1], [1, 2]]), np.array([2, 2])).tolist()
[[0, 2], [1, 1], [2, 0]]
"""

from __future__ import annotations

import numpy as np

from fairveil.errors import Infeasible

MAX_RULES = 200_000


def most_general(patterns: np.ndarray, tops: np.ndarray) -> np.ndarray:
    """Return the maximal nodes v ≤ tops such that no pattern is ≤ v in every attribute, sorted."""
    m = len(tops)
    rules = np.array([tops], dtype=np.int64)
    for pattern in minimal_rows(np.asarray(patterns, dtype=np.int64).reshape(-1, m)):
        hit = (rules >= pattern).all(axis=1)
        if not hit.any():
            continue
        untouched, broken = rules[~hit], rules[hit]
        fresh = []
        for a in np.flatnonzero(pattern > 0):
            lower = broken.copy()
            lower[:, a] = pattern[a] - 1
            fresh.append(lower)
        if not fresh:
            return np.empty(
                (0, m), dtype=np.int64
            )  # two equal records with different decisions: nothing distinguishes them
        candidates = np.unique(np.concatenate(fresh), axis=0)
        rules = np.concatenate([untouched, _maximal(candidates, untouched)])
        if len(rules) > MAX_RULES:
            raise Infeasible(f"more than {MAX_RULES:,} rules hold on these patterns: keep fewer (a smaller share)")
    return rules[np.lexsort(rules.T[::-1])]


def minimal_rows(rows: np.ndarray) -> np.ndarray:
    """Return the distinct rows with no other row below them, lowest sums first."""
    distinct = np.unique(rows, axis=0)
    distinct = distinct[np.argsort(distinct.sum(axis=1), kind="stable")]
    is_minimal = np.zeros(len(distinct), dtype=bool)
    for i, row in enumerate(distinct):
        is_minimal[i] = not (distinct[:i][is_minimal[:i]] <= row).all(axis=1).any()
    return distinct[is_minimal]


def _maximal(candidates: np.ndarray, untouched: np.ndarray) -> np.ndarray:
    """Return the candidates below none of `untouched` and no other candidate."""
    candidates = candidates[np.argsort(-candidates.sum(axis=1), kind="stable")]
    best = np.zeros(len(candidates), dtype=bool)
    for i, row in enumerate(candidates):
        if (untouched >= row).all(axis=1).any():
            continue
        best[i] = not (candidates[:i][best[:i]] >= row).all(axis=1).any()
    return candidates[best]
