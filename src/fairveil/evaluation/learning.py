"""The value of a recipe for learning: a classifier is trained on one half as published and tested on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.text_form import as_text
from fairveil.learning.classifiers import fresh, inducer, is_coded
from fairveil.learning.combined import Combined, log_probabilities
from fairveil.learning.encoding import Blocks, texts

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.recipes.recipe import Recipe


def classify(recipe: Recipe | None, train: Table, test: Table, decision: str, given: Any = "tree") -> float:
    """Accuracy on `test` of a classifier trained on `train` as published, or without a recipe as is (paper's Fig. 9).

    For a release in projections, one classifier per projection is trained and combined by Eq. 1; if nothing is
    published, the most frequent class is predicted. Test rows that the recipe cannot publish count as wrong.
    """
    truth = texts(test, decision)
    if recipe is not None and recipe.splits:
        tables = recipe.applied(train).tables
        if not tables:
            return float((truth == _majority(train, decision)).mean())
        answers = Combined.fit(tables, decision, recipe.columns, given).predict(test)
        return float((truth == np.array([as_text(label) for label in answers])).mean())
    if recipe is not None:
        train = recipe.applied(train).table
        test = recipe.applied(test, unknown="suppress").table
    return _right(train, test, decision, given) / len(truth)


def _right(train: Table, test: Table, decision: str, given: Any) -> int:
    """Return the number of test rows that a classifier of the whole table predicts correctly."""
    target, estimator = train.column(decision), inducer(given)
    features = [name for name in train.names if name != decision]
    encoding = Blocks.of(train, features, coded=is_coded(estimator))
    model = fresh(estimator, 0, encoding.shape).fit(encoding.matrix(train), target.codes.astype(np.int64))
    best = np.argmax(log_probabilities(model, encoding.matrix(test), len(target.values)), axis=1)
    answers = np.array([as_text(value) for value in target.domain])[best]
    return int((answers == texts(test, decision)).sum())


def _majority(table: Table, decision: str) -> str:
    column = table.column(decision)
    return as_text(column.domain[int(np.argmax(np.bincount(column.codes, minlength=len(column.values))))])
