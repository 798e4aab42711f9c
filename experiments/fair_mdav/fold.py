"""One training and test part of a table, with all that interventions share of it; and how the paper is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeVar

import numpy as np
import pyarrow as pa

from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Table
from fairveil.learning.classifiers import fitted
from fairveil.learning.encoding import Categories as Kinds
from fairveil.learning.encoding import Hidden, OneHot, Scaled
from fairveil.methods.microaggregation import clusters as clustering
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.protected_groups import ProtectedGroups, find_groups
from fairveil.recipes.record_space import Points, RecordSpace

T = TypeVar("T")

Categories = Literal["rounded", "means", "modes"]
Numbers = Literal["standardized", "as they are", "from 0 to 1"]
Liblinear = Literal["", "row by row", "to the optimum", "with l1"]


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open: whether distances standardize numbers, what a group publishes of a category, and how
    logistic regression is learnt.

    rounded   its one-hot columns as means, rounded: the value of more than half of the group, or none at all
    means     its one-hot columns as means
    modes     its most frequent value

    `older`: by scikit-learn's default before version 0.22 (liblinear, which draws the intercept to zero, too), from
    numbers that are not standardized, or from 0 to 1 (`min_max`). `notebook`: as the authors' clean-up notebook has the
    columns, in distances and for the learner: some of two values as one number, and a missing category in none.
    `variant`: liblinear stops at a tolerance, before the optimum; so it matters whether equal records are one row with
    a weight or each a row of its own ("row by row"), and how far it goes. With l1 some columns are left out.
    """

    standardize: bool = False
    categories: Categories = "rounded"
    older: bool = False
    min_max: bool = False
    notebook: bool = False
    variant: Liblinear = ""

    @property
    def name(self) -> str:
        distances = "standardized" if self.standardize else "as they are"
        learner = f", learnt by liblinear{' from 0 to 1' if self.min_max else ''}" if self.older else ""
        encoded = ", encoded as in the notebook" if self.notebook else ""
        variant = f", {self.variant}" if self.variant else ""
        return f"numbers {distances}, categories by {self.categories}{learner}{encoded}{variant}"

    def classifier(self, default: Any, seed: int) -> Any:
        """The given logistic regression, or liblinear if it is read so."""
        from sklearn.linear_model import LogisticRegression

        if not self.older:
            return default
        settings: dict[str, Any] = {"to the optimum": {"tol": 1e-8, "max_iter": 2000}, "with l1": {"l1_ratio": 1.0}}
        return LogisticRegression(solver="liblinear", random_state=seed, **settings.get(self.variant, {}))


AUTHORS, OURS = Reading(), Reading(True, "modes")
"""The reading of most sheets, the nearest to the authors' figures with today's learner, and the product's default."""
PROGRAM = Reading(older=True, notebook=True, variant="row by row")
"""What the authors' results tell of their program: see `program`."""


