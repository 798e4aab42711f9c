"""Features: the columns that may be published, as the search sees them, and how anonymous subsets of them are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import group_of
from fairveil.data.interval_edges import Edges, Number
from fairveil.data.numeric import is_number
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, suggest
from fairveil.guards.projections import ProjectionAnonymity, facts_of
from fairveil.learning.information_gain import mdl_cuts
from fairveil.recipes.recoding import ColumnRule, IntervalBins, recode

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards.projection_joins import Coded
    from fairveil.methods.dmpd.partitioning import Subset


def bins_of(
    table: Table, schema: Schema, cuts: Mapping[str, Sequence[float]], *, min_rows: int = 1
) -> dict[str, ColumnRule]:
    """Return intervals for every numeric quasi column: the given cuts, otherwise cuts that separate the classes (MDL).

    With at least `min_rows` rows in every interval, a column is anonymous by itself, unless few rows have a missing
    value.
    """
    numeric = {name: table.column(name) for name in schema.quasi if is_number(table.column(name))}
    unknown = [name for name in cuts if name not in numeric]
    if unknown:
        raise BadInput(f"cuts: {suggest(unknown[0], list(numeric), 'numeric quasi column')}")
    classes = table.column(schema.decision or "").codes
    return {
        name: IntervalBins(tuple(sorted(cuts[name])) if name in cuts else _between(column, classes, min_rows))
        for name, column in numeric.items()
    }


def _between(column: Column, classes: np.ndarray, min_rows: int) -> tuple[Number, ...]:
    """Return the cuts that separate the classes, on the column's grid."""
    edges = Edges.of(column, upper=True)
    cell_of_code = edges.by_code(column).astype(float)
    cell_of_code[cell_of_code == edges.count] = np.nan  # missing
    cuts = mdl_cuts(cell_of_code[column.codes], classes, min_rows=min_rows)
    return tuple(edge for cut in cuts if (edge := edges.below(int(np.ceil(cut)))) is not None)


@dataclass(frozen=True)
class Features:
    """Candidate columns as they would be published, the class of each row, and which columns are quasi."""

    columns: tuple[Column, ...]
    quasi: tuple[bool, ...]
    classes: np.ndarray
    size: int
    decision: str

    @classmethod
    def of(cls, table: Table, schema: Schema, rules: Mapping[str, ColumnRule]) -> Features:
        """Return all columns except identifiers, dropped columns, the decision, and constant columns."""
        decision = schema.decision or ""
        excluded = {*schema.identifier, *schema.drop, decision}
        columns = [
            recode(column, rules[column.name])[0] if column.name in rules else column
            for column in (table.column(name).compact() for name in table.names if name not in excluded)
        ]
        telling = [column for column in columns if len(np.unique(column.codes)) > 1]
        target = table.column(decision)
        quasi = tuple(column.name in schema.quasi for column in telling)
        return cls(tuple(telling), quasi, target.codes.astype(np.int64), len(target.values), decision)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def rows(self) -> int:
        return len(self.classes)

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def take(self, keep: Sequence[int]) -> Features:
        return replace(self, columns=tuple(self.columns[i] for i in keep), quasi=tuple(self.quasi[i] for i in keep))

    @cached_property
    def _cells(self) -> tuple[dict[int, Coded], np.ndarray, np.ndarray]:
        """Return the distinct tuples of all quasi columns and the class: codes per column, class and rows of each."""
        indices = [i for i in range(len(self)) if self.quasi[i]]
        coded = [(self.columns[i].codes, len(self.columns[i].values)) for i in indices]
        groups, total = group_of([*coded, (self.classes, self.size)], self.rows)
        first_row = np.zeros(total, dtype=np.int64)
        first_row[groups[::-1]] = np.arange(self.rows - 1, -1, -1)
        codes = {i: (codes[first_row].astype(np.int64), size) for i, (codes, size) in zip(indices, coded, strict=True)}
        return codes, self.classes[first_row], np.bincount(groups, minlength=total).astype(np.int64)

    def quasi_cells(self, subset: Subset) -> tuple[dict[int, Coded], np.ndarray, np.ndarray]:
        """Return the cells with only the quasi columns of a subset."""
        codes, classes, counts = self._cells
        return {i: codes[i] for i in subset if self.quasi[i]}, classes, counts

    def facts(self, subset: Subset) -> ProjectionAnonymity:
        codes, classes, counts = self.quasi_cells(subset)
        return facts_of(list(codes.values()), (classes, self.size), counts)
