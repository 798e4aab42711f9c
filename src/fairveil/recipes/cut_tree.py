"""CutTree: regions as the leaves of a tree of cuts, as Mondrian learns them.

New rows go down the tree. A row that fits no region (a number where a region publishes another one, a name new to
its region) is published as `*`. A relaxed cut may separate rows with the same value: the tree keeps what share of these
tied rows went left, and of new data the same share does, the first ones in row order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.interval_edges import Edges, from_json, to_json
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.recipes.cut_descent import FlatTree, Tree, tied_range
from fairveil.recipes.recoding import renamed
from fairveil.recipes.regions import NOTHING, SIDE, Box, HierarchyNodeValue, Regions, Span, tight, top_node
from fairveil.recipes.stored import Form, per_column, stored
from fairveil.shapes import cell, each, integer, many, optional, record, text

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.recipes.recipe import Indices, Narrowed, Pairs, Part, Recipe


@dataclass(frozen=True, repr=False)
class CutTree(Regions):
    """`box` contains everything, `tree` has the cuts."""

    kind = "cut-tree"
    title = "regions, cut one after the other"
    says = "The records are divided by one cut after another, and each region is published by its ranges."
    complete = ("box",)

    box: Box = field(metadata=stored(per_column(SIDE)))
    tree: Tree = field(repr=False, metadata=stored(Form(record({}, more=True))))

    @classmethod
    def learnt(cls, schema: Schema, rows: Table, numeric: Mapping[str, bool], tree: Tree) -> CutTree:
        """Return the recipe of the cuts that divided these rows; a number that is alone in its region is published."""
        edges = {name: Edges.of(rows.column(name)) for name, is_numeric in numeric.items() if is_numeric}
        box = {
            name: Span(None, None, edges[name].whole, missing=rows.column(name).has_missing)
            if name in edges
            else top_node(schema, rows.column(name))
            for name in schema.quasi
        }
        return cls(schema, box, _shown(tree, {name: box[name] for name in edges}, edges, {}) if edges else tree)

    @property
    def numeric(self) -> dict[str, bool]:
        return {name: isinstance(side, Span) for name, side in self.box.items()}

    @cached_property
    def boxes(self) -> Sequence[Box]:
        """Every region, left to right."""
        boxes: list[Box] = []
        waiting: list[tuple[Tree, Any]] = [(self.tree, self.box)]
        while waiting:
            tree, box = waiting.pop()
            if "column" in tree:
                waiting += zip(reversed(tree["parts"]), reversed(_parts(tree, box)), strict=True)
                continue
            numbers = {name: from_json(number) for name, number in tree.get("only", {}).items()}
            points = {name: replace(box[name], low=at, high=at, through=True) for name, at in numbers.items()}
            boxes.append({**box, **points})
        return boxes

    def joined(self, parts: Sequence[Part], pairs: Pairs, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        """Return Boxes, because the cuts between blocks are not Mondrian's."""
        from fairveil.recipes.boxes import Boxes

        return Boxes.around(self.schema, self.numeric, pairs), None

    @property
    def part(self) -> CutTree:
        return replace(self, tree={})

    def narrowed(self, rows: Table, counts: Indices, groups: Indices, positions: Indices) -> Narrowed:
        assert groups is not None
        schema = self.schema.narrowed(rows)
        before, after = self.schema.hierarchy, schema.hierarchy
        names = {name: renamed(before(name), after(name), rows.column(name)) for name in self.climbing}
        edges = {name: Edges.of(rows.column(name)) for name, is_numeric in self.numeric.items() if is_numeric}
        pruning = _Pruning(rows, groups, edges, names)
        recipe = CutTree.learnt(schema, rows, self.numeric, pruning.run(self.tree) or {})
        position = np.zeros(len(self.boxes), dtype=np.int64)
        position[pruning.kept] = np.arange(len(pruning.kept))
        return recipe, position[groups], None

    def groups_of(self, table: Table) -> np.ndarray:
        """Send every row down the tree. Returns its region; the number after the last one for rows that fit none."""
        columns = {column.name: column for column in table.columns if column.name in self.box}
        bound = {name: self.schema.hierarchy(name).bind(columns[name].domain, name) for name in self.climbing}
        inside = {  # raises where a column does not hold numbers
            name: self.inside(column, (box[name] for box in self.boxes))
            for name, column in columns.items()
            if name not in bound
        }
        region = self._flat.regions_of(table.rows, columns, bound)
        for name, values in inside.items():
            place = {side: number for number, side in enumerate(values)}
            of_region = np.array([place[box[name]] for box in self.boxes])
            rows = np.flatnonzero(region >= 0)
            fits = np.stack(list(values.values()))[of_region[region[rows]], columns[name].codes[rows]]
            region[rows[~fits]] = -1
        region[region < 0] = len(self.boxes)
        return region

    @cached_property
    def _flat(self) -> FlatTree:
        return FlatTree.of(self.tree)

    @property
    def row_by_row(self) -> bool:  # type: ignore[override]
        return not self._flat.relaxed

    def top_of(self, name: str) -> Any:
        side = self.box[name]
        return side.name if isinstance(side, HierarchyNodeValue) else None

    def check(self) -> None:
        super().check()
        _check(self.tree, self.schema)
        for name in self.schema.quasi:
            self.labels_of(name)  # walks down the whole tree, and raises if its parts do not fit together


