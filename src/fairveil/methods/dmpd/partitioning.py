"""Feature set partitionings: subsets of columns that share none, and how they mate and mutate (Rokach 2008).

>>> a = Partitioning.of([[0], [1]], 4)
>>> b = Partitioning.of([[2, 3]], 4)
>>> crossover(a, b, (0,)).subsets, crossover(b, a, (2, 3)).subsets
(((0,), (2, 3)), ((0,), (1,), (2, 3)))

Columns in no subset are filtered out: they are not published.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Subset = tuple[int, ...]


@dataclass(frozen=True)
class Partitioning:
    """Subsets in one agreed order, so that equal partitionings are equal; `features` counts all columns."""

    subsets: tuple[Subset, ...]
    features: int

    @classmethod
    def of(cls, subsets: Iterable[Iterable[int]], features: int) -> Partitioning:
        distinct = {tuple(sorted(set(subset))) for subset in subsets}
        return cls(tuple(sorted(subset for subset in distinct if subset)), features)

    @property
    def filtered(self) -> Subset:
        """The columns in no subset."""
        used = {feature for subset in self.subsets for feature in subset}
        return tuple(feature for feature in range(self.features) if feature not in used)

    def matrix(self) -> np.ndarray:
        """The paper's encoding (section 4.1.1): 1 where two columns share a subset, -1 where both are filtered out."""
        matrix = np.zeros((self.features, self.features), dtype=np.int8)
        for subset in self.subsets:
            matrix[np.ix_(subset, subset)] = 1
        matrix[np.ix_(self.filtered, self.filtered)] = -1
        return matrix

    @classmethod
    def from_matrix(cls, matrix: np.ndarray) -> Partitioning:
        together = [np.flatnonzero(row == 1).tolist() for row in matrix]
        return cls.of(together, len(matrix))


def crossover(keeper: Partitioning, other: Partitioning, inherited: Sequence[int]) -> Partitioning:
    """Return one child of a group-wise crossover: the `inherited` subset of the first parent, everything else as in the
    second.

    `inherited` may be the columns that the first parent filters out; the child then filters them out.
    """
    taken = set(inherited)
    others = [[feature for feature in subset if feature not in taken] for subset in other.subsets]
    first = [inherited] if tuple(inherited) in keeper.subsets else []
    return Partitioning.of([*first, *others], keeper.features)


def mate(mother: Partitioning, father: Partitioning, rng: np.random.Generator) -> tuple[Partitioning, Partitioning]:
    """Return two children, each with a random subset (or the filtered-out columns) of one parent."""
    daughter = crossover(mother, father, _random_subset(mother, rng))
    return daughter, crossover(father, mother, _random_subset(father, rng))


def _random_subset(parent: Partitioning, rng: np.random.Generator) -> Subset:
    filtered = parent.filtered
    sets = (*parent.subsets, filtered) if filtered else parent.subsets
    return sets[rng.integers(len(sets))]


def mutate(
    parent: Partitioning, probability: float, rng: np.random.Generator, *, overlap: bool = False
) -> Partitioning:
    """Move each column, with this probability, to another subset, out of all subsets, or into a subset of its own.

    With `overlap`, half of the moves copy the column instead.
    """
    subsets = [set(subset) for subset in parent.subsets]
    for feature in map(int, np.flatnonzero(rng.random(parent.features) < probability)):
        source = [subset for subset in subsets if feature in subset]
        targets = [subset for subset in subsets if feature not in subset]
        choice = int(rng.integers(len(targets) + 2))
        stays = overlap and bool(rng.integers(2))
        if not stays:
            for subset in source:
                subset.discard(feature)
        if choice < len(targets):
            targets[choice].add(feature)
        elif choice == len(targets) or not source:
            subsets.append({feature})
    return Partitioning.of(subsets, parent.features)


def random_partitioning(features: int, rng: np.random.Generator, allowed: Sequence[int]) -> Partitioning:
    """Return a partitioning of the `allowed` columns into random subsets, with some of them filtered out."""
    columns = np.array(allowed, dtype=np.int64)
    count = int(rng.integers(1, max(len(columns), 1) + 1))
    positions = rng.integers(0, count, len(columns))
    published = rng.random(len(columns)) < rng.uniform(0.3, 1.0)
    return Partitioning.of(
        [columns[(positions == position) & published].tolist() for position in range(count)], features
    )
