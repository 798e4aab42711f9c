"""Boxes: regions that may overlap, as Top-Down Greedy learns them.

A new row gets the smallest box that holds it; a row that no box holds is published as `*`. The boxes are published with
the release anyway; the recipe holds no record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairveil.data.numeric import numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.recipes.base import SIDE, Outcome, Recipe, Unknown, need_all, parts_of, placed_rows, without
from fairveil.recipes.regions import (
    Box,
    Place,
    hierarchy_columns,
    holds,
    outside,
    published_labels,
    recode_regions,
    side_from,
    strays,
)
from fairveil.shapes import each, many


@dataclass(frozen=True)
class Boxes(Recipe):
    """One box per region."""

    kind: ClassVar[str] = "boxes"
    groups_rows: ClassVar[bool] = True

    boxes: Sequence[Box] = field(repr=False)

    def labels_of(self, name: str) -> set[str | None] | None:
        return published_labels(self.boxes, name)

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        table.need(self.schema.quasi)
        placed = placed_rows(table, self.schema, hierarchy_columns(self.boxes[0])) if unknown == "suppress" else None
        usable = table if placed is None else table.take(placed).compact()
        return without(self.regroup(usable, self._smallest(usable), None), table.rows, placed)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        boxes = [*self.boxes, outside(table, self.schema, self.boxes[0])]
        return recode_regions(table, self.schema, boxes, groups)

    def _smallest(self, table: Table) -> np.ndarray:
        """For each row the box with the smallest sum of column shares that holds it, the first of equal ones.

        The number after the last box for rows that none holds.
        """
        fits: dict[str, dict[Any, np.ndarray]] = {}
        cost = np.zeros(len(self.boxes))
        for name in self.schema.quasi:
            column = table.column(name)
            levels = self.schema.hierarchy(name).bind(column.domain, name) if self._named(name) else None
            numbers = None if levels else numbers_per_value(column)
            fits[name] = {
                side: holds(side, numbers, levels)[: len(column.values)]
                for side in dict.fromkeys(box[name] for box in self.boxes)
            }
            share = {side: float(inside.mean()) for side, inside in fits[name].items()}
            cost += [share[box[name]] for box in self.boxes]
        region = np.full(table.rows, len(self.boxes), dtype=np.int64)
        remaining = np.arange(table.rows)
        for number in np.argsort(cost, kind="stable"):
            inside = np.ones(len(remaining), dtype=bool)
            for name, side in self.boxes[number].items():
                inside &= fits[name][side][table.column(name).codes[remaining]]
            region[remaining[inside]] = number
            remaining = remaining[~inside]
            if not len(remaining):
                break
        return region

    def _named(self, name: str) -> bool:
        return any(isinstance(box[name], Place) for box in self.boxes)

    def strays(self, column: Column) -> list[Any]:
        rule = self.schema.hierarchy(column.name)
        paths, _ = rule.paths(rule.extra_leaves())
        named = isinstance(self.boxes[0][column.name], Place) and bool(paths) and len(paths[0]) > 0
        return strays(self.boxes, column, paths[0][-1] if named else None)

    def to_dict(self) -> dict[str, Any]:
        boxes = [{name: side.to_list() for name, side in box.items()} for box in self.boxes]
        return {"format": 1, "kind": self.kind, "boxes": boxes, "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Boxes:
        parts = parts_of(spec, boxes=many(each(SIDE), 1))
        schema = Schema.from_dict(parts["schema"])
        for number, box in enumerate(parts["boxes"]):
            need_all(schema, box, f"boxes[{number}]")
        boxes = [{name: side_from(side) for name, side in box.items()} for box in parts["boxes"]]
        for name in schema.quasi:
            published_labels(boxes, name)  # ends that cannot be compared show now
        return cls(schema, boxes)
