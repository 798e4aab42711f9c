"""The analyst's side: a classifier per published projection, combined by naive Bayes (Eq. 1 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.guards.projections import alike
from fairveil.learning.inducers import Block, combine, fresh, inducer, log_probabilities, matrix, normalized
from fairveil.recipes.decomposition import Decomposition


@dataclass(frozen=True)
class Combined:
    """Trained classifiers, one per projection. `labels` are the classes, in the order of the probabilities."""

    recipe: Decomposition
    models: tuple[Any, ...]
    blocks: tuple[tuple[Block, ...], ...]
    log_prior: np.ndarray
    labels: tuple[Any, ...]

    @classmethod
    def fit(cls, recipe: Decomposition, parts: tuple[Table, ...], given: Any = "tree", *, seed: int = 0) -> Combined:
        """Learn from projections alone, as whoever receives a release can."""
        if not parts:
            raise BadInput("nothing is published, so nothing can be learnt from it")
        targets, size = alike([part.column(recipe.schema.decision or "") for part in parts])
        blocks = tuple(tuple(Block.of(column) for column in part.columns[:-1]) for part in parts)
        estimator = inducer(given)
        models = tuple(
            fresh(estimator, some, seed).fit(matrix(estimator, some, part.columns[:-1]), target)
            for some, part, target in zip(blocks, parts, targets, strict=True)
        )
        rows = np.bincount(targets[0], minlength=size)
        labels = tuple(parts[0].column(recipe.schema.decision or "").domain)
        return cls(recipe, models, blocks, np.log((rows + 1) / (rows.sum() + size)), labels)

    def log_scores(self, table: Table) -> np.ndarray:
        """The numerator over the denominator of Eq. 1 for every row of a table in its original values."""
        shares = []
        for position, model in enumerate(self.models):
            columns = [column for column, _ in self.recipe.columns(table, position)]
            x = matrix(model, self.blocks[position], columns)
            shares.append(log_probabilities(model, x, len(self.log_prior)))
        return combine(shares, self.log_prior)

    def probabilities(self, table: Table) -> np.ndarray:
        return normalized(self.log_scores(table))

    def predict(self, table: Table) -> list[Any]:
        return [self.labels[place] for place in np.argmax(self.log_scores(table), axis=1)]
