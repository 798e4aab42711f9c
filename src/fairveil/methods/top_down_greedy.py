"""Top-Down Greedy (Xu et al. 2006): halve the table around two far-apart records, by normalized certainty penalty.

Two seeds that are far apart are found in a few rounds from a random record; every other record, in random order, joins
the half whose box grows less. Halves of more than k records are halved again. Groups below k then take the nearest
records of a large group, or merge with the nearest group, whichever costs less.

The groups may overlap, so the recipe is the list of their boxes; the change says which row of the source is in which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.methods.base import Method, Proposal, grown, propose
from fairveil.methods.local import axes_of
from fairveil.methods.task import Task
from fairveil.recipes.base import Change
from fairveil.recipes.boxes import Boxes
from fairveil.recipes.regions import Box, Place, Span, plain_number

if TYPE_CHECKING:
    from fairveil.counting.kernels.regions import Axes


@dataclass(frozen=True)
class TopDownGreedy(Method):
    """One local recoding. `numeric=False` takes columns of numbers along their hierarchies as well."""

    kind: ClassVar[str] = "top-down-greedy"
    numeric: bool = True

    @property
    def needs_rows(self) -> bool:
        return True

    @property
    def reaches_top(self) -> bool:
        return True

    def search(self, task: Task) -> Proposal:
        from fairveil.counting.kernels.regions import adjust, top_down

        axes = axes_of(task, self.numeric)
        random = np.random.default_rng(task.seed)
        order = random.permutation(task.rows)
        seeds = random.random(4096)

        def learn(k: int) -> Change:
            task.report(0.0, "partitioning")
            group, groups = top_down(axes, order, seeds, k, task.progress.stop)
            task.report(0.5, f"adjusting {groups:,} groups")
            group = adjust(axes, group, groups, k, task.progress.stop)
            task.progress.check()
            _, region = np.unique(group, return_inverse=True)
            return Change(Boxes(task.schema, _boxes(task, axes, region)), region.astype(np.int64))

        note = "Top-Down Greedy partitions greedily, so a better local recoding may exist"
        return propose(task, self, [grown(task, self, learn)], notes=[note])


def _boxes(task: Task, axes: Axes, region: np.ndarray) -> list[Box]:
    """The box of each region: range of the numbers, lowest common node of the names."""
    order = np.argsort(region, kind="stable")
    starts = np.flatnonzero(np.diff(region[order], prepend=-1))
    sides: dict[str, list[Span | Place]] = {}
    for a, name in enumerate(task.levels):
        codes, column = axes.codes[a][order], task.table.column(name)
        if axes.numeric[a]:
            domain, last = [v if v is None else plain_number(v) for v in column.domain], len(column.values) - 1
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
        places: list[Span | Place | None] = [None] * len(starts)
        for level in range(levels.height + 1):
            at = levels.codes[level][codes]
            agree = np.minimum.reduceat(at, starts) == np.maximum.reduceat(at, starts)
            for g in np.flatnonzero(agree):
                if places[g] is None:
                    places[g] = Place(level, levels.labels[level][at[starts[g]]])
        sides[name] = [side for side in places if side is not None]
    return [{name: sides[name][g] for name in task.levels} for g in range(len(starts))]
