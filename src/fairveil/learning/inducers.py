"""Classifiers of projections that scikit-learn does not have: pruned trees, and naive Bayes on mixed columns."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from fairveil.learning.probabilities import normalized


class PrunedTree(DecisionTreeClassifier):
    """CART with entropy, the default. A branch that saves less than `prune` bits per leaf is pruned.

    So few rows give a small tree and many rows a large one, as with C4.5's pessimistic pruning.
    """

    def __init__(self, prune: float = 5.0, min_samples_leaf: int = 5, random_state: int = 0) -> None:
        super().__init__(criterion="entropy", min_samples_leaf=min_samples_leaf, random_state=random_state)
        self.prune = prune

    def fit(self, x: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> PrunedTree:
        self.ccp_alpha = self.prune / len(y)
        super().fit(x, y, sample_weight)
        return self


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """Naive Bayes on mixed columns: Laplace-corrected frequencies of categories, normal densities of numbers.

    `blocks` lists (width, categorical) of consecutive columns; without it every column is a number.
    """

    def __init__(self, blocks: tuple[tuple[int, bool], ...] | None = None) -> None:
        self.blocks = blocks

    def fit(self, x: np.ndarray, y: np.ndarray) -> NaiveBayes:
        x = np.asarray(x, dtype=float)
        self.classes_, place = np.unique(y, return_inverse=True)
        member = np.zeros((len(self.classes_), len(x)))
        member[place, np.arange(len(x))] = 1.0
        rows = member.sum(axis=1, keepdims=True)
        self.prior_ = np.log((rows[:, 0] + 1) / (rows.sum() + len(rows)))
        sums = member @ x
        self.weights_ = np.zeros_like(sums)
        self.numbers_: list[int] = []
        start = 0
        for width, categorical in self.blocks or ((1, False),) * x.shape[1]:
            columns = slice(start, start + width)
            if categorical:
                self.weights_[:, columns] = np.log((sums[:, columns] + 1) / (rows + width))
            else:
                self.numbers_ += range(start, start + width)
            start += width
        numbers = x[:, self.numbers_]
        self.means_ = sums[:, self.numbers_] / rows
        spread = member @ (numbers * numbers) / rows - self.means_**2
        floor = 1e-6 * numbers.var(axis=0) + 1e-9
        self.variances_ = np.maximum(spread, floor)
        return self

    def log_likelihood(self, x: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of the columns under each class, up to a constant; it is additive over columns."""
        x = np.asarray(x, dtype=float)
        scores = x @ self.weights_.T
        for c in range(len(self.classes_)):
            gap = (x[:, self.numbers_] - self.means_[c]) ** 2 / self.variances_[c]
            scores[:, c] -= 0.5 * (gap + np.log(self.variances_[c])).sum(axis=1)
        return np.round(scores, 9)  # equal sums are equal, in whatever order they were added

    def predict_proba(self, x: np.ndarray) -> np.ndarray:
        return normalized(self.prior_ + self.log_likelihood(x))

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])
