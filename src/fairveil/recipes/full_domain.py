"""Full-domain generalization: every value of a quasi column at the same level of its hierarchy.

>>> import fairveil as fv, pyarrow as pa
>>> table = fv.Table.from_frame(pa.table({"zip": ["1010", "1011", "2020"]}))
>>> recipe = FullDomain(fv.Schema(quasi=["zip"], hierarchies={"zip": fv.hierarchy.mask(4)}), {"zip": 2})
>>> recipe.apply(table).table.to_arrow()["zip"].to_pylist()
['10**', '10**', '20**']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.summary import entropy_of, hidden_bits
from fairveil.data.arrow import texts
from fairveil.data.hierarchy import TOP, Intervals, Suppress
from fairveil.data.table import Column, narrow
from fairveil.errors import BadInput
from fairveil.recipes.recoding import ColumnwiseRecipe, RecodedColumn
from fairveil.recipes.stored import Form, per_column, stored
from fairveil.shapes import anything, integer

if TYPE_CHECKING:
    from fairveil.recipes.outcome import Outcome
    from fairveil.recipes.recipe import Indices, Recipe, Unknown


@dataclass(frozen=True, repr=False)
class FullDomain(ColumnwiseRecipe):
    """One level per quasi column."""

    kind = "full-domain"
    title = "one level per column"
    minimizes = True
    complete = ("levels",)

    levels: Mapping[str, int] = field(metadata=stored(per_column(Form(integer(0, 10_000)))))

    def level_of(self, name: str) -> int | None:
        return self.levels[name]

    def lowered(self, name: str) -> Recipe | None:
        return replace(self, levels={**self.levels, name: self.levels[name] - 1}) if self.levels[name] else None

    def recoded(self, column: Column, counts: Indices) -> RecodedColumn:
        name, level = column.name, self.levels[column.name]
        hierarchy = self.schema.hierarchy(name).bind(column.domain, name, level)
        if not 0 <= level <= hierarchy.height:
            raise BadInput(
                f"the recipe asks for level {level} of {name!r}, whose hierarchy has levels 0 to {hierarchy.height}"
            )
        if counts is None:
            rows = np.pad(column.rows_of_values, (0, hierarchy.leaves - len(column.values)))
        else:
            rows = np.bincount(column.codes, weights=counts, minlength=hierarchy.leaves)
        bits = hidden_bits(rows, hierarchy.codes[level])
        published = column
        if level:
            codes = narrow(hierarchy.codes[level], len(hierarchy.labels[level]))[column.codes]
            published = Column(name, codes, texts(hierarchy.labels[level]))
        return RecodedColumn(published, hierarchy.penalties[level], bits, entropy_of(rows), (level, hierarchy.height))

    def listed_losses(self, column: Column) -> np.ndarray | None:
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        if not level:
            return np.zeros(len(column.values))
        leaves = list(rule.extra_leaves())
        if len(leaves) < 2:
            return None
        bound = rule.bind([*leaves, None] if column.has_missing else leaves, min_height=level)
        loss = dict(zip(map(str, bound.labels[level]), bound.penalties[level].tolist(), strict=True))
        return np.array([loss.get(str(label), np.nan) for label in column.domain])

    def strays(self, column: Column) -> list[Any]:
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        always_admitted = {None, TOP} if level else {None}  # if all values are missing, there is only their top
        return [value for value in column.domain if value not in always_admitted and not rule.admits(level, value)]

    def check(self) -> None:
        super().check()
        for name, level in self.levels.items():
            height = self.schema.hierarchy(name).height
            if height is not None and level > height:
                raise BadInput(f"levels.{name} is {level}, and the levels of the hierarchy are 0 to {height}")


@dataclass(frozen=True, repr=False)
class NoisyDomain(FullDomain):
    """The generalization of a differentially private table, with claims about its noise. It would add none to new data,
    so it is not applied to any."""

    kind = "noisy-full-domain"
    title = "noisy counts of generalized records"
    says = "The published rows are made up of noisy counts of generalized records."
    minimizes = False
    invents = True

    claims: Mapping[str, Any] = field(metadata=stored(per_column(Form(anything)), order=2))

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        self.refuse_invented()
        return self.applied(table, unknown=unknown)

    def applied(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        return super().outcome(table, unknown=unknown)

    def claimed(self) -> Mapping[str, Any]:
        return self.claims

    def recoded(self, column: Column, counts: Indices) -> RecodedColumn:
        return super().recoded(column, counts)._replace(entropy=np.nan)  # nobody knows the values below the noisy ones

    def listed_losses(self, column: Column) -> np.ndarray | None:
        """Return the losses relative to the declared values or finest intervals; at the top all of a column is lost."""
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        if level and isinstance(rule, Suppress):
            return np.ones(len(column.values))
        if not level or not isinstance(rule, Intervals) or not rule.open_ended:
            return super().listed_losses(column)
        bound = rule.bind(rule.stand_ins())
        loss = dict(zip(bound.labels[level], bound.penalties[level].tolist(), strict=True))
        return np.array([0.0 if label is None else loss.get(label, np.nan) for label in column.domain])
