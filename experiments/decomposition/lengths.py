"""Is a longer search of DMPD worth it (Fig. 11), and what does a higher anonymity level cost (Fig. 12)?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.decomposition.plots import search_lengths
from experiments.decomposition.plots import surfaces as draw_surfaces
from experiments.decomposition.runs import Case, Runs, available, dmpd, levels, schema_of
from experiments.study import Study
from fairveil.evaluation import combined_f_test, surface
from fairveil.methods.dmpd import DMPD
from fairveil.methods.dmpd.genetic import ParetoSearch
from fairveil.methods.dmpd.wrapper import Wrapper
from fairveil.progress import Progress

ADULT = 45_222
"""Complete rows of Adult: the k of the paper's text are of so many."""


def lengths(study: Study) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Generations and populations of Fig. 11."""
    generations = study.pick(tiny=(1, 2), quick=(10, 20, 40), full=(50, 100, 150, 200))
    return generations, study.pick(tiny=(6,), quick=(10, 20), full=(50, 100))


def length_cases(study: Study) -> list[Case]:
    data = [name for name in study.pick(tiny=(), quick=("cmc",), full=("cmc",)) if available(name)]
    generations, populations = lengths(study)
    return [
        Case(name, 5, 10, "c4.5", "dmpd", search=(generation, population))
        for name, population, generation in product(("german_credit", *data), populations, generations)
    ]


def figure_11(runs: Runs) -> Sheet:
    """Accuracy by generations and population, top 5, k = 10: is a longer search worth it?"""
    generations, populations = lengths(runs.study)
    usual = (generations[1], populations[0])
    rows: list[Sequence[Any]] = []
    panels: dict[str, dict[int, list[tuple[int, np.ndarray]]]] = {}
    better = longer = 0
    for case in length_cases(runs.study):
        assert case.search is not None
        accuracies, base = runs.of(case), runs.of(Case(case.data, 5, 10, "c4.5", "dmpd", search=usual))
        test = combined_f_test(accuracies, base)
        beyond = case.search != usual and case.search[0] >= usual[0]
        longer += beyond
        better += beyond and test.significant and test.difference > 0
        difference = "" if case.search == usual else f"{test.difference:+.2f} (p={test.p_value:.2f})"
        spread = f"{accuracies.mean():.2f} ± {accuracies.std():.2f}"
        rows.append((case.data, case.search[1], case.search[0], spread, difference))
        panels.setdefault(case.data, {}).setdefault(case.search[1], []).append((case.search[0], accuracies))
    search_lengths(runs.study.out / "search-length.png", panels)
    notes = [
        f"{better} of {longer} longer searches are significantly more accurate than {usual[0]} generations of "
        f"{usual[1]} (combined 5×2 F test, 95 %).",
    ]
    if not runs.study.full:
        notes.append(f"{usual[0]} generations of {usual[1]} stand here for the paper's 100 of 50.")
    head = ("data", "population", "generations", "accuracy", f"against {usual[0]} of {usual[1]}")
    return Sheet("Figure 11: length of the search, C4.5, top 5, k=10", head, rows, notes, of=["Figure 11"],
                 holds={"no gain": better == 0}, pictures=["search-length.png"])  # fmt: skip


def figure_12(runs: Runs, progress: Progress) -> Sheet:
    """Attainment surfaces of accuracy and anonymity level over runs, on Adult as in the paper."""
    study, tops = runs.study, (5, 9)
    repeats = study.pick(tiny=2, quick=3, full=10)
    rows: list[Sequence[Any]] = []
    panels = []
    median = {}
    for place, top in enumerate(tops):
        fronts = []
        for repeat in range(repeats):
            progress.tell((place + repeat / repeats) / len(tops), f"frontier of top {top}, run {repeat + 1}")
            of = {"what": "front", "top": top, "rows": runs.table("adult")[0].rows, "search": runs.search}
            front = study.once({**of, "repeat": repeat}, partial(_front, runs, top, repeat))
            fronts.append(np.array(front, dtype=float))
        surfaces = {name: surface(fronts, share) for name, share in (("worst", 0.0), ("median", 0.5), ("best", 1.0))}
        panels.append((f"Adult, top {top} features quasi", surfaces))
        median[top] = surfaces["median"]
        rows += [(f"top{top}", f"{level:,.0f}", f"{accuracy:.2%}") for level, accuracy in _some(*median[top])]
    draw_surfaces(study.out / "frontier.png", panels, repeats)
    share = runs.table("adult")[0].rows / ADULT
    points = {k: 100 * at(median[5], k * share) for k in (3, 655, 1_000)}
    ours = {"top5, k=3: accuracy": points[3], "top5, k=1,000: points lost since k=3": points[3] - points[1_000]}
    holds = {"tradeoff": points[3] - 100 * float(np.nanmin(median[5][1])) > 1, "steady": points[3] - points[655] <= 1}
    notes = [
        f"Median attainment surface of {repeats} runs; accuracy in the search's own cross-validation, whose folds are "
        "the same in every run. A tradeoff: more than a point is lost; essentially the same: at most a point.",
    ]
    if study.full:
        table_1 = {k: runs.of(Case("adult", 9, k, "c4.5", "dmpd")).mean() for k in levels("adult")}
        gaps = {k: 100 * at(median[9], k) - accuracy for k, accuracy in table_1.items()}
        holds["as in Table 1"] = all(abs(gap) <= 1 for gap in gaps.values())
        notes.append("Top 9 beside Table 1 (dmpd): " + ", ".join(f"k={k} {gap:+.2f}" for k, gap in gaps.items()) + ".")
    else:
        ours = {}
        notes.append(f"A sample of {round(share * ADULT):,} rows of Adult, and short searches: claims are tested at "
                     "k in proportion to the rows, and no number compares.")  # fmt: skip
    return Sheet("Figure 12: accuracy against anonymity level on Adult", ("quasi", "k at least", "accuracy"), rows,
                 notes, of=["Figure 12"], ours=ours, holds=holds, pictures=["frontier.png"])  # fmt: skip


@cache
def _wrapper(runs: Runs, top: int) -> Wrapper:
    """All runs of one quasi-identifier judge by the same folds, so that they train a subset once."""
    table, ranked = runs.table("adult")
    return _method(runs).wrapper(table, schema_of(table, ranked[:top], {}), [], seed=runs.study.seed)


def _method(runs: Runs) -> DMPD:
    return dmpd("c4.5", runs.search, objective="pareto")


def _front(runs: Runs, top: int, repeat: int) -> list[tuple[float, int]]:
    """Accuracy and anonymity level of what one multi-objective search ends with."""
    rng, wrapper = np.random.default_rng([runs.study.seed, repeat]), _wrapper(runs, top)
    search = ParetoSearch(wrapper, _method(runs), wrapper.level, wrapper.level, 1, rng)
    found = search.run(lambda share, what: runs.study.progress.check())
    return [(search.points[z][0], wrapper.level(z)) for z in found]


def at(of: tuple[np.ndarray, np.ndarray], level: float) -> float:
    """The accuracy of a surface at an anonymity level or above."""
    reached = of[1][of[0] >= level]
    return float(np.nanmax(reached)) if len(reached) and not np.isnan(reached).all() else float("nan")


def _some(levels: np.ndarray, values: np.ndarray, most: int = 12) -> list[tuple[float, float]]:
    """Points of a surface where it falls, at most a dozen."""
    known = ~np.isnan(values)
    levels, values = levels[known], values[known]
    falls = np.flatnonzero(np.append(np.diff(values) < 0, True))
    chosen = falls[np.unique(np.linspace(0, len(falls) - 1, min(most, len(falls))).astype(int))]
    return [(float(levels[i]), float(values[i])) for i in chosen]
