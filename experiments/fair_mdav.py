"""Fair-MDAV on Income, COMPAS and Credit: Tables 1 and 3 to 5, Figures 1 to 18 of González-Zelaya et al. 2023.

Settings are read as the authors' own results ask for it (`interventions.AUTHORS`); the sheet of readings shows how that
was found, and what the product's default gives beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import fairveil as fv
from experiments import Sheet
from experiments import fair_mdav_plots as plots
from experiments.fair_mdav_data import compas, credit, income
from experiments.fair_mdav_tables import (
    DPAR,
    EODDS,
    SCORES,
    comparison,
    readings_sheet,
    settings,
    table_3,
    table_4,
    table_5,
    tried_for_tables,
)
from experiments.interventions import (
    AUTHORS,
    Constrained,
    Decorrelated,
    Fairleted,
    Fold,
    Intervention,
    Nothing,
    PlainMDAV,
    PreferentialSampling,
    Reweighing,
    Thresholds,
)
from experiments.papers import read
from experiments.study import Study
from experiments.trials import FOLDS, Problem, Trials
from fairveil.methods.microaggregation.clusters import Clusters

TITLE = "Fair-MDAV: fairness and accuracy of classifiers learnt from fairlets (paper 003)"

TAUS = tuple(round(0.1 * i, 1) for i in range(11))
SIZES = tuple(range(10, 101, 10))
OTHERS: tuple[Intervention, ...] = (
    Reweighing(), PreferentialSampling(), Decorrelated(), Thresholds(), Thresholds("equalized_odds"),
)  # fmt: skip
THRESHOLDS = (0.0, 0.02, 0.1)
"""Covariances that Fair Classification may keep; the paper does not say which it tried."""


def run(study: Study) -> Iterator[Sheet]:
    """Every sheet needs only the trials before it; `full` tries every size and τ of Table 2 on all five folds."""
    trials = Trials(study, study.pick(tiny=1, quick=2, full=FOLDS))
    problems = [income().sample(300)] if study.size == "tiny" else [income(), compas(), credit()]
    yield table_1(problems)
    yield figure_1()
    trials.run(problems[0], tried_for_tables(study), between=(0.0, 0.15))
    yield table_3(trials)
    yield table_4(trials, problems[0], between=(0.15, 0.2))
    yield table_5(trials, problems[0], between=(0.2, 0.3))
    yield from readings_sheet(trials, problems[0], between=(0.3, 0.5))
    yield figure_2(study, problems)
    for place, problem in enumerate(problems):
        trials.run(problem, by_classifier(study), between=(0.5 + place / 40, 0.525 + place / 40))
    yield figure_3(study, trials)
    for place, problem in enumerate(problems):
        trials.run(problem, by_tau(study), between=(0.6 + place / 40, 0.625 + place / 40))
    yield from figures_5_and_8(study, trials)
    for place, problem in enumerate(problems):
        trials.run(problem, compared_with(study, problem), between=(0.7 + place / 40, 0.725 + place / 40))
    plots.compared(study.out, trials)
    yield from (comparison(trials, problem.name, interventions(study, problem)) for problem in problems)
    for place, problem in enumerate(problems):
        plan: list[tuple[Intervention, str]] = [(setting, "LR") for setting in grid(study)]
        trials.run(problem, plan, between=(0.8 + place / 15, 0.8 + (place + 1) / 15))
        yield from grids(study, trials, problem.name)


def grid(study: Study) -> list[Fairleted]:
    sizes = study.pick(tiny=(10,), quick=(10, 20, 100), full=SIZES)
    return settings(sizes, study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.5, 1.0), full=TAUS))


def by_tau(study: Study) -> list[tuple[Intervention, str]]:
    taus = study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.5, 1.0), full=TAUS)
    return [(setting, "LR") for setting in settings((10,), taus) if setting.correction != "negative"]


def by_classifier(study: Study) -> list[tuple[Intervention, str]]:
    asked: list[Intervention] = [Nothing(), *(plots.setting(10, tau, "negative", True) for tau in (0.0, 1.0))]
    return [(setting, name) for name in classifiers(study) for setting in asked]


def classifiers(study: Study) -> tuple[str, ...]:
    """The paper's four."""
    return study.pick(tiny=("LR", "GNB"), quick=("LR", "RF", "SGD", "GNB"), full=("LR", "RF", "SGD", "GNB"))


def interventions(study: Study, problem: Problem) -> list[Intervention]:
    """What the fairlets are compared with; Fair Classification takes a quarter of a minute a fold on Income."""
    asked: list[Intervention] = [Nothing(), PlainMDAV(10), *OTHERS]
    if constrained_is_here() and study.size != "tiny" and (study.full or problem.table.rows < 10_000):
        asked += [Constrained(threshold) for threshold in THRESHOLDS]
    return asked


def constrained_is_here() -> bool:
    from importlib.util import find_spec

    return find_spec("sklego") is not None and find_spec("cvxpy") is not None


