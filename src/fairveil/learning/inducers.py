"""Classifiers of projections that scikit-learn does not have: pruned trees, C4.5, and naive Bayes on mixed columns."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from fairveil.learning.combined import leaf_shares, normalized


class PrunedTree(DecisionTreeClassifier):
    """CART with entropy, the default. A branch that saves less than `prune` bits per leaf is pruned.

    So few rows give a small tree and many rows a large one, as with C4.5's pessimistic pruning.
    """

    takes_unchecked: ClassVar[bool] = True

    def __init__(self, prune: float = 5.0, min_samples_leaf: int = 5, random_state: int = 0) -> None:
        super().__init__(criterion="entropy", min_samples_leaf=min_samples_leaf, random_state=random_state)
        self.prune = prune

    def fit(
        self, x: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None, check_input: bool = True
    ) -> PrunedTree:
        self.ccp_alpha = self.prune / len(y)
        super().fit(x, y, sample_weight, check_input)
        return self

    def out_of_fold(
        self, x: np.ndarray, classes: np.ndarray, size: int, fold_of_row: np.ndarray, stop: np.ndarray | None = None
    ) -> np.ndarray:
        """The class probabilities of each fold, Laplace-corrected, predicted by the tree that `fit` grows on the other
        folds; every class must occur outside every fold. Numbers are finite.

        Returns early when `stop` (see Progress) is set; the result is then undefined.
        """
        shares = np.empty((len(x), size))
        x, random = np.ascontiguousarray(x, dtype=np.float32), np.random.RandomState(self.random_state)
        fresh = random.get_state()
        for fold in range(int(fold_of_row.max()) + 1):
            if stop is not None and stop[0]:
                break
            inside = fold_of_row == fold
            random.set_state(fresh)
            tree = self._grown(x[~inside], classes[~inside], size, random)
            shares[inside] = leaf_shares(tree)[tree.apply(x[inside])]
        return shares

    def _grown(self, x: np.ndarray, classes: np.ndarray, size: int, random: np.random.RandomState) -> Any:
        """The tree of scikit-learn's `fit` without the checks around it, which take three times as long as the tree.

        The parts that it is made of are private: where a version names or calls them otherwise, `fit` grows it.
        """
        from sklearn.tree import _classes as parts

        sizes = np.array([size], dtype=np.intp)
        rows, features = int(self.min_samples_leaf), x.shape[1]
        try:
            criterion = parts.CRITERIA_CLF["entropy"](1, sizes)
            splitter = parts.DENSE_SPLITTERS["best"](criterion, features, rows, 0.0, random, None)
            tree, pruned = parts.Tree(features, sizes, 1), parts.Tree(features, sizes, 1)
            builder = parts.DepthFirstTreeBuilder(splitter, max(2, 2 * rows), rows, 0.0, np.iinfo(np.int32).max, 0.0)
            builder.build(tree, x, classes.astype(np.float64)[:, None], None, None)
            parts._build_pruned_tree_ccp(pruned, tree, self.prune / len(classes))
        except (AttributeError, TypeError):
            return copy(self).fit(x, classes).tree_
        return pruned


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """Naive Bayes on mixed columns: Laplace-corrected frequencies of categories, normal densities of numbers.

    As in Weka, a missing value (NaN) is left out, of the frequencies and of the product. Rows and `blocks` are as in
    `C45`.
    """

    coded: ClassVar[bool] = True

    def __init__(self, blocks: tuple[tuple[int, bool], ...] | None = None) -> None:
        self.blocks = blocks

    def fit(self, x: np.ndarray, y: np.ndarray) -> NaiveBayes:
        x = np.asarray(x, dtype=float)
        self.classes_, code = np.unique(y, return_inverse=True)
        size = len(self.classes_)
        rows = np.bincount(code, minlength=size)
        self.prior_ = np.log((rows + 1) / (rows.sum() + size))
        shapes = self.blocks or ((1, False),) * x.shape[1]
        self.columns_ = [
            _Frequencies.of(column, code, size, width) if categorical else _Densities.of(column, code, size)
            for column, (width, categorical) in zip(x.T, shapes, strict=True)
        ]
        return self

    def log_likelihood(self, x: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of the columns under each class, up to a constant; it is additive over columns."""
        scores = np.zeros((len(x), len(self.classes_)))
        for column, learnt in zip(np.asarray(x, dtype=float).T, self.columns_, strict=True):
            known = ~np.isnan(column)
            scores[known] += learnt.logarithms(column[known])
        return np.round(scores, 9)  # equal sums are equal, in whatever order they were added

    def predict_proba(self, x: np.ndarray) -> np.ndarray:
        return normalized(self.prior_ + self.log_likelihood(x))

    def predict(self, x: Any) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])


