"""The multi-objective form (section 4.4): accuracy against anonymity level, with an archive as in SPEA2.

The fitness of a point is the strength of all points that dominate it (raw fitness) plus a density below 1; lower is
better. The archive keeps the points that no other dominates, without duplicates; if there are too many, those farthest
from each other. Parents are drawn by rank from the archive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairveil.choice.pareto import pareto
from fairveil.methods.dmpd.genetic import GeneticSettings, Report, breed, start
from fairveil.methods.dmpd.partitioning import Partitioning
from fairveil.methods.dmpd.wrapper import Wrapper


@dataclass
class ParetoSearch:
    """`points` has (accuracy, level) of everything evaluated; partitionings below `min_level` are not pursued."""

    wrapper: Wrapper
    settings: GeneticSettings
    level: Callable[[Partitioning], int]
    min_level: int
    rng: np.random.Generator
    points: dict[Partitioning, tuple[float, int]] = field(default_factory=dict)

    def run(self, report: Report) -> list[Partitioning]:
        """Return the final archive, most accurate first."""
        archive = self.update([], start(self.wrapper, self.settings, self.rng))
        for generation in range(self.settings.generations):
            stage = f"generation {generation}: {len(archive)} on the frontier"
            report(generation / self.settings.generations, stage)
            if not archive:
                break
            values = self.values(archive)
            order = np.lexsort((np.arange(len(archive)), spea2_fitness(values)))
            parents = [archive[i] for i in order]
            archive = self.update(archive, breed(parents, self.settings, self.rng))
        return sorted(archive, key=lambda z: (-self.points[z][0], -self.points[z][1], z.subsets))

    def values(self, partitionings: Sequence[Partitioning]) -> np.ndarray:
        return np.array([self.points[z] for z in partitionings], dtype=float).reshape(-1, 2)

    def update(self, archive: Sequence[Partitioning], children: Sequence[Partitioning]) -> list[Partitioning]:
        fresh = [z for z in dict.fromkeys(children) if z not in self.points and z.subsets]
        levels = {z: self.level(z) for z in fresh}
        passed = [z for z in fresh if levels[z] >= self.min_level]
        self.wrapper.learn([subset for z in passed for subset in z.subsets])
        for z in fresh:
            self.points[z] = (self.wrapper.accuracy(z) if z in set(passed) else 0.0, levels[z])
        self.wrapper.forget()
        candidates = list(dict.fromkeys([*archive, *passed]))
        if not candidates:
            return []
        values = self.values(candidates)
        _, distinct = np.unique(values, axis=0, return_index=True)  # of equal points the first
        distinct = np.sort(distinct)
        best = distinct[pareto(-values[distinct])]
        return [candidates[i] for i in best[spread_out(values[best], self.settings.population)]]


def spea2_fitness(values: np.ndarray) -> np.ndarray:
    """Return raw fitness plus density (Zitzler, Laumanns and Thiele 2001), for values where higher is better."""
    better = (values[:, None] >= values[None]).all(axis=2) & (values[:, None] > values[None]).any(axis=2)
    strength = better.sum(axis=1)
    raw = (better * strength[:, None]).sum(axis=0)
    distance = np.sort(distances(values), axis=1)
    neighbour = min(int(np.sqrt(len(values))), len(values) - 1)
    return np.asarray(raw + 1.0 / (distance[:, neighbour] + 2.0))


def distances(values: np.ndarray) -> np.ndarray:
    """Return the distances between all points, each objective scaled to its range."""
    span = np.ptp(values, axis=0)
    scaled = values / np.where(span > 0, span, 1.0)
    return np.asarray(np.sqrt(((scaled[:, None] - scaled[None]) ** 2).sum(axis=2)))


def spread_out(values: np.ndarray, max_points: int) -> np.ndarray:
    """Return at most `max_points` indices: the point closest to its neighbours is removed repeatedly (SPEA2)."""
    remaining = list(range(len(values)))
    while len(remaining) > max_points:
        sorted_distances = np.sort(distances(values[remaining]), axis=1)
        remaining.pop(int(np.lexsort(sorted_distances.T[::-1])[0]))
    return np.array(remaining, dtype=np.int64)
