"""Full-domain generalization: every value of a quasi column at the same level of its hierarchy.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> from fairveil.data import hierarchy
>>> table = Table.from_frame(pa.table({"zip": ["1010", "1011", "2020"]}))
>>> recipe = FullDomain(Schema(quasi=["zip"], hierarchies={"zip": hierarchy.mask(4)}), {"zip": 2})
>>> recipe.apply(table).table.to_arrow()["zip"].to_pylist()
['10**', '10**', '20**']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.summary import hidden_bits
from fairveil.data.arrow import texts
from fairveil.data.hierarchy import TOP, Intervals, Suppress
from fairveil.data.table import Column, Table, narrow
from fairveil.errors import BadInput
from fairveil.recipes.new_data import settle
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Recipe
from fairveil.recipes.recipe_shape import need_all, parts_of
from fairveil.shapes import anything, each, whole


@dataclass(frozen=True, repr=False)
class FullDomain(Recipe):
    """One level per quasi column."""

    kind: ClassVar[str] = "full-domain"
    minimizes: ClassVar[bool] = True

    levels: Mapping[str, int]

    def level_of(self, name: str) -> int | None:
        return self.levels[name]

    def lowered(self, name: str) -> Recipe | None:
        return replace(self, levels={**self.levels, name: self.levels[name] - 1}) if self.levels[name] else None

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        bound = {
            name: self.schema.hierarchy(name).bind(table.column(name).domain, name, self.levels[name])
            for name in self.schema.quasi
        }
        fresh, penalties, entropies, levels = [], {}, {}, {}
        for name, hierarchy in bound.items():
            column, level = table.column(name), self.levels[name]
            if not 0 <= level <= hierarchy.height:
                raise BadInput(
                    f"the recipe asks for level {level} of {name!r}, whose hierarchy has levels 0 to {hierarchy.height}"
                )
            rows = np.bincount(column.codes, weights=counts, minlength=hierarchy.leaves)
            penalties[name] = (hierarchy.penalties[level], hidden_bits(rows, hierarchy.codes[level]))
            entropies[name] = float(hidden_bits(rows, hierarchy.codes[-1])[:1].sum())  # an empty table has no bits
            levels[name] = (level, hierarchy.height)
            if level:
                codes = narrow(hierarchy.codes[level], len(hierarchy.labels[level]))[column.codes]
                fresh.append(Column(name, codes, texts(hierarchy.labels[level])))
        rows_of_source = table.rows if counts is None else int(counts.sum())
        published = settle(table.with_columns(fresh), self.schema)
        return Outcome({ONLY: published}, rows_of_source, penalties, entropies, levels, counts=counts)

    def listed_losses(self, column: Column) -> np.ndarray | None:
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        if not level:
            return np.zeros(len(column.values))
        leaves = list(rule.extra_leaves())
        if len(leaves) < 2:
            return None
        bound = rule.bind([*leaves, None] if column.has_missing else leaves, least=level)
        loss = dict(zip(map(str, bound.labels[level]), bound.penalties[level].tolist(), strict=True))
        return np.array([loss.get(str(label), np.nan) for label in column.domain])

    def strays(self, column: Column) -> list[Any]:
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        least = {None, TOP} if level else {None}  # if all values are missing, there is only their top
        return [value for value in column.domain if value not in least and not rule.admits(level, value)]

    def parts(self) -> dict[str, Any]:
        return {"levels": dict(self.levels)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> FullDomain:
        parts = parts_of(spec, levels=each(whole(0, 10_000)), **({"claims": anything} if "claims" in spec else {}))
        schema = parts["schema"]
        need_all(schema, parts["levels"], "levels")
        for name, level in parts["levels"].items():
            height = schema.hierarchy(name).height
            if height is not None and level > height:
                raise BadInput(f"levels.{name} is {level}, and the levels of the hierarchy are 0 to {height}")
        return cls(schema, parts["levels"])


@dataclass(frozen=True, repr=False)
class NoisyDomain(FullDomain):
    """The generalization of a differentially private table, with the claims about its noise.

    Applied to new data, it generalizes them and adds no noise.
    """

    kind: ClassVar[str] = "noisy-full-domain"
    minimizes: ClassVar[bool] = False
    invents: ClassVar[bool] = True

    claims: Mapping[str, Any] = field(default_factory=dict)

    def claimed(self) -> Mapping[str, Any]:
        return self.claims

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        outcome = super().recode(table, counts)
        unknown = dict.fromkeys(outcome.full_entropy, float("nan"))  # nobody knows the values below the noisy ones
        return replace(outcome, full_entropy=unknown)

    def listed_losses(self, column: Column) -> np.ndarray | None:
        """Return the losses relative to the declared values; for numbers, relative to the finest intervals. At the top
        the whole column is lost."""
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        if level and isinstance(rule, Suppress):
            return np.ones(len(column.values))
        if not level or not isinstance(rule, Intervals) or not rule.open_ended:
            return super().listed_losses(column)
        bound = rule.bind(rule.stand_ins())
        loss = dict(zip(bound.labels[level], bound.penalties[level].tolist(), strict=True))
        return np.array([0.0 if label is None else loss.get(label, np.nan) for label in column.domain])

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "claims": dict(self.claims)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> NoisyDomain:
        plain = FullDomain.from_dict(spec)
        return cls(plain.schema, plain.levels, parts_of(spec, levels=anything, claims=each(anything))["claims"])
