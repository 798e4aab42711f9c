"""How well a classifier learns the decision from a release, by cross-validation: any scikit-learn classifier.

Rows that were published alike are one weighted row to the classifier, so a general release is quick to judge. Numbers
enter as numbers, other columns one-hot up to `ONE_HOT` values and by the order of their hierarchy beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fairveil.cells import Cells
from fairveil.errors import BadInput
from fairveil.hierarchy.automatic import is_numeric
from fairveil.measures.base import Measure
from fairveil.schema import Schema
from fairveil.table import Column, Table
from fairveil.threads import each_in_threads

FOLDS = 10
ONE_HOT = 64

Maker = Callable[[int], Any]
"""From a seed to a fresh scikit-learn classifier."""


def decision_tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, min_weight_fraction_leaf=1e-4)


def support_vectors(seed: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # scaled columns have variance 1 when weighted, which gamma="scale" would measure without the weights
    return make_pipeline(StandardScaler(), SVC(gamma="auto", random_state=seed))


def cross_validated(
    table: Table, schema: Schema, classifier: Maker = decision_tree, *, folds: int = FOLDS, seed: int = 0
) -> float:
    """The share of rows whose decision is foretold by a classifier that was trained on the other folds.

    Folds are stratified by decision. With one decision only, or fewer rows than folds, there is nothing to learn.
    """
    if schema.decision is None:
        raise BadInput("accuracy needs a decision column, and the schema names none")
    decision = table.column(schema.decision)
    used = [name for name in schema.quasi if name in table]
    if table.rows < folds or len(np.unique(decision.codes)) < 2:
        return float("nan")
    cells = Cells.of(table, [*used, schema.decision])
    fold = _folds(decision.codes, folds, seed)
    per_fold = np.zeros((folds, len(cells)))
    np.add.at(per_fold, (fold, cells.cell_of_row), 1)
    total = per_fold.sum(axis=0)
    inputs = np.hstack([_encoded(table.column(name), cells.codes[name]) for name in used])
    target = cells.codes[schema.decision]

    def right(held_out: np.ndarray) -> float:
        weights = total - held_out
        learnt = _fitted(classifier(seed), inputs[weights > 0], target[weights > 0], weights[weights > 0])
        tested = held_out > 0
        return float(held_out[tested] @ (learnt(inputs[tested]) == target[tested]))

    return sum(each_in_threads(right, list(per_fold))) / table.rows


def accuracy_of(classifier: Maker, name: str, meaning: str, *, folds: int = FOLDS) -> Measure:
    """The accuracy of any classifier as a measure to rank releases by."""

    def of(table: Table, schema: Schema, seed: int) -> float:
        return cross_validated(table, schema, classifier, folds=folds, seed=seed)

    return Measure(name, "utility", "higher", (0, 1), meaning, needs=frozenset({"decision"}), of_table=of)


def _folds(decisions: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """A fold for every row: the rows of each decision, shuffled, are dealt out in turn."""
    shuffled = np.random.default_rng(seed).permutation(len(decisions))
    dealt = shuffled[np.argsort(decisions[shuffled], kind="stable")]
    fold = np.empty(len(decisions), dtype=np.int64)
    fold[dealt] = np.arange(len(decisions)) % folds
    return fold


def _encoded(column: Column, codes: np.ndarray) -> np.ndarray:
    if is_numeric(column):
        numbers = np.array([np.nan if value is None else float(value) for value in column.domain])
        return np.nan_to_num(numbers, nan=np.nanmin(numbers, initial=0.0) - 1)[codes][:, None]
    present, place = np.unique(codes, return_inverse=True)
    if len(present) > ONE_HOT:
        return place[:, None].astype(float)
    return np.eye(len(present))[place][:, 1:] if len(present) > 1 else np.zeros((len(codes), 1))


def _fitted(model: Any, inputs: np.ndarray, target: np.ndarray, weights: np.ndarray) -> Callable[[np.ndarray], Any]:
    """The trained classifier's predictions; one that takes no weights sees each row as often as it weighs."""
    if len(np.unique(target)) < 2:
        only = target[0]
        return lambda asked: np.full(len(asked), only)
    from sklearn.utils.validation import has_fit_parameter

    steps = [(f"{name}__", step) for name, step in getattr(model, "steps", [])] or [("", model)]
    weighing = [prefix for prefix, step in steps if has_fit_parameter(step, "sample_weight")]
    if steps[-1][0] in weighing:  # all steps that can weigh do: a scaler sees the rows, not the distinct ones
        model.fit(inputs, target, **{f"{prefix}sample_weight": weights for prefix in weighing})
    else:
        rows = np.repeat(np.arange(len(target)), weights.astype(int))
        model.fit(inputs[rows], target[rows])
    predict: Callable[[np.ndarray], Any] = model.predict
    return predict


MEASURES = (
    accuracy_of(
        decision_tree, "accuracy", "share of decisions that a decision tree learns, by 10-fold cross-validation"
    ),
    accuracy_of(
        support_vectors,
        "svm-accuracy",
        "share of decisions that a support vector machine learns, by 10-fold cross-validation",
    ),
)
