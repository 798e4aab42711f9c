"""Classifiers of projections: pruned trees, naive Bayes, probabilities with Laplace's correction, and their product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

SMALLEST = 1e-6
"""A probability of 0 would end the product of Eq. 1; no classifier is that sure."""


class PrunedTree(DecisionTreeClassifier):
    """CART with entropy, the default. A branch must save `prune` bits per leaf, or it goes.

    So few rows get a small tree and many a large one, as C4.5's pessimistic pruning has it.
    """

    def __init__(self, prune: float = 5.0, min_samples_leaf: int = 5, random_state: int = 0) -> None:
        super().__init__(criterion="entropy", min_samples_leaf=min_samples_leaf, random_state=random_state)
        self.prune = prune

    def fit(self, x: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> PrunedTree:
        self.ccp_alpha = self.prune / len(y)
        super().fit(x, y, sample_weight)
        return self


def log_probabilities(model: Any, x: np.ndarray, classes: int) -> np.ndarray:
    """log P(class | x) for every class 0 … classes-1; the leaves of a tree with Laplace's correction."""
    if isinstance(model, DecisionTreeClassifier):
        tree = model.tree_
        rows = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True) * tree.n_node_samples[:, None]
        corrected = (rows + 1.0) / (rows.sum(axis=1, keepdims=True) + rows.shape[1])
        shares = corrected[model.apply(x)]
    else:
        shares = np.asarray(model.predict_proba(x), dtype=float)
    complete = np.zeros((len(x), classes))
    complete[:, np.asarray(model.classes_, dtype=np.int64)] = shares
    return logarithms(complete)


def logarithms(shares: np.ndarray) -> np.ndarray:
    """Of probabilities, none of them 0."""
    return np.log(np.maximum(shares, SMALLEST)).astype(np.float32)


def combine(log_shares: Sequence[np.ndarray], log_prior: np.ndarray) -> np.ndarray:
    """Eq. 1 of the paper, in logarithms: the sum over ω subsets minus (ω - 1) times the prior."""
    total = -(len(log_shares) - 1) * log_prior
    for share in log_shares:
        total = total + share
    return np.asarray(total)


def normalized(log_scores: np.ndarray) -> np.ndarray:
    """Probabilities of the classes from logarithms of what is proportional to them."""
    shares = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


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
        """What the columns say about each class, but for a constant; several columns say the sum of what each says."""
        x = np.asarray(x, dtype=float)
        scores = x @ self.weights_.T
        for c in range(len(self.classes_)):
            gap = (x[:, self.numbers_] - self.means_[c]) ** 2 / self.variances_[c]
            scores[:, c] -= 0.5 * (gap + np.log(self.variances_[c])).sum(axis=1)
        return np.asarray(scores)

    def predict_proba(self, x: np.ndarray) -> np.ndarray:
        return normalized(self.prior_ + self.log_likelihood(x))

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])
