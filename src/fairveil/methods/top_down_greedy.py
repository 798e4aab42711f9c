"""Top-Down Greedy (Xu et al. 2006): halve the table around two far-apart records, by normalized certainty penalty.

Two seeds that are far apart are found in a few rounds from a random record; every other record, in random order, joins
the half whose box grows less. Halves of more than k records are halved again. Groups below k then take the nearest
records of a large group, or merge with the nearest group, whichever costs less.

The groups overlap, so the recipe is the list of their boxes: applied to the table it was learnt from it gives the very
groups, and a new record gets the smallest box that it fits into, or is published as anything at all. The boxes are what
is published anyway; the recipe holds no record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import Infeasible
from fairveil.methods.base import Method, Proposal
from fairveil.methods.full_domain import why_infeasible
from fairveil.methods.local import axes_of, propose
from fairveil.methods.task import Task
from fairveil.recipes.base import Outcome, Unknown
from fairveil.recipes.regions import (
    Box,
    Place,
    Span,
    holds,
    numbers_of,
    outside,
    recode,
    side_from,
    strays,
    without_unknown,
)

if TYPE_CHECKING:
    from fairveil.counting.kernels.regions import Axes


@dataclass(frozen=True)
class TopDownGreedy(Method):
    """One local recoding. `numeric=False` takes columns of numbers along their hierarchies as well."""

    kind: ClassVar[str] = "top-down-greedy"
    numeric: bool = True

    def search(self, task: Task) -> Proposal:
        from fairveil.counting.kernels.regions import adjust, top_down

        if task.table.rows < task.k:
            raise Infeasible(why_infeasible(task))
        axes = axes_of(task, self.numeric)
        random = np.random.default_rng(task.seed)
        order = random.permutation(task.table.rows)
        seeds = random.random(4096)
        task.report(0.0, "partitioning")
        group, groups = top_down(axes, order, seeds, task.k, task.progress.stop)
        task.report(0.5, f"adjusting {groups:,} groups")
        group = adjust(axes, group, groups, task.k, task.progress.stop)
        task.progress.check()
        _, region = np.unique(group, return_inverse=True)
        boxes = _boxes(task, axes, region)
        note = "Top-Down Greedy partitions greedily, so a better local recoding may exist"
        return propose(task, self, Boxes(task.schema, boxes, (task.table, region)), note)


def _boxes(task: Task, axes: Axes, region: np.ndarray) -> list[Box]:
    """The box of each region: range of the numbers, lowest common node of the names."""
    order = np.argsort(region, kind="stable")
    starts = np.flatnonzero(np.diff(region[order], prepend=-1))
    sides: dict[str, list[Span | Place]] = {}
    for a, name in enumerate(task.levels):
        codes, column = axes.codes[a][order], task.table.column(name)
        if axes.numeric[a]:
            domain, last = column.domain, len(column.values) - 1
            gone = codes == last if column.has_missing else np.zeros(len(codes), dtype=bool)
            low = np.minimum.reduceat(codes, starts)
            high = np.maximum.reduceat(np.where(gone, -1, codes), starts)
            holes = np.logical_or.reduceat(gone, starts)
            sides[name] = [
                Span(domain[lo], domain[hi], missing=bool(hole)) if hi >= 0 else Span(1, 0, missing=True)
                for lo, hi, hole in zip(low, high, holes, strict=True)
            ]
            continue
        levels = task.levels[name]
        found: list[Span | Place | None] = [None] * len(starts)
        for level in range(levels.height + 1):
            at = levels.codes[level][codes]
            one = np.minimum.reduceat(at, starts) == np.maximum.reduceat(at, starts)
            for g in np.flatnonzero(one):
                if found[g] is None:
                    found[g] = Place(level, levels.labels[level][at[starts[g]]])
        sides[name] = [side for side in found if side is not None]
    return [{name: sides[name][g] for name in task.levels} for g in range(len(starts))]


@dataclass(frozen=True)
class Boxes:
    """Regions that may overlap. `source` is the table they were learnt from and its regions; it is never written."""

    kind: ClassVar[str] = "boxes"
    schema: Schema
    boxes: Sequence[Box] = field(repr=False)
    source: tuple[Table, np.ndarray] | None = field(default=None, repr=False, compare=False)

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        table.need(self.schema.quasi)
        if self.source is not None and table is self.source[0]:
            return recode(table, table.rows, self.schema, self.boxes, self.source[1])
        rows = table.rows
        if unknown == "suppress":
            table = without_unknown(table, self.schema, self.boxes[0])
        region = self._smallest(table)
        region[region < 0] = len(self.boxes)
        boxes = [*self.boxes, outside(table, self.schema, self.boxes[0])]
        return recode(table, rows, self.schema, boxes, region)

    def _smallest(self, table: Table) -> np.ndarray:
        """For each row the box with the smallest sum of column shares that holds it, the first of equal ones; or -1."""
        fits: dict[str, dict[Any, np.ndarray]] = {}
        cost = np.zeros(len(self.boxes))
        for name in self.schema.quasi:
            column = table.column(name)
            levels = self.schema.hierarchy(name).bind(column.domain, name) if self._named(name) else None
            numbers = None if levels else numbers_of(column)
            fits[name] = {
                side: holds(side, numbers, levels)[: len(column.values)]
                for side in dict.fromkeys(box[name] for box in self.boxes)
            }
            share = {side: float(inside.mean()) for side, inside in fits[name].items()}
            cost += [share[box[name]] for box in self.boxes]
        region = np.full(table.rows, -1, dtype=np.int64)
        left = np.arange(table.rows)
        for number in np.argsort(cost, kind="stable"):
            inside = np.ones(len(left), dtype=bool)
            for name, side in self.boxes[number].items():
                inside &= fits[name][side][table.column(name).codes[left]]
            region[left[inside]] = number
            left = left[~inside]
            if not len(left):
                break
        return region

    def _named(self, name: str) -> bool:
        return any(isinstance(box[name], Place) for box in self.boxes)

    def strays(self, column: Column) -> list[Any]:
        tops = [box[column.name] for box in self.boxes]
        paths, _ = self.schema.hierarchy(column.name).paths(self.schema.hierarchy(column.name).extra_leaves())
        named = isinstance(tops[0], Place) and bool(paths) and len(paths[0]) > 0
        return strays(self.boxes, column, paths[0][-1] if named else None)

    def to_dict(self) -> dict[str, Any]:
        boxes = [{name: side.to_list() for name, side in box.items()} for box in self.boxes]
        return {"format": 1, "kind": self.kind, "boxes": boxes, "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Boxes:
        boxes = [{name: side_from(side) for name, side in box.items()} for box in spec["boxes"]]
        return cls(Schema.from_dict(spec["schema"]), boxes)
