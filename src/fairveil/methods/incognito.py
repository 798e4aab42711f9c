"""Incognito (LeFevre et al. 2005): all full-domain generalizations that keep the guards.

With suppression, a generalization is one of them if the guards hold after the classes that break one are left out, and
then those that break one against what is left, until none does, within the limit. For k-anonymity and ℓ-diversity that
is every way there is; for guards that compare a class with the rest, leaving out others instead might serve as well.

The set is exactly Incognito's; the order of visiting is a depth-first search with two bounds (see
`counting/kernels/lattice_search.py`) instead of its subset rounds. Guards other than k-anonymity are checked inside the
k-anonymous region. If the lattice is too large to enumerate, a best-first search takes over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.counting.lattice import Packing
from fairveil.counting.tuples import KEY_BITS
from fairveil.errors import BadInput, Infeasible
from fairveil.messages import counted, verb
from fairveil.methods.lattice_nodes import keep_guards, propose_nodes, what_all_means, why_infeasible
from fairveil.methods.method import Method, Picture, Proposal
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task

MERGED = "values were merged before they were counted: entropy and risk before are those of the merged values"


@dataclass(frozen=True)
class Incognito(Method):
    """All full-domain generalizations that keep the guards; in lattices of more than `largest` nodes, what `best-first`
    finds within `time_limit` seconds."""

    kind: ClassVar[str] = "incognito"
    title: ClassVar[str] = "every generalization (Incognito)"
    picture: ClassVar[Picture] = "columns"
    says: ClassVar[str] = "Generalizes whole columns, and finds every way of doing so that keeps the promises."
    reaches_top: ClassVar[bool] = True
    whole_domains: ClassVar[bool] = True
    largest: int = setting(5_000_000, "maximum number of lattice nodes that are all searched", min=0)
    time_limit: float = setting(60.0, "seconds after which the best solution so far is taken", above=0, infinite=True)

    def search(self, task: Task) -> Proposal:
        lattice = task.lattice
        if lattice.size > self.largest or Packing.width(lattice) > KEY_BITS:
            if task.merged:
                raise BadInput(
                    f"there are too many combinations of values to count, and {lattice.size:,} generalizations are too "
                    "many to check: allow more memory, or leave out columns or levels"
                )
            from fairveil.methods.best_first import BestFirst

            return BestFirst(time_limit=self.time_limit).search(task)
        task.report(0.0, f"searching {counted(lattice.size, 'generalization')}")
        region = lattice.anonymous(task.k, task.budget_rows)

        def found(nodes: np.ndarray) -> None:
            task.offer(lambda: propose_nodes(task, self, nodes, exhaustive=False))

        nodes = region[keep_guards(task, region, found=found)]
        if not len(nodes):
            raise Infeasible(why_infeasible(task))
        task.report(1.0, f"{counted(len(nodes), 'generalization')} {verb(len(nodes), 'keeps', 'keep')} the guards")

        def remarks() -> tuple[str, ...]:
            return tuple(note for guard in task.guards for note in guard.remarks(lattice, task.schema, region, nodes))

        notes = [*what_all_means(task), *([MERGED] if task.merged else [])]
        return propose_nodes(task, self, nodes, notes=notes, remarks=remarks)
