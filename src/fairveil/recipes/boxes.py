"""Boxes: regions that may overlap, as Top-Down Greedy learns them.

A new row gets the smallest box that contains it; a row in no box is published as `*`. The boxes are published with the
release anyway; the recipe contains no record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.interval_edges import Edges
from fairveil.errors import BadInput
from fairveil.recipes.recipe import GroupValues, Indices, Pairs, Part, Recipe, pairs_of
from fairveil.recipes.regions import NOTHING, SIDE, Box, HierarchyNodeValue, Regions, Side, Span, tight
from fairveil.recipes.stored import Form, listed, per_column, stored
from fairveil.shapes import integer

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table


@dataclass(frozen=True, repr=False)
class Boxes(Regions):
    """One box per region: the distinct `sides` of each column, and the index of each box's side among them."""

    kind = "boxes"
    title = "overlapping boxes of records"
    says = "Each group of records is published as one range of values per column."
    complete: ClassVar[tuple[str, ...]] = ("sides", "positions")

    sides: Mapping[str, Sequence[Side]] = field(metadata=stored(per_column(listed(SIDE, 1))))
    positions: Mapping[str, Sequence[int]] = field(
        metadata=stored(per_column(listed(Form(integer(0)), 1)), key="boxes")
    )

    @classmethod
    def learnt(cls, schema: Schema, rows: Table, numeric: Mapping[str, bool], groups: np.ndarray) -> Boxes:
        """Return the boxes of groups of rows, which are numbered from 0."""
        return cls.around(schema, numeric, pairs_of(rows, groups))

    @classmethod
    def around(cls, schema: Schema, numeric: Mapping[str, bool], pairs: Pairs) -> Boxes:
        """Return the box of each group: the range of numbers, up to edges of the grid; the lowest node of names."""
        of_groups = {name: (_spans if numeric[name] else _nodes)(pairs(name), schema) for name in schema.quasi}
        sides = {name: list(dict.fromkeys(of_group)) for name, of_group in of_groups.items()}
        index = {name: {side: position for position, side in enumerate(distinct)} for name, distinct in sides.items()}
        return cls(schema, sides, {name: [index[name][side] for side in of_groups[name]] for name in sides})

    @cached_property
    def boxes(self) -> Sequence[Box]:
        columns = [[self.sides[name][position] for position in positions] for name, positions in self.positions.items()]
        return [dict(zip(self.positions, box, strict=True)) for box in zip(*columns, strict=True)]

    @property
    def numeric(self) -> dict[str, bool]:
        return {name: isinstance(sides[0], Span) for name, sides in self.sides.items() if sides}

    def relearnt(self, schema: Schema, pairs: Pairs, positions: Indices, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        return Boxes.around(schema, self.numeric, pairs), None

    def joined(self, parts: Sequence[Part], pairs: Pairs, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        return self.relearnt(self.schema, pairs, None, sizes)

    @property
    def part(self) -> Boxes:
        first = {
            name: [self.sides[name][position] for position in positions[:1]]
            for name, positions in self.positions.items()
        }
        return replace(self, sides=first, positions={name: [0] * len(sides) for name, sides in first.items()})

    def groups_of(self, table: Table) -> np.ndarray:
        """Return for each row the first box with the smallest sum of column shares among those that contain it; the
        number after the last box if none does."""
        if not self.boxes:
            raise BadInput("the recipe publishes nothing, so it cannot be applied")
        fits: dict[str, list[np.ndarray]] = {}
        cost = np.zeros(len(self.boxes))
        for name in self.schema.quasi:
            column = table.column(name)
            inside = self.inside(column, self.sides[name])
            fits[name] = [inside[side][: len(column.values)] for side in self.sides[name]]
            share = [float(values.mean()) for values in fits[name]]
            cost += [share[position] for position in self.positions[name]]
        region = np.full(table.rows, len(self.boxes), dtype=np.int64)
        remaining = np.arange(table.rows)
        for number in np.argsort(cost, kind="stable"):
            contained = np.ones(len(remaining), dtype=bool)
            for name, positions in self.positions.items():
                contained &= fits[name][positions[number]][table.column(name).codes[remaining]]
            region[remaining[contained]] = number
            remaining = remaining[~contained]
            if not len(remaining):
                break
        return region

    def top_of(self, name: str) -> Any:
        rule = self.schema.hierarchy(name)
        paths, _ = rule.paths(rule.extra_leaves())
        return paths[0][-1] if name in self.climbing and paths and paths[0] else None

    def check(self) -> None:
        super().check()
        if len({len(positions) for positions in self.positions.values()}) > 1:
            raise BadInput("the recipe must give every box one side in each quasi column")
        for name, positions in self.positions.items():
            if max(positions) >= len(self.sides[name]):
                raise BadInput(f"boxes.{name} names side {max(positions)}, and there are {len(self.sides[name])}")
            self.labels_of(name)  # raises if ends cannot be compared


def _spans(pairs: GroupValues, schema: Schema) -> list[Side]:
    """Return the interval around the numbers of each group."""
    column, starts = pairs.column, pairs.starts
    edges, codes = Edges.of(column), column.codes.astype(np.int64)
    cell = edges.by_code(column)
    gone = codes == len(column.values) - 1 if column.has_missing else np.zeros(len(codes), dtype=bool)
    low = cell[np.minimum.reduceat(codes, starts)]
    high = np.maximum.reduceat(np.where(gone, -1, cell[codes]), starts)
    holes = np.logical_or.reduceat(gone, starts)
    side_of: dict[tuple[int, int, bool], Side] = {}
    for first, last, hole in dict.fromkeys(ends := list(zip(low.tolist(), high.tolist(), holes.tolist(), strict=True))):
        span = Span(edges.below(first), edges.below(last + 1), edges.whole, missing=hole)
        side_of[first, last, hole] = NOTHING if last < 0 else tight(span, edges)
    return [side_of[of_group] for of_group in ends]


def _nodes(pairs: GroupValues, schema: Schema) -> list[Side]:
    """Return the lowest common node of the values of each group."""
    column, starts = pairs.column, pairs.starts
    levels = schema.hierarchy(column.name).bind(column.domain, column.name)
    nodes: dict[int, Side] = {}
    for level in range(levels.height + 1):
        at = levels.codes[level][column.codes]
        lowest = np.minimum.reduceat(at, starts)
        for group in np.flatnonzero(lowest == np.maximum.reduceat(at, starts)).tolist():
            if group not in nodes:
                nodes[group] = HierarchyNodeValue(level, levels.labels[level][lowest[group]])
    return [nodes[group] for group in range(len(starts))]
