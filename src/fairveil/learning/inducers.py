"""Classifiers on columns: how a column becomes numbers, Laplace-corrected leaves, and naive Bayes.

Any scikit-learn classifier works: it gets one 0/1 column per category and one column per number. A missing number is
the median and a flag of its own; a missing category is a category; a category never seen is no category at all. A
classifier that says it is `coded` (C4.5) gets one column each, codes and numbers, NaN where missing or never seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.tree import DecisionTreeClassifier

from fairveil.data.table import Column
from fairveil.learning.discretization import is_numeric, numbers_of

MOST_CATEGORIES = 200
"""Categories beyond the most frequent ones of a column share one place."""
SMALLEST = 1e-6
"""A probability of 0 would end the product of Eq. 1; no classifier is that sure."""


@dataclass(frozen=True)
class Block:
    """One column as numbers, learnt from training rows and the same for rows to classify."""

    places: dict[str | None, int] | None  # category -> column, None for a number
    width: int
    median: float = 0.0

    @classmethod
    def of(cls, column: Column) -> Block:
        if is_numeric(column):
            numbers = numbers_of(column)
            known = numbers[~np.isnan(numbers)]
            holes = len(known) < len(numbers)
            return cls(None, 2 if holes else 1, float(np.median(known)) if len(known) else 0.0)
        order = np.argsort(-np.bincount(column.codes, minlength=len(column.values)), kind="stable")
        places = {_text(column.domain[code]): min(i, MOST_CATEGORIES - 1) for i, code in enumerate(order)}
        return cls(places, min(len(places), MOST_CATEGORIES))

    @property
    def categorical(self) -> bool:
        return self.places is not None

    def codes(self, column: Column) -> np.ndarray:
        """One column: the place of each category, or the number; NaN where there is none."""
        if self.places is None:
            return numbers_of(column)[:, None]
        places = [np.nan if value is None else self.places.get(_text(value), np.nan) for value in column.domain]
        return np.array(places, dtype=float)[column.codes][:, None]

    def transform(self, column: Column) -> np.ndarray:
        made = np.zeros((len(column), self.width), dtype=np.float32)
        if self.places is None:
            numbers = numbers_of(column)
            missing = np.isnan(numbers)
            made[:, 0] = np.where(missing, self.median, numbers)
            if self.width == 2:
                made[:, 1] = missing
            return made
        place = np.array([self.places.get(_text(value), -1) for value in column.domain])[column.codes]
        known = np.flatnonzero(place >= 0)
        made[known, place[known]] = 1.0
        return made


def matrix(estimator: Any, blocks: Sequence[Block], columns: Sequence[Column]) -> np.ndarray:
    """Columns side by side, as the classifier wants them."""
    coded = getattr(estimator, "coded", False)
    parts = [block.codes(column) if coded else block.transform(column)
             for block, column in zip(blocks, columns, strict=True)]  # fmt: skip
    return np.hstack(parts)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


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


INDUCERS = ("tree", "c4.5", "naive-bayes")


def inducer(given: Any) -> Any:
    """The classifier behind a name, or the scikit-learn classifier that was given."""
    from fairveil.errors import BadInput, suggest

    if given == "tree":
        return PrunedTree()
    if given == "naive-bayes":
        return NaiveBayes()
    if given == "c4.5":
        from fairveil.learning.c45 import C45

        return C45()
    if isinstance(given, str):
        raise BadInput(suggest(given, INDUCERS, "inducer"))
    if isinstance(given, type):
        raise BadInput(f"the inducer must be a classifier, not its class: write {given.__name__}()")
    if not (hasattr(given, "fit") and hasattr(given, "predict_proba")):
        raise BadInput(f"the inducer {type(given).__name__} cannot be used: it needs fit and predict_proba")
    return given


def fresh(estimator: Any, blocks: Sequence[Block], seed: int) -> Any:
    """A copy of the classifier that knows its columns and its seed, not trained yet."""
    model = clone(estimator)
    known = model.get_params()
    if "blocks" in known:
        model.set_params(blocks=tuple((block.width, block.categorical) for block in blocks))
    if "random_state" in known and known["random_state"] is None:
        model.set_params(random_state=seed)
    return model


def log_probabilities(model: Any, x: np.ndarray, classes: int) -> np.ndarray:
    """log P(class | x) for every class 0 … classes-1; the leaves of a tree with Laplace's correction."""
    if isinstance(model, DecisionTreeClassifier):
        tree = model.tree_
        rows = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True) * tree.n_node_samples[:, None]
        corrected = (rows + 1.0) / (rows.sum(axis=1, keepdims=True) + rows.shape[1])
        shares = corrected[model.apply(x)]
    else:
        shares = np.asarray(model.predict_proba(x), dtype=float)
    made = np.zeros((len(x), classes))
    made[:, np.asarray(model.classes_, dtype=np.int64)] = shares
    return logarithms(made)


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
            part = slice(start, start + width)
            if categorical:
                self.weights_[:, part] = np.log((sums[:, part] + 1) / (rows + width))
            else:
                self.numbers_ += range(start, start + width)
            start += width
        some = x[:, self.numbers_]
        self.means_ = sums[:, self.numbers_] / rows
        spread = member @ (some * some) / rows - self.means_**2
        floor = 1e-6 * some.var(axis=0) + 1e-9
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
