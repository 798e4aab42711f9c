"""Fair-MDAV on Income, COMPAS and Credit: Tables 3 to 5 and Figures 2 to 10 of González-Zelaya et al. 2023.

Data as the authors prepare it (the clean-up notebook of their earlier work): Income is Adult's training file without
fnlwgt, a missing category being one of its own; COMPAS those with a jail record, Caucasian against all others; Credit
with sex taken out of the personal status. The protected column is a feature of the classifiers, but not of the
distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from experiments import Sheet
from experiments.interventions import (
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
from experiments.study import Study
from experiments.trials import CLASSIFIERS, Outcomes, Problem, Trials
from fairveil.data.table import Table
from fairveil.datasets import german_credit
from fairveil.datasets.dataset import data_file

TITLE = "Fair-MDAV: fairness and accuracy of classifiers learnt from fairlets (paper 003)"

TAUS = tuple(round(0.1 * i, 1) for i in range(11))
SIZES = tuple(range(10, 101, 10))
DPAR, EODDS = "demographic-parity-difference", "equalised-odds-score"
OTHERS: tuple[Intervention, ...] = (
    Reweighing(), PreferentialSampling(), Decorrelated(), Thresholds(), Thresholds("equalized_odds"),
)  # fmt: skip


def run(study: Study) -> Iterator[Sheet]:
    """All trials, unless `out` holds them already; then the plots and tables. `full` tries every size (Table 2)."""
    from experiments import fair_mdav_plots as plots

    folder, full, seed = study.out, study.full, study.seed
    trials = Trials(study)
    problems = [income(), compas(), credit()]
    for number, problem in enumerate(problems):
        trials.run(problem, plan(full), between=(number / len(problems), (number + 1) / len(problems)))
    losses = {
        problem.name: information_losses(problem, SIZES if full else (10, 20, 50, 100), seed) for problem in problems
    }
    plots.draw(folder, trials, losses, SIZES if full else (10, 20, 100))
    yield from [*tables(trials), *(comparison(trials, problem.name) for problem in problems), loss_sheet(losses)]


def plan(full: bool) -> list[tuple[Intervention, str]]:
    """Every intervention with the classifiers it is tried with, nothing twice."""
    asked: list[tuple[Intervention, str]] = [(Nothing(), name) for name in CLASSIFIERS]
    asked += [(PlainMDAV(10), "LR"), *((other, "LR") for other in OTHERS), (PreferentialSampling(), "DT")]
    asked += [(setting, "LR") for setting in settings(SIZES if full else (10,), TAUS)]
    if not full:
        asked += [(setting, "LR") for setting in settings((20, 100), (0.0, 0.1, 0.2, 0.5, 1.0))]
    few = TAUS if full else (0.0, 0.2, 0.5, 1.0)
    asked += [(setting, name) for name in ("DT", "AB") for setting in settings((10,), few)]
    asked += [(setting, name) for name in ("RF", "SGD", "GNB") for setting in settings((10,), (0.0, 1.0), (True,))]
    return list(dict.fromkeys(asked))


def settings(
    sizes: tuple[int, ...], taus: tuple[float, ...], aggregated: tuple[bool, ...] = (True, False)
) -> list[Fairleted]:
    """The grid of Table 2; without correction (τ = 0) its direction does not matter."""
    return [
        Fairleted(size, tau, correction, values)
        for size in sizes
        for tau in taus
        for correction in (("positive", "negative") if tau else ("none",))
        for values in aggregated
    ]


def tables(trials: Trials) -> list[Sheet]:
    """Tables 3, 4 and 5: ours beside the paper's, all on Income."""
    return [_table_3(trials), _table_4(trials), _table_5(trials)]


