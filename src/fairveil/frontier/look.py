"""What a measure may look at of a release (`measures.Looked`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.evaluation.recoded import recoded
from fairveil.recipes.base import classes_of
from fairveil.recipes.decomposition import Decomposition
from fairveil.release.release import Release


@dataclass(frozen=True)
class Look:
    """A release of `source`, as measures see it."""

    release: Release
    source: Table

    @property
    def schema(self) -> Schema:
        return self.release.schema

    @property
    def seed(self) -> int:
        return self.release.seed

    @property
    def tables(self) -> Mapping[str, Table]:
        return self.release.outcome.files

    @property
    def source_rows(self) -> np.ndarray | None:
        whole = self.release.outcome.parts is None and self.release.source is self.source
        return self.release.source_rows if whole else None

    @cached_property
    def classes(self) -> Classes | None:
        if self.release.outcome.parts is not None:
            return None
        return classes_of(self.release.table, self.schema)[0]

    def recode(self, rows: Table) -> tuple[Mapping[str, Table], np.ndarray]:
        if self.release.outcome.parts is None:
            table, kept = recoded(self.release.recipe, rows)
            return {"data": table}, kept
        outcome = self.release.recipe.apply(rows, unknown="suppress")
        return outcome.files, np.arange(outcome.table.rows)

    def columns(self, rows: Table, name: str) -> list[Column]:
        recipe = self.release.recipe
        if isinstance(recipe, Decomposition):
            return [column for column, _ in recipe.columns(rows, list(self.tables).index(name))]
        tables, _ = self.recode(rows)
        return list(tables[name].columns)