@dataclass(frozen=True)
class _Frequencies:
    """The categories of one column: log-frequencies by category and class, of the rows that have a value."""

    logs: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray, code: np.ndarray, size: int, width: int) -> _Frequencies:
        known = ~np.isnan(column)
        cells = column[known].astype(np.int64) * size + code[known]
        counts = np.bincount(cells, minlength=width * size).reshape(width, size)
        return cls(np.log((counts + 1) / (counts.sum(axis=0) + width)))

    def logarithms(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(self.logs[values.astype(np.int64)])


@dataclass(frozen=True)
class _Densities:
    """The numbers of one column: mean and variance by class, of the rows that have a value; of all if none has."""

    means: np.ndarray
    variances: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray, code: np.ndarray, size: int) -> _Densities:
        known = ~np.isnan(column)
        values, classes = column[known], code[known]
        if not len(values):
            return cls(np.zeros(size), np.ones(size))
        rows = np.bincount(classes, minlength=size)
        sums, squares = (np.bincount(classes, weights=powers, minlength=size) for powers in (values, values * values))
        with np.errstate(invalid="ignore"):
            means = np.where(rows > 0, sums / rows, values.mean())
            spread = np.where(rows > 0, squares / rows - means**2, values.var())
        return cls(means, np.maximum(spread, 1e-6 * values.var() + 1e-9))

    def logarithms(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(-0.5 * ((values[:, None] - self.means) ** 2 / self.variances + np.log(self.variances)))


class C45(ClassifierMixin, BaseEstimator):
    """C4.5 as Weka's J48 with its default settings; `predict_proba` corrects the leaves by Laplace.

    Splits on categories have many branches, missing values are in every one. A row is a code per category and a number
    per number, NaN where missing. `blocks` lists (categories, True) or (1, False) per column; without it every column
    is a number.
    """

    coded: ClassVar[bool] = True

    def __init__(self, blocks: tuple[tuple[int, bool], ...] | None = None) -> None:
        self.blocks = blocks

    def fit(self, x: Any, y: Any) -> C45:
        from fairveil.counting.kernels.compiling import NEVER
        from fairveil.learning.c45_kernels import TrainingSample, fit

        x = np.ascontiguousarray(x, dtype=np.float64)
        self.classes_, code = np.unique(y, return_inverse=True)
        self.sizes_ = self._sizes(x.shape[1])
        self.tree_ = fit(TrainingSample(x, code.astype(np.int64), self.sizes_), len(self.classes_), NEVER)
        return self

    def _sizes(self, columns: int) -> np.ndarray:
        blocks = self.blocks or ((1, False),) * columns
        return np.array([width if categorical else 0 for width, categorical in blocks], dtype=np.int64)

    def out_of_fold(
        self, x: np.ndarray, classes: np.ndarray, size: int, fold_of_row: np.ndarray, stop: np.ndarray | None = None
    ) -> np.ndarray:
        """The class probabilities of each fold, predicted by a tree trained on the other folds.

        Returns early when `stop` (see Progress) is set; the result is then undefined.
        """
        from fairveil.counting.kernels.compiling import NEVER
        from fairveil.learning.c45_kernels import TrainingSample, out_of_fold

        x, folds = np.ascontiguousarray(x, dtype=np.float64), int(fold_of_row.max()) + 1
        sample = TrainingSample(x, classes, self._sizes(x.shape[1]))
        return np.asarray(out_of_fold(sample, size, fold_of_row, folds, NEVER if stop is None else stop))

    @property
    def leaves(self) -> list[list[float]]:
        """The class weights of every leaf that training rows reached, in the order of the tree."""
        tree, weights, open_nodes = self.tree_, [], [0]
        while open_nodes:
            node = open_nodes.pop()
            if tree.split_by[node] >= 0:
                children = int(self.sizes_[tree.split_by[node]]) or 2
                open_nodes += reversed(range(tree.first[node], tree.first[node] + children))
            elif tree.counts[node].sum() > 0:
                weights.append(tree.counts[node].tolist())
        return weights

    def predict_proba(self, x: Any) -> np.ndarray:
        from fairveil.learning.c45_kernels import shares

        return np.asarray(shares(np.ascontiguousarray(x, dtype=np.float64), self.sizes_, self.tree_))

    def predict(self, x: Any) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])
