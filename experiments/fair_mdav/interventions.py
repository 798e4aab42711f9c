"""Interventions: what is done to training data, classifier or predictions for fairness or privacy.

Each is a frozen dataclass with a name and `learn(classifier, fold)`, which answers with predictions for the fold's test
part. Fairlearn's two need the extra `reproduce`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from experiments.fair_mdav.fold import AUTHORS, Fold, Reading
from fairveil.errors import need
from fairveil.learning.classifiers import fitted
from fairveil.methods.microaggregation.correction import Correction, correct_fairness


class Intervention(Protocol):
    """A way to fairness, privacy or both."""

    @property
    def name(self) -> str: ...

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        """Predictions (favourable or not) for the fold's test part."""
        ...


@dataclass(frozen=True)
class Nothing:
    """The classifier as it is."""

    reading: Reading = AUTHORS

    @property
    def name(self) -> str:
        return f"none{_unless_authors(self.reading)}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        fold, classifier = fold.read_as(self.reading), self.reading.classifier(classifier, fold.seed)
        return fold.learn(classifier, np.arange(fold.train.rows), fold.truth)


@dataclass(frozen=True)
class PlainMDAV:
    """Privacy only: k-groups publish their means."""

    k: int
    reading: Reading = AUTHORS

    @property
    def name(self) -> str:
        return f"mdav k={self.k}{_unless_authors(self.reading)}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        clusters = fold.mdav(self.k, self.reading.standardize)
        return fold.learn_published(classifier, clusters, self.reading.categories, fold.truth)


@dataclass(frozen=True)
class Fairleted:
    """Fair-MDAV: privacy with `microaggregate`, fairness with τ > 0.

    With `mixed=False` labels are corrected in MDAV's k-groups, whose mix of protected groups is what it happens to be:
    Table 2's k. Nothing is corrected in one that has nobody of a protected group.
    """

    size: int
    tau: float
    correction: Correction = "positive"
    microaggregate: bool = True
    reading: Reading = AUTHORS
    mixed: bool = True

    @property
    def name(self) -> str:
        values = "aggregated" if self.microaggregate else "values kept"
        kind = "fair-mdav" if self.mixed else "corrected k-groups"
        setting = f"{kind} size={self.size} tau={self.tau:g} {self.correction} {values}"
        return setting + _unless_authors(self.reading)

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        form = fold.fairlets if self.mixed else fold.mdav
        clusters = form(self.size, self.reading.standardize, self.reading.notebook)
        fixed = correct_fairness(fold.truth, fold.groups(self.size), clusters, self.tau, self.correction)
        fold, classifier = fold.read_as(self.reading), self.reading.classifier(classifier, fold.seed)
        if self.microaggregate:
            each = self.reading.variant != ""
            return fold.learn_published(classifier, clusters, self.reading.categories, fixed.favourable, each)
        return fold.learn(classifier, np.flatnonzero(clusters.of_row >= 0), fixed.favourable)


@dataclass(frozen=True)
class Reweighing:
    """Kamiran and Calders 2012: a record weighs as much as its group and label were independent."""

    name: ClassVar[str] = "reweighing"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        seen = _pairs(fold)
        weights = (seen.sum(axis=1)[:, None] * seen.sum(axis=0) / len(fold.truth) / np.maximum(seen, 1))[
            fold.sensitive, fold.truth.astype(int)
        ]
        return fold.learn(classifier, np.arange(fold.train.rows), fold.truth, weights)


