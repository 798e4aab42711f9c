"""Datafly (Sweeney 1997): generalize the column with the most distinct values, until few enough rows stand alone.

The original stops when at most k rows are left in classes below k and suppresses those. Here the
guard says how many rows may be suppressed: `KAnonymity(k, suppression=k / rows)` is Sweeney's rule. With other guards,
it goes on until they hold, too. It is a greedy baseline: it gives one answer, not all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.counting.lattice import Walker
from fairveil.errors import Infeasible
from fairveil.methods.lattice_nodes import keep_guards, propose_nodes, survivors, why_infeasible
from fairveil.methods.left_out import published_alone
from fairveil.methods.method import Method, Picture, Proposal

if TYPE_CHECKING:
    from fairveil.methods.task import Task


@dataclass(frozen=True)
class Datafly(Method):
    """One full-domain generalization, found greedily."""

    kind: ClassVar[str] = "datafly"
    title: ClassVar[str] = "one quick generalization (Datafly)"
    picture: ClassVar[Picture] = "columns"
    says: ClassVar[str] = "Generalizes the column with the most values until the promises hold: quick and rough."
    reaches_top: ClassVar[bool] = True

    def search(self, task: Task) -> Proposal:
        alone, _ = published_alone(task)
        lattice = alone.lattice
        node = np.zeros_like(lattice.tops)
        columns = [name for name in lattice.cells.codes if name not in alone.levels]
        walker = Walker(lattice, columns, published=any(guard.published for guard in task.guards))
        distinct = [
            [len(np.unique(codes[lattice.cells.codes[name]])) for codes in levels.codes]
            for name, levels in alone.levels.items()
        ]
        while (
            survivors(alone, walker.classes(node.tolist())) is None
            or not keep_guards(task, node[None], up_set=False)[0]
        ):
            able = np.flatnonzero(node < lattice.tops)
            if not len(able):
                raise Infeasible(why_infeasible(task, self.kind))
            widest = max(able, key=lambda a: (distinct[a][node[a]], -a))  # the first of equal columns
            task.report(float(node.sum() / lattice.tops.sum()), f"generalizing {lattice.names[widest]}")
            node[widest] += 1
        note = "Datafly looks at one path through the lattice, so a better release may exist"
        return propose_nodes(task, self, node[None, :], exhaustive=False, notes=[note])
