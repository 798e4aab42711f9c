"""Top-Down Greedy (Xu et al. 2006): halve the table around two far-apart records, by normalized certainty penalty.

Two seeds that are far apart are found in a few rounds from a random record; every other record, in random order, joins
the half whose box grows less. Halves of more than k records are halved again. Groups below k then take the nearest
records of a large group, or merge with the nearest group, whichever costs less.

The groups may overlap, so the recipe is the list of their boxes, up to the edges of a grid; the change says which row
of the source is in which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.messages import counted
from fairveil.methods.method import Method, Picture, Proposal, grown, propose
from fairveil.methods.mondrian import axes_of
from fairveil.methods.units import Units
from fairveil.recipes.boxes import Boxes
from fairveil.recipes.record_space import RecordSpace
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change


@dataclass(frozen=True)
class TopDownGreedy(Method):
    """One local recoding, by halving around far-apart records. `numeric=False` takes numbers along hierarchies."""

    kind: ClassVar[str] = "top-down-greedy"
    title: ClassVar[str] = "groups split top down"
    picture: ClassVar[Picture] = "regions"
    says: ClassVar[str] = "Splits the records into groups of similar ones, and generalizes group by group."
    needs_rows: ClassVar[bool] = True
    reaches_top: ClassVar[bool] = True
    blockwise: ClassVar[bool] = True
    numeric: bool = setting(True, "cut numeric columns anywhere, not only along their hierarchies")

    def search(self, task: Task) -> Proposal:
        from fairveil.methods.adjustment_kernels import adjust
        from fairveil.methods.halving_kernels import top_down

        units, axes = Units.of(task), axes_of(task, self.numeric)
        if units.persons is not None:
            axes = axes._replace(codes=np.ascontiguousarray(axes.codes[:, units.rows]))
        random = np.random.default_rng(task.seed)
        order = random.permutation(len(units))
        seeds = random.random(4096)

        def learn(k: int) -> Change:
            task.report(0.0, "partitioning")
            group, groups = top_down(axes, order, seeds, min(k, len(units)), task.progress.stop)
            task.report(0.5, f"adjusting {counted(groups, 'group')}")
            group = adjust(axes, group, groups, min(k, len(units)), task.progress.stop)
            task.progress.check()
            _, region = np.unique(group, return_inverse=True)
            if units.persons is not None:
                rows = task.table.take(units.rows)
                region = units.joined(region, task.k, RecordSpace.of(rows, list(task.levels)).points(rows))
                region = region[units.of_row]
            numeric = dict(zip(task.levels, axes.numeric.tolist(), strict=True))
            return task.change(Boxes.learnt(task.schema, task.table, numeric, region), region)

        note = "Top-Down Greedy partitions greedily, so a better local recoding may exist"
        return propose(task, self, [grown(task, self, learn)], notes=[note])
