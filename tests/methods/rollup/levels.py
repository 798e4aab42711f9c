"""What single nodes are worth, from their classes."""

from __future__ import annotations

import numpy as np

from fairveil.methods.rollup.border import need_decision
from fairveil.methods.task import Task


def level_of(task: Task, node: np.ndarray) -> tuple[int, int]:
    """Return the anonymity level of one node, and the pairs with different decisions that agree there."""
    decision = need_decision(task)
    classes = task.lattice.classes(node, [decision])
    per = np.bincount(classes.ids * classes.sizes[decision] + classes.codes[decision], weights=classes.counts)
    return int(classes.rows.min()), int(((classes.rows.astype(float) ** 2).sum() - (per**2).sum()) / 2)
