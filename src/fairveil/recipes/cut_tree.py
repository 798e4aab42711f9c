"""CutTree: regions as the leaves of a tree of cuts, as Mondrian learns them.

New rows go down the tree. A row that has no place in it (a number where a region publishes another one, a name new to
its region) is published as `*`. A relaxed cut may separate rows with the same value: the tree keeps what share of these
tied rows went left, and of new data the same share does, the first ones in row order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairveil.data.interval_edges import Edges, from_json, to_json
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.recipes.group_values import GroupValues
from fairveil.recipes.outcome import Outcome
from fairveil.recipes.recipe import Narrowed, Part, Recipe
from fairveil.recipes.recipe_shape import SIDE, need_all, parts_of
from fairveil.recipes.recoding import renamed
from fairveil.recipes.regions import (
    NOTHING,
    Box,
    HierarchyNodeValue,
    Span,
    covers,
    hierarchy_columns,
    numbers_of,
    outside,
    published_labels,
    recode_regions,
    side_from,
    strays,
    tight,
)
from fairveil.shapes import cell, each, many, optional, record, text, whole

Tree = Mapping[str, Any]
"""A region {}, or a cut: {"column", "at", "parts": [left, right]} at a number, {"column", "level", "names", "parts"}
into the nodes of a level.

A cut without a number at "at" has the missing values on its right. With "left" and "of", so many of the tied rows went
left: those with numbers from "from" up to "at", or the missing ones where there is no "from".
{"only": {column: number}} is a region that publishes these numbers as they are."""


@dataclass(frozen=True, repr=False)
class CutTree(Recipe):
    """`box` contains everything, `tree` has the cuts."""

    kind: ClassVar[str] = "cut-tree"
    groups_rows: ClassVar[bool] = True

    box: Box
    tree: Tree = field(repr=False)

    @classmethod
    def learnt(cls, schema: Schema, rows: Table, numeric: Mapping[str, bool], tree: Tree) -> CutTree:
        """Return the recipe of the cuts that divided these rows; a number that is alone in its region is published."""
        box: dict[str, Span | HierarchyNodeValue] = {}
        edges = {name: Edges.of(rows.column(name)) for name, is_numeric in numeric.items() if is_numeric}
        for name in schema.quasi:
            column = rows.column(name)
            if name in edges:
                box[name] = Span(None, None, edges[name].whole, missing=column.has_missing)
            else:
                levels = schema.hierarchy(name).bind(column.domain, name)
                box[name] = HierarchyNodeValue(levels.height, levels.labels[-1][0])
        return cls(schema, box, _shown(tree, {name: box[name] for name in edges}, edges, {}) if edges else tree)

    @cached_property
    def boxes(self) -> list[Box]:
        """Every region, left to right."""
        return list(leaves(self.tree, self.box))

    def joined(
        self, parts: Sequence[Part], pairs: Callable[[str], GroupValues], sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        """Return Boxes, because the cuts between blocks are not Mondrian's."""
        from fairveil.recipes.boxes import Boxes

        return Boxes.around(self.schema, {name: isinstance(side, Span) for name, side in self.box.items()}, pairs), None

    @property
    def part(self) -> CutTree:
        return replace(self, tree={})

    def labels_of(self, name: str) -> set[str | None] | None:
        return published_labels(self.boxes, name)

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        assert groups is not None
        schema = self.schema.narrowed(rows)
        names = {name: renamed(self.schema, schema, rows.column(name)) for name in hierarchy_columns(self.box)}
        numeric = {name: isinstance(side, Span) for name, side in self.box.items()}
        edges = {name: Edges.of(rows.column(name)) for name, is_numeric in numeric.items() if is_numeric}
        pruning = _Pruning(rows, groups, edges, names)
        tree = pruning.run(self.tree)
        recipe = CutTree.learnt(schema, rows, numeric, {} if tree is None else tree)
        place = np.zeros(len(self.boxes), dtype=np.int64)
        place[pruning.kept] = np.arange(len(pruning.kept))
        return recipe, place[groups], None

    @property
    def climbing(self) -> list[str]:
        return hierarchy_columns(self.box)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        return recode_regions(table, self.schema, [*self.boxes, outside(table, self.schema, self.box)], groups)

    def groups_of(self, table: Table) -> np.ndarray:
        """Send every row down the tree. Returns its region; the number after the last one for rows that fit none."""
        region = np.full(table.rows, -1, dtype=np.int64)
        numbers = {name: numbers_of(table.column(name)) for name, side in self.box.items() if isinstance(side, Span)}
        inside: dict[tuple[str, Span], np.ndarray] = {}
        waiting: list[tuple[Tree, np.ndarray]] = [(self.tree, np.arange(table.rows))]
        bound: dict[str, Any] = {}
        number = 0
        while waiting:
            tree, rows = waiting.pop()
            if "column" not in tree:
                for name, side in self.boxes[number].items():
                    if isinstance(side, Span):
                        if (name, side) not in inside:
                            inside[name, side] = side.holds(numbers[name])
                        rows = rows[inside[name, side][table.column(name).codes[rows]]]
                region[rows] = number
                number += 1
                continue
            column = table.column(tree["column"])
            if "level" in tree:
                if column.name not in bound:
                    bound[column.name] = self.schema.hierarchy(column.name).bind(column.domain, column.name)
                levels = bound[column.name]
                place_of = {name: place for place, name in enumerate(tree["names"])}
                labels = levels.labels[tree["level"]]
                place = np.array([place_of.get(text_or_none(label), -1) for label in labels])
                mine = place[levels.codes[tree["level"]][column.codes[rows]]]
                waiting += [(part, rows[mine == i]) for i, part in reversed(list(enumerate(tree["parts"])))]
            else:
                left = _goes_left(numbers[column.name], column.codes[rows], tree)
                waiting += [(tree["parts"][1], rows[~left]), (tree["parts"][0], rows[left])]
        region[region < 0] = number
        return region

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        return covers(self.boxes, self.schema, rows, published)

    def strays(self, column: Column) -> list[Any]:
        side = self.box[column.name]
        return strays(self.boxes, column, side.name if isinstance(side, HierarchyNodeValue) else None)

    def parts(self) -> dict[str, Any]:
        return {"box": {name: side.to_list() for name, side in self.box.items()}, "tree": self.tree}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> CutTree:
        parts = parts_of(spec, box=each(SIDE), tree=record({}, more=True))
        schema = parts["schema"]
        need_all(schema, parts["box"], "box")
        box = {name: side_from(side) for name, side in parts["box"].items()}
        _check(parts["tree"], schema)
        recipe = cls(schema, box, parts["tree"])
        for name in schema.quasi:
            recipe.labels_of(name)  # walks down the whole tree, and raises if its parts do not fit together
        return recipe


