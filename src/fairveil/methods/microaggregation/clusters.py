"""Clusters: which records belong together. MDAV's k-groups and Fair-MDAV's fairlets, exact or block by block.

MDAV (Domingo-Ferrer and Torra 2005) forms groups of k around the record farthest from the mean and around the one
farthest from that; the last records make a group of k to 2k-1. MakeFairlets (González-Zelaya et al., Algorithm 2)
takes a fixed number of records of each protected group around the farthest record, until one group has run out; the
remaining records are left over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from fairveil.counting.threads import each_in_threads
from fairveil.errors import BadInput, Infeasible
from fairveil.progress import Progress, Report

if TYPE_CHECKING:
    from fairveil.recipes.record_space import Points

LEAF = 16
"""Records in a leaf of the search tree: with fewer there are more bounds to compute, with more, more distances."""
BLOCK = 30_000
"""Rows that are clustered exactly among themselves in blocked mode."""
EXACT_UP_TO = 100_000
"""Rows up to which `blocks="auto"` is exact."""

R = TypeVar("R")


@dataclass(frozen=True)
class Clusters:
    """`of_row` is the cluster of each record, -1 if it is left over; clusters are numbered in the order of formation.

    `ranks` orders the records of a cluster by their distance from the record that it was formed around.
    """

    of_row: np.ndarray
    ranks: np.ndarray
    count: int

    @classmethod
    def from_members(cls, members: Sequence[np.ndarray], rows: int) -> Clusters:
        of_row, ranks = np.full(rows, -1, dtype=np.int64), np.zeros(rows, dtype=np.int64)
        for number, rows_of_cluster in enumerate(members):
            of_row[rows_of_cluster] = number
            ranks[rows_of_cluster] = np.arange(len(rows_of_cluster))
        return cls(of_row, ranks, len(members))

    def of(self, records: np.ndarray) -> Clusters:
        """Return the same clusters for these of the records; each may be among them several times."""
        return Clusters(self.of_row[records], self.ranks[records], self.count)

    @property
    def clustered(self) -> Clusters:
        """Return the same clusters for the records that are in one."""
        inside = self.of_row >= 0
        return Clusters(self.of_row[inside], self.ranks[inside], self.count)

    @property
    def left_over(self) -> np.ndarray:
        return np.flatnonzero(self.of_row < 0)

    @property
    def sizes(self) -> np.ndarray:
        return np.bincount(self.of_row[self.of_row >= 0], minlength=self.count)

    def members(self) -> list[np.ndarray]:
        """Return the row numbers of each cluster, in the order in which they were added."""
        clustered = np.flatnonzero(self.of_row >= 0)
        order = clustered[np.lexsort((self.ranks[clustered], self.of_row[clustered]))]
        return np.split(order, np.cumsum(self.sizes)[:-1]) if self.count else []


def mdav(points: Points, k: int, *, block: int | None = None, progress: Progress | Report | None = None) -> Clusters:
    """Return k-groups of all records; `block` clusters this many rows at a time, otherwise all, as in the paper."""
    rows = len(points)
    if k < 1:
        raise BadInput(f"MDAV: k must be at least 1, not {k}")
    if rows < k:
        raise Infeasible(f"a group of {k} cannot be formed from {rows} records")
    progress = Progress.of(progress)
    parts = blocks(points, rows if block is None else max(block, 2 * k), progress, np.arange(rows))
    formed = _in_parts(lambda part: _mdav_part(points, part, k, progress), parts, progress)
    return Clusters.from_members([members for part in formed for members in part], rows)


def make_fairlets(
    points: Points,
    groups: np.ndarray,
    seats: np.ndarray,
    *,
    block: int | None = None,
    progress: Progress | Report | None = None,
) -> Clusters:
    """Return fairlets with `seats[g]` records of group g each; records that fill no fairlet are left over.

    With blocks, the records left over in all blocks are clustered once more, together.
    """
    seats = np.asarray(seats, dtype=np.int64)
    progress = Progress.of(progress)
    sizes = np.bincount(groups, minlength=len(seats))
    if (seats < 1).any():
        raise BadInput(f"a fairlet needs at least one record of each group, not {seats.tolist()}")
    if (sizes < seats).any():
        short = int(np.argmax(sizes < seats))
        raise Infeasible(
            f"no fairlet can be formed: it needs {seats[short]} records of group {short}, and there are {sizes[short]}"
        )
    rows, members = len(points), []
    remaining, size = np.arange(rows), rows if block is None else max(block, 4 * int(seats.sum()))
    while True:
        parts = blocks(points, size, progress, remaining)
        gathered = _in_parts(lambda part: _gather(points, part, groups, seats, progress), parts, progress)
        members += [fairlet for formed, _ in gathered for fairlet in formed]
        remaining = np.sort(np.concatenate([leftover for _, leftover in gathered]))
        if len(parts) == 1 or (np.bincount(groups[remaining], minlength=len(seats)) < seats).any():
            return Clusters.from_members(members, rows)


def blocks(points: Points, max_rows: int, progress: Progress, rows: np.ndarray) -> list[np.ndarray]:
    """Return these rows in blocks of at most `max_rows` near records, halved at the column of largest spread."""
    from fairveil.methods.microaggregation.forest_kernels import split

    if len(rows) <= max_rows:
        return [rows]
    order, ends = rows.copy(), np.array([0, len(rows)])
    ranges, children, _ = split(points.metric, points.rows, ends, order, max_rows, progress.stop)
    progress.check()
    leaves = ranges[children[:, 0] < 0]
    parts = [np.sort(order[start:end]) for start, end in leaves[np.argsort(leaves[:, 0])]]
    return _joined(parts, max_rows)


def _joined(parts: Sequence[np.ndarray], max_rows: int) -> list[np.ndarray]:
    """Return the blocks, with small neighbouring blocks merged."""
    joined: list[np.ndarray] = []
    for part in parts:
        if joined and len(joined[-1]) + len(part) <= max_rows:
            joined[-1] = np.sort(np.concatenate([joined[-1], part]))
        else:
            joined.append(part)
    if len(joined) > 1 and len(joined[-1]) < max_rows // 2:
        last = joined.pop()
        joined[-1] = np.sort(np.concatenate([joined[-1], last]))
    return joined


def _in_parts(work: Callable[[np.ndarray], R], parts: Sequence[np.ndarray], progress: Progress) -> list[R]:
    finished = 0

    def work_and_tell(part: np.ndarray) -> R:
        nonlocal finished
        result = work(part)
        finished += 1
        progress.tell(finished / len(parts), f"clustering, {finished} of {len(parts)} blocks")
        return result

    return each_in_threads(work_and_tell, parts)


def _mdav_part(points: Points, part: np.ndarray, k: int, progress: Progress) -> list[np.ndarray]:
    seats = np.array([k], dtype=np.int64)
    everyone = np.zeros(len(points), dtype=np.int64)
    members, remaining = _gather(points, part, everyone, seats, progress, pairs=True)
    if len(remaining) >= 2 * k:
        one_more, remaining = _gather(points, remaining, everyone, seats, progress, rounds=1)
        members += one_more
    return [*members, remaining] if len(remaining) else members


def _gather(
    points: Points,
    part: np.ndarray,
    groups: np.ndarray,
    seats: np.ndarray,
    progress: Progress,
    *,
    pairs: bool = False,
    rounds: int | None = None,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return clusters among some rows, and the remaining rows. When half of its records are gone, a tree is rebuilt."""
    from fairveil.methods.microaggregation import fairlet_kernels as fairlets
    from fairveil.methods.microaggregation import forest_kernels as forest

    metric = points.metric
    members: list[np.ndarray] = []
    while True:
        order = part[np.argsort(groups[part], kind="stable")]
        starts = np.concatenate([[0], np.cumsum(np.bincount(groups[part], minlength=len(seats)))]).astype(np.int64)
        nodes = forest.split(metric, points.rows, starts, order, LEAF, progress.stop)
        trees = forest.with_boxes(metric, points.rows[order], order, *nodes)
        limit = len(part) if rounds is None else rounds - len(members)
        formed, remaining = fairlets.gather(metric, trees, seats, pairs, limit, progress.stop)
        progress.check()
        members += list(order[formed])
        part = np.sort(order[remaining])
        if not len(formed):
            return members, part
