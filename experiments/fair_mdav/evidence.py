"""What speaks for or against the reasons on Fair-MDAV's page: k-groups beside fairlets, the paper's claims in its
authors' own results, and the same claims with other folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from experiments import Sheet
from experiments.fair_mdav.interventions import Fairleted
from experiments.fair_mdav.tables import DPAR, EODDS, SCORES, SIZES, TAUS, settings
from experiments.fair_mdav.trials import FOLDS, Problem, Trials, one_trial
from experiments.papers import read
from experiments.study import Study

APPENDIX = {
    ("Income", True): ("Figure 4", "Figure 6"),
    ("Income", False): ("Figure 7", "Figure 9"),
    ("COMPAS", True): ("Figure 11", "Figure 15"),
    ("Credit", True): ("Figure 12", "Figure 16"),
    ("COMPAS", False): ("Figure 13", "Figure 17"),
    ("Credit", False): ("Figure 14", "Figure 18"),
}
"""The figures with all sizes and τ, and those with precision and recall, of each data set, aggregated or not."""
NAMES = {**SCORES, "precision": "precision", "recall": "recall"}
"""How the authors' results are named in the paper's file, and by `trials.scores`."""
Scores = Mapping[str, float]
Found = Mapping[tuple[int, float, str, bool], Scores]
"""Scores by size, τ, correction and whether values are aggregated."""


def beside(of: Sequence[str], found: Mapping[Fairleted, Scores]) -> dict[str, float]:
    """Our value of every setting that the authors publish a result of, among those taken over into these tables."""
    theirs = {what for table in read("fair-mdav").printed if table.name in of for what in table.numbers}
    ours = {f"{s.name}: {name}": means[score] for s, means in found.items() for name, score in NAMES.items()}
    return {what: value for what, value in ours.items() if what in theirs}


def k_groups(study: Study, trials: Trials, problems: Sequence[Problem], between: tuple[float, float]) -> Sheet:
    """The half of Table 2's grid that has MDAV's k-groups in place of fairlets."""
    sizes = study.pick(tiny=(10,), quick=(10, 100), full=SIZES)
    grid = settings(sizes, study.pick(tiny=(0.0, 1.0), quick=(0.0, 1.0), full=TAUS), mixed=False)
    rows, ours = [], {}
    for problem in problems:
        trials.run(problem, [(setting, "LR") for setting in grid], between=between)
        found = {s: trials.of(problem.name, s).means for s in grid}
        rows += [
            [problem.name, s.size, f"{s.tau:g}", s.correction, "aggregated" if s.microaggregate else "kept",
             *(f"{means[score]:.3f}" for score in ("accuracy", DPAR, EODDS))]
            for s, means in found.items() if s.tau in (0, 1)
        ]  # fmt: skip
        if problem.name == "Income":
            ours = beside(["Table 2"], found)
    return Sheet(
        "Table 2: labels corrected in k-groups in place of fairlets",
        ("data", "k", "τ", "correction", "values", "accuracy", "dPar", "eOdds"),
        rows,
        (f"Logistic regression, {len(grid)} settings on each data set, those without and with full correction shown. "
         "The other half of the grid, fairlets, is in Figures 4 to 9 and 11 to 18.",),
        of=["Table 2"],
        ours=ours,
    )  # fmt: skip


def grid_claims(problem: str, aggregated: bool, found: Mapping[Fairleted, Scores]) -> tuple[dict[str, bool], list[str]]:
    """The claims of a figure with all sizes and τ: whether each holds, and how it was read."""
    sizes = sorted({s.size for s in found})
    free = {s.size: m for s, m in found.items() if s.tau == 0}
    fixed = {(s.size, str(s.correction)): m for s, m in found.items() if s.tau == 1}
    holds, notes = {}, []
    for score, correction in (("precision", "negative"), ("recall", "positive")):
        better = [fixed[size, correction][score] >= free[size][score] for size in sizes]
        holds[score] = all(better)
        notes.append(f"{score.capitalize()} improves by full {correction} correction at {sum(better)} of {len(sizes)} "
                     "sizes; the claim is read as: at all.")  # fmt: skip
    if aggregated:
        small, large = sizes[0], sizes[-1]
        holds["size"] = free[large]["accuracy"] <= free[small]["accuracy"]
        notes.append(f"That larger fairlets lose accuracy is read as: those of {large} are no more accurate than those "
                     f"of {small}, without correction.")  # fmt: skip
    elif problem == "Income":
        fairest = min(found, key=lambda s: found[s][EODDS])
        holds["accurate"] = found[fairest]["accuracy"] > 0.84
        notes.append(f"The fairest of these {len(found)} (eOdds {found[fairest][EODDS]:.3f}), chosen on the test "
                     f"folds, is {fairest.name}.")  # fmt: skip
    return holds, notes


CLAIMS: dict[str, Callable[[Found], bool]] = {
    "Figure 3: full negative correction lowers dPar (fairlets of 10, aggregated)": lambda m: (
        m[10, 1.0, "negative", True][DPAR] < m[10, 0.0, "none", True][DPAR]
    ),
    "Figure 3: it costs at most 0.02 of accuracy": lambda m: (
        m[10, 0.0, "none", True]["accuracy"] - m[10, 1.0, "negative", True]["accuracy"] <= 0.02
    ),
    "Figure 5: full positive correction lowers dPar (fairlets of 10, aggregated)": lambda m: (
        m[10, 1.0, "positive", True][DPAR] < m[10, 0.0, "none", True][DPAR]
    ),
    "Figures 4, 11 and 12: fairlets of 100 are less accurate than of 10 (aggregated, no correction)": lambda m: (
        m[100, 0.0, "none", True]["accuracy"] <= m[10, 0.0, "none", True]["accuracy"]
    ),
    **{
        f"Figures {figures}: {correction} correction improves {score}, sizes 10 and 100 ({kind})": partial(
            lambda m, score, correction, values: all(
                m[size, 1.0, correction, values][score] >= m[size, 0.0, "none", values][score] for size in (10, 100)
            ),
            score=score, correction=correction, values=values,
        )
        for figures, kind, values in (("6, 15 and 16", "aggregated", True), ("9, 17 and 18", "values kept", False))
        for score, correction in (("precision", "negative"), ("recall", "positive"))
    },
}  # fmt: skip
"""Those of the paper's claims that can be told from fairlets of 10 and 100, without and with full correction."""


