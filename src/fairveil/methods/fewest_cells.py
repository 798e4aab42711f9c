"""The fewest hidden cells of a small table, as an integer programme.

A class is what some tuples have in common, and `*` elsewhere. Unknowns: how many rows of each tuple join each class
that covers it, and whether a class is used, which needs k rows. Given the classes in use, the rest is a transport
problem with integer solutions: only the classes need to be integers. Where persons are counted, a person's equal rows
are a tuple, and one row of each person in a class counts towards k: that is a flow, which has integer solutions, too.
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
    codes: np.ndarray, counts: np.ndarray, weights: np.ndarray, k: int, bound: float, persons: np.ndarray | None = None
) -> tuple[Sequence[Split] | None, float]:
    """Return the patterns of each tuple's rows that hide least, and the weight that must be hidden at least; None if
    the table is too large after all. `codes` are those of each column and tuple, `bound` what must be hidden anyway.
    If `persons` has the number of whom each tuple is about, tuples may repeat, and a class needs k persons."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    classes = common_values(codes.T)
    if classes is None:
        return None, bound
    covers = ((classes[:, None, :] == codes.T) | (classes[:, None, :] < 0)).all(axis=2)
    who = None if persons is None else np.unique(persons, return_inverse=True)[1]
    counted = np.diag(counts) if who is None else who[:, None] == np.arange(int(who.max(initial=0)) + 1)
    inside = covers @ counted  # of each class, the rows of each tuple, or the tuples of each person, that it covers
    enough = (inside if who is None else inside > 0).sum(axis=1) >= k
    classes, covers, inside = classes[enough], covers[enough], inside[enough]
    of_class, of_tuple = np.nonzero(covers)
    counted_in, person = (of_class, of_tuple) if who is None else np.nonzero(inside)
    joins, used, present = len(of_class), len(classes), 0 if who is None else len(counted_in)
    price = np.concatenate([((classes < 0) @ weights)[of_class], np.zeros(used + present)])
    each, uses, there = np.arange(joins), joins + np.arange(used), joins + used + np.arange(present)
    width = joins + used + present
    all_placed = csr_array((np.ones(joins), (of_tuple, each)), shape=(len(counts), width))
    counting = each if who is None else there
    sizes = csr_array(
        (np.r_[np.ones(len(counting)), np.full(used, -float(k))],
         (np.r_[counted_in, np.arange(used)], np.r_[counting, uses])),
        shape=(used, width),
    )  # fmt: skip
    only_used = csr_array(
        (np.r_[np.ones(joins), -counts[of_tuple].astype(float)], (np.r_[each, each], np.r_[each, uses[of_class]])),
        shape=(joins, width),
    )
    constraints = [LinearConstraint(all_placed, counts, counts), LinearConstraint(sizes, 0, np.inf),
                   LinearConstraint(only_used, -np.inf, 0)]  # fmt: skip
    if who is not None:
        place = np.full(inside.shape, -1)
        place[counted_in, person] = np.arange(present)
        with_rows = csr_array(
            (np.r_[np.ones(joins), np.full(present, -1.0)],
             (np.r_[place[of_class, who[of_tuple]], np.arange(present)], np.r_[each, there])),
            shape=(present, width),
        )  # fmt: skip
        constraints.append(LinearConstraint(with_rows, 0, np.inf))
    solved = milp(
        price, integrality=np.r_[np.zeros(joins), np.ones(used), np.zeros(present)],
        bounds=Bounds(0, np.r_[counts[of_tuple].astype(float), np.ones(used + present)]), constraints=constraints,
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
    placed, joined = np.bincount(of_tuple, units, minlength=len(counts)), np.bincount(of_class, units, minlength=used)
    if who is not None:
        having = np.unique(np.column_stack([of_class, who[of_tuple]])[units > 0], axis=0)
        joined = np.bincount(having[:, 0], minlength=used)
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
