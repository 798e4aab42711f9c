"""The fewest hidden cells of a small table, as an integer programme.

A class is what some tuples have in common, and `*` elsewhere. Unknowns: how many rows of each tuple join each class
that covers it, and whether a class is used, which needs k rows. Given the classes in use, the rest is a transport
problem with integer solutions: only the classes need to be integers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MAX_CLASSES = 250
MAX_NODES = 300
"""Maximum number of branches of the integer programme."""
Split = Sequence[tuple[np.ndarray, int]]
"""The patterns that rows of one tuple get, with the number of rows."""


def fewest_cells(
    codes: np.ndarray, counts: np.ndarray, weights: np.ndarray, k: int, bound: float
) -> tuple[Sequence[Split] | None, float]:
    """Return the patterns of each tuple's rows that hide least, and the weight that must be hidden at least; None if
    the table is too large after all. `codes` are those of each column and tuple, `bound` what must be hidden anyway."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    classes = common_values(codes.T)
    if classes is None:
        return None, bound
    covers = ((classes[:, None, :] == codes.T) | (classes[:, None, :] < 0)).all(axis=2)
    enough = covers @ counts >= k
    classes, covers = classes[enough], covers[enough]
    of_class, of_tuple = np.nonzero(covers)
    joins, used = len(of_class), len(classes)
    price = np.concatenate([((classes < 0) @ weights)[of_class], np.zeros(used)])
    each, uses = np.arange(joins), joins + np.arange(used)
    all_placed = csr_array((np.ones(joins), (of_tuple, each)), shape=(len(counts), joins + used))
    sizes = csr_array(
        (np.r_[np.ones(joins), np.full(used, -float(k))], (np.r_[of_class, np.arange(used)], np.r_[each, uses])),
        shape=(used, joins + used),
    )
    only_used = csr_array(
        (np.r_[np.ones(joins), -counts[of_tuple].astype(float)], (np.r_[each, each], np.r_[each, uses[of_class]])),
        shape=(joins, joins + used),
    )
    solved = milp(
        price, integrality=np.r_[np.zeros(joins), np.ones(used)],
        bounds=Bounds(0, np.r_[counts[of_tuple].astype(float), np.ones(used)]),
        constraints=[LinearConstraint(all_placed, counts, counts), LinearConstraint(sizes, 0, np.inf),
                     LinearConstraint(only_used, -np.inf, 0)],
        options={"node_limit": MAX_NODES, "mip_rel_gap": 0.0},
    )  # fmt: skip
    dual = getattr(solved, "mip_dual_bound", None)
    bound = max(bound, float(dual) if dual is not None and np.isfinite(dual) else bound)
    if solved.x is None:
        return None, bound
    units = np.rint(solved.x[:joins]).astype(np.int64)
    splits: list[list[tuple[np.ndarray, int]]] = [[] for _ in counts]
    for c, t, rows in zip(of_class.tolist(), of_tuple.tolist(), units.tolist(), strict=True):
        if rows:
            splits[t].append((classes[c] >= 0, rows))
    joined = np.bincount(of_class, units, minlength=used)
    placed = np.bincount(of_tuple, units, minlength=len(counts))
    if (placed != counts).any() or ((joined > 0) & (joined < k)).any():  # not an integer solution
        return None, bound
    return splits, bound


def common_values(tuples: np.ndarray) -> np.ndarray | None:
    """Return what any tuples have in common, -1 where they differ; None if that are too many.

    >>> common_values(np.array([[0, 0], [0, 1]])).tolist()
    [[0, 0], [0, 1], [0, -1]]
    """
    known = dict.fromkeys(map(tuple, tuples.tolist()))
    waiting = list(known)
    while waiting:
        values = np.array(waiting.pop())
        for common in map(tuple, np.where(tuples == values, values, -1).tolist()):
            if common not in known:
                known[common] = None
                waiting.append(common)
        if len(known) > MAX_CLASSES:
            return None
    return np.array(list(known), dtype=np.int64)
