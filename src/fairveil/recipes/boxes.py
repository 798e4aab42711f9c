"""Boxes: regions that may overlap, as Top-Down Greedy learns them.

A new row gets the smallest box that contains it; a row in no box is published as `*`. The boxes are published with the
release anyway; the recipe contains no record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from fairveil.data.interval_edges import Edges
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.recipes.group_values import GroupValues
from fairveil.recipes.outcome import Outcome
from fairveil.recipes.recipe import Narrowed, Part, Recipe
from fairveil.recipes.recipe_shape import SIDE, need_all, parts_of
from fairveil.recipes.regions import (
    NOTHING,
    Box,
    HierarchyNodeValue,
    Side,
    Span,
    covers,
    hierarchy_columns,
    holds,
    outside,
    paid_by_region,
    published_labels,
    recode_regions,
    shown_by_region,
    side_from,
    strays,
    tight,
)
from fairveil.shapes import each, many, whole


@dataclass(frozen=True, repr=False)
class Boxes(Recipe):
    """One box per region."""

    kind: ClassVar[str] = "boxes"
    groups_rows: ClassVar[bool] = True

    boxes: Sequence[Box] = field(repr=False)

    @classmethod
    def learnt(cls, schema: Schema, rows: Table, numeric: Mapping[str, bool], groups: np.ndarray) -> Boxes:
        """Return the boxes of groups of rows, numbered from 0: for numbers their range, up to the edges between values;
        for names their lowest common node."""
        if not len(groups):
            return cls(schema, [])
        order = np.argsort(groups, kind="stable")
        ordered, once = groups[order], np.ones(len(groups), dtype=np.int64)
        return cls.around(schema, numeric, lambda name: GroupValues(rows.column(name).take(order), ordered, once))

    @classmethod
    def around(cls, schema: Schema, numeric: Mapping[str, bool], pairs: Callable[[str], GroupValues]) -> Boxes:
        """Return the boxes around the values of each group."""
        sides = {name: (_spans if numeric[name] else _places)(pairs(name), schema) for name in schema.quasi}
        return cls(schema, [dict(zip(sides, box, strict=True)) for box in zip(*sides.values(), strict=True)])

    def shown_by_group(self, name: str) -> Column | None:
        return shown_by_region(self.boxes, name) if name in self.schema.quasi else None

    def relearnt(
        self, schema: Schema, pairs: Callable[[str], GroupValues], places: np.ndarray | None, sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        numeric = {name: isinstance(side, Span) for name, side in self.boxes[0].items()}
        return Boxes.around(schema, numeric, pairs), None

    def paid(self, pairs: GroupValues, places: np.ndarray | None) -> tuple[float, float]:
        return paid_by_region(self.boxes, self.schema, pairs, places)

    def joined(
        self, parts: Sequence[Part], pairs: Callable[[str], GroupValues], sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        return self.relearnt(self.schema, pairs, None, sizes)

    @property
    def part(self) -> Boxes:
        return replace(self, boxes=self.boxes[:1])

    def labels_of(self, name: str) -> set[str | None] | None:
        return published_labels(self.boxes, name)

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        assert groups is not None
        _, fresh = np.unique(groups, return_inverse=True)
        numeric = {name: isinstance(side, Span) for name, side in self.boxes[0].items()}
        return Boxes.learnt(self.schema.narrowed(rows), rows, numeric, fresh), fresh.astype(np.int64), None

    @property
    def climbing(self) -> list[str]:
        return hierarchy_columns(self.boxes[0]) if self.boxes else []

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        others = [outside(table, self.schema, self.boxes[0])] if self.boxes else []
        return recode_regions(table, self.schema, [*self.boxes, *others], groups)

    def groups_of(self, table: Table) -> np.ndarray:
        """Return for each row the box that contains it and has the smallest sum of column shares; the first of equal
        ones.

        Rows in no box get the number after the last box.
        """
        if not self.boxes:
            raise BadInput("the recipe publishes nothing, so it cannot be applied")
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
        return any(isinstance(box[name], HierarchyNodeValue) for box in self.boxes)

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        return covers(self.boxes, self.schema, rows, published)

    def strays(self, column: Column) -> list[Any]:
        rule = self.schema.hierarchy(column.name)
        paths, _ = rule.paths(rule.extra_leaves())
        named = self._named(column.name) and bool(paths) and len(paths[0]) > 0
        return strays(self.boxes, column, paths[0][-1] if named else None)

    def parts(self) -> dict[str, Any]:
        """Return the distinct sides of each column, and the index of each box's side among them."""
        sides = {name: list(dict.fromkeys(box[name] for box in self.boxes)) for name in self.schema.quasi}
        place = {name: {side: number for number, side in enumerate(listed)} for name, listed in sides.items()}
        return {
            "sides": {name: [side.to_list() for side in listed] for name, listed in sides.items()},
            "boxes": {name: [place[name][box[name]] for box in self.boxes] for name in sides},
        }

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Boxes:
        parts = parts_of(spec, sides=each(many(SIDE, 1)), boxes=each(many(whole(0), 1)))
        schema = parts["schema"]
        need_all(schema, parts["sides"], "sides")
        need_all(schema, parts["boxes"], "boxes")
        sides = {name: [side_from(side) for side in parts["sides"][name]] for name in schema.quasi}
        if len({len(places) for places in parts["boxes"].values()}) > 1:
            raise BadInput("the recipe must give every box one side in each quasi column")
        for name, places in parts["boxes"].items():
            if max(places) >= len(sides[name]):
                raise BadInput(f"boxes.{name} names side {max(places)}, and there are {len(sides[name])}")
        columns = [[sides[name][place] for place in parts["boxes"][name]] for name in sides]
        boxes = [dict(zip(sides, box, strict=True)) for box in zip(*columns, strict=True)]
        for name in schema.quasi:
            published_labels(boxes, name)  # raises if ends cannot be compared
        return cls(schema, boxes)


