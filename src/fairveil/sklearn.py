"""Anonymizer: a transformer of scikit-learn that generalizes features until k people look alike.

>>> import fairveil as fv, pandas as pd
>>> people = pd.DataFrame({"age": [21, 24, 38, 39, 40, 41], "job": ["cook", "nurse"] * 3})
>>> anonymizer = fv.sklearn.Anonymizer(k=3, quasi=["age"])
>>> anonymizer.fit_transform(people)["age"].tolist(), anonymizer.k_
([19.5, 19.5, 19.5, 58.5, 58.5, 58.5], 3)
>>> fv.sklearn.Anonymizer(k=3, quasi=["age"], numbers=False).fit_transform(people)["age"].tolist()[2:4]
['<39', '≥39']

`fit` searches, `fit_transform` returns the release, with a row for each row, and `transform` applies the recipe to
other rows, one by one. The promises are about the release: rows that are transformed later may stand out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from fairveil.data.hierarchy import TOP
from fairveil.data.numeric import is_number
from fairveil.data.schema import Schema
from fairveil.data.text_form import as_text, interval_of
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards import Guard, KAnonymity
from fairveil.methods.dmpd.classifier import features_of
from fairveil.methods.mondrian import Mondrian
from fairveil.run.explore import search
from fairveil.run.given import given_guards, given_methods
from fairveil.shapes import column_name

__all__ = ["Anonymizer"]

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table
    from fairveil.methods.method import Method
    from fairveil.recipes.recipe import Unknown
    from fairveil.release.release import Release


@dataclass(frozen=True)
class LabelNumbers:
    """The numbers that published labels of a column stand for: the midpoint of an interval. An open one counts as wide
    as the others, or as its end is far from 0; what is `hidden` is the mean of what is shown. Nothing but published
    labels decides on them.

    >>> numbers = LabelNumbers(width=10.0, hidden=40.0)
    >>> [numbers(label) for label in (34, "30-40", "<30", "≥65", "*")]
    [34.0, 35.0, 25.0, 70.0, 40.0]
    """

    width: float = 0.0
    hidden: float = 0.0

    @classmethod
    def of(cls, column: Column) -> LabelNumbers:
        intervals = [interval_of(as_text(value)) for value in column.domain]
        widths = [
            i.high - i.low for i in intervals if i and i.high is not None and i.low is not None and i.high > i.low
        ]
        numbers = cls(float(np.median(widths)) if widths else 0.0, np.nan)
        shown = np.array([numbers(value) for value in column.domain])[column.codes]
        return replace(numbers, hidden=float(np.nanmean(shown)) if np.isfinite(shown).any() else 0.0)

    def __call__(self, value: Any) -> float:
        if value is None:
            return np.nan
        interval = interval_of(as_text(value))
        if interval is None:
            return self.hidden
        if interval.low is not None and interval.high is not None:
            return interval.middle
        half = (self.width or abs(interval.middle) or 1.0) / 2
        return interval.middle + (half if interval.high is None else -half)


class Anonymizer(TransformerMixin, BaseEstimator):
    """Generalizes features so that everybody in the training data looks like at least `k` - 1 others.

    `quasi` names the columns that can be linked to other data (positions for an array); by default all but those of
    `sensitive` and `drop`. Other columns are not changed, and those of `drop` are left out. `guards` are further
    promises (a k-anonymity of your own, such as one that may suppress rows, is used instead of `k`), `hierarchies`
    the levels of columns (see `Schema`), `method` the search (Mondrian by default) and `choose` the measure of its
    best candidate. `numbers`: generalized columns of numbers are returned as numbers (see `LabelNumbers`),
    otherwise as labels. `unknown`: a value that the recipe does not know is refused, or its row is
    hidden. Fitted: `recipe_`, `k_` (the fewest people who look alike), `n_features_in_`, `feature_names_in_`.
    """

    def __init__(
        self,
        k: int = 5,
        *,
        quasi: Sequence[Any] | None = None,
        sensitive: Sequence[Any] = (),
        drop: Sequence[Any] = (),
        hierarchies: Mapping[Any, Any] | None = None,
        guards: Sequence[Guard] | Guard = (),
        method: Method | None = None,
        choose: str = "loss",
        numbers: bool = True,
        unknown: Unknown = "refuse",
        random_state: int | None = 0,
    ) -> None:
        self.k, self.quasi, self.sensitive, self.drop, self.hierarchies = k, quasi, sensitive, drop, hierarchies
        self.guards, self.method, self.choose, self.numbers = guards, method, choose, numbers
        self.unknown, self.random_state = unknown, random_state

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Search for the release of `X`; `y` is not used."""
        self._release(X)
        return self

    def _release(self, X: Any) -> Release:
        table = features_of(X)
        validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = len(table.names)
        if isinstance(self.k, int) and table.rows < self.k:
            raise BadInput(f"n_samples = {table.rows} is less than k = {self.k}: give more rows, or a lower k")
        schema = self._schema(table)
        guards = given_guards(self.guards)
        promised = guards if any(guard.by_size for guard in guards) else (KAnonymity(self.k), *guards)
        method = Mondrian() if self.method is None else given_methods(self.method)[0]
        frontier = search(
            table, schema, guards=promised, method=method, order="keep",
            seed=int(self.random_state or 0), progress=False,
        )  # fmt: skip
        release = frontier.best(self.choose)
        if release.recipe.splits or release.recipe.invents:
            raise BadInput(f"{method.kind} does not publish a row for each row: give another method")
        self.recipe_, self.k_ = release.recipe, int(release.measures["k"])
        numeric = [name for name in release.table.names if self.numbers and is_number(table.column(name))]
        self._numbers = {name: LabelNumbers.of(release.table.column(name)) for name in numeric}
        return release

    def fit_transform(self, X: Any, y: Any = None, **given: Any) -> Any:
        """Search, and return the release of `X`: a row for each row, in the same order."""
        release = self._release(X)
        return self._like(X, release.table, release.source_rows, len(features_of(X).columns[0]))

    def transform(self, X: Any) -> Any:
        """Return other rows as the recipe generalizes them."""
        check_is_fitted(self)
        table = features_of(X)
        validate_data(self, X, skip_check_array=True, reset=False)
        if len(table.names) != self.n_features_in_:
            raise BadInput(
                f"X has {len(table.names)} features, but Anonymizer is expecting {self.n_features_in_} features "
                "as input"
            )
        outcome = self.recipe_.outcome(table, unknown=self.unknown)
        return self._like(X, outcome.table, outcome.source_rows, table.rows)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns that `transform` returns."""
        check_is_fitted(self)
        expected = getattr(self, "feature_names_in_", None)
        if input_features is not None and expected is not None and list(input_features) != list(expected):
            raise ValueError("input_features is not equal to feature_names_in_")
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise ValueError(f"input_features should have length equal to {self.n_features_in_}")
        names = [column_name(name) for name in (input_features if input_features is not None else ())]
        published = self.recipe_.schema.published
        positions = [self._names.index(name) for name in self._names if name in published]
        return np.array([(names or self._names)[position] for position in positions], dtype=object)

    def _schema(self, table: Table) -> Schema:
        self._names = table.names
        roles = {"sensitive": self._named(self.sensitive), "drop": self._named(self.drop)}
        others = {name for names in roles.values() for name in names}
        quasi = [n for n in table.names if n not in others] if self.quasi is None else self._named(self.quasi)
        plain = [name for name in table.names if name not in {*quasi, *others}]
        rules = {self._named([name])[0]: rule for name, rule in (self.hierarchies or {}).items()}
        return Schema(quasi=quasi, plain=plain, hierarchies=rules, **roles)  # type: ignore[arg-type]

    def _named(self, columns: Sequence[Any]) -> list[str]:
        """Names of columns; an integer that is no name is a position."""
        listed = [columns] if isinstance(columns, str) else list(columns)
        by_position = {str(i): name for i, name in enumerate(self._names)}
        names = [name if name in self._names else by_position.get(name, name) for name in map(column_name, listed)]
        refuse([suggest(name, self._names, "column") for name in names if name not in self._names])
        return names

    def _like(self, X: Any, table: Table, rows: np.ndarray | None, total: int) -> Any:
        """The published rows, at their place among all, as a frame or array like `X`; the others are hidden."""
        rows = np.arange(table.rows) if rows is None else rows
        columns = {}
        for name in (name for name in self._names if name in table):
            column = table.column(name)
            as_number = self._numbers.get(name)
            hidden = TOP if as_number is None else as_number.hidden
            domain = column.domain if as_number is None else [as_number(value) for value in column.domain]
            kind = object if as_number is None else float
            columns[name] = np.full(total, hidden, dtype=kind)
            columns[name][rows] = np.array(domain, dtype=kind)[column.codes]
        if hasattr(X, "iloc"):
            import pandas as pd

            frame = pd.DataFrame(columns, index=X.index)
            labels = [next(label for label in X.columns if column_name(label) == name) for name in columns]
            return frame.set_axis(labels, axis=1)
        if type(X).__module__.startswith("polars"):
            import polars as pl

            return pl.DataFrame({name: values.tolist() for name, values in columns.items()}, strict=False)
        if hasattr(X, "column_names"):
            import pyarrow as pa

            return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})
        return np.column_stack(list(columns.values())) if columns else np.empty((total, 0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags
