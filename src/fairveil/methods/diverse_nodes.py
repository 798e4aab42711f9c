"""Lattice nodes judged by k-anonymity, distinct ℓ-diversity and t-closeness together, all at once, with suppression."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.up_sets import is_small
from fairveil.counting.value_sets import AskedValues, value_sets

if TYPE_CHECKING:
    from fairveil.methods.task import Task

NODES = 1024
"""Nodes that are judged between two reports."""


def asked_values(task: Task) -> AskedValues | None:
    """What the guards of a task ask of the values of every class besides k, if nothing else decides which classes are
    suppressed; else None."""
    guards = [guard for guard in task.guards if guard.per_class and not guard.by_size]
    of_quasi = any(name in task.levels for guard in guards for name in guard.columns(task.schema))
    if task.schema.person is not None or of_quasi:
        return None
    asked = AskedValues.together(guard.asked_values(task.cells, task.schema) for guard in guards)
    return asked if asked is not None and asked.few(len(task.cells)) else None


def keep_values(
    task: Task, nodes: np.ndarray, asked: AskedValues, monotone: bool, found: Callable[[np.ndarray], object] | None
) -> np.ndarray:
    """Which nodes keep k and have the values that are asked for; raises OverflowError if the cells do not fit into
    64-bit keys.

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