def compared_with(study: Study, problem: Problem) -> list[tuple[Intervention, str]]:
    fair = settings((10,), study.pick(tiny=(1.0,), quick=(0.0, 0.5, 1.0), full=TAUS))
    return [(what, "LR") for what in (*interventions(study, problem), *fair)]


def table_1(problems: Sequence[Problem]) -> Sheet:
    rows = [[problem.name, problem.protected, len(problem.features), problem.table.rows] for problem in problems]
    ours = {}
    for problem in problems:
        ours[f"{problem.name}: attributes"] = float(len(problem.features))
        ours[f"{problem.name}: records"] = float(problem.table.rows)
    return Sheet(
        "Table 1: the data sets", ["data", "protected", "attributes", "records"], rows, of=["Table 1"], ours=ours
    )


def figure_1() -> Sheet:
    """The paper's example of seven records."""
    seven = fv.datasets.fairlet_sample()
    rows, ours = [], {}
    people = seven.table.column("id")
    for correction in ("positive", "negative"):
        method = fv.FairMDAV(composition=(1, 2), tau=1.0, correction=correction, favoured=1)
        frontier = fv.search(seven.table, seven.schema, guards=[fv.KAnonymity(3)], method=method, order="keep")
        release = frontier.release(0)
        frame = release.table.to_arrow()
        for row, x, label in zip(release.source_rows, frame["X"].to_pylist(), frame["label"].to_pylist(), strict=True):
            who = people.domain[people.codes[row]]
            rows.append([correction, who, f"{x:.2f}", label])
            ours[f"{who}: X"] = round(float(x), 2)
            ours[f"{who}: label, {correction} correction"] = float(label)
    columns = ["correction", "record", "X, microaggregated", "label"]
    return Sheet("Figure 1: fairlets of seven records", columns, rows, of=["Figure 1"], ours=ours)


def figure_2(study: Study, problems: Sequence[Problem]) -> Sheet:
    """Equation 3 by attribute for MDAV and Fair-MDAV on the whole tables."""
    sizes = study.pick(tiny=(10,), quick=(10, 20, 50, 100), full=SIZES)
    losses: dict[str, dict[str, dict[int, float]]] = {}
    for problem in problems:
        whole = Fold(problem.table, problem.table, problem.features, problem.protected,
                     problem.favourable, problem.favourable, study.seed)  # fmt: skip
        losses[problem.name] = {"MDAV": {}, "Fair-MDAV": {}}
        for kind, form in (("MDAV", whole.mdav), ("Fair-MDAV", whole.fairlets)):
            for size in sizes:
                study.tell(0.5, f"{problem.name}: {kind} with groups of {size}")
                of = {"what": "information loss", "data": problem.name, "rows": problem.table.rows, "kind": kind,
                      "size": size, "standardize": AUTHORS.standardize}  # fmt: skip
                loss = study.once(of, partial(_loss, whole, form, size))
                losses[problem.name][kind][size] = loss
    plots.losses(study.out, losses)
    gaps = {name: [kinds["Fair-MDAV"][size] - kinds["MDAV"][size] for size in sizes] for name, kinds in losses.items()}
    rows = [
        [name, size, f"{kinds['MDAV'][size]:.4f}", f"{kinds['Fair-MDAV'][size]:.4f}"]
        for name, kinds in losses.items()
        for size in sizes
    ]
    steady = all(
        max(gap) - min(gap) <= (max(losses[name]["MDAV"].values()) - min(losses[name]["MDAV"].values())) / 2
        for name, gap in gaps.items()
    )
    return Sheet(
        "Figure 2: information loss (Eq. 3) by attribute",
        ("data", "group size", "MDAV", "Fair-MDAV"),
        rows,
        (
            "Groups are formed by numbers as they are, the loss is in standard deviations, as sizes and data sets are "
            "compared. Almost constant is read as: the gap changes by at most half of what MDAV's own loss does.",
        ),
        of=["Figure 2"],
        holds={"less": all(min(gap) >= 0 for gap in gaps.values()), "steady": steady},
        pictures=["figure-2.png"],
    )


def _loss(whole: Fold, form: Callable[[int], Clusters], size: int) -> float:
    return whole.loss_per_attribute(form(size))


def figure_3(study: Study, trials: Trials) -> Sheet:
    """τ = 0 against τ = 1 for every classifier."""
    plots.classifiers(study.out, trials)
    rows, falls, costs = [], [], []
    for problem in trials.problems:
        for name in classifiers(study):
            free, fixed = (
                trials.of(problem, plots.setting(10, tau, "negative", True), name).means for tau in (0.0, 1.0)
            )
            falls.append(fixed[DPAR] < free[DPAR])
            costs.append(free["accuracy"] - fixed["accuracy"])
            rows.append(
                [problem, name, *(f"{m[score]:.3f}" for m in (free, fixed) for score in ("accuracy", DPAR, EODDS))]
            )
    columns = ("data", "classifier", "accuracy, τ=0", "dPar", "eOdds", "accuracy, τ=1", "dPar", "eOdds")
    return Sheet(
        "Figure 3: every classifier without correction and with full negative correction, fairlets of 10, aggregated",
        columns,
        rows,
        (f"Disparity falls in {sum(falls)} of {len(falls)} cases; accuracy falls by {max(costs):.3f} at most. "
         "Negligible is read as at most 0.02.",),
        of=["Figure 3"],
        holds={"falls": all(falls), "negligible": max(costs) <= 0.02},
        pictures=["figure-3.png"],
    )  # fmt: skip


