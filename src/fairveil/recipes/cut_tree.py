"""CutTree: regions as the leaves of a tree of cuts, as Mondrian learns them.

New rows go down the tree. A row that has no place in it (a number outside the range learnt on, a name new to its
region) is published as `*`. A relaxed cut may separate rows with the same value: the tree keeps what share of these
tied rows went left, and of new data the same share does, the first ones in row order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairveil.data.numeric import numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.recipes.base import SIDE, Outcome, Recipe, Unknown, need_all, parts_of, placed_rows, without
from fairveil.recipes.regions import (
    Box,
    Place,
    Span,
    hierarchy_columns,
    outside,
    published_labels,
    recode_regions,
    side_from,
    strays,
)
from fairveil.shapes import each, record

Tree = Mapping[str, Any]
"""A cut {"column", "at", "left", "of", "parts": [left, right]} or {"column", "level", "parts": {name: …}}, or {}: a
region."""


@dataclass(frozen=True)
class CutTree(Recipe):
    """`box` is the range of the data learnt from, `tree` the cuts."""

    kind: ClassVar[str] = "cut-tree"
    groups_rows: ClassVar[bool] = True

    box: Box
    tree: Tree = field(repr=False)

    @cached_property
    def boxes(self) -> list[Box]:
        """Every region, left to right."""
        return [box for _, box in leaves(self.tree, self.box)]

    def labels_of(self, name: str) -> set[str | None] | None:
        return published_labels(self.boxes, name)

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Send every row down the tree; a row that fits no part of a cut is published as `*`."""
        table.need(self.schema.quasi)
        placed = placed_rows(table, self.schema, hierarchy_columns(self.box)) if unknown == "suppress" else None
        usable = table if placed is None else table.take(placed).compact()
        return without(self.regroup(usable, self._descend(usable), None), table.rows, placed)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        return recode_regions(table, self.schema, [*self.boxes, outside(table, self.schema, self.box)], groups)

    def _descend(self, table: Table) -> np.ndarray:
        """The region of each row; the number after the last for those that fall off."""
        region = np.full(table.rows, -1, dtype=np.int64)
        spans = {name: side for name, side in self.box.items() if isinstance(side, Span)}
        numbers = {name: numbers_per_value(table.column(name)) for name in spans}
        inside = np.ones(table.rows, dtype=bool)
        for name, side in spans.items():
            inside &= side.holds(numbers[name])[table.column(name).codes]
        waiting: list[tuple[Tree, np.ndarray]] = [(self.tree, np.flatnonzero(inside))]
        bound: dict[str, Any] = {}
        number = 0
        while waiting:
            tree, rows = waiting.pop()
            if not tree:
                region[rows] = number
                number += 1
                continue
            column = table.column(tree["column"])
            if "level" in tree:
                if column.name not in bound:
                    bound[column.name] = self.schema.hierarchy(column.name).bind(column.domain, column.name)
                levels = bound[column.name]
                names = np.array([key_of(name) for name in levels.labels[tree["level"]]])
                mine = names[levels.codes[tree["level"]][column.codes[rows]]]
                for name, part in reversed(tree["parts"].items()):
                    waiting.append((part, rows[mine == name]))
            else:
                left = _goes_left(numbers[column.name][column.codes[rows]], tree)
                waiting += [(tree["parts"][1], rows[~left]), (tree["parts"][0], rows[left])]
        region[region < 0] = number
        return region

    def strays(self, column: Column) -> list[Any]:
        side = self.box[column.name]
        return strays(self.boxes, column, side.name if isinstance(side, Place) else None)

    def to_dict(self) -> dict[str, Any]:
        box = {name: side.to_list() for name, side in self.box.items()}
        return {"format": 1, "kind": self.kind, "box": box, "tree": self.tree, "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> CutTree:
        parts = parts_of(spec, box=each(SIDE), tree=record({}, more=True))
        schema = Schema.from_dict(parts["schema"])
        need_all(schema, parts["box"], "box")
        box = {name: side_from(side) for name, side in parts["box"].items()}
        recipe = cls(schema, box, parts["tree"])
        for name in schema.quasi:
            recipe.labels_of(name)  # walks down the whole tree: what does not fit together shows now
        return recipe


def key_of(name: Any) -> str:
    """The name of a part in a tree: JSON keys are text; a missing value is the empty one."""
    return "" if name is None else str(name)


def _goes_left(numbers: np.ndarray, tree: Tree) -> np.ndarray:
    """Numbers up to the cut; of tied rows of a relaxed cut the first ones, in the share that went left before."""
    left = numbers <= tree["at"] if "of" not in tree else numbers < tree["at"]
    if "of" in tree:
        tied = np.flatnonzero(numbers == tree["at"])
        left[tied[: round(len(tied) * tree["left"] / tree["of"])]] = True
    return np.asarray(left)


def leaves(tree: Tree, box: Box) -> Iterator[tuple[Tree, Box]]:
    """The regions of a tree with their boxes, left to right."""
    waiting = [(tree, box)]
    while waiting:
        tree, box = waiting.pop()
        if not tree:
            yield tree, box
        elif "level" in tree:
            for name, part in reversed(tree["parts"].items()):
                waiting.append((part, {**box, tree["column"]: Place(tree["level"], name or None)}))
        else:
            left, right = _halves(box[tree["column"]], tree)
            for part, side in ((1, right), (0, left)):
                waiting.append((tree["parts"][part], {**box, tree["column"]: side}))


def _halves(side: Any, tree: Tree) -> tuple[Span, Span]:
    at = tree["at"]
    left = Span(side.low, at, side.above)
    if "of" in tree:  # the cut value itself is on both sides
        return left, Span(at, side.high, missing=side.missing)
    if isinstance(at, int):
        return left, Span(at + 1, side.high, missing=side.missing)
    return left, Span(at, side.high, above=True, missing=side.missing)
