"""Boxes: regions that may overlap, as Top-Down Greedy learns them.

A new row gets the smallest box that holds it; a row that no box holds is published as `*`. The boxes are published with
the release anyway; the recipe holds no record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairveil.data.edges import Edges
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.recipes.base import (
    SIDE,
    Change,
    Narrowed,
    Outcome,
    Recipe,
    Unknown,
    need_all,
    parts_of,
    placed_rows,
    without,
)
from fairveil.recipes.regions import (
    NOTHING,
    Box,
    Place,
    Side,
    Span,
    covers,
    hierarchy_columns,
    holds,
    outside,
    published_labels,
    recode_regions,
    side_from,
    strays,
    tight,
)
from fairveil.shapes import each, many


def joined_boxes(schema: Schema, box: Box, rows: Table, groups: np.ndarray) -> Boxes:
    """A box for each group of rows; `box` tells numbers from names."""
    numeric = {name: isinstance(side, Span) for name, side in box.items()}
    inside = np.flatnonzero(groups >= 0)
    return Boxes.learnt(schema, rows.take(inside), numeric, groups[inside])


@dataclass(frozen=True, repr=False)
class Boxes(Recipe):
    """One box per region."""

    kind: ClassVar[str] = "boxes"
    groups_rows: ClassVar[bool] = True

    boxes: Sequence[Box] = field(repr=False)

    @classmethod
    def learnt(cls, schema: Schema, rows: Table, numeric: Mapping[str, bool], groups: np.ndarray) -> Boxes:
        """The boxes of groups of rows, which are numbered from 0: the range of the numbers, up to the edges between
        values, and the lowest common node of the names."""
        if not len(groups):
            return cls(schema, [])
        order = np.argsort(groups, kind="stable")
        starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
        sides = {
            name: (_spans if numeric[name] else _places)(rows.column(name), schema, order, starts)
            for name in schema.quasi
        }
        return cls(schema, [{name: sides[name][g] for name in sides} for g in range(len(starts))])

    def joined(
        self, changes: Sequence[Change], rows: Table, groups: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:  # fmt: skip
        return joined_boxes(self.schema, self.boxes[0], rows, groups), None

    def labels_of(self, name: str) -> set[str | None] | None:
        return published_labels(self.boxes, name)

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        assert groups is not None
        _, fresh = np.unique(groups, return_inverse=True)
        numeric = {name: isinstance(side, Span) for name, side in self.boxes[0].items()}
        return Boxes.learnt(self.schema.narrowed(rows), rows, numeric, fresh), fresh.astype(np.int64), None

    def apply(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        table = Table.of(table, self.schema.read)
        table.need(self.schema.quasi)
        if not self.boxes:
            raise BadInput("the recipe publishes nothing, so it cannot be applied")
        placed = placed_rows(table, self.schema, hierarchy_columns(self.boxes[0]), unknown)
        usable = table if placed is None else table.take(placed).compact()
        return without(self.regroup(usable, self._smallest(usable), None), table.rows, placed)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        others = [outside(table, self.schema, self.boxes[0])] if self.boxes else []
        return recode_regions(table, self.schema, [*self.boxes, *others], groups)

    def _smallest(self, table: Table) -> np.ndarray:
        """For each row the box with the smallest sum of column shares that holds it, the first of equal ones.

        The number after the last box for rows that none holds.
        """
        fits: dict[str, dict[Any, np.ndarray]] = {}
        cost = np.zeros(len(self.boxes))
        for name in self.schema.quasi:
            column = table.column(name)
            levels = self.schema.hierarchy(name).bind(column.domain, name) if self._named(name) else None
            fits[name] = {
                side: holds(side, column, levels)[: len(column.values)]
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

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        return covers(self.boxes, self.schema, rows, published)

    def strays(self, column: Column) -> list[Any]:
        rule = self.schema.hierarchy(column.name)
        paths, _ = rule.paths(rule.extra_leaves())
        named = self._named(column.name) and bool(paths) and len(paths[0]) > 0
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


def _spans(column: Column, schema: Schema, order: np.ndarray, starts: np.ndarray) -> list[Side]:
    edges, codes = Edges.of(column), column.codes[order].astype(np.int64)
    held = np.bincount(column.codes, minlength=len(column.values)) > 0
    place = np.cumsum(held) - 1  # of each code among the numbers that occur
    last = len(column.values) - 1
    gone = codes == last if column.has_missing else np.zeros(len(codes), dtype=bool)
    low = place[np.minimum.reduceat(codes, starts)]
    high = np.maximum.reduceat(np.where(gone, -1, place[codes]), starts)
    holes = np.logical_or.reduceat(gone, starts)
    sides: list[Side] = []
    for first, final, hole in zip(low.tolist(), high.tolist(), holes.tolist(), strict=True):
        span = Span(edges.below(first), edges.below(final + 1), edges.whole, missing=hole)
        sides.append(NOTHING if final < 0 else tight(span, edges))
    return sides


def _places(column: Column, schema: Schema, order: np.ndarray, starts: np.ndarray) -> list[Side]:
    levels, codes = schema.hierarchy(column.name).bind(column.domain, column.name), column.codes[order]
    places: list[Place | None] = [None] * len(starts)
    for level in range(levels.height + 1):
        at = levels.codes[level][codes]
        agree = np.minimum.reduceat(at, starts) == np.maximum.reduceat(at, starts)
        for g in np.flatnonzero(agree):
            if places[g] is None:
                places[g] = Place(level, levels.labels[level][at[starts[g]]])
    return [side for side in places if side is not None]
