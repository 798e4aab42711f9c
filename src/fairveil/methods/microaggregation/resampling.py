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

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.correction import correct_fairness, relabel
from fairveil.methods.microaggregation.fairlets import Fairlets, form
from fairveil.methods.microaggregation.protected_groups import find_groups
from fairveil.recipes.record_space import Points, RecordSpace

USUAL_SIZE = 10
"""Records in a fairlet where no size is given: what the paper uses throughout."""


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
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

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
        tau = method.tau
        if tau == "auto":
            from fairveil.methods.microaggregation.tuning import choose_tau

            tau = choose_tau(method, X, y, sensitive_features, target=method.target).tau
        labels, changed = prepared.labels(tau, method.correction)
        rows = prepared.clustered
        facts = {
            "sample_indices_": rows,
            "fairlets_": prepared.fairlets.clusters.of_row[rows],
            "composition_": dict(zip(prepared.fairlets.groups.labels, prepared.fairlets.seats.tolist(), strict=True)),
            "favoured_": prepared.fairlets.groups.labels[prepared.fairlets.groups.favoured],
            "labels_changed_": changed,
            "tau_": float(tau),
            "information_loss_": information_loss(prepared.points, prepared.fairlets.clusters)["information_loss"],
        }
        for name, value in facts.items():
            object.__setattr__(self, name, value)
        values = (
            prepared.values(method.publish, method.integers) if method.microaggregate else prepared.table.take(rows)
        )
        return _like(X, values), _labels_like(y, prepared.decision.values.take(pa.array(labels[rows])))


@dataclass(frozen=True)
class Prepared:
    """The fairlets of training data, from which labels and values follow for any setting."""

    table: Table
    features: tuple[str, ...]  # that count in the distance and are aggregated
    decision: Column
    good: np.ndarray
    points: Points
    fairlets: Fairlets

    @property
    def clustered(self) -> np.ndarray:
        return np.flatnonzero(self.fairlets.clusters.of_row >= 0)

    def labels(self, tau: float, correction: Any) -> tuple[np.ndarray, dict[str, int]]:
        """Return the decision codes of all records after correction, and how many changed."""
        clusters = self.fairlets.clusters
        before = self.good[self.decision.codes]
        fixed = correct_fairness(before, self.fairlets.groups, clusters, tau, correction)
        return relabel(self.decision.codes, fixed.favourable, self.good, clusters), fixed.summary()

    def values(self, publish: Any = "mean", integers: bool = False) -> Table:
        """Return the kept records with aggregated features."""
        clusters, fresh = self.fairlets.clusters, []
        for name in self.features:
            column = self.table.column(name)
            aggregates = aggregate(column, clusters, how_to_publish(column, publish), integers)
            fresh.append(aggregates.column(name, clusters.of_row[self.clustered]))
        return self.table.take(self.clustered).with_columns(fresh)


def prepare(method: Any, X: Any, y: Any, sensitive_features: Any = None) -> Prepared:
    """Check everything once and form the fairlets."""
    table = _features(X)
    decision = _column("y", y)
    protected = _protected(table, sensitive_features, method.protected)
    for column in (decision, *protected):
        if len(column) != table.rows:
            raise BadInput(f"X has {table.rows} rows, {column.name!r} has {len(column)}")
    good = _favourable(decision, method.favourable)
    size = method.size if method.size is not None else USUAL_SIZE
    if isinstance(size, list | tuple):
        raise BadInput("fit_resample makes one data set: give one size, not several")
    if isinstance(method.tau, list | tuple):
        raise BadInput("fit_resample makes one data set: give one tau, not several")
    if method.composition is not None:
        composition = method.composition
        size = int(sum(composition.values() if isinstance(composition, Mapping) else composition))
    names = tuple(name for name in table.names if name not in {column.name for column in protected})
    space = RecordSpace.of(table, names, method.distance, standardize=method.standardize)
    points = space.points(table)
    groups = find_groups(protected, good[decision.codes], size, method.favoured)
    return Prepared(table, names, decision, good, points, form(method, points, groups, size))


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
            raise BadInput("say which column is protected: sensitive_features=…, or protected=[columns of X]")
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
        good[-1] = True
        return good
    for value in favourable if isinstance(favourable, list | tuple | set | frozenset) else (favourable,):
        good[decision.code_of(value)] = True
    if good.all():
        raise BadInput("every label is favourable, so there is nothing to correct")
    return good


def _like(X: Any, values: Table) -> Any:
    if isinstance(X, np.ndarray | list):
        return np.column_stack([np.asarray(c.to_arrow().to_numpy(zero_copy_only=False)) for c in values.columns])
    return values.to_frame()


def _labels_like(y: Any, labels: pa.Array) -> Any:
    values = labels.to_numpy(zero_copy_only=False)
    if hasattr(y, "dtype") and isinstance(y, np.ndarray):
        return values.astype(y.dtype, copy=False)
    if hasattr(y, "to_numpy") and not hasattr(y, "columns"):
        import narwhals as nw

        series = nw.from_native(y, series_only=True)
        return nw.new_series(series.name, values, backend=series.implementation).to_native()
    return values
