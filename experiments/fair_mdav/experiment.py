"""Fair-MDAV on Income, COMPAS and Credit: Tables 1 and 3 to 5, Figures 1 to 18 of González-Zelaya et al. 2023.

Settings are read as the authors' own results ask for it (`interventions.AUTHORS`); the sheet of readings shows how that
was found, and what the product's default gives beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import fairveil as fv
from experiments import Sheet
from experiments.fair_mdav import plots, program
from experiments.fair_mdav.data import compas, credit, income
from experiments.fair_mdav.evidence import APPENDIX, beside, grid_claims, k_groups, other_folds
from experiments.fair_mdav.fold import AUTHORS, Fold
from experiments.fair_mdav.interventions import (
    Constrained,
    Decorrelated,
    Fairleted,
    Intervention,
    Nothing,
    PlainMDAV,
    PreferentialSampling,
    Reweighing,
    Thresholds,
)
from experiments.fair_mdav.tables import (
    DPAR,
    EODDS,
    SIZES,
    TAUS,
    comparison,
    learners_sheet,
    readings_sheet,
    settings,
    table_3,
    table_4,
    table_5,
    tried_for_table_3,
    tried_for_tables,
)
from experiments.fair_mdav.trials import FOLDS, Problem, Trials
from experiments.study import Study

TITLE = "Fair-MDAV: fairness and accuracy of classifiers learnt from fairlets (González-Zelaya et al. 2023)"

KINDS = ("MDAV", "Fair-MDAV")
OTHERS: tuple[Intervention, ...] = (
    Reweighing(), PreferentialSampling(), Decorrelated(), Thresholds(), Thresholds("equalized_odds"),
)  # fmt: skip
THRESHOLDS = (0.0, 0.02, 0.1)
"""Covariances that Fair Classification may keep; the paper does not say which it tried."""


def run(study: Study) -> Iterator[Sheet]:
    """Every sheet needs only the trials before it; `full` tries every size and τ of Table 2."""
    trials = Trials(study, study.pick(tiny=1, quick=FOLDS, full=FOLDS))
    problems = [income().sample(300)] if study.size == "tiny" else [income(), compas(), credit()]
    yield table_1(problems)
    yield figure_1()
    trials.run(problems[0], tried_for_table_3(), between=(0.0, 0.05))
    yield table_3(trials)
    yield readings_sheet(trials, problems[0], between=(0.05, 0.2))
    yield learners_sheet(trials, problems[0], between=(0.1, 0.2))
    for place, problem in enumerate(problems):
        plan: list[tuple[Intervention, str]] = [(Nothing(), "LR"), *((setting, "LR") for setting in grid(study))]
        trials.run(problem, plan, between=(0.2 + place / 15, 0.2 + (place + 1) / 15))
        yield from grids(study, trials, problem.name)
    yield figure_2(study, problems)
    for place, problem in enumerate(problems):
        trials.run(problem, by_classifier(study), between=(0.4 + place / 40, 0.425 + place / 40))
    yield figure_3(study, trials)
    for place, problem in enumerate(problems):
        trials.run(problem, by_tau(study), between=(0.475 + place / 60, 0.475 + (place + 1) / 60))
    yield from figures_5_and_8(study, trials)
    for place, problem in enumerate(problems):
        trials.run(problem, compared_with(study, problem), between=(0.525 + place / 60, 0.525 + (place + 1) / 60))
    plots.compared(study.out, trials)
    yield from (comparison(trials, problem.name, interventions(study, problem)) for problem in problems)
    yield other_folds(study, problems)
    trials.run(problems[0], tried_for_tables(study), between=(0.6, 0.7))
    yield table_4(trials, problems[0], between=(0.7, 0.75))
    yield table_5(trials, problems[0], between=(0.75, 0.9))
    yield k_groups(study, trials, problems, between=(0.9, 0.95))
    yield from program.sheets(study, trials, problems, between=(0.95, 1.0))


def grid(study: Study) -> list[Fairleted]:
    sizes = study.pick(tiny=(10,), quick=(10, 20, 100), full=SIZES)
    return settings(sizes, study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.5, 1.0), full=TAUS))


def by_tau(study: Study) -> list[tuple[Intervention, str]]:
    taus = study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.5, 1.0), full=TAUS)
    return [(setting, "LR") for setting in settings((10,), taus) if setting.correction != "negative"]


def by_classifier(study: Study) -> list[tuple[Intervention, str]]:
    asked = [plots.setting(10, tau, "negative", True) for tau in (0.0, 1.0)]
    return [(setting, name) for name in classifiers(study) for setting in asked]


def classifiers(study: Study) -> tuple[str, ...]:
    """The paper's four."""
    return study.pick(tiny=("LR", "GNB"), quick=("LR", "RF", "SGD", "GNB"), full=("LR", "RF", "SGD", "GNB"))


def interventions(study: Study, problem: Problem) -> list[Intervention]:
    """What the fairlets are compared with; Fair Classification takes long on Income."""
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
        method = fv.FairMDAV(composition=(1, 2), tau=1.0, correction=correction, favoured=1, leftovers="drop-last")
        frontier = fv.search(seven.table, seven.schema, guards=[fv.KAnonymity(3)], method=method, order="keep")
        release = frontier.release(0)
        frame = release.table.to_arrow()
        assert release.source_rows is not None
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
    scaled: list[float] = []
    for problem in problems:
        whole = Fold(problem.table, problem.table, problem.features, problem.protected,
                     problem.favourable, problem.favourable, study.seed)  # fmt: skip

        def loss(kind: str, size: int, standardize: bool, problem: Problem = problem, whole: Fold = whole) -> float:
            study.tell(0.4, f"{problem.name}: {kind} with groups of {size}")
            of = {"what": "information loss", "data": problem.name, "rows": problem.table.rows, "kind": kind,
                  "size": size, "standardize": standardize}  # fmt: skip
            form = whole.mdav if kind == "MDAV" else whole.fairlets
            return float(study.once(of, lambda: whole.loss_per_attribute(form(size, standardize))))

        losses[problem.name] = {kind: {size: loss(kind, size, AUTHORS.standardize) for size in sizes} for kind in KINDS}
        scaled += [loss("Fair-MDAV", size, True) - loss("MDAV", size, True) for size in sizes]
    plots.losses(study.out, losses)
    gaps = {name: [kinds["Fair-MDAV"][size] - kinds["MDAV"][size] for size in sizes] for name, kinds in losses.items()}
    rows = [
        [name, size, f"{kinds['MDAV'][size]:.4f}", f"{kinds['Fair-MDAV'][size]:.4f}"]
        for name, kinds in losses.items()
        for size in sizes
    ]
    every = [gap for of_sizes in gaps.values() for gap in of_sizes]
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
            f"MDAV loses less in {sum(gap >= 0 for gap in every)} of {len(every)} cases; with groups formed by "
            f"standardized numbers in {sum(gap >= 0 for gap in scaled)}.",
        ),
        of=["Figure 2"],
        holds={"less": min(every) >= 0, "steady": steady},
        pictures=["figure-2.png"],
    )


def figure_3(study: Study, trials: Trials) -> Sheet:
    """τ = 0 against τ = 1 for every classifier."""
    plots.classifiers(study.out, trials)
    rows, rises, costs = [], [], {}
    for problem in trials.problems:
        for name in classifiers(study):
            free, fixed = (
                trials.of(problem, plots.setting(10, tau, "negative", True), name).means for tau in (0.0, 1.0)
            )
            rises += [f"{problem} {name}"] if fixed[DPAR] >= free[DPAR] else []
            costs[f"{problem} {name}"] = free["accuracy"] - fixed["accuracy"]
            rows.append(
                [problem, name, *(f"{m[score]:.3f}" for m in (free, fixed) for score in ("accuracy", DPAR, EODDS))]
            )
    columns = ("data", "classifier", "accuracy, τ=0", "dPar", "eOdds", "accuracy, τ=1", "dPar", "eOdds")
    return Sheet(
        "Figure 3: every classifier without correction and with full negative correction, fairlets of 10, aggregated",
        columns,
        rows,
        (f"dPar falls in {len(costs) - len(rises)} of {len(costs)} cases"
         f"{', not in ' + ', '.join(rises) if rises else ''}. The claim is read as: in all of them.",
         f"Accuracy falls by at most {max(costs.values()):.3f} ({max(costs, key=lambda case: costs[case])}). "
         f"Negligible is read as at most 0.02: {sum(cost <= 0.02 for cost in costs.values())} of {len(costs)} cases."),
        of=["Figure 3"],
        holds={"falls": not rises, "negligible": max(costs.values()) <= 0.02},
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
            (
                f"The fairest τ among {', '.join(f'{tau:g}' for tau in taus)}, chosen on the test folds: {where}. "
                f"{'Close to 1 is read as at least 0.8, for both scores.' if aggregated else 'The claim is of dPar.'}",
            ),
            of=[f"Figure {number}"],
            holds=holds,
            pictures=[f"figure-{number}.png"],
        )


def grids(study: Study, trials: Trials, problem: str) -> Iterator[Sheet]:
    """All sizes and τ: fairness beside accuracy, precision and recall beside fairness."""
    sizes = sorted({setting.size for setting in grid(study)})
    for aggregated, (tradeoff, precision) in ((kind, APPENDIX[problem, kind]) for kind in (True, False)):
        first = plots.scatter(study.out, trials, problem, aggregated, sizes, 4 if aggregated else 7)
        second = plots.precision(study.out, trials, problem, aggregated, sizes, 6 if aggregated else 9)
        found = {s: trials.of(problem, s).means for s in grid(study) if s.microaggregate == aggregated}
        scores = ("accuracy", DPAR, EODDS, "precision", "recall")
        rows = [[s.size, s.tau, s.correction, *(f"{m[score]:.3f}" for score in scores)] for s, m in found.items()]
        holds, notes = grid_claims(problem, aggregated, found)
        kind = "aggregated" if aggregated else "values kept"
        yield Sheet(
            f"{tradeoff} and {precision.removeprefix('Figure ')}: {problem} by size and τ, {kind}",
            ("size", "τ", "correction", "accuracy", "dPar", "eOdds", "precision", "recall"),
            rows,
            notes,
            of=[tradeoff, precision],
            ours=beside([tradeoff, precision], found),
            holds={f"{problem}: {what}": value for what, value in holds.items()},
            pictures=[first.name, second.name],
        )
