"""MDAV and Fair-MDAV on Adult (30,162 rows) against the algorithms written plainly in NumPy, in one run.

`python -m benchmarks.mdav [rows]`: also blocked mode on so many rows (default a million), drawn from Adult with a
tenth of the values redrawn, against the exact mode on Adult; and the loss of blocks where exact is feasible, too.
sdcMicro's C++ is not run here: it was about four times as fast as plain NumPy on the five numeric columns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.timing import ratio, show
from fairveil.methods.microaggregation import clusters
from fairveil.methods.microaggregation.aggregate import information_loss
from fairveil.recipes.record_space import Points, RecordSpace

FIVE = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")
K, SEATS = 10, np.array([3, 7])


def one_hot(points: Points) -> np.ndarray:
    """The matrix that a plain program works on: standardized numbers, and a dummy per category that occurs."""
    parts = [points.rows[:, : points.numeric] * points.unit**0.5]
    for a in range(len(points.costs)):
        dummies = np.eye(int(points.offsets[a + 1] - points.offsets[a]))[points.rows[:, points.numeric + a]]
        parts.append(dummies[:, dummies.any(axis=0)])
    return np.column_stack(parts)


def plain_fairlets(rows: np.ndarray, groups: np.ndarray, seats: Sequence[int]) -> list[list[int]]:
    """Algorithm 2 as one would write it."""
    left, found = np.arange(len(rows)), []
    while all((groups == g).sum() >= m for g, m in enumerate(seats)):
        record = rows[np.argmax(((rows - rows.mean(axis=0)) ** 2).sum(axis=1))]
        away = ((rows - record) ** 2).sum(axis=1)
        chosen = np.concatenate(
            [(of := np.flatnonzero(groups == g))[np.argsort(away[of], kind="stable")[:m]] for g, m in enumerate(seats)]
        )
        found.append(left[chosen].tolist())
        keep = np.ones(len(left), dtype=bool)
        keep[chosen] = False
        left, rows, groups = left[keep], rows[keep], groups[keep]
    return found


def plain_mdav(rows: np.ndarray, k: int) -> list[list[int]]:
    """MDAV as one would write it; k nearest by partial sort, which is quicker than a whole one."""
    left, found = np.arange(len(rows)), []

    def gather(record: np.ndarray) -> None:
        nonlocal left, rows
        away = ((rows - record) ** 2).sum(axis=1)
        limit = np.partition(away, k - 1)[k - 1]
        near = np.flatnonzero(away <= limit)
        chosen = near[np.argsort(away[near], kind="stable")[:k]]
        found.append(left[chosen].tolist())
        keep = np.ones(len(left), dtype=bool)
        keep[chosen] = False
        left, rows = left[keep], rows[keep]

    while len(left) >= 3 * k:
        first = rows[np.argmax(((rows - rows.mean(axis=0)) ** 2).sum(axis=1))]
        second = rows[np.argmax(((rows - first) ** 2).sum(axis=1))]
        gather(first)
        gather(second)
    if len(left) >= 2 * k:
        gather(rows[np.argmax(((rows - rows.mean(axis=0)) ** 2).sum(axis=1))])
    return [*found, left.tolist()] if len(left) else found


def timed(work, runs: int = 3):  # type: ignore[no-untyped-def]
    """The answer, and the best time of some runs."""
    best, answer = float("inf"), None
    for _ in range(runs):
        start = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - start)
    return answer, best


def adult() -> tuple[fv.Table, list[str], np.ndarray]:
    data = fv.datasets.adult(columns="all")
    names = [name for name in data.schema.quasi if name not in ("sex", "fnlwgt")]
    sex = data.table.column("sex")
    return data.table, names, (sex.codes == sex.code_of("Male")).astype(np.int64)


def many(table: fv.Table, rows: int, seed: int = 0) -> fv.Table:
    """Rows drawn with replacement, a tenth of the values redrawn from their column."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, table.rows, rows)
    fresh = {}
    for column in table.columns:
        codes = column.codes[drawn]
        again = rng.random(rows) < 0.1
        codes[again] = column.codes[rng.integers(0, table.rows, int(again.sum()))]
        fresh[column.name] = column.values.take(pa.array(codes))
    return fv.Table.from_frame(pa.table(fresh))


def against_numpy() -> None:
    table, names, groups = adult()
    points = RecordSpace.of(table, names).points(table)
    clusters.make_fairlets(points, groups, SEATS)  # compiled from here on
    fast, quick = timed(lambda: clusters.make_fairlets(points, groups, SEATS))
    matrix = one_hot(points)
    slow, plain = timed(lambda: plain_fairlets(matrix, groups, SEATS.tolist()), 1)
    same = [members.tolist() for members in fast.members()] == slow
    show(
        f"Fair-MDAV, {table.rows:,} rows, {len(names)} attributes, {matrix.shape[1]} one-hot columns, fairlets of 3+7",
        {"fairveil": f"{quick:.3f} s", "plain NumPy": f"{plain:.1f} s",
         "ratio": f"{ratio('plain Fair-MDAV', plain / quick):.0f}", "identical fairlets": "yes" if same else "NO"},
    )  # fmt: skip
    five = RecordSpace.of(table, FIVE).points(table)
    clusters.mdav(five, K)
    fast, quick = timed(lambda: clusters.mdav(five, K))
    matrix = one_hot(five)
    slow, plain = timed(lambda: plain_mdav(matrix, K), 1)
    same = [members.tolist() for members in fast.members()] == slow
    show(
        f"MDAV, {table.rows:,} rows, five numeric columns, groups of {K}",
        {"fairveil": f"{quick:.3f} s", "plain NumPy": f"{plain:.1f} s",
         "ratio": f"{ratio('plain MDAV', plain / quick):.0f}", "identical groups": "yes" if same else "NO"},
    )  # fmt: skip


def blocked(rows: int) -> None:
    table, names, groups = adult()
    points = RecordSpace.of(table, names).points(table)
    clusters.make_fairlets(points, groups, SEATS)
    _, exact = timed(lambda: clusters.make_fairlets(points, groups, SEATS))
    large = many(table, rows)
    sex = large.column("sex")
    men = (sex.codes == sex.code_of("Male")).astype(np.int64)
    space = RecordSpace.of(large, names)
    placed = space.points(large)
    found, spent = timed(lambda: clusters.make_fairlets(placed, men, SEATS, block=clusters.BLOCK), 1)
    show(
        f"Fair-MDAV in blocks, {rows:,} rows",
        {"time": f"{spent:.1f} s", "times exact on Adult": f"{spent / exact:.0f}",
         "left over": f"{len(found.left_over):,}"},
    )  # fmt: skip
    part = min(rows, 120_000)
    some = np.arange(part)
    few = Points(placed.rows[:part], placed.numeric, placed.costs, placed.offsets, placed.power, placed.unit)
    losses = {}
    for name, block in (("exact", None), ("blocks", clusters.BLOCK)):
        made, spent = timed(lambda block=block: clusters.make_fairlets(few, men[some], SEATS, block=block), 1)  # type: ignore[misc]
        losses[name] = information_loss(few, made)["information_loss"]
        print(f"  {part:,} rows, {name}: {spent:.1f} s, information loss {losses[name]:.4f}")
    print(f"  blocks lose {100 * (losses['blocks'] / losses['exact'] - 1):+.2f} % more")


def main() -> None:
    against_numpy()
    blocked(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)


if __name__ == "__main__":
    main()
