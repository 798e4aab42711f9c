"""Decomposition: the columns split over several tables, each with the decision; the order of rows is not kept.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"job": ["b", "a"], "sex": ["f", "m"], "rich": ["no", "yes"]}))
>>> split = Decomposition(Schema(quasi=["job", "sex"], decision="rich"), (("job",), ("sex",)))
>>> [part.to_arrow().to_pydict() for part in split.apply(table).tables.values()]
[{'job': ['a', 'b'], 'rich': ['yes', 'no']}, {'sex': ['f', 'm'], 'rich': ['no', 'yes']}]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.ordering import content_order
from fairveil.counting.summary import Summary
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.projections import Projections
from fairveil.recipes import recoding
from fairveil.recipes.new_data import Unknown, placed_rows, without
from fairveil.recipes.outcome import Outcome
from fairveil.recipes.recipe import PublishedCounts, Recipe
from fairveil.recipes.recipe_shape import parts_of
from fairveil.recipes.recoding import ColumnRule, penalties, recode
from fairveil.shapes import each, many, text

NAN = np.array([np.nan])


@dataclass(frozen=True, repr=False)
class Decomposed(Outcome):
    """The outcome of a decomposition; `kept` is the number of rows of each projection, `gains` the information gain of
    each column."""

    kept: int = 0
    gains: Mapping[str, float] | None = None

    @property
    def published_rows(self) -> int:
        return self.kept

    def summary(self, schema: Schema, classes: Classes | None = None) -> Summary:
        """Return what is known about projections: losses, gains, and the anonymity level as smallest class."""
        parts = Projections.published(list(self.tables.values()), schema)
        rows, kept, names = float(self.rows), float(self.kept), list(schema.quasi)
        gains = self.gains or {}
        per_column = np.full((1, len(names)), np.nan)
        unknown: dict[str, np.ndarray] = {f.name: NAN for f in fields(Summary)}  # these need classes of complete rows
        figures = {
            "rows": np.array([rows]),
            "kept": np.array([kept]),
            "smallest": np.array([float(parts.level) if parts else 0.0]),
            "loss": np.array([[kept * float(self.penalties[name][0][0]) for name in names]]),
            "entropy": np.array([[kept * float(self.penalties[name][1][0]) for name in names]]),
            "full_entropy": np.array([[self.full_entropy[name] for name in names]]),
            "gain": np.array([[gains.get(name, np.nan) for name in names]]),
            "levels": per_column,
            "heights": per_column,
            "weights": np.array([[schema.weight(name) for name in names]]),
        }
        return Summary(**{**unknown, **figures})


@dataclass(frozen=True, repr=False)
class Decomposition(Recipe):
    """`subsets` of columns, one per projection; a column in none of them is not published.

    `rules` recode a column in all projections (intervals of numbers); `changes[i]` recode it again in projection i
    only, where single values are suppressed or generalized.
    """

    kind: ClassVar[str] = "decomposition"
    splits: ClassVar[bool] = True

    subsets: tuple[tuple[str, ...], ...]
    rules: Mapping[str, ColumnRule] = field(default_factory=dict)
    changes: tuple[Mapping[str, ColumnRule], ...] = ()

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

    def apply(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """Split the table; each projection is sorted by its own values, so that rows cannot be linked by position."""
        table = Table.of(table, self.schema.read)
        table.need([*self.used, self.schema.decision or ""])
        table = self.schema.at_levels(table)
        placed = placed_rows(table, self.schema, self._placed(table), unknown)
        return without(self.recode(table if placed is None else table.take(placed).compact()), table.rows, placed)

    def _placed(self, table: Table) -> list[str]:
        """Return the quasi columns whose values must be in a hierarchy."""
        rules = self.schema.hierarchies
        return [n for n in self.schema.quasi if n in rules and n not in self.rules and n in table]

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        assert counts is None, "projections are made of rows"
        for name in self._placed(table):  # as with any recipe, a value outside its hierarchy is refused by name
            self.schema.hierarchies[name].bind(table.column(name).domain, name)
        target = table.column(self.schema.decision or "")
        worth = {name: ColumnWorth.unpublished(table.column(name)) for name in self.schema.quasi if name in table}
        tables = {}
        for position, stem in enumerate(self.table_names):
            columns = self.recoded(table, position)
            for fresh, lookup in columns:
                rule, hierarchy = self.changes[position].get(fresh.name), self.schema.hierarchies.get(fresh.name)
                column_worth = ColumnWorth.of(table.column(fresh.name), lookup, target, rule, hierarchy)
                worth[fresh.name] = min(worth.get(fresh.name, column_worth), column_worth)
            part = replace(table, columns=(*(column.compact() for column, _ in columns), target), native={})
            tables[stem] = part.take(content_order(part))
        quasi = {name: worth.get(name, ColumnWorth(1.0, 0.0, 0.0)) for name in self.schema.quasi}
        return Decomposed(
            tables,
            table.rows,
            {name: (np.array([w.loss]), np.array([w.hidden])) for name, w in quasi.items()},
            {name: ColumnWorth.unpublished(table.column(name)).hidden if name in table else 0.0 for name in quasi},
            kept=table.rows if tables else 0,
            gains={name: w.gain for name, w in quasi.items()},
        )

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
        if not problems and len({_class_counts(table, self.schema.decision or "") for table in tables.values()}) > 1:
            problems.append("the projections differ in the number of rows of some class")
        return problems

    def strays(self, column: Column) -> list[Any]:
        strays_by_table = [self._strays(column, p) for p, subset in enumerate(self.subsets) if column.name in subset]
        return min(strays_by_table, key=len, default=[])

    def _strays(self, column: Column, position: int) -> list[Any]:
        rule = self.changes[position].get(column.name) or self.rules.get(column.name)
        if rule is None:
            return []
        hierarchy = self.schema.hierarchies.get(column.name)
        return [value for value in column.domain if not rule.admits(value, hierarchy)]

    def parts(self) -> dict[str, Any]:
        return {
            "subsets": [list(subset) for subset in self.subsets],
            "rules": {name: rule.to_dict() for name, rule in self.rules.items() if name in self.used},
            "changes": [{name: rule.to_dict() for name, rule in change.items()} for change in self.changes],
        }

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Decomposition:
        rules = each(lambda rule, place: recoding.from_dict(rule))
        parts = parts_of(spec, subsets=many(many(text, 1)), rules=rules, changes=many(rules))
        schema = parts["schema"]
        subsets = tuple(tuple(subset) for subset in parts["subsets"])
        if len(parts["changes"]) != len(subsets) or any(len(set(subset)) < len(subset) for subset in subsets):
            raise BadInput("the recipe must list each column of a projection once, and changes for each projection")
        unknown = sorted({column for subset in subsets for column in subset} - set(schema.columns))
        refuse([f"subsets: {suggest(column, schema.columns, 'column')}" for column in unknown])
        return cls(schema, subsets, parts["rules"], tuple(parts["changes"]))


@dataclass(frozen=True, order=True)
class ColumnWorth:
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
        rows = np.bincount(lookup[column.codes], minlength=len(loss)) / len(column)
        return cls(float((rows * loss).sum()), float((rows * bits).sum()), _gain(lookup[column.codes], target))

    @classmethod
    def unpublished(cls, column: Column) -> ColumnWorth:
        """Return the worth of a column that is not published: everything is lost, and all its entropy hidden."""
        nowhere = np.zeros(len(column.values), dtype=np.int64)
        return cls(1.0, float(penalties(column, nowhere)[1][0]) if len(column) else 0.0, 0.0)


def _class_counts(table: PublishedCounts, decision: str) -> tuple[tuple[str, int], ...]:
    rows = table.count([decision]).counts
    return tuple(sorted((str(value), int(n)) for value, n in zip(table.domain(decision).domain, rows, strict=True)))


def _gain(codes: np.ndarray, target: Column) -> float:
    """Return H(decision) - H(decision | published value), in bits."""
    size = len(target.values)
    table = np.bincount(codes * size + target.codes, minlength=(codes.max() + 1) * size).reshape(-1, size)
    return float(_bits(table.sum(axis=0)) + _bits(table.sum(axis=1)) - _bits(table.ravel()))


def _bits(counts: np.ndarray) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum())
