"""What it costs to work block by block: the loss of methods that need rows, exact and in blocks, on Adult.

`python -m benchmarks.blocks [times]`: Adult's rows so many times over (default 1), a tenth of the values redrawn.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import fairveil as fv
from benchmarks.timing import show
from fairveil.data.table import Table
from fairveil.datasets.dataset import Dataset
from fairveil.engines import Memory
from fairveil.methods.base import Method, Proposal
from fairveil.methods.blocks import in_blocks
from fairveil.methods.task import Task

K = 10
SHARES = (4, 16, 64)
"""Blocks have at most one so many-th of the rows."""


def methods() -> list[Method]:
    return [fv.Mondrian(), fv.TopDownGreedy(), fv.MDAV(), fv.FairMDAV(size=K)]


def adult(times: int) -> Dataset:
    """Adult so many times over; in the copies a tenth of the values are those of other people."""
    data = fv.datasets.adult()
    if times == 1:
        return data
    random = np.random.default_rng(0)
    rows = np.tile(np.arange(data.table.rows), times)
    columns = []
    for column in data.table.columns:
        redrawn = (random.random(len(rows)) < 0.1) & (np.arange(len(rows)) >= data.table.rows)
        columns.append(column.take(np.where(redrawn, random.permutation(rows), rows)))
    return replace(data, table=Table(tuple(columns)))


def loss_of(task: Task, search: Callable[[], Proposal]) -> tuple[float, float, str]:
    """The loss of the first candidate, the seconds that it took, and what was noted last."""
    start = time.perf_counter()
    proposal = search()
    taken = time.perf_counter() - start
    judged = task.judge(proposal.changes[0])
    assert judged.holds
    return float(fv.measures.get("loss").of(judged.summary)[0]), taken, proposal.notes[-1]


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    data = adult(times)
    lines = {}
    for method in methods():
        task = Task.of(Memory(data.table), data.schema, [fv.KAnonymity(K)])
        exact, seconds, _ = loss_of(task, lambda m=method, t=task: m.search(t))  # type: ignore[misc]
        line = [f"exact {exact:.4f} in {seconds:.1f} s"]
        for share in SHARES:
            most = task.rows // share
            loss, seconds, note = loss_of(task, lambda m=method, t=task, most=most: in_blocks(m, t, most))  # type: ignore[misc]
            line.append(f"{note.split()[2]} blocks {loss:.4f} in {seconds:.1f} s")
        lines[f"loss of {method.kind}"] = ", ".join(line)
    show(f"Row methods block by block, {data.table.rows:,} rows of Adult, k = {K}", lines)


if __name__ == "__main__":
    main()
