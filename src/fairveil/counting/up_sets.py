"""Which nodes keep something that every generalization of a node that keeps it keeps as well, by judging few of them.

>>> judged = []
>>> def keeps(node):
...     judged.append(node)
...     return sum(node) >= 3
>>> nodes = np.indices((6, 6)).reshape(2, -1).T[::-1]
>>> monotone_nodes(nodes, np.array([5, 5]), keeps).sum(), len(judged)
(np.int64(30), 11)

A node that keeps it decides for all above, one that does not for all below. So a path from an undecided node down
through undecided ones is searched by halves (as Flash does: Kohlmayer et al. 2012).
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fairveil.counting.lattice import Node

MAX_COLUMNS, FEW_NODES, MAX_UNASKED, MAX_NODES = 32, 100_000, 1_000, 20_000_000
"""A byte is kept for each node of a lattice, in an array of as many dimensions as columns: up to `FEW_NODES`, or
`MAX_UNASKED` for each that is asked about, and never more than `MAX_NODES`."""
UNDECIDED, KEEPS, BREAKS = 0, 1, 2
OFTEN = 256
"""After how many judged nodes those that are known are handed on."""


def is_small(tops: np.ndarray, nodes: np.ndarray) -> bool:
    """Whether a lattice is small enough for `monotone_nodes` to find out about these nodes."""
    size = prod(int(top) + 1 for top in tops)
    return len(tops) <= MAX_COLUMNS and size <= min(max(FEW_NODES, MAX_UNASKED * len(nodes)), MAX_NODES)


def monotone_nodes(
    nodes: np.ndarray, tops: np.ndarray, keeps: Callable[[Node], bool],
    meanwhile: Callable[[np.ndarray], object] | None = None,
) -> np.ndarray:  # fmt: skip
    """Return which of these nodes `keeps` is true of. It must be true of every node above one of which it is true.

    `meanwhile` is called with those that are known so far, now and then.
    """
    decided, asked = np.zeros((2, *(tops + 1)), dtype=np.uint8)
    places = tuple(nodes.T)
    asked[places] = 1
    judged = 0
    for start in map(tuple, nodes.tolist()):
        if decided[start] != UNDECIDED:
            continue
        path = _path_down(start, asked, decided)
        low, high = 0, len(path)  # before `low` all keep it, from `high` on none does
        while low < high:
            middle = (low + high) // 2
            node = path[middle]
            if keeps(node):
                decided[tuple(slice(level, None) for level in node)] = KEEPS
                low = middle + 1
            else:
                decided[tuple(slice(level + 1) for level in node)] = BREAKS
                high = middle
            judged += 1
            if meanwhile is not None and judged % OFTEN == 0:
                meanwhile(decided[places] == KEEPS)
    kept: np.ndarray = decided[places] == KEEPS
    return kept


def _path_down(start: Node, asked: np.ndarray, decided: np.ndarray) -> list[Node]:
    """Return a node and undecided ones that are asked for, each directly below the one before."""
    path = [start]
    while True:
        node = path[-1]
        for a, level in enumerate(node):
            if level:
                below = (*node[:a], level - 1, *node[a + 1 :])
                if asked[below] and decided[below] == UNDECIDED:
                    path.append(below)
                    break
        else:
            return path
