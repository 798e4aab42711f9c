"""DMPD against TDS and TDR: Tables 1 to 6, Fig. 10 to 12 of Matatov, Rokach and Maimon (2010), ours beside theirs."""

from __future__ import annotations

from collections.abc import Iterator

from experiments import Sheet
from experiments.decomposition.evidence import baseline_cases, baselines, far_away, origins, other_halves
from experiments.decomposition.lengths import figure_11, figure_12, length_cases
from experiments.decomposition.runs import LARGE, Case, Runs, available
from experiments.decomposition.runtime import runtime_by_k, table_2
from experiments.decomposition.tables import (
    compared_cases,
    comparison,
    in_full_only,
    over_all,
    recoded,
    recoded_cases,
    table_1,
    table_1_cases,
)
from experiments.study import Study

TITLE = "DMPD: columns split instead of values blurred, against TDS and TDR (Matatov, Rokach and Maimon 2010)"
SMALL = ("vote", "heart", "pima", "crx", "cmc", "german_credit", "wisconsin")


def run(study: Study) -> Iterator[Sheet]:
    """All tables; the quick form takes the small data sets, two values of k, short searches, a sample of Adult. Data
    sets whose file is not found are left out, and the first sheet says which."""
    runs = Runs(study)
    small = [name for name in study.pick(tiny=("vote",), quick=SMALL, full=SMALL) if available(name)]
    large = [name for name in LARGE if study.full and available(name)]
    data = [*small, *large]
    shares = study.pick(tiny=_SHARES, quick=_SHARES, full=_SHARES_FULL)
    parts = (study.progress.part(low, high) for low, high in zip(shares, (*shares[1:], 1.0), strict=True))

    def computed(cases: list[Case]) -> None:
        runs.all(list(dict.fromkeys(cases)), next(parts))

    yield origins(data)
    computed(baseline_cases(runs, data))
    yield baselines(runs, data)
    computed(compared_cases(runs, "german_credit"))
    yield comparison(runs, "german_credit")
    computed(length_cases(study))
    yield figure_11(runs)
    computed(table_1_cases(runs, small))
    computed(other_halves(runs, far_away(runs, small)))
    yield table_1(runs, small)
    if large:
        computed(table_1_cases(runs, large))
        yield table_1(runs, large)
    elif study.size == "quick":
        yield in_full_only()
    computed(compared_cases(runs, "adult"))
    yield comparison(runs, "adult")
    yield over_all(runs)
    yield table_2(study, next(parts))
    yield runtime_by_k(study)
    yield figure_12(runs, next(parts))
    computed(recoded_cases(runs, "german_credit"))
    yield recoded(runs, "german_credit")
    if not study.full:  # of all of Adult it takes hours
        computed(recoded_cases(runs, "adult"))
        yield recoded(runs, "adult")


_SHARES = (0.0, 0.05, 0.15, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_SHARES_FULL = (0.0, 0.01, 0.05, 0.08, 0.18, 0.2, 0.35, 0.5, 0.7, 0.8)
"""Where each part of the work begins, as a share of the whole, about."""
