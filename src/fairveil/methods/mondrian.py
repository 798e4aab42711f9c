"""Mondrian (LeFevre et al. 2006): cut the table at medians, widest column first, while every part keeps the guards.

Numbers are cut at the median of the region's rows; names along their hierarchy, into the children of the region's
node. Strict: rows of one value stay together. Relaxed: rows that equal the median go either way, so that the halves
are even. The recipe is the tree of cuts: new rows descend it, and one that falls off it (a number outside the range
learnt on, a name that its region never held) is published as anything at all. Of relaxed cuts it keeps how many of the
tied rows went left, and the first ones, in the order of the rows, do so again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import Infeasible
from fairveil.methods.base import Method, Proposal
from fairveil.methods.full_domain import why_infeasible
from fairveil.methods.local import axes_of, other_guards, propose
from fairveil.methods.task import Task
from fairveil.recipes.base import Outcome, Unknown
from fairveil.recipes.regions import Box, Place, Span, numbers_of, outside, recode, side_from, strays, without_unknown

Tree = Mapping[str, Any]
"""A cut {"column", "at", "left", "of", "parts": [left, right]} or {"column", "level", "parts": {name: …}}, or {}: a
region."""


@dataclass(frozen=True)
class Mondrian(Method):
    """One local recoding. `numeric=False` cuts columns of numbers along their hierarchies as well."""

    kind: ClassVar[str] = "mondrian"
    relaxed: bool = False
    numeric: bool = True

    def search(self, task: Task) -> Proposal:
        note = "Mondrian cuts greedily, so a better local recoding may exist"
        return propose(task, self, _Cutter(task, self).run(), note)


class _Cutter:
    """Cuts one task's table."""

    def __init__(self, task: Task, method: Mondrian) -> None:
        from fairveil.counting.kernels.regions import first_cut

        self.first_cut = first_cut
        self.task, self.relaxed = task, method.relaxed
        self.axes, self.names = axes_of(task, method.numeric), list(task.levels)
        self.only_numbers = bool(self.axes.numeric.all())
        self.domains = {name: task.table.column(name).domain for name in self.names}
        self.k, self.others = task.k, other_guards(task)

    def run(self) -> CutTree:
        axes, task = self.axes, self.task
        task.report(0.0, "cutting")
        rows = np.arange(task.table.rows)
        if task.table.rows < task.k or not self._keep([rows]):
            raise Infeasible(why_infeasible(task))
        tops = np.array([task.levels[name].height for name in self.names])
        root: dict[str, Any] = {}
        waiting = [(rows, np.where(axes.numeric, 0, tops), root)]
        regions: list[np.ndarray] = []
        done = 0
        while waiting:
            some, level, spot = waiting.pop()
            waiting += self._cut(some, level, spot)
            if not spot:
                done += len(some)
                regions.append(some)
                if len(regions) % 256 == 0:
                    task.report(done / len(rows), f"{len(regions):,} regions")
        region = np.empty(len(rows), dtype=np.int64)
        for number, some in enumerate(reversed(regions)):  # the last part of a cut was cut first
            region[some] = number
        return CutTree(task.schema, root_box(task.table, task.schema, axes.numeric), root, (task.table, region))

    def _cut(self, rows: np.ndarray, level: np.ndarray, spot: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
        """Fill `spot` with the first cut that keeps the guards, widest column first; its parts."""
        if len(rows) < 2 * self.k and self.only_numbers:
            return []
        skip = 0
        while True:
            a, skip, ordered, ends, what = self.first_cut(self.axes, rows, level, skip, self.k, self.relaxed)
            if a < 0:
                return []
            parts = [ordered]
            if len(ends) > 1:
                parts = [ordered[start:end] for start, end in pairwise([0, *ends.tolist()])]
            if not self.others or self._keep(parts):
                break
        name = self.names[a]
        if self.axes.numeric[a]:
            middle, to_left, ties = what.tolist()
            spot.update(column=name, at=self.domains[name][middle], parts=[{}, {}])
            if to_left < ties:
                spot.update(left=to_left, of=ties)
            return list(zip(parts, [level, level], spot["parts"], strict=True))
        lower = level.copy()
        lower[a] -= 1
        names = self.task.levels[name].labels[lower[a]]
        spot.update(column=name, level=int(lower[a]), parts={_key(names[code]): {} for code in what})
        return list(zip(parts, [lower] * len(parts), spot["parts"].values(), strict=True))

    def _keep(self, parts: list[np.ndarray]) -> bool:
        """Whether each part keeps the guards other than k, which the sizes tell."""
        if not self.others:
            return True
        task = self.task
        rows = np.concatenate(parts)
        ids = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        columns = {name for guard in self.others for name in guard.columns(task.schema)}
        codes = {name: task.table.column(name).codes[rows].astype(np.int64) for name in columns}
        classes = Classes.from_ids(ids, len(parts), np.ones(len(rows), dtype=np.int64), codes, task.cells)
        return all(guard.verdict(classes, task.schema) for guard in self.others)


def _key(name: Any) -> str:
    return "" if name is None else str(name)  # JSON keys are text; a missing value is the empty one


def root_box(table: Table, schema: Schema, numbers: np.ndarray) -> Box:
    """The box of everything: the range of the numbers, the top of the hierarchies."""
    box: dict[str, Span | Place] = {}
    for name, numeric in zip(schema.quasi, numbers, strict=True):
        column = table.column(name)
        if numeric:
            present = [value for value in column.domain if value is not None]
            low, high = (present[0], present[-1]) if present else (1, 0)
            box[name] = Span(low, high, missing=column.has_missing)
        else:
            levels = schema.hierarchy(name).bind(column.domain, name)
            box[name] = Place(levels.height, levels.labels[-1][0])
    return box


@dataclass(frozen=True)
class CutTree:
    """Regions as the leaves of a tree of cuts. `source`: the table learnt from and its regions; never written."""

    kind: ClassVar[str] = "cut-tree"
    schema: Schema
    box: Box
    tree: Tree = field(repr=False)
    source: tuple[Table, np.ndarray] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def boxes(self) -> list[Box]:
        """Every region, left to right."""
        return [box for _, box in _leaves(self.tree, self.box)]

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Send every row down the tree; a row that no part of a cut takes in is published as anything at all.

        A name without a place in its hierarchy is refused, or its rows go.
        """
        table.need(self.schema.quasi)
        if self.source is not None and table is self.source[0]:
            boxes = [*self.boxes, outside(table, self.schema, self.box)]
            return recode(table, table.rows, self.schema, boxes, self.source[1])
        rows_before = table.rows
        if unknown == "suppress":
            table = without_unknown(table, self.schema, self.box)
        region = np.full(table.rows, -1, dtype=np.int64)
        numbers = {name: numbers_of(table.column(name)) for name, side in self.box.items() if isinstance(side, Span)}
        start = self._in_range(table, numbers)
        waiting: list[tuple[Tree, np.ndarray]] = [(self.tree, start)]
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
                names = np.array([_key(name) for name in levels.labels[tree["level"]]])
                mine = names[levels.codes[tree["level"]][column.codes[rows]]]
                for name, part in reversed(tree["parts"].items()):
                    waiting.append((part, rows[mine == name]))
            else:
                left = _goes_left(numbers[column.name][column.codes[rows]], tree)
                waiting += [(tree["parts"][1], rows[~left]), (tree["parts"][0], rows[left])]
        region[region < 0] = number
        boxes = [*self.boxes, outside(table, self.schema, self.box)]
        return recode(table, rows_before, self.schema, boxes, region)

    def _in_range(self, table: Table, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """The rows whose numbers are all within the range that the recipe was learnt on."""
        inside = np.ones(table.rows, dtype=bool)
        for name, values in numbers.items():
            side = self.box[name]
            assert isinstance(side, Span)
            inside &= side.holds(values)[table.column(name).codes]
        return np.flatnonzero(inside)

    def strays(self, column: Column) -> list[Any]:
        side = self.box[column.name]
        return strays(self.boxes, column, side.name if isinstance(side, Place) else None)

    def to_dict(self) -> dict[str, Any]:
        box = {name: side.to_list() for name, side in self.box.items()}
        return {"format": 1, "kind": self.kind, "box": box, "tree": self.tree, "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> CutTree:
        box = {name: side_from(side) for name, side in spec["box"].items()}
        return cls(Schema.from_dict(spec["schema"]), box, spec["tree"])


def _goes_left(numbers: np.ndarray, tree: Tree) -> np.ndarray:
    """Numbers up to the cut; of tied rows of a relaxed cut the first ones, in the share that went left before."""
    left = numbers <= tree["at"] if "of" not in tree else numbers < tree["at"]
    if "of" in tree:
        tied = np.flatnonzero(numbers == tree["at"])
        left[tied[: round(len(tied) * tree["left"] / tree["of"])]] = True
    return np.asarray(left)


def _leaves(tree: Tree, box: Box) -> Iterator[tuple[Tree, Box]]:
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
