"""Tables 3 to 5 of Fair-MDAV, the readings of what the paper leaves open, and the comparisons behind Figure 10."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from experiments import Sheet
from experiments.interventions import (
    Categories,
    Fairleted,
    Intervention,
    Nothing,
    PreferentialSampling,
    Reading,
)
from experiments.papers import read
from experiments.study import Study
from experiments.trials import Outcomes, Problem, Trials

DPAR, EODDS = "demographic-parity-difference", "equalised-odds-score"
SCORES = {"accuracy": "accuracy", "dPar": DPAR}
CATEGORIES: tuple[Categories, ...] = ("rounded", "means", "modes")
CLOSE = {False: 0.007, True: 0.015}
"""How close a setting must come to the authors' own figures to be counted, values kept and aggregated."""
CHOSEN = ("method", "classifier", "setting")
TABLE_3 = {
    "k = 10": Fairleted(10, 1.0, "negative"),
    "k = 20": Fairleted(20, 1.0, "negative"),
    "k = 100": Fairleted(100, 1.0, "negative", mixed=False),
}


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


def candidates(study: Study) -> list[Fairleted]:
    """The settings that Tables 4 and 5 choose from: values kept."""
    sizes = study.pick(tiny=(10,), quick=(20,), full=(10, 20, 50, 100))
    every = tuple(round(0.1 * i, 1) for i in range(11))
    return settings(sizes, study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.1, 1.0), full=every), (False,))


def tried_for_tables(study: Study) -> list[tuple[Intervention, str]]:
    asked: list[tuple[Intervention, str]] = [(Nothing(), "LR"), (PreferentialSampling(), "DT")]
    asked += [(setting, "LR") for setting in TABLE_3.values()]
    return asked + [(setting, name) for name in ("LR", "DT", "AB") for setting in candidates(study)]


def table_3(trials: Trials) -> Sheet:
    rows, ours = [], {}
    for privacy, setting in TABLE_3.items():
        got = trials.of("Income", setting)
        rows.append(["Fair-MDAV" if setting.mixed else "MDAV, corrected", privacy, *_shown(got, DPAR, "accuracy")])
        ours.update({f"{privacy}: {name}": got.means[score] for name, score in SCORES.items()})
    base = trials.of("Income", Nothing())
    rows.append(["no protection", "", *_shown(base, DPAR, "accuracy")])
    notes = (
        f"Logistic regression, negative correction, τ = 1, microaggregated; mean of {trials.folds} of five folds "
        "± half a 95 % interval.",
        "The row k = 100 has no t in the paper: it is read as MDAV's k-groups, labels corrected.",
        "PFLR* is quoted by the paper from its authors, and not run here.",
    )
    return Sheet("Table 3: fairness and accuracy with privacy, Income", ("method", "privacy", "dPar", "accuracy"), rows,
                 notes, of=["Table 3"], ours=ours)  # fmt: skip


def table_4(trials: Trials, problem: Problem, between: tuple[float, float]) -> Sheet:
    rows, ours = [], {}
    for name, least in (("LR", 0.80), ("DT", 0.76)):
        lines, figures = _chosen(trials, problem, name, DPAR, "dPar", least, between)
        rows += lines
        ours.update(figures)
    sampled = trials.of("Income", PreferentialSampling(), "DT")
    rows.append(["PREF, ranked by naive Bayes", "DT", "", *_shown(sampled, DPAR, "accuracy")])
    ours.update({f"PREF, DT: {name}": sampled.means[score] for name, score in SCORES.items()})
    return Sheet("Table 4: demographic parity and accuracy, Income", (*CHOSEN, "dPar", "accuracy"),
                 rows, _how_chosen(trials, "dPar"), of=["Table 4"], ours=ours)  # fmt: skip


