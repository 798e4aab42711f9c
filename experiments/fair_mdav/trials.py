"""Trials: every intervention on the same folds, each done once by a study.

>>> mean, wide = interval([0.8, 0.82, 0.81, 0.79, 0.83])
>>> round(mean, 2), round(wide, 3)
(0.81, 0.02)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from experiments.fair_mdav.fold import Fold
from experiments.fair_mdav.interventions import Intervention
from experiments.study import Study
from fairveil.data.table import Table
from fairveil.errors import BadInput, suggest
from fairveil.learning.classifiers import fresh
from fairveil.learning.folds import each_fold, stratified_folds
from fairveil.measures import fairness

FOLDS = 5
CLASSIFIERS = ("LR", "RF", "SGD", "GNB", "DT", "pruned DT", "AB")
SCORES = ("demographic-parity-difference", "demographic-parity-ratio", "equalised-odds-score")


@dataclass(frozen=True)
class Problem:
    """A table to learn from: its features, the protected column and the favourable decisions."""

    name: str
    table: Table
    features: tuple[str, ...]
    protected: str
    favourable: np.ndarray
    ones: Mapping[str, Any] = field(default_factory=dict)
    """Columns of two values that the authors' clean-up notebook has as one number, with the value that is 1."""
    shuffled_by: int | None = None
    """The seed of folds that are drawn without regard to decisions; None: stratified, by the seed of the study."""

    def drawn(self, seed: int) -> Problem:
        """The same with folds that are only shuffled."""
        return replace(self, name=f"{self.name}, folds shuffled by {seed}", shuffled_by=seed)

    def sample(self, rows: int) -> Problem:
        """Some records, spread over the table."""
        chosen = np.arange(self.table.rows)[:: max(self.table.rows // rows, 1)]
        table = self.table.take(chosen).compact()
        return replace(self, table=table, favourable=self.favourable[chosen])

    def folds(self, count: int = FOLDS, seed: int = 0) -> Iterator[Fold]:
        for train, test in each_fold(self.fold_of_row(count, seed)):
            yield Fold(
                self.table.take(train), self.table.take(test), self.features, self.protected,
                self.favourable[train], self.favourable[test], seed, ones=self.ones,
            )  # fmt: skip

    def fold_of_row(self, count: int = FOLDS, seed: int = 0) -> np.ndarray:
        if self.shuffled_by is None:
            return stratified_folds(self.favourable, count, seed, draw="scikit-learn")
        return shuffled_folds(self.table.rows, count, self.shuffled_by)


def shuffled_folds(rows: int, count: int, seed: int) -> np.ndarray:
    """A fold for every row, as scikit-learn's KFold shuffles."""
    from sklearn.model_selection import KFold

    fold = np.empty(rows, dtype=np.int64)
    for number, (_, inside) in enumerate(KFold(count, shuffle=True, random_state=seed).split(np.zeros(rows))):
        fold[inside] = number
    return fold


@dataclass(frozen=True)
class Trial:
    """One classifier under one intervention on one fold."""

    problem: str
    intervention: str
    classifier: str
    fold: int
    scores: dict[str, float]

    @property
    def key(self) -> tuple[str, str, str, int]:
        return self.problem, self.intervention, self.classifier, self.fold


class Trials:
    """All trials of a study so far, by setting."""

    def __init__(self, study: Study, folds: int = FOLDS) -> None:
        self.study, self.folds = study, folds
        self.done: dict[tuple[str, str, str, int], Trial] = {}
        self._by_setting: dict[tuple[str, str, str], list[Trial]] = {}

    def add(self, trial: Trial) -> None:
        if trial.key not in self.done:
            self.done[trial.key] = trial
            self._by_setting.setdefault(trial.key[:3], []).append(trial)

    def run(
        self,
        problem: Problem,
        plan: Sequence[tuple[Intervention, str]],
        *,
        folds: int = FOLDS,
        between: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """Every (intervention, classifier) of the plan on the first `self.folds` of the folds.

        `between` are the shares of the whole work.
        """
        total, seed = self.folds * len(plan), self.study.seed
        progress = self.study.progress.part(*between)
        for number, fold in enumerate(islice(problem.folds(folds, seed), self.folds)):
            for place, (intervention, name) in enumerate(plan):
                share = (number * len(plan) + place) / total
                progress.tell(share, f"{problem.name}: {name}, {intervention.name}, fold {number + 1} of {folds}")

                of = {"data": problem.name, "intervention": intervention.name, "classifier": name, "fold": number}
                found = self.study.once(
                    {**of, "folds": folds, "rows": problem.table.rows},
                    partial(one_trial, fold, intervention, name, seed),
                )
                self.add(Trial(problem.name, intervention.name, name, number, found))

    @property
    def problems(self) -> list[str]:
        return list(dict.fromkeys(key[0] for key in self._by_setting))

    def settings(self, problem: str, name: str) -> dict[str, Outcomes]:
        """All interventions that were tried with a classifier, by name."""
        return {key[1]: self.of(*key) for key in self._by_setting if (key[0], key[2]) == (problem, name)}

    def of(self, problem: str, intervention: Intervention | str, name: str = "LR") -> Outcomes:
        """The trials of one setting."""
        asked = intervention if isinstance(intervention, str) else intervention.name
        trials = self._by_setting.get((problem, asked, name), [])
        if not trials:
            raise BadInput(f"no trial of {asked!r} with {name} on {problem!r} has been run")
        return Outcomes(tuple(sorted(trials, key=lambda t: t.fold)))


@cache
def _threads() -> ThreadpoolController:
    import sklearn.linear_model  # noqa: F401  (a library is known once it is loaded)

    return ThreadpoolController()


def one_trial(fold: Fold, intervention: Intervention, name: str, seed: int) -> dict[str, float]:
    """The scores of one classifier under one intervention on one fold."""
    # matrices are too small to share: threads that wait for each other take five times as long on a busy machine
    with _threads().limit(limits=1):
        return scores(fold, intervention.learn(classifier(name, seed), fold))


@dataclass(frozen=True)
class Outcomes:
    """The folds of one setting, and their means."""

    trials: tuple[Trial, ...]

    def values(self, score: str) -> np.ndarray:
        return np.array([trial.scores[score] for trial in self.trials])

    @cached_property
    def means(self) -> dict[str, float]:
        return {score: float(self.values(score).mean()) for score in self.trials[0].scores}

    def interval(self, score: str) -> tuple[float, float]:
        return interval(self.values(score))


def scores(fold: Fold, answer: np.ndarray) -> dict[str, float]:
    """Accuracy, precision, recall and fairness of predictions for a fold's test part."""
    favoured, truth = np.asarray(answer).astype(bool), fold.outside
    counts = fairness.tally(truth, favoured, fold.test.column(fold.protected).codes)
    hits = float((favoured & truth).sum())
    return {
        "accuracy": float((favoured == truth).mean()),
        "precision": hits / max(float(favoured.sum()), 1.0),
        "recall": hits / max(float(truth.sum()), 1.0),
        **{name: fairness.formula(name)(counts) for name in SCORES},
    }


def interval(values: Iterable[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval (Student)."""
    from scipy.stats import t

    sample = np.asarray(list(values), dtype=float)
    mean, count = float(sample.mean()), len(sample)
    return mean, float(t.ppf(0.975, count - 1) * sample.std(ddof=1) / np.sqrt(count)) if count > 1 else 0.0


def classifier(name: str, seed: int = 0) -> Any:
    """A fresh classifier: LR, RF, SGD (hinge), GNB, DT or AB as scikit-learn ships them, or a pruned DT."""
    from sklearn import ensemble, linear_model, naive_bayes, tree

    if name not in CLASSIFIERS:
        raise BadInput(suggest(name, CLASSIFIERS, "classifier"))
    untrained: dict[str, Callable[[], Any]] = {
        # the optimum is the same as with the default solver, and found sooner where rows are many and columns few
        "LR": lambda: linear_model.LogisticRegression(solver="newton-cholesky"),
        "RF": ensemble.RandomForestClassifier,
        "SGD": lambda: linear_model.SGDClassifier(loss="hinge"),
        "GNB": naive_bayes.GaussianNB,
        "DT": tree.DecisionTreeClassifier,
        "pruned DT": lambda: tree.DecisionTreeClassifier(min_samples_leaf=50),
        "AB": ensemble.AdaBoostClassifier,
    }
    return fresh(untrained[name](), seed)
