"""Runs of the preference search on the paper's Table 3, each done once; all choose from what any of them evaluated.

A run keeps the groupings that no other beats in loss, bias and k at once (`pool`). The solution of a wish is then the
best of all pools that were made under the same weights, whichever run found it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from experiments.study import Study
from fairveil import datasets, hierarchy
from fairveil.choice.achievement import Aspirations, efficiency
from fairveil.choice.pareto import pareto
from fairveil.data.schema import Schema
from fairveil.datasets import Dataset
from fairveil.datasets.dataset import trees
from fairveil.guards import KAnonymity
from fairveil.methods.preferences import Explorer, Preferences
from fairveil.methods.preferences.bound import least_achievement
from fairveil.methods.preferences.grouping_space import GroupingSpace
from fairveil.methods.task import Task

T = TypeVar("T")
NINE = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "income")
"""The attributes of the paper's Table 3."""
WISH = {"necd": 1.0, "nwp": 0.2}
EVALUATIONS = 50_000
"""The paper's."""
EFFORT = 2_048
"""Groupings of small columns that are tried for the lower bound."""
WEIGHTS: dict[str, dict[str, float]] = {
    "wv1": dict.fromkeys(NINE, 1.0),
    "wv2": dict(zip(NINE, (20.0, 7.0, 16.0, 7.0, 14.0, 5.0, 2.0, 41.0, 2.0), strict=True)),
    "wv3": {**dict.fromkeys(NINE, 1.0), "age": 8.0, "education": 8.0},
    "wv4": {**dict.fromkeys(NINE, 1.0), "occupation": 8.0, "workclass": 8.0},
    "wv5": {**dict.fromkeys(NINE, 1.0), "native-country": 8.0, "race": 8.0},
}
"""Weight vectors: equal, by domain size, and three that favour two attributes. The paper's are not in its text."""


def table_three() -> Dataset:
    """Adult with the nine attributes and domain sizes of the paper's Table 3: 105 bits.

    Age in 20 bands of 5 years from 0 to 100, seven work classes (the one that no complete record has is left out).
    """
    full = datasets.adult(columns="all")
    rules = trees("adult", [name for name in NINE if name not in ("age", "income")])
    known = set(full.table.column("workclass").domain)
    classes = hierarchy.from_rows([row for row in rules["workclass"].rows if row[0] in known])  # type: ignore[attr-defined]
    schema = Schema(
        quasi=NINE,
        hierarchies={**rules, "workclass": classes, "age": hierarchy.intervals([0, 100], widths=(5, 10, 20, 40))},
    )
    return Dataset(full.table.select(NINE), schema, None, "Adult with the nine attributes of Dewri et al., Table 3.")


