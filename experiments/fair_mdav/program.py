"""What the authors' results tell of their program, and those results beside ours by the same folds and learner.

Their notebooks were not available, but the means of five folds that they publish have all digits. A first fold has one
record more than the others, so that a mean of accuracies tells how many predictions were right in it and in all; and
the mean composition of fairlets of 50 and 80 tells how many folds had more or fewer women. Both fit folds that are
shuffled by the seed 42 without regard to decisions, and neither fits stratified folds nor other usual seeds. With these
folds one learner comes out: liblinear on the columns of the clean-up notebook, as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from experiments import Sheet
from experiments.fair_mdav.evidence import APPENDIX, NAMES, beside
from experiments.fair_mdav.fold import AUTHORS, PROGRAM
from experiments.fair_mdav.interventions import Fairleted, Nothing
from experiments.fair_mdav.tables import DPAR, EODDS, SIZES, TABLE_3, TAUS, settings
from experiments.fair_mdav.trials import FOLDS, Problem, Trials, shuffled_folds
from experiments.papers import read
from experiments.study import Study
from fairveil.learning.folds import stratified_folds

SEED = 42
DRAWS = 100
"""How many seeds are tried for folds of the same composition."""
KEPT, COMPOSITION = "Figure 7 (all sizes)", "Figure 4 (composition)"
NOTHING = "no intervention: accuracy"
LEARNERS = {
    "liblinear, numbers as they are": PROGRAM,
    "liblinear, numbers from 0 to 1": replace(PROGRAM, min_max=True),
    "liblinear with l1, numbers as they are": replace(PROGRAM, variant="with l1"),
    "today's default, standardized": AUTHORS,
}
"""Learners that are held against the authors' correct predictions without an intervention."""


@dataclass(frozen=True)
class Right:
    """Correct predictions in the first fold, and in all."""

    first: int
    total: int

    @classmethod
    def of_mean(cls, mean: float, rows: int) -> Right:
        """Recover them from the mean accuracy of five folds, whose first alone has a record more than the others."""
        size = rows // FOLDS
        assert rows % FOLDS == 1
        # 5 · mean = first / (size + 1) + (total - first) / size
        scaled = Fraction(mean) * FOLDS * size * (size + 1)
        for total in range(int(mean * rows) - 1, int(mean * rows) + 3):
            first = total * (size + 1) - scaled
            if abs(first - round(first)) < Fraction(1, 20) and 0 <= round(first) <= size + 1:
                return cls(round(first), total)
        raise ValueError(f"{mean} is not a mean of five folds of {rows} records")


def sheets(study: Study, trials: Trials, problems: Sequence[Problem], between: tuple[float, float]) -> Iterator[Sheet]:
    yield folds_and_learner(study, trials, problems[0], between)
    for problem in problems:
        yield by_program(study, trials, problem, between)


