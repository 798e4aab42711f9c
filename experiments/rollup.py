"""Caruccio et al., Section 6: rules of three data sets, what joining adds, what the frontier leaves, and baselines.

The data and the authors' taxonomies are read from the folder FAIRVEIL_DATA; what is not there is
left out and said. What is done is kept in the output folder, and not done again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.rollup_against import FULL_ROWS, METHODS, QUICK_ROWS, compared, verdicts
from experiments.rollup_rules import (
    DECISIONS,
    READINGS,
    SHARES,
    WITH_DECISION,
    Kept,
    data_folder,
    load,
    measured,
    rules_of,
)
from experiments.study import Study
from fairveil.errors import BadInput

TITLE = "Rules read off roll-up dependencies on Electricity, Adult and Bank (Caruccio et al., Figures 4 to A.36)"

PAPER_K = {  # Section 6.2: the largest anonymity level where the text gives it; 1: no rule of at least 2
    "electricity": {0.05: 7846, 0.50: 130},
    "adult": {0.05: 469, 0.50: 78},
    "bank": {0.05: 752, 0.20: 61, 0.50: 1},
}
PAPER_FEWER = {"electricity": "60 to 63 %", "adult": "44 to 87 %", "bank": "86 to 92 %"}  # Section 6.2, RQ3
FIGURES = {  # the figures of Electricity in each kind of picture; Adult's and Bank's are the next two
    "joined": ("4", "7", "10"),
    "tradeoff": ("13", "A.31", "16"),
    "against": ("19", "A.34", "22"),
    "rules": ("25",),
    "frontier": ("28",),
}
ASSUMED = (
    "a pattern includes the decision; equally frequent patterns are kept or left out together",
    "level: the fewest rows that are alike in the rule's columns and in the decision, as the paper counts "
    "(Adult: the 45,222 rows without missing values); k: the same of the quasi columns, which is k-anonymity",
    "accuracy: a scikit-learn decision tree in place of Weka's J48, 10 stratified folds; "
    "SVM: scikit-learn's SVC (radial kernel, C=1) on scaled columns, names one-hot",
    "information gain: mean over the quasi columns of what each published column tells of the decision",
)


def run(study: Study) -> Iterator[Sheet]:
    """All three data sets, all pairs and rules. Full: more levels for the other methods, larger samples for SVM."""
    from experiments import rollup_plots

    out, full, seed = study.out, study.full, study.seed
    folder = data_folder()
    if folder is None:
        raise BadInput(
            "the taxonomies of Caruccio et al. are not here: set FAIRVEIL_DATA to the folder that holds them"
        )
    results: dict[str, dict[float, Kept]] = {}
    readings: dict[str, Kept] = {}
    against: dict[str, dict[str, Any]] = {}
    for place, name in enumerate(DECISIONS):

        def report(what: str, share: float = 0.0, place: int = place) -> None:
            study.tell((place + share) / len(DECISIONS), what)

        task = load(folder, name, seed)
        report(f"{name}: patterns of all pairs")
        readings[name] = rules_of(out, task, name)
        results[name] = {}
        for i, share in enumerate(SHARES):
            report(f"{name}: rules on {share:.0%} of the pairs", 0.2 + i / 10)
            results[name][share] = measured(out, task, name, share)
        against[name] = compared(out, task, name, results[name][SHARES[0]], full, report)
        rollup_plots.draw(out, name, results[name], against[name])
    yield from [_rule_sheet(results), _reading_sheet(readings), *_against_sheets(against, full), _figure_sheet()]


def _rule_sheet(results: Mapping[str, Mapping[float, Kept]]) -> Sheet:
    rows = []
    for name, by_share in results.items():
        for share, rules in by_share.items():
            number, best = len(rules["level"]), sum(rules["best"])
            rows.append([
                name, f"{share:.0%}", rules["extracted"], rules["passing"], number - rules["passing"], rules["tested"],
                best, f"{1 - best / number:.0%}" if number else "", PAPER_FEWER[name],
                max(rules["level"], default=1), PAPER_K[name].get(share, ""), max(rules["k"], default=""),
            ])  # fmt: skip
    columns = ["data", "share", "extracted", "level≥2", "joined", "tested", "frontier", "fewer", "paper's fewer",
               "largest level", "paper's level", "its k"]  # fmt: skip
    joined = [_joining(name, by_share) for name, by_share in results.items()]
    return Sheet(
        "Rules of at least level 2, and their Pareto frontier over level, accuracy and information gain",
        columns, rows, (*joined, *ASSUMED),
    )  # fmt: skip


def _joining(name: str, by_share: Mapping[float, Kept]) -> str:
    """What joined rules have over extracted ones, at the median, per share."""
    sentences = []
    for share, rules in by_share.items():
        is_joined = np.array(rules["is_joined"], dtype=bool)
        if is_joined.any():
            gaps = [
                f"{np.median(np.array(rules[u])[is_joined]) - np.median(np.array(rules[u])[~is_joined]):+.3f} {label}"
                for u, label in (("accuracy", "accuracy"), ("svm", "SVM"), ("ig", "bits"))
            ]
            sentences.append(f"{share:.0%}: {', '.join(gaps)}")
    return f"{name}, joined against extracted rules (medians): " + ("; ".join(sentences) or "nothing was joined")


def _reading_sheet(readings: Mapping[str, Kept]) -> Sheet:
    wanted = [(name, share) for name, printed in PAPER_K.items() for share in printed]
    rows: list[list[Any]] = [["the paper", *(PAPER_K[name][share] for name, share in wanted)]]
    for reading in READINGS:
        for label in (WITH_DECISION, ""):
            numbers = [readings[name]["readings"][reading + label][str(share)] for name, share in wanted]
            rows.append([reading + label, *numbers])
    return Sheet(
        "Largest anonymity level of an extracted rule, by what the paper's sampling and its k may mean",
        ["reading", *(f"{name} {share:.0%}" for name, share in wanted)],
        rows,
        ("the first reading is the one used: it gives every number that the text prints",),
    )


def _against_sheets(against: Mapping[str, dict[str, Any]], full: bool) -> list[Sheet]:
    titles = {"accuracy": "Accuracy (decision tree)", "svm": "Accuracy (SVM)", "ig": "Information gain"}
    sheets = []
    for utility, title in titles.items():
        rows = [
            [name, row["k"], *(_shown(row[method][utility]) for method in METHODS), _shown(compared["plain"][utility])]
            for name, compared in against.items()
            for row in compared["rows"]
        ]
        sentences = [line for name, compared in against.items() for line in verdicts(name, compared["rows"], utility)]
        notes = ["roll-up is the best rule of at least k (share 5 %); k is that of the quasi columns",
                 "the other methods cut numbers as numbers and names by taxonomy"]  # fmt: skip
        if utility == "svm":
            most = FULL_ROWS if full else QUICK_ROWS
            notes.append(f"a table with more than {most:,} distinct rows was sampled to as many rows for the SVM")
        if utility == "ig":
            notes.append("a column of many small regions tells much of the rows it was cut from: gain favours them")
        columns = ["data", "k", *METHODS, "not anonymized"]
        sheets.append(Sheet(f"{title} at the same anonymity level", columns, rows, (*sentences, *notes)))
    return sheets


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _figure_sheet() -> Sheet:
    rows = [
        [f"{name}-{file}.png", ", ".join(_later(figure, place) for figure in figures)]
        for file, figures in FIGURES.items()
        for place, name in enumerate(DECISIONS)
    ]
    return Sheet("Pictures, and the paper's figures in them, from left to right", ["file", "figures"], rows)


def _later(figure: str, by: int) -> str:
    start = figure.rstrip("0123456789")
    return f"{start}{int(figure[len(start) :]) + by}"
