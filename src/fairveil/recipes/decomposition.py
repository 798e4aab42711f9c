"""Decomposition: the columns split over several tables, each with the decision, none with its rows in order.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"job": ["b", "a"], "sex": ["f", "m"], "rich": ["no", "yes"]}))
>>> split = Decomposition(Schema(quasi=["job", "sex"], decision="rich"), (("job",), ("sex",)))
>>> [part.to_arrow().to_pydict() for part in split.apply(table).parts]
[{'job': ['a', 'b'], 'rich': ['yes', 'no']}, {'sex': ['f', 'm'], 'rich': ['no', 'yes']}]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.guards.projections import Projections
from fairveil.recipes import recoding
from fairveil.recipes.base import Outcome, Unknown, without_unknown
from fairveil.recipes.recoding import Rule, penalties, recode
from fairveil.release.release import content_order

NAN = np.array([np.nan])


@dataclass(frozen=True)
class Decomposed(Outcome):
    """Projections; `table` holds only the decision, which all of them have."""

    gains: Mapping[str, float] | None = None

    def summary(self, schema: Schema) -> Summary:
        """What can be said of projections: losses per column, gains, and the anonymity level as smallest class."""
        parts = Projections.published(self.parts or (), schema)
        rows, kept, names = float(self.rows), float(self.table.rows), list(schema.quasi)
        gains = self.gains or {}
        per_column = np.full((1, len(names)), np.nan)
        unsaid: dict[str, np.ndarray] = {f.name: NAN for f in fields(Summary)}  # what only classes of whole rows tell
        said = {
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
        return Summary(**{**unsaid, **said})


@dataclass(frozen=True)
class Decomposition:
    """`subsets` of columns, one per projection; a column in none of them is not published.

    `rules` recode a column wherever it stands (intervals of numbers); `changes[i]` recode it once more in projection
    i only, where single values are suppressed or generalized.
    """

    kind: ClassVar[str] = "decomposition"
    schema: Schema
    subsets: tuple[tuple[str, ...], ...]
    rules: Mapping[str, Rule] = field(default_factory=dict)
    changes: tuple[Mapping[str, Rule], ...] = ()

    def __post_init__(self) -> None:
        if self.schema.decision is None:
            raise BadInput("projections are joined on the decision, and the schema names none")
        if not self.changes:
            object.__setattr__(self, "changes", tuple({} for _ in self.subsets))

    @cached_property
    def used(self) -> list[str]:
        return list(dict.fromkeys(name for subset in self.subsets for name in subset))

    def columns(self, table: Table, position: int) -> list[tuple[Column, np.ndarray]]:
        """The columns of one projection as published, rows still in the order of the table, with their lookups."""
        made = []
        for name in self.subsets[position]:
            column = table.column(name)
            lookup = np.arange(len(column.values))
            for rule in (self.rules.get(name), self.changes[position].get(name)):
                if rule is not None:
                    column, step = recode(column, rule, self.schema.hierarchies.get(name))
                    lookup = step[lookup]
            made.append((column, lookup))
        return made

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Split; each projection is sorted by its own values, so that no row can be linked by its place."""
        decision = self.schema.decision or ""
        table.need([*self.used, decision])
        table = self.schema.at_levels(table)
        rows = table.rows
        placed = [n for n in self.schema.quasi if n in self.schema.hierarchies and n not in self.rules and n in table]
        if unknown == "suppress":
            table = without_unknown(table, self.schema, placed)
        for name in placed:  # as with any recipe, a value outside its hierarchy is refused by name
            self.schema.hierarchies[name].bind(table.column(name).domain, name)
        target = table.column(decision)
        worth = {name: Worth.unpublished(table.column(name)) for name in self.schema.quasi if name in table}
        parts = []
        for position in range(len(self.subsets)):
            columns = self.columns(table, position)
            for fresh, lookup in columns:
                rule, hierarchy = self.changes[position].get(fresh.name), self.schema.hierarchies.get(fresh.name)
                made = Worth.of(table.column(fresh.name), lookup, target, rule, hierarchy)
                worth[fresh.name] = min(worth.get(fresh.name, made), made)
            part = replace(table, columns=(*(column.compact() for column, _ in columns), target), native={})
            parts.append(part.take(content_order(part)))
        shown = replace(table, columns=(target,), native={}).take(np.arange(table.rows if parts else 0))
        quasi = {name: worth.get(name, Worth(1.0, 0.0, 0.0)) for name in self.schema.quasi}
        return Decomposed(
            shown.take(content_order(shown)),
            rows,
            {name: (np.array([one.loss]), np.array([one.hidden])) for name, one in quasi.items()},
            {name: Worth.unpublished(table.column(name)).hidden if name in table else 0.0 for name in quasi},
            {},
            parts=tuple(parts),
            gains={name: one.gain for name, one in quasi.items()},
        )

    def part_problems(self, position: int, part: Table) -> list[str]:
        expected = [*self.subsets[position], self.schema.decision]
        if part.names != expected:
            return [f"the columns are {part.names}, the recipe says {expected}"]
        problems = []
        for name in self.subsets[position]:
            strays = self._strays(part.column(name), position)
            if strays:
                problems.append(f"column {name!r} holds {strays[0]!r}, which the recipe does not publish")
        return problems

    def strays(self, column: Column) -> list[Any]:
        found = [self._strays(column, p) for p, subset in enumerate(self.subsets) if column.name in subset]
        return min(found, key=len, default=[])

    def _strays(self, column: Column, position: int) -> list[Any]:
        last = self.changes[position].get(column.name) or self.rules.get(column.name)
        if last is None:
            return []
        hierarchy = self.schema.hierarchies.get(column.name)
        return [value for value in column.domain if not last.admits(value, hierarchy)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": 1,
            "kind": self.kind,
            "subsets": [list(subset) for subset in self.subsets],
            "rules": {name: rule.to_dict() for name, rule in self.rules.items() if name in self.used},
            "changes": [{name: rule.to_dict() for name, rule in change.items()} for change in self.changes],
            "schema": self.schema.to_dict(),
        }

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Decomposition:
        return cls(
            Schema.from_dict(spec["schema"]),
            tuple(tuple(subset) for subset in spec["subsets"]),
            {name: recoding.from_dict(rule) for name, rule in spec["rules"].items()},
            tuple({name: recoding.from_dict(rule) for name, rule in change.items()} for change in spec["changes"]),
        )


