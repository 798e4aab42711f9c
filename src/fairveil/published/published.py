"""Published: what a release publishes, and nothing else: recipe, guards, tables by name, and their classes.

Verification, attacks, evaluation and report look at this. It comes from a release in memory or from a release folder
(`published/folder.py`), and is the same from both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fairveil.counting.cells import Classes, classes_of
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.engines.base import Order
from fairveil.guards import Guard, Verdict, looked_at
from fairveil.guards.projections import Projections
from fairveil.recipes.base import ONLY, Recipe, shared_table


@dataclass(frozen=True)
class Published:
    """`tables` holds one table, or one per projection. `suppressed` rows of the source are not in it. `order` is that
    of the rows: by their values, or as in the source.

    `source_rows` is the row of the source behind each row of the only table. Only the maker of a release knows it. It
    is None where it is not known, or where published rows are not rows of the source (projections, noisy tables).
    """

    recipe: Recipe
    tables: Mapping[str, Table]
    guards: tuple[Guard, ...] = ()
    suppressed: int = 0
    seed: int = 0
    order: Order = "sorted"
    source_rows: np.ndarray | None = field(default=None, repr=False, compare=False)

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    @cached_property
    def table(self) -> Table:
        """The only table; of several the columns that all of them have."""
        return shared_table(self.tables)

    @property
    def whole(self) -> bool:
        """Whether the columns stand together in one table."""
        return not self.recipe.splits

    @property
    def keeps_order(self) -> bool:
        """Whether the rows stand as in the source, so that the number of a row says whose it is."""
        return self.order == "keep" and self.whole and not self.recipe.invents

    @property
    def rows(self) -> int:
        return next((table.rows for table in self.tables.values()), 0)

    @cached_property
    def _grouped(self) -> tuple[Classes, np.ndarray]:
        return classes_of(self.tables[ONLY], self.schema, columns=looked_at(self.guards, self.schema))

    @property
    def classes(self) -> Classes | None:
        """The equivalence classes of the only table; None where the columns are split."""
        return self._grouped[0] if self.whole else None

    @property
    def class_of_row(self) -> np.ndarray:
        return self._grouped[1]

    @cached_property
    def projections(self) -> Projections:
        """The tables of a release whose columns are split."""
        return Projections.published(list(self.tables.values()), self.schema)

    def verdicts(self, guards: Sequence[Guard] | None = None) -> tuple[Verdict, ...]:
        """The guards' answers for what is published; those of the release itself unless others are given."""
        chosen = self.guards if guards is None else guards
        if self.classes is None:
            return self.projections.check(chosen)
        classes, columns = self.classes, looked_at(chosen, self.schema)
        if any(name not in classes.codes for name in columns):
            classes, _ = classes_of(self.tables[ONLY], self.schema, columns=columns)
        return tuple(guard.verdict(classes, self.schema) for guard in chosen)

    @cached_property
    def k(self) -> int:
        """The k that is promised; where none is, the one that is kept."""
        promised = max((guard.least_rows for guard in self.guards), default=1)
        if promised > 1:
            return promised
        if self.classes is None:
            return self.projections.level if self.tables else 1
        return int(self.classes.rows.min()) if len(self.classes) else 1

    def recode(self, rows: Table) -> tuple[Mapping[str, Table], np.ndarray]:
        """Other rows as the recipe publishes them, and which rows those are.

        Rows with values that the recipe does not know are left out. The rows of an only table are in the given order.
        """
        outcome = self.recipe.apply(rows, unknown="suppress")
        source_rows = outcome.source_rows
        return outcome.tables, np.arange(rows.rows) if source_rows is None else source_rows

    def columns(self, rows: Table, name: str) -> list[Column]:
        """The columns of one published table as the recipe publishes them of other rows, in the order of the rows."""
        return self.recipe.columns(rows, name)

    def covers(self, rows: Table) -> Mapping[str, np.ndarray]:
        """Whether what is published is true: per quasi column, for each row of the only table and the row behind it."""
        return self.recipe.covers(rows, self.tables[ONLY])

    def of_rows(self, rows: Table) -> Published:
        """What the same recipe publishes of other rows."""
        return replace(self, tables=self.recode(rows)[0], suppressed=0, source_rows=None)