@dataclass(frozen=True)
class PreferentialSampling:
    """Kamiran and Calders 2012: near the decision boundary records are left out or doubled until independent."""

    name: ClassVar[str] = "preferential sampling"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        from sklearn.naive_bayes import GaussianNB

        chances = GaussianNB().fit(fold.inputs, fold.truth).predict_proba(fold.inputs)[:, 1]
        seen = _pairs(fold)
        chosen = []
        for group in range(len(seen)):
            for label in (0, 1):
                rows = np.flatnonzero((fold.sensitive == group) & (fold.truth == bool(label)))
                if not len(rows):
                    continue
                wanted = round(seen[group].sum() * seen[:, label].sum() / len(fold.truth))
                # the most borderline first: unlikely among the favourable, likely among the denied
                order = rows[np.argsort(chances[rows] if label else -chances[rows], kind="stable")]
                spare = len(order) - wanted
                chosen.append(order[spare:] if spare >= 0 else np.concatenate([order, np.resize(order, -spare)]))
        rows = np.concatenate(chosen)
        return fold.learn(classifier, rows, fold.truth)


@dataclass(frozen=True)
class Thresholds:
    """Fairlearn's ThresholdOptimizer (Hardt et al. 2016): a threshold per group on the classifier's scores."""

    constraint: Literal["demographic_parity", "equalized_odds"] = "demographic_parity"

    @property
    def name(self) -> str:
        return f"threshold optimizer ({self.constraint.replace('_', ' ')})"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        optimizer = _fairlearn("postprocessing").ThresholdOptimizer(
            estimator=classifier, constraints=self.constraint, predict_method="auto", prefit=False
        )
        optimizer.fit(fold.inputs, fold.truth.astype(int), sensitive_features=fold.sensitive)
        outside = fold.test.column(fold.protected).codes.astype(np.int64)
        answers = optimizer.predict(fold.outputs, sensitive_features=outside, random_state=fold.seed)
        return np.asarray(answers).astype(bool)


@dataclass(frozen=True)
class Decorrelated:
    """Fairlearn's CorrelationRemover: features made uncorrelated with the protected column, which then goes."""

    name: ClassVar[str] = "correlation remover"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        width = fold.inputs.shape[1]
        protected = list(range(width - fold.encoding.width(fold.protected), width - 1))  # dummies but one
        remover = _fairlearn("preprocessing").CorrelationRemover(sensitive_feature_ids=protected)
        last = width - 1
        inside, outside = np.delete(fold.inputs, last, axis=1), np.delete(fold.outputs, last, axis=1)
        model = fitted(classifier, remover.fit_transform(inside), fold.truth)
        answers: np.ndarray = model.predict(remover.transform(outside))
        return answers


@dataclass(frozen=True)
class Constrained:
    """Zafar et al. 2017, the paper's “Fair Classification”, as scikit-lego has it.

    Logistic regression whose decision boundary covaries with the protected column by at most `threshold`.
    """

    threshold: float
    kind: ClassVar[str] = "fair classification"

    @property
    def name(self) -> str:
        return f"{self.kind} covariance={self.threshold:g}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        import warnings

        need("sklego", "this comparison")
        import pandas as pd
        from sklego.linear_model import DemographicParityClassifier

        width = fold.inputs.shape[1]
        protected = width - 1  # the last of its one-hot columns; the others say the same
        inside, outside = (pd.DataFrame(matrix, columns=range(width)) for matrix in (fold.inputs, fold.outputs))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it recommends Fairlearn's optimizer, which is compared with, too
            model = DemographicParityClassifier(
                covariance_threshold=self.threshold, sensitive_cols=[protected], train_sensitive_cols=True, penalty="l2"
            )
            answers = model.fit(inside, fold.truth.astype(int)).predict(outside)
        return np.asarray(answers).astype(bool)


def _unless_authors(reading: Reading) -> str:
    return "" if reading == AUTHORS else f", {reading.name}"


def _pairs(fold: Fold) -> np.ndarray:
    """Records per protected value and label."""
    kinds = int(fold.sensitive.max()) + 1
    return np.bincount(fold.sensitive * 2 + fold.truth, minlength=2 * kinds).reshape(kinds, 2)


def _fairlearn(part: str) -> Any:
    from importlib import import_module

    need("fairlearn", "this comparison")
    return import_module(f"fairlearn.{part}")