def other_folds(study: Study, problems: Sequence[Problem]) -> Sheet:
    """The paper's claims in its authors' own results, and with folds that other seeds draw."""
    seeds = {name: range(study.pick(tiny=1, quick=quick, full=full))
             for name, quick, full in (("Income", 1, 5), ("COMPAS", 3, 20), ("Credit", 5, 20))}  # fmt: skip
    rows, notes = [], []
    for problem in problems:
        drawn = []
        for seed in seeds[problem.name]:
            study.tell(0.55, f"{problem.name}: folds of seed {seed}")
            of = {"what": "other folds", "data": problem.name, "rows": problem.table.rows, "folds' seed": seed}
            drawn.append(_by_setting(study.once(of, partial(_means, problem, seed))))
        theirs = _theirs(problem.name)
        for claim, holds in CLAIMS.items():
            ours = f"{sum(map(holds, drawn))} of {len(drawn)}"
            rows.append([problem.name, claim, "holds" if holds(theirs) else "does not hold", ours])
        if len(drawn) > 1:
            widest = {name: max(np.std([m[key][score] for m in drawn], ddof=1) for key in drawn[0])
                      for name, score in NAMES.items()}  # fmt: skip
            spread = ", ".join(f"{name} {wide:.3f}" for name, wide in widest.items())
            notes.append(f"{problem.name}: the standard deviation over {len(drawn)} seeds of a mean of five folds is "
                         f"at most {spread} in these settings.")  # fmt: skip
    return Sheet(
        "The paper's claims in its authors' own results and with other folds",
        ("data", "claim", "authors' results", "ours, seeds in which it holds"),
        rows,
        (
            "The authors publish the figures that their plots are made of; a claim is held against those of them that "
            "the paper's file here has, and against ours with the same settings. Logistic regression.",
            *notes,
        ),
    )


def _means(problem: Problem, seed: int) -> dict[str, dict[str, float]]:
    """The mean of five folds of every setting that a claim looks at."""
    asked = settings((10, 100), (0.0, 1.0))
    outcomes: dict[str, list[dict[str, float]]] = {setting.name: [] for setting in asked}
    for fold in problem.folds(FOLDS, seed):
        for setting in asked:
            outcomes[setting.name].append(one_trial(fold, setting, "LR", seed))
    return {name: {score: float(np.mean([one[score] for one in ones])) for score in NAMES.values()}
            for name, ones in outcomes.items()}  # fmt: skip


def _theirs(problem: str) -> Found:
    tables = {table.name: table.numbers for table in read("fair-mdav").printed}
    figures = [figure for (name, _), both in APPENDIX.items() if name == problem for figure in both]
    printed = {what: value for figure in figures for what, value in tables[figure].items()}
    return _by_setting({
        s.name: {score: printed[f"{s.name}: {name}"] for name, score in NAMES.items()}
        for s in settings((10, 100), (0.0, 1.0))
    })  # fmt: skip


def _by_setting(by_name: Mapping[str, Scores]) -> Found:
    asked = settings((10, 100), (0.0, 1.0))
    return {(s.size, s.tau, s.correction, s.microaggregate): by_name[s.name] for s in asked}