class Runs:
    """Runs of the optimizer, each done once by the study."""

    def __init__(self, study: Study) -> None:
        self.study, self.data = study, table_three()
        self.evaluations = study.pick(tiny=100, quick=EVALUATIONS, full=EVALUATIONS)
        self.effort = study.pick(tiny=4, quick=EFFORT, full=EFFORT)
        self.about = study.pick(tiny=20, quick=28, full=165)  # runs, for the progress
        self.told = 0
        self.made: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []

    def run(
        self,
        *,
        k: int = 5,
        population: int = 100,
        weights: str = "wv1",
        wish: Mapping[str, float] = WISH,
        seed: int = 0,
        polish: float = 1.0,
        times: int = 1,
    ) -> dict[str, Any]:
        """One run: its solution, its pool, the exact full-domain optimum and a lower bound beside it.

        With `times` the paper's evaluations it takes no part in the pool.
        """
        start = seed + self.study.seed
        asked = {"k": k, "population": population, "weights": weights, "wish": dict(wish), "polish": polish}
        spelled = ", ".join(f"{name} {level:g}" for name, level in wish.items())
        self.study.tell(self._share(), f"k={k}, {weights}, {spelled}, population {population}")
        found = self.study.once(
            {"what": "run", **asked, "start": start, "evaluations": times * self.evaluations},
            lambda: self._run(k, population, weights, wish, start, polish, times * self.evaluations),
        )
        bound = self.study.once(
            {"what": "bound", "k": k, "weights": weights, "wish": dict(wish), "effort": self.effort},
            lambda: self._bound(k, weights, wish),
        )
        run = {**found, **asked, "bound": bound}
        self.told += 1
        if times == 1:
            self.made.append((weights, tuple(wish), run))
        return run

    def _share(self) -> float:
        """How far the experiment is, by its runs."""
        return min(self.told / self.about, 0.95)

    def _task(self, k: int, weights: str, seed: int) -> Task:
        schema = replace(self.data.schema, weights=WEIGHTS[weights])
        progress = self.study.progress.part(self._share(), self._share() + 1 / self.about)
        return Task.of(self.data.table, schema, [KAnonymity(k)], seed, progress)

    def _bound(self, k: int, weights: str, wish: Mapping[str, float]) -> float:
        return least_achievement(
            GroupingSpace.of(self._task(k, weights, 0), {"age": 5}), Aspirations(wish), self.effort
        )

    def _run(
        self, k: int, population: int, weights: str, wish: Mapping[str, float], seed: int, polish: float, most: int
    ) -> dict[str, Any]:
        method = Preferences(wish, {"age": 5}, evaluations=most, population=population, polish=polish)
        started = time.perf_counter()
        explorer = Explorer(self._task(k, weights, seed), method)
        goal = method.wish()
        floor = explorer.full_domain_best(goal)
        best = explorer.solve(goal, seed)
        spent = time.perf_counter() - started
        seen = explorer.evaluator
        pool = explorer.pool(np.arange(len(seen)))
        order = pool[np.argsort(goal.achievement(seen.points[pool]), kind="stable")][:400]
        return {
            "best": _entry(seen, explorer.space, best),
            "ach": float(goal.achievement(seen.points[[best]])[0]),
            "full_domain": float(goal.achievement(seen.points[[floor]])[0]),
            "pool": [_entry(seen, explorer.space, place) for place in {int(best), *map(int, order)}],
            "evaluated": len(seen),
            "asked": seen.asked,
            "seconds": round(spent, 1),
        }

    def alone(
        self,
        *,
        k: int = 5,
        population: int = 100,
        weights: str = "wv1",
        wish: Mapping[str, float] = WISH,
        seed: int = 0,
    ) -> dict[str, Any]:
        """NSGA-II from a random population, without the descent and without anything from other runs."""
        asked = {"k": k, "population": population, "weights": weights, "wish": dict(wish)}
        self.study.tell(self._share(), f"alone: k={k}, {weights}, population {population}")
        found = self.study.once(
            {"what": "alone", **asked, "start": seed + self.study.seed, "evaluations": self.evaluations},
            lambda: self._alone(k, population, weights, wish, seed + self.study.seed),
        )
        return {**asked, "k_pref": k, **found}  # `k` is the effective one of the solution

    def _alone(self, k: int, population: int, weights: str, wish: Mapping[str, float], seed: int) -> dict[str, Any]:
        method = Preferences(
            wish, {"age": 5}, evaluations=self.evaluations, population=population, polish=0.0, start="random"
        )
        explorer = Explorer(self._task(k, weights, seed), method)
        started = time.perf_counter()
        best, goal = explorer.solve(method.wish(), seed), method.wish()
        spent, seen = time.perf_counter() - started, explorer.evaluator
        trail = seen.trail[seen.shortfall[seen.trail] <= 0]
        reached, points = goal.achievement(seen.points[trail]), goal.signs * seen.points
        least = trail[reached <= reached.min() + 1e-12]
        return {
            **_entry(seen, explorer.space, best), "ach": float(reached.min()), "distinct": len(seen.trail),
            "feasible": len(trail), "minima": len(np.unique(points[least], axis=0)), "seconds": round(spent, 1),
            "beaten": bool((points[trail] < points[best]).all(axis=1).any()), "reached": best in trail,
        }  # fmt: skip

    def pooled(self, run: Mapping[str, Any]) -> dict[str, Any]:
        """The best solution of a run's wish among all that runs with its weights and objectives have found.

        Whether it is efficient is judged among the same.
        """
        objectives = tuple(run["wish"])
        pool = [
            entry
            for weights, names, made in self.made
            if (weights, names) == (run["weights"], objectives)
            for entry in made["pool"]
            if entry["k"] >= run["k"]
        ]
        points = np.array([entry["point"] for entry in pool])
        goal = Aspirations(run["wish"])
        chosen = goal.choose(points, np.array([entry["k"] for entry in pool]))
        return {
            **run, **pool[chosen], "k_pref": run["k"],
            "point": dict(zip(objectives, pool[chosen]["point"], strict=True)), "alone": run["ach"],
            "ach": float(goal.achievement(points[[chosen]])[0]),
            "efficient": efficiency(goal.signs * points)[chosen], "candidates": _standing(pool, points, goal),
            "compared": len(pool),
        }  # fmt: skip

    def pooled_each(self, runs: Mapping[T, Mapping[str, Any]]) -> dict[T, dict[str, Any]]:
        return {key: self.pooled(run) for key, run in runs.items()}


def _entry(seen: Any, space: GroupingSpace, place: int) -> dict[str, Any]:
    groups = {name: int(of[-1]) + 1 for name, of in space.groups(seen.genomes[place]).items()}
    return {"point": [float(value) for value in seen.points[place]], "k": int(seen.k[place]), "groups": groups}


def _standing(pool: Sequence[Mapping[str, Any]], points: np.ndarray, goal: Aspirations) -> list[list[float]]:
    """Points and k of what no other beats in loss and bias, the best for the wish first: for the plots."""
    front = np.flatnonzero(pareto(goal.signs * points))
    front = front[np.argsort(goal.achievement(points[front]), kind="stable")]
    return [[*map(float, points[place]), pool[int(place)]["k"]] for place in front]
