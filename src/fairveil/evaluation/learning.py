"""What a recipe is worth for learning: fitted on one half, applied to the other, a classifier between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairveil.data.table import Table
from fairveil.recipes.base import Recipe


def classify(recipe: Recipe | None, train: Table, test: Table, decision: str, inducer: Any = "tree") -> float:
    """Accuracy on `test` of a classifier that learnt from `train` as published (the paper's Fig. 9); no recipe: as is.

    A release in projections is learnt projection by projection and combined by Eq. 1; one that publishes nothing
    leaves the most frequent class. Test rows that the recipe cannot publish count as wrong.
    """
    from fairveil.learning.combined import Combined
    from fairveil.recipes.decomposition import Decomposition

    truth = texts(test, decision)
    if isinstance(recipe, Decomposition):
        parts = recipe.apply(train).parts or ()
        if not parts:
            return float((truth == _majority(train, decision)).mean())
        guessed = Combined.fit(recipe, parts, inducer).predict(test)
        return float((truth == np.array([str(label) for label in guessed])).mean())
    if recipe is not None:
        train = recipe.apply(train).table
        test = recipe.apply(test, unknown="suppress").table
    return _whole(train, test, decision, inducer) / len(truth)


def _whole(train: Table, test: Table, decision: str, given: Any) -> int:
    """How many test rows a classifier of the whole table gets right."""
    from fairveil.learning.inducers import Block, fresh, inducer, log_probabilities, matrix

    names = [name for name in train.names if name != decision]
    blocks = [Block.of(train.column(name)) for name in names]
    target = train.column(decision)
    estimator = inducer(given)
    x, new = (matrix(estimator, blocks, [table.column(name) for name in names]) for table in (train, test))
    model = fresh(estimator, blocks, 0).fit(x, target.codes.astype(np.int64))
    best = np.argmax(log_probabilities(model, new, len(target.values)), axis=1)
    guessed = np.array([str(value) for value in target.domain])[best]
    return int((guessed == texts(test, decision)).sum())


def texts(table: Table, name: str) -> np.ndarray:
    column = table.column(name)
    return np.array([str(value) for value in column.domain])[column.codes]


def _majority(table: Table, decision: str) -> str:
    column = table.column(decision)
    return str(column.domain[int(np.argmax(np.bincount(column.codes, minlength=len(column.values))))])
