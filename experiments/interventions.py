"""Interventions: what is done to training data, classifier or predictions for fairness or privacy.

Each is a frozen dataclass with a name and `learn(classifier, fold)`, which answers with predictions for the fold's test
part. Fairlearn's two need the extra `reproduce`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Protocol, TypeVar

import numpy as np

from fairveil.data.numeric import is_measurable
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.learning.classifiers import fitted
from fairveil.learning.encoding import OneHot
from fairveil.methods.microaggregation import clusters as clustering
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.correction import Correction, correct_fairness
from fairveil.methods.microaggregation.groups import Groups, find_groups
from fairveil.recipes.space import Points, Space

T = TypeVar("T")

Categories = Literal["rounded", "means", "modes"]


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open: whether distances standardize numbers, and what a group publishes of a category.

    rounded   its one-hot columns as means, rounded: the value of more than half of the group, or none at all
    means     its one-hot columns as means
    modes     its most frequent value
    """

    standardize: bool = False
    categories: Categories = "rounded"

    @property
    def name(self) -> str:
        distances = "standardized" if self.standardize else "as they are"
        return f"numbers {distances}, categories by {self.categories}"


AUTHORS, OURS = Reading(), Reading(True, "modes")
"""The reading that gives the authors' figures, and the one that the product takes by default."""


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

    @cached_property
    def encoding(self) -> OneHot:
        return OneHot.of(self.train, [*self.features, self.protected])

    @cached_property
    def inputs(self) -> np.ndarray:
        return self.encoding.matrix(self.train)

    @cached_property
    def outputs(self) -> np.ndarray:
        return self.encoding.matrix(self.test)

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

    def points(self, standardize: bool) -> Points:
        def make() -> Points:
            return Space.of(self.train, self.features, standardize=standardize).place(self.train)

        return self._once(("points", standardize), make)

    def groups(self, size: int) -> Groups:
        return find_groups([self.train.column(self.protected)], self.truth, size)

    def mdav(self, k: int, standardize: bool = False) -> clustering.Clusters:
        """The k-groups of the training part, made once."""
        return self._once(("mdav", k, standardize), lambda: clustering.mdav(self.points(standardize), k))

    def fairlets(self, size: int, standardize: bool = False) -> clustering.Clusters:
        """The fairlets of the training part, made once."""

        def make() -> clustering.Clusters:
            groups = self.groups(size)
            return clustering.make_fairlets(self.points(standardize), groups.of_row, groups.seats(size))

        return self._once(("fairlets", size, standardize), make)

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
            end = start + self.encoding.width(name)
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
        return self.encoding.matrix(self.train.take(kept).with_columns(fresh))

    def learn(
        self, classifier: Any, rows: np.ndarray, labels: np.ndarray, weights: np.ndarray | None = None
    ) -> np.ndarray:
        """Predictions for the test part, learnt from some records with their values kept."""
        inputs, outputs = self.inputs, self.outputs
        if _sooner_from_sparse(classifier):
            inputs, outputs = self._sparse
        model = fitted(classifier, inputs[rows], labels[rows], None if weights is None else weights[rows])
        return model.predict(outputs)

    def learn_published(
        self, classifier: Any, clusters: clustering.Clusters, categories: Categories, labels: np.ndarray
    ) -> np.ndarray:
        """Predictions for the test part, learnt from the clusters as published.

        The records of a cluster that share protected value and label are all the same, so logistic regression looks at
        them once, by their number: the optimum is the same.
        """
        kept = np.flatnonzero(clusters.of_row >= 0)
        inputs, target = self.published(clusters, categories), labels[kept]
        if not _is_logistic(classifier):
            return fitted(classifier, inputs, target).predict(self.outputs)
        kind = (clusters.of_row[kept] * (int(self.sensitive.max()) + 1) + self.sensitive[kept]) * 2 + target
        _, first, times = np.unique(kind, return_index=True, return_counts=True)
        return fitted(classifier, inputs[first], target[first], times.astype(float)).predict(self.outputs)

    def loss_per_attribute(self, clusters: clustering.Clusters) -> float:
        """Information loss (Eq. 3) averaged by attribute, as in Figure 2; in standardized units, to be comparable."""
        return information_loss(self.points(True), clusters)["information_loss"] / len(self.features)


class Intervention(Protocol):
    """A way to fairness, privacy or both."""

    @property
    def name(self) -> str: ...

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        """Predictions (favourable or not) for the fold's test part."""
        ...


@dataclass(frozen=True)
class Nothing:
    """The classifier as it is."""

    name: ClassVar[str] = "none"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        return fold.learn(classifier, np.arange(fold.train.rows), fold.truth)


@dataclass(frozen=True)
class PlainMDAV:
    """Privacy only: k-groups publish their means."""

    k: int
    reading: Reading = AUTHORS

    @property
    def name(self) -> str:
        return f"mdav k={self.k}{_unless_authors(self.reading)}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        clusters = fold.mdav(self.k, self.reading.standardize)
        return fold.learn_published(classifier, clusters, self.reading.categories, fold.truth)


@dataclass(frozen=True)
class Fairleted:
    """Fair-MDAV: privacy with `microaggregate`, fairness with τ > 0.

    With `mixed=False` labels are corrected in MDAV's k-groups, whose mix of protected groups is what it happens to be:
    what Table 3 calls k-anonymity alone.
    """

    size: int
    tau: float
    correction: Correction = "positive"
    microaggregate: bool = True
    reading: Reading = AUTHORS
    mixed: bool = True

    @property
    def name(self) -> str:
        values = "aggregated" if self.microaggregate else "values kept"
        kind = "fair-mdav" if self.mixed else "corrected mdav"
        setting = f"{kind} size={self.size} tau={self.tau:g} {self.correction} {values}"
        return setting + _unless_authors(self.reading)

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        form = fold.fairlets if self.mixed else fold.mdav
        clusters = form(self.size, self.reading.standardize)
        fixed = correct_fairness(fold.truth, fold.groups(self.size), clusters, self.tau, self.correction)
        if self.microaggregate:
            return fold.learn_published(classifier, clusters, self.reading.categories, fixed.favourable)
        return fold.learn(classifier, np.flatnonzero(clusters.of_row >= 0), fixed.favourable)


