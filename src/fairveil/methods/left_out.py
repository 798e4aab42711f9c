"""Who is left out by a search that is greedy or random, decided before it starts.

What a record contains that is left out must not change what is published of the others. A search that takes the best
of all generalizations keeps this promise: a record that is left out of the best one made it no better. A greedy search
does not, because every record takes part in each of its decisions. So a rule decides first, and the search then sees
the remaining records only, of which it leaves out nobody:

Every quasi column starts at its top. The columns are lowered in turn, each by one level, where the classes below k then
have no more rows than may be suppressed, or persons where these are counted; a column that cannot be lowered stays.
Left out are the classes below k at the end. Other guards must hold without leaving out anybody else.

Why the rule does not depend on those left out: let r be a record that is left out, whatever it contains. At each node
at which its class is below k, the others of that class are left out with or without r. So the last node is within the
limit for all that r may contain, and so are those before it, which leave out less: the columns were lowered in the same
way. The same is true of classes below k on a key set, and of those that break it once these are left out: the largest
set of records that keeps k does not contain r, so it is the same without r.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.lattice import Walker
from fairveil.engines import InMemoryTable
from fairveil.guards import guarded_columns
from fairveil.published.judge import publishable

if TYPE_CHECKING:
    from fairveil.methods.task import Task


def published_alone(task: Task) -> tuple[Task, dict[str, Any]]:
    """Return the task of the records that are published, of which nobody is left out, and what a change of `task` says
    about the others (`Change.columns` and `suppressed`)."""
    if not task.budget:
        return task, {}
    guards = [guard for guard in task.guards if guard.by_size or (guard.across and not guard.columns(task.schema))]
    by_keys, person = any(guard.across for guard in guards), guarded_columns((), task.schema)
    walker = Walker(task.lattice, person, published=by_keys)
    node = task.lattice.tops.copy()
    waiting = list(range(len(node)))
    while waiting:
        a = waiting.pop(0)
        node[a] -= 1
        if node[a] >= 0 and publishable(walker.classes(node.tolist()), task.schema, guards, task.budget) is not None:
            waiting.append(a)
        else:
            node[a] += 1
    classes = task.lattice.classes(node, person, published=by_keys)
    left = publishable(classes, task.schema, guards, task.budget)
    if left is None or left.published.all():
        return task.leaving_out_nobody(), {}
    suppressed = ~left.published
    kept = np.flatnonzero(~suppressed)
    cells = InMemoryTable(task.cells.table().take(kept).compact(), task.cells.counts[kept])
    return task.leaving_out_nobody(cells), {"columns": tuple(task.cells.codes), "suppressed": suppressed}
