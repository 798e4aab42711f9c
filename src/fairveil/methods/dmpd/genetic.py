"""The paper's genetic search (Algorithm 1): for the most accurate valid partitioning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairveil.methods.dmpd.partitioning import Partitioning, mate, mutate, random_partitioning
from fairveil.methods.dmpd.wrapper import Wrapper

Report = Callable[[float, str], object]


@dataclass(frozen=True)
class GeneticSettings:
    """Of the genetic search; `patience` generations without improvement end it early."""

    generations: int = 100
    population: int = 50
    crossover: float = 0.8
    mutation: float = 0.05
    overlap: bool = False
    patience: int | None = None


@dataclass
class PartitioningSearch:
    """Every partitioning evaluated so far, with its fitness: 0 if it is not valid."""

    wrapper: Wrapper
    settings: GeneticSettings
    valid: Callable[[Partitioning], bool]
    rng: np.random.Generator
    fitness: dict[Partitioning, float] = field(default_factory=dict)

    def run(self, report: Report) -> None:
        population = self.evaluate(start(self.wrapper, self.settings, self.rng))
        best, since = 0.0, 0
        for generation in range(self.settings.generations):
            top = self.fitness[population[0]] if population else 0.0
            since = 0 if top > best else since + 1
            best = max(best, top)
            report(generation / self.settings.generations, f"generation {generation}: accuracy {best:.4f}")
            if self.settings.patience is not None and since > self.settings.patience:
                break
            parents = population[: max(self.settings.population // 2, 2)]
            children = breed(parents, self.settings, self.rng)
            population = self.evaluate([*population, *children])

    def evaluate(self, partitionings: Sequence[Partitioning]) -> list[Partitioning]:
        """Return the best distinct partitionings, best first; new ones are trained together."""
        fresh = [z for z in dict.fromkeys(partitionings) if z not in self.fitness]
        passed = [z for z in fresh if z.subsets and self.valid(z)]
        self.wrapper.learn([subset for z in passed for subset in z.subsets])
        self.fitness |= dict.fromkeys(fresh, 0.0)
        for z in passed:
            self.fitness[z] = self.wrapper.accuracy(z)
        self.wrapper.forget()
        distinct = dict.fromkeys(partitionings)
        ranked = sorted(distinct, key=lambda z: (-self.fitness[z], len(z.subsets), z.subsets))
        return ranked[: self.settings.population]


def start(wrapper: Wrapper, settings: GeneticSettings, rng: np.random.Generator) -> list[Partitioning]:
    """Return the first population: nothing, everything, each column by itself, alone or together, and random ones."""
    n = len(wrapper.features)
    columns = range(n)
    simple = [
        Partitioning.of([], n),
        Partitioning.of([[i] for i in columns], n),
        Partitioning.of([columns], n),
        *(Partitioning.of([[i]], n) for i in columns),
    ]
    number = max(settings.population - len(simple), settings.population // 2)
    return simple + [random_partitioning(n, rng, columns) for _ in range(number)]


def breed(ranked: Sequence[Partitioning], settings: GeneticSettings, rng: np.random.Generator) -> list[Partitioning]:
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
