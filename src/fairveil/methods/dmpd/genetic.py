"""The genetic searches: for the most accurate valid partitioning, or for accuracy against anonymity.

The first is the paper's Algorithm 1. The multi-objective form (section 4.4) keeps an archive as in SPEA2: the points
that no other dominates, without duplicates, and if there are too many, those farthest from each other. The fitness of a
point is the strength of all points that dominate it (raw fitness) plus a density below 1; lower is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from fairveil.choice.pareto import pareto
from fairveil.methods.dmpd.dmpd import DMPD
from fairveil.methods.dmpd.partitioning import Partitioning, mate, mutate, random_partitioning
from fairveil.methods.dmpd.wrapper import Wrapper

Report = Callable[[float, str], object]


@dataclass
class PartitioningSearch:
    """Every partitioning evaluated so far, with its fitness: 0 if it is not valid, otherwise accuracy plus `reward`."""

    wrapper: Wrapper
    settings: DMPD
    valid: Callable[[Partitioning], bool]
    rng: np.random.Generator
    reward: Callable[[Partitioning], float] = lambda z: 0.0
    fitness: dict[Partitioning, float] = field(default_factory=dict)

    def run(self, report: Report, after_generation: Callable[[], object] = bool) -> None:
        population = self.evaluate(start(self.wrapper, self.settings, self.rng))
        best, since = 0.0, 0
        for generation in range(self.settings.generations):
            top = self.fitness[population[0]] if population else 0.0
            since = 0 if top > best else since + 1
            best = max(best, top)
            report(generation / self.settings.generations, f"generation {generation}: accuracy {best:.4f}")
            if self.settings.patience is not None and since > self.settings.patience:
                break
            after_generation()
            parents = population[: max(self.settings.population // 2, 2)]
            population = self.evaluate([*population, *breed(parents, self.settings, self.rng)])

    def evaluate(self, partitionings: Sequence[Partitioning]) -> list[Partitioning]:
        """Return the best distinct partitionings, best first; new ones are trained together."""
        distinct = dict.fromkeys(partitionings)
        fresh = [z for z in distinct if z not in self.fitness]
        passed = [z for z in fresh if z.subsets and self.valid(z)]
        fit = {z: accuracy + self.reward(z) for z, accuracy in self.wrapper.accuracies(passed).items()}
        self.fitness |= {**dict.fromkeys(fresh, 0.0), **fit}
        return self.ranked(distinct)[: self.settings.population]

    def ranked(self, partitionings: Iterable[Partitioning]) -> list[Partitioning]:
        return sorted(partitionings, key=lambda z: (-self.fitness[z], len(z.subsets), z.subsets))


@dataclass
class ParetoSearch:
    """`points` has (accuracy, privacy) of everything evaluated; partitionings below `min_level` are not pursued."""

    wrapper: Wrapper
    settings: DMPD
    level: Callable[[Partitioning], int]
    privacy: Callable[[Partitioning], float]
    min_level: int
    rng: np.random.Generator
    points: dict[Partitioning, tuple[float, float]] = field(default_factory=dict)

    def run(
        self, report: Report, interim: Callable[[Callable[[], list[Partitioning]]], object] = bool
    ) -> list[Partitioning]:
        """Return the final archive, most accurate first. `interim` is called after each generation with a function that
        returns the archive of then."""
        archive = self.update([], start(self.wrapper, self.settings, self.rng))
        for generation in range(self.settings.generations):
            report(generation / self.settings.generations, f"generation {generation}: {len(archive)} on the frontier")
            if not archive:
                break
            interim(partial(self.by_accuracy, archive))
            order = np.argsort(spea2_fitness(self.values(archive)), kind="stable")
            archive = self.update(archive, breed([archive[i] for i in order], self.settings, self.rng))
        return self.by_accuracy(archive)

    def by_accuracy(self, archive: Sequence[Partitioning]) -> list[Partitioning]:
        """Return the partitionings, most accurate first."""
        return sorted(archive, key=lambda z: (-self.points[z][0], -self.points[z][1], z.subsets))

    def values(self, partitionings: Sequence[Partitioning]) -> np.ndarray:
        return np.array([self.points[z] for z in partitionings], dtype=float).reshape(-1, 2)

    def update(self, archive: Sequence[Partitioning], children: Sequence[Partitioning]) -> list[Partitioning]:
        levels = {z: self.level(z) for z in dict.fromkeys(children) if z not in self.points and z.subsets}
        accuracies = self.wrapper.accuracies([z for z, level in levels.items() if level >= self.min_level])
        self.points |= {z: (accuracies[z], self.privacy(z)) if z in accuracies else (0.0, 0.0) for z in levels}
        candidates = list(dict.fromkeys([*archive, *accuracies]))
        if not candidates:
            return []
        values = self.values(candidates)
        distinct = np.sort(np.unique(values, axis=0, return_index=True)[1])  # of equal points the first
        best = distinct[pareto(-values[distinct])]
        return [candidates[i] for i in best[spread_out(values[best], self.settings.population)]]


def start(wrapper: Wrapper, settings: DMPD, rng: np.random.Generator) -> list[Partitioning]:
    """Return the first population: nothing, everything, each column by itself, alone or together, and random ones."""
    n = len(wrapper.features)
    columns = range(n)
    alone: list[Sequence[int]] = [[i] for i in columns]
    firsts: list[list[Sequence[int]]] = [[], alone, [columns], *([subset] for subset in alone)]
    simple = [Partitioning.of(subsets, n) for subsets in firsts]
    number = max(settings.population - len(simple), settings.population // 2)
    return simple + [random_partitioning(n, rng, columns) for _ in range(number)]


def breed(ranked: Sequence[Partitioning], settings: DMPD, rng: np.random.Generator) -> list[Partitioning]:
    """Return a generation of children; parents are drawn by rank, the best most often (Haupt and Haupt 2004)."""
    weights = np.arange(len(ranked), 0, -1, dtype=float)
    edges = np.cumsum(weights / weights.sum())
    edges /= edges[-1]
    children: list[Partitioning] = []
    while len(children) < settings.population:
        # rng.choice(…, p=weights) without its check of the weights
        mother, father = (ranked[i] for i in edges.searchsorted(rng.random(2), side="right"))
        pair = mate(mother, father, rng) if rng.random() < settings.crossover else (mother, father)
        children += [mutate(child, settings.mutation, rng, overlap=settings.overlap) for child in pair]
    return children


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
