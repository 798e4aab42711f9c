"""HiddenCells: single cells hidden, all others as they are or at one level, as local suppression learns them.

Each class shows some columns and hides the others as `*`, a value of its own. A new row gets the class that shows most
of it; a row of no class is hidden.

>>> import fairveil as fv, pyarrow as pa
>>> people = fv.Table.from_frame(pa.table({"job": ["cook", "cook", "nun"], "town": ["Rome", "Bari", "Bari"]}))
>>> schema, shown = fv.Schema(quasi=["job", "town"]), np.array([[True, False], [False, False]])
>>> recipe = HiddenCells.of_classes(schema, people, {"job": 0, "town": 0}, shown, np.array([0, 0, 1]))
>>> recipe.apply(people).table.to_arrow().to_pylist()
[{'job': 'cook', 'town': '*'}, {'job': 'cook', 'town': '*'}, {'job': '*', 'town': '*'}]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.hierarchy import TOP
from fairveil.errors import refuse, short
from fairveil.recipes.boxes import Boxes
from fairveil.recipes.recipe import Indices, Pairs, Recipe, pairs_of
from fairveil.recipes.regions import Box, HierarchyNodeValue, Side
from fairveil.recipes.stored import Form, per_column, stored
from fairveil.shapes import integer

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Column, Table


@dataclass(frozen=True, repr=False)
class HiddenCells(Boxes):
    """The classes as boxes: a column is published at its one of `levels`, or hidden."""

    kind = "hidden-cells"
    title = "single cells hidden"
    says = "Single values are hidden, and all others are published as they are."
    complete = ("levels", "sides", "positions")

    levels: Mapping[str, int] = field(metadata=stored(per_column(Form(integer(0, 10_000)))))

    @classmethod
    def of_classes(
        cls, schema: Schema, rows: Table, levels: Mapping[str, int], shown: np.ndarray, groups: np.ndarray
    ) -> HiddenCells:
        """Return the recipe of rows in classes, numbered from 0; `shown` says which quasi columns each class shows."""
        return cls._learnt(schema, levels, dict(zip(schema.quasi, shown.T, strict=True)), pairs_of(rows, groups))

    @classmethod
    def _learnt(
        cls, schema: Schema, levels: Mapping[str, int], shown: Mapping[str, np.ndarray], pairs: Pairs
    ) -> HiddenCells:
        sides, positions = {}, {}
        for name in schema.quasi:
            values, level = pairs(name), levels[name]
            bound = schema.hierarchy(name).bind(values.column.domain, name, level + 1)
            first = bound.codes[level][values.column.codes[values.starts]]
            of_class: list[Side] = [
                HierarchyNodeValue(level, bound.labels[level][code]) if visible else _hidden(bound.height)
                for code, visible in zip(first.tolist(), shown[name].tolist(), strict=True)
            ]
            sides[name] = list(dict.fromkeys(of_class))
            index = {side: position for position, side in enumerate(sides[name])}
            positions[name] = [index[side] for side in of_class]
        return cls(schema, sides, positions, levels)

    def relearnt(self, schema: Schema, pairs: Pairs, positions: Indices, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        boxes = range(len(self.boxes)) if positions is None else positions.tolist()
        shown = {}
        for name, level in self.levels.items():
            visible = [isinstance(side, HierarchyNodeValue) and side.level == level for side in self.sides[name]]
            shown[name] = np.array([visible[self.positions[name][box]] for box in boxes], dtype=np.bool_)
        return self._learnt(schema, self.levels, shown, pairs), None

    def check(self) -> None:
        super().check()
        strange = [name for name, is_numeric in self.numeric.items() if is_numeric]
        refuse([f"sides.{short(name)} must be nodes of a hierarchy" for name in strange])

    def _outside(self, table: Table) -> Box:
        return {name: _hidden(self._height(table.column(name))) for name in self.schema.quasi}

    def _height(self, column: Column) -> int:
        return self.schema.hierarchy(column.name).bind(column.domain, column.name, self.levels[column.name] + 1).height


def _hidden(height: int) -> HierarchyNodeValue:
    return HierarchyNodeValue(height, TOP)