@dataclass(frozen=True, order=True)
class Worth:
    """Of a published column: mean loss, mean hidden bits, what it tells about the decision. The least lossy wins."""

    loss: float
    hidden: float
    gain: float

    @classmethod
    def of(
        cls, column: Column, lookup: np.ndarray, target: Column, rule: Rule | None, hierarchy: Hierarchy | None
    ) -> Worth:
        if not len(column):
            return cls(1.0, 0.0, 0.0)
        loss, bits = penalties(column, lookup, rule, hierarchy)
        rows = np.bincount(lookup[column.codes], minlength=len(loss)) / len(column)
        return cls(float(rows @ loss), float(rows @ bits), _gain(lookup[column.codes], target))

    @classmethod
    def unpublished(cls, column: Column) -> Worth:
        """All is lost, and all its entropy hidden."""
        nowhere = np.zeros(len(column.values), dtype=np.int64)
        return cls(1.0, float(penalties(column, nowhere)[1][0]) if len(column) else 0.0, 0.0)


def _gain(codes: np.ndarray, target: Column) -> float:
    """H(decision) - H(decision | published value), in bits."""
    size = len(target.values)
    table = np.bincount(codes * size + target.codes, minlength=(codes.max() + 1) * size).reshape(-1, size)
    return float(_bits(table.sum(axis=0)) + _bits(table.sum(axis=1)) - _bits(table.ravel()))


def _bits(counts: np.ndarray) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum())
