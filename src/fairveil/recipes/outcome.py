"""Outcome: a table after a recipe, with the tables that would be published and the cost of each published value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Classes, classes_of
from fairveil.counting.summary import Summary, summarize_classes
from fairveil.data.canonical import pseudonymize
from fairveil.data.table import Column, Table
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.data.schema import Schema

ONLY = "data"
"""The name of the published table if there is only one."""


@dataclass(frozen=True)
class PersonCounts:
    """The persons of a source, those of whom any record is suppressed, and those of whom any record is published.

    >>> some = PersonCounts.of(np.array([0, 0, 1, 2]), published=np.array([0, 3]))
    >>> some, some.sentence
    (PersonCounts(source=3, suppressed=2, published=2), '2 of 3 persons published, 2 not with all their records')
    """

    source: int
    suppressed: int
    published: int

    @classmethod
    def of(cls, persons: np.ndarray, published: np.ndarray | None) -> PersonCounts:
        """Count the persons of coded rows (or cells), of which those with the indices `published` are published; None:
        all are."""
        everybody = _distinct(persons)
        if published is None:
            return cls(everybody, 0, everybody)
        left_out = np.ones(len(persons), dtype=bool)
        left_out[published] = False
        return cls(everybody, _distinct(persons[left_out]), _distinct(persons[published]))

    @property
    def apart(self) -> bool:
        """Whether all records of each person are published, or none."""
        return self.source == self.suppressed + self.published

    @property
    def sentence(self) -> str:
        """How many were published."""
        how = "suppressed" if self.apart else "not with all their records"
        return f"{self.published:,} of {counted(self.source, 'person')} published, {self.suppressed:,} {how}"


def _distinct(codes: np.ndarray) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


@dataclass(frozen=True, repr=False)
class Outcome(Displayable):
    """A table after a recipe: what would be published, by name, and what each published value costs.

    tables        one table, or one per projection where a recipe splits the columns
    rows          of the source, including those suppressed so far
    penalties     per column, loss and hidden bits of each published code
    row_costs     the same per row, for columns whose costs depend on the row, not only on the value
    full_entropy  per column, the bits of the source
    levels        per column, level and height, where the recipe works with levels
    source_rows   the row of the source behind each row of the only table, where some were suppressed
    counts        how many rows each row of the only table stands for, where it holds cells
    totals        per column, loss and hidden bits of all rows, where they are already summed
    shares        how much each row of the only table counts, where persons are counted; those of a person sum to 1
    persons       of the source, suppressed and published so far, where persons are counted
    facts         what the method reports about it, for the evidence
    """

    tables: Mapping[str, Table]
    rows: int
    penalties: Mapping[str, tuple[np.ndarray, np.ndarray]]
    full_entropy: Mapping[str, float]
    levels: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    row_costs: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    source_rows: np.ndarray | None = None
    counts: np.ndarray | None = None
    totals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    shares: np.ndarray | None = None
    persons: PersonCounts | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def _headline(self) -> str:
        return f"Outcome: {self.published_rows:,} of {counted(self.rows, 'row')} published"

    def _tables(self) -> list[DisplayTable]:
        return [sheet for table in self.tables.values() for sheet in table._tables()]

    @property
    def table(self) -> Table:
        """The only table; if there are several, the columns that all of them have."""
        return shared_table(self.tables)

    def take(self, index: np.ndarray) -> Outcome:
        """Return the outcome with only these rows of the only table."""
        costs = {name: (loss[index], bits[index]) for name, (loss, bits) in self.row_costs.items()}
        rows = index if self.source_rows is None else self.source_rows[index]
        counts = None if self.counts is None else self.counts[index]
        tables = {ONLY: self.table.take(index)}
        return replace(self, tables=tables, row_costs=costs, source_rows=rows, counts=counts)

    def paid(self, name: str) -> tuple[float, float]:
        """Return loss and hidden bits of one column, summed over the rows."""
        if name in self.totals:
            return self.totals[name]
        if name in self.row_costs:
            loss, bits = self.row_costs[name]
            each = 1.0 if self.shares is None else self.shares
            return float((loss * each).sum()), float((bits * each).sum())
        loss, bits = self.penalties[name]
        weights = self.counts if self.shares is None else self.shares
        rows = np.bincount(self.table.column(name).codes, weights=weights, minlength=len(loss))
        return float((rows * loss).sum()), float((rows * bits).sum())

    def measured_as(self, other: Outcome) -> Outcome:
        """Return the same tables with the figures of another outcome, of a search that knows the whole source."""
        totals = {name: other.paid(name) for name in other.full_entropy}
        return replace(self, totals=totals, full_entropy=other.full_entropy, levels=other.levels, persons=other.persons)

    def by_person(self, persons: Column) -> Outcome:
        """Return the same where every person counts once, given who each row (or cell) of the source is about."""
        rows = persons if self.source_rows is None else persons.take(self.source_rows)
        counts = np.ones(len(rows.codes)) if self.counts is None else self.counts
        shares = counts / np.bincount(rows.codes, weights=counts, minlength=len(persons.values))[rows.codes]
        return replace(self, shares=shares, persons=PersonCounts.of(persons.codes, self.source_rows))

    @property
    def published_rows(self) -> int:
        """The number of published rows."""
        return self.table.rows if self.counts is None else int(self.counts.sum())

    def summary(self, schema: Schema, classes: Classes | None = None) -> Summary:
        """Return everything that measures need to know; `classes` are those of the only table, if known."""
        if classes is None:
            classes, _ = classes_of(self.table, schema, self.counts, ())
        paid = {name: self.paid(name) for name in schema.quasi}
        rows = self.rows if self.persons is None else self.persons.source
        return summarize_classes(classes, schema, rows, paid, self.full_entropy, self.levels)


def shared_table(tables: Mapping[str, Table]) -> Table:
    """Return the only table; if there are several, the columns that all of them have, as they are in the first."""
    if list(tables) == [ONLY] or not tables:
        return tables.get(ONLY, Table(()))
    first, *others = tables.values()
    return first.select([name for name in first.names if all(name in table for table in others)])


def settle(table: Table, schema: Schema) -> Table:
    """Return the table with the columns that no method changes as published: identifiers are removed or become
    pseudonyms, `drop` columns are removed, columns with a fixed level are published at it, and weights are rounded or
    recalibrated.

    Raises BadInput for a column that is not in the schema, so that nothing of new data is published by accident.
    """
    known = set(schema.columns)
    for name in table.names:
        if name not in known:
            raise BadInput(f"column {name!r} has no role in the recipe's schema: drop it first")
    published = schema.recalibrated(schema.at_levels(table.drop(known.difference(schema.published))))
    return published.with_columns(pseudonymize(published.column(n)) for n in schema.pseudonyms if n in published)