def table_5(trials: Trials, problem: Problem, between: tuple[float, float]) -> Sheet:
    rows, ours = [], {}
    for name in ("LR", "AB"):
        lines, figures = _chosen(trials, problem, name, EODDS, "eOdds", 0.85, between)
        rows += lines
        ours.update(figures)
    return Sheet("Table 5: equalised odds and accuracy, Income", (*CHOSEN, "eOdds", "accuracy"),
                 rows, _how_chosen(trials, "eOdds"), of=["Table 5"], ours=ours)  # fmt: skip


def _how_chosen(trials: Trials, label: str) -> tuple[str, ...]:
    count = len(candidates(trials.study))
    return (
        f"Values kept. Both are the setting of least {label}, among {count}, that is at least as accurate as the "
        "paper's (to half a unit of its last digit), or the most accurate where none is.",
        "“Chosen on the test folds”: by the same folds that it is then reported on, which flatters it; the paper does "
        "not say how its settings were chosen.",
        f"“Nested”: for each fold by {inner_folds(trials.study)}-fold cross-validation inside its training part; the "
        "test part is seen once.",
    )


def inner_folds(study: Study) -> int:
    return study.pick(tiny=2, quick=2, full=3)


def _chosen(
    trials: Trials, problem: Problem, name: str, score: str, label: str, least: float, between: tuple[float, float]
) -> tuple[list[list[str]], dict[str, float]]:
    """The setting chosen on the test folds, and by nested cross-validation; our figures are the nested ones."""
    asked = candidates(trials.study)
    seen = {setting: trials.of(problem.name, setting, name) for setting in asked}
    flattered = _fairest({setting: got.means for setting, got in seen.items()}, score, least)
    rows = [["chosen on the test folds", name, _short(flattered), *_shown(seen[flattered], score, "accuracy")]]
    picked: list[Fairleted] = []
    outcomes = []
    for number, fold in enumerate(problem.folds(5, trials.study.seed)):
        if number == trials.folds:
            break
        inside = Problem(f"{problem.name}, training part {number + 1}", fold.train, problem.features,
                         problem.protected, fold.truth)  # fmt: skip
        inner = Trials(trials.study, inner_folds(trials.study))
        inner.run(inside, [(setting, name) for setting in asked], folds=inner.folds, between=between)
        means = {setting: inner.of(inside.name, setting, name).means for setting in asked}
        picked.append(_fairest(means, score, least))
        outcomes.append(seen[picked[-1]].trials[number])
    nested = Outcomes(tuple(outcomes))
    spelled = ", ".join(dict.fromkeys(_short(setting) for setting in picked))
    rows.append(["nested", name, spelled, *_shown(nested, score, "accuracy")])
    return rows, {
        f"Fair-MDAV, {name}: {what}": nested.means[s] for what, s in ((label, score), ("accuracy", "accuracy"))
    }


def _fairest(means: dict[Fairleted, dict[str, float]], score: str, least: float) -> Fairleted:
    good = [setting for setting, found in means.items() if found["accuracy"] >= least - 0.005]
    if good:
        return min(good, key=lambda setting: means[setting][score])
    return max(means, key=lambda setting: means[setting]["accuracy"])


def _short(setting: Fairleted) -> str:
    return f"size {setting.size}, τ={setting.tau:g} {setting.correction}"