_LEAF = record({}, {"only": each(cell)})
_CUT = record(
    {"column": text, "parts": many(record({}, more=True), 1)},
    {
        "level": whole(0, 1000),
        "names": many(optional(text)),
        "at": cell,
        "from": cell,
        "left": whole(0),
        "of": whole(1),
    },
)


def _check(tree: Any, schema: Schema) -> None:
    """Raise BadInput if a cut or leaf of the tree is malformed."""
    waiting = [(tree, "tree")]
    while waiting:
        spot, place = waiting.pop()
        if not isinstance(spot, Mapping) or "column" not in spot:
            _LEAF(spot, place)
            continue
        cut = _CUT(spot, place)
        expected = len(cut.get("names", ())) if "level" in cut else 2
        if cut["column"] not in schema.quasi or len(cut["parts"]) != expected or ("of" in cut) != ("left" in cut):
            raise BadInput(f"{place} is not a cut of a quasi column")
        waiting += [(part, f"{place}.parts[{number}]") for number, part in enumerate(spot["parts"])]


def _goes_left(domain: list[Any], codes: np.ndarray, tree: Tree) -> np.ndarray:
    """Return which rows go left: numbers below the cut; of the tied rows of a relaxed cut the first ones, in the share
    that went left before."""
    present = len(domain) - (None in domain[-1:])
    at = from_json(tree.get("at"))
    end = present if at is None else bisect_left(domain, at, hi=present)
    if "of" not in tree:
        return np.asarray(codes < end)
    start, stop = _tied_places(domain, present, tree) if "from" in tree else (present, len(domain))
    left: np.ndarray = codes < start
    tied = np.flatnonzero((codes >= start) & (codes < stop))
    left[tied[: round(len(tied) * tree["left"] / tree["of"])]] = True
    return left