def folds_and_learner(study: Study, trials: Trials, problem: Problem, between: tuple[float, float]) -> Sheet:
    """Which folds and which learner the authors' results ask for."""
    theirs = next(table.numbers for table in read("fair-mdav").printed if table.name == KEPT)
    sizes = study.pick(tiny=(10,), quick=(50, 100), full=SIZES)
    kept = [s for mixed in (True, False) for s in settings(sizes, (0.0,), (False,), mixed)]
    drawn = problem.drawn(SEED)
    trials.run(drawn, [(replace(s, reading=PROGRAM), "LR") for s in kept], between=between)
    trials.run(drawn, [(Nothing(reading), "LR") for reading in LEARNERS.values()], between=between)
    sex = problem.table.column(problem.protected)
    women = sex.codes == sex.code_of("Female")
    seats = partial(_mean_seats, women)
    ours = {f"{s.name}: accuracy": trials.of(drawn.name, replace(s, reading=PROGRAM)).means["accuracy"] for s in kept}
    ours |= {
        f"size={size}: unfavoured": seats for size, seats in zip((50, 80), seats(drawn.fold_of_row()), strict=True)
    }
    ours[NOTHING] = trials.of(drawn.name, Nothing(PROGRAM)).means["accuracy"]
    rows = [["authors' results", "", *_seats_of_authors(), *_counted(theirs[NOTHING], AUTHORS_ROWS)]]
    for label, fold in _draws(problem).items():
        rows.append([f"folds {label}", "", *map(str, seats(fold)), "", ""])
    for label, reading in LEARNERS.items():
        got = trials.of(drawn.name, Nothing(reading)).values("accuracy")
        counts = np.rint(got * np.bincount(drawn.fold_of_row())[: len(got)]).astype(int)
        rows.append(
            [f"folds shuffled by {SEED}", label, *map(str, seats(drawn.fold_of_row())), counts[0], counts.sum()]
        )
    same = study.once(
        {"what": "seeds of the same composition", "rows": problem.table.rows}, lambda: _same(women, problem.favourable)
    )
    spread = [Right.of_mean(value, AUTHORS_ROWS).first for what, value in theirs.items() if what != NOTHING]
    first = [round(float(trials.of(drawn.name, replace(s, reading=PROGRAM)).values("accuracy")[0] * _first(drawn)))
             for s in kept]  # fmt: skip
    return Sheet(
        "Figure 7: which folds and learner the authors' results ask for, Income without correction",
        ("", "learner", "unfavoured in fairlets of 50", "of 80", "correct in fold 1", "correct in all"),
        rows,
        (
            "A mean of five folds tells two counts, because the first fold has one record more: the authors' baseline "
            f"has {Right.of_mean(theirs[NOTHING], AUTHORS_ROWS).first} correct predictions in it.",
            f"Of the seeds 0 to {DRAWS - 1} the composition fits {len(same['plain'])} by which folds are only "
            f"shuffled, {SEED} among them, and {len(same['stratified'])} by which they are stratified; of those in "
            "this sheet it fits one.",
            f"With values kept and no correction only few records and the order of rows differ by size: the authors' "
            f"first fold has {min(spread)} to {max(spread)} correct predictions in {len(spread)} settings, ours "
            f"{min(first)} to {max(first)} in {len(first)}. A learner that reaches its optimum would hardly differ.",
            *_ties(study, drawn),
            f"Mean of {trials.folds} of five folds.",
        ),
        of=[KEPT, COMPOSITION],
        ours=ours,
    )


AUTHORS_ROWS = 32_561
"""Records of Income: the means that are published fit these five folds to the last digit."""


def _ties(study: Study, drawn: Problem) -> Iterator[str]:
    """How much the first fold depends on which of several equally near records joins a fairlet."""
    size = study.pick(tiny=10, quick=100, full=100)
    theirs = next(table.numbers for table in read("fair-mdav").printed if table.name == "Figure 4 (all sizes)")
    mean = theirs[f"fair-mdav size={size} tau=0 none aggregated: accuracy"]
    of = {"what": "ties", "rows": drawn.table.rows, "size": size}
    ours = study.once(of, lambda: _by_chance(drawn, size, study.pick(tiny=1, quick=3, full=10)))
    yield ("Which of several equally near records joins a fairlet is not in the text. With such ties broken at random "
           f"fairlets of {size}, aggregated, have {min(ours)} to {max(ours)} correct predictions in the first fold "
           f"({len(ours)} draws); the authors' have {Right.of_mean(mean, AUTHORS_ROWS).first}.")  # fmt: skip


def _by_chance(drawn: Problem, size: int, draws: int) -> list[int]:
    fold = next(drawn.folds())
    counts = []
    for ties in range(draws):
        clusters, model = fold.fairlets_by_chance(size, ties), PROGRAM.classifier(None, 0)
        learnt = fold.read_as(PROGRAM).learn_published(model, clusters, PROGRAM.categories, fold.truth, True)
        counts.append(int((learnt == fold.outside).sum()))
    return counts


def _counted(mean: float, rows: int) -> tuple[int, int]:
    right = Right.of_mean(mean, rows)
    return right.first, right.total


def _first(problem: Problem) -> int:
    return int((problem.fold_of_row() == 0).sum())


