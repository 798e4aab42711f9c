"""Classifiers of projections that scikit-learn does not have: pruned trees, C4.5, and naive Bayes on mixed columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.tree import DecisionTreeClassifier

from fairveil.learning.combined import leaf_shares, normalized

MAX_DEPTH = int(np.iinfo(np.int32).max)
"""What scikit-learn's trees take for no limit."""


def tree_parts() -> Any:
    """What scikit-learn's trees are grown with."""
    from sklearn.tree import _classes

    return _classes


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

        Equal rows of a class count as one with a weight: the tree is the same. Returns early when `stop` (see Progress)
        is set; the result is then undefined.
        """
        x = np.ascontiguousarray(x, dtype=np.float32)
        _, firsts, row_of = np.unique(
            x.view(np.dtype((np.void, x.shape[1] * x.itemsize))).ravel(), return_index=True, return_inverse=True
        )
        distinct, pair = x[firsts], row_of * size + classes  # a distinct row and a class
        rows_of_pair, class_of_pair = np.repeat(distinct, size, axis=0), np.tile(np.arange(size), len(distinct))
        weights = np.bincount(pair, minlength=len(class_of_pair))
        shares = np.empty((len(x), size))
        for fold in range(int(fold_of_row.max()) + 1):
            if stop is not None and stop[0]:
                break
            inside = np.flatnonzero(fold_of_row == fold)
            outside = weights - np.bincount(pair[inside], minlength=len(weights))
            known = np.flatnonzero(outside)
            tree = self._grown(rows_of_pair[known], class_of_pair[known], size, outside[known])
            shares[inside] = leaf_shares(tree, weighted=True)[tree.apply(distinct)[row_of[inside]]]
        return shares

    def _grown(self, x: np.ndarray, classes: np.ndarray, size: int, counts: np.ndarray) -> Any:
        """The tree of `fit`, with so many of each row, without the checks around it, which take three times as long as
        the tree. Its parts are not public: a version of scikit-learn that has others grows it by `fit`."""
        try:
            parts, sizes, fewest = tree_parts(), np.array([size], dtype=np.intp), float(self.min_samples_leaf)
            criterion, weights = parts.CRITERIA_CLF["entropy"](1, sizes), counts.astype(np.float64)
            splitter = parts.DENSE_SPLITTERS["best"](criterion, x.shape[1], 1, fewest, Draw(self.random_state), None)
            tree, pruned = parts.Tree(x.shape[1], sizes, 1), parts.Tree(x.shape[1], sizes, 1)
            builder = parts.DepthFirstTreeBuilder(splitter, 2, 1, fewest, MAX_DEPTH, 0.0)
            builder.build(tree, x, classes.astype(np.float64)[:, None], weights, None)
            parts._build_pruned_tree_ccp(pruned, tree, self.prune / int(counts.sum()))
            return pruned
        except (AttributeError, ImportError, KeyError, TypeError, ValueError):
            repeated = np.repeat(np.arange(len(x)), counts)
            return clone(self).fit(x[repeated], classes[repeated], check_input=False).tree_


@dataclass(frozen=True)
class Draw:
    """The only draw that a splitter asks for: the first one of its seed, which takes NumPy long to prepare."""

    seed: int

    def randint(self, low: int, high: int) -> int:
        return first_draw(self.seed, low, high)


@cache
def first_draw(seed: int, low: int, high: int) -> int:
    return int(np.random.RandomState(seed).randint(low, high))


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