@dataclass(frozen=True)
class Fold:
    """One training and test part. The protected column is a feature, but no distance looks at it."""

    train: Table
    test: Table
    features: tuple[str, ...]
    protected: str
    truth: np.ndarray  # favourable or not, of the training part
    outside: np.ndarray  # the same of the test part
    seed: int = 0
    scaled: Numbers = "standardized"  # as classifiers see them
    notebook: bool = False  # whether a missing category is in no column, and those of `ones` are one number
    ones: Mapping[str, Any] = field(default_factory=dict)  # columns of two values, with the one that is 1

    def read_as(self, reading: Reading) -> Fold:
        """The same parts, as classifiers see them in a reading."""
        numbers: Numbers = "standardized" if not reading.older else "from 0 to 1" if reading.min_max else "as they are"
        if (numbers, reading.notebook) == (self.scaled, self.notebook):
            return self
        again = partial(replace, self, scaled=numbers, notebook=reading.notebook)
        return self._once(("read", numbers, reading.notebook), again)

    @cached_property
    def encoding(self) -> OneHot:
        hidden: Hidden = "missing" if self.notebook else "category"
        return OneHot.of(self.train, [*self.features, self.protected], hidden=hidden)

    @cached_property
    def inputs(self) -> np.ndarray:
        return self._matrix(self.train)

    @cached_property
    def outputs(self) -> np.ndarray:
        return self._matrix(self.test)

    def _matrix(self, table: Table) -> np.ndarray:
        matrix = self.encoding.matrix(table)
        start = 0
        for name, learnt in self.encoding.columns:
            if isinstance(learnt, Scaled) and self.scaled != "standardized":
                matrix[:, start] = matrix[:, start] * learnt.scale + learnt.mean
                if self.scaled == "from 0 to 1":
                    column = self.train.column(name)
                    numbers = numbers_per_value(column)[column.codes]
                    matrix[:, start] = (matrix[:, start] - numbers.min()) / (np.ptp(numbers) or 1.0)
            start += learnt.width
        return np.delete(matrix, self._other_values, axis=1) if self.notebook else matrix

    @cached_property
    def _other_values(self) -> list[int]:
        """The columns of the matrix that the notebook does not have: of two values only one is a number.

        Which one matters to a learner that draws the intercept to zero."""
        start, others = 0, []
        for name, learnt in self.encoding.columns:
            if name in self.ones:
                assert isinstance(learnt, Kinds)
                others += [start + place for value, place in learnt.index.items() if value != self.ones[name]]
            start += learnt.width
        return others

    def _width(self, name: str) -> int:
        """How many columns of the matrix belong to a column of the table."""
        return 1 if self.notebook and name in self.ones else self.encoding.width(name)

    @cached_property
    def _sparse(self) -> tuple[Any, Any]:
        from scipy.sparse import csr_array

        return csr_array(self.inputs), csr_array(self.outputs)

    @cached_property
    def sensitive(self) -> np.ndarray:
        return self.train.column(self.protected).codes.astype(np.int64)

    @cached_property
    def _cache(self) -> dict[Any, Any]:
        return {}

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._cache:
            self._cache[key] = make()
        made: T = self._cache[key]
        return made

    def points(self, standardize: bool, notebook: bool = False) -> Points:
        """The training records in space; `notebook`: by the columns of the clean-up notebook."""

        def make() -> Points:
            table, names = (self._notebook(), None) if notebook else (self.train, self.features)
            return RecordSpace.of(table, names or table.names, standardize=standardize).points(table)

        return self._once(("points", standardize, notebook), make)

    def _notebook(self, ties: int | None = None) -> Table:
        """The features of the training part as the columns of the clean-up notebook, all of them numbers.

        `ties`: a seed by which ties between equally near records are broken, with a column that adds less to a distance
        than any other difference.
        """
        matrix = self.read_as(PROGRAM).inputs[:, :-1]
        if ties is not None:
            matrix = np.column_stack([matrix, np.random.default_rng(ties).uniform(0.0, 0.5, len(matrix))])
        return Table.from_frame(pa.table({str(place): column for place, column in enumerate(matrix.T)}))

    def fairlets_by_chance(self, size: int, ties: int) -> clustering.Clusters:
        """Fairlets by the columns of the clean-up notebook, ties between equally near records broken at random."""
        table, groups = self._notebook(ties), self.groups(size)
        points = RecordSpace.of(table, table.names, standardize=False).points(table)
        return clustering.make_fairlets(points, groups.of_row, groups.seats(size))

    def groups(self, size: int) -> ProtectedGroups:
        return find_groups([self.train.column(self.protected)], self.truth, size)

    def mdav(self, k: int, standardize: bool = False, notebook: bool = False) -> clustering.Clusters:
        """The k-groups of the training part, made once."""
        space = standardize, notebook
        return self._once(("mdav", k, space), lambda: clustering.mdav(self.points(*space), k))

    def fairlets(self, size: int, standardize: bool = False, notebook: bool = False) -> clustering.Clusters:
        """The fairlets of the training part, made once."""
        space = standardize, notebook

        def make() -> clustering.Clusters:
            groups = self.groups(size)
            return clustering.make_fairlets(self.points(*space), groups.of_row, groups.seats(size))

        return self._once(("fairlets", size, space), make)

    def published(self, clusters: clustering.Clusters, categories: Categories) -> np.ndarray:
        """The clustered training records as published, encoded; made once."""
        # the clusters are kept in the cache, so the id stays theirs
        make = self._modes if categories == "modes" else partial(self._means, rounded=categories == "rounded")
        return self._once(("published", id(clusters), categories), lambda: (make(clusters), clusters))[0]

    def _means(self, clusters: clustering.Clusters, rounded: bool) -> np.ndarray:
        """Means of the encoded features, one-hot columns rounded if asked; the protected column as it is."""
        kept = np.flatnonzero(clusters.of_row >= 0)
        of_row = clusters.of_row[kept]
        published = self.inputs[kept]
        order = np.argsort(of_row, kind="stable")
        starts = np.searchsorted(of_row[order], np.arange(clusters.count))
        means = np.add.reduceat(published[order], starts, axis=0) / clusters.sizes[:, None]
        start = 0
        for name in self.features:
            end = start + self._width(name)
            one_hot = rounded and not is_measurable(self.train.column(name))
            published[:, start:end] = (np.rint(means[:, start:end]) if one_hot else means[:, start:end])[of_row]
            start = end
        return published

    def _modes(self, clusters: clustering.Clusters) -> np.ndarray:
        """Means of numbers and modes of categories; the protected column as it is."""
        kept = np.flatnonzero(clusters.of_row >= 0)
        fresh = []
        for name in self.features:
            column = self.train.column(name)
            aggregated = aggregate(column, clusters, how_to_publish(column, "mean"))
            fresh.append(aggregated.column(name, clusters.of_row[kept]))
        return self._matrix(self.train.take(kept).with_columns(fresh))

    def learn(
        self, classifier: Any, rows: np.ndarray, labels: np.ndarray, weights: np.ndarray | None = None
    ) -> np.ndarray:
        """Predictions for the test part, learnt from some records with their values kept."""
        inputs, outputs = self.inputs, self.outputs
        if _sooner_from_sparse(classifier):
            inputs, outputs = self._sparse
        model = fitted(classifier, inputs[rows], labels[rows], None if weights is None else weights[rows])
        answers: np.ndarray = model.predict(outputs)
        return answers

    def learn_published(
        self,
        classifier: Any,
        clusters: clustering.Clusters,
        categories: Categories,
        labels: np.ndarray,
        row_by_row: bool = False,
    ) -> np.ndarray:
        """Predictions for the test part, learnt from the clusters as published.

        The records of a cluster that share protected value and label are all the same, so logistic regression looks at
        them once, by their number: the optimum is the same. `row_by_row`: it looks at each.
        """
        kept = np.flatnonzero(clusters.of_row >= 0)
        inputs, target = self.published(clusters, categories), labels[kept]
        if _is_logistic(classifier) and not row_by_row:
            kind = (clusters.of_row[kept] * (int(self.sensitive.max()) + 1) + self.sensitive[kept]) * 2 + target
            _, first, times = np.unique(kind, return_index=True, return_counts=True)
            model = fitted(classifier, inputs[first], target[first], times.astype(float))
        else:
            model = fitted(classifier, inputs, target)
        answers: np.ndarray = model.predict(self.outputs)
        return answers

    def loss_per_attribute(self, clusters: clustering.Clusters) -> float:
        """Information loss (Eq. 3) averaged by attribute, as in Figure 2; in standardized units, to be comparable."""
        return information_loss(self.points(True), clusters)["information_loss"] / len(self.features)


def _is_logistic(classifier: Any) -> bool:
    return type(classifier).__name__ == "LogisticRegression"


def _sooner_from_sparse(classifier: Any) -> bool:
    """Whether it learns the same from a sparse matrix in less time; a tree of many levels takes longer."""
    return type(classifier).__name__ in ("LogisticRegression", "AdaBoostClassifier")