def _table_3(trials: Trials) -> Sheet:
    rows = []
    for size, closeness, dpar, accuracy in (
        (10, "t = 0.05", 0.02, 0.79),
        (20, "t = 0.19", 0.04, 0.79),
        (100, "", 0.05, 0.78),
    ):
        got = trials.of("Income", Fairleted(size, 1.0, "negative", True))
        rows.append(["Fair-MDAV", f"k = {size}", closeness, *_both(got, DPAR, dpar), *_both(got, "accuracy", accuracy)])
    base = trials.of("Income", Nothing())
    rows.append(["no protection", "", "", *_both(base, DPAR, 0.18), *_both(base, "accuracy", 0.85)])
    for epsilon, dpar, accuracy in ((0.1, 0.0, 0.75), (1, 0.01, 0.76), (10, 0.02, 0.76)):
        rows.append(["PFLR*", f"ε = {epsilon:g}", "", "", f"{dpar:.2f}", "", f"{accuracy:.2f}"])
    notes = (
        "Logistic regression, negative correction, τ = 1, microaggregated; mean of five folds ± half a 95 % interval.",
        "PFLR* and the paper's values of no protection are quoted, not run. Equalised odds without protection: "
        f"{_shown(base, EODDS)}, the paper's 0.19.",
    )
    columns = ("method", "privacy", "paper's t", "dPar", "paper", "accuracy", "paper")
    return Sheet("Table 3: fairness and accuracy with privacy, Income", columns, rows, notes)


def _table_4(trials: Trials) -> Sheet:
    fair = best(trials, "LR", DPAR, 0.795)
    tree = best(trials, "DT", DPAR, 0.755)
    sampled = trials.of("Income", PreferentialSampling(), "DT")
    rows = [
        ["Fair-MDAV", "LR", fair[0].name, *_both(fair[1], DPAR, 0.01), *_both(fair[1], "accuracy", 0.80)],
        ["LFR", "LR", "quoted", "", "0.20", "", "0.68"],
        ["Fair-MDAV", "DT", tree[0].name, *_both(tree[1], DPAR, 0.09), *_both(tree[1], "accuracy", 0.76)],
        ["PREF", "DT", sampled.trials[0].intervention, *_both(sampled, DPAR, 0.03), *_both(sampled, "accuracy", 0.84)],
    ]
    notes = ("Fairness alone: values kept. Ours is the fairest setting that is at least as accurate as the paper's, "
             "rounded.",)  # fmt: skip
    columns = ("method", "classifier", "setting", "dPar", "paper", "accuracy", "paper")
    return Sheet("Table 4: demographic parity and accuracy, Income", columns, rows, notes)


def _table_5(trials: Trials) -> Sheet:
    fair = best(trials, "LR", EODDS, 0.845)
    boosted = best(trials, "AB", EODDS, 0.845)
    rows = [
        ["Fair-MDAV", "LR", fair[0].name, *_both(fair[1], EODDS, 0.05), *_both(fair[1], "accuracy", 0.85)],
        ["ASR", "LR", "quoted", "", "0.05", "", "0.82"],
        ["Fair-MDAV", "AB", boosted[0].name, *_both(boosted[1], EODDS, 0.22), *_both(boosted[1], "accuracy", 0.85)],
        ["ADAFAIR", "AB", "quoted", "", "0.08", "", "0.83"],
        ["SMOTEBOOST", "AB", "quoted", "", "0.47", "", "0.81"],
    ]
    columns = ("method", "classifier", "setting", "eOdds", "paper", "accuracy", "paper")
    return Sheet("Table 5: equalised odds and accuracy, Income", columns, rows, ("Fairness alone: values kept.",))


def comparison(trials: Trials, problem: str) -> Sheet:
    """Every intervention with logistic regression on one problem, the most accurate first."""
    asked: list[Intervention] = [Nothing(), PlainMDAV(10), *OTHERS, *settings((10,), (0.0, 0.5, 1.0))]
    outcomes = {what.name: trials.of(problem, what) for what in asked}
    order = sorted(outcomes, key=lambda name: -outcomes[name].means["accuracy"])
    rows = [[name, *(_shown(outcomes[name], score) for score in ("accuracy", DPAR, EODDS, "precision", "recall"))]
            for name in order]  # fmt: skip
    columns = ("intervention", "accuracy", "dPar", "eOdds", "precision", "recall")
    notes = ("Fair-MDAV with fairlets of 10 at three τ; the figures show the rest.",)
    return Sheet(f"{problem}: interventions side by side, logistic regression", columns, rows, notes)


