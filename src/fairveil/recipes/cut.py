"""Cut: every quasi column recoded by a rule of its own, a free cut through its hierarchy or free intervals.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> from fairveil.recipes.recoding import IntervalBins
>>> table = Table.from_frame(pa.table({"age": [21, 35, 60]}))
>>> Cut(Schema(quasi=["age"]), {"age": IntervalBins((30.0,))}).apply(table).table.to_arrow()["age"].to_pylist()
['(-inf-30]', '(30-inf)', '(30-inf)']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairveil.data.table import Column, Table
from fairveil.recipes import recoding
from fairveil.recipes.new_data import settle
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Narrowed, Recipe
from fairveil.recipes.recipe_shape import parts_of
from fairveil.recipes.recoding import ColumnRule, penalties, recode
from fairveil.shapes import each


@dataclass(frozen=True, repr=False)
class Cut(Recipe):
    """One rule per quasi column; a column without a rule is published as it is."""

    kind: ClassVar[str] = "cut"
    minimizes: ClassVar[bool] = True

    rules: Mapping[str, ColumnRule]

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        schema = self.schema.narrowed(rows, counts)
        rules = {
            name: rule.narrowed(rows.column(name), counts, self.schema, schema) for name, rule in self.rules.items()
        }
        return Cut(schema, rules), groups, places

    @property
    def climbing(self) -> list[str]:
        return [name for name, rule in self.rules.items() if rule.climbs]

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        fresh: list[Column] = []
        costs, entropies = {}, {}
        for name in self.schema.quasi:
            column, rule, hierarchy = table.column(name), self.rules.get(name), self.schema.hierarchy(name)
            lookup = np.arange(len(column.values))
            if rule is not None:
                published, lookup = recode(column, rule, hierarchy)
                fresh.append(published)
            costs[name] = penalties(column, lookup, rule, hierarchy, counts)
            entropies[name] = float(penalties(column, np.zeros_like(lookup), counts=counts)[1][:1].sum())
        rows = table.rows if counts is None else int(counts.sum())
        return Outcome({ONLY: settle(table.with_columns(fresh), self.schema)}, rows, costs, entropies, counts=counts)

    def strays(self, column: Column) -> list[Any]:
        if column.name not in self.rules:
            return []
        rule, hierarchy = self.rules[column.name], self.schema.hierarchy(column.name)
        return [value for value in column.domain if value is not None and not rule.admits(value, hierarchy)]

    def parts(self) -> dict[str, Any]:
        return {"rules": {name: rule.to_dict() for name, rule in self.rules.items()}}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Cut:
        parts = parts_of(spec, rules=each(lambda rule, place: recoding.from_dict(rule)))
        return cls(parts["schema"], parts["rules"])