def _seats_of_authors() -> tuple[str, str]:
    numbers = next(table.numbers for table in read("fair-mdav").printed if table.name == COMPOSITION)
    return str(numbers["size=50: unfavoured"]), str(numbers["size=80: unfavoured"])


def _draws(problem: Problem) -> dict[str, np.ndarray]:
    good, rows = problem.favourable, problem.table.rows
    return {
        "in the order of the file": np.arange(rows) * FOLDS // rows,
        "shuffled by 0": shuffled_folds(rows, FOLDS, 0),
        "shuffled by 1": shuffled_folds(rows, FOLDS, 1),
        "stratified, shuffled by 0": stratified_folds(good, FOLDS, 0, draw="scikit-learn"),
        f"stratified, shuffled by {SEED}": stratified_folds(good, FOLDS, SEED, draw="scikit-learn"),
    }


def _mean_seats(women: np.ndarray, fold: np.ndarray) -> tuple[float, float]:
    """The mean number of women in fairlets of 50 and 80, formed in the training part of every fold."""
    shares = [women[fold != number].mean() for number in range(FOLDS)]
    fifty, eighty = (round(sum(round(size * share) for share in shares) / FOLDS, 1) for size in (50, 80))
    return fifty, eighty


def _same(women: np.ndarray, good: np.ndarray) -> dict[str, list[int]]:
    """The seeds whose folds give fairlets the authors' mean composition, by how folds are drawn."""
    wanted = tuple(map(float, _seats_of_authors()))
    ways = {
        "plain": partial(shuffled_folds, len(women), FOLDS),
        "stratified": partial(stratified_folds, good, FOLDS, draw="scikit-learn"),
    }
    return {way: [seed for seed in range(DRAWS) if _mean_seats(women, draw(seed)) == wanted]
            for way, draw in ways.items()}  # fmt: skip


def by_program(study: Study, trials: Trials, problem: Problem, between: tuple[float, float]) -> Sheet:
    """The authors' results beside ours by the folds and the learner that they ask for."""
    figures = [figure for (name, _), both in APPENDIX.items() if name == problem.name for figure in both]
    income = problem.name == "Income"
    of = [*figures, *(["Figure 4 (all sizes)", "Table 2", "Table 3"] if income else [])]
    asked = list(dict.fromkeys(_asked(study, income)))
    drawn = problem.drawn(SEED)
    trials.run(drawn, [(replace(s, reading=PROGRAM), "LR") for s in asked], between=between)
    found = {s: trials.of(drawn.name, replace(s, reading=PROGRAM)).means for s in asked}
    ours = beside(of, found)
    if income:
        ours |= {f"{row}: {name}": found[s][NAMES[name]] for row, s in TABLE_3.items() if s in found
                 for name in ("accuracy", "dPar")}  # fmt: skip
    theirs = {what: value for table in read("fair-mdav").printed if table.name in of
              for what, value in table.numbers.items()}  # fmt: skip
    rows = [[what.rsplit(": ", 1)[0], what.rsplit(": ", 1)[1], f"{value:.4f}", f"{theirs[what]:.4f}",
             f"{value - theirs[what]:+.4f}"] for what, value in ours.items()]  # fmt: skip
    holds, notes = claims(found) if income and study.full else ({}, [])
    return Sheet(
        f"{problem.name}: the authors' results, by the folds and the learner that they ask for",
        ("setting", "score", "ours", "authors'", "difference"),
        rows,
        (*_distances(ours, theirs, problem.name), *notes, f"Mean of {trials.folds} of five folds."),
        of=of,
        ours=ours,
        holds=holds,
    )


def _asked(study: Study, income: bool) -> list[Fairleted]:
    """The settings of the authors' results that the paper's file has."""
    sizes = study.pick(tiny=(10,), quick=(10, 100), full=(10, 20, 100))
    if not income:
        return settings(sizes, (0.0, 1.0))
    if not study.full:
        return settings(sizes[-1:], (0.0,), (True,))
    every = settings(SIZES, (0.0,), (True,))
    taus = [s for mixed in (True, False) for s in settings((10,), TAUS, (False,), mixed)]
    both = [s for mixed in (True, False) for s in settings(sizes, (0.0, 0.5, 1.0), mixed=mixed)]
    return [*every, *both, *taus, *TABLE_3.values()]