def loss_sheet(losses: dict[str, dict[str, dict[int, float]]]) -> Sheet:
    """Figure 2 as a table."""
    rows = [
        [name, size, f"{kinds['MDAV'][size]:.4f}", f"{kinds['Fair-MDAV'][size]:.4f}"]
        for name, kinds in losses.items()
        for size in kinds["MDAV"]
    ]
    columns = ("data", "group size", "MDAV", "Fair-MDAV")
    return Sheet("Figure 2: information loss (Eq. 3) by attribute", columns, rows, ("The paper prints no numbers.",))


def best(trials: Trials, classifier: str, score: str, accuracy: float) -> tuple[Fairleted, Outcomes]:
    """The fairest setting on Income, values kept, that reaches an accuracy; else the most accurate."""
    tried = {t.key[1] for t in trials.done.values() if (t.problem, t.classifier) == ("Income", classifier)}
    tried_settings = [
        (setting, trials.of("Income", setting, classifier))
        for setting in settings(SIZES, TAUS, (False,))
        if setting.name in tried
    ]
    good = [pair for pair in tried_settings if pair[1].means["accuracy"] >= accuracy]
    if good:
        return min(good, key=lambda pair: pair[1].means[score])
    return max(tried_settings, key=lambda pair: pair[1].means["accuracy"])


def _both(got: Outcomes, score: str, paper: float) -> list[str]:
    return [_shown(got, score), f"{paper:.2f}"]


def _shown(got: Outcomes, score: str) -> str:
    mean, wide = got.interval(score)
    return f"{mean:.3f} ± {wide:.3f}"


def information_losses(problem: Problem, sizes: tuple[int, ...], seed: int) -> dict[str, dict[int, float]]:
    """Equation 3 by attribute for MDAV and Fair-MDAV on the whole table."""
    whole = Fold(problem.table, problem.table, problem.features, problem.protected,
                 problem.favourable, problem.favourable, seed)  # fmt: skip
    return {
        "MDAV": {size: whole.loss_per_attribute(whole.mdav(size)) for size in sizes},
        "Fair-MDAV": {size: whole.loss_per_attribute(whole.fairlets(size).clusters) for size in sizes},
    }


def income() -> Problem:
    """Adult's training file: 32,561 records, 12 attributes; who earns more is favoured, men against women."""
    table = Table.read(data_file("adult"), missing_values=("?",))
    split = table.column("split")
    table = table.take(np.flatnonzero(split.codes == split.code_of("train"))).compact()
    features = tuple(name for name in table.names if name not in ("sex", "income", "fnlwgt", "split"))
    return Problem("Income", table, features, "sex", _holds(table, "income", ">50K"))


def compas() -> Problem:
    """Those with a jail record: 6,907; no new offence is favoured, Caucasians against all others.

    The authors' notebook keeps six attributes; Table 1's eight seem to count race and label, too.
    """
    table = Table.read(data_file("compas"))
    days = table.column("days_b_screening_arrest")
    there = np.array([value is not None for value in days.domain])[days.codes]
    table = table.take(np.flatnonzero(there)).compact()
    race = table.column("race")
    white = np.array(["Caucasian" if value == "Caucasian" else "Other" for value in race.domain])[race.codes]
    table = table.with_columns([Table.from_frame(pa.table({"race": white})).column("race")])
    features = ("age", "c_charge_degree", "sex", "priors_count", "days_b_screening_arrest", "jail_days")
    return Problem("COMPAS", table, features, "race", _holds(table, "two_year_recid", 0))


def credit() -> Problem:
    """German Credit whole: 1,000 records, 20 attributes; a good risk is favoured, men against women."""
    data = german_credit(columns="all")
    assert data.test is not None
    table = Table.from_frame(pa.concat_tables([data.table.to_arrow(), data.test.to_arrow()]))
    features = tuple(name for name in data.schema.quasi if name != "sex")
    return Problem("Credit", table, features, "sex", _holds(table, "class", "good"))


def _holds(table: Table, name: str, value: Any) -> np.ndarray:
    column = table.column(name)
    holds: np.ndarray = column.codes == column.code_of(value)
    return holds
