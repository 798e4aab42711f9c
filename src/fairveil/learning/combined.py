"""The analyst's side: a classifier per published projection, combined by naive Bayes (Eq. 1 of Matatov et al. 2010).

Class probabilities are in logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.data.coding import alike
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.learning.classifiers import fresh, inducer, is_coded, tree_input
from fairveil.learning.encoding import Blocks

SMALLEST = 1e-6
"""A probability of 0 would end the product of Eq. 1; no classifier is that sure."""

Projected = Callable[[Table, str], Sequence[Column]]
"""From rows in their original values and the name of a projection to its columns as they would be published."""


@dataclass(frozen=True)
class Combined:
    """Trained classifiers by projection. `labels` are the classes, in the order of the probabilities."""

    columns: Projected
    models: Mapping[str, Any]
    encodings: Mapping[str, Blocks]
    log_prior: np.ndarray
    labels: tuple[Any, ...]

    @classmethod
    def fit(
        cls, tables: Mapping[str, Table], decision: str, columns: Projected, classifier: Any = "tree", *, seed: int = 0
    ) -> Combined:
        """Learn from projections alone, as a recipient of a release can; each has the decision.

        `columns` says how other rows would be published in each of them.
        """
        if not tables:
            raise BadInput("nothing is published, so nothing can be learnt from it")
        decisions = [table.column(decision) for table in tables.values()]
        targets, size = alike(decisions)
        estimator = inducer(classifier)
        encodings, models = {}, {}
        for (name, table), target in zip(tables.items(), targets, strict=True):
            features = [feature for feature in table.names if feature != decision]
            encoding = encodings[name] = Blocks.of(table, features, coded=is_coded(estimator))
            models[name] = fresh(estimator, seed, encoding.shape).fit(encoding.matrix(table), target)
        rows = np.bincount(targets[0], minlength=size)
        log_prior = np.log((rows + 1) / (rows.sum() + size))
        return cls(columns, models, encodings, log_prior, tuple(decisions[0].domain))

    def log_scores(self, table: Table) -> np.ndarray:
        """Return the numerator over the denominator of Eq. 1 for every row of a table in its original values."""
        shares = []
        for name, model in self.models.items():
            inputs = self.encodings[name].matrix(Table(tuple(self.columns(table, name))))
            shares.append(log_probabilities(model, inputs, len(self.log_prior)))
        return combine(shares, self.log_prior)

    def probabilities(self, table: Table) -> np.ndarray:
        return normalized(self.log_scores(table))

    def predict(self, table: Table) -> list[Any]:
        return [self.labels[position] for position in np.argmax(self.log_scores(table), axis=1)]


def log_probabilities(model: Any, x: np.ndarray, classes: int) -> np.ndarray:
    """Return log P(class | x) for every class 0 … classes-1; the leaves of a tree with Laplace's correction."""
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(model, DecisionTreeClassifier):
        corrected = leaf_shares(model.tree_)
        narrow = tree_input(model, x)
        shares = corrected[model.apply(x) if narrow is None else model.tree_.apply(narrow)]
    else:
        shares = np.asarray(model.predict_proba(x), dtype=float)
    every = np.zeros((len(x), classes))
    every[:, np.asarray(model.classes_, dtype=np.int64)] = shares
    return logarithms(every)


def leaf_shares(tree: Any, weighted: bool = False) -> np.ndarray:
    """Return the class shares of each node of scikit-learn's tree with Laplace's correction; if `weighted`, the weight
    of a row is how often it occurs."""
    values, counts = tree.value[:, 0, :], tree.weighted_n_node_samples if weighted else tree.n_node_samples
    rows = values / values.sum(axis=1, keepdims=True) * counts[:, None]
    return np.asarray((rows + 1.0) / (rows.sum(axis=1, keepdims=True) + rows.shape[1]))


def logarithms(shares: np.ndarray) -> np.ndarray:
    """Return the logarithms of probabilities, none of which is 0."""
    logs: np.ndarray = np.log(np.maximum(shares, SMALLEST)).astype(np.float32)
    return logs


def combine(log_shares: Sequence[np.ndarray], log_prior: np.ndarray) -> np.ndarray:
    """Return Eq. 1 of the paper, in logarithms: the sum over ω subsets minus (ω - 1) times the prior."""
    return np.asarray(sum(log_shares, start=-(len(log_shares) - 1) * log_prior))


def normalized(log_scores: np.ndarray) -> np.ndarray:
    """Return class probabilities from the logarithms of values proportional to them."""
    shares = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
