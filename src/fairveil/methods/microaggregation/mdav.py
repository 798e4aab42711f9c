"""MDAV (Domingo-Ferrer and Torra 2005): groups of k near records publish their means and modes.

>>> import fairveil as fv
>>> german = fv.datasets.german_credit()
>>> frontier = fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)], method=fv.MDAV())
>>> frontier.best("loss").verdicts[0].worst >= 5
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from fairveil.errors import Infeasible
from fairveil.methods.method import Picture, Proposal, grown, why_broken
from fairveil.methods.microaggregation.clusters import mdav
from fairveil.methods.microaggregation.microaggregation import Microaggregation, several
from fairveil.methods.task import Task
from fairveil.recipes.change import Change
from fairveil.settings import setting


@dataclass(frozen=True)
class MDAV(Microaggregation):
    """Means and modes of groups of `k` similar records; several k give several candidates.

    By default, k is that of the k-anonymity guard, doubled until the other guards hold, too.
    """

    kind: ClassVar[str] = "mdav"
    title: ClassVar[str] = "averages of similar records (MDAV)"
    picture: ClassVar[Picture] = "averages"
    says: ClassVar[str] = "Puts similar records into groups of k and publishes the average of each group."
    k: int | Sequence[int] | None = setting(
        None, "number of records in a group; the smallest that keeps the guards by default", min=2
    )

    @property
    def reaches_top(self) -> bool:
        return self.k is None

    def search(self, task: Task) -> Proposal:
        names = list(task.schema.quasi)
        space, kinds = self.space(task, names), self.kinds(task, names)
        points = space.points(task.table)

        def learn(k: int) -> Change:
            task.report(0.0, f"forming groups of {k}")
            clusters = mdav(points, k, block=self.block(len(points)), progress=task.progress)
            return self.learnt(task, space, clusters, kinds, {"k": k})

        if self.k is None:
            return self.propose(task, [grown(task, self, learn)])
        candidates: list[Change] = []
        for k in several(self.k):
            change = learn(k)
            problem = why_broken(task, change)
            candidates += [] if problem else [change]
            if candidates:
                task.offer(partial(self.propose, task, candidates))
        if not candidates:
            raise Infeasible(f"groups of {self.k} do not keep the guards ({problem}): take a larger k")
        return self.propose(task, candidates)
