"""A lower bound of the loss of any grouping, and with it of the achievement value.

If classes of all columns have at least k rows, so do those of any subset of the columns. So the loss of a column is at
least that of its best grouping alone, which dynamic programming finds exactly. Columns are combined where that gives a
better bound: every grouping of the small ones is tried, each with the optimal grouping of the large one. The bounds of
disjoint sets of columns add up.

Where rows may be suppressed, a class that is too small costs its rows in full, as suppressed rows do.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from fairveil.choice.achievement import EPSILON, Aspirations

if TYPE_CHECKING:
    from fairveil.methods.preferences.grouping_space import GroupingSpace


def least_achievement(space: GroupingSpace, wish: Aspirations, effort: int = 1) -> float:
    """Return a lower bound of the achievement value of all groupings that keep the guards; more effort gives a larger
    bound.

    Losses are bounded by `LeastLoss`, every other objective by its ideal value only.
    """
    values = wish.utopian + EPSILON
    for position, name in enumerate(wish.names):
        if name in ("nwp", "loss"):
            shares = {
                column: space.task.schema.loss_weight(column) if name == "nwp" else 1.0 for column in space.domains
            }
            values[position] = max(values[position], LeastLoss(space, shares).bound(effort))
    return float((wish.weights * (values - wish.utopian)).max())


class LeastLoss:
    """The minimum loss of a space's groupings, with columns weighted by `shares`."""

    def __init__(self, space: GroupingSpace, shares: dict[str, float]) -> None:
        total = sum(shares.values())
        self.shares = {name: share / total for name, share in shares.items()}
        self.cells, self.k, self.may_suppress = space.task.cells, space.task.k, bool(space.task.budget)
        self.sizes = {name: domain.size for name, domain in space.domains.items()}
        self.rows = max(int(self.cells.counts.sum()), 1)
        self.min_loss = cache(self._min_loss)

    def bound(self, effort: int) -> float:
        """Return the sum over sets of columns; `effort` is how many groupings of a set's small columns may be tried."""
        beside: dict[str, tuple[str, ...]] = dict.fromkeys(self.sizes, ())
        while True:
            gains = {
                (large, small): self.min_loss(large, (*beside[large], small))
                - self.min_loss(large, beside[large])
                - self.min_loss(small, ())
                for large, small in product(beside, beside)
                if large != small and not beside[small] and self._tries((*beside[large], small)) <= effort
            }
            large, small = max(gains, key=lambda pair: gains[pair], default=("", ""))
            if not large or gains[large, small] <= 1e-12:
                return sum(self.min_loss(name, others) for name, others in beside.items())
            beside[large] = (*beside[large], small)
            del beside[small]

    def _tries(self, names: tuple[str, ...]) -> int:
        return 1 << min(sum(self.sizes[name] - 1 for name in names), 62)

    def _min_loss(self, large: str, small: tuple[str, ...]) -> float:
        """Return the minimum loss of these columns together if nothing else is published."""
        names = (*small, large)
        shape = tuple(self.sizes[name] for name in names)
        keys = np.ravel_multi_index(tuple(self.cells.codes[name] for name in names), shape)
        counts = np.bincount(keys, weights=self.cells.counts, minlength=int(np.prod(shape))).reshape(shape)
        best = np.inf
        for groupings in product(*(_groupings(self.sizes[name]) for name in small)):
            table, loss = counts, 0.0
            for axis, (name, starts) in enumerate(zip(small, groupings, strict=True)):
                widths = np.diff([*starts, self.sizes[name]])
                own = np.add.reduceat(counts.sum(axis=tuple(a for a in range(len(shape)) if a != axis)), starts)
                loss += float(self.shares[name] * (own @ (widths - 1)) / max(self.sizes[name] - 1, 1) / self.rows)
                table = np.add.reduceat(table, starts, axis=axis)
            if loss < best:
                best = min(best, loss + self._line(large, table.reshape(-1, shape[-1])))
        return float(best)

    def _line(self, name: str, table: np.ndarray) -> float:
        """Return the best grouping of one column whose values are the table's columns, by dynamic programming."""
        size = table.shape[1]
        sums = np.concatenate([np.zeros((len(table), 1)), np.cumsum(table, axis=1)], axis=1)
        inside = sums[:, None, :] - sums[:, :, None]  # rows of each class if values i…j-1 are one group
        small = (inside > 0) & (inside < self.k)
        widths = np.arange(size + 1)[None, :] - np.arange(size + 1)[:, None]
        share = (widths - 1) / max(size - 1, 1)
        lost = np.where(small, inside, 0.0).sum(axis=0)
        cost = (inside.sum(axis=0) - lost) * share + lost
        if not self.may_suppress:
            cost[small.any(axis=0)] = np.inf
        min_cost = np.zeros(size + 1)
        for end in range(1, size + 1):
            min_cost[end] = (min_cost[:end] + cost[:end, end]).min()
        return float(self.shares[name] * min_cost[size] / self.rows)


def _groupings(size: int) -> list[np.ndarray]:
    """Return every way to divide this many ordered values, as the first value of each group."""
    return [
        np.flatnonzero(np.concatenate([[True], [(cuts >> position) & 1 for position in range(size - 1)]]))
        for cuts in range(1 << (size - 1))
    ]


def gap_sentence(reached: float, bound: float) -> str:
    """Return a sentence on how far a solution can be from the optimum at most."""
    if reached <= bound + 1e-9:
        return f"no grouping can be below {bound:.6f}: the solution is the optimum"
    return f"no grouping can be below {bound:.6f}: the solution is at most {reached - bound:.6f} above the optimum"
