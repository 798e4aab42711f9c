"""Class probabilities in logarithms: those of one model, and of several combined (Eq. 1 of Matatov et al. 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

SMALLEST = 1e-6
"""A probability of 0 would end the product of Eq. 1; no classifier is that sure."""


def log_probabilities(model: Any, x: np.ndarray, classes: int) -> np.ndarray:
    """Return log P(class | x) for every class 0 … classes-1; the leaves of a tree with Laplace's correction."""
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(model, DecisionTreeClassifier):
        tree = model.tree_
        rows = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True) * tree.n_node_samples[:, None]
        corrected = (rows + 1.0) / (rows.sum(axis=1, keepdims=True) + rows.shape[1])
        shares = corrected[model.apply(x)]
    else:
        shares = np.asarray(model.predict_proba(x), dtype=float)
    every = np.zeros((len(x), classes))
    every[:, np.asarray(model.classes_, dtype=np.int64)] = shares
    return logarithms(every)


def logarithms(shares: np.ndarray) -> np.ndarray:
    """Return the logarithms of probabilities, none of which is 0."""
    return np.log(np.maximum(shares, SMALLEST)).astype(np.float32)


def combine(log_shares: Sequence[np.ndarray], log_prior: np.ndarray) -> np.ndarray:
    """Return Eq. 1 of the paper, in logarithms: the sum over ω subsets minus (ω - 1) times the prior."""
    total = -(len(log_shares) - 1) * log_prior
    for share in log_shares:
        total = total + share
    return np.asarray(total)


def normalized(log_scores: np.ndarray) -> np.ndarray:
    """Return class probabilities from the logarithms of values proportional to them."""
    shares = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
