"""DMPD as a scikit-learn classifier: it learns only from projections that keep k-anonymity.

>>> import pandas as pd
>>> x = pd.DataFrame({"job": ["a", "a", "b", "b"] * 5, "sex": ["f", "m"] * 10})
>>> y = ["no", "no", "yes", "yes"] * 5
>>> model = DMPDClassifier(k=2, generations=2).fit(x, y)
>>> model.predict(x[:4]).tolist(), model.anonymity_level_ >= 2
(['no', 'no', 'yes', 'yes'], True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards import KAnonymity
from fairveil.guards.projections import Projections
from fairveil.learning.combined import Combined
from fairveil.methods.dmpd.dmpd import DMPD

TARGET = "\N{RIGHTWARDS ARROW} class"
"""A column name that no feature has."""


@dataclass(kw_only=True, eq=False, repr=False)
class DMPDClassifier(ClassifierMixin, BaseEstimator):
    """Classifiers on k-anonymous projections of the training data, combined by naive Bayes.

    `k` is the anonymity level that the projections keep together. `quasi` names the columns that can be linked to other
    data (positions for an array); all of them by default. `random_state` starts every random choice. The other settings
    (`inducer`, `objective`, `generations`, `population`, `crossover`, `mutation`, `folds`, `patience`, `cuts`,
    `interval_rows`, `set_check`, `min_subsets`, `subsets`, `probabilities`, `anonymity_weight`, `recode`, `overlap`)
    are those of `DMPD`; with them, the paper's own search can be asked for (`interval_rows="any", set_check="last"`).
    Fitted: `recipe_` (the projections' columns and intervals), `subsets_`, `anonymity_level_`, `cv_accuracy_`,
    `classes_`, `n_features_in_`.
    """

    k: int = 10
    quasi: Sequence[str | int] | None = None
    inducer: Any = "tree"
    objective: Literal["accuracy", "pareto"] = "accuracy"
    generations: int = 100
    population: int = 50
    crossover: float = 0.8
    mutation: float = 0.05
    folds: int = 5
    patience: int | None = None
    cuts: Mapping[str, Sequence[float]] | None = None
    interval_rows: Literal["k", "any"] = "k"
    set_check: Literal["always", "last"] = "always"
    min_subsets: int = 1
    subsets: Sequence[Sequence[str]] | None = None
    probabilities: Mapping[str, float] | None = None
    anonymity_weight: float = 0.0
    recode: bool = False
    overlap: bool = False
    random_state: int | np.random.RandomState | None = 0

    def fit(self, X: Any, y: Any) -> DMPDClassifier:
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        table = features_of(X)
        check_consistent_length(table.columns[0].codes, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise BadInput(f"y has only one class ({self.classes_[0]}), so there is nothing to learn")
        self.n_features_in_ = len(table.names)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        quasi = self._quasi_names(table.names)
        schema = Schema(quasi=quasi, plain=[name for name in table.names if name not in quasi], decision=TARGET)
        target = Column(TARGET, codes, pa.array(np.arange(len(self.classes_))))
        table = replace(table, columns=(*table.columns, target))
        given = self.get_params(deep=False)
        settings = {f.name: given[f.name] for f in fields(DMPD) if f.name in given}
        settings |= {"cuts": dict(self.cuts or {}), "probabilities": dict(self.probabilities or {})}
        state = self.random_state
        seed = int(state.randint(2**31)) if isinstance(state, np.random.RandomState) else int(state or 0)
        guards = [KAnonymity(self.k)] if self.k != 1 else []
        best = DMPD(**settings, keep=1).partition(table, schema, guards, seed=seed)
        self.recipe_, self.cv_accuracy_ = best.recipes[0], best.accuracies[0]
        self.subsets_ = self.recipe_.subsets
        tables = self.recipe_.applied(table).tables
        self.prior_ = np.bincount(codes) / len(codes)
        self.anonymity_level_ = Projections.published(list(tables.values()), schema).level if tables else len(codes)
        self.model_ = None
        if tables:
            self.model_ = Combined.fit(tables, TARGET, self.recipe_.columns, self.inducer, seed=seed)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "recipe_")
        table = features_of(X)
        if len(table.names) != self.n_features_in_:
            expected = f"DMPDClassifier is expecting {self.n_features_in_} features as input"
            raise ValueError(f"X has {len(table.names)} features, but {expected}")
        if self.model_ is None:  # nothing is published, so only the prior is known
            return np.tile(self.prior_, (table.rows, 1))
        shares = self.model_.probabilities(table)
        return shares[:, np.argsort([int(label) for label in self.model_.labels])]

    def predict(self, X: Any) -> np.ndarray:
        best = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[best])

    def _quasi_names(self, names: list[str]) -> list[str]:
        if self.quasi is None:
            return names
        if isinstance(self.quasi, str):
            raise BadInput(f"quasi must list columns: write [{self.quasi!r}]")
        by_position = dict(enumerate(names)) | {i - len(names): name for i, name in enumerate(names)}
        quasi = [by_position.get(i, i) if isinstance(i, int | np.integer) else i for i in self.quasi]
        refuse([suggest(name, names, "column") for name in quasi if name not in names])
        return [str(name) for name in quasi]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def features_of(x: Any) -> Table:
    """Return a data frame as a table, or an array, whose columns are called x0, x1, …"""
    if hasattr(x, "columns") or hasattr(x, "column_names"):
        return Table.from_frame(x)
    kind = None if np.asarray(x).dtype.kind == "O" else "numeric"
    array = check_array(x, dtype=kind, ensure_all_finite="allow-nan")
    return Table.from_frame(pa.table({f"x{i}": _cells(array[:, i]) for i in range(array.shape[1])}))


def _cells(values: np.ndarray) -> pa.Array:
    if values.dtype.kind == "O":
        cleaned = [None if isinstance(value, float) and np.isnan(value) else value for value in values]
        numeric = all(value is None or isinstance(value, int | float | np.number) for value in cleaned)
        return pa.array(cleaned if numeric else list(map(text_or_none, cleaned)))
    return pa.array(values, from_pandas=True)
