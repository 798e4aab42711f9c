"""lattice: every generalization of the quasi columns on one map, with the flags of each node.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> found = map_of(fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]))
>>> found.size, int((found.flags & ANONYMOUS > 0).sum()), int((found.flags & MINIMAL > 0).sum())
(18, 5, 2)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.lattice import minimal
from fairveil.errors import BadInput

if TYPE_CHECKING:
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
        """The distance between nodes that differ by one level in a column; it is 1 in the last column."""
        return np.concatenate([np.cumprod((self.heights + 1)[:0:-1])[::-1], [1]]).astype(np.int64)

    def levels(self, node: int) -> dict[str, int]:
        """The level of each column at a node."""
        if not 0 <= node < self.size:
            raise BadInput(f"no node {node}: there are 0 to {self.size - 1:,}")
        levels = node // self.strides % (self.heights + 1)
        return dict(zip(self.columns, map(int, levels), strict=True))


def map_of(frontier: Frontier) -> LatticeMap:
    """The map of a full-domain generalization method."""
    task, nodes = frontier.task, frontier.nodes
    lattice = task.lattice
    if lattice.size > LARGEST:
        raise BadInput(f"the lattice has {lattice.size:,} nodes: a map has at most {LARGEST:,}")
    flags = np.zeros(lattice.size, dtype=np.uint8)
    lattice_map = LatticeMap(tuple(lattice.names), lattice.tops, flags, nodes)
    region = lattice.anonymous(task.k, task.budget_rows)
    numbers, candidates = region @ lattice_map.strides, nodes @ lattice_map.strides
    flags[numbers] |= ANONYMOUS
    flags[candidates] |= KEEPS | FAIR | ANONYMOUS
    if len(nodes):
        flags[candidates[minimal(nodes)]] |= MINIMAL
    guards = [guard for guard in task.guards if guard.finds_rules]
    if not guards or (len(region) and not task.budget):  # with a budget, suppressed records differ between nodes
        fair = np.ones(len(region), dtype=bool)
        for guard in guards:
            kept = guard.filter_nodes(lattice, task.schema, region)
            fair &= False if kept is None else kept
        flags[numbers[fair]] |= FAIR
    return replace(lattice_map, nodes=candidates)
