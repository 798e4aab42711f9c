"""Best-first search, for lattices too large to enumerate: it always has an answer, and a better one with more time.

It starts at the top, where every quasi column is suppressed, and specializes the best known node, one attribute and one
level at a time. A node that breaks a monotone guard rules out all nodes below it. A node that breaks another guard may
have solutions below: it is specialized when no solution is left. The search ends when no node is left or the time
is up, and reports which.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.errors import Infeasible
from fairveil.messages import counted, verb
from fairveil.methods.lattice_nodes import is_monotone, propose_nodes, survivors, why_infeasible
from fairveil.methods.method import Method, Picture, Proposal
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task

KEPT_FAILURES = 4096
LATER = 1.0
"""Added to the loss of a node that is not a solution, so that every solution is specialized before it."""


@dataclass(frozen=True)
class BestFirst(Method):
    """The `keep` best generalizations by loss found within `time_limit` seconds; notes say if it did not see all."""

    kind: ClassVar[str] = "best-first"
    title: ClassVar[str] = "best generalizations first"
    picture: ClassVar[Picture] = "columns"
    says: ClassVar[str] = "Generalizes whole columns, and stops with the best ways found when its time is up."
    reaches_top: ClassVar[bool] = True
    time_limit: float = setting(60.0, "seconds after which the best solution so far is taken", above=0, infinite=True)
    keep: int = setting(100, "maximum number of candidates that are kept", min=1)

    def search(self, task: Task) -> Proposal:
        search = _Search(task)
        started = time.monotonic()
        while search.queue and (spent := time.monotonic() - started) < self.time_limit:
            task.report(min(spent / self.time_limit, 1.0), f"best loss so far {search.best:.4f}")
            search.expand(lambda: time.monotonic() - started >= self.time_limit)
            if search.solutions:
                task.offer(lambda: propose_nodes(task, self, self._best(search), exhaustive=False))
        looked = f"the lattice has {task.lattice.size:.3g} nodes; {search.seen:,} were examined, best first"
        if not search.solutions:
            late = f"; the time was up: {looked}" if search.queue else ""
            raise Infeasible(why_infeasible(task, self.kind if late else "") + late)
        nodes = self._best(search)
        notes = [f"{looked}, so a better one may exist"] if search.queue else []
        if len(nodes) < len(search.solutions):
            of_all = f"the best {len(nodes):,} of {counted(len(search.solutions), 'solution')}"
            notes.append(f"{of_all} {verb(len(nodes), 'is', 'are')} kept")
        return propose_nodes(task, self, nodes, exhaustive=not notes, private=notes)

    def _best(self, search: _Search) -> np.ndarray:
        best = sorted(search.solutions, key=lambda node: (search.solutions[node], node))
        return np.array(best[: self.keep], dtype=np.int64)


class _Search:
    """The nodes still to specialize, the solutions and the failures so far."""

    def __init__(self, task: Task) -> None:
        self.task = task
        lattice = task.lattice
        # mean loss of each attribute at each of its levels without suppression
        self.costs: list[list[float]] = []
        for name, levels in task.levels.items():
            rows, by_level = lattice.leaf_rows[name], zip(levels.penalties, levels.codes, strict=True)
            self.costs.append([(rows * cost[codes]).sum() / lattice.cells.rows for cost, codes in by_level])
        self.columns = [name for name in lattice.cells.codes if name not in task.levels]
        self.monotone = [guard for guard in task.other_guards if is_monotone(guard, task)]
        self.mixed = len(self.monotone) < len(task.other_guards)
        self.published = any(guard.published for guard in task.guards)
        self.solutions: dict[tuple[int, ...], float] = {}
        self.queue: list[tuple[float, tuple[int, ...]]] = []
        self.tried: set[tuple[int, ...]] = set()
        self.failures = np.empty((0, len(lattice.tops)), dtype=np.int64)
        self.seen = 0
        self.best = float("inf")
        self.look(tuple(int(top) for top in lattice.tops))

    def look(self, node: tuple[int, ...]) -> None:
        """Test a node that was not tested before; if it may have solutions below, it is queued for specialization."""
        self.tried.add(node)
        if (self.failures >= np.array(node)).all(axis=1).any():
            return
        self.seen += 1
        classes = self.task.lattice.classes(node, self.columns, self.published)
        published = survivors(self.task, classes)
        if published is None and not (self.mixed and survivors(self.task, classes, self.monotone) is not None):
            self.failures = np.vstack([self.failures[-KEPT_FAILURES:], node])
            return
        share = 1.0 if published is None else published.rows.sum() / self.task.lattice.cells.rows
        mean = sum(cost[level] for cost, level in zip(self.costs, node, strict=True)) / len(node)
        loss = round(float(mean * share + 1 - share), 12)
        if published is not None:
            self.solutions[node] = loss
            self.best = min(self.best, loss)
        heapq.heappush(self.queue, (loss if published is not None else loss + LATER, node))

    def expand(self, late: Callable[[], bool]) -> None:
        """Test every direct specialization of the best node that has not been specialized yet."""
        loss, node = heapq.heappop(self.queue)
        for a, level in enumerate(node):
            below = (*node[:a], level - 1, *node[a + 1 :])
            if level and below not in self.tried:
                if late():
                    heapq.heappush(self.queue, (loss, node))
                    return
                self.look(below)