def _spans(pairs: GroupValues, schema: Schema) -> list[Side]:
    column, starts = pairs.column, pairs.starts
    edges, codes = Edges.of(column, pairs.counts), column.codes.astype(np.int64)
    place = np.cumsum(pairs.rows_of_value > 0) - 1  # rank of each code among the numbers that occur
    gone = codes == len(column.values) - 1 if column.has_missing else np.zeros(len(codes), dtype=bool)
    low = place[np.minimum.reduceat(codes, starts)]
    high = np.maximum.reduceat(np.where(gone, -1, place[codes]), starts)
    holes = np.logical_or.reduceat(gone, starts)
    side_of: dict[tuple[int, int, bool], Side] = {}
    sides: list[Side] = []
    for ends in zip(low.tolist(), high.tolist(), holes.tolist(), strict=True):
        if ends not in side_of:
            first, final, hole = ends
            span = Span(edges.below(first), edges.below(final + 1), edges.whole, missing=hole)
            side_of[ends] = NOTHING if final < 0 else tight(span, edges)
        sides.append(side_of[ends])
    return sides


def _places(pairs: GroupValues, schema: Schema) -> list[Side]:
    column, starts = pairs.column, pairs.starts
    levels = schema.hierarchy(column.name).bind(column.domain, column.name)
    places: list[HierarchyNodeValue | None] = [None] * len(starts)
    node_value: dict[tuple[int, int], HierarchyNodeValue] = {}
    for level in range(levels.height + 1):
        at = levels.codes[level][column.codes]
        lowest = np.minimum.reduceat(at, starts)
        for g in np.flatnonzero(lowest == np.maximum.reduceat(at, starts)):
            if places[g] is None:
                node = (level, int(lowest[g]))
                if node not in node_value:
                    node_value[node] = HierarchyNodeValue(level, levels.labels[level][node[1]])
                places[g] = node_value[node]
    return [side for side in places if side is not None]
