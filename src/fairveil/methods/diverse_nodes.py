"""Lattice nodes judged by k-anonymity and distinct ℓ-diversity together, all at once, with suppression."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.up_sets import is_small
from fairveil.counting.value_sets import LeastValues, few, value_sets

if TYPE_CHECKING:
    from fairveil.methods.task import Task

NODES = 1024
"""Nodes that are judged between two reports."""


def least_values(task: Task) -> LeastValues | None:
    """What the guards of a task ask for besides k, if that is nothing but numbers of different values of columns, and
    nothing else decides which classes are suppressed; else None."""
    asked: list[tuple[np.ndarray, int]] = []
    if task.schema.person is not None:
        return None
    for guard in task.guards:
        if guard.per_class and not guard.by_size:
            of_guard = guard.least_values(task.cells, task.schema)
            if of_guard is None or any(name in task.levels for name in guard.columns(task.schema)):
                return None
            asked += of_guard
    return asked if few(asked, len(task.cells)) else None


def keep_values(
    task: Task, nodes: np.ndarray, asked: LeastValues, monotone: bool, found: Callable[[np.ndarray], object] | None
) -> np.ndarray:
    """Which nodes keep k and these numbers of values; raises OverflowError if the cells do not fit into 64-bit keys.

    `found` is called with those that keep them so far, now and then.
    """
    from fairveil.counting.kernels.class_values import diverse_nodes

    lattice, floors = task.lattice, nodes.min(axis=0)
    packing, sets = lattice.packing(floors), value_sets(lattice, floors, (), asked)
    order = packing.sort(nodes)[::-1]
    tops = packing.cells.tops
    strides, state = np.ones(len(tops), dtype=np.int64), np.zeros(0, dtype=np.uint8)
    if monotone and is_small(lattice.tops, nodes):
        strides[1:] = np.cumprod(tops[:-1] + 1)
        state = np.zeros(int(strides[-1] * (tops[-1] + 1)), dtype=np.uint8)
    holds = np.zeros(len(nodes), dtype=bool)
    for start in range(0, len(nodes), NODES):
        task.report(start / len(nodes), "checking guards")
        if found is not None and holds.any():
            found(nodes[holds])
        part = order[start : start + NODES]
        in_order = np.ascontiguousarray(nodes[part][:, packing.order])
        holds[part] = diverse_nodes(
            packing.cells, sets, in_order, task.k, task.budget, state, strides, task.progress.stop
        )
        task.progress.check()
    return holds