Found = Mapping[Fairleted, Mapping[str, float]]


def claims(found: Found) -> tuple[dict[str, bool], list[str]]:
    """What the text of sections 4.1 and 4.2 says of Income beside Figures 4 to 9, and how it was read."""
    lines = {
        (s.size, s.mixed, s.microaggregate, way): {t.tau: m for t, m in found.items() if _same_line(s, t, way)}
        for s in found
        if s.tau == 1
        for way in ("positive", "negative")
    }
    merged = {key: line for key, line in lines.items() if key[2]}
    kept = {key: line for key, line in lines.items() if not key[2]}
    finest = [line for (size, *_), line in kept.items() if size == 10]
    best = [{score: min(line, key=lambda tau: line[tau][score]) for score in (DPAR, EODDS)} for line in finest]
    fairest = [min(line, key=lambda tau: line[tau][score]) == 1 for line in merged.values() for score in (DPAR, EODDS)]
    fairer = [line[1.0][EODDS] < line[0.0][EODDS] for (*_, way), line in merged.items() if way == "negative"]
    ways = [_trend(line) == {"positive": (-1, 1), "negative": (1, -1)}[way] for (*_, way), line in kept.items()]
    costs = [line[1.0]["accuracy"] < line[0.5]["accuracy"] < line[0.0]["accuracy"] for line in kept.values()]
    holds = {
        "Income: one is fairest": all(fairest),
        "Income: fairer": all(fairer),
        "Income: opposite": all(ways),
        "Income: costs": all(costs),
        "Income: best for eOdds": all(0.6 <= taus[EODDS] <= 0.8 for taus in best),
        "Income: best for dPar": all(taus[DPAR] == 1 for taus in best),
    }
    spelled = "; ".join(f"dPar {taus[DPAR]:g}, eOdds {taus[EODDS]:g}" for taus in best)
    notes = [
        f"Aggregated, τ = 1 is the fairest of those tried in {sum(fairest)} of {len(fairest)} cases (size, fairlets or "
        f"k-groups, correction, score); negative correction lowers eOdds in {sum(fairer)} of {len(fairer)}.",
        f"Values kept, precision and recall move in opposite directions, as the text says for each correction, in "
        f"{sum(ways)} of {len(ways)} cases; accuracy falls with τ in {sum(costs)} of {len(costs)}.",
        f"Values kept, groups of 10, the fairest τ of eleven (fairlets, then k-groups; positive, then negative): "
        f"{spelled}.",
    ]
    return holds, notes


def _same_line(one: Fairleted, other: Fairleted, way: str) -> bool:
    """Whether two settings differ by τ alone, in one direction of correction."""
    same = (one.size, one.mixed, one.microaggregate) == (other.size, other.mixed, other.microaggregate)
    return same and other.correction in (way, "none")


def _trend(line: Mapping[float, Mapping[str, float]]) -> tuple[int, int]:
    """Whether precision and recall rise or fall with full correction."""
    precision, recall = (int(np.sign(line[1.0][score] - line[0.0][score])) for score in ("precision", "recall"))
    return precision, recall


def _distances(ours: Mapping[str, float], theirs: Mapping[str, float], problem: str) -> Iterator[str]:
    for kind in ("fair-mdav", "corrected k-groups"):
        for values in ("aggregated", "values kept"):
            apart = [abs(value - theirs[what]) for what, value in ours.items()
                     if what.startswith(kind) and f"{values}: accuracy" in what]  # fmt: skip
            if apart:
                yield (f"{problem}, {kind}, {values}: accuracy is {np.mean(apart):.4f} from the authors' in the mean, "
                       f"{max(apart):.4f} at most, in {len(apart)} settings.")  # fmt: skip
