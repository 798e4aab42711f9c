"""Scores of classifiers with bootstrap intervals: accuracy, balanced accuracy, F1 and AUC on resampled test rows.

One set of resamples serves all models that are tested on the same rows, so differences between models are paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.data.numeric import significant
from fairveil.learning.classifiers import tree_input

SCORES = {
    "accuracy": "share of decisions that are predicted correctly",
    "balanced-accuracy": "the same within each decision, averaged over decisions",
    "f1": "harmonic mean of precision and recall, averaged over decisions",
    "auc": "chance that a record of a decision is scored above one of another (0.5: guessed)",
}


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, resampled: np.ndarray) -> Estimate:
        present = resampled[~np.isnan(resampled)]
        low, high = np.quantile(present, [0.025, 0.975]) if len(present) else (np.nan, np.nan)
        return cls(float(value), float(low), float(high))


@dataclass(frozen=True)
class Predictions:
    """The predictions of a model for test rows: the decision, and a score for every decision (one column each)."""

    decided: np.ndarray
    scored: np.ndarray

    @classmethod
    def of(cls, model: Any, inputs: np.ndarray, classes: int) -> Predictions:
        """Return the predictions of a trained scikit-learn classifier, whose classes are codes, for these inputs."""
        narrow = tree_input(model, inputs)
        if narrow is not None:  # a tree decides by its shares
            shares = model.predict_proba(narrow, check_input=False)
            scored = np.zeros((len(inputs), classes))
            scored[:, model.classes_] = shares
            return cls(model.classes_.take(np.argmax(shares, axis=1)), scored)
        decided = np.asarray(model.predict(inputs))
        scored = np.full((len(inputs), classes), -np.inf)
        if hasattr(model, "predict_proba"):
            scored[:] = 0.0
            scored[:, model.classes_] = model.predict_proba(inputs)
        elif hasattr(model, "decision_function"):
            margin = np.asarray(model.decision_function(inputs))
            scored[:, model.classes_] = np.column_stack([-margin, margin]) if margin.ndim == 1 else margin
        else:
            scored = np.eye(classes)[decided]
        return cls(decided, scored)


class Bootstrap:
    """Test rows with their true decisions, drawn with replacement `resamples` times."""

    def __init__(self, truth: np.ndarray, classes: int, *, resamples: int, seed: int) -> None:
        rng = np.random.default_rng([seed, len(truth)])
        self.truth, self.classes = truth, classes
        drawn = (rng.integers(0, len(truth), len(truth)) for _ in range(resamples))
        self.weights = [np.ones(len(truth)), *(np.bincount(rows, minlength=len(truth)).astype(float) for rows in drawn)]

    def scores(self, answers: Predictions) -> dict[str, np.ndarray]:
        """Return every score: first of the test rows themselves, then of each resample."""
        cells = self.truth * self.classes + answers.decided
        curves = rankings(answers, self.truth, self.classes)
        rows = []
        for weights in self.weights:
            confusion = np.bincount(cells, weights, minlength=self.classes**2).reshape(self.classes, self.classes)
            rows.append([*confusion_scores(confusion), mean_known([curve.auc(weights) for curve in curves])])
        return dict(zip(SCORES, np.array(rows).T, strict=True))


def estimates(scores: Mapping[str, np.ndarray]) -> dict[str, Estimate]:
    return {name: Estimate.of(values[0], values[1:]) for name, values in scores.items()}


def confusion_scores(confusion: np.ndarray) -> tuple[float, float, float]:
    """Return accuracy, balanced accuracy and macro F1 of a table of true (rows) and predicted (columns) decisions."""
    correct, real, predicted = np.diag(confusion), confusion.sum(axis=1), confusion.sum(axis=0)
    recall = correct[real > 0] / real[real > 0]
    occurring = real + predicted > 0
    return (
        float(correct.sum() / confusion.sum()),
        mean_known(recall),
        mean_known(2 * correct[occurring] / (real + predicted)[occurring]),
    )


class Ranking:
    """Rows in the order of their score, for the area under the ROC curve under any weights of the rows."""

    def __init__(self, scores: np.ndarray, positive: np.ndarray) -> None:
        values, rank = np.unique(significant(scores, 9), return_inverse=True)
        self.size, self.place = len(values), np.where(positive, rank, rank + len(values))

    def auc(self, weights: np.ndarray) -> float:
        """Return the weighted probability that a positive row is above a negative one; equal scores count half."""
        above, below = np.bincount(self.place, weights, minlength=2 * self.size).reshape(2, self.size)
        pairs = above.sum() * below.sum()
        return float(above @ (np.cumsum(below) - below / 2) / pairs) if pairs > 0 else float("nan")

    def curve(self, points: int = 50) -> list[tuple[float, float]]:
        """Return the ROC curve: shares of the negative and of the positive rows with at least each score, at most this
        many points, evenly spread along the curve; empty if all rows are alike."""
        rows = np.bincount(self.place, minlength=2 * self.size).reshape(2, self.size)
        above, below = rows[:, ::-1].cumsum(axis=1)
        if not (above[-1] and below[-1]):
            return []
        x, y = np.append(0, below / below[-1]), np.append(0, above / above[-1])
        kept = np.unique(np.searchsorted((x + y) / 2, np.linspace(0, 1, points)).clip(0, len(x) - 1))
        return [(round(float(x[i]), 4), round(float(y[i]), 4)) for i in kept]


def rankings(answers: Predictions, truth: np.ndarray, classes: int) -> list[Ranking]:
    """Return the ranking of each decision against the rest; for two decisions, one is enough."""
    ranked = range(1, 2) if classes == 2 else range(classes)
    return [Ranking(answers.scored[:, c], truth == c) for c in ranked]


def mean_known(values: np.ndarray | Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN if there are none."""
    present = np.asarray(values, dtype=float)
    present = present[~np.isnan(present)]
    return float(present.mean()) if len(present) else float("nan")
