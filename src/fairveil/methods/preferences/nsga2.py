"""NSGA-II for the achievement function (Dewri et al., section 7).

Two objectives are minimized: f₁ = ach, and f₂ = k_pref - k (the shortfall of the guards). Selection is the paper's:
feasible before infeasible, then by rank and crowding; among infeasible ones by f₂, then f₁. Sorting and crowding are
pymoo's. The loop is written here, on arrays: evaluating a population takes less time than pymoo's own loop around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.choice.achievement import Aspirations
from fairveil.extras import need
from fairveil.methods.preferences.evaluator import Evaluator

Report = Callable[[float, str], None]
Repair = Callable[[np.ndarray], np.ndarray]
MATINGS = 100
"""How often a generation is mated at most, to fill it with genomes that are not in the population yet."""


def prefer(pairs: np.ndarray, f: np.ndarray, rank: np.ndarray, crowding: np.ndarray, rng: Any) -> np.ndarray:
    """Return the winners of binary tournaments by the paper's modified selection (section 7.2).

    f[:, 0] is ach, f[:, 1] the shortfall; a solution is feasible if that is at most 0.
    """
    a, b = pairs[:, 0], pairs[:, 1]
    feasible = f[:, 1] <= 0
    both, neither = feasible[a] & feasible[b], ~feasible[a] & ~feasible[b]
    zeros = np.zeros(len(pairs))
    crowded = np.nan_to_num(crowding, posinf=1e300)
    by_rank = _first_decided([rank[b] - rank[a], crowded[a] - crowded[b]])
    by_shortfall = _first_decided([f[b, 1] - f[a, 1], f[b, 0] - f[a, 0], crowded[a] - crowded[b]])
    by_feasibility = feasible[a].astype(float) - feasible[b]
    verdict = np.where(both, by_rank, np.where(neither, by_shortfall, by_feasibility))
    chance = np.where(rng.random(len(pairs)) < 0.5, 1.0, -1.0)
    return np.where(_first_decided([verdict, zeros + chance]) > 0, a, b)


def _first_decided(signs: list[np.ndarray]) -> np.ndarray:
    """Return the first criterion that is not a tie, pair by pair."""
    decided = signs[0]
    for further in signs[1:]:
        decided = np.where(decided == 0, further, decided)
    return decided


def evolve(
    evaluator: Evaluator,
    wish: Aspirations,
    start: np.ndarray,
    *,
    evaluations: int,
    crossover: float,
    mutation: float,
    repair: Repair | None,
    seed: int,
    report: Report,
) -> None:
    """Run NSGA-II from a first population until the evaluations are used up; the evaluator keeps all results."""

    def scored(genomes: np.ndarray) -> np.ndarray:
        places = evaluator.look(genomes)
        return np.column_stack([wish.achievement(evaluator.points[places]), evaluator.shortfall[places]])

    mating = _Mating(crossover, mutation, repair, np.random.default_rng(seed))
    size, genomes = len(start), _different(start)
    f = scored(genomes)
    done = len(genomes)
    while done < evaluations:
        rank, crowding, kept = _survivors(f, size)
        genomes, f = genomes[kept], f[kept]
        offspring = mating.offspring(genomes, f, rank, crowding, min(size, evaluations - done))
        if not len(offspring):
            return
        genomes, f = np.concatenate([genomes, offspring]), np.concatenate([f, scored(offspring)])
        done += len(offspring)
        report(min(done / evaluations, 1.0), f"{done:,} of {evaluations:,} groupings evaluated")


@dataclass(frozen=True)
class _Mating:
    """One-point crossover of the whole chromosome, and a mutation probability for every bit."""

    crossover: float
    mutation: float
    repair: Repair | None
    rng: np.random.Generator

    def offspring(
        self, genomes: np.ndarray, f: np.ndarray, rank: np.ndarray, crowding: np.ndarray, wanted: int
    ) -> np.ndarray:
        """Return up to this many distinct genomes that are not in the population."""
        met = {row.tobytes() for row in np.packbits(genomes, axis=1)}
        fresh: list[np.ndarray] = []
        for _ in range(MATINGS):
            pairs = -(-(wanted - len(fresh)) // 2)
            parents = prefer(self._duels(2 * pairs, len(genomes)), f, rank, crowding, self.rng)
            children = self._children(genomes[parents[:pairs]], genomes[parents[pairs:]])
            for row, child in zip(np.packbits(children, axis=1), children, strict=True):
                key = row.tobytes()
                if key not in met and len(fresh) < wanted:
                    met.add(key)
                    fresh.append(child)
            if len(fresh) == wanted:
                break
        return np.array(fresh, dtype=bool).reshape(-1, genomes.shape[1])

    def _duels(self, count: int, size: int) -> np.ndarray:
        """Return pairs for tournaments; all individuals take part equally often, up to one."""
        rounds = -(-2 * count // size)
        drawn = np.concatenate([self.rng.permutation(size) for _ in range(rounds)])
        return drawn[: 2 * count].reshape(count, 2)

    def _children(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        pairs, bits = first.shape
        points = self.rng.integers(1, max(bits, 2), pairs)
        swapped = (np.arange(bits) >= points[:, None]) & (self.rng.random((pairs, 1)) < self.crossover)
        children = np.concatenate([np.where(swapped, second, first), np.where(swapped, first, second)])
        children ^= self.rng.random(children.shape) < self.mutation
        return children if self.repair is None else self.repair(children)


def _survivors(f: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rank and crowding of this many of the best, and their indices."""
    need("pymoo", "NSGA-II")
    from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    rank, crowding, kept = [], [], []
    room = size
    for place, front in enumerate(NonDominatedSorting().do(f, n_stop_if_ranked=size)):
        distance = calc_crowding_distance(f[front])
        chosen = np.argsort(-distance, kind="stable")[:room]
        rank.append(np.full(len(chosen), float(place)))
        crowding.append(distance[chosen])
        kept.append(front[chosen])
        room -= len(chosen)
        if not room:
            break
    return np.concatenate(rank), np.concatenate(crowding), np.concatenate(kept)


def _different(genomes: np.ndarray) -> np.ndarray:
    """Return each genome once, in the order of first appearance."""
    return genomes[np.sort(np.unique(np.packbits(genomes, axis=1), axis=0, return_index=True)[1])]
