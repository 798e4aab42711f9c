"""Wrapper fitness: how well partitionings classify, by cross-validation, each subset of columns trained only once.

By Eq. 1 a partitioning needs only the out-of-fold class probabilities of its subsets. They are kept, so a subset is
trained once, no matter how many partitionings contain it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fairveil.counting.threads import each_in_threads
from fairveil.data.table import Column, Table
from fairveil.guards.projections import Projections, joined_level
from fairveil.learning.classifiers import fit_quickly, fresh, is_coded, tree_input
from fairveil.learning.combined import combine, log_probabilities, logarithms, normalized
from fairveil.learning.encoding import Block
from fairveil.learning.folds import stratified_folds
from fairveil.learning.inducers import NaiveBayes
from fairveil.methods.dmpd.repair import Treatment, repair
from fairveil.progress import Progress
from fairveil.recipes.recoding import ColumnRule, recode

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy, Levels
    from fairveil.methods.dmpd.features import Features
    from fairveil.methods.dmpd.partitioning import Partitioning, Subset

Trained = dict[tuple[str, ...], np.ndarray]
"""Out-of-fold log-probabilities by the names of the columns that they were learnt from."""


class Wrapper:
    """Anonymity and accuracy of partitionings; keeps the `memory` bytes of probabilities used last.

    Features are as `rules` publish them, or at the `fixed` level of their hierarchy; those below `repair_below` are
    repaired, along `hierarchies` if they have one.
    What is `known` is not trained again, and what is trained is added to it: searches of the same rows, as they would
    be published, and with the same seed can share it. They may differ in the anonymity that they ask for.
    """

    def __init__(
        self,
        features: Features,
        estimator: Any,
        *,
        folds: int = 5,
        seed: int = 0,
        repair_below: int = 0,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        rules: Mapping[str, ColumnRule] | None = None,
        fixed: Mapping[str, int] | None = None,
        memory: int = 1 << 30,
    ) -> None:
        self.features, self.estimator, self.seed, self.memory = features, estimator, seed, memory
        self.repair_below, self.hierarchies, self.rules = repair_below, hierarchies or {}, rules or {}
        self.fixed = fixed or {}
        self.fold_of_row = stratified_folds(features.classes, folds, seed, draw="keyed")
        self.trained = 0
        self.known: Trained | None = None
        self.progress = Progress()
        self._treatments: dict[Subset, Treatment] = {}
        self._shares: OrderedDict[Subset, np.ndarray] = OrderedDict()
        self._likelihoods: dict[tuple[int, ColumnRule | None], np.ndarray] = {}

    @cached_property
    def _levels(self) -> dict[str, Levels]:
        """The hierarchies of the columns that have one and whose values are its leaves."""
        named = self.hierarchies.keys() - self.fixed.keys()
        columns = (column for column in self.features.columns if column.name in named)
        return {column.name: self.hierarchies[column.name].bind(column.domain, column.name) for column in columns}

    # anonymity

    def treatment(self, subset: Subset) -> Treatment:
        """Return how a subset is published, repaired if requested; its smallest group is 0 if that is impossible."""
        if subset not in self._treatments:
            facts, repaired = self.features.facts(subset), None
            if facts.smallest < self.repair_below:
                repaired = repair(self.features, subset, self.repair_below, self._levels)
                facts = replace(facts, smallest=0)
            self._treatments[subset] = repaired or Treatment(facts, {})
        return self._treatments[subset]

    def partial(self, partitioning: Partitioning) -> int:
        """Return PAL; 0 if a subset cannot be published."""
        smallest = (self.treatment(subset).facts.smallest for subset in partitioning.subsets)
        return min(smallest, default=self.features.rows)

    def level(self, partitioning: Partitioning) -> int:
        """Return PartAL; 0 if a subset cannot be published."""
        partial = self.partial(partitioning)
        if partial == 0 or len(partitioning.subsets) < 2:
            return partial
        if sum(map(len, partitioning.subsets)) + len(partitioning.filtered) > partitioning.features:
            return min(partial, self.projections(partitioning, []).level)
        return min(partial, joined_level([self.treatment(subset).facts for subset in partitioning.subsets]))

    def projections(self, partitioning: Partitioning, sensitive: Sequence[str]) -> Projections:
        """Return the tables that a partitioning publishes, for checks that need more than counts per class."""
        features = self.features
        target = Column(features.decision, features.classes, pa.array(np.arange(features.size)))
        tables = [Table((*self.columns(subset), target)) for subset in partitioning.subsets]
        quasi = tuple(name for name, is_quasi in zip(features.names, features.quasi, strict=True) if is_quasi)
        return Projections(tuple(tables), quasi, features.decision, tuple(sensitive), self.hierarchies, self.fixed)

    def columns(self, subset: Subset) -> list[Column]:
        """Return the columns of a subset as published."""
        changes = self.treatment(subset).changes
        columns = (self.features.columns[i] for i in subset)
        return [
            recode(c, changes[c.name], self.hierarchies.get(c.name))[0] if c.name in changes else c for c in columns
        ]

    # accuracy

    @cached_property
    def blocks(self) -> list[Block]:
        return [self._block(column) for column in self.features.columns]

    @cached_property
    def encoded(self) -> list[np.ndarray]:
        return [block.matrix(column) for block, column in zip(self.blocks, self.features.columns, strict=True)]

    def _block(self, column: Column) -> Block:
        return Block.of(column, coded=is_coded(self.estimator))

    @cached_property
    def log_prior(self) -> np.ndarray:
        """Per row, the logarithm of the class shares in the training rows of its fold."""
        size = self.features.size
        log_prior = np.empty((self.features.rows, size), dtype=np.float32)
        for fold in np.unique(self.fold_of_row):
            inside = self.fold_of_row == fold
            rows = np.bincount(self.features.classes[~inside], minlength=size)
            log_prior[inside] = np.log((rows + 1) / (rows.sum() + size))
        return log_prior

    def matrix(self, subset: Subset) -> tuple[np.ndarray, list[tuple[int, bool]]]:
        """Return the columns of a subset as numbers, and the shape of each."""
        parts, blocks = [], []
        for i, column in zip(subset, self.columns(subset), strict=True):
            unchanged = column is self.features.columns[i]
            blocks.append(self.blocks[i] if unchanged else self._block(column))
            parts.append(self.encoded[i] if unchanged else blocks[-1].matrix(column))
        return np.hstack(parts), [block.shape for block in blocks]

    def train_subset(self, subset: Subset) -> np.ndarray:
        """Return the out-of-fold log-probabilities of one subset."""
        if isinstance(self.estimator, NaiveBayes) and self._every_class:
            return self._sum_of_columns(subset)
        self.progress.check()
        x, shape = self.matrix(subset)
        classes = self.features.classes
        narrow, coded = tree_input(self.estimator, x), is_coded(self.estimator)
        x = x if narrow is None else narrow
        if hasattr(self.estimator, "out_of_fold") and self._every_class and (coded or narrow is not None):
            model = fresh(self.estimator, self.seed, shape) if coded else self._untrained
            shares = model.out_of_fold(x, classes, self.features.size, self.fold_of_row, self.progress.stop)
            self.progress.check()
            return logarithms(shares)
        log_shares = np.empty((len(x), self.features.size), dtype=np.float32)
        model, warm = None, getattr(self.estimator, "warm_start", False)
        for fold in np.unique(self.fold_of_row):
            inside = self.fold_of_row == fold
            # copying takes longer than training a small tree, and without warm starts fitting again starts afresh
            model = fresh(self.estimator, self.seed, shape) if model is None or warm else model
            fit_quickly(model, x[~inside], classes[~inside])
            log_shares[inside] = log_probabilities(model, x[inside], self.features.size)
        return log_shares

    @cached_property
    def _untrained(self) -> Any:
        """The classifier of all subsets, where it does not depend on the shape of their columns."""
        return fresh(self.estimator, self.seed)

    @cached_property
    def _every_class(self) -> bool:
        """Whether every class occurs outside every fold, so that the models of all folds have the same classes."""
        size, folds = self.features.size, int(self.fold_of_row.max()) + 1
        within = np.bincount(self.fold_of_row * size + self.features.classes, minlength=folds * size)
        per_fold = within.reshape(folds, size)
        return bool((per_fold.sum(axis=0) > per_fold).all())

    def _sum_of_columns(self, subset: Subset) -> np.ndarray:
        """Return the result of naive Bayes without training a subset: the sum of its columns' log-likelihoods."""
        scores = self.log_prior.astype(float)
        changes = self.treatment(subset).changes
        for i, column in zip(subset, self.columns(subset), strict=True):
            key = i, changes.get(column.name)
            if key not in self._likelihoods:
                self._likelihoods[key] = self._likelihood(column)
            scores += self._likelihoods[key]
        return logarithms(normalized(scores))

    def _likelihood(self, column: Column) -> np.ndarray:
        """Return the out-of-fold log-likelihood of one column."""
        block = self._block(column)
        x = block.matrix(column)
        classes = self.features.classes
        likelihood = np.empty((len(x), self.features.size))
        for fold in np.unique(self.fold_of_row):
            inside = self.fold_of_row == fold
            model = fresh(self.estimator, self.seed, [block.shape]).fit(x[~inside], classes[~inside])
            likelihood[inside] = model.log_likelihood(x[inside])
        return likelihood

    def learn(self, subsets: Sequence[Subset]) -> None:
        """Train every subset that is not known yet, in threads; results do not depend on the number of threads."""
        unknown = [subset for subset in dict.fromkeys(subsets) if subset not in self._shares]
        self.trained += len(unknown)
        for subset, shares in zip(unknown, each_in_threads(self._recalled, unknown), strict=True):
            self._shares[subset] = shares

    def _recalled(self, subset: Subset) -> np.ndarray:
        if self.known is None:
            return self.train_subset(subset)
        names = tuple(self.features.columns[i].name for i in subset)
        if names not in self.known:
            self.known[names] = self.train_subset(subset)
        return self.known[names]

    def accuracies(self, partitionings: Sequence[Partitioning]) -> dict[Partitioning, float]:
        """Return the accuracy of each; their subsets are trained together.

        Then the least recently used probabilities beyond the memory limit are removed.
        """
        self.learn([subset for partitioning in partitionings for subset in partitioning.subsets])
        accuracies = {partitioning: self.accuracy(partitioning) for partitioning in partitionings}
        while len(self._shares) * self.features.rows * self.features.size * 4 > self.memory:
            self._shares.popitem(last=False)
        return accuracies

    def accuracy(self, partitioning: Partitioning) -> float:
        """Return the mean accuracy of the combined classifiers over the folds; the majority's share for no subset."""
        self.learn(partitioning.subsets)
        for subset in partitioning.subsets:
            self._shares.move_to_end(subset)
        scores = combine([self._shares[subset] for subset in partitioning.subsets], self.log_prior)
        right = np.argmax(scores, axis=1) == self.features.classes
        hits = np.bincount(self.fold_of_row, weights=right) / np.bincount(self.fold_of_row)
        return float(hits.mean())
