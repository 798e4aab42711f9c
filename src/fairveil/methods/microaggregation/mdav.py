"""MDAV (Domingo-Ferrer and Torra 2005): groups of k near records publish their means and modes.

>>> import fairveil as fv
>>> german = fv.datasets.german_credit()
>>> frontier = fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)], method=fv.MDAV())
>>> frontier.best("loss").verdicts[0].worst >= 5
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.data.table import narrow
from fairveil.errors import Infeasible
from fairveil.messages import option
from fairveil.methods.method import Picture, Proposal, grown, why_broken
from fairveil.methods.microaggregation.clusters import Clusters, mdav
from fairveil.methods.microaggregation.correction import Correction, correct_fairness, judged_columns, relabel
from fairveil.methods.microaggregation.fairlets import Fairlets
from fairveil.methods.microaggregation.microaggregation import Microaggregation, several
from fairveil.methods.microaggregation.protected_groups import find_groups
from fairveil.methods.units import Units
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change


@dataclass(frozen=True)
class MDAV(Microaggregation):
    """Means and modes of groups of `k` similar records; several k give several candidates.

    By default, k is that of the k-anonymity guard, doubled until the other guards hold, too. With `tau` above 0, labels
    are corrected inside each group as in the fairlets of `FairMDAV` (the k-groups of González-Zelaya et al., Table 2).
    Groups mix protected and other records as it happens; one that has nobody of a protected group is left alone.
    """

    kind: ClassVar[str] = "mdav"
    title: ClassVar[str] = "averages of similar records (MDAV)"
    picture: ClassVar[Picture] = "averages"
    says: ClassVar[str] = "Puts similar records into groups of k and publishes the average of each group."
    k: int | Sequence[int] | None = setting(
        None, "number of records in a group; the smallest that keeps the guards by default", min=2
    )
    tau: float = setting(0.0, "how far labels are corrected inside each group: 0 not at all, 1 fully", min=0, max=1)
    correction: Correction = setting("positive", "which labels may be corrected")

    @property
    def reaches_top(self) -> bool:
        return self.k is None

    def search(self, task: Task) -> Proposal:
        names = list(task.schema.quasi)
        space, kinds = self.space(task, names), self.kinds(task, names)
        units = Units.of(task)
        points = space.points(task.table if units.persons is None else task.table.take(units.rows))

        def learn(k: int) -> Change:
            task.report(0.0, f"forming groups of {k}")
            clusters = mdav(points, min(k, len(units)), block=self.block(len(points)), progress=task.progress)
            if units.persons is not None:
                groups = units.joined(clusters.of_row, task.k, points)
                clusters = Clusters(groups, clusters.ranks, int(groups.max()) + 1).of(units.of_row)
            if not self.tau:
                return self.learnt(task, space, clusters, kinds, {"k": k})
            facts, settings, corrected = self._corrected(task, clusters, kinds, k)
            return self.learnt(task, space, clusters, kinds, {"k": k, **facts}, settings, corrected)

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

    def _corrected(
        self, task: Task, clusters: Clusters, kinds: Mapping[str, str], k: int
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, np.ndarray]]:
        """Return facts about the correction of labels, its settings, and the corrected codes of the decision."""
        protected, decision, good = judged_columns(task, f"{self.kind} with {option('tau')}")
        favourable = good[decision.codes]
        groups = find_groups([task.table.column(name) for name in protected], favourable, k)
        fixed = correct_fairness(favourable, groups, clusters, self.tau, self.correction)
        shown = {*task.schema.drop, *kinds}.isdisjoint(protected)
        facts = Fairlets(groups, groups.counts, clusters).facts(
            favourable, fixed, self.tau, self.correction, shown=shown
        )
        del facts["composition"]  # a group has the records that are near
        settings = {"tau": self.tau, "correction": self.correction, "protected": list(protected)}
        codes = relabel(decision.codes, fixed.favourable, good, clusters)
        return facts, settings, {decision.name: narrow(codes, len(decision.values))}
