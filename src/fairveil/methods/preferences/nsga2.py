"""NSGA-II for the achievement function (Dewri et al., section 7).

Two objectives are minimized: f₁ = ach, and f₂ = k_pref - k (the shortfall of the guards). Selection is the paper's:
feasible before infeasible, then by rank and crowding; among infeasible ones by f₂, then f₁. Sorting and crowding are
pymoo's. The loop is written here, on arrays: evaluating a population takes less time than pymoo's own loop around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.errors import need
from fairveil.methods.preferences.evaluator import Evaluator, packed

if TYPE_CHECKING:
    from fairveil.choice.achievement import Aspirations

Report = Callable[[float, str], None]
Repair = Callable[[np.ndarray], np.ndarray]
MATINGS = 100
"""How often a generation is mated at most, to fill it with genomes that are not in the population yet."""


def standing_of(f: np.ndarray, rank: np.ndarray, crowding: np.ndarray) -> np.ndarray:
    """Return how well each solution stands by the paper's modified selection (section 7.2), from 0; equal ones alike.

    f[:, 0] is ach, f[:, 1] the shortfall; a solution is feasible if that is at most 0.
    """
    feasible, crowded = f[:, 1] <= 0, -np.nan_to_num(crowding, posinf=1e300)
    by_rank, by_shortfall = np.column_stack([rank, crowded, crowded]), np.column_stack([f[:, 1], f[:, 0], crowded])
    keys = np.column_stack([~feasible, np.where(feasible[:, None], by_rank, by_shortfall)])
    order = np.lexsort(keys.T[::-1])
    standing = np.zeros(len(f), dtype=np.int64)
    standing[order[1:]] = np.cumsum((keys[order[1:]] != keys[order[:-1]]).any(axis=1))
    return standing


def winners(pairs: np.ndarray, standing: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the winners of binary tournaments; ties are drawn."""
    first, second = standing[pairs].T
    wins = (first < second) | ((first == second) & (rng.random(len(pairs)) < 0.5))
    return np.where(wins, pairs[:, 0], pairs[:, 1])


def evolve(
    evaluator: Evaluator, wish: Aspirations, start: np.ndarray, mating: Mating, evaluations: int, report: Report
) -> None:
    """Run NSGA-II from a first population until the evaluations are used up; the evaluator keeps all results."""

    def scored(genomes: np.ndarray) -> np.ndarray:
        indices = evaluator.look(genomes)
        return np.column_stack([wish.achievement(evaluator.points[indices]), evaluator.shortfall[indices]])

    size, first = len(start), np.unique(np.packbits(start, axis=1), axis=0, return_index=True)[1]
    genomes = start[np.sort(first)]  # each genome once
    f = scored(genomes)
    done = len(genomes)
    while done < evaluations:
        rank, crowding, kept = _survivors(f, size)
        genomes, f = genomes[kept], f[kept]
        offspring = mating.offspring(genomes, standing_of(f, rank, crowding), min(size, evaluations - done))
        if not len(offspring):
            return
        genomes, f = np.concatenate([genomes, offspring]), np.concatenate([f, scored(offspring)])
        done += len(offspring)
        report(min(done / evaluations, 1.0), f"{done:,} of {evaluations:,} groupings evaluated")


@dataclass(frozen=True)
class Mating:
    """One-point crossover of the whole chromosome, and a mutation probability for every bit."""

    crossover: float
    mutation: float
    repair: Repair | None
    rng: np.random.Generator

    def offspring(self, genomes: np.ndarray, standing: np.ndarray, wanted: int) -> np.ndarray:
        """Return up to this many distinct genomes that are not in the population."""
        met = set(packed(genomes))
        fresh: list[np.ndarray] = []
        for _ in range(MATINGS):
            pairs = -(-(wanted - len(fresh)) // 2)
            parents = winners(self._duels(2 * pairs, len(genomes)), standing, self.rng)
            children = self._children(genomes, parents)
            for i, key in enumerate(packed(children)):
                if key not in met and len(fresh) < wanted:
                    met.add(key)
                    fresh.append(children[i])
            if len(fresh) == wanted:
                break
        return np.array(fresh, dtype=bool).reshape(-1, genomes.shape[1])

    def _duels(self, count: int, size: int) -> np.ndarray:
        """Return pairs for tournaments; all individuals take part equally often, up to one."""
        rounds = [self.rng.permutation(size) for _ in range(-(-2 * count // size))]
        drawn = rounds[0] if len(rounds) == 1 else np.concatenate(rounds)
        return drawn[: 2 * count].reshape(count, 2)

    def _children(self, genomes: np.ndarray, parents: np.ndarray) -> np.ndarray:
        """Return two children of each pair: the first half of the parents and the second."""
        from fairveil.methods.preferences.population_kernels import crossed

        pairs, bits, draw = len(parents) // 2, genomes.shape[1], self.rng
        points, mating = draw.integers(1, max(bits, 2), pairs), draw.random(pairs)
        mutating = draw.random((2 * pairs, bits))
        children: np.ndarray = crossed(genomes, parents, points, mating, mutating, self.crossover, self.mutation)
        return children if self.repair is None else self.repair(children)


def _survivors(f: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rank and crowding of this many of the best, and their indices."""
    need("pymoo", "NSGA-II")
    from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    rank, crowding, kept = [], [], []
    room = size
    for depth, front in enumerate(NonDominatedSorting().do(f, n_stop_if_ranked=size)):
        distance = calc_crowding_distance(f[front])
        chosen = np.argsort(-distance, kind="stable")[:room]
        rank.append(np.full(len(chosen), float(depth)))
        crowding.append(distance[chosen])
        kept.append(front[chosen])
        room -= len(chosen)
        if not room:
            break
    return np.concatenate(rank), np.concatenate(crowding), np.concatenate(kept)
