"""Interventions: what is done to training data, classifier or predictions for fairness or privacy.

Each is a frozen dataclass with a name and `learn(classifier, fold)`, which answers with predictions for the fold's test
part. Fairlearn's two need the extra `reproduce`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.learning.classifiers import fitted
from fairveil.learning.encoding import OneHot
from fairveil.methods.microaggregation import clusters as clustering
from fairveil.methods.microaggregation.aggregate import aggregate, how_to_publish, information_loss
from fairveil.methods.microaggregation.correction import Correction, correct_fairness
from fairveil.methods.microaggregation.fairlets import Fairlets
from fairveil.methods.microaggregation.groups import find_groups
from fairveil.recipes.space import Points, Space


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
    def sensitive(self) -> np.ndarray:
        return self.train.column(self.protected).codes.astype(np.int64)

    @cached_property
    def points(self) -> Points:
        return Space.of(self.train, self.features).place(self.train)

    @cached_property
    def _cache(self) -> dict[Any, Any]:
        return {}

    def mdav(self, k: int) -> clustering.Clusters:
        """The k-groups of the training part, made once."""
        if ("mdav", k) not in self._cache:
            self._cache["mdav", k] = clustering.mdav(self.points, k)
        clusters: clustering.Clusters = self._cache["mdav", k]
        return clusters

    def fairlets(self, size: int) -> Fairlets:
        """The fairlets of the training part, made once."""
        if ("fairlets", size) not in self._cache:
            groups = find_groups([self.train.column(self.protected)], self.truth, size)
            seats = groups.seats(size)
            clusters = clustering.make_fairlets(self.points, groups.of_row, seats)
            self._cache["fairlets", size] = Fairlets(groups, seats, clusters)
        fairlets: Fairlets = self._cache["fairlets", size]
        return fairlets

    def published(self, clusters: clustering.Clusters) -> np.ndarray:
        """The clustered training records as published, encoded; made once."""
        key = ("published", id(clusters))  # the clusters are kept beside it, so the id stays theirs
        if key not in self._cache:
            self._cache[key] = (self._aggregated(clusters), clusters)
        encoded: np.ndarray = self._cache[key][0]
        return encoded

    def _aggregated(self, clusters: clustering.Clusters) -> np.ndarray:
        """Means and modes of the features; the protected column as it is."""
        kept = np.flatnonzero(clusters.of_row >= 0)
        fresh = []
        for name in self.features:
            column = self.train.column(name)
            aggregated = aggregate(column, clusters, how_to_publish(column, "mean"))
            fresh.append(aggregated.column(name, clusters.of_row[kept]))
        return self.encoding.matrix(self.train.take(kept).with_columns(fresh))

    def loss_per_attribute(self, clusters: clustering.Clusters) -> float:
        """Information loss (Eq. 3) averaged by attribute, as in Figure 2."""
        return information_loss(self.points, clusters)["information_loss"] / len(self.features)


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
        return fitted(classifier, fold.inputs, fold.truth).predict(fold.outputs)


@dataclass(frozen=True)
class PlainMDAV:
    """Privacy only: k-groups publish their means."""

    k: int

    @property
    def name(self) -> str:
        return f"mdav k={self.k}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        inputs = fold.published(fold.mdav(self.k))
        return fitted(classifier, inputs, fold.truth).predict(fold.outputs)


@dataclass(frozen=True)
class Fairleted:
    """Fair-MDAV: privacy with `microaggregate`, fairness with τ > 0."""

    size: int
    tau: float
    correction: Correction = "positive"
    microaggregate: bool = True

    @property
    def name(self) -> str:
        values = "aggregated" if self.microaggregate else "values kept"
        return f"fair-mdav size={self.size} tau={self.tau:g} {self.correction} {values}"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        fairlets = fold.fairlets(self.size)
        kept = np.flatnonzero(fairlets.clusters.of_row >= 0)
        fixed = correct_fairness(fold.truth, fairlets.groups, fairlets.clusters, self.tau, self.correction)
        inputs = fold.published(fairlets.clusters) if self.microaggregate else fold.inputs[kept]
        return fitted(classifier, inputs, fixed.favourable[kept]).predict(fold.outputs)


@dataclass(frozen=True)
class Reweighing:
    """Kamiran and Calders 2012: a record weighs as much as its group and label were independent."""

    name: ClassVar[str] = "reweighing"

    def learn(self, classifier: Any, fold: Fold) -> np.ndarray:
        seen = _pairs(fold)
        weights = (seen.sum(axis=1)[:, None] * seen.sum(axis=0) / len(fold.truth) / np.maximum(seen, 1))[
            fold.sensitive, fold.truth.astype(int)
        ]
        return fitted(classifier, fold.inputs, fold.truth, weights).predict(fold.outputs)


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
        return fitted(classifier, fold.inputs[rows], fold.truth[rows]).predict(fold.outputs)


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
