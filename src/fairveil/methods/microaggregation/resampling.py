"""Fair-MDAV with the API of scikit-learn and imbalanced-learn: `fit_resample(X, y, sensitive_features=…)`.

>>> import numpy as np
>>> from fairveil import FairMDAV
>>> X = np.array([[1.0], [2], [3], [11], [12], [13], [14]])
>>> y, sex = np.array([1, 0, 1, 0, 0, 1, 1]), np.array([1, 0, 0, 1, 1, 1, 1])
>>> fair = FairMDAV(composition=(1, 2), favoured=1)
>>> X_fair, y_fair = fair.fit_resample(X, y, sensitive_features=sex)
>>> X_fair.ravel().round(2).tolist(), y_fair.tolist(), fair.sample_indices_.tolist()
([4.67, 4.67, 9.33, 4.67, 9.33, 9.33], [1, 1, 1, 0, 0, 1], [0, 1, 2, 3, 4, 5])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.learning.classifiers import CLASSIFIERS, fitted, fresh
from fairveil.learning.encoding import OneHot
from fairveil.learning.folds import each_fold, stratified_folds
from fairveil.measures import fairness
from fairveil.messages import literal, option
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.correction import correct_fairness, relabel
from fairveil.methods.microaggregation.fairlets import Fairlets, form
from fairveil.methods.microaggregation.protected_groups import find_groups, seats_in
from fairveil.recipes.record_space import Points, RecordSpace

USUAL_SIZE = 10
"""Records in a fairlet where no size is given: what the paper uses throughout."""

TAUS = tuple(round(0.1 * i, 1) for i in range(11))


class Resampler:
    """Parameters as scikit-learn asks for them, and `fit_resample`. Names of fitted results end in an underscore."""

    sample_indices_: np.ndarray  # rows kept, in their order
    fairlets_: np.ndarray  # the fairlet of each kept row
    composition_: dict[str, int]
    favoured_: str
    labels_changed_: dict[str, int]
    tau_: float
    information_loss_: float

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **params: Any) -> Any:
        parameters = self.get_params()
        for name, value in params.items():
            if name not in parameters:
                raise BadInput(f"{type(self).__name__} has no parameter {name!r}: there are {', '.join(parameters)}")
            object.__setattr__(self, name, value)
        self.__post_init__()  # type: ignore[attr-defined]
        return self

    def fit_resample(self, X: Any, y: Any, *, sensitive_features: Any = None) -> tuple[Any, Any]:
        """Return microaggregated features and corrected labels of the records that fill fairlets.

        `X` is a frame or a numeric matrix; `sensitive_features` a column or frame, or the columns of X named in
        `protected`. Protected columns in X keep their values and do not enter the distance.
        """
        method: Any = self
        prepared = prepare(method, X, y, sensitive_features)
        fairlets, rows, tau = prepared.fairlets, prepared.clustered, method.tau
        if tau == "auto":
            tau = choose_tau(method, X, y, sensitive_features, target=method.target).tau
        labels, changed = prepared.labels(tau)
        facts = {
            "sample_indices_": rows,
            "fairlets_": fairlets.clusters.of_row[rows],
            "composition_": dict(zip(fairlets.groups.labels, fairlets.seats.tolist(), strict=True)),
            "favoured_": fairlets.groups.labels[fairlets.groups.favoured],
            "labels_changed_": changed,
            "tau_": float(tau),
            "information_loss_": information_loss(prepared.points, fairlets.clusters)["information_loss"],
        }
        vars(self).update(facts)
        values = prepared.values()
        arrays = (column.to_arrow().to_numpy(zero_copy_only=False) for column in values.columns)
        features = np.column_stack(list(arrays)) if isinstance(X, np.ndarray | list) else values.to_frame()
        return features, _labels_like(y, prepared.decision.values.take(pa.array(labels[rows])))


@dataclass(frozen=True)
class Prepared:
    """The fairlets of training data, from which labels and values follow for any τ."""

    method: Any
    table: Table
    decision: Column
    protected: tuple[Column, ...]
    features: tuple[str, ...]  # that count in the distance and are aggregated
    good: np.ndarray
    points: Points
    fairlets: Fairlets

    @classmethod
    def of(cls, method: Any, table: Table, decision: Column, protected: Sequence[Column]) -> Prepared:
        """Form the fairlets of a table, with its decision and protected columns."""
        good = _favourable(decision, method.favourable)
        size = method.size or USUAL_SIZE if method.composition is None else seats_in(method.composition)
        features = tuple(name for name in table.names if name not in {column.name for column in protected})
        space = RecordSpace.of(table, features, method.distance, standardize=method.standardize)
        points = space.points(table)
        groups = find_groups(protected, good[decision.codes], size, method.favoured)
        fairlets = form(method, points, groups, groups.seats(size, method.composition))
        return cls(method, table, decision, tuple(protected), features, good, points, fairlets)

    def part(self, rows: np.ndarray) -> Prepared:
        """Return the same for some of the rows."""
        decision, *protected = (column.take(rows).compact() for column in (self.decision, *self.protected))
        return Prepared.of(self.method, self.table.take(rows).compact(), decision, protected)

    @property
    def clustered(self) -> np.ndarray:
        return np.flatnonzero(self.fairlets.clusters.of_row >= 0)

    def labels(self, tau: float) -> tuple[np.ndarray, dict[str, int]]:
        """Return the decision codes of all records after correction, and how many changed."""
        clusters, codes = self.fairlets.clusters, self.decision.codes
        fixed = correct_fairness(self.good[codes], self.fairlets.groups, clusters, tau, self.method.correction)
        return relabel(codes, fixed.favourable, self.good, clusters), fixed.summary()

    def values(self) -> Table:
        """Return the kept records, with aggregated features if the method aggregates."""
        clusters, columns = self.fairlets.clusters, []
        for name in self.features if self.method.microaggregate else ():
            column = self.table.column(name)
            kind = how_to_publish(column, self.method.publish, categories=self.method.categories)
            aggregates = aggregate(column, clusters, kind, self.method.integers)
            columns.append(aggregates.column(name, clusters.of_row[self.clustered]))
        return self.table.take(self.clustered).with_columns(columns)


def prepare(method: Any, X: Any, y: Any, sensitive_features: Any = None) -> Prepared:
    """Check everything once and form the fairlets."""
    table, decision = _features(X), _column("y", y)
    protected = _protected(table, sensitive_features, method.protected)
    for column in (decision, *protected):
        if len(column) != table.rows:
            raise BadInput(f"X has {table.rows} rows, {column.name!r} has {len(column)}")
    for name in ("size", "tau"):
        if isinstance(getattr(method, name), list | tuple):
            raise BadInput(f"fit_resample makes one data set: give one {name}, not several")
    return Prepared.of(method, table, decision, protected)


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
    """Return the most accurate τ whose cross-validated unfairness is at most `target`; the fairest if none is.

    The fairlets of a fold do not depend on τ, so a fold is clustered once and every τ costs one training.
    """
    if not 0 <= target <= 2:
        raise BadInput(f"{option('target')} must be between 0 and 2, not {literal(target)}")
    unfairness = fairness.formula(score)
    classifier = estimator or CLASSIFIERS.get("logistic").make()
    every = prepare(replace(method, tau=0.0), X, y, sensitive_features)
    groups, truth = every.fairlets.groups.of_row, every.good[every.decision.codes]
    strata = every.decision.codes.astype(np.int64) * (groups.max() + 1) + groups
    if np.bincount(strata)[np.unique(strata)].min() < folds:
        strata = every.decision.codes
    accuracy, unfair = np.zeros((folds, len(taus))), np.zeros((folds, len(taus)))
    fold_of_row = stratified_folds(strata, folds, seed, draw="scikit-learn")
    for fold, (train, test) in enumerate(each_fold(fold_of_row)):
        part = every.part(train)
        encoding = OneHot.of(part.table, part.table.names)
        inputs, outside = encoding.matrix(part.values()), encoding.matrix(every.table.take(test))
        for position, tau in enumerate(taus):
            good = part.good[part.labels(tau)[0][part.clustered]]
            answers = fitted(fresh(classifier, seed), inputs, good).predict(outside).astype(bool)
            accuracy[fold, position] = (answers == truth[test]).mean()
            unfair[fold, position] = unfairness(fairness.tally(truth[test], answers, groups[test]))
    means, gaps = accuracy.mean(axis=0), unfair.mean(axis=0)
    reached = gaps <= target
    position = int(np.argmax(np.where(reached, means, -1.0)) if reached.any() else np.argmin(gaps))
    return TauChoice(float(taus[position]), bool(reached.any()), tuple(taus), means, gaps)


def _features(X: Any) -> Table:
    if hasattr(X, "toarray"):
        raise BadInput("X is a sparse matrix: give a frame, or X.toarray()")
    if isinstance(X, np.ndarray | list):
        matrix = np.asarray(X)
        if matrix.ndim != 2:
            raise BadInput(f"X must have two dimensions, not {matrix.ndim}")
        return Table.from_frame(pa.table({str(i): pa.array(matrix[:, i]) for i in range(matrix.shape[1])}))
    return Table.from_frame(X)


def _column(name: str, values: Any) -> Column:
    array = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise BadInput(f"{name} must have one dimension, not {array.ndim}")
    return Table.from_frame(pa.table({name: pa.array(array)})).column(name)


def _protected(table: Table, sensitive: Any, named: Any) -> list[Column]:
    """Return the protected columns: given beside X, or by name in it."""
    if sensitive is None:
        names = [named] if isinstance(named, str) else list(named or ())
        if not names:
            raise BadInput("name the protected column: sensitive_features=…, or protected=[columns of X]")
        table.need(names)
        return [table.column(name) for name in names]
    if isinstance(sensitive, list | np.ndarray):
        matrix = np.asarray(sensitive)
        columns = matrix[:, None] if matrix.ndim == 1 else matrix
        return [_column(f"sensitive_{i}", columns[:, i]) for i in range(columns.shape[1])]
    if hasattr(sensitive, "columns"):
        return list(Table.from_frame(sensitive).columns)
    return [_column(str(getattr(sensitive, "name", None) or "sensitive_0"), sensitive)]


def _favourable(decision: Column, favourable: Any) -> np.ndarray:
    """Return which labels are favourable: those given, or the greater of two (1 of 0 and 1)."""
    good = np.zeros(len(decision.values), dtype=bool)
    if decision.has_missing:
        raise BadInput("y contains missing labels: drop those rows")
    if favourable is None:
        if len(good) != 2:
            raise BadInput(
                f"y has {len(good)} labels: name the favourable ones, e.g. favourable={decision.domain[-1]!r}"
            )
        favourable = decision.domain[-1]
    for value in favourable if isinstance(favourable, list | tuple | set | frozenset) else (favourable,):
        good[decision.code_of(value)] = True
    if good.all():
        raise BadInput("every label is favourable, so there is nothing to correct")
    return good


def _labels_like(y: Any, labels: pa.Array) -> Any:
    values = labels.to_numpy(zero_copy_only=False)
    if isinstance(y, np.ndarray):
        return values.astype(y.dtype, copy=False)
    if hasattr(y, "to_numpy") and not hasattr(y, "columns"):
        import narwhals as nw

        series = nw.from_native(y, series_only=True)
        return nw.new_series(series.name, values, backend=series.implementation).to_native()
    return values
