"""Repair: suppress or generalize single values of a subset until it is anonymous (the paper's Fig. 13 and section 6).

A single rare value (one "Wife" among many) can keep a whole column out of every subset. The repair lifts the value
whose rows are most often in groups that are too small, again and again, until every group has k rows. If the column has
a hierarchy, the value becomes the one above it, together with all other values below that one; otherwise it alone
becomes "*". If nothing is left of a column, the repair fails: the subset without that column tells as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import group_of
from fairveil.data.text_form import text_or_none
from fairveil.guards.projections import ProjectionAnonymity, facts_of
from fairveil.recipes.recoding import ColumnRule, CutNodes, KeptValues

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.data.table import Column
    from fairveil.methods.dmpd.features import Features
    from fairveil.methods.dmpd.partitioning import Subset


@dataclass(frozen=True)
class Treatment:
    """How one subset is published: its anonymity, and the changes to its values that achieve it."""

    facts: ProjectionAnonymity
    changes: Mapping[str, ColumnRule]


class Climb:
    """How far each value of one column has been lifted in its hierarchy."""

    def __init__(self, column: Column, levels: Levels | None) -> None:
        self.column, self.levels = column, levels
        self.height = np.zeros(len(column.values), dtype=np.int64)

    def codes(self) -> tuple[np.ndarray, int]:
        """Return the published code of each value, and the number of codes."""
        leaves = np.arange(len(self.height))
        if self.levels is None:
            key = np.where(self.height > 0, -1, leaves)
        else:
            key = self.height * (self.levels.leaves + 1) + self.levels.codes[self.height, leaves]
        distinct, position = np.unique(key, return_inverse=True)
        return position, len(distinct)

    def lift(self, value: int) -> None:
        """Lift a value by one level, together with all values below the same node."""
        if self.levels is None:
            self.height[value] = 1
            return
        level = int(self.height[value]) + 1
        row = self.levels.codes[level][: len(self.height)]
        below = row == row[value]
        self.height[below] = np.maximum(self.height[below], level)

    def can_lift(self) -> np.ndarray:
        top = 1 if self.levels is None else self.levels.height
        return self.height < top

    def rule(self) -> ColumnRule | None:
        """Return the rule that publishes the values this way; None if nothing was lifted."""
        if not self.height.any():
            return None
        if self.levels is None:
            texts = list(map(text_or_none, self.column.domain))
            return KeptValues(tuple(text for text, height in zip(texts, self.height, strict=True) if not height))
        return CutNodes.at(self.levels, self.height, np.arange(len(self.height)))


def repair(features: Features, subset: Subset, k: int, levels: Mapping[str, Levels]) -> Treatment | None:
    """Return how the repaired subset is published; None if nothing is left to publish."""
    cells, classes, counts = features.quasi_cells(subset)
    climbs = {i: Climb(features.columns[i], levels.get(features.columns[i].name)) for i in cells}
    while True:
        coded = {}
        for i, (codes, _) in cells.items():
            lookup, size = climbs[i].codes()
            if size < 2:
                return None
            coded[i] = (lookup[codes], size)
        groups, total = group_of(list(coded.values()), len(counts))
        rows = np.bincount(groups, weights=counts, minlength=total)
        bad = np.where(rows[groups] < k, counts, 0)
        if not bad.any():
            rules = {features.columns[i].name: climb.rule() for i, climb in climbs.items()}
            changed = {name: rule for name, rule in rules.items() if rule is not None}
            return Treatment(facts_of(list(coded.values()), (classes, features.size), counts), changed)
        _lift_worst(cells, climbs, counts, bad)


def _lift_worst(
    cells: Mapping[int, tuple[np.ndarray, int]], climbs: Mapping[int, Climb], counts: np.ndarray, bad: np.ndarray
) -> None:
    """Lift the values whose rows are all in groups that are too small; if there are none, the worst value."""
    standings, hopeless = [], []
    for i, (codes, size) in cells.items():
        all_rows = np.bincount(codes, weights=counts, minlength=size)
        bad_rows = np.bincount(codes, weights=bad, minlength=size)
        share = np.where(climbs[i].can_lift() & (all_rows > 0), bad_rows / np.maximum(all_rows, 1), -1.0)
        value = int(np.argmax(share))
        hopeless += [(i, int(v)) for v in np.flatnonzero(share == 1.0)]
        standings.append((float(share[value]), float(bad_rows[value]), -i, -value))
    before = {i: climb.height.copy() for i, climb in climbs.items()}
    for i, value in hopeless or [(-worst[2], -worst[3]) for worst in sorted(standings)[-1:]]:
        if climbs[i].height[value] == before[i][value]:  # not already lifted together with another value
            climbs[i].lift(value)
