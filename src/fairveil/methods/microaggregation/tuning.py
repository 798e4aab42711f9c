"""τ for a target: the most accurate correction whose cross-validated unfairness stays below it.

The fairlets of a fold do not depend on τ, so a fold is clustered once and every τ costs one training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.learning.classifiers import CLASSIFIERS, fitted, fresh
from fairveil.learning.encoding import OneHot
from fairveil.learning.folds import each_fold, stratified_folds
from fairveil.measures import fairness
from fairveil.messages import literal, option
from fairveil.methods.microaggregation.resampling import prepare
from fairveil.methods.task import Task

TAUS = tuple(round(0.1 * i, 1) for i in range(11))


@dataclass(frozen=True)
class TauChoice:
    """The chosen τ, and mean accuracy and unfairness for each τ tried. `reached`: the target was met."""

    tau: float
    reached: bool
    taus: tuple[float, ...]
    accuracy: np.ndarray
    unfairness: np.ndarray


def choose_tau(
    method: Any,
    X: Any,
    y: Any,
    sensitive_features: Any = None,
    *,
    target: float = 0.05,
    score: str = "demographic-parity-difference",
    estimator: Any = None,
    taus: Sequence[float] = TAUS,
    folds: int = 5,
    seed: int = 0,
) -> TauChoice:
    """Try every τ; if none reaches the target, choose the fairest, with `reached` False."""
    if not 0 <= target <= 2:
        raise BadInput(f"{option('target')} must be between 0 and 2, not {literal(target)}")
    unfairness = fairness.formula(score)
    classifier = estimator or CLASSIFIERS.get("logistic").make()
    whole = prepare(replace(method, tau=0.0), X, y, sensitive_features)
    labels, groups = whole.decision.codes, whole.fairlets.groups.of_row
    table = whole.table
    strata = labels.astype(np.int64) * (groups.max() + 1) + groups
    if np.bincount(strata)[np.unique(strata)].min() < folds:
        strata = labels
    accuracy, unfair = np.zeros((folds, len(taus))), np.zeros((folds, len(taus)))
    fold_of_row = stratified_folds(strata, folds, seed, draw="scikit-learn")
    for fold, (train, test) in enumerate(each_fold(fold_of_row)):
        part = prepare(
            replace(method, tau=0.0), table.take(train).to_frame("pyarrow"), _values(whole, train),
            _sensitive(sensitive_features, train),
        )  # fmt: skip
        values = (
            part.values(method.publish, method.integers) if method.microaggregate else part.table.take(part.clustered)
        )
        encoding = OneHot.of(part.table, part.table.names)
        inputs, outside = encoding.matrix(values), encoding.matrix(table.take(test))
        for place, tau in enumerate(taus):
            codes, _ = part.labels(tau, method.correction)
            good = part.good[codes[part.clustered]]
            answers = fitted(fresh(classifier, seed), inputs, good).predict(outside).astype(bool)
            truth = whole.good[labels[test]]
            accuracy[fold, place] = (answers == truth).mean()
            unfair[fold, place] = unfairness(fairness.tally(truth, answers, groups[test]))
    means, gaps = accuracy.mean(axis=0), unfair.mean(axis=0)
    reached = gaps <= target
    place = int(np.argmax(np.where(reached, means, -1.0)) if reached.any() else np.argmin(gaps))
    return TauChoice(float(taus[place]), bool(reached.any()), tuple(taus), means, gaps)


def tune_for_task(method: Any, task: Task, size: int) -> float:
    """Return the τ for a table and schema: a classifier would learn from the quasi columns."""
    schema = task.schema
    assert schema.decision is not None
    protected = [method.protected] if isinstance(method.protected, str) else list(method.protected or schema.protected)
    decision = task.table.column(schema.decision)
    denied = {decision.code_of(value) for value in schema.denied_values}
    good = [value for code, value in enumerate(decision.domain) if code not in denied]
    names = list(dict.fromkeys([*schema.quasi, *protected]))
    configured = replace(
        method, tau=0.0, protected=tuple(protected), favourable=tuple(good),
        size=size if method.size is None else _first_of(method.size),
    )  # fmt: skip
    labels = np.array(decision.domain)[decision.codes]
    return choose_tau(configured, task.table.select(names), labels, target=method.target, seed=task.seed).tau


def _first_of(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) else value


def _values(whole: Any, rows: np.ndarray) -> np.ndarray:
    values: np.ndarray = whole.decision.take(rows).to_arrow().to_numpy(zero_copy_only=False)
    return values


def _sensitive(sensitive: Any, rows: np.ndarray) -> Any:
    if sensitive is None:
        return None
    if hasattr(sensitive, "columns"):
        return Table.from_frame(sensitive).take(rows).to_frame("pyarrow")
    values = sensitive.to_numpy() if hasattr(sensitive, "to_numpy") else np.asarray(sensitive)
    if (name := getattr(sensitive, "name", None)) is None:
        return values[rows]
    import pyarrow as pa

    return pa.table({str(name): values[rows]})