def _tied_places(numbers: Sequence[Any], present: int, tree: Tree) -> tuple[int, int]:
    """Return the index range [start, stop) of the tied numbers among ascending ones."""
    low, high = from_json(tree["from"]), from_json(tree.get("at"))
    start = 0 if low is None else bisect_left(numbers, low, hi=present)
    return start, present if high is None else bisect_left(numbers, high, hi=present)


def leaves(tree: Tree, box: Box) -> Iterator[Box]:
    """Yield the boxes of the regions of a tree, left to right."""
    waiting = [(tree, box)]
    while waiting:
        tree, box = waiting.pop()
        if "column" not in tree:
            yield {**box, **{name: _point(box[name], number) for name, number in tree.get("only", {}).items()}}
        else:
            waiting += zip(reversed(tree["parts"]), reversed(_parts(tree, box)), strict=True)


def _point(side: Any, number: Any) -> Span:
    value = from_json(number)
    return Span(value, value, side.whole, through=True, missing=side.missing)


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


class _Pruning:
    """Removes the regions without rows from a tree, and moves its cuts to edges between the values of the rows; `kept`
    has the remaining regions."""

    def __init__(
        self,
        rows: Table,
        groups: np.ndarray,
        edges: Mapping[str, Edges],
        names: Mapping[str, Mapping[tuple[int, str | None], str | None]],
    ) -> None:
        self.rows, self.groups, self.edges, self.names = rows, groups, edges, names
        self.held = np.bincount(groups) > 0
        self.kept: list[int] = []
        self.next = 0

    def run(self, tree: Tree) -> Tree | None:
        if "column" not in tree:
            number, self.next = self.next, self.next + 1
            if number >= len(self.held) or not self.held[number]:
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
        return cut if tree.get("at") is None else {**cut, "at": self._near(tree["column"], from_json(tree["at"]))}

    def _near(self, name: str, at: Any) -> Any:
        return to_json(self.edges[name].near(at))

    def _tied(self, cut: dict[str, Any], left: list[int], right: list[int]) -> Tree:
        """Return a relaxed cut with the current share of tied rows on its left."""
        column, edges = self.rows.column(cut["column"]), self.edges[cut["column"]]
        start, stop = len(edges.numbers), len(edges.numbers)
        if "from" in cut:
            start, stop = _tied_places(edges.numbers, len(edges.numbers), cut)
        shared = set(edges.numbers[start:stop]) if "from" in cut else {None}
        tied = np.array([value in shared for value in column.domain], dtype=bool)[column.codes]
        lefts, rights = (int((tied & np.isin(self.groups, side)).sum()) for side in (left, right))
        if lefts and rights:
            ends = {"from": to_json(edges.below(start)), "at": to_json(edges.below(stop))} if "from" in cut else {}
            return {**cut, **ends, "left": lefts, "of": lefts + rights}
        strict = {key: content for key, content in cut.items() if key not in ("left", "of", "from")}
        return {**strict, "at": to_json(edges.below(stop if lefts else start))} if "from" in cut else strict
