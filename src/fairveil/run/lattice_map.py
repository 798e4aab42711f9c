"""lattice: every generalization of the quasi columns on one map, with the flags of each node.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> found = map_of(fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]))
>>> found.size, int((found.flags & ANONYMOUS > 0).sum()), int((found.flags & MINIMAL > 0).sum())
(18, 5, 2)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairveil.counting.lattice import minimal
from fairveil.errors import BadInput
from fairveil.frontier.frontier import Frontier

ANONYMOUS, FAIR, KEEPS, MINIMAL = 1, 2, 4, 8
"""Flags of a node: its classes are large enough; guards about rules hold; all guards hold; nothing below it does."""
LARGEST = 4_000_000
"""Maximum number of nodes of a map."""


@dataclass(frozen=True)
class LatticeMap:
    """Node number n has level `n // stride % (height + 1)` in each column. `nodes` are those of the candidates."""

    columns: tuple[str, ...]
    heights: np.ndarray
    flags: np.ndarray
    nodes: np.ndarray

    @property
    def size(self) -> int:
        return len(self.flags)

    @property
    def strides(self) -> np.ndarray:
        return strides(self.heights)

    def levels(self, node: int) -> dict[str, int]:
        """The level of each column at a node."""
        if not 0 <= node < self.size:
            raise BadInput(f"no node {node}: there are 0 to {self.size - 1:,}")
        levels = node // self.strides % (self.heights + 1)
        return dict(zip(self.columns, map(int, levels), strict=True))


def strides(heights: np.ndarray) -> np.ndarray:
    """The distance between nodes that differ by one level in a column; it is 1 in the last column."""
    return np.concatenate([np.cumprod((heights + 1)[:0:-1])[::-1], [1]]).astype(np.int64)


def map_of(frontier: Frontier) -> LatticeMap:
    """The map of a full-domain generalization method."""
    task, nodes = frontier.task, frontier.nodes
    lattice = task.lattice
    if lattice.size > LARGEST:
        raise BadInput(f"the lattice has {lattice.size:,} nodes: a map has at most {LARGEST:,}")
    steps = strides(lattice.tops)
    flags = np.zeros(lattice.size, dtype=np.uint8)
    region = lattice.anonymous(task.k, task.budget).nodes
    places = nodes @ steps
    flags[region @ steps] |= ANONYMOUS
    flags[places] |= KEEPS | FAIR | ANONYMOUS
    if len(nodes):
        flags[places[minimal(nodes)]] |= MINIMAL
    flags[(region @ steps)[_fair(frontier, region)]] |= FAIR
    return LatticeMap(tuple(lattice.names), lattice.tops, flags, places)


def _fair(frontier: Frontier, region: np.ndarray) -> np.ndarray:
    """Which nodes of the anonymous region keep the guards about rules, if all can be decided at once."""
    task = frontier.task
    guards = [guard for guard in task.guards if guard.finds_rules]
    fair = np.ones(len(region), dtype=bool)
    if not len(region) or (guards and task.budget):  # suppressed records differ between nodes
        return fair if not guards else np.zeros(len(region), dtype=bool)
    for guard in guards:
        kept = guard.filter_nodes(task.lattice, task.schema, region)
        fair &= False if kept is None else kept
    return fair