@dataclass(frozen=True)
class Reweighing:
    """Kamiran and Calders 2012: a record weighs as much as its group and label were independent."""

    name: ClassVar[str] = "reweighing"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        seen = _pairs(fold)
        weights = (seen.sum(axis=1)[:, None] * seen.sum(axis=0) / len(fold.truth) / np.maximum(seen, 1))[
            fold.sensitive, fold.truth.astype(int)
        ]
        return fold.learn(classifier, np.arange(fold.train.rows), fold.truth, weights)


@dataclass(frozen=True)
class PreferentialSampling:
    """Kamiran and Calders 2012: near the decision boundary records are left out or doubled until independent."""

    name: ClassVar[str] = "preferential sampling"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        from sklearn.naive_bayes import GaussianNB

        chances = GaussianNB().fit(fold.inputs, fold.truth).predict_proba(fold.inputs)[:, 1]
        seen = _pairs(fold)
        chosen = []
        for group in range(len(seen)):
            for label in (0, 1):
                rows = np.flatnonzero((fold.sensitive == group) & (fold.truth == bool(label)))
                if not len(rows):
                    continue
                wanted = round(seen[group].sum() * seen[:, label].sum() / len(fold.truth))
                # the most borderline first: unlikely among the favourable, likely among the denied
                order = rows[np.argsort(chances[rows] if label else -chances[rows], kind="stable")]
                spare = len(order) - wanted
                chosen.append(order[spare:] if spare >= 0 else np.concatenate([order, np.resize(order, -spare)]))
        rows = np.concatenate(chosen)
        return fold.learn(classifier, rows, fold.truth)


@dataclass(frozen=True)
class Thresholds:
    """Fairlearn's ThresholdOptimizer (Hardt et al. 2016): a threshold per group on the classifier's scores."""

    constraint: Literal["demographic_parity", "equalized_odds"] = "demographic_parity"

    @property
    def name(self) -> str:
        return f"threshold optimizer ({self.constraint.replace('_', ' ')})"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        optimizer = _fairlearn("postprocessing").ThresholdOptimizer(
            estimator=classifier, constraints=self.constraint, predict_method="auto", prefit=False
        )
        optimizer.fit(fold.inputs, fold.truth.astype(int), sensitive_features=fold.sensitive)
        outside = fold.test.column(fold.protected).codes.astype(np.int64)
        answers = optimizer.predict(fold.outputs, sensitive_features=outside, random_state=fold.seed)
        return np.asarray(answers).astype(bool)


@dataclass(frozen=True)
class Decorrelated:
    """Fairlearn's CorrelationRemover: features made uncorrelated with the protected column, which then goes."""

    name: ClassVar[str] = "correlation remover"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        width = fold.inputs.shape[1]
        protected = list(range(width - fold.encoding.width(fold.protected), width - 1))  # dummies but one
        remover = _fairlearn("preprocessing").CorrelationRemover(sensitive_feature_ids=protected)
        last = width - 1
        inside, outside = np.delete(fold.inputs, last, axis=1), np.delete(fold.outputs, last, axis=1)
        return fitted(classifier, remover.fit_transform(inside), fold.truth).predict(remover.transform(outside))


@dataclass(frozen=True)
class Constrained:
    """Zafar et al. 2017, the paper's “Fair Classification”, as scikit-lego has it.

    Logistic regression whose decision boundary covaries with the protected column by at most `threshold`.
    """

    threshold: float

    @property
    def name(self) -> str:
        return f"fair classification covariance={self.threshold:g}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        import warnings

        try:
            import pandas as pd
            from sklego.linear_model import DemographicParityClassifier
        except ImportError:
            raise BadInput("this comparison needs scikit-lego: pip install 'fairveil[reproduce]'") from None
        width = fold.inputs.shape[1]
        protected = width - 1  # the last of its one-hot columns; the others say the same
        inside, outside = (pd.DataFrame(matrix, columns=range(width)) for matrix in (fold.inputs, fold.outputs))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it recommends Fairlearn's optimizer, which is compared with, too
            model = DemographicParityClassifier(
                covariance_threshold=self.threshold, sensitive_cols=[protected], train_sensitive_cols=True, penalty="l2"
            )
            answers = model.fit(inside, fold.truth.astype(int)).predict(outside)
        return np.asarray(answers).astype(bool)


def _is_logistic(classifier: Any) -> bool:
    return type(classifier).__name__ == "LogisticRegression"


def _sooner_from_sparse(classifier: Any) -> bool:
    """Whether it learns the same from a sparse matrix in less time; a tree of many levels takes longer."""
    return type(classifier).__name__ in ("LogisticRegression", "AdaBoostClassifier")


def _unless_authors(reading: Reading) -> str:
    return "" if reading == AUTHORS else f", {reading.name}"


def _pairs(fold: Fold) -> np.ndarray:
    """Records per protected value and label."""
    kinds = int(fold.sensitive.max()) + 1
    return np.bincount(fold.sensitive * 2 + fold.truth, minlength=2 * kinds).reshape(kinds, 2)


def _fairlearn(part: str) -> Any:
    from importlib import import_module

    try:
        return import_module(f"fairlearn.{part}")
    except ImportError:
        raise BadInput("this comparison needs Fairlearn: pip install 'fairveil[reproduce]'") from None
