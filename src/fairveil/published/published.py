"""Published: what a release publishes, and nothing else: recipe, guards, tables by name, and their classes.

Verification, attacks, evaluation and report use it. It is built from a release in memory or from a release folder
(`published/folder.py`), with the same result. Most users need only counts (`engines/relation.py`), so the
rows may stay in their files or on their engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Classes, class_columns
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.arrow import numbers
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder, plain_piece
from fairveil.data.table import Column, Table
from fairveil.data.writers import piece_rows
from fairveil.display import Displayable
from fairveil.engines import InMemoryTable, Order, PublishedTable
from fairveil.engines.relation import in_value_order
from fairveil.guards import Guard, Verdict, guarded_columns
from fairveil.messages import counted
from fairveil.recipes.outcome import ONLY, PersonCounts, shared_table
from fairveil.recipes.recipe import Recipe

if TYPE_CHECKING:
    from fairveil.counting.class_histogram import ClassHistogram
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections


@dataclass(frozen=True, repr=False)
class Published(Displayable):
    """What a release publishes. `content` holds one table, or one per projection. `suppressed` counts the rows of the
    source that are not in it. Where persons are counted, `persons` has those of the source, and `smallest` those of the
    smallest class, if it was judged by a column that is not published. `order` is the order of the rows: sorted by
    value, or as in the source. `missing_counts`: an earlier version wrote it, for which a missing sensitive value was
    one more value.

    `source_rows` holds the source row behind each row of the only table. Only the publisher knows it: it is None when
    loaded from a folder, and where published rows are not rows of the source (projections, noisy tables).
    """

    recipe: Recipe
    content: Mapping[str, PublishedTable]
    guards: tuple[Guard, ...] = ()
    suppressed: int = 0
    seed: int = 0
    order: Order = "sorted"
    source_rows: np.ndarray | None = field(default=None, repr=False, compare=False)
    missing_counts: bool = False
    persons: PersonCounts | None = None
    smallest: int | None = None

    def _headline(self) -> str:
        return f"Published ({self.recipe.title or self.recipe.kind}): {counted(self.rows, 'row')}"

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    @property
    def visible(self) -> Schema:
        """The schema of what everybody can count: persons only if their column is published."""
        return self.schema if self.schema.links else replace(self.schema, person=None)

    @classmethod
    def of(cls, recipe: Recipe, tables: Mapping[str, Table], guards: Sequence[Guard] = ()) -> Published:
        """What a recipe publishes, with its rows in memory."""
        return cls(recipe, in_memory(tables), tuple(guards))

    @property
    def has_rows(self) -> bool:
        """Whether `tables` can return the rows; otherwise only counts are available."""
        return all(content.has_rows for content in self.content.values())

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """All rows by table name. Raises BadInput where only counts are available."""
        return {name: content.table for name, content in self.content.items()}

    @cached_property
    def table(self) -> Table:
        """The only table; of several tables, the columns that all of them have."""
        return shared_table(self.tables)

    @property
    def repeated(self) -> tuple[Table, np.ndarray | None]:
        """Rows of `table`, and how often each of them is repeated; None: they are all of them."""
        content = self.content.get(ONLY)
        if self.whole and isinstance(content, InMemoryTable) and content.has_rows:
            return content.distinct, content.counts
        return self.table, None

    @property
    def names(self) -> list[str]:
        """The columns of the only table; of several tables, those that all of them have."""
        listed = [content.names for content in self.content.values()]
        return [name for name in (listed[0] if listed else []) if all(name in names for names in listed)]

    @property
    def whole(self) -> bool:
        """Whether all columns are in one table."""
        return not self.recipe.splits

    @property
    def keeps_order(self) -> bool:
        """Whether the rows are in the order of the source, so that a row's position identifies its person."""
        return self.order == "keep" and self.whole and not self.recipe.invents

    @property
    def rows(self) -> int:
        return next((content.rows for content in self.content.values()), 0)

    @property
    def suppressed_units(self) -> int:
        """How many persons are suppressed where everybody can count them, else how many rows."""
        known = self.schema.links and self.persons is not None
        return self.persons.suppressed if known and self.persons is not None else self.suppressed

    @cached_property
    def classes(self) -> Classes | None:
        """The equivalence classes of the only table; None where the columns are split."""
        return self._classes(guarded_columns(self.guards, self.visible)) if self.whole else None

    def _classes(self, columns: Sequence[str]) -> Classes:
        """The classes, described by these columns and those that are always needed."""
        content, schema = self.content[ONLY], self.schema
        names = class_columns(schema, content.names, columns)
        cells = in_value_order(content.count(names))
        levels = {
            name: schema.hierarchies[name].bind(list(cells.labels[name].to_pylist()), name)
            for name in names
            if name in schema.hierarchies and name not in (*schema.quasi, *schema.levels)
        }
        return Classes.of(replace(cells, levels=levels), schema.quasi)

    def sensitive(self, name: str) -> ClassHistogram:
        """The known values of a sensitive column in the published classes that have any; with missing as a value if a
        guard of the column says so."""
        assert self.classes is not None, "the columns of several tables have no common classes"
        return self.classes.histogram(name, known=not self.counts_missing(name)).occupied()

    def counts_missing(self, name: str) -> bool:
        """Whether a missing value of a sensitive column is one more value, as a guard of the release takes it."""
        return self.missing_counts or any(name in guard.counts_missing(self.schema) for guard in self.guards)

    @cached_property
    def class_of_row(self) -> np.ndarray:
        """The class of each row of the only table."""
        classes, (table, counts) = self.classes, self.repeated
        assert classes is not None, "rows of several tables have no common class"
        own = [table.column(name) for name in self.schema.quasi]
        group_of_row, firsts = first_rows([(column.codes, len(column.values)) for column in own], table.rows)
        columns = [
            (np.concatenate([classes.codes[column.name], column.codes[firsts]]), classes.sizes[column.name])
            for column in own
        ]
        ids, _ = group_of(columns, len(classes.ids) + len(firsts))  # classes come first, so they keep their numbers
        own_classes: np.ndarray = ids[len(classes.ids) :][group_of_row]
        return own_classes if counts is None else np.repeat(own_classes, counts)

    @cached_property
    def projections(self) -> Projections:
        """The tables of a release whose columns are split."""
        from fairveil.guards.projections import Projections

        return Projections.published(list(self.tables.values()), self.schema)

    def verdicts(self, guards: Sequence[Guard] | None = None) -> tuple[Verdict, ...]:
        """The verdicts of the release's own guards, or of other `guards`, on the published data."""
        return self._own_verdicts if guards is None else self._verdicts(guards)

    @cached_property
    def _own_verdicts(self) -> tuple[Verdict, ...]:
        return self._verdicts(self.guards)

    def _verdicts(self, guards: Sequence[Guard]) -> tuple[Verdict, ...]:
        if self.classes is None:
            return self.projections.check(guards)
        classes, columns = self.classes, guarded_columns(guards, self.visible)
        if any(name not in classes.codes for name in columns):
            classes = self._classes(columns)
        counted_before = self.visible.person != self.schema.person
        return tuple(
            guard.without_persons(classes, self.schema) if counted_before else guard.verdict(classes, self.schema)
            for guard in guards
        )

    @cached_property
    def k(self) -> int:
        """The k that the guards promise; where they promise none, the size of the smallest class, but at most
        the k that they promise on a key set."""
        promised = max((guard.least_rows for guard in self.guards), default=1)
        if promised > 1:
            return promised
        on_sets = min((guard.least_on_sets for guard in self.guards if guard.least_on_sets), default=0)
        return min(self._smallest, on_sets) if on_sets else self._smallest

    @property
    def unit(self) -> str:
        """What `k` counts: "persons" or "records"."""
        return "records" if self.schema.person is None or self.persons is None else "persons"

    @property
    def _smallest(self) -> int:
        """The records of the smallest class, or the persons where these are counted."""
        if self.classes is None:
            return self.projections.level if self.content else 1
        if not len(self.classes) or self.smallest is not None:
            return self.smallest or 1
        return int(self.classes.people(self.visible.person).min())

    def recode(self, rows: Table) -> tuple[Mapping[str, Table], np.ndarray]:
        """Return other rows as the recipe publishes them, and the indices of these rows.

        Rows with values that the recipe does not know are left out. The rows of a single table keep the given order.
        """
        outcome = self.recipe.applied(rows, unknown="suppress")
        source_rows = outcome.source_rows
        return outcome.tables, np.arange(rows.rows) if source_rows is None else source_rows

    def columns(self, rows: Table, name: str) -> list[Column]:
        """The columns of one published table for other rows, in the order of these rows."""
        return self.recipe.columns(rows, name)

    def covers(self, rows: Table) -> Mapping[str, np.ndarray]:
        """Per quasi column, whether each published value of the only table is true of the row behind it."""
        return self.recipe.covers(rows, self.tables[ONLY])

    def sampled(self, rows: int, seed: int) -> Published:
        """A random sample of the rows of the only table, for what needs rows where all are too many to load."""
        from fairveil.learning.folds import sample

        content = self.content[ONLY]
        chosen = sample(content.rows, seed, rows)
        if chosen is None:
            return self
        coders, start = [Coder(name) for name in content.names], 0
        with closing(content.pieces(piece_rows())) as pieces:
            for piece in pieces:
                inside = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, start + piece.num_rows)]
                taken = piece.take(numbers(inside - start))
                for coder, column in zip(coders, taken.columns, strict=True):
                    coder.add(plain_piece(coder.name, column))
                start += piece.num_rows
        table = published_table(Table(tuple(coder.finish() for coder in coders)), self.schema)
        return replace(self, content={ONLY: InMemoryTable(table)}, source_rows=None)

    def of_rows(self, rows: Table) -> Published:
        """What the same recipe publishes for other rows."""
        return replace(
            self, content=in_memory(self.recode(rows)[0]), suppressed=0, source_rows=None, persons=None, smallest=None
        )


def in_memory(tables: Mapping[str, Table]) -> dict[str, PublishedTable]:
    """Each table as an InMemoryTable."""
    return {name: InMemoryTable(table.compact()) for name, table in tables.items()}
