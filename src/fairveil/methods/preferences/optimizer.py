"""The descent that follows NSGA-II: from the best solution to better and better neighbours.

It tries every single cut and join of two groups, every cut moved by one, and every pair of changes in which one joins
and one cuts; then it descends from other solutions that are nearly as good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fairveil.choice.achievement import Aspirations
    from fairveil.methods.preferences.evaluator import Evaluator
    from fairveil.methods.preferences.grouping_space import GroupingSpace
    from fairveil.methods.preferences.nsga2 import Repair, Report


def polish(
    evaluator: Evaluator, wish: Aspirations, start: int, budget: int, repair: Repair | None, seed: int, report: Report
) -> None:
    """Descend from one solution, then from others that are nearly as good, at random, while there is budget.

    If a descent has started there before, it starts instead from the best solution with a few bits flipped (a kick).

    Pairs of changes, which are many, are tried from the first solution, and after a descent led to a better one.
    """
    rng = np.random.default_rng([seed, 1])
    descent = _Descent(evaluator, wish, repair, budget)
    best = descent.run(evaluator.genomes[start], thorough=True)
    started: set[int] = set()
    while descent.budget > 0:
        reached = wish.achievement(evaluator.points[[best]])[0]
        report(1.0 - descent.budget / budget, f"ach {reached:.4f}")
        evaluated = evaluator.trail
        near = wish.achievement(evaluator.points[evaluated]) <= reached * ELITE
        elite = evaluated[near & (evaluator.shortfall[evaluated] <= 0)]
        pick = int(rng.choice(elite))
        genome = evaluator.genomes[pick]
        if pick in started:
            genome = evaluator.genomes[best].copy()
            genome[rng.choice(len(genome), min(int(rng.integers(*KICK)), len(genome)), replace=False)] ^= True
        started.add(pick)
        index = descent.run(genome, thorough=False)
        if best_index(evaluator, wish, np.array([index, best])) != best:
            best = descent.run(evaluator.genomes[index], thorough=True)


ROOM = 1 << 26
"""Bits of a neighbourhood that are held at a time."""
KICK = (2, 9)
"""A kick flips at least the first and fewer than the second number of bits."""
ELITE = 1.3
"""Feasible solutions are worth a descent up to this multiple of the best achievement value."""


class _Descent:
    """Moves to better and better neighbours, within a budget of evaluations."""

    def __init__(self, evaluator: Evaluator, wish: Aspirations, repair: Repair | None, budget: int) -> None:
        self.evaluator, self.wish, self.repair, self.budget = evaluator, wish, repair, budget

    def run(self, genome: np.ndarray, thorough: bool) -> int:
        """Return the index of a genome that has no better neighbour; `thorough` also tries pairs of changes."""
        genome = genome if self.repair is None else self.repair(genome[None])[0]
        index = int(self.evaluator.look(genome[None])[0])
        while self.budget > 0:
            for neighbours in (_single, _pairs)[: 1 + thorough]:
                around = neighbours(genome, min(self.budget, ROOM // len(genome)))
                better, genome = self._best(around, index, genome)
                if better != index:
                    index = better
                    break
            else:
                break
        return index

    def _best(self, genomes: np.ndarray, index: int, genome: np.ndarray) -> tuple[int, np.ndarray]:
        """Return the best of a neighbourhood and the genome that it belongs to, whose index is given."""
        around = genomes if self.repair is None else self.repair(genomes)
        self.budget -= max(len(around), 1)
        indices = self.evaluator.look(around)
        better = best_index(self.evaluator, self.wish, np.append(indices, index))
        return (index, genome) if better == index else (better, around[int(np.argmax(indices == better))])


def best_index(evaluator: Evaluator, wish: Aspirations, indices: np.ndarray) -> int:
    """Return the best of these: least shortfall if none is feasible, least ach, largest k, least preference deviation.

    The last of equal ones.
    """
    short = np.maximum(evaluator.shortfall[indices], 0.0)
    best = indices[short == short.min()][::-1]
    return int(best[wish.choose(evaluator.points[best], evaluator.k[best])])


def _single(genome: np.ndarray, max_changes: int) -> np.ndarray:
    """Return every bit flipped, and every cut moved by one; a sample if there are more than `max_changes`."""
    bits = len(genome)
    edges = np.flatnonzero(genome[1:] != genome[:-1])  # a cut next to a join: swapping them moves the cut
    changes = np.concatenate([np.column_stack([np.arange(bits)] * 2), np.column_stack([edges, edges + 1])])
    return _changed(genome, changes[_evenly_spread(len(changes), max_changes)])


def _pairs(genome: np.ndarray, max_changes: int) -> np.ndarray:
    """Return one cut removed and another one added; a sample if there are more than `max_changes` such pairs."""
    cuts, joins = np.flatnonzero(genome), np.flatnonzero(~genome)
    picks = _evenly_spread(len(cuts) * len(joins), max_changes)
    return _changed(genome, np.column_stack([cuts[picks // max(len(joins), 1)], joins[picks % max(len(joins), 1)]]))


def _evenly_spread(count: int, max_changes: int) -> np.ndarray:
    """Return all integers below a count, or `max_changes` of them, evenly spread."""
    return np.arange(count) if count <= max_changes else np.linspace(0, count - 1, max_changes).astype(np.int64)


def _changed(genome: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return a copy of the genome for each row of positions, with the bits there flipped, each once."""
    neighbours = np.repeat(genome[None], len(positions), axis=0)
    for column in positions.T:
        neighbours[np.arange(len(positions)), column] = ~genome[column]
    return neighbours


def respect_nodes(space: GroupingSpace) -> Repair:
    """Return genomes in which every group is a node of the hierarchy: a node that is cut is cut into its children.

    A genome that already has the property stays as it is.
    """
    steps: list[tuple[slice, np.ndarray]] = []
    for domain, span in zip(space.domains.values(), space.spans, strict=True):
        for above in range(domain.levels.height, 0, -1):
            upper, lower = domain.levels.codes[above], domain.cuts_of_level(above - 1)
            for code in range(int(upper[-1]) + 1):
                inside = np.flatnonzero(upper == code)
                within = slice(span.start + int(inside[0]), span.start + int(inside[-1]))
                if within.stop > within.start:
                    steps.append((within, lower[inside[0] : inside[-1]]))

    def repair(genomes: np.ndarray) -> np.ndarray:
        repaired = genomes.copy()
        for within, children in steps:
            # the cuts between a node's children, if anything is cut inside it
            repaired[:, within] |= genomes[:, within].any(axis=1, keepdims=True) & children
        return repaired

    return repair