def readings_sheet(trials: Trials, problem: Problem, between: tuple[float, float]) -> Iterator[Sheet]:
    """Every reading held against the authors' own results, value by value; ours go into Figures 4 and 7."""
    printed = {table.name: table.numbers for table in read("fair-mdav").printed}
    theirs = {**printed["Figure 4"], **printed["Figure 7"]}
    sizes = trials.study.pick(tiny=(10,), quick=(10,), full=(10, 20, 100))
    asked = settings(sizes, trials.study.pick(tiny=(0.0, 1.0), quick=(0.0, 0.5, 1.0), full=(0.0, 0.5, 1.0)))
    rows = []
    for aggregated, standardize, categories in [
        *((False, s, "rounded") for s in (False, True)),
        *((True, s, c) for s in (False, True) for c in CATEGORIES),
    ]:
        reading = Reading(standardize, categories)
        read_so = {s: Fairleted(s.size, s.tau, s.correction, s.microaggregate, reading)
                   for s in asked if s.microaggregate == aggregated}  # fmt: skip
        trials.run(problem, [(setting, "LR") for setting in read_so.values()], between=between)
        apart = np.array([
            max(abs(trials.of(problem.name, so).means[score] - theirs[f"{s.name}: {name}"])
                for name, score in SCORES.items())
            for s, so in read_so.items()
        ])  # fmt: skip
        rows.append([
            "aggregated" if aggregated else "values kept", "standardized" if standardize else "as they are",
            categories if aggregated else "–", f"{(apart <= CLOSE[aggregated]).sum()} of {len(apart)}",
            f"{np.median(apart):.4f}", f"{apart.max():.4f}",
        ])  # fmt: skip
    yield Sheet(
        "Readings of what the paper leaves open, against the authors' own results on Income",
        ("values", "numbers in the distance", "categories", "settings within", "median difference", "largest"),
        rows,
        (
            f"Within: accuracy and dPar of a setting both differ by at most {CLOSE[False]} where values are kept, "
            f"{CLOSE[True]} where they are aggregated; mean of {trials.folds} of five folds. The reading that is used "
            "(as they are, rounded) was fitted: it is the one of these six that comes nearest to the authors' results. "
            "The product standardizes and publishes modes by default, so that no column decides alone because of its "
            "unit (Adult's capital gain, in dollars, would), and that what is published is a value of the column.",
        ),
    )


def comparison(trials: Trials, problem: str, others: Sequence[Intervention]) -> Sheet:
    """Every intervention with logistic regression on one problem, the most accurate first."""
    ratio = "demographic-parity-ratio"
    outcomes = {what.name: trials.of(problem, what) for what in others}
    fair = {name: got for name, got in trials.settings(problem, "LR").items() if name.startswith("fair-mdav size=10 ")
            and "numbers" not in name}  # fmt: skip
    shown = {**outcomes, **fair}
    order = sorted(shown, key=lambda name: -shown[name].means["accuracy"])
    rows = [[name, *_shown(shown[name], "accuracy", ratio, DPAR, EODDS)] for name in order]
    optimizer = outcomes["threshold optimizer (demographic parity)"].means
    near = [got.means[ratio] for name, got in fair.items()
            if "values kept" in name and got.means["accuracy"] >= optimizer["accuracy"] - 0.01]  # fmt: skip
    kept = max((got.means for name, got in fair.items() if "values kept" in name), key=lambda m: m["accuracy"])
    merged = max((got.means for name, got in fair.items() if "aggregated" in name), key=lambda m: m["accuracy"])
    notes = ["ParDS is in no library that is kept up; the paper's own code is not public, so it is not run."]
    if not any(name.startswith("fair classification") for name in outcomes):
        notes.append("Fair Classification (scikit-lego) was not run here: it takes a quarter of a minute a fold on "
                     "Income, so only the full form runs it there, and it needs the extra `reproduce`.")  # fmt: skip
    return Sheet(
        f"Figure 10: {problem}: interventions side by side, logistic regression, fairlets of 10",
        ("intervention", "accuracy", "dPar ratio", "dPar", "eOdds"),
        rows,
        notes,
        of=["Figure 10"],
        holds={
            f"{problem}: fairlearn": bool(near) and max(near) >= optimizer[ratio],
            f"{problem}: dominated": kept["accuracy"] >= merged["accuracy"],
        },
        pictures=["figure-10.png"] if problem == trials.problems[0] else [],
    )


def _shown(got: Outcomes, *scores: str) -> list[str]:
    return [f"{mean:.3f} ± {wide:.3f}" for mean, wide in map(got.interval, scores)]
