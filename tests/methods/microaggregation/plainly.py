"""MDAV, MakeFairlets and CorrectFairness written out plainly, on the one-hot matrix, with exact integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil.recipes.record_space import Points

Matrix = np.ndarray  # of Python integers, so that nothing overflows and nothing is rounded


def one_hot(points: Points) -> Matrix:
    """Coordinates with one dummy per category; a dummy is the root of half the cost, which weights of 1 make whole."""
    parts = [points.rows[:, : points.numeric]]
    for a, cost in enumerate(points.costs):
        size = int(points.offsets[a + 1] - points.offsets[a])
        root = round((cost / 2) ** 0.5)
        assert 2 * root * root == cost
        parts.append(np.eye(size, dtype=np.int64)[points.rows[:, points.numeric + a]] * root)
    return np.column_stack(parts).astype(object)


def farthest_from_mean(rows: Matrix) -> int:
    """N²·d² to the mean, in integers; the first of several."""
    return int(np.argmax(((len(rows) * rows - rows.sum(axis=0)) ** 2).sum(axis=1)))


def squared(rows: Matrix, record: Matrix) -> np.ndarray:
    return ((rows - record) ** 2).sum(axis=1)


def make_fairlets(points: Points, groups: np.ndarray, seats: Sequence[int]) -> list[list[int]]:
    rows, left, found = one_hot(points), np.arange(len(points)), []
    while all((groups[left] == g).sum() >= m for g, m in enumerate(seats)):
        record = rows[left][farthest_from_mean(rows[left])]
        fairlet: list[int] = []
        for g, m in enumerate(seats):
            of_group = left[groups[left] == g]
            fairlet += of_group[np.argsort(squared(rows[of_group], record), kind="stable")[:m]].tolist()
        found.append(fairlet)
        left = np.setdiff1d(left, fairlet)
    return found


def mdav(points: Points, k: int) -> list[list[int]]:
    rows, left, found = one_hot(points), np.arange(len(points)), []

    def gather(record: Matrix) -> None:
        nonlocal left
        chosen = left[np.argsort(squared(rows[left], record), kind="stable")[:k]]
        found.append(chosen.tolist())
        left = np.setdiff1d(left, chosen)

    while len(left) >= 3 * k:
        first = rows[left][farthest_from_mean(rows[left])]
        second = rows[left][int(np.argmax(squared(rows[left], first)))]
        gather(first)
        gather(second)
    if len(left) >= 2 * k:
        gather(rows[left][farthest_from_mean(rows[left])])
    if len(left):
        found.append(left.tolist())
    return found


def correct(
    favourable: Sequence[bool], groups: Sequence[int], favoured: int, fairlet: Sequence[int], tau: float, negative: bool
) -> list[bool]:
    """Algorithm 4's loop for one fairlet of two groups, its records in the order in which they were gathered."""
    labels = list(favourable)
    f = [i for i in fairlet if groups[i] == favoured]
    u = [i for i in fairlet if groups[i] != favoured]

    def ratio(some: list[int]) -> float:
        return sum(labels[i] for i in some) / len(some)

    while ratio(u) < tau * ratio(f) - 1e-12:
        if negative:
            labels[next(i for i in f if labels[i])] = False
        else:
            labels[next(i for i in u if not labels[i])] = True
    return labels
