"""The distributions of a sensitive column that joins of projections show, computed without joining anything.

Projections that share nothing but the class are joined on it, and the counts of the sides multiply. So an attacker who
finds a person's group in each of them sees, in the group that has the sensitive column, its rows of each class weighted
by the product of the rows that the other groups have of that class: a mixture of the distributions per class.

A distance to one distribution is convex, so it is largest where the weights are extreme. For two classes these are the
joins with the minimum and the maximum ratio of the two; for more, all distinct weights are checked.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairveil.counting.cells import group_of
from fairveil.errors import BadInput
from fairveil.guards.projections import Projections

Distance = Callable[[np.ndarray], np.ndarray]
"""The distances of distributions, one per row, from that of the whole table."""
MOST_WEIGHTS = 100_000
MOST_NUMBERS = 1 << 22
"""Numbers in memory at a time."""
TOO_MANY = "the projections can be joined in too many ways to look at every distribution: publish fewer of them"


def overall(parts: Projections, name: str) -> np.ndarray:
    """The distribution of a column over the whole release."""
    column = next(table for table in parts.tables if name in table).column(name)
    return np.bincount(column.codes, minlength=len(column.values)) / max(len(column.codes), 1)


def farthest(parts: Projections, name: str, distance: Distance) -> float:
    """The maximum distance of any group of equal quasi values, in a projection with this column or in any join with it;
    0 where no row is published."""
    if parts.shared:
        raise BadInput("t-closeness is defined for projections that share nothing but the decision, and these do")
    counts = [_per_class(parts, p) for p in range(len(parts))]
    worst = 0.0
    for p, table in enumerate(parts.tables):
        if name in table and table.rows:
            weights = _weights([counts[other] for other in range(len(parts)) if other != p], parts.classes[1])
            worst = max(worst, _farthest(parts, p, name, weights, distance))
    return worst


def _groups(parts: Projections, p: int, but: str | None = None) -> tuple[np.ndarray, int]:
    """The group of each row of a projection: equal values in the quasi columns that attackers know."""
    known = [column for column in parts.quasi_of(p) if column not in (but, parts.decision)]
    return group_of([parts.codes_of(p, column) for column in known], parts.tables[p].rows)


def _per_class(parts: Projections, p: int) -> np.ndarray:
    """The distinct rows per class of the groups of a projection."""
    groups, total = _groups(parts, p)
    codes, size = parts.classes
    counts = np.bincount(groups * size + codes[p], minlength=total * size).reshape(total, size)
    return np.unique(counts, axis=0)


def _weights(others: list[np.ndarray], classes: int) -> np.ndarray:
    """The weights of the classes in every join with none, some or all of the others, without duplicates."""
    weights = np.full((1, classes), 1 / classes)
    for counts in others:
        joined = (weights[:, None, :] * counts[None, :, :]).reshape(-1, classes)
        joined = joined[joined.sum(axis=1) > 0]
        weights = np.concatenate([weights, joined / joined.sum(axis=1, keepdims=True)])
        if classes == 2:
            weights = weights[[weights[:, 0].argmin(), weights[:, 0].argmax()]]
        else:
            weights = weights[np.unique(np.round(weights, 12), axis=0, return_index=True)[1]]
        if len(weights) > MOST_WEIGHTS:
            raise BadInput(TOO_MANY)
    return weights


def _farthest(parts: Projections, p: int, name: str, weights: np.ndarray, distance: Distance) -> float:
    """The maximum distance in one projection, with the weights that others may give to its classes."""
    groups, total = _groups(parts, p, but=name)
    codes, classes = parts.classes
    column = parts.tables[p].column(name)
    size = len(column.values)
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(total + 1))
    step = max(MOST_NUMBERS // (classes * size), 1)
    worst = 0.0
    for start in range(0, total, step):
        some = order[ends[start] : ends[min(start + step, total)]]
        inside = min(step, total - start)
        place = ((groups[some] - start) * classes + codes[p][some]) * size + column.codes[some]
        counts = np.bincount(place, minlength=inside * classes * size).reshape(inside, classes, size)
        for weight in weights:
            mixed = np.einsum("gcs,c->gs", counts, weight)
            rows = mixed.sum(axis=1)
            if (rows > 0).any():  # elsewhere the join is empty
                worst = max(worst, float(distance(mixed[rows > 0] / rows[rows > 0, None]).max()))
    return worst