_LEAF = record({}, {"only": each(cell)})
_CUT = record(
    {"column": text, "parts": many(record({}, more=True), 1)},
    {
        "level": integer(0, 1000),
        "names": many(optional(text)),
        "at": cell,
        "from": cell,
        "left": integer(0),
        "of": integer(1),
    },
)


def _check(tree: Any, schema: Schema) -> None:
    """Raise BadInput if a cut or leaf of the tree is malformed."""
    waiting = [(tree, "tree")]
    while waiting:
        node, where = waiting.pop()
        if not isinstance(node, Mapping) or "column" not in node:
            _LEAF(node, where)
            continue
        cut = _CUT(node, where)
        expected = len(cut.get("names", ())) if "level" in cut else 2
        if cut["column"] not in schema.quasi or len(cut["parts"]) != expected or ("of" in cut) != ("left" in cut):
            raise BadInput(f"{where} is not a cut of a quasi column")
        waiting += [(part, f"{where}.parts[{number}]") for number, part in enumerate(node["parts"])]


def _parts(tree: Tree, box: Box) -> list[Box]:
    """Return the boxes of the parts of a cut."""
    name, side = tree["column"], box[tree["column"]]
    if "level" in tree:
        return [{**box, name: HierarchyNodeValue(tree["level"], label)} for label in tree["names"]]
    assert isinstance(side, Span)
    at = from_json(tree.get("at"))
    if "from" in tree:  # the tied numbers are on both sides
        low = from_json(tree["from"])
        left = replace(side, high=side.high if at is None else at, missing=False)
        right = replace(side, low=side.low if low is None else low)
    elif at is None:
        left, right = replace(side, missing="of" in tree), NOTHING
    else:
        left, right = replace(side, high=at, missing=False), replace(side, low=at)
    return [{**box, name: left}, {**box, name: right}]


def _shown(tree: Tree, box: Box, edges: Mapping[str, Edges], tightened: dict[tuple[str, Span], Span]) -> Tree:
    """Return the tree with the numbers that are alone in their region; `box` has the numeric columns only."""
    if "column" in tree:
        boxes = [box] * len(tree["parts"]) if "level" in tree else _parts(tree, box)
        parts = zip(tree["parts"], boxes, strict=True)
        return {**tree, "parts": [_shown(part, side, edges, tightened) for part, side in parts]}
    only = {}
    for name in edges:
        side = box[name]
        assert isinstance(side, Span)
        if (name, side) not in tightened:
            tightened[name, side] = tight(side, edges[name])
        point = tightened[name, side]
        if point.low == point.high is not None:
            only[name] = to_json(point.low)
    return {"only": only} if only else {}


@dataclass
class _Pruning:
    """Removes regions without rows from a tree, and moves cuts to edges between the rows' values; `kept` ones stay."""

    rows: Table
    groups: np.ndarray
    edges: Mapping[str, Edges]
    names: Mapping[str, Mapping[tuple[int, str | None], str | None]]
    kept: list[int] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    @cached_property
    def occurring(self) -> set[int]:
        return set(np.unique(self.groups).tolist())

    def run(self, tree: Tree) -> Tree | None:
        if "column" not in tree:
            number = next(self.numbers)
            if number not in self.occurring:
                return None
            self.kept.append(number)
            return {}
        if "level" in tree:
            renamed_parts = self.names[tree["column"]]
            parts = [(renamed_parts.get((tree["level"], name)), self.run(part))
                     for name, part in zip(tree["names"], tree["parts"], strict=True)]  # fmt: skip
            kept = [(name, part) for name, part in parts if part is not None]
            return {**tree, "names": [n for n, _ in kept], "parts": [p for _, p in kept]} if kept else None
        first = len(self.kept)
        left = self.run(tree["parts"][0])
        middle = len(self.kept)
        right = self.run(tree["parts"][1])
        if left is None or right is None:
            return right if left is None else left
        cut = {**tree, "parts": [left, right]}
        if "of" in tree:
            return self._tied(cut, self.kept[first:middle], self.kept[middle:])
        return {**cut, "at": self._moved(tree["column"], tree["at"])} if "at" in tree else cut

    def _tied(self, cut: dict[str, Any], left: list[int], right: list[int]) -> Tree:
        """Return a relaxed cut with the current share of tied rows on its left."""
        column, edges = self.rows.column(cut["column"]), self.edges[cut["column"]]
        shared: set[Any] = {None}
        if "from" in cut:
            shared = set(edges.numbers[slice(*tied_range(edges.numbers, len(edges.numbers), cut))])
        tied = np.array([value in shared for value in column.domain], dtype=bool)[column.codes]
        lefts, rights = (int((tied & np.isin(self.groups, side)).sum()) for side in (left, right))
        if lefts and rights:
            ends = {end: self._moved(cut["column"], cut[end]) for end in ("from", "at") if "from" in cut}
            return {**cut, **ends, "left": lefts, "of": lefts + rights}
        strict = {key: content for key, content in cut.items() if key not in ("left", "of", "from")}
        return {**strict, "at": self._moved(cut["column"], cut["at" if lefts else "from"])} if "from" in cut else strict

    def _moved(self, name: str, edge: Any) -> Any:
        """Return the edge that separates the rows' numbers as this one does, both as JSON."""
        return None if edge is None else to_json(self.edges[name].near(from_json(edge)))
