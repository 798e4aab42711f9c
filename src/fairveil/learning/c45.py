"""C4.5 as a classifier: many-way splits on categories, missing values in every branch, Laplace-corrected leaves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class C45(ClassifierMixin, BaseEstimator):
    """What Weka's J48 learns with its default settings; `predict_proba` corrects the leaves by Laplace.

    A row is a code per category and a number per number, NaN where missing. `blocks` lists (categories, True) or
    (1, False) per column; without it every column is a number.
    """

    coded: ClassVar[bool] = True

    def __init__(self, blocks: tuple[tuple[int, bool], ...] | None = None) -> None:
        self.blocks = blocks

    def fit(self, x: Any, y: Any) -> C45:
        from fairveil.counting.kernels.stopping import NEVER
        from fairveil.learning.c45_kernels import TrainingSample, fit

        x = np.ascontiguousarray(x, dtype=np.float64)
        self.classes_, place = np.unique(y, return_inverse=True)
        self.sizes_ = self._sizes(x.shape[1])
        self.tree_ = fit(TrainingSample(x, place.astype(np.int64), self.sizes_), len(self.classes_), NEVER)
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
        from fairveil.counting.kernels.stopping import NEVER
        from fairveil.learning.c45_kernels import TrainingSample, out_of_fold

        x, folds = np.ascontiguousarray(x, dtype=np.float64), int(fold_of_row.max()) + 1
        sample = TrainingSample(x, classes, self._sizes(x.shape[1]))
        return np.asarray(out_of_fold(sample, size, fold_of_row, folds, NEVER if stop is None else stop))

    @property
    def leaves(self) -> list[list[float]]:
        """The class weights of every leaf that training rows reached, in the order of the tree."""
        column_of_node, _, first_child, counts = self.tree_
        weights: list[list[float]] = []
        open_nodes = [0]
        while open_nodes:
            node = open_nodes.pop()
            size = int(self.sizes_[column_of_node[node]]) or 2
            if column_of_node[node] >= 0:
                open_nodes += reversed(range(int(first_child[node]), int(first_child[node]) + size))
            elif counts[node].sum() > 0:
                weights.append(counts[node].tolist())
        return weights

    def predict_proba(self, x: Any) -> np.ndarray:
        from fairveil.learning.c45_kernels import shares

        return np.asarray(shares(np.ascontiguousarray(x, dtype=np.float64), self.sizes_, self.tree_))

    def predict(self, x: Any) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])
