"""Clusters by k-means, and how far two clusterings agree.

The algorithm and its random numbers are those of scikit-learn's `KMeans` (k-means++ with a few candidates for each
centre, Lloyd's steps); it is here because loading scikit-learn takes longer than that. Clusters differ only where a row
is equally near to two centres, as rows of categories often are at the first step: here the first centre gets it, there
rounding decides, because the mean is subtracted first. Rows are codes (`CodedRows`): a column of thousands of
categories takes no longer than one of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.learning.encoding import Categories, OneHot, Scaled

if TYPE_CHECKING:
    from fairveil.data.table import Table

MAX_STEPS, TOLERANCE = 300, 1e-4


@dataclass(frozen=True)
class CodedRows:
    """Rows of a `OneHot` encoding: `numbers` (row, column), and per column of categories the `places` of each row's
    category among the `width` categories of all columns; the place after the last is no category."""

    numbers: np.ndarray
    places: Sequence[np.ndarray]
    width: int

    @classmethod
    def of(cls, table: Table, names: Sequence[str]) -> CodedRows:
        """The rows of these columns, encoded as `OneHot` does."""
        numbers, places, start = [np.zeros((table.rows, 0))], [], 0
        columns = OneHot.of(table, names).columns
        width = sum(learnt.width for _, learnt in columns if isinstance(learnt, Categories))
        for name, learnt in columns:
            column = table.column(name)
            if isinstance(learnt, Scaled):
                numbers.append(learnt.matrix(column))
            elif isinstance(learnt, Categories):
                index = np.array(learnt.indices(column), dtype=np.int64)
                places.append(np.where(index < 0, width, start + index)[column.codes])
                start += learnt.width
        return cls(np.hstack(numbers), places, width)

    def __len__(self) -> int:
        return len(self.numbers)

    def rows(self, chosen: np.ndarray) -> np.ndarray:
        """These rows as vectors."""
        dense = np.zeros((len(chosen), self.width + 1))
        for place in self.places:
            dense[np.arange(len(chosen)), place[chosen]] = 1.0
        return np.hstack([self.numbers[chosen], dense[:, : self.width]])

    def products(self, centres: np.ndarray) -> np.ndarray:
        """The scalar product of each row with each centre."""
        columns = self.numbers.shape[1]
        products: np.ndarray = self.numbers @ centres[:, :columns].T
        of_category = np.vstack([centres[:, columns:].T, np.zeros(len(centres))])
        for place in self.places:
            products += of_category[place]
        return products

    def sums(self, labels: np.ndarray, count: int) -> np.ndarray:
        """The sum of the rows of each cluster."""
        numbers = np.stack([self.numbers[labels == cluster].sum(axis=0) for cluster in range(count)])
        tally = np.zeros(count * (self.width + 1))
        for place in self.places:
            tally += np.bincount(labels * (self.width + 1) + place, minlength=len(tally))
        return np.hstack([numbers, tally.reshape(count, -1)[:, : self.width]])

    @property
    def squares(self) -> np.ndarray:
        """The squared length of each row."""
        length: np.ndarray = np.einsum("ij,ij->i", self.numbers, self.numbers)
        return length + sum((place < self.width).astype(float) for place in self.places)

    @property
    def variance(self) -> float:
        """The mean of the variances of all columns of the vectors."""
        shares = self.sums(np.zeros(len(self), dtype=np.int64), 1)[0, self.numbers.shape[1] :] / len(self)
        return float(np.concatenate([self.numbers.var(axis=0), shares * (1 - shares)]).mean())

    def distinct(self, enough: int) -> bool:
        """Whether there are as many different rows; the first ones nearly always are."""
        codes = np.column_stack([self.numbers, *self.places])
        return any(len(np.unique(some, axis=0)) >= enough for some in (codes[: 20 * enough], codes))


def k_means(points: CodedRows, count: int, *, runs: int, seed: int) -> np.ndarray:
    """Return the cluster (0, 1, …) of each row, of the best of several runs; at least `count` rows are different."""
    squares, tolerance = points.squares, points.variance * TOLERANCE
    random = np.random.RandomState(seed)
    best: tuple[float, np.ndarray] | None = None
    for _ in range(runs):
        labels, inertia = _run(points, squares, _first_centres(points, squares, count, random), tolerance)
        if best is None or (inertia < best[0] and not _same(labels, best[1])):
            best = inertia, labels
    assert best is not None, "there is at least one run"
    return best[1]


def _first_centres(points: CodedRows, squares: np.ndarray, count: int, random: np.random.RandomState) -> np.ndarray:
    """k-means++: of a few candidates, drawn by their squared distance, the one that leaves the least is a centre."""
    rows, candidates = len(points), 2 + int(np.log(count))
    chosen = [int(random.choice(rows, p=np.full(rows, 1.0) / rows))]
    nearest = _distances(points, squares, points.rows(np.array(chosen)))[:, 0]
    left = nearest.sum()
    for _ in range(1, count):
        drawn = np.searchsorted(np.cumsum(nearest), random.uniform(size=candidates) * left)
        drawn = np.minimum(drawn, rows - 1)
        distances = np.minimum(nearest[:, None], _distances(points, squares, points.rows(drawn)))
        leaving = distances.sum(axis=0)
        best = int(leaving.argmin())
        left, nearest = leaving[best], distances[:, best]
        chosen.append(int(drawn[best]))
    return points.rows(np.array(chosen))


def _distances(points: CodedRows, squares: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the squared distance of each row to each centre."""
    own = np.einsum("ij,ij->i", centres, centres)
    return np.asarray(np.maximum(own - 2 * points.products(centres) + squares[:, None], 0))


def _run(points: CodedRows, squares: np.ndarray, centres: np.ndarray, tolerance: float) -> tuple[np.ndarray, float]:
    """Return the clusters that Lloyd's steps reach, and the sum of squared distances to their centres."""
    labels = np.full(len(points), -1)
    for _ in range(MAX_STEPS):
        before, labels = labels, _nearest(points, centres)
        moved = _means(points, squares, labels, centres)
        shift, centres = float(((moved - centres) ** 2).sum()), moved
        if np.array_equal(labels, before):
            break
        if shift <= tolerance:
            labels = _nearest(points, centres)
            break
    else:
        labels = _nearest(points, centres)
    return labels, float(_distances(points, squares, centres)[np.arange(len(points)), labels].sum())


def _nearest(points: CodedRows, centres: np.ndarray) -> np.ndarray:
    nearest: np.ndarray = (np.einsum("ij,ij->i", centres, centres) - 2 * points.products(centres)).argmin(axis=1)
    return nearest


def _means(points: CodedRows, squares: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the means of the clusters; an empty one gets the row that is farthest from its centre."""
    sums, sizes = points.sums(labels, len(centres)), np.bincount(labels, minlength=len(centres))
    empty = np.flatnonzero(sizes == 0)
    if len(empty):
        far = _distances(points, squares, centres)[np.arange(len(points)), labels]
        farthest = np.argpartition(far, -len(empty))[: -len(empty) - 1 : -1]
        for cluster, row, vector in zip(empty.tolist(), farthest.tolist(), points.rows(farthest), strict=True):
            sums[labels[row]] -= vector
            sizes[labels[row]] -= 1
            sums[cluster], sizes[cluster] = vector, 1
    means: np.ndarray = sums * (1 / np.maximum(sizes, 1))[:, None]
    means[sizes == 0] = means[int(sizes.argmax())]
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
