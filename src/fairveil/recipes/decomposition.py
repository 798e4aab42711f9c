"""Decomposition: the columns split over several tables, each with the decision; the order of rows is not kept.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> table = Table.from_frame(pa.table({"job": ["b", "a"], "sex": ["f", "m"], "rich": ["no", "yes"]}))
>>> split = Decomposition(Schema(quasi=["job", "sex"], decision="rich"), (("job",), ("sex",)))
>>> [part.to_arrow().to_pydict() for part in split.apply(table).tables.values()]
[{'job': ['a', 'b'], 'rich': ['yes', 'no']}, {'sex': ['f', 'm'], 'rich': ['no', 'yes']}]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairveil.counting.ordering import content_order
from fairveil.counting.summary import Summary, entropy_of, shared_information
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.projections import Projections
from fairveil.recipes.outcome import Outcome
from fairveil.recipes.recipe import Indices, PublishedCounts, Recipe, Unknown
from fairveil.recipes.recoding import RULES, ColumnRule, penalties, recode
from fairveil.recipes.stored import Form, listed, stored
from fairveil.shapes import text

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.hierarchy import Hierarchy
    from fairveil.data.schema import Schema


@dataclass(frozen=True, repr=False)
class Decomposed(Outcome):
    """The outcome of a decomposition: also the rows of each projection, and the information gain of each column."""

    kept: int = 0
    gains: Mapping[str, float] = field(default_factory=dict)

    @property
    def published_rows(self) -> int:
        return self.kept

    def summary(self, schema: Schema, classes: Classes | None = None) -> Summary:
        """Return what is known about projections: losses, gains, and the anonymity level as smallest class."""
        parts = Projections.published(list(self.tables.values()), schema)
        names = list(schema.quasi)
        return Summary.of(  # the other figures need classes of complete rows
            1,
            len(names),
            rows=float(self.rows),
            kept=float(self.kept),
            smallest=float(parts.level) if parts else 0.0,
            loss=[self.paid(name)[0] for name in names],
            entropy=[self.paid(name)[1] for name in names],
            full_entropy=[self.full_entropy[name] for name in names],
            gain=[self.gains[name] for name in names],
            weights=[schema.loss_weight(name) for name in names],
        )


@dataclass(frozen=True, repr=False)
class Decomposition(Recipe):
    """`subsets` of columns, one per projection; a column in none of them is not published.

    `rules` recode a column in all projections (intervals of numbers); `changes[i]` recode it again in projection i
    only, where single values are suppressed or generalized. `known` lists the values of columns that a projection
    publishes as they are.
    """

    kind = "decomposition"
    title = "columns split into several tables"
    says = "The columns are published in several tables, so that combinations cannot be read."
    splits = True

    subsets: tuple[tuple[str, ...], ...] = field(metadata=stored(listed(listed(Form(text), 1))))
    rules: Mapping[str, ColumnRule] = field(default_factory=dict, metadata=stored(RULES))
    changes: tuple[Mapping[str, ColumnRule], ...] = field(default=(), metadata=stored(listed(RULES)))

    def __post_init__(self) -> None:
        if self.schema.decision is None:
            raise BadInput("projections are joined on the decision, and the schema has no decision column")
        if not self.changes:
            object.__setattr__(self, "changes", tuple({} for _ in self.subsets))

    @cached_property
    def used(self) -> list[str]:
        return list(dict.fromkeys(name for subset in self.subsets for name in subset))

    @property
    def table_names(self) -> tuple[str, ...]:
        return tuple(f"projection-{number}" for number in range(1, len(self.subsets) + 1))

    def columns(self, table: Table, name: str) -> list[Column]:
        """Return the columns of one projection without the decision, rows in the order of the table."""
        return [column for column, _ in self.recoded(table, self.table_names.index(name))]

    def recoded(self, table: Table, position: int) -> list[tuple[Column, np.ndarray]]:
        """Return the columns of one projection as published, rows in the order of the table, with lookup tables."""
        recoded = []
        for name in self.subsets[position]:
            column = table.column(name)
            lookup = np.arange(len(column.values))
            for rule in (self.rules.get(name), self.changes[position].get(name)):
                if rule is not None:
                    column, step = recode(column, rule, self.schema.hierarchies.get(name))
                    lookup = step[lookup]
            recoded.append((column, lookup))
        return recoded

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """Split the table; each projection is sorted by its own values, so that rows cannot be linked by position."""
        return super().outcome(self.schema.at_levels(Table.of(table, self.schema.read)), unknown=unknown)

    @property
    def needed(self) -> list[str]:
        return [*self.used, self.schema.decision or ""]

    @property
    def climbing(self) -> list[str]:
        return [n for n in self.schema.quasi if n in self.schema.hierarchies and n not in self.rules]

    @property
    def unlisted(self) -> list[str]:
        """The columns that a projection publishes as they are."""
        parts = zip(self.subsets, self.changes, strict=True)
        plain = {name for subset, changed in parts for name in subset if name not in (*self.rules, *changed)}
        return [name for name in self.schema.quasi if name in plain]

    def recode(self, table: Table, counts: Indices = None) -> Outcome:
        assert counts is None, "projections are made of rows"
        for name in self.climbing:
            if (
                name in table and name in self.schema.hierarchies
            ):  # as with any recipe, a value outside its hierarchy is refused by name
                self.schema.hierarchies[name].bind(table.column(name).domain, name)
        target = table.column(self.schema.decision or "")
        present = {name: np.bincount(table.column(name).codes) for name in self.schema.quasi if name in table}
        entropies = {name: entropy_of(present[name]) if name in present else 0.0 for name in self.schema.quasi}
        worth = {name: ColumnWorth(1.0, entropy, 0.0) for name, entropy in entropies.items()}  # not published
        tables = {}
        for position, stem in enumerate(self.table_names):
            columns = self.recoded(table, position)
            for fresh, lookup in columns:
                rule, hierarchy = self.changes[position].get(fresh.name), self.schema.hierarchies.get(fresh.name)
                column_worth = ColumnWorth.of(table.column(fresh.name), lookup, target, rule, hierarchy)
                worth[fresh.name] = min(worth.get(fresh.name, column_worth), column_worth)
            part = replace(table, columns=(*(column.compact() for column, _ in columns), target), native={})
            tables[stem] = part.take(content_order(part))
        kept = table.rows if tables else 0
        totals = {name: (kept * worth[name].loss, kept * worth[name].hidden) for name in entropies}
        gains = {name: worth[name].gain for name in entropies}
        return Decomposed(tables, table.rows, {}, entropies, totals=totals, kept=kept, gains=gains)

    def lacks(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        expected = [[*subset, self.schema.decision] for subset in self.subsets]
        return [
            f"{stem}: the columns are {table.names}, the recipe says {names}"
            for (stem, table), names in zip(tables.items(), expected, strict=True)
            if table.names != names
        ]

    def problems(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        problems: list[str] = []
        for position, (stem, table) in enumerate(tables.items()):
            problems += [
                f"{stem}: column {name!r} holds {strays[0]!r}, which the recipe does not publish"
                for name in self.subsets[position]
                if (strays := self._strays(table.domain(name), position))
            ]
        problems += self.known_problems(tables)
        if not problems and len({_class_counts(table, self.schema.decision or "") for table in tables.values()}) > 1:
            problems.append("the projections differ in the number of rows of some class")
        return problems

    def strays(self, column: Column) -> list[Any]:
        strays_by_table = [self._strays(column, p) for p, subset in enumerate(self.subsets) if column.name in subset]
        return min(strays_by_table, key=len, default=[])

    def _strays(self, column: Column, position: int) -> list[Any]:
        rule = self.changes[position].get(column.name) or self.rules.get(column.name)
        return [value for value in column.domain if rule and not rule.admits(value)]

    def to_dict(self) -> dict[str, Any]:
        used = {name: rule for name, rule in self.rules.items() if name in self.used}
        return super(Decomposition, replace(self, rules=used)).to_dict()

    def check(self) -> None:
        if len(self.changes) != len(self.subsets) or any(len(set(subset)) < len(subset) for subset in self.subsets):
            raise BadInput("the recipe must list each column of a projection once, and changes for each projection")
        columns, strange = self.schema.columns, [name for name in self.known or () if name not in self.used]
        refuse([f"subsets: {suggest(name, columns, 'column')}" for name in sorted(self.used) if name not in columns])
        refuse([f"known: {suggest(name, self.used, 'column of a projection')}" for name in strange])


class ColumnWorth(NamedTuple):
    """Mean loss, mean hidden bits, and information gain of a published column. The lowest loss wins."""

    loss: float
    hidden: float
    gain: float

    @classmethod
    def of(
        cls, column: Column, lookup: np.ndarray, target: Column, rule: ColumnRule | None, hierarchy: Hierarchy | None
    ) -> ColumnWorth:
        if not len(column):
            return cls(1.0, 0.0, 0.0)
        loss, bits = penalties(column, lookup, rule, hierarchy)
        codes = lookup[column.codes]
        rows = np.bincount(codes, minlength=len(loss)) / len(column)
        gain = shared_information(codes, target.codes, len(target.values))
        return cls(float((rows * loss).sum()), float((rows * bits).sum()), gain)


def _class_counts(table: PublishedCounts, decision: str) -> tuple[tuple[str, int], ...]:
    cells, values = table.count([decision]), table.domain(decision).domain
    return tuple(sorted((str(values[c]), int(n)) for c, n in zip(cells.codes[decision], cells.counts, strict=True)))