def figures_5_and_8(study: Study, trials: Trials) -> Iterator[Sheet]:
    """Fairness and accuracy by τ, fairlets of 10, positive correction."""
    taus = sorted({setting.tau for setting, _ in by_tau(study) if isinstance(setting, Fairleted)})
    for aggregated, number in ((True, 5), (False, 8)):
        plots.lines(study.out, trials, aggregated, number)
        rows, fairest = [], {}
        for problem in trials.problems:
            found = {tau: trials.of(problem, plots.setting(10, tau, "positive", aggregated)).means for tau in taus}
            fairest[problem] = {score: min(taus, key=lambda tau: found[tau][score]) for score in (DPAR, EODDS)}
            rows += [[problem, tau, *(f"{found[tau][s]:.3f}" for s in ("accuracy", DPAR, EODDS))] for tau in taus]
        where = "; ".join(f"{name}: dPar {best[DPAR]:g}, eOdds {best[EODDS]:g}" for name, best in fairest.items())
        holds = (
            {"near one": all(tau >= 0.8 for best in fairest.values() for tau in best.values())}
            if aggregated
            else {"middle": all(0.5 <= best[DPAR] <= 0.7 for best in fairest.values())}
        )
        kind = "aggregated" if aggregated else "values kept"
        yield Sheet(
            f"Figure {number}: fairness and accuracy by τ, fairlets of 10, positive correction, {kind}",
            ("data", "τ", "accuracy", "dPar", "eOdds"),
            rows,
            (f"The fairest τ among {', '.join(f'{tau:g}' for tau in taus)} — {where}.",),
            of=[f"Figure {number}"],
            holds=holds,
            pictures=[f"figure-{number}.png"],
        )


APPENDIX = {
    ("Income", True): ("Figure 4", "Figure 6"),
    ("Income", False): ("Figure 7", "Figure 9"),
    ("COMPAS", True): ("Figure 11", "Figure 15"),
    ("Credit", True): ("Figure 12", "Figure 16"),
    ("COMPAS", False): ("Figure 13", "Figure 17"),
    ("Credit", False): ("Figure 14", "Figure 18"),
}
"""The figures with all sizes and τ, and those with precision and recall, of each data set."""


def grids(study: Study, trials: Trials, problem: str) -> Iterator[Sheet]:
    """All sizes and τ: fairness beside accuracy, precision and recall beside fairness."""
    sizes = sorted({setting.size for setting in grid(study)})
    for aggregated, (tradeoff, precision) in ((kind, APPENDIX[problem, kind]) for kind in (True, False)):
        first = plots.scatter(study.out, trials, problem, aggregated, sizes, 4 if aggregated else 7)
        second = plots.precision(study.out, trials, problem, aggregated, sizes, 6 if aggregated else 9)
        found = {s: trials.of(problem, s).means for s in grid(study) if s.microaggregate == aggregated}
        scores = ("accuracy", DPAR, EODDS, "precision", "recall")
        rows = [[s.size, s.tau, s.correction, *(f"{m[score]:.3f}" for score in scores)] for s, m in found.items()]
        free = {s.size: m for s, m in found.items() if s.tau == 0}
        fixed = {(s.size, s.correction): m for s, m in found.items() if s.tau == 1}
        holds = {
            "precision": all(fixed[size, "negative"]["precision"] >= free[size]["precision"] for size in sizes),
            "recall": all(fixed[size, "positive"]["recall"] >= free[size]["recall"] for size in sizes),
        }
        if aggregated:
            holds["size"] = free[max(sizes)]["accuracy"] <= free[min(sizes)]["accuracy"]
        elif problem == "Income":
            holds["accurate"] = min(found.values(), key=lambda m: m[EODDS])["accuracy"] > 0.84
        kind = "aggregated" if aggregated else "values kept"
        yield Sheet(
            f"{tradeoff} and {precision.removeprefix('Figure ')}: {problem} by size and τ, {kind}",
            ("size", "τ", "correction", "accuracy", "dPar", "eOdds", "precision", "recall"),
            rows,
            of=[tradeoff, precision],
            ours=_theirs_beside(found) if problem == "Income" else {},
            holds={f"{problem}: {what}": value for what, value in holds.items()},
            pictures=[first.name, second.name],
        )


def _theirs_beside(found: Mapping[Fairleted, Mapping[str, float]]) -> dict[str, float]:
    """Our value of every setting that the authors' published results have, of those taken over from there."""
    theirs = {what for table in read("fair-mdav").printed for what in table.numbers}
    ours = {f"{s.name}: {name}": means[score] for s, means in found.items() for name, score in SCORES.items()}
    return {what: value for what, value in ours.items() if what in theirs}
